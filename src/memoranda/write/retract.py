"""Retracting an entry: recorded, kept, not shown; what it replaced holds again."""

from __future__ import annotations

from memoranda.errors import InputError
from memoranda.store.home import Home
from memoranda.values import Entry, Receipt


def retract(home: Home, entry: Entry, reason: str, by: str | None = None) -> Receipt:
    """Record that an entry is not true, or no longer wanted.

    Raises:
        InputError: it is retracted already.
    """
    with home.log.transaction():
        if home.view.places([entry.seq])[entry.seq].retracted:
            raise InputError(f"entry {entry.seq} is retracted already")
        record = home.log.append("retraction", {"seq": entry.seq, "reason": reason, "by": by})
        home.fold.apply(record)
        changed = [name for name, _, _ in home.view.changed(record.position - 1)]
    return Receipt(
        plan_id=record.record_id,
        kind="retract",
        position=record.position,
        updated=tuple(changed),
    )
