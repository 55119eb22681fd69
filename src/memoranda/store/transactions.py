"""Transactions on one connection: a write is whole or nothing, a snapshot reads, a trial is undone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memoranda.errors import BusyError

READING, WRITING = "reading", "writing"


class Transactions:
    """What of a log is about transactions: one thread at a time, many processes.

    Args:
        connection: an open connection in autocommit.
        path: the file, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self._open = ""

    @property
    def is_open(self) -> bool:
        """Say whether a transaction, a snapshot or a trial is under way."""
        return bool(self._open)

    @property
    def is_writing(self) -> bool:
        """Say whether a transaction or a trial is under way: what it brought may never be committed."""
        return self._open == WRITING

    def position(self) -> int:
        """Give the position of the last record; 0 when there is none."""
        row = self.connection.execute("SELECT max(position) FROM record").fetchone()
        return int(row[0] or 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit on the way out, roll back on any error.

        Inside another transaction it is a part of that one: nothing is committed before the whole.

        Raises:
            BusyError: another process held the lock for longer than the busy time.
        """
        if self._open == READING:
            raise RuntimeError("a snapshot is for reading; nothing can be written inside it")
        if self._open:
            yield
            return
        with self._begun("BEGIN IMMEDIATE", WRITING, "COMMIT"):
            yield

    @contextmanager
    def _begun(self, begin: str, kind: str, end: str) -> Iterator[None]:
        """Begin a transaction and end it; undo it on any error."""
        self._undo()
        try:
            self.connection.execute(begin)
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                seconds = self.connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
                raise BusyError(self.path, seconds) from error
            raise
        try:
            self._open = kind
            yield
            self.connection.execute(end)
        except BaseException:
            with suppress(sqlite3.Error):  # the first error is the one to tell
                self._undo()
            raise
        finally:
            self._open = ""

    def _undo(self) -> None:
        """Roll back what is open on the connection: a transaction that failed to end counts for nothing.

        SQLite may keep a transaction open after a fault; taking it for our own would acknowledge
        what no COMMIT follows.
        """
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Read at one position: gives it, and every read inside sees that state."""
        if self._open:
            yield self.position()
            return
        with self._begun("BEGIN", READING, "ROLLBACK"):
            yield self.position()

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Let changes be seen inside, and undo them on the way out; not a byte is written."""
        if not self._open:
            with self._begun("BEGIN IMMEDIATE", WRITING, "ROLLBACK"):
                yield
            return
        self.connection.execute("SAVEPOINT trial")
        try:
            yield
        finally:
            if self.connection.in_transaction:  # a fault may have undone the whole
                self.connection.execute("ROLLBACK TO trial")
                self.connection.execute("RELEASE trial")
