"""A list of page numbers is no text, though in UTF-32 it reads `12345678`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memoranda import scan

PHONE = "13812345678"


@pytest.fixture
def paged(tmp_path: Path) -> Path:
    """A database whose write-ahead log has so many pages that their numbers read as digits."""
    path = tmp_path / "index.db"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE noise (body BLOB)")
        connection.executemany("INSERT INTO noise VALUES (?)", [(bytes(4000),)] * 80)
        connection.commit()
        numbers = path.with_name("index.db-shm").read_bytes()
        assert "12345678".encode("utf-32-le") in numbers
        (tmp_path / "kept-shm").write_bytes(numbers)
    connection.close()
    return tmp_path


def test_page_numbers_are_not_taken_for_a_text(paged: Path) -> None:
    assert scan([paged], [PHONE]).hits == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_text_behind_them_is_found_still(paged: Path, encoding: str) -> None:
    file = paged / "kept-shm"
    file.write_bytes(file.read_bytes() + PHONE.encode(encoding))
    assert {hit.file for hit in scan([paged], [PHONE]).hits} == {"kept-shm"}


def test_utf_32_is_found_in_every_other_file(paged: Path) -> None:
    (paged / "note").write_bytes(PHONE.encode("utf-32-le"))
    assert {hit.file for hit in scan([paged], [PHONE]).hits} == {"note"}
