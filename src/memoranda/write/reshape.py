"""Propose splits of documents grown too large and merges of documents too small."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memoranda.store.operations import number_of
from memoranda.store.postings import Postings

SPLIT_ABOVE = 5000
"""Tokens above which a document is split."""
MERGE_BELOW = 1000
"""Tokens below which a document is merged."""
PART = 0.9
"""No part of a split is planned larger than this part of the limit, if its blocks allow it."""
MERGED = 0.98
"""A merged document holds at most this part of the limit."""
NEAREST = 16
"""A small document is offered so many others."""
LIKE_ENOUGH = 0.1125
"""Documents less alike than this stay apart, however small they are."""


@dataclass(frozen=True, slots=True)
class Block:
    """What a split needs to know of a block: its first seq, its current tokens, its term counts."""

    seq: int
    tokens: int
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Merge:
    """Two documents that become one: the older keeps its id."""

    keep: str
    absorb: str
    likeness: float


def split(blocks: Sequence[Block], *, limit: int = SPLIT_ABOVE) -> tuple[tuple[int, ...], ...]:
    """Part a document's blocks: positions of the blocks of each part, the main part first.

    Empty if the document is within the limit or is one block. Parts follow time (R134, R137).
    """
    if len(blocks) < 2 or sum(block.tokens for block in blocks) <= limit:
        return ()
    order = sorted(range(len(blocks)), key=lambda place: blocks[place].seq)
    parts: list[list[int]] = [[]]
    held = 0
    for place in order:
        tokens = blocks[place].tokens
        if parts[-1] and held + tokens > PART * limit:
            parts.append([])
            held = 0
        parts[-1].append(place)
        held += tokens
    return tuple(tuple(part) for part in parts)


def merges(
    candidates: Mapping[str, str | None],
    index: Postings,
    tokens_of: Callable[[str], int],
    *,
    limit: int = SPLIT_ABOVE,
    below: int = MERGE_BELOW,
) -> tuple[Merge, ...]:
    """Propose merges for those of the candidates (id: project) that are below the size.

    Each finds its nearest document of the same project with which it stays under the limit. No
    document is in two merges of one proposal (R138, R145).
    """
    taken: set[str] = set()
    found = []
    for document_id in sorted(candidates, key=number_of):
        tokens = tokens_of(document_id)
        if document_id in taken or tokens >= below:
            continue
        project = candidates[document_id]
        for other, likeness in index.nearest(index.counts(document_id), project, NEAREST):
            if other == document_id or other in taken or likeness < LIKE_ENOUGH:
                continue
            if tokens + tokens_of(other) <= MERGED * limit:
                older, younger = sorted((document_id, other), key=number_of)
                found.append(Merge(older, younger, likeness))
                taken |= {older, younger}
                break
    return tuple(found)
