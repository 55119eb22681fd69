"""The disposable file of vectors: one for each entry and uncited event, of small whole numbers."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from heapq import nlargest
from importlib import import_module
from math import sqrt
from operator import mul
from pathlib import Path
from typing import Any, Protocol

from memoranda.store.connection import connect, emptied, is_loose
from memoranda.store.following import units_between
from memoranda.store.index import Unit, writing

FORMAT = 1
LEVELS = 46
"""A number of a vector lies between -46 and 46: a byte of one is never a letter or a digit, so a scan
for a text finds none by chance, and sums of products are exact, whoever adds them."""
STEP = 64
"""So many log records are embedded at a time, so that others wait for one step at most."""
ROWS = 8192
"""So many vectors are widened at a time."""

TABLES = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS vector (unit INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
"""


class Embedder(Protocol):
    """Turns texts into vectors; near meanings, near vectors."""

    @property
    def name(self) -> str:
        """Model and version: vectors of another one are made again."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Give a vector for each text, all of one length."""


class VectorFile:
    """vectors.db of one scope. Deleting the file loses nothing.

    Args:
        path: made when missing. A file that is not ours, or damaged, raises `sqlite3.DatabaseError`.
        made: whose vectors, by which model; a file of another is emptied. None leaves it as it is.
        busy_seconds: how long to wait for another process.
    """

    def __init__(self, path: Path, *, made: str | None, busy_seconds: float) -> None:
        self.connection = connect(path, busy_seconds=busy_seconds)
        self.connection.row_factory = None
        self._made = made and hashlib.sha256(f"{FORMAT}/{made}".encode()).hexdigest()
        self._held: _Held | None = None
        self._seen = -1
        try:
            with writing(self.connection):
                for statement in TABLES.split(";\n"):
                    if statement.strip():
                        self.connection.execute(statement)
                if self._made is not None and self._get("made") != self._made:
                    self.clear()
        except BaseException:
            self.connection.close()
            raise

    @property
    def position(self) -> int:
        """The log position up to which every unit has its vector."""
        return int(self._get("position") or 0)

    def clear(self) -> None:
        """Empty the file. Call it inside a transaction."""
        self._held = None
        self.connection.execute("DELETE FROM vector")
        self.connection.execute("DELETE FROM meta")
        if self._made is not None:
            self._set("made", self._made)

    def is_of(self, log: sqlite3.Connection) -> bool:
        """Say whether the log still holds the record up to which the vectors were made."""
        return self.position == 0 or self._get("chain") == _chain(log, self.position)

    def catch_up(self, log: sqlite3.Connection, embedder: Embedder) -> None:
        """Embed what the log has and the file has not.

        Args:
            log: a connection that holds no snapshot: each step looks at the log anew once the file is
                ours, as what it showed before may be forgotten since.
            embedder: makes the vectors.
        """
        while not self._step(log, embedder):
            pass

    def _step(self, log: sqlite3.Connection, embedder: Embedder) -> bool:
        """Embed a few records; say whether all is done."""
        with writing(self.connection):
            log.execute("BEGIN")
            try:
                if not self.is_of(log):
                    self.clear()
                seen = self.position
                end = log.execute("SELECT coalesce(max(position), 0) FROM record").fetchone()[0]
                upto = min(end, seen + STEP)
                units = list(units_between(log, seen, upto))
                self._set("chain", _chain(log, upto))
            finally:
                log.execute("COMMIT")
            vectors = embedder.embed([unit.text for unit in units]) if units else ()
            self.put(units, vectors)
            self._set("position", str(upto))
        return bool(upto == end)

    def put(self, units: Sequence[Unit], vectors: Sequence[Sequence[float]]) -> None:
        """Keep the vectors of units. Call it inside a transaction."""
        self._held = None
        rows = ((unit.unit, packed(own)) for unit, own in zip(units, vectors, strict=True))
        self.connection.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?)", rows)

    def purge(self, units: Iterable[int]) -> bool:
        """Take vectors out so that no byte of them is left; False while another process reads."""
        self._held = None
        with writing(self.connection):
            self.connection.executemany(
                "DELETE FROM vector WHERE unit = ?", ((unit,) for unit in units)
            )
        if is_loose(self.connection):
            self.connection.execute("VACUUM")
        return emptied(self.connection)

    def holding(self, units: Iterable[int]) -> int:
        """Count how many of some units have a vector."""
        found = self.connection.execute(
            "SELECT count(*) FROM vector WHERE unit IN (SELECT value FROM json_each(?))",
            (json.dumps(list(units)),),
        ).fetchone()
        return int(found[0])

    def nearest(
        self, asked: Sequence[float], *, limit: int, units: AbstractSet[int] | None
    ) -> list[tuple[int, float]]:
        """Give the units nearest to a vector among some (None: all), with cosines; newest of ties first."""
        now = self.connection.execute("PRAGMA data_version").fetchone()[0]
        if self._held is None or now != self._seen:
            rows = self.connection.execute("SELECT unit, body FROM vector ORDER BY unit")
            self._held, self._seen = _Held(rows.fetchall()), now
        scores = self._held.cosines(packed(asked))
        found = (pair for pair in scores if units is None or pair[0] in units)
        return nlargest(limit, found, key=lambda pair: (pair[1], abs(pair[0])))

    def rows(self) -> list[tuple[int, bytes]]:
        """Give every vector, for comparison."""
        return self.connection.execute("SELECT unit, body FROM vector ORDER BY unit").fetchall()

    def close(self) -> None:
        """Close the file."""
        self._held = None
        self.connection.close()

    def _get(self, name: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))


class _Held:
    """All vectors in memory: a byte a number."""

    def __init__(self, rows: Sequence[tuple[int, bytes]]) -> None:
        self._units = [unit for unit, _ in rows]
        self._width = len(rows[0][1]) if rows else 0
        if any(len(body) != self._width for _, body in rows):
            raise sqlite3.DatabaseError("vectors of several lengths")
        self._body = b"".join(body for _, body in rows)
        self._numpy = _numpy()
        self._squares = list(map(_square, self._vectors())) if self._numpy is None else None
        self._norms: Any = None

    def _vectors(self) -> Iterable[array[int]]:
        for at in range(0, len(self._body), self._width or 1):
            yield array("b", self._body[at : at + self._width])

    def cosines(self, asked: bytes) -> Iterable[tuple[int, float]]:
        """Give each unit with its cosine."""
        if self._units and len(asked) != self._width:
            raise sqlite3.DatabaseError("vectors of another length")
        one = array("b", asked)
        size = sqrt(_square(one))
        if not size:
            return ()
        if self._squares is None:
            return zip(self._units, self._fast(one, size), strict=True)
        return (
            (unit, sum(map(mul, one, own)) / (size * sqrt(square)) if square else 0.0)
            for unit, own, square in zip(self._units, self._vectors(), self._squares, strict=True)
        )

    def _fast(self, one: array[int], size: float) -> list[float]:
        """Do the same with numpy: whole numbers below 2 ** 24 are exact in its narrow floats too."""
        np = self._numpy
        wide = np.array(one, dtype=np.float32)
        all_ = np.frombuffer(self._body, dtype=np.int8).reshape(-1, self._width or 1)
        parts = [all_[at : at + ROWS].astype(np.float32) for at in range(0, len(all_), ROWS)]
        if self._norms is None:
            squares = [np.einsum("ij,ij->i", part, part) for part in parts]
            norms = np.sqrt(np.concatenate([*squares, np.zeros(0)]).astype(np.float64))
            self._norms = np.where(norms == 0, np.inf, norms)
        dots = np.concatenate([*(part @ wide for part in parts), np.zeros(0)]).astype(np.float64)
        found: list[float] = (dots / (size * self._norms)).tolist()
        return found


def packed(vector: Sequence[float]) -> bytes:
    """Give a vector as whole numbers, a byte each; its length does not matter, only where it points."""
    most = max(map(abs, vector), default=0.0)
    if not most:
        return bytes(len(vector))
    return array("b", (round(value / most * LEVELS) for value in vector)).tobytes()


def _square(vector: array[int]) -> int:
    return sum(map(mul, vector, vector))


def _chain(log: sqlite3.Connection, position: int) -> str:
    row = log.execute("SELECT hex(chain) FROM record WHERE position = ?", (position,)).fetchone()
    return str(row[0]) if row else ""


def _numpy() -> Any:  # noqa: ANN401 - a module that need not be there
    try:
        return import_module("numpy")
    except ImportError:
        return None
