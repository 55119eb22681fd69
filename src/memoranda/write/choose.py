"""What a call to forget names: events, whole or in part, and the entries that came from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.errors import ForgottenError, NotFoundError
from memoranda.store.editing import wordings
from memoranda.store.erasure import is_whole
from memoranda.store.log import Log, Record
from memoranda.write.recalled import recalling

Allows = Callable[[str | None], bool]
"""Says whether a project may be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is to be forgotten."""

    events: tuple[int, ...]
    """Positions, ascending."""
    seqs: tuple[int, ...]
    """Entries, ascending."""
    shared: tuple[int, ...] = ()
    """Entries that were also made from other events: they are made anew from these."""

    def to_json(self) -> dict[str, list[int]]:
        """Give it as the note of what is underway holds it."""
        return {
            "events": list(self.events),
            "seqs": list(self.seqs),
            "shared": list(self.shared),
        }

    def whole(self, log: Log) -> frozenset[int]:
        """Name the events of which nothing is left: all their entries go."""
        gone = {*self.seqs, *self.shared}
        found = entries_by_event(self.events, log)
        return frozenset(at for at in self.events if found.get(at, set()) <= gone)


def entries_of(events: Sequence[int], log: Log) -> tuple[int, ...]:
    """Give the entries that came from events and were not forgotten before, ascending."""
    return tuple(sorted(set().union(*entries_by_event(events, log).values())))


def entries_by_event(events: Iterable[int], log: Log) -> dict[int, set[int]]:
    """Give, by event, the entries that came from it and were not forgotten before."""
    found: dict[int, set[int]] = {}
    rows = log.connection.execute(
        "SELECT event, seq FROM entry_event JOIN entry USING (seq) "
        "WHERE event IN (SELECT value FROM json_each(?)) AND erased IS NULL",
        (json.dumps(list(events)),),
    )
    for event, seq in rows:
        found.setdefault(event, set()).add(seq)
    return found


def events_by_entry(seqs: Iterable[int], log: Log) -> dict[int, tuple[int, ...]]:
    """Give, by entry, the positions of the events that it was made from, ascending."""
    found: dict[int, tuple[int, ...]] = {}
    rows = log.connection.execute(
        "SELECT seq, event FROM entry_event WHERE seq IN (SELECT value FROM json_each(?)) "
        "ORDER BY seq, event",
        (json.dumps(list(seqs)),),
    )
    for seq, event in rows:
        found[seq] = (*found.get(seq, ()), event)
    return found


def by_event(event_id: str, log: Log, allows: Allows) -> Chosen:
    """Choose an event by its id, with every entry that came from it.

    Raises:
        NotFoundError: there is no such event here, or it was forgotten (`ForgottenError`).
    """
    record = log.by_id(event_id)
    return _of([record] if record is not None else [], event_id, log, allows)


def by_external_id(external_id: str, log: Log, allows: Allows) -> Chosen:
    """Choose every event that came with an id of the caller's.

    Raises:
        NotFoundError: there is no such event here, or it was forgotten (`ForgottenError`).
    """
    records = [log.record(position) for position in log.find("external_id", external_id)]
    return _of([record for record in records if record is not None], external_id, log, allows)


def by_line(seqs: AbstractSet[int], log: Log) -> Chosen:
    """Choose the entries of one line, and of their events what they came from or were recalled in.

    An entry in words of its own came from the whole of its events: what else was cut word for word
    from these goes too, and so do the words of plans that are undone, and what people wrote in its
    place by hand.
    """
    seqs = {*seqs, *wordings(log.connection, seqs)}
    sources = events_by_entry(seqs, log)
    events = {position for found in sources.values() for position in found}
    worded = typed(seqs, log)
    of_typed = entries_of(sorted({at for seq in worded for at in sources.get(seq, ())}), log)
    beside = {*of_typed} - typed(of_typed, log)
    undone = ghosts(entries_of(sorted(events), log), log)
    gone = {*seqs, *beside, *undone}
    events.update(recalling(gone, log))
    return Chosen(events=tuple(sorted(events)), seqs=tuple(sorted(gone)))


def typed(seqs: Iterable[int], log: Log) -> frozenset[int]:
    """Name the entries among some that have words of their own, and are no part of an event's text."""
    made: dict[int, set[int]] = {}
    rows = log.connection.execute(
        "SELECT position, seq FROM entry WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )
    for position, seq in rows.fetchall():
        made.setdefault(position, set()).add(seq)
    found: set[int] = set()
    for position, own in sorted(made.items()):
        record = log.record(position)
        if record is None or record.body is None:
            continue
        items = record.body.get("entries", ())
        said = {item["seq"] for item in items if "said" in item}
        found |= own & said if record.kind == "extraction" else own
    return frozenset(found)


def ghosts(seqs: Iterable[int], log: Log) -> frozenset[int]:
    """Name the entries among some that exist by number only: the plan that worded them is undone."""
    rows = log.connection.execute(
        "SELECT seq FROM entry WHERE line = 0 AND erased IS NULL "
        "AND seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )
    return frozenset(row[0] for row in rows)


def _of(records: Sequence[Record], name: str, log: Log, allows: Allows) -> Chosen:
    known = [
        record
        for record in records
        if record.kind == "event" and record.body is not None and allows(record.body["project"])
    ]
    standing = [record for record in known if not _gone(record)]
    if not known:
        raise NotFoundError("event", name)
    if not standing:
        raise ForgottenError("event", name, log.erased_at(known[0].position))
    return by_positions([record.position for record in standing], log)


def by_positions(events: Sequence[int], log: Log) -> Chosen:
    """Choose events by their positions, with every entry that came from them alone.

    What people wrote in place of these entries by hand goes with them, and what it stood in place of.
    """
    gone = set(events)
    seqs = entries_of(events, log)
    sources = events_by_entry(seqs, log)
    others = wordings(log.connection, seqs)
    beside = by_line(others, log) if others else Chosen(events=(), seqs=())
    alone = {seq for seq in seqs if not set(sources[seq]) - gone} | {*beside.seqs}
    return Chosen(
        events=tuple(sorted({*gone, *beside.events, *recalling({*seqs, *beside.seqs}, log)})),
        seqs=tuple(sorted(alone)),
        shared=tuple(seq for seq in seqs if seq not in alone),
    )


def events_of(seq: int, log: Log) -> tuple[int, ...]:
    """Give the positions of the events that an entry was made from."""
    rows = log.connection.execute(
        "SELECT event FROM entry_event WHERE seq = ? ORDER BY event", (seq,)
    )
    return tuple(row[0] for row in rows)


def _gone(record: Record) -> bool:
    return record.body is None or is_whole(record.body)
