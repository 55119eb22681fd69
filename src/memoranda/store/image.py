"""SQLite files looked at without opening them: from their bytes, in memory, WAL included."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memoranda.store.files import Files
from memoranda.text.pieces import Gram, Kept

MAGIC = b"SQLite format 3\0"
LIMIT = 512 * 1024 * 1024
"""Larger files are not taken into memory."""
_WAL_HEADER = 32
_FRAME_HEADER = 24
_CHOICE = 500


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Where SQLite may keep bytes of rows that are gone: all 0 after a thorough removal."""

    free_pages: int
    """Pages of the file that no table uses."""
    wal_bytes: int
    """Size of the WAL beside it."""
    index_segments: int
    """FTS5 segments beyond one a table: older ones may hold terms of rows that are gone."""


def leftovers(path: Path) -> Leftovers:
    """Say what a SQLite file may hold of rows that are gone. Nothing is opened or written.

    Raises:
        StoreError: the file can't be read, or is larger than 512 MiB.
        sqlite3.DatabaseError: it is no SQLite file, or a damaged one.
    """
    files = Files(path.parent)
    data = files.read(Path(path.name), limit=LIMIT) or b""
    wal = files.read(Path(f"{path.name}-wal"), limit=LIMIT) or b""
    if not data:
        return Leftovers(0, len(wal), 0)
    with image(data, wal) as connection:
        free = connection.execute("PRAGMA freelist_count").fetchone()[0]
        segments = 0
        for table in _fts_tables(connection):
            rows = connection.execute(f"SELECT count(DISTINCT segid) FROM {_name(table + '_idx')}")
            segments += max(rows.fetchone()[0] - 1, 0)
    return Leftovers(free, len(wal), segments)


def meta(path: Path, name: str) -> bytes | None:
    """Give a value of the table `meta` of one of our databases, without opening it to write.

    Raises:
        StoreError: the file can't be read, or its WAL is not in it and it is larger than 512 MiB.
        sqlite3.DatabaseError: it is no SQLite file, a damaged one, or not ours.
    """
    question = "SELECT value FROM meta WHERE name = ?"
    files = Files(path.parent)
    wal = files.read(Path(f"{path.name}-wal"), limit=LIMIT)
    if wal:
        with image(files.read(Path(path.name), limit=LIMIT) or b"", wal) as connection:
            row = connection.execute(question, (name,)).fetchone()
    else:
        with _still(path) as connection:
            row = connection.execute(question, (name,)).fetchone()
    return bytes(row[0]) if row else None


@contextmanager
def _still(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that has no WAL, to read only."""
    address = f"{path.as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        yield connection


def last_position(path: Path) -> int:
    """Give the log position that a backup holds; 0 for a file that is none. Nothing is written."""
    with suppress(sqlite3.Error), _still(path) as copy:
        return int(copy.execute("SELECT max(position) FROM record").fetchone()[0] or 0)
    return 0


@contextmanager
def image(data: bytes, wal: bytes = b"") -> Iterator[sqlite3.Connection]:
    """Give a connection to a copy in memory of a database, with what its WAL has committed.

    Raises:
        sqlite3.DatabaseError: it is no SQLite file, or a damaged one.
    """
    copy = bytearray(data)
    _replay(copy, wal)
    copy[18:20] = b"\1\1"  # a copy in memory has no WAL
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.deserialize(copy)
        yield connection


def _replay(copy: bytearray, wal: bytes) -> None:
    """Lay the pages of committed frames over the copy, as a checkpoint would."""
    if len(wal) < _WAL_HEADER or int.from_bytes(wal[:4], "big") & ~1 != 0x377F0682:
        return
    size, salt = int.from_bytes(wal[8:12], "big"), wal[16:24]
    pages: dict[int, int] = {}
    waiting: dict[int, int] = {}
    total = 0
    for at in range(_WAL_HEADER, len(wal) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        if wal[at + 8 : at + 16] != salt:
            break
        waiting[int.from_bytes(wal[at : at + 4], "big")] = at + _FRAME_HEADER
        if after := int.from_bytes(wal[at + 4 : at + 8], "big"):
            pages.update(waiting)
            waiting, total = {}, after
    if 0 < total * size <= len(copy) + len(wal):  # else it is no WAL of this file
        copy.extend(b"\0" * (total * size - len(copy)))
        for page, at in pages.items():
            copy[(page - 1) * size : page * size] = wal[at : at + size]
        del copy[total * size :]


def vocabulary(
    connection: sqlite3.Connection, grams: Iterable[Gram], kept: Kept | None = None
) -> dict[Gram, int]:
    """Count in how many places the terms of each gram stand in a row, in any index of a database.

    Indexes are FTS5 tables, asked through `fts5vocab`, and tables with a column named `term`;
    grams that stand nowhere are left out. A term under a mark of names (`@`) counts as the term.
    Such a table does not tell which terms stand in a row: there a gram counts for nothing if a text
    that stays holds each of its terms.
    """
    listed = list(grams)
    wanted = sorted({term for gram in listed for term in gram.terms})
    found: Counter[Gram] = Counter()
    for number, table in enumerate(_fts_tables(connection)):
        index = _Index(connection, table, number)
        known = index.counts(wanted)
        for gram in listed:
            if known.keys() >= set(gram.terms):
                found[gram] += index.places(gram.terms, known)
    telling = [gram for gram in listed if kept is None or not all(map(kept, gram.terms))]
    for documents in _term_tables(connection, wanted):
        for gram in telling:
            found[gram] += len(set.intersection(*(documents.get(t, set()) for t in gram.terms)))
    return {gram: found[gram] for gram in listed if found[gram]}


class _Index:
    """One FTS5 table, asked for its terms and where they stand."""

    def __init__(self, connection: sqlite3.Connection, table: str, number: int) -> None:
        self._connection = connection
        self._rows, self._instances = f"temp.rows{number}", f"temp.instances{number}"
        self._known: dict[str, set[tuple[int, int]]] = {}
        for name, kind in ((self._rows, "row"), (self._instances, "instance")):
            connection.execute(
                f"CREATE VIRTUAL TABLE {name} USING fts5vocab(main, {_name(table)}, {kind})"
            )

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Say in how many rows each term stands; terms that stand nowhere are left out."""
        found = {}
        for term in terms:
            row = self._connection.execute(
                f"SELECT doc FROM {self._rows} WHERE term = ?", (term,)
            ).fetchone()
            if row is not None:
                found[term] = row[0]
        return found

    def places(self, terms: tuple[str, ...], counts: dict[str, int]) -> int:
        """Count where terms stand in a row; the rarest one is looked up first."""
        order = sorted(range(len(terms)), key=lambda at: counts[terms[at]])
        starts: set[tuple[int, int]] | None = None
        for at in order:
            there = self._places(terms[at], {doc for doc, _ in starts or ()})
            begun = {(doc, offset - at if offset >= 0 else offset) for doc, offset in there}
            starts = begun if starts is None else starts & begun
            if not starts:
                return 0
        return len(starts or ())

    def _places(self, term: str, documents: set[int]) -> set[tuple[int, int]]:
        """Give (row, offset) of a term, in some rows if they are few; -1 for no offset."""
        if term in self._known:
            return self._known[term]
        ask = f"SELECT doc, ifnull(offset, -1) FROM {self._instances} WHERE term = ?"
        if 0 < len(documents) < _CHOICE:
            ask += f" AND doc IN ({','.join(map(str, sorted(documents)))})"
            return set(self._connection.execute(ask, (term,)))
        self._known[term] = set(self._connection.execute(ask, (term,)))
        return self._known[term]


def _fts_tables(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' "
        "AND replace(replace(lower(sql), char(10), ' '), '  ', ' ') LIKE '%using fts5%' ORDER BY 1"
    )
    return [row[0] for row in rows]


def _term_tables(
    connection: sqlite3.Connection, wanted: list[str]
) -> Iterator[dict[str, set[tuple[int, int]]]]:
    """Give, for each plain table with a column `term`, the documents (`number`) of each term."""
    shadows = tuple(f"{table}_" for table in _fts_tables(connection))
    tables = connection.execute(
        "SELECT t.name, max(c.name = 'number') FROM sqlite_schema t, pragma_table_info(t.name) c "
        "WHERE t.type = 'table' AND t.sql LIKE 'CREATE TABLE%' GROUP BY 1 "
        "HAVING max(c.name = 'term') ORDER BY 1"
    ).fetchall()
    sought = [*wanted, *(f"@{term}" for term in wanted)]
    for table, numbered in tables:
        documents: dict[str, set[tuple[int, int]]] = {}
        for at in range(0, 0 if table.startswith(shadows) else len(sought), _CHOICE):
            some = sought[at : at + _CHOICE]
            rows = connection.execute(
                f"SELECT term, {'number' if numbered else '0'} FROM {_name(table)} "
                f"WHERE term IN ({','.join('?' * len(some))})",
                some,
            )
            for row, (term, number) in enumerate(rows, at):
                where = (number, 0) if numbered else (0, row)  # without a document none is shared
                documents.setdefault(str(term).removeprefix("@"), set()).add(where)
        yield documents


def _name(table: str) -> str:
    return '"' + table.replace('"', '""') + '"'
