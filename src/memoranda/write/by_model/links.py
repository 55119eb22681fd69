"""Pairs of entries that a model names: which of the two was said later is decided by code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memoranda.store.operations import Supersede
from memoranda.store.saying import moment
from memoranda.values import Entry
from memoranda.write.by_model.names import Table, named


class Pair(NamedTuple):
    """Two entries, by seq, as a reply named them: the older first."""

    one: int
    other: int


def pairs_of(texts: Sequence[str], *tables: Table[int]) -> tuple[Pair, ...]:
    """Read pairs of names; one name alone says nothing and is no pair.

    Raises:
        ReplyError: a name is not offered, or there are more than two in a pair.
    """
    found = (named(text, *tables, most=2) for text in texts)
    return tuple(dict.fromkeys(Pair(*seqs) for seqs in found if len(seqs) == 2))


def links_of(pairs: Iterable[Pair], entries: Mapping[int, Entry]) -> tuple[Supersede, ...]:
    """Give the links that pairs may stand for: within one project, what was said later is newer."""
    found = {}
    for pair in pairs:
        older, newer = sorted(pair, key=lambda seq: (_moment(entries[seq]), seq))
        if entries[older].project == entries[newer].project:
            found[older, newer] = Supersede(older=older, newer=newer)
    return tuple(found[ends] for ends in sorted(found))


def _moment(entry: Entry) -> str:
    return moment(entry.time, entry.recorded) if entry.time or entry.recorded else ""
