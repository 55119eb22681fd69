"""What a call to forget names: events, whole or in part, and the entries that came from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.errors import ForgottenError, NotFoundError
from memoranda.store.erasure import is_whole
from memoranda.store.log import Log, Record
from memoranda.store.undoing import is_ghost
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
        return frozenset(
            position for position in self.events if set(entries_of([position], log)) <= gone
        )


def entries_of(events: Sequence[int], log: Log) -> tuple[int, ...]:
    """Give the entries that came from events and were not forgotten before, ascending."""
    seqs: set[int] = set()
    for position in events:
        rows = log.connection.execute(
            "SELECT seq FROM entry_event JOIN entry USING (seq) WHERE event = ? AND erased IS NULL",
            (position,),
        )
        seqs |= {row[0] for row in rows}
    return tuple(sorted(seqs))


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
    from these goes too, and so do the words of plans that are undone.
    """
    events = {position for seq in seqs for position in events_of(seq, log)}
    typed = {at for seq in seqs if is_typed(seq, log) for at in events_of(seq, log)}
    beside = {seq for seq in entries_of(sorted(typed), log) if not is_typed(seq, log)}
    undone = {seq for seq in entries_of(sorted(events), log) if is_ghost(log.connection, seq)}
    gone = {*seqs, *beside, *undone}
    events.update(recalling(gone, log))
    return Chosen(events=tuple(sorted(events)), seqs=tuple(sorted(gone)))


def is_typed(seq: int, log: Log) -> bool:
    """Say whether an entry has words of its own, and is no part of an event's text."""
    row = log.connection.execute("SELECT position FROM entry WHERE seq = ?", (seq,)).fetchone()
    record = log.record(row[0]) if row is not None else None
    if record is not None and record.kind == "plan":
        return True
    items = record.body["entries"] if record is not None and record.body is not None else ()
    return any(item["seq"] == seq and "said" in item for item in items)


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
    """Choose events by their positions, with every entry that came from them alone."""
    gone = set(events)
    seqs = entries_of(events, log)
    shared = tuple(seq for seq in seqs if set(events_of(seq, log)) - gone)
    return Chosen(
        events=tuple(sorted({*gone, *recalling(set(seqs), log)})),
        seqs=tuple(seq for seq in seqs if seq not in shared),
        shared=shared,
    )


def events_of(seq: int, log: Log) -> tuple[int, ...]:
    """Give the positions of the events that an entry was made from."""
    rows = log.connection.execute(
        "SELECT event FROM entry_event WHERE seq = ? ORDER BY event", (seq,)
    )
    return tuple(row[0] for row in rows)


def _gone(record: Record) -> bool:
    return record.body is None or is_whole(record.body)
