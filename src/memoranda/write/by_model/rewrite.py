"""Rewrite a window of CURRENT by a model: it names what changes, all else stays as the rules put it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from memoranda.llm.forms import Form
from memoranda.llm.kinds import Each, Names, Says
from memoranda.llm.kinds import Text as Typed
from memoranda.store.operations import Join, Supersede, Text
from memoranda.values import Entry, Value
from memoranda.write.by_model.asking import (
    Asker,
    Report,
    batches,
    entry_line,
    halves,
    put,
    size,
    too_large,
)
from memoranda.write.by_model.links import Pair, links_of, pairs_of
from memoranda.write.by_model.names import Pool, Table, named
from memoranda.write.by_model.redraft import Redraft
from memoranda.write.draft import Draft

BATCH = 6000
"""Tokens of the entries that are rewritten in one call: one window of the default size."""
MOST_JOINED = 6
"""So many entries may become one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window(Value):
    """What is rewritten."""

    entries: tuple[Entry, ...]
    """The lines of the window, oldest first."""
    draft: Draft
    """The window as `write.draft.rewrite` gives it: segments, repetitions, what replaces what."""
    older: tuple[Entry, ...] = ()
    """Lines of the library that may be replaced or repeated by some of the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting(Value):
    """A window, rewritten.

    `draft.segments` are the blocks; a joined line stands in them as its first entry, with its new
    words and its exact set of `seqs`. Every entry of the window is in exactly one block, or named by
    one repetition or one join.
    """

    draft: Draft
    headings: tuple[tuple[Text, ...], ...]
    """Of each block; empty where the dated heading of the rules is due."""
    joins: tuple[Join, ...] = ()
    possible: tuple[Supersede, ...] = ()
    """What may replace what beyond `draft.supersedes`, said later second; code decides."""
    report: Report = field(default_factory=Report)


# --- the reply --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped:
    """Entries that belong under one heading."""

    under: Annotated[str, Typed(most=120), Says("A heading, or two as `Home / Fence`")]
    of: Annotated[str, Typed(most=8000), Names("own"), Says("Names of entries")]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneLine:
    """Entries that follow on each other and make one statement."""

    of: Annotated[
        str, Typed(most=100), Names("own", 2, MOST_JOINED), Says("Names of 2 to 6 entries")
    ]
    text: Annotated[str, Typed(most=1500), Says("The statement")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A whole reply: what it does not name is kept as it is."""

    blocks: Annotated[tuple[Grouped, ...], Each(most=400, once=False, per=1)] = ()
    same: Annotated[
        tuple[str, ...],
        Each(most=400, once=False, per=1),
        Names("all", 2, 2),
        Says("Pairs that say the same"),
    ] = ()
    join: Annotated[tuple[OneLine, ...], Each(most=400, once=False, per=1)] = ()
    old: Annotated[
        tuple[str, ...],
        Each(most=400, once=False, per=1),
        Names("all", 2, 2),
        Says("Pairs: older newer"),
    ] = ()


FORM = Form(Rewritten)


@dataclass(frozen=True, slots=True)
class _Read:
    """A reply with its names resolved, entries by seq."""

    blocks: tuple[tuple[str, tuple[int, ...]], ...] = ()
    same: tuple[Pair, ...] = ()
    joins: tuple[tuple[tuple[int, ...], str], ...] = ()
    old: tuple[Pair, ...] = ()


def rewrite(asker: Asker, window: Window, *, batch: int = BATCH) -> Rewriting:
    """Group, repeat, join and mark the entries of a window.

    Code decides what of it may be: blocks hold one project; a repetition is of one voice and equal
    in text or for the guard; a join takes entries of one voice that follow on each other, and its
    words have passed the guard with nothing lost. What may not be is left as the rules had it. A
    batch whose reply is cut, or that the model does not take, is asked about in halves, once.

    Args:
        asker: whom to ask.
        window: what is rewritten.
        batch: tokens of one call; calls are cut between segments, or within one that is larger.

    Raises:
        BudgetError: a limit is reached; nothing of the step is given.
    """
    redraft = Redraft(window.entries, window.draft, window.older)
    shown = [[e for e in held if _tokens(e) <= batch] for held in window.draft.segments]
    all_of_them = sum(len(segment) for segment in window.draft.segments)
    report = too_large("rewrite", all_of_them - sum(map(len, shown)))
    pairs: list[Pair] = []
    known = {entry.seq: entry for entry in (*window.older, *window.entries)}
    older = batches(window.older, _tokens, batch)[:1]
    for number, entries in enumerate(_parts(shown, batch)):
        for read, answered in _asked(asker.part(number), entries, [e for o in older for e in o]):
            report = report.plus(answered)
            _take(redraft, read)
            pairs += read.old
    links = links_of(pairs, known)
    found = {(link.older, link.newer) for link in window.draft.supersedes}
    possible = tuple(
        link
        for link in links
        if (link.older, link.newer) not in found and redraft.is_line_alone(link.older, link.newer)
    )
    draft, headings = redraft.result()
    return Rewriting(
        draft=draft,
        headings=headings,
        joins=redraft.joins(),
        possible=possible,
        report=report.plus(Report(reworded=redraft.reworded)),
    )


def _tokens(entry: Entry) -> int:
    return size([entry])


def _parts(segments: Sequence[Sequence[Entry]], batch: int) -> Iterator[list[Entry]]:
    """Give the entries of each call: whole segments where they fit."""
    pieces = [piece for segment in segments for piece in batches(segment, _tokens, batch)]
    for part in batches(pieces, size, batch):
        yield [entry for piece in part for entry in piece]


def _asked(
    asker: Asker, entries: Sequence[Entry], older: Sequence[Entry]
) -> Iterator[tuple[_Read, Report]]:
    """Ask about entries, and if that was too much for one call about their halves."""
    read, report = _ask(asker, entries, older)
    parts = halves(entries, report)
    yield (read, Report(halved=1)) if parts else (read, report)
    for number, half in enumerate(parts):
        yield _ask(asker.part(number), half, older)


def _take(redraft: Redraft, read: _Read) -> None:
    """Take what a reply says, links first: what replaces or is replaced stays a line of its own."""
    redraft.leave_alone(seq for pair in read.old for seq in pair)
    for pair in read.same:
        redraft.repeat(pair)
    for seqs, text in read.joins:
        redraft.join(seqs, text)
    for heading, seqs in read.blocks:
        redraft.group(seqs, heading)


def _ask(asker: Asker, entries: Sequence[Entry], older: Sequence[Entry]) -> tuple[_Read, Report]:
    asker = asker.unseen_in(f"{e.text}\n{e.speaker}" for e in (*entries, *older))
    pool = Pool(asker.nonce)
    own = pool.table(entry.seq for entry in entries)
    others = pool.table(entry.seq for entry in older)
    data = {
        "older": _shown(others, older) or "none",
        "entries": _shown(own, entries),
    }

    def check(reply: Rewritten) -> None:
        _read(reply, own, others)

    names = {"own": own.names, "all": (*own.names, *others.names)}
    answer = put(asker, "rewrite", FORM, data, names=names, check=check)
    return _read(answer.value or Rewritten(), own, others), answer.report


def _shown(names: Table[int], entries: Sequence[Entry]) -> str:
    return "\n".join(entry_line(names.of(entry.seq), entry) for entry in entries)


def _read(reply: Rewritten, own: Table[int], others: Table[int]) -> _Read:
    """Resolve the names of a reply; ReplyError where one is not offered. A join of one says nothing."""
    joined = [(named(line.of, own, most=MOST_JOINED), line) for line in reply.join]
    return _Read(
        blocks=tuple((block.under, named(block.of, own)) for block in reply.blocks),
        same=pairs_of(reply.same, own, others),
        joins=tuple((seqs, line.text) for seqs, line in joined if len(seqs) > 1),
        old=pairs_of(reply.old, own, others),
    )
