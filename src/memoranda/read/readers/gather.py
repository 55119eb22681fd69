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
from memoranda.values import Entry, Found

OWN_SHARE = 4
"""The reader's own lines take up to this part of the budget (a quarter) before the guard's come in."""
BLOCK_SHARE = 4
"""The blocks around named lines take up to this part of the budget (a quarter)."""
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
    The recall guard, the lexical ranking, fills what the reader's own lines leave free and adds no
    line twice; unguarded it adds nothing.
    """
    view = source.view
    lexical = (
        rank(question, view, source.index, source.reach, budget=budget) if guarded else NOTHING
    )
    guard = [seq for seq, _ in lexical.lines]
    if harvest == Harvest():
        made = _collected(source, lexical, budget)
        return replace(made, guard=_added(made.found, set(), set(guard)))
    named = holding(harvest.named, source)
    own = [seq for seq in holding(harvest.own, source) if seq not in set(named)]
    near = _within(_around(named, source), view, budget // BLOCK_SHARE)
    first = _within(own, view, budget // OWN_SHARE)
    scores = dict(lexical.lines)
    order = dict.fromkeys((*named, *near, *first, *guard, *own))
    lines = [(seq, scores.get(seq, 0.0)) for seq in order]
    ordered, marks = newest(question, lines, view)
    pinned = named[: harvest.pinned]
    ordered.sort(key=lambda item: pinned.index(item[0]) if item[0] in pinned else len(pinned))
    known = {position for position, _ in lexical.events}
    events = [(position, 0.0) for position in harvest.events if position not in known]
    ranked = replace(
        lexical,
        lines=tuple(ordered),
        events=(*events, *lexical.events),
        possibly_replaced=_joined(lexical.possibly_replaced, marks),
    )
    made = _collected(source, ranked, budget)
    return replace(made, guard=_added(made.found, {*named, *near, *own}, set(guard)))


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
        if item.document_id not in {"CURRENT", "LOG"}
        for entry in item.entries
        if entry.seq in guard and entry.seq not in mine
    )
