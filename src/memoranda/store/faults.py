"""What SQLite's faults mean: each as an error of ours that says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memoranda.errors import BusyError, StoreError

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_REFUSED = _BUSY | {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
}
_ADVICE = {
    sqlite3.SQLITE_FULL: "free some space and try again",
    sqlite3.SQLITE_IOERR: "check the disk and its space, then open the memory again",
    sqlite3.SQLITE_PROTOCOL: "open the memory again; locks must work in its folder, as on a local disk",
    sqlite3.SQLITE_CANTOPEN: "check the folder's owner and rights, and the limit of open files",
    sqlite3.SQLITE_READONLY: "check the owner and rights of the file and of its folder",
    sqlite3.SQLITE_PERM: "check the owner and rights of the file and of its folder",
    sqlite3.SQLITE_CORRUPT: "run check, then rebuild, or restore a backup",
    sqlite3.SQLITE_NOTADB: "restore a backup",
}


def refused(error: sqlite3.Error) -> bool:
    """Say that the system refused (space, rights, another's lock): the file itself may be sound."""
    return _code(error) in _REFUSED or "locked" in str(error)


def meaning(error: sqlite3.Error, path: Path | str, busy_seconds: float) -> StoreError:
    """Give the error that says what a fault of SQLite means for a file, and what to do.

    Args:
        error: as SQLite raised it.
        path: the database.
        busy_seconds: how long the connection waits for others.
    """
    code = _code(error)
    if code in _BUSY or "locked" in str(error):
        return BusyError(str(path), busy_seconds)
    advice = _ADVICE.get(code, "run rebuild, or restore a backup")
    return StoreError(f"{path}: SQLite says {error}; {advice}")


def _code(error: sqlite3.Error) -> int:
    """Give the primary code of a fault; 0 when it is none of SQLite's own."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


@contextmanager
def telling(path: Path | str, busy_seconds: float) -> Iterator[None]:
    """Turn SQLite's faults into ours; see `meaning`.

    Raises:
        BusyError: another process holds the file for too long.
        StoreError: the file can't be read or written; nothing was acknowledged.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise meaning(error, path, busy_seconds) from error
    except UnicodeDecodeError as error:  # Python's, of what SQLite says of a damaged schema
        text = f"{path}: SQLite finds its schema damaged; restore a backup"
        raise StoreError(text) from error
