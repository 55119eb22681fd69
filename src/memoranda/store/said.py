"""The days that indexed texts name: a table of the disposable index, for filters by time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from memoranda.text.dates import spans

MONTH = 31
"""A year that a text names is too wide for a filter of no more days than this."""

TABLE = """
CREATE TABLE IF NOT EXISTS said (
    unit INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (unit, first, last)
) STRICT, WITHOUT ROWID
"""


class Said:
    """Spans of days by unit; a day is its proleptic ordinal, as `date.toordinal` gives it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def put(self, texts: Iterable[tuple[int, str, str | None]]) -> None:
        """Read texts: (unit, text, when it was said, or None if that is not known)."""
        self._db.executemany(
            "INSERT OR IGNORE INTO said VALUES (?, ?, ?)",
            (
                (unit, span.first.toordinal(), span.last.toordinal())
                for unit, text, at in texts
                for span in spans(text, at)
            ),
        )

    def remove(self, units: Iterable[int]) -> None:
        """Take units out."""
        self._db.executemany("DELETE FROM said WHERE unit = ?", ((unit,) for unit in units))

    def clear(self) -> None:
        """Empty the table."""
        self._db.execute("DELETE FROM said")

    def rows(self) -> list[tuple[object, ...]]:
        """Give every row, for comparison."""
        return [tuple(row) for row in self._db.execute("SELECT * FROM said ORDER BY 1, 2, 3")]

    def within(self, first: int, last: int) -> set[int]:
        """Give the units that name days of a range; a year is too wide for a range of a month."""
        rows = self._db.execute(
            "SELECT DISTINCT unit FROM said WHERE first <= :last AND last >= :first "
            "AND (last - first < :month OR :last - :first >= :month)",
            {"first": first, "last": last, "month": MONTH},
        )
        return {row[0] for row in rows}
