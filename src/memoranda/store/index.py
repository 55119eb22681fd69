"""The disposable search index: BM25 over entries and uncited events, one analyser for all languages."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memoranda.store import said
from memoranda.store.bm25 import Bm25, Hit, rarity
from memoranda.store.connection import connect, emptied, is_loose, is_small
from memoranda.store.postings import Postings
from memoranda.store.query import Query, phrase
from memoranda.store.said import Said
from memoranda.text.analyse import terms

FORMAT = 3
ANALYSER = "a1"
"""Version of `text.analyse`: another one empties the index, which is then made again."""

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE IF NOT EXISTS unit USING fts5(
    terms, project, content='', tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M* S* P* C*'"
);
"""


@dataclass(frozen=True, slots=True)
class Unit:
    """What is indexed: an entry (its seq) or an uncited event (minus its position)."""

    unit: int
    text: str
    project: str | None
    at: str | None = None
    """When it was said, else recorded: what `yesterday` in it counts from."""


Near = Callable[[str, int, AbstractSet[int] | None], Sequence[tuple[int, float]]]
"""Gives so many units nearest in meaning to a question, among some (None: all), with cosines; best first."""


class LexicalIndex(Protocol):
    """What a search engine must do to serve: FTS5 here, another one behind the same four calls."""

    def add(self, units: Iterable[Unit]) -> None:
        """Add units. Their ids are not in the index yet."""

    def delete(self, units: Iterable[Unit]) -> None:
        """Take units out, exactly as they were added."""

    def purge(self, units: Iterable[Unit], *, upto: int = 0) -> bool:
        """Take units out so that no byte of them is left; False while another process reads."""

    def commit(self, position: int) -> None:
        """Make it durable that the index holds everything up to a log position."""

    def search(
        self,
        query: Query,
        *,
        limit: int,
        projects: Sequence[str | None] | None,
        units: AbstractSet[int] | None = None,
    ) -> list[Hit]:
        """Find units of some projects (None: of all) among some (None: all); best first, newest of ties."""


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
        self._made = f"{FORMAT}/{ANALYSER}/{scope_id}"
        try:
            with writing(self.connection):
                self._prepare()
                if self._get("made") != self._made:
                    self.clear()
                    self.made()
        except BaseException:
            self.connection.close()
            raise
        self._trying = False
        self.near: Near | None = None
        self.postings = Postings(self.connection)
        self.bm25 = Bm25(self.connection)
        self.said = Said(self.connection)

    def _prepare(self) -> None:
        for statement in TABLES.split(";\n"):
            if statement.strip():
                self.connection.execute(statement)
        Postings.prepare(self.connection)
        self.connection.execute(said.TABLE)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one state: what another process adds meanwhile is not seen inside."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN")
        try:
            self.connection.execute(
                "SELECT count(*) FROM meta"
            ).fetchone()  # the state is that of now
            yield
        finally:
            _end(self.connection)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Let changes be seen inside, and undo them on the way out."""
        inner = self._trying
        with nullcontext() if inner else writing(self.connection):
            self.connection.execute("SAVEPOINT trial")
            self._trying = True
            try:
                yield
            finally:
                self._trying = inner
                if self.connection.in_transaction:  # a fault may have undone the whole
                    self.connection.execute("ROLLBACK TO trial")
                    self.connection.execute("RELEASE trial")

    def clear(self) -> None:
        """Empty the index. Call it inside a transaction."""
        self.connection.execute("DELETE FROM meta")
        self.connection.execute("INSERT INTO unit (unit) VALUES ('delete-all')")
        Postings.clear(self.connection)
        Said(self.connection).clear()

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
        units = list(units)
        self.connection.executemany(
            "INSERT INTO unit (rowid, terms, project) VALUES (?, ?, ?)", map(_row, units)
        )
        self.said.put((unit.unit, unit.text, unit.at) for unit in units)

    def delete(self, units: Iterable[Unit]) -> None:
        """Take units out, exactly as they were added."""
        units = list(units)
        self.said.remove(unit.unit for unit in units)
        self.connection.executemany(
            "INSERT INTO unit (unit, rowid, terms, project) VALUES ('delete', ?, ?, ?)",
            map(_row, units),
        )

    def purge(self, units: Iterable[Unit], *, upto: int = 0) -> bool:
        """Take units out so that no byte of them is left in the file.

        `upto` is the position of the forget record that asks for it.

        A deleted row leaves its terms in the segments of FTS5: `optimize` writes them anew, what
        that frees is overwritten with zeros, and the write-ahead log is emptied. The file is
        written anew as well where it is small or much of it is free: SQLite leaves rows that it
        moved to another page where they were.

        Returns:
            False while another process reads; the file is clean once it has ended and the
            write-ahead log is emptied.
        """
        with writing(self.connection):
            self.delete(unit for unit in units if self._holds(unit.unit))
            self.connection.execute("INSERT INTO unit (unit) VALUES ('optimize')")
            if upto:
                self.purged(upto)
        if is_small(self.connection) or is_loose(self.connection):
            self.connection.execute("VACUUM")
        return emptied(self.connection)

    def holding(self, units: Iterable[int]) -> int:
        """Count the rows that some units have."""
        wanted = json.dumps(list(units))
        found = self.connection.execute(
            "SELECT count(*) FROM unit_docsize WHERE id IN (SELECT value FROM json_each(?))",
            (wanted,),
        ).fetchone()
        return int(found[0])

    def _holds(self, unit: int) -> bool:
        found = self.connection.execute("SELECT 1 FROM unit_docsize WHERE id = ?", (unit,))
        return found.fetchone() is not None

    def purged(self, position: int | None = None) -> int:
        """Say up to which forget record its text was taken out of here; or note it."""
        if position is not None:
            self._set("purged", str(position))
        return int(self._get("purged") or 0)

    def commit(self, position: int) -> None:
        """Note that the index holds everything up to a position; the transaction ends with it."""
        self._set("position", str(position))

    def search(
        self,
        query: Query,
        *,
        limit: int,
        projects: Sequence[str | None] | None,
        units: AbstractSet[int] | None = None,
    ) -> list[Hit]:
        """Find units of some projects, among some units; best first, the newest of equals first.

        The limit counts what is left, so that nothing else can crowd it out. Projects cost a look at
        all that they hold.
        """
        bm25 = self.bm25
        singles = [bm25.matching(_narrowed(single)) for single in query.singles]
        size = bm25.size()
        postings = bm25.postings(query.terms, units)
        postings += [(rarity(len(held), size), dict.fromkeys(held, 1)) for held in singles]
        among = units
        if projects is not None:
            inside = bm25.matching(_inside(projects))
            among = inside if units is None else inside & units
        return bm25.best(postings, bm25.matching(_narrowed(query.every)), limit, among)

    def frequencies(self, words: Iterable[str]) -> dict[str, int]:
        """Give in how many units each term stands; terms that stand in none are left out."""
        return self.bm25.frequencies(words)

    def size(self) -> int:
        """Count the units."""
        return self.bm25.size()

    def before(self, query: str, seq: int, *, limit: int, project: str | None) -> list[int]:
        """Find the newest entries below a seq, newest first: not ranked, so later ones can't matter."""
        if not query:
            return []
        rows = self.connection.execute(
            "SELECT rowid FROM unit WHERE unit MATCH ? AND rowid > 0 AND rowid < ? "
            "ORDER BY rowid DESC LIMIT ?",
            (f"{_narrowed(query)} AND {_inside((project,))}", seq, limit),
        )
        return [row[0] for row in rows]

    def sharing(self, words: Iterable[str], units: Sequence[int]) -> Counter[int]:
        """Count how many of some terms each unit holds, in its text or its speaker's name."""
        found: Counter[int] = Counter()
        for word in sorted(set(words)) if units else ():
            rows = self.connection.execute(
                "SELECT rowid FROM unit WHERE unit MATCH ? AND rowid BETWEEN ? AND ?",
                (_narrowed(phrase([word])), min(units), max(units)),
            )
            found.update(row[0] for row in rows)
        return found

    def rows(self) -> list[tuple[object, ...]]:
        """Give every row, for comparison: terms of the vocabulary with their places, and postings."""
        self.connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.word USING fts5vocab(main, unit, instance)"
        )
        words = self.connection.execute("SELECT doc, term, offset FROM temp.word ORDER BY 1, 2, 3")
        found: list[tuple[object, ...]] = [tuple(row) for row in words]
        found += [*self.postings.rows(), *self.said.rows()]
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


def _end(connection: sqlite3.Connection) -> None:
    """End a transaction, if a fault has not ended it."""
    if connection.in_transaction:
        connection.execute("COMMIT")


class writing:  # noqa: N801 - used as a statement
    """Hold the write lock of a connection; commit, or roll back on an error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        """Wait for the lock."""
        self._undo()
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, value: object, trace: object) -> None:
        """Commit or roll back."""
        if kind is None:
            self._connection.execute("COMMIT")
        else:
            with suppress(sqlite3.Error):  # the first error is the one to tell
                self._undo()

    def _undo(self) -> None:
        """Roll back what a failed COMMIT, now or before, left open."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


def _row(unit: Unit) -> tuple[int, str, str]:
    return (unit.unit, " ".join(terms(unit.text)), _project(unit.project))


def _project(project: str | None) -> str:
    """Give the one term of the project column: `=` alone for none."""
    return f"={(project or '').encode().hex()}"


def _narrowed(query: str) -> str:
    """Let a query find its words in the text only."""
    return f"terms : ({query})" if query else ""


def _inside(projects: Sequence[str | None]) -> str:
    """Ask for all that some projects hold."""
    names = " OR ".join(phrase([_project(project)]) for project in dict.fromkeys(projects))
    return f"project : ({names})"


def unit_text(text: str, speaker: str | None) -> str:
    """Give what is indexed of an entry: its text and who said it."""
    return f"{speaker}: {text}" if speaker else text
