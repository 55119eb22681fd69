"""The one way in which a SQLite file is opened: looked at first, then WAL, FULL, secure_delete."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic, sleep

from memoranda.errors import BusyError, FormatError, InputError, StoreError
from memoranda.store import held, schema
from memoranda.store.files import opened

PRAGMAS = (
    "synchronous = FULL",
    "secure_delete = ON",
    "foreign_keys = ON",
    "temp_store = MEMORY",
    "trusted_schema = OFF",
)
"""What every connection is set to, besides WAL."""
SMALL = 32 * 1024 * 1024
"""A file of at most so many bytes is written anew whenever something of it is forgotten."""
SIDES = ("", "-wal", "-shm", "-journal")
"""How the names of a database's files end: its own, and those that SQLite may put beside it."""


def look_before(path: Path) -> None:
    """Refuse a file that is not ours, or newer, before anything is written to it.

    Raises:
        FormatError: it is no SQLite file, another program's, or a newer version's.
        StoreError: it can't be read.
    """
    if held.is_held(path):
        return  # this process has it open: it was looked at then, and closing it would drop locks
    try:
        with opened(path) as stream:
            header = stream.read(100)
    except (InputError, OSError) as error:
        raise StoreError(
            f"{path} can't be read; check its owner and rights, and the disk"
        ) from error
    if not header:
        return
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise FormatError(str(path), "it is no SQLite file; restore a backup")
    version = int.from_bytes(header[60:64], "big")
    application = int.from_bytes(header[68:72], "big")
    if (version, application) == (0, 0) and int.from_bytes(header[40:44], "big") == 0:
        return  # made by SQLite, no table yet
    if application != schema.APPLICATION_ID:
        raise FormatError(str(path), "this SQLite file is not a Memoranda log")
    if version > schema.FORMAT:
        raise FormatError(
            str(path),
            f"it has format {version}, this version reads up to {schema.FORMAT}; upgrade memoranda",
        )


def connect(path: Path | str, *, busy_seconds: float) -> sqlite3.Connection:
    """Open a SQLite file the one way we open it: WAL, FULL, secure_delete, autocommit."""
    connection = sqlite3.connect(
        path,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
        factory=held.Connection,
    )
    connection.row_factory = sqlite3.Row
    try:
        connection.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1000)}")
        _use_wal(connection, path, busy_seconds)
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.hold(path)
    except BaseException:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection, path: Path | str, busy_seconds: float) -> None:
    """Switch to WAL; SQLite does not wait for others here, so we do.

    Raises:
        BusyError: another process held the file for too long.
    """
    until = monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            if monotonic() > until:
                raise BusyError(str(path), busy_seconds) from error
            sleep(0.02)
        else:
            return


def emptied(connection: sqlite3.Connection) -> bool:
    """Bring the write-ahead log into the file and empty it; False while others read for too long.

    SQLite does not wait when another connection is just then bringing its own pages in, so we do.
    """
    until = monotonic() + connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
    while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] != 0:
        if monotonic() > until:
            return False
        sleep(0.02)
    return True


def is_small(connection: sqlite3.Connection) -> bool:
    """Say whether a database takes little time to be written anew."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return bool(pages * size <= SMALL)


def is_loose(connection: sqlite3.Connection) -> bool:
    """Say whether more than a quarter of a file's pages is free."""
    free = connection.execute("PRAGMA freelist_count").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    return bool(4 * free > pages)
