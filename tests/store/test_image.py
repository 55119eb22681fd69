"""A SQLite file is looked at from its bytes: what its WAL has committed counts, and nothing else."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memoranda.store.image import image, meta


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode = WAL", "synchronous = OFF", "wal_autocheckpoint = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def seen(path: Path) -> list[tuple[object, ...]]:
    """What an image of the file and its WAL shows."""
    wal = path.with_name(path.name + "-wal")
    with image(path.read_bytes(), wal.read_bytes() if wal.exists() else b"") as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return copy.execute("SELECT * FROM note ORDER BY id").fetchall()


@pytest.mark.parametrize("seed", range(8))
def test_an_image_shows_what_sqlite_shows(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - no secret
    path = tmp_path / "a.db"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text)")
        for _ in range(30):
            db.execute("BEGIN")
            for _ in range(chance.randrange(6)):
                text = "x" * chance.randrange(9000)
                db.execute("INSERT INTO note (text) VALUES (?)", (text,))
                db.execute("DELETE FROM note WHERE id = ?", (chance.randrange(40),))
            db.execute(chance.choice(["COMMIT", "COMMIT", "ROLLBACK"]))
            if chance.random() < 0.15:
                mode = chance.choice(["PASSIVE", "RESTART", "TRUNCATE"])
                db.execute(f"PRAGMA wal_checkpoint({mode})")
            if chance.random() < 0.1:
                db.execute("VACUUM")
            assert seen(path) == db.execute("SELECT * FROM note ORDER BY id").fetchall()


def test_what_is_not_committed_is_not_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text)")
        db.execute("INSERT INTO note VALUES (1, 'kept')")
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        for number in range(2, 60):
            db.execute("INSERT INTO note VALUES (?, ?)", (number, "x" * 5000))
        assert path.with_name("a.db-wal").stat().st_size > 100_000
        assert seen(path) == [(1, "kept")]
        db.execute("ROLLBACK")


@pytest.mark.parametrize("wal", [b"", b"short", b"\0" * 5000, b"\x37\x7f\x06\x82" + b"\1" * 60])
def test_a_wal_that_is_none_changes_nothing(tmp_path: Path, wal: bytes) -> None:
    path = tmp_path / "a.db"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text)")
    with image(path.read_bytes(), wal) as copy:
        assert copy.execute("SELECT count(*) FROM note").fetchone() == (0,)


@pytest.mark.parametrize("in_wal", [False, True])
def test_a_note_of_the_database_is_read_without_touching_it(
    tmp_path: Path, *, in_wal: bool
) -> None:
    path = tmp_path / "a b#?.db"
    with closing(connect(path)) as db:
        db.execute("CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB)")
        db.execute("INSERT INTO meta VALUES ('documents', ?)", (b"/da/wo",))
        if not in_wal:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = {item: item.read_bytes() for item in tmp_path.iterdir()}
        assert meta(path, "documents") == b"/da/wo"
        assert meta(path, "other") is None
        assert {item: item.read_bytes() for item in tmp_path.iterdir()} == before


def test_a_file_that_is_no_database_is_said_to_be_none() -> None:
    with pytest.raises(sqlite3.DatabaseError), image(b"no database" * 1000) as copy:
        copy.execute("SELECT * FROM sqlite_schema")
