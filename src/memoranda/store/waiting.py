"""What waits in CURRENT, counted on from the last count: an add never counts it all again."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

LOOK = """
SELECT
    (SELECT coalesce(max(position), 0) FROM record),
    EXISTS (SELECT 1 FROM record WHERE position > :position AND kind NOT IN ('event', 'extraction')),
    (SELECT coalesce(max(seq), 0) FROM entry),
    (SELECT coalesce(sum(tokens), 0) FROM entry INDEXED BY entry_current
        WHERE document_id IS NULL AND line = seq AND seq > :seq AND NOT EXISTS (SELECT 1 FROM parked
            WHERE parked.seq = entry.seq AND (parked.state IN ('pending', 'undone') OR :shadow))),
    (SELECT recorded FROM entry INDEXED BY entry_current
        WHERE document_id IS NULL AND line = seq AND NOT EXISTS (SELECT 1 FROM parked
            WHERE parked.seq = entry.seq AND (parked.state IN ('pending', 'undone') OR :shadow))
        ORDER BY seq LIMIT 1)
"""
NOWHERE = 1 << 62
"""A position after every record."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What no plan holds of CURRENT: its tokens, and when its oldest entry was recorded (None: nothing)."""

    tokens: int
    since: str | None


class Waiting:
    """Counts what waits in CURRENT; a handle keeps one and asks it outside of transactions.

    While nothing but events and their extractions joined the log, whoever wrote them, only the new
    entries are counted; after any other record all of CURRENT is. What a pending plan holds, or an
    undo, is not counted; with `shadow`, neither is what a shadow plan was made for.
    """

    def __init__(self, connection: sqlite3.Connection, *, shadow: bool = False) -> None:
        self._db = connection
        self._shadow = shadow
        self._forget()

    def _forget(self) -> None:
        self._position, self._seq, self._tokens = NOWHERE, 0, 0

    def look(self) -> Queue:
        """Say what waits now."""
        given = {"position": self._position, "seq": self._seq, "shadow": self._shadow}
        position, other, seq, tokens, since = self._db.execute(LOOK, given).fetchone()
        if other or position < self._position < NOWHERE:
            self._forget()
            return self.look()
        self._position, self._seq = position, seq
        self._tokens += tokens
        return Queue(self._tokens, since)
