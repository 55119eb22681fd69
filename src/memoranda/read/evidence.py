"""Hits become evidence: grown in their block, newest state first with its history, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from memoranda.read.ranking import Ranked, Reach
from memoranda.read.render import HEAD_COST, cost
from memoranda.store.log import Log
from memoranda.store.view import Place, View
from memoranda.text.same import same_form
from memoranda.values import Entry, Evidence, Found

CURRENT_SHARE = 4
"""CURRENT comes in whole up to this part of the budget (a quarter); beyond that by search."""
SMALLEST = 15
"""Tokens below which nothing more is tried."""

Group = tuple[str, int | None]
"""Where evidence stands: (document id, block), (`CURRENT`, None) or (`LOG`, position)."""


@dataclass(slots=True)
class _Basket:
    """What was chosen so far, and what is left of the budget."""

    left: int
    chosen: dict[Group, list[Entry]] = field(default_factory=dict)
    scores: dict[Group, float] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    forms: set[tuple[str | None, str]] = field(default_factory=set)

    def put(self, group: Group, entries: Sequence[Entry], score: float) -> bool:
        """Take an entry with its history if it fits; say whether it did."""
        fresh = [entry for entry in entries if not (entry.seqs and entry.seq in self.seen)]
        price = sum(cost(entry) for entry in fresh)
        price += 0 if group in self.chosen else HEAD_COST
        if price > self.left:
            return False
        self.left -= price
        self.chosen.setdefault(group, []).extend(fresh)
        self.scores[group] = max(score, self.scores.get(group, 0.0))
        self.seen.update(entry.seq for entry in fresh if entry.seqs)
        return True

    def repeats(self, entry: Entry) -> bool:
        """Say whether an entry tells nothing that was not chosen before."""
        form = same_form(entry.text)
        if form is None:
            return False
        known = (entry.speaker, form) in self.forms
        self.forms.add((entry.speaker, form))
        return known


class Collector:
    """Collects evidence at one log position."""

    def __init__(self, log: Log, view: View, reach: Reach) -> None:
        self._log = log
        self._view = view
        self._reach = reach

    def collect(self, ranked: Ranked, *, budget: int, position: int) -> Found:
        """Fill a budget with the best lines, each with all it replaced, and with CURRENT."""
        basket = _Basket(left=budget)
        current = self._current(budget)
        for seq, score in current:
            self._take(basket, seq, score, ranked)
        for seq, score in ranked.lines:
            if basket.left < SMALLEST:
                break
            self._take(basket, seq, score, ranked)
        for event, score in ranked.events:
            self._take_event(basket, event, score)
        for seq, score in ranked.lines:  # a whole CURRENT ranks by its best hit
            group = self._group(self._view.places([seq])[seq])
            if group in basket.chosen and group[0] == "CURRENT":
                basket.scores[group] = max(score, basket.scores[group])
                break
        evidence = tuple(
            self._evidence(group, entries, basket.scores[group])
            for group, entries in sorted(
                basket.chosen.items(), key=lambda item: -basket.scores[item[0]]
            )
        )
        return Found(tokens=budget - basket.left, position=position, evidence=evidence)

    def _current(self, budget: int) -> list[tuple[int, float]]:
        places = [
            place
            for place in self._view.current()
            if not place.retracted and self._reach.allows(place.project) and place.final is None
        ]
        if sum(place.tokens for place in places) * CURRENT_SHARE > budget:
            return []
        return [(place.seq, 0.0) for place in places]

    def _take(self, basket: _Basket, seq: int, score: float, ranked: Ranked) -> None:
        if seq in basket.seen:
            return
        chain = self._view.chain(seq)
        lines = self._view.entries([seq, *chain])
        entry = replace(lines[seq], possibly_replaced_by=ranked.possibly_replaced.get(seq))
        if basket.repeats(entry):
            return
        older = [lines[item] for item in chain if self._reach.allows(lines[item].project)]
        group = self._group(self._view.places([seq])[seq])
        while not basket.put(group, [entry, *older], score) and older:
            older = older[: len(older) // 2]

    def _take_event(self, basket: _Basket, position: int, score: float) -> None:
        record = self._log.record(position)
        if record is None or record.body is None:
            return
        body = record.body
        entry = Entry(
            seqs=(),
            text=body["content"],
            source=body["source"],
            time=body["time"],
            recorded=record.recorded,
            speaker=body["speaker"],
            session=body["session"],
            project=body["project"],
            sensitivity=body["sensitivity"],
            event_ids=(record.record_id,),
            external_ids=(body["external_id"],) if body["external_id"] else (),
        )
        basket.put(("LOG", position), [entry], score)

    def _group(self, place: Place) -> Group:
        return ("CURRENT", None) if place.document_id is None else (place.document_id, place.block)

    def _evidence(self, group: Group, entries: Iterable[Entry], score: float) -> Evidence:
        name, block = group
        ordered = self._in_order(entries)
        if name in {"CURRENT", "LOG"}:
            return Evidence(
                document_id=name,
                title="CURRENT" if name == "CURRENT" else "Log",
                headings=(),
                lines=None,
                version=self._log.position(),
                score=round(score, 6),
                entries=tuple(ordered),
            )
        info = self._view.document(name)
        ranges = self._view.printed(name).ranges
        spots = [ranges[entry.seq] for entry in ordered if entry.seq in ranges]
        headings = self._view.headings(block) if block is not None else ()
        return Evidence(
            document_id=name,
            title=info.title if info else name,
            headings=headings,
            lines=(min(spot[0] for spot in spots), max(spot[1] for spot in spots)),
            version=info.version if info else 0,
            score=round(score, 6),
            entries=tuple(ordered),
        )

    def _in_order(self, entries: Iterable[Entry]) -> list[Entry]:
        """Put entries in reading order, each followed by what it replaced, newest first."""
        entries = list(entries)
        places = self._view.places(entry.seq for entry in entries if entry.seqs)

        def order(entry: Entry) -> tuple[str, int]:
            place = places.get(entry.seq)
            return (place.moment if place else "", entry.seq)

        heads = sorted((entry for entry in entries if self._head(entry, entries)), key=order)
        found: list[Entry] = []
        for head in heads:
            older = [
                entry
                for entry in entries
                if entry is not head and entry.seq in places and places[entry.seq].final == head.seq
            ]
            found += [head, *sorted(older, key=order, reverse=True)]
        return found

    def _head(self, entry: Entry, entries: Sequence[Entry]) -> bool:
        place = self._view.places([entry.seq]).get(entry.seq)
        return place is None or all(other.seq != place.final for other in entries)
