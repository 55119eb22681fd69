"""The library as it was: the log folded into tables in memory, record by record, locking nobody out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from memoranda.store.erasure import ERASED
from memoranda.store.fold import Fold
from memoranda.store.home import Home
from memoranda.store.log import Record
from memoranda.store.schema import VIEW_TABLES
from memoranda.store.view import View


class Past:
    """View tables of their own, brought forward from the first record on."""

    def __init__(self, connection: sqlite3.Connection, home: Home, until: int) -> None:
        self._db = connection
        self._home = home
        self._until = until
        self._fold = Fold(connection)

    def onward(self) -> Iterator[Record]:
        """Apply one record after another, and give each once it is applied.

        Raises:
            DamagedError: a record can't be read.
        """
        for record in self._home.log.records(until=self._until):
            self._fold.apply(record)
            yield record

    def versions(self) -> dict[str, int]:
        """Give the version of every document, retired ones included."""
        return dict(self._db.execute("SELECT id, version FROM document").fetchall())

    def version(self, document_id: str) -> int:
        """Give the version of a document; 0 before it was made."""
        row = self._db.execute(
            "SELECT version FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        return int(row[0]) if row else 0

    def printed(self, document_id: str) -> str:
        """Print a document as it stands now; "" when there is none, or it is retired.

        A text that was forgotten since stands as `[erased]`.
        """
        self._db.execute("UPDATE entry SET text = ? WHERE text = '' AND line > 0", (ERASED,))
        view = View(self._db)
        if view.document(document_id) is None:
            return ""
        return view.printed(document_id).text


@contextmanager
def past(home: Home) -> Iterator[Past]:
    """Give empty tables beside the log; all that is read of the log is of one state."""
    with home.log.snapshot() as position, closing(beside(home)) as connection:
        yield Past(connection, home, position)


def beside(home: Home) -> sqlite3.Connection:
    """Open tables in memory; what they lack, the records, is found in the log."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.executescript(VIEW_TABLES)
        home.attach(connection)
    except BaseException:
        connection.close()
        raise
    return connection
