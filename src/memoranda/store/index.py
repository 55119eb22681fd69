"""The disposable search index: BM25 over entries and uncited events, one analyser for all languages."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memoranda.store.log import Log, connect
from memoranda.store.postings import Postings
from memoranda.store.query import phrase
from memoranda.text.analyse import content_counts, terms

FORMAT = 2
ANALYSER = "a1"
"""Version of `text.analyse`: another one empties the index, which is then made again."""

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS unit USING fts5(
    terms, project, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* S* P* C*'"
);
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit that matched: an entry's seq, or minus the position of an event that no entry cites."""

    unit: int
    score: float
    """BM25, higher is better."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is indexed: an entry (its seq) or an uncited event (minus its position)."""

    unit: int
    text: str
    project: str | None


class LexicalIndex(Protocol):
    """What a search engine must do to serve: FTS5 here, another one behind the same four calls."""

    def add(self, units: Iterable[Unit]) -> None:
        """Add units. Their ids are not in the index yet."""

    def delete(self, units: Iterable[Unit]) -> None:
        """Take units out, exactly as they were added."""

    def commit(self, position: int) -> None:
        """Make it durable that the index holds everything up to a log position."""

    def search(self, query: str, *, limit: int, projects: Sequence[str | None] | None) -> list[Hit]:
        """Find units of some projects (None: of all); best first, ties by id."""


class FtsIndex:
    """The default index, in index.db. Deleting the file loses nothing.

    Args:
        path: index.db; made when missing. A file that is not ours, or damaged, raises
            `sqlite3.DatabaseError`: the caller moves it aside and makes a new one.
        scope_id: the log's; an index of another scope, format or analyser is emptied.
        busy_seconds: how long to wait for another process.
    """

    def __init__(self, path: Path, *, scope_id: str, busy_seconds: float) -> None:
        self.connection = connect(path, busy_seconds=busy_seconds)
        self.connection.row_factory = None
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self._made = f"{FORMAT}/{ANALYSER}/{scope_id}"
        with _writing(self.connection):
            self._prepare()
            if self._get("made") != self._made:
                self.clear()
                self.made()
        self.postings = Postings(self.connection)

    def _prepare(self) -> None:
        for statement in TABLES.split(";\n"):
            if statement.strip():
                self.connection.execute(statement)
        Postings.prepare(self.connection)

    def clear(self) -> None:
        """Empty the index. Call it inside a transaction."""
        self.connection.execute("DELETE FROM meta")
        self.connection.execute("INSERT INTO unit (unit) VALUES ('delete-all')")
        Postings.clear(self.connection)

    def made(self) -> None:
        """Note for whom, and by which analyser, the index is made."""
        self._set("made", self._made)

    def mark(self, chain: str) -> None:
        """Note the hash chain at the position it holds."""
        self._set("chain", chain)

    def chain(self) -> str:
        """Give the hash chain at the position it holds."""
        return self._get("chain")

    def _get(self, name: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    @property
    def position(self) -> int:
        """The log position up to which the index holds everything."""
        return int(self._get("position") or 0)

    def add(self, units: Iterable[Unit]) -> None:
        """Add units."""
        self.connection.executemany(
            "INSERT INTO unit (rowid, terms, project) VALUES (?, ?, ?)", map(_row, units)
        )

    def delete(self, units: Iterable[Unit]) -> None:
        """Take units out, exactly as they were added."""
        self.connection.executemany(
            "INSERT INTO unit (unit, rowid, terms, project) VALUES ('delete', ?, ?, ?)",
            map(_row, units),
        )

    def commit(self, position: int) -> None:
        """Note that the index holds everything up to a position; the transaction ends with it."""
        self._set("position", str(position))

    def search(self, query: str, *, limit: int, projects: Sequence[str | None] | None) -> list[Hit]:
        """Find units of some projects by an FTS5 query string; best first, ties by id."""
        if not query:
            return []
        rows = self.connection.execute(
            "SELECT rowid, -bm25(unit, 1.0, 0.0) AS score FROM unit WHERE unit MATCH ? "
            "ORDER BY score DESC, rowid LIMIT ?",
            (_narrowed(query, projects), limit),
        )
        return [Hit(row[0], row[1]) for row in rows]

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """Give in how many units each term stands; terms that stand in none are left out."""
        self.connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, unit, row)"
        )
        found: dict[str, int] = {}
        for word in words:
            row = self.connection.execute(
                "SELECT doc FROM temp.vocabulary WHERE term = ?", (word,)
            ).fetchone()
            if row is not None:
                found[word] = row[0]
        return found

    def size(self) -> int:
        """Count the units."""
        return int(self.connection.execute("SELECT count(*) FROM unit_docsize").fetchone()[0])

    def before(self, query: str, seq: int, *, limit: int, project: str | None) -> list[int]:
        """Find the newest entries below a seq, newest first: not ranked, so later ones can't matter."""
        if not query:
            return []
        rows = self.connection.execute(
            "SELECT rowid FROM unit WHERE unit MATCH ? AND rowid > 0 AND rowid < ? "
            "ORDER BY rowid DESC LIMIT ?",
            (_narrowed(query, (project,)), seq, limit),
        )
        return [row[0] for row in rows]

    def rows(self) -> list[tuple[object, ...]]:
        """Give every row, for comparison: terms of the vocabulary with their places, and postings."""
        self.connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, unit, instance)"
        )
        words = self.connection.execute("SELECT doc, term, offset FROM temp.word ORDER BY 1, 2, 3")
        found: list[tuple[object, ...]] = [tuple(row) for row in words]
        found += self.postings.rows()
        return found

    def is_sound(self) -> bool:
        """Say whether SQLite finds the file in order."""
        try:
            return bool(self.connection.execute("PRAGMA quick_check").fetchone()[0] == "ok")
        except sqlite3.DatabaseError:
            return False

    def close(self) -> None:
        """Close the file."""
        self.connection.close()


class _writing:  # noqa: N801 - used as a statement
    """Hold the write lock of a connection; commit, or roll back on an error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def catch_up(index: FtsIndex, log: Log) -> None:
    """Bring the index up to the log's position; empty it first if it belongs to another past."""
    with log.snapshot() as position:
        if index.position == position and _same_past(index, log):
            return
        with _writing(index.connection):
            if not _same_past(index, log):
                index.clear()
                index.made()
            seen = index.position
            if seen < position:
                _add_new(index, log, seen)
                _route_terms(index, log, seen)
                index.commit(position)
                index.mark(_chain(log, position))


def _chain(log: Log, position: int) -> str:
    row = log.connection.execute(
        "SELECT hex(chain) FROM record WHERE position = ?", (position,)
    ).fetchone()
    return str(row[0]) if row else ""


def _same_past(index: FtsIndex, log: Log) -> bool:
    """Say whether the log still holds the record up to which the index was made."""
    return index.position == 0 or index.chain() == _chain(log, index.position)


def _add_new(index: FtsIndex, log: Log, seen: int) -> None:
    entries = log.connection.execute(
        "SELECT seq, text, speaker, project FROM entry WHERE position > ? ORDER BY seq", (seen,)
    ).fetchall()
    index.add(Unit(row[0], unit_text(row[1], row[2]), row[3]) for row in entries)
    events = log.connection.execute(
        "SELECT position, json_extract(body, '$.content'), json_extract(body, '$.speaker'), "
        "json_extract(body, '$.project') "
        "FROM record JOIN payload USING (position) WHERE position > ? AND kind = 'event' "
        "AND position NOT IN (SELECT event FROM entry_event WHERE event > ?) AND json_valid(body) "
        "ORDER BY position",
        (seen, seen),
    ).fetchall()
    index.add(Unit(-row[0], unit_text(row[1], row[2]), row[3]) for row in events)


def _route_terms(index: FtsIndex, log: Log, seen: int) -> None:
    """Count again the terms of every document that changed."""
    rows = log.connection.execute(
        "SELECT id, project, retired FROM document WHERE version > ? ORDER BY number", (seen,)
    ).fetchall()
    for document_id, project, retired in rows:
        if retired is not None:
            index.postings.remove(document_id)
            continue
        texts = log.connection.execute(
            "SELECT text FROM entry WHERE document_id = ? AND line = seq "
            "AND superseded_by IS NULL AND retracted IS NULL ORDER BY seq",
            (document_id,),
        )
        index.postings.put(document_id, project, content_counts(row[0] for row in texts))


def _row(unit: Unit) -> tuple[int, str, str]:
    return (unit.unit, " ".join(terms(unit.text)), _project(unit.project))


def _project(project: str | None) -> str:
    """Give the one term of the project column: `=` alone for none."""
    return f"={(project or '').encode().hex()}"


def _narrowed(query: str, projects: Sequence[str | None] | None) -> str:
    """Let a query find its words in the text only, and only in some projects."""
    wanted = f"terms : ({query})"
    if projects is None:
        return wanted
    names = " OR ".join(phrase([_project(project)]) for project in dict.fromkeys(projects))
    return f"{wanted} AND project : ({names})"


def unit_text(text: str, speaker: str | None) -> str:
    """Give what is indexed of an entry: its text and who said it."""
    return f"{speaker}: {text}" if speaker else text
