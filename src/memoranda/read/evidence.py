"""Hits become evidence: grown in their block, newest state first with its history, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memoranda.read.ranking import Ranked
from memoranda.read.reach import Reach
from memoranda.read.render import Counter, context, cost, date, fence_cost, head_cost
from memoranda.store.log import Log, Record
from memoranda.store.spots import Spots, spots, titles
from memoranda.store.view import Place, View
from memoranda.text.fences import is_echo
from memoranda.text.frames import reading_frame
from memoranda.text.same import same_form
from memoranda.values import CURRENT, LOG, Entry, Evidence, Found

CURRENT_SHARE = 4
"""CURRENT comes in whole up to this part of the budget (a quarter); beyond that by search."""
LOADED = 48
"""How many lines are read at once."""
MISSES = 8
"""So many lines in a row that don't fit end the search for smaller ones."""
REFILLS = 2
"""How often the budget that rendering left over is given out again."""
SMALLEST = 15
"""Tokens below which nothing more is tried."""

Group = tuple[str, int | None, bool]
"""Where evidence stands: document id and block, `CURRENT` and None, or `LOG` and the position of
an event that no entry cites (None for entries that were left out of all documents).

The last part is True behind lines of the same place that hold a literal question as it stands.
"""


@dataclass(slots=True)
class _Basket:
    """What was chosen so far, and what is left of the budget."""

    left: int
    count: Counter
    chosen: dict[Group, list[Entry]] = field(default_factory=dict)
    scores: dict[Group, float] = field(default_factory=dict)
    dates: dict[Group, set[str]] = field(default_factory=dict)
    documents: set[str] = field(default_factory=set)
    left_out: dict[Group, int] = field(default_factory=dict)
    leads: dict[Group, int] = field(default_factory=dict)
    """The first seq of a group's best line."""
    ranks: dict[Group, int] = field(default_factory=dict)
    """The rank of a group's best line."""
    seen: set[int] = field(default_factory=set)
    forms: dict[tuple[str | None, str], list[Entry]] = field(default_factory=dict)

    def put(self, group: Group, entries: Sequence[Entry], score: float, title: str) -> bool:
        """Take an entry with its history if it fits; say whether it did."""
        fresh = [entry for entry in entries if not (entry.seqs and entry.seq in self.seen)]
        dates = self.dates.get(group, set())
        price = 0
        for entry in fresh:
            price += cost(entry, self.count, dated=date(entry) not in dates)
            dates = dates | {date(entry)}
        if group[0] not in self.documents:
            price += head_cost(title, self.count)
        if price > self.left:
            return False
        self.left -= price
        self.dates[group] = dates
        self.documents.add(group[0])
        self.chosen.setdefault(group, []).extend(fresh)
        self.scores[group] = max(score, self.scores.get(group, 0.0))
        self.seen.update(entry.seq for entry in fresh if entry.seqs)
        for entry in fresh:
            self.forms.setdefault(_form(entry), []).append(entry)
        return True

    def repeats(self, entry: Entry) -> bool:
        """Say whether an entry tells nothing that was not chosen before.

        What holds is no repetition of what held before something else did. Where it is what may have
        replaced its like, a state that was told twice, the one that was chosen holds.
        """
        for other in self.forms.get(_form(entry), ()):
            if other.possibly_replaced_by in entry.seqs:
                self._holds(other)
                return True
            if _is_past(entry) == _is_past(other) or entry.possibly_replaced_by in other.seqs:
                return True
        return False

    def _holds(self, entry: Entry) -> None:
        """Take the mark from an entry that was chosen."""
        firm = replace(entry, possibly_replaced_by=None)
        for entries in (*self.chosen.values(), *self.forms.values()):
            entries[:] = [firm if other == entry else other for other in entries]


def _form(entry: Entry) -> tuple[str | None, str]:
    """Give what repetitions share; a short reply is only like itself."""
    return (entry.speaker, same_form(entry.text) or f"\n{entry.seq}")


def _is_past(entry: Entry) -> bool:
    return entry.superseded_by is not None or entry.possibly_replaced_by is not None


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Lines read at once, with their histories and places."""

    entries: dict[int, Entry]
    chains: dict[int, list[int]]
    places: dict[int, Place]


class Collector:
    """Collects evidence at one log position."""

    def __init__(self, log: Log, view: View, reach: Reach, count: Counter) -> None:
        self._log = log
        self._view = view
        self._reach = reach
        self._count = count
        self._places: dict[int, Place] = {}
        self._titles: dict[str, str] = {}
        self._loaded: dict[tuple[int, ...], _Loaded] = {}

    def collect(self, ranked: Ranked, *, budget: int, position: int) -> Found:
        """Fill a budget with the best lines, each with all it replaced, and with CURRENT."""
        basket = _Basket(left=budget - fence_cost(self._count), count=self._count)
        self._fill(basket, self._current(budget), ranked)
        self._fill(basket, ranked.lines, ranked)
        for event, score in ranked.events:
            self._take_event(basket, event, score)
        evidence = self._ordered(basket, ranked)
        size = self._size(evidence)
        for _ in range(REFILLS):  # what was reserved and not needed is given out again
            basket.left = budget - size
            if basket.left < SMALLEST:
                break
            self._fill(basket, ranked.lines, ranked)
            evidence = self._ordered(basket, ranked)
            size = self._size(evidence)
        while evidence and size > budget:
            last = evidence.pop()
            if len(last.entries) > 1:
                more = last.left_out + (last.entries[-1].superseded_by is not None)
                evidence.append(replace(last, entries=last.entries[:-1], left_out=more))
            size = self._size(evidence)
        return Found(
            tokens=size if evidence else 0,
            position=position,
            evidence=tuple(self._located(evidence)),
        )

    def _ordered(self, basket: _Basket, ranked: Ranked) -> list[Evidence]:
        self._rank(basket, ranked)
        ordered = sorted(basket.chosen.items(), key=lambda item: basket.ranks[item[0]])
        return [self._evidence(group, entries, basket) for group, entries in ordered]

    def _rank(self, basket: _Basket, ranked: Ranked) -> None:
        """Order the groups by their best line; what was not asked for comes last."""
        order = {seq: number for number, (seq, _) in enumerate(ranked.lines)}
        last = len(order) + len(ranked.events)
        for group, entries in basket.chosen.items():
            if group[0] == LOG and group[1] is not None:
                positions = [position for position, _ in ranked.events]
                basket.ranks[group] = len(order) + positions.index(group[1] or 0)
            else:
                rank, lead = min((order.get(entry.seq, last), entry.seq) for entry in entries)
                basket.ranks[group] = rank
                basket.leads[group] = lead

    def _current(self, budget: int) -> list[tuple[int, float]]:
        """Give all of CURRENT if that is small beside the budget."""
        places = [
            place
            for place in self._view.current()
            if not place.retracted
            and self._reach.allows(place.project)
            and place.final is None
            and self._reach.admits(place.seq)
        ]
        if sum(place.tokens for place in places) * CURRENT_SHARE > budget:
            return []
        return [(place.seq, 0.0) for place in places]

    def _fill(self, basket: _Basket, lines: Sequence[tuple[int, float]], ranked: Ranked) -> None:
        """Take lines, best first, until nothing more fits."""
        missed = 0
        for start in range(0, len(lines), LOADED):
            part = lines[start : start + LOADED]
            loaded = self._load(tuple(seq for seq, _ in part))
            for seq, score in part:
                missed = 0 if self._take(basket, seq, score, ranked, loaded) else missed + 1
                if basket.left < SMALLEST or missed >= MISSES:
                    return

    def _load(self, seqs: tuple[int, ...]) -> _Loaded:
        """Read lines with their histories; once, though the budget is given out again."""
        if seqs not in self._loaded:
            self._loaded[seqs] = self._fresh(seqs)
        return self._loaded[seqs]

    def _fresh(self, seqs: tuple[int, ...]) -> _Loaded:
        chains = self._view.chains(seqs)
        wanted = [*seqs, *(seq for chain in chains.values() for seq in chain)]
        places = self._view.places(wanted)
        self._places |= places
        named = {place.document_id for place in places.values()} - self._titles.keys()
        self._titles |= titles(self._log.connection, (name for name in named if name))
        return _Loaded(self._view.entries(wanted), chains, places)

    def _take(
        self, basket: _Basket, seq: int, score: float, ranked: Ranked, loaded: _Loaded
    ) -> bool:
        """Take a line with what it replaced; say whether it fitted (or was there already)."""
        group = self._group(loaded.places[seq], ranked)
        if seq in basket.seen:
            if group in basket.scores:
                basket.scores[group] = max(score, basket.scores[group])
            return True
        chain = [
            loaded.entries[item]
            for item in loaded.chains.get(seq, ())
            if self._reach.allows(loaded.entries[item].project) and self._reach.admits(item)
        ]
        entry = replace(loaded.entries[seq], possibly_replaced_by=ranked.possibly_replaced.get(seq))
        if basket.repeats(entry):
            return True
        older = chain
        while not basket.put(group, [entry, *older], score, self._title(group)):
            if not older:
                return False
            older = older[: len(older) // 2]
        if len(older) < len(chain):
            basket.left_out[group] = basket.left_out.get(group, 0) + len(chain) - len(older)
        return True

    def _take_event(self, basket: _Basket, position: int, score: float) -> None:
        record = self._log.record(position)
        if record is None or record.body is None:
            return
        body = record.body
        if basket.chosen and is_echo(body["content"]):
            return  # what it repeats is among the lines
        entry = event_entry(record)
        basket.put((LOG, position, False), [entry], score, "Log")

    def _group(self, place: Place, ranked: Ranked) -> Group:
        behind = bool(ranked.literal) and place.seq not in ranked.literal
        if place.document_id is None:
            return (CURRENT, None, behind)
        return (place.document_id, place.block, behind)

    def _title(self, group: Group) -> str:
        if self._reach.hides and group[0] != LOG:
            return group[0]  # a title may have been made from a line that may not be seen
        return "Log" if group[0] == LOG else self._titles.get(group[0], group[0])

    def _evidence(self, group: Group, entries: Iterable[Entry], basket: _Basket) -> Evidence:
        """Put the entries of one place in order; where they stand is found out last."""
        return Evidence(
            document_id=group[0],
            title=self._title(group),
            headings=(),
            lines=None,
            version=0,
            score=round(basket.scores[group], 6),
            entries=tuple(self._in_order(entries, basket.leads.get(group))),
            left_out=basket.left_out.get(group, 0),
        )

    def _located(self, evidence: Sequence[Evidence]) -> Iterator[Evidence]:
        """Give evidence with the lines of the documents where it stands."""
        names = {entry.document_id or "" for item in evidence for entry in item.entries}
        seqs = {entry.seq for item in evidence for entry in item.entries if entry.seqs}
        found = spots(self._log.connection, names, seqs)
        for item in evidence:
            entries = tuple(
                replace(entry, lines=found[name].ranges.get(entry.seq))
                if (name := entry.document_id or "") in found
                else entry
                for entry in item.entries
            )
            yield self._cited(replace(item, entries=entries), found.get(item.document_id))

    def _cited(self, item: Evidence, own: Spots | None) -> Evidence:
        """Give evidence with what a citation of its document needs."""
        if own is None:
            return replace(item, version=self._log.position())
        lines = [e.lines for e in item.entries if e.document_id == item.document_id and e.lines]
        place = self._places[item.entries[0].seq]
        return replace(
            item,
            headings=() if self._reach.hides else own.headings.get(place.block or 0, ()),
            lines=(min(spot[0] for spot in lines), max(spot[1] for spot in lines))
            if lines
            else None,
            version=own.version,
        )

    def _in_order(self, entries: Iterable[Entry], lead: int | None) -> list[Entry]:
        """Put entries in reading order, each followed by what it replaced, newest first.

        The best line leads if it tells a state by itself ("The limit of X is 3."): newest state
        first. A turn of a conversation is better read where it stands.
        """
        entries = list(entries)
        places = self._places

        def order(entry: Entry) -> tuple[bool, str, int]:
            place = places.get(entry.seq)
            behind = entry.seq != lead or reading_frame(entry.text) is None
            return (behind, place.moment if place else "", place.rank if place else entry.seq)

        def said(entry: Entry) -> tuple[str, int]:
            return (places[entry.seq].moment, entry.seq)

        here = {entry.seq for entry in entries}

        def follows(entry: Entry) -> bool:
            return entry.seq in places and places[entry.seq].final in here

        older: dict[int | None, list[Entry]] = {}
        for entry in entries:
            if follows(entry):
                older.setdefault(places[entry.seq].final, []).append(entry)
        found: list[Entry] = []
        for head in sorted((entry for entry in entries if not follows(entry)), key=order):
            found += [head, *sorted(older.get(head.seq, ()), key=said, reverse=True)]
        return found

    def _size(self, evidence: Sequence[Evidence]) -> int:
        """Count the tokens that evidence takes in a prompt, its fence included."""
        return self._count(context(evidence, "0" * 12))


def event_entry(record: Record) -> Entry:
    """Give an event as a line of evidence; the record has its payload."""
    body = record.body or {}
    return Entry(
        seqs=(),
        text=body["content"],
        source=body["source"],
        time=body["time"],
        recorded=record.recorded,
        speaker=body["speaker"],
        session=body["session"],
        project=body["project"],
        sensitivity=body["sensitivity"],
        document_id=LOG,
        event_ids=(record.record_id,),
        external_ids=(body["external_id"],) if body["external_id"] else (),
    )
