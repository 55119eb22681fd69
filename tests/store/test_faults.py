"""Every fault of SQLite becomes an error of ours: the file, what SQLite says, what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memoranda import errors
from memoranda.store.connection import connect
from memoranda.store.faults import meaning, refused, telling

ADVICE = {
    "SQLITE_FULL": "free some space",
    "SQLITE_IOERR": "check the disk",
    "SQLITE_CANTOPEN": "owner and rights",
    "SQLITE_READONLY": "owner and rights",
    "SQLITE_PERM": "owner and rights",
    "SQLITE_PROTOCOL": "open the memory again",
    "SQLITE_CORRUPT": "run check",
    "SQLITE_NOTADB": "restore a backup",
    "SQLITE_BUSY": "try again",
    "SQLITE_LOCKED": "try again",
    "SQLITE_ERROR": "run rebuild, or restore a backup",
}


@pytest.mark.parametrize("name", ADVICE)
@pytest.mark.parametrize("extended", [0, 1 << 8, 13 << 8])
def test_a_fault_says_which_file_and_what_to_do(name: str, extended: int) -> None:
    error = sqlite3.OperationalError("it is so")
    error.sqlite_errorcode = getattr(sqlite3, name) | extended
    found = meaning(error, "memory.db", 3)
    assert "memory.db" in str(found)
    assert ADVICE[name] in str(found)
    assert isinstance(found, errors.BusyError) == (name in {"SQLITE_BUSY", "SQLITE_LOCKED"})


def test_a_fault_without_a_code_is_told_too() -> None:
    found = meaning(sqlite3.DatabaseError("it is so"), Path("memory.db"), 3)
    assert str(found) == "memory.db: SQLite says it is so; run rebuild, or restore a backup"


def test_what_the_system_refuses_is_no_damage() -> None:
    def fault(code: int) -> sqlite3.Error:
        error = sqlite3.DatabaseError("so")
        error.sqlite_errorcode = code
        return error

    assert refused(fault(sqlite3.SQLITE_FULL))
    assert refused(fault(sqlite3.SQLITE_IOERR_FSYNC))
    assert not refused(fault(sqlite3.SQLITE_CORRUPT))
    assert not refused(fault(sqlite3.SQLITE_NOTADB))


def test_other_errors_pass_as_they_are() -> None:
    with pytest.raises(errors.NotFoundError), telling("memory.db", 1):
        raise errors.NotFoundError("entry", 3)
    with pytest.raises(errors.StoreError, match="no such table"), telling("memory.db", 1):
        sqlite3.connect(":memory:").execute("SELECT * FROM kettle")


def test_a_connection_that_can_not_be_set_up_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"no database, but long enough to be read as one" * 100)
    with pytest.raises(sqlite3.DatabaseError):
        connect(path, busy_seconds=0)
    path.unlink()
