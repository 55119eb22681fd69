"""What a reader found becomes evidence: its own lines first, their blocks, then the recall guard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memoranda.answers import Claim
from memoranda.read.evidence import Collector
from memoranda.read.lexical import Source
from memoranda.read.ranking import Ranked, newest, rank, shown
from memoranda.read.reach import Reach
from memoranda.read.readers.claims import claim_of
from memoranda.store.view import View
from memoranda.values import CURRENT, LOG, Entry, Found

NAMED_SHARE = 16
"""What a model names and the lexical ranking would leave out takes up to this part of the budget (a
sixteenth) from the last lines of the ranking; a single line that is longer, up to `BLOCK_SHARE`."""
BLOCK_SHARE = 4
"""The blocks around named lines take up to this part of the budget (a quarter), where it is free."""
SPARE = 15
"""Tokens of a budget below which it counts as full."""
OVERHEAD = 12
"""Tokens that a line takes beside its text: number, date, who said it."""
NOTHING = Ranked(lines=(), events=(), possibly_replaced={})
_K = 10
"""How fast a line counts less, the lower it stands in a list that is fused with others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """What a reader found; all lines by their first seqs."""

    named: tuple[int, ...] = ()
    """Lines that the model named, or that a hop stands on; first, with the blocks around them."""
    own: tuple[int, ...] = ()
    """Further lines, best first."""
    events: tuple[int, ...] = ()
    """Positions of events that no entry cites."""
    pinned: int = 0
    """So many of the named lines stay first whatever the ranking says: a chain of hops, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Evidence, the ranking it was collected from, and how much of it the guard added."""

    found: Found
    ranked: Ranked
    guard: int


def gather(
    question: str, source: Source, harvest: Harvest, *, budget: int, guarded: bool = True
) -> Gathered:
    """Collect evidence within a budget, at one log position (R177-R183).

    Every line is lifted to what holds now and comes with all that it replaced; CURRENT is included.
    The recall guard: what the lexical reader would give within the budget is given, in whatever order
    the reader likes. Only lines that the model names, and a chain of hops, take a place from it, the
    last one first, and no more than `NAMED_SHARE` of the budget; all else fills what is free. So a
    reader that finds nothing of worth is as good as the lexical one. Unguarded there is no ranking.
    """
    view = source.view
    lexical = (
        rank(question, view, source.index, source.reach, budget=budget) if guarded else NOTHING
    )
    floor = _collected(source, lexical, budget)
    guard = [seq for seq, _ in lexical.lines]
    if harvest == Harvest():
        return replace(floor, guard=_added(floor.found, set(), set(guard)))
    named = holding(harvest.named, source)
    own = [seq for seq in holding(harvest.own, source) if seq not in set(named)]
    near = _within(_around(named, source), view, budget // BLOCK_SHARE)
    made = _filled(
        _Wanted(question, source, budget, lexical, events=harvest.events),
        floor,
        first=_lead(named, own, harvest.pinned, floor, source, budget=budget),
        pinned=named[: harvest.pinned],
        rest=(*near, *own, *named) if guarded else (*named, *near, *own),
    )
    return replace(made, guard=_added(made.found, {*named, *near, *own}, set(guard)))


def contested(
    question: str, source: Source, harvest: Harvest, *, budget: int, most: int
) -> tuple[Entry, ...]:
    """Give the lines that a reader found and that get no place unless a model names them.

    Args:
        question: what was asked.
        source: the state.
        harvest: what the reader found.
        budget: tokens of evidence.
        most: so many lines at most, the reader's best first.
    """
    ranked = rank(question, source.view, source.index, source.reach, budget=budget)
    floor = _collected(source, ranked, budget).found
    known = _seqs(floor)
    outside = [seq for seq in holding(harvest.own, source) if seq not in known]
    if not outside:
        return ()
    room = budget - floor.tokens - OVERHEAD * len(outside)
    if room >= SPARE and len(_within(outside, source.view, room)) == len(outside):
        return ()
    entries = source.view.entries(outside[:most])
    return tuple(entries[seq] for seq in outside[:most] if seq in entries)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """For which question evidence is collected, from what, and how much."""

    question: str
    source: Source
    budget: int
    lexical: Ranked
    events: tuple[int, ...]


def _lead(
    named: list[int], own: list[int], pinned: int, floor: Gathered, source: Source, *, budget: int
) -> tuple[int, ...]:
    """Give the lines that are sure of a place, in the reader's order: those of the floor, and some more."""
    known = _seqs(floor.found)
    outside = [seq for seq in named[pinned:] if seq not in known]
    sure = _within(outside, source.view, budget // NAMED_SHARE)
    sure = sure or _within(outside[:1], source.view, budget // BLOCK_SHARE)
    held = {*known, *named[:pinned], *sure}
    return tuple(seq for seq in (*named, *own) if seq in held)


def _filled(
    wanted: _Wanted,
    floor: Gathered,
    *,
    first: Sequence[int],
    rest: Sequence[int],
    pinned: Sequence[int],
) -> Gathered:
    """Collect what is sure of a place; then fill with the rest what is free, and lose nothing by that."""
    source, lexical, known = wanted.source, wanted.lexical, _seqs(floor.found)
    scores = dict(lexical.lines)
    sure = dict.fromkeys((*first, *(seq for seq, _ in lexical.lines if seq in known)))
    order = dict.fromkeys((*sure, *rest, *scores))
    ordered, marks = newest(
        wanted.question, [(seq, scores.get(seq, 0.0)) for seq in order], source.view
    )
    ordered.sort(key=lambda item: pinned.index(item[0]) if item[0] in pinned else len(pinned))
    ranked = replace(
        lexical,
        lines=tuple(item for item in ordered if item[0] in sure),
        possibly_replaced=_joined(lexical.possibly_replaced, marks),
    )
    made = _collected(source, ranked, wanted.budget)
    if known.issuperset(first) and not _lines(made.found) >= _lines(floor.found):
        made = floor
    if wanted.budget - made.found.tokens < SPARE:
        return made
    events = dict.fromkeys((*(at for at, _ in lexical.events), *wanted.events))
    scored = dict(lexical.events)
    whole = replace(
        ranked,
        lines=tuple(ordered),
        events=tuple((at, scored.get(at, 0.0)) for at in events),
    )
    more = _collected(source, whole, wanted.budget)
    return more if _lines(more.found) >= _lines(made.found) else made


def _lines(found: Found) -> frozenset[int | str]:
    """Give all lines of evidence: seqs, and of events that no entry cites their ids."""
    entries = [entry for item in found.evidence for entry in item.entries]
    events = {name for entry in entries if not entry.seqs for name in entry.event_ids}
    return _seqs(found) | events


def _seqs(found: Found) -> frozenset[int]:
    """Give the lines of evidence, by their first seqs."""
    entries = [entry for item in found.evidence for entry in item.entries]
    return frozenset(entry.seq for entry in entries if entry.seqs)


def _collected(source: Source, ranked: Ranked, budget: int) -> Gathered:
    collector = Collector(source.log, source.view, source.reach, source.count)
    found = collector.collect(ranked, budget=budget, position=source.log.position())
    return Gathered(found=as_then(found, source.reach), ranked=ranked, guard=0)


def as_then(found: Found, reach: Reach) -> Found:
    """Give evidence of an earlier time as it was then: not marked as replaced by what came later."""
    if not reach.then:
        return found
    evidence = tuple(
        replace(
            item,
            entries=tuple(
                replace(entry, superseded_by=None) if reach.holds(entry.superseded_by) else entry
                for entry in item.entries
            ),
        )
        for item in found.evidence
    )
    return replace(found, evidence=evidence)


def holding(seqs: Iterable[int], source: Source) -> list[int]:
    """Lift entries to the lines that hold now and may be read, in the same order, each once."""
    wanted = [seq for seq in dict.fromkeys(seqs) if seq > 0]
    at = source.view.places(wanted)
    heads = source.view.places(place.line for place in at.values() if place.line)
    finals = source.view.places(
        head.final for head in heads.values() if head.final is not None and head.final > 0
    )
    found: dict[int, None] = {}
    for seq in wanted:
        head = heads.get(at[seq].line) if seq in at else None
        now = head if head is None or head.final is None else finals.get(head.final)
        if head is not None and now is not None:
            stands = shown(head, now, source.reach)
            if stands is not None:
                found[stands] = None
    return list(found)


def fused(lists: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Make one order of several: what stands high, or in many of them, comes first."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for place, seq in enumerate(dict.fromkeys(ranked)):
            scores[seq] = scores.get(seq, 0.0) + 1 / (_K + place)
    return tuple(sorted(scores, key=lambda seq: (-scores[seq], seq)))


def _around(named: Sequence[int], source: Source) -> list[int]:
    """Give the lines that stand in one block with the named ones (R178, R179)."""
    places = source.view.places(named)
    blocks = [places[seq].block for seq in named if seq in places]
    lines = source.view.block_lines(block for block in blocks if block is not None)
    mates = [seq for block in dict.fromkeys(blocks) for seq in lines.get(block or 0, ())]
    return [seq for seq in holding(mates, source) if seq not in set(named)]


def _within(seqs: Sequence[int], view: View, tokens: int) -> list[int]:
    """Keep the first lines that take at most so many tokens together."""
    places = view.places(seqs)
    kept: list[int] = []
    for seq in seqs:
        tokens -= places[seq].tokens if seq in places else 0
        if tokens < 0:
            break
        kept.append(seq)
    return kept


def cited(found: Found, view: View) -> tuple[tuple[Entry, Claim], ...]:
    """Give every entry of the evidence with its citation, in order."""
    entries = [entry for item in found.evidence for entry in item.entries]
    return tuple((entry, claim_of(entry, view)) for entry in entries)


def _joined(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    return {**one, **other}


def _added(found: Found, mine: set[int], guard: set[int]) -> int:
    """Count the lines that only the guard has found."""
    return sum(
        1
        for item in found.evidence
        if item.document_id not in {CURRENT, LOG}
        for entry in item.entries
        if entry.seq in guard and entry.seq not in mine
    )
