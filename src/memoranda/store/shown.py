"""Which entries were shown, and how often: numbers only, counted beside the log when that is asked for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from memoranda.store.connection import SIDES, connect
from memoranda.store.faults import meaning, refused
from memoranda.store.files import Files

SHOWN = "shown.db"
_TABLE = (
    "CREATE TABLE IF NOT EXISTS shown (seq INTEGER, position INTEGER, times INTEGER NOT NULL, "
    "PRIMARY KEY (seq, position)) STRICT, WITHOUT ROWID"
)

_COUNT = (
    "INSERT INTO shown VALUES (?, ?, 1) ON CONFLICT (seq, position) DO UPDATE SET times = times + 1"
)
_TIMES = "SELECT seq, sum(times) FROM shown WHERE position <= ? GROUP BY seq"
_PURGE = "DELETE FROM shown WHERE seq IN (SELECT value FROM json_each(?))"


class Shown:
    """shown.db of one scope. It holds numbers of entries and log positions, and no word of anybody.

    Deleting the file loses only the counts.

    Args:
        folder: of the scope.
        busy_seconds: how long to wait for another process.
    """

    def __init__(self, folder: Path, *, busy_seconds: float) -> None:
        self._path = folder / SHOWN
        self._files = Files(folder)
        self._busy_seconds = busy_seconds

    def add(self, seqs: Iterable[int], position: int) -> None:
        """Count entries as shown once, at a log position. The file is made when it is missing.

        Raises:
            BusyError, StoreError: the file can't be used.
        """
        wanted = [(seq, position) for seq in sorted(set(seqs))]
        if wanted:
            self._files.create(self._path, b"")
            self._with(lambda connection: connection.executemany(_COUNT, wanted).fetchall())

    def times(self, until: int) -> dict[int, int]:
        """Say how often entries were shown up to a log position; {} when nothing was counted."""
        if self._files.stat(self._path) is None:
            return {}
        return dict(self._with(lambda db: db.execute(_TIMES, (until,)).fetchall()))

    def purge(self, seqs: Iterable[int]) -> None:
        """Take entries out: they were forgotten."""
        if self._files.stat(self._path) is not None:
            gone = json.dumps(sorted(set(seqs)))
            self._with(lambda connection: connection.execute(_PURGE, (gone,)).fetchall())

    def _with(self, work: Callable[[sqlite3.Connection], list[Any]]) -> list[Any]:
        """Do something in one transaction; a damaged file is made anew: only counts are lost."""
        try:
            return self._tried(work)
        except sqlite3.DatabaseError as error:
            if refused(error):
                raise meaning(error, self._path, self._busy_seconds) from error
            for side in SIDES:
                self._files.remove(self._path.with_name(SHOWN + side))
            self._files.create(self._path, b"")
            return self._tried(work)

    def _tried(self, work: Callable[[sqlite3.Connection], list[Any]]) -> list[Any]:
        with closing(connect(self._path, busy_seconds=self._busy_seconds)) as connection:
            connection.row_factory = None
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_TABLE)
            found = work(connection)
            connection.execute("COMMIT")
        return found
