"""What a call to forget names: events, whole or in part, and the entries that came from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.errors import ForgottenError, NotFoundError
from memoranda.store.erasure import is_forgotten, is_whole
from memoranda.store.log import Log, Record

Allows = Callable[[str | None], bool]
"""Says whether a project may be seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is to be forgotten."""

    events: tuple[int, ...]
    """Positions, ascending."""
    seqs: tuple[int, ...]
    """Entries, ascending."""

    def whole(self, log: Log) -> frozenset[int]:
        """Name the events of which nothing is left: all their entries go."""
        return frozenset(
            position
            for position in self.events
            if set(entries_of([position], log)) <= set(self.seqs)
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
    """Choose the entries of one line, and of their events what they came from."""
    events: set[int] = set()
    for seq in seqs:
        rows = log.connection.execute("SELECT event FROM entry_event WHERE seq = ?", (seq,))
        events |= {row[0] for row in rows}
    return Chosen(events=tuple(sorted(events)), seqs=tuple(sorted(seqs)))


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
    events = tuple(sorted(record.position for record in standing))
    return Chosen(events=events, seqs=entries_of(events, log))


def _gone(record: Record) -> bool:
    return record.body is None or is_whole(record.body)


def standing(event_ids: Sequence[str], log: Log) -> tuple[int, ...]:
    """Give the positions of events of which nothing was forgotten yet: what a restore brought back."""
    records = [log.by_id(event_id) for event_id in event_ids]
    return tuple(
        record.position
        for record in records
        if record is not None and record.body is not None and not is_forgotten(record.body)
    )
