"""Route blocks by a model: each to one of its nearest documents, or to a new one of a new title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Annotated, TypeVar

from memoranda.llm.forms import Form
from memoranda.llm.kinds import Each, Names, Says
from memoranda.llm.kinds import Text as Typed
from memoranda.values import Entry
from memoranda.write.by_model.asking import (
    Asker,
    batches,
    entry_line,
    line,
    put,
    size,
    too_large,
)
from memoranda.write.by_model.joining import Joiner
from memoranda.write.by_model.links import pairs_of
from memoranda.write.by_model.names import Pool, Table, looks_like_a_name, named
from memoranda.write.by_model.places import Block, Candidate, Choice, Planned, Routing

T = TypeVar("T")

BATCH = 6000
"""Tokens of the blocks that are routed in one call: a window of the default size."""
SIDE_BY_SIDE = 4
"""So many calls at once."""
HEADINGS = 3
"""So many headings of an offered document are shown."""
DOCUMENTS = 24
"""So many documents are shown in one call, however large the library is (R120)."""
OLDER = 48
"""So many older entries are shown in one call."""


# --- the reply --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Goes:
    """Blocks that go to one document."""

    blocks: Annotated[str, Typed(most=8000), Names("blocks"), Says("Names of blocks")]
    to: Annotated[str, Typed(most=90), Says("A document's name, or a new title of 2-6 words")]
    sum: Annotated[
        str, Typed(most=600, blank=True), Says("Summary of the whole document afterwards")
    ] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """A whole reply: blocks that it does not name go where the rules put them."""

    go: Annotated[tuple[Goes, ...], Each(most=400, per=1)] = ()
    old: Annotated[
        tuple[str, ...],
        Each(most=400, once=False, per=1),
        Names("lines", 2, 2),
        Says("Pairs: older newer"),
    ] = ()


FORM = Form(Routed)


# --- one call ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    blocks: Table[int]
    documents: Table[str]
    entries: Table[int]
    older: Table[int]
    shown: tuple[str, ...]
    """Ids of the documents."""


def _ask(asker: Asker, blocks: Sequence[Block], numbers: Sequence[int]) -> Planned:
    """Ask for the places of some blocks; `numbers` are their numbers in the window."""
    known, older = _offered(blocks)
    entries = [entry for block in blocks for entry in block.entries]
    asker = asker.unseen_in(_all_texts(known.values(), [*older.values(), *entries]))
    pool = Pool(asker.nonce)
    names = _Names(
        pool.table(numbers),
        pool.table(known),
        pool.table(entry.seq for entry in entries),
        pool.table(older),
        tuple(known),
    )
    data = {
        "documents": "\n".join(_shown(names.documents.of(i), c) for i, c in known.items())
        or "none",
        "older": "\n".join(entry_line(names.older.of(s), e) for s, e in older.items()) or "none",
        "blocks": "\n".join(
            _block(names, number, block, paired=bool(older))
            for number, block in zip(numbers, blocks, strict=True)
        ),
    }

    def check(reply: Routed) -> None:
        _choices(reply, names)
        pairs_of(reply.old, names.older, names.entries)

    lines = (*names.older.names, *names.entries.names)
    offered = {"blocks": names.blocks.names, "lines": lines}
    answer = put(asker, "route", FORM, data, names=offered, check=check)
    reply = answer.value
    if reply is None:
        return Planned(report=answer.report)
    pairs = pairs_of(reply.old, names.older, names.entries)
    return Planned(_choices(reply, names), pairs, answer.report)


def _offered(blocks: Sequence[Block]) -> tuple[dict[str, Candidate], dict[int, Entry]]:
    """Choose what is shown: the documents of the rules first, then the nearest of each block in turn."""
    candidates = {c.document_id: c for block in blocks for c in block.candidates}
    chosen = Counter(block.by_rules.document_id for block in blocks)
    ids = [name for name, _ in chosen.most_common() if name is not None]
    ids += [c.document_id for c in _in_turn([block.candidates for block in blocks])]
    shown = [name for name in dict.fromkeys(ids) if name in candidates][:DOCUMENTS]
    older = {entry.seq: entry for entry in _in_turn([block.older for block in blocks])}
    return {name: candidates[name] for name in shown}, dict(islice(older.items(), OLDER))


def _in_turn(lists: Sequence[Sequence[T]]) -> Iterator[T]:
    """Give the first of each list, then the second of each, and so on."""
    for row in zip_longest(*lists):
        yield from (item for item in row if item is not None)


def _choices(reply: Routed, names: _Names) -> tuple[Choice, ...]:
    """Read a reply; a document's name that is not offered is that of a new one without a title."""
    seen: set[int] = set()
    found = []
    for goes in reply.go:
        blocks = tuple(n for n in named(goes.blocks, names.blocks) if n not in seen)
        seen.update(blocks)
        to = goes.to.strip()
        known = names.documents.key(to) if to in names.documents else None
        is_title = known is None and not looks_like_a_name(to)
        choice = Choice(
            blocks=blocks,
            document_id=known,
            title=to if is_title else "",
            missing="" if is_title or known else to,
            summary=goes.sum.strip(),
            shown=frozenset(names.shown),
        )
        found.append(choice)
    return tuple(found)


def _shown(name: str, candidate: Candidate) -> str:
    headings = "; ".join(candidate.headings[:HEADINGS])
    summary = candidate.summary.text
    return line(name, f"{summary} [{headings}]" if headings else summary, f'"{candidate.title}"')


def _block(names: _Names, number: int, block: Block, *, paired: bool) -> str:
    """Show a block; its entries need names only where older ones are shown."""
    lines = (entry_line(names.entries.of(e.seq) if paired else "-", e) for e in block.entries)
    return "\n  ".join((f"block {names.blocks.of(number)}", *lines))


def _all_texts(candidates: Collection[Candidate], entries: Sequence[Entry]) -> list[str]:
    found = [text for e in entries for text in (e.text, e.speaker or "")]
    for candidate in candidates:
        found += [candidate.title, candidate.summary.text, *candidate.headings]
    return found


# --- all calls, joined ------------------------------------------------------------------------


def by_rules(blocks: Sequence[Block], taken: Collection[str] = ()) -> Routing:
    """Route the blocks of a window where the rules put them, without asking anybody."""
    return Joiner(blocks, taken).join(())


def route(
    asker: Asker,
    blocks: Sequence[Block],
    *,
    taken: Collection[str] = (),
    batch: int = BATCH,
    most: int | None = None,
) -> Routing:
    """Route the blocks of a window: planned side by side on one snapshot, joined in order by code.

    A block that no usable reply names goes where the rules put it. A document that was not offered
    to a block, or is of another project, is a new one for it. Creates with equal or near titles are
    one, and one whose title is that of an offered document is that document.

    Args:
        asker: whom to ask.
        blocks: in order.
        taken: titles in use, as `titles.same_title` gives them; a new one of them is left to rules.
        batch: tokens of one call, but at least one block.
        most: a block with more tokens is not shown: rules place it.

    Raises:
        BudgetError: a limit is reached; nothing of the step is given.
    """
    sizes = [size(block.entries) for block in blocks]
    small = [number for number, tokens in enumerate(sizes) if most is None or tokens <= most]
    parts = batches(small, sizes.__getitem__, batch)
    askers = [asker.part(number) for number in range(len(parts))]

    def work(number: int) -> Planned:
        part = parts[number]
        return _ask(askers[number], [blocks[each] for each in part], part)

    with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as pool:
        planned = list(pool.map(work, range(len(parts))))
    planned.append(Planned(report=too_large("route", len(blocks) - len(small))))
    return Joiner(blocks, taken).join(planned)
