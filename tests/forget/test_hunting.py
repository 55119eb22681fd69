"""The hunt finds a piece wherever it can stand: one that finds nothing would prove nothing."""

from __future__ import annotations

import gzip
import random
import sqlite3
import zipfile
import zlib
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest
from doomed import ENCODINGS, doom
from hunting import hunting

from canaries import encodings

SECRET = doom(random.Random(1), "plain")  # noqa: S311
FORMS = encodings(SECRET.secrets[0])


def seen(root: Path) -> list[str]:
    return list(hunting([root], SECRET.secrets))


def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(random.Random(2).randbytes(200_000))  # noqa: S311
    (tmp_path / "b").write_text("Ines keeps the keys in the tin. " * 99, "utf-8")
    assert seen(tmp_path) == []


@pytest.mark.parametrize("form", FORMS)
def test_a_piece_in_any_form_is_found(tmp_path: Path, form: str) -> None:
    (tmp_path / "a").write_bytes(b"kept " * 9 + FORMS[form] + b"\xff kept")
    assert seen(tmp_path)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_is_planted_is_found_by_what_it_says(tmp_path: Path, encoding: str) -> None:
    said = doom(random.Random(3), encoding)  # noqa: S311
    (tmp_path / "a").write_text(said.text, "utf-8")
    assert list(hunting([tmp_path], said.secrets[:1]))
    assert list(hunting([tmp_path], said.secrets[1:2]))


@pytest.mark.parametrize("at", range(5))
def test_eight_bytes_of_a_word_are_enough(tmp_path: Path, at: int) -> None:
    (tmp_path / "a").write_text(SECRET.word[at : at + 8], "utf-8")
    assert seen(tmp_path)
    (tmp_path / "a").write_text(SECRET.word[at : at + 7], "utf-8")
    assert not seen(tmp_path)


def test_packed_files_are_opened(tmp_path: Path) -> None:
    data = SECRET.text.encode()
    for name, packed in {"a": gzip.compress(data), "b": zlib.compress(gzip.compress(data))}.items():
        (tmp_path / name).write_bytes(packed)
    with zipfile.ZipFile(tmp_path / "c", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner", gzip.compress(data))
    assert {one.split(":")[0] for one in seen(tmp_path)} == {"a", "b", "c"}


def test_names_are_searched(tmp_path: Path) -> None:
    (tmp_path / f"notes of {SECRET.word}").mkdir()
    assert seen(tmp_path)
    (tmp_path / f"notes of {SECRET.word}").rename(tmp_path / quote(SECRET.secrets[1])[:200])
    assert seen(tmp_path)


def test_words_that_an_index_keeps_in_parts_are_found(tmp_path: Path) -> None:
    word = SECRET.word
    with closing(sqlite3.connect(tmp_path / "index.db")) as db:
        db.execute("CREATE VIRTUAL TABLE unit USING fts5(text, content='')")
        db.execute("INSERT INTO unit (rowid, text) VALUES (1, ?)", (f"{word[:6]}aa {word}",))
        db.commit()
    assert word.encode() not in (tmp_path / "index.db").read_bytes()
    assert any("a term of unit" in one for one in seen(tmp_path))


def test_pages_that_nothing_uses_are_looked_at(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as db:
        db.execute("PRAGMA secure_delete = OFF")
        db.execute("CREATE TABLE note (text TEXT)")
        db.execute("INSERT INTO note VALUES (?)", ("of no matter " * 900,))
        db.commit()
        db.execute("DELETE FROM note")
        db.commit()
    assert any("a free page" in one for one in seen(tmp_path))


def test_a_log_beside_a_database_must_be_empty(tmp_path: Path) -> None:
    (tmp_path / "memory.db-wal").write_bytes(b"")
    assert not seen(tmp_path)
    (tmp_path / "memory.db-wal").write_bytes(b"\x37\x7f\x06\x82")
    assert seen(tmp_path)
