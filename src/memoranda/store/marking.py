"""What a person says of the sensitivity of events afterwards, and what follows for their entries."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store.texts import Text
from memoranda.values import LOG, SENSITIVITIES, Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Classify:
    """Give events another sensitivity; every entry has the highest of its events (R240)."""

    events: tuple[int, ...]
    """Their log positions."""
    sensitivity: Sensitivity
    was: Sensitivity
    """The highest that they had."""
    why: Text
    """The reason that was given; it goes when one of the entries is forgotten."""

    @property
    def lowers(self) -> bool:
        """Whether more readers would see them: a person who may approve must say yes."""
        return SENSITIVITIES.index(self.sensitivity) < SENSITIVITIES.index(self.was)


@dataclass(frozen=True, slots=True, kw_only=True)
class Withhold:
    """Keep the number of an entry that may not be seen; only in what a reader is shown of the log."""

    seq: int
    time: str | None
    recorded: str


NAMES = frozenset({"classify", "withhold"})
"""What they are called in a plan record."""


def to_json(operation: Classify | Withhold) -> dict[str, Any]:
    """Give the operation as a plan record holds it."""
    if isinstance(operation, Withhold):
        said = [operation.time, operation.recorded]
        return {"op": "withhold", "seq": operation.seq, "withheld": said}
    return {
        "op": "classify",
        "events": list(operation.events),
        "sensitivity": operation.sensitivity,
        "was": operation.was,
        "why": operation.why.to_json(),
    }


def from_json(data: Mapping[str, Any]) -> Classify | Withhold:
    """Read the operation of a plan record."""
    if data["op"] == "withhold":
        time, recorded = data["withheld"]
        return Withhold(seq=data["seq"], time=time, recorded=recorded)
    return Classify(
        events=tuple(data["events"]),
        sensitivity=data["sensitivity"],
        was=data["was"],
        why=Text.from_json(data["why"]),
    )


def highest(levels: Iterable[str]) -> str:
    """Give the highest of some sensitivities, of which there is at least one."""
    return max(levels, key=SENSITIVITIES.index)


def marks(connection: sqlite3.Connection) -> dict[int, str]:
    """Give the sensitivity that events were given since, by log position."""
    return {row[0]: row[1] for row in connection.execute("SELECT * FROM marked").fetchall()}


def as_marked(
    connection: sqlite3.Connection, position: int, body: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Give an event's body with the sensitivity that it has now."""
    row = connection.execute(
        "SELECT sensitivity FROM marked WHERE event = ?", (position,)
    ).fetchone()
    return {**body, "sensitivity": row[0]} if row is not None else body


def level_of(connection: sqlite3.Connection, events: Iterable[int]) -> dict[int, str]:
    """Give the sensitivity that events have now; those whose payload is gone are left out."""
    rows = connection.execute(
        "SELECT given.value, coalesce(marked.sensitivity, json_extract(body, '$.sensitivity')) "
        "FROM json_each(?) AS given JOIN payload ON payload.position = given.value "
        "LEFT JOIN marked ON marked.event = given.value WHERE json_valid(body)",
        (json.dumps(sorted(set(events))),),
    )
    return {row[0]: row[1] for row in rows if row[1] in SENSITIVITIES}


def classify(connection: sqlite3.Connection, operation: Classify) -> set[str]:
    """Apply the operation, inside the caller's transaction; name the documents printed otherwise."""
    connection.executemany(
        "INSERT OR REPLACE INTO marked VALUES (?, ?)",
        [(event, operation.sensitivity) for event in operation.events],
    )
    rows = connection.execute(
        "SELECT DISTINCT seq FROM entry_event WHERE event IN (SELECT value FROM json_each(?))",
        (json.dumps(operation.events),),
    ).fetchall()
    for (seq,) in rows:
        _settle(connection, seq)
    return {name for (seq,) in rows for name in _settle_line(connection, seq)}


def _own(connection: sqlite3.Connection, seq: int) -> str | None:
    """Give the sensitivity of an entry by its own events."""
    events = [
        row[0] for row in connection.execute("SELECT event FROM entry_event WHERE seq = ?", (seq,))
    ]
    levels = level_of(connection, events).values()
    return highest(levels) if levels else None


def _settle(connection: sqlite3.Connection, seq: int) -> None:
    level = _own(connection, seq)
    if level is not None:
        connection.execute("UPDATE entry SET sensitivity = ? WHERE seq = ?", (level, seq))


def _settle_line(connection: sqlite3.Connection, seq: int) -> set[str]:
    """Let a line have the highest sensitivity of all that stands in it; name its document."""
    row = connection.execute(
        "SELECT line, document_id FROM entry WHERE seq = ? AND line > 0", (seq,)
    ).fetchone()
    if row is None:
        return set()
    line, document_id = row
    twins = connection.execute("SELECT seq FROM entry WHERE line = ?", (line,)).fetchall()
    levels = [found for (twin,) in twins if (found := _own(connection, twin)) is not None]
    if levels:
        connection.execute(
            "UPDATE entry SET sensitivity = ? WHERE seq = ?", (highest(levels), line)
        )
    return {document_id} if document_id not in {None, LOG} else set()
