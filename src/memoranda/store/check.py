"""A check of a scope: every record, the hash chain, the views and the files; it changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest, digest
from typing import Any

from memoranda.errors import InputError
from memoranda.reports import Checked, Flaw
from memoranda.store import soundness
from memoranda.store.home import Home

Progress = Callable[[int, int], None]

_ROOTS = frozenset({"database", "record", "chain"})
"""While these are not sound, nothing that is made of them can be."""
EVERY = 1000
"""Records between two calls of `progress`."""
RESTORE = "restore a backup; the other records are served"
_RECORDS = (
    "SELECT record.position, kind, id, recorded, size, record.commitment, chain, key,"
    " CAST(body AS BLOB) "
    "FROM record LEFT JOIN payload USING (position) "
    "WHERE record.position > ? AND record.position <= ? ORDER BY record.position"
)
_INNER, _OUTER = (bytes(byte ^ mask for byte in range(256)) for mask in (0x36, 0x5C))
_STRAY = (
    "SELECT position, 'payload' FROM payload WHERE position NOT IN (SELECT position FROM record) "
    "UNION ALL SELECT position, 'tombstone' FROM erased "
    "WHERE position NOT IN (SELECT position FROM record)"
)


@dataclass(frozen=True, slots=True)
class Subset:
    """The n-th of t parts of a scope, from 1 on: t checks, one a night, look at all of it."""

    part: int = 1
    parts: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no part.

        Raises:
            InputError: it is not 1 <= n <= t.
        """
        if not 1 <= self.part <= self.parts:
            raise InputError(f"{self.part}/{self.parts} is no part; give n/t with n from 1 to t")

    @classmethod
    def of(cls, text: str) -> Subset:
        """Read `n/t`.

        Raises:
            InputError: it is not two whole numbers, or no part.
        """
        left, slash, right = text.partition("/")
        if not slash or not (text.isascii() and left.isdecimal() and right.isdecimal()):
            raise InputError(f"{text!r} is no part; give n/t, such as 3/7")
        return cls(int(left), int(right))

    def of_numbers(self, total: int) -> tuple[int, int]:
        """Give the range (after, until] of the numbers 1 to total."""
        return (self.part - 1) * total // self.parts, self.part * total // self.parts

    @property
    def first(self) -> bool:
        """Say whether it is the first part: what can't be cut by size and is quick is done there."""
        return self.part == 1

    @property
    def last(self) -> bool:
        """Say whether it is the last part: what can't be cut and takes long is done there."""
        return self.part == self.parts


def check(
    home: Home,
    *,
    full: bool = False,
    subset: Subset | None = None,
    progress: Progress | None = None,
) -> Checked:
    """Look at everything and say what is wrong. Call it under the scope's lock.

    Args:
        home: the scope.
        full: fold the whole log again beside the views and compare the two; compare the digests with
            the events, the tombstones with the forget records, the index with one that is made anew;
            and let SQLite look at its indexes too. Adds of others wait while that lasts.
        subset: only this part of the records and files. SQLite's own look at the pages is in the
            first part; what a full check compares as a whole is in the last one.
        progress: called with (records done, all records).
    """
    part = subset or Subset()
    with home.log.snapshot() as position:
        flaws = list(_database(home.log.connection, full=full)) if part.first else []
        walk = _Walk(home, part.of_numbers(position), progress)
        flaws += walk.flaws()
        flaws += _position(home, position)
        flaws += soundness.known_end(home, position)
        files = soundness.files(home)
        after, until = part.of_numbers(len(files))
        files = files[after:until]
    flaws += [Flaw(part="files", name=file, text=text) for file, text in files if text]
    if full and part.last and not any(flaw.part in _ROOTS for flaw in flaws):
        told = {(flaw.part, flaw.name) for flaw in flaws}
        flaws += [flaw for flaw in soundness.derived(home) if (flaw.part, flaw.name) not in told]
    return Checked(
        records=walk.done,
        position=position,
        full=full,
        files=len(files),
        flaws=tuple(flaws),
        subset="" if subset is None else f"{part.part}/{part.parts}",
    )


def _database(connection: sqlite3.Connection, *, full: bool) -> Iterator[Flaw]:
    """Let SQLite look at its pages."""
    try:
        rows = connection.execute(f"PRAGMA {'integrity' if full else 'quick'}_check(20)").fetchall()
    except sqlite3.DatabaseError as error:
        rows = [(str(error),)]
    for row in rows:
        if row[0] != "ok":
            text = (
                f"SQLite says: {row[0]}; restore a backup, or save what can be read with --salvage"
            )
            yield Flaw(part="database", name="memory.db", text=text)


class _Walk:
    """Goes through records in order, each with its payload and its link of the chain."""

    def __init__(self, home: Home, span: tuple[int, int], progress: Progress | None) -> None:
        self._db = home.log.connection
        self._scope = home.log.scope_id
        self._progress = progress
        self._last, self._until = span
        self._total = span[1] - span[0]
        self._chain = b""
        self.done = 0

    def flaws(self) -> Iterator[Flaw]:
        """Give what is wrong, by position."""
        try:
            yield from self._begun()
            gone = dict(self._db.execute("SELECT position, commitment FROM erased").fetchall())
            cursor = self._db.cursor()
            cursor.row_factory = None  # a row for each of many records: plain tuples are faster
            for row in cursor.execute(_RECORDS, (self._last, self._until)):
                if not self._is_sound(row, gone):
                    yield from self._of(row, gone)
                self._last, self._chain = row[0], row[6]
                self.done += 1
                if self._progress is not None and self._is_time():
                    self._progress(self.done, self._total)
            for position, what in self._db.execute(_STRAY):
                text = f"there is a {what} without a record; {RESTORE}"
                yield Flaw(part="record", name=str(position), text=text)
        except sqlite3.DatabaseError as error:
            text = f"can't be read on from here: SQLite says {error}; restore a backup"
            yield Flaw(part="record", name=str(self._last + 1), text=text)

    def _is_sound(self, row: tuple[Any, ...], gone: Mapping[int, bytes | None]) -> bool:
        """Say whether a record that was not erased is sound: the quick way, for nearly all."""
        position, kind, name, recorded, size, own, chain, key, body = row
        if position != self._last + 1 or position in gone:
            return False
        envelope = f"{position}\0{kind}\0{name}\0{recorded}\0{size}\0{self._scope}\0"
        try:
            return bool(
                sha256(self._chain + envelope.encode() + own).digest() == chain
                and _mac(key, body) == own
            )
        except (TypeError, AttributeError, UnicodeEncodeError):
            return False

    def _is_time(self) -> bool:
        return self.done % EVERY == 0 or self.done == self._total

    def _begun(self) -> Iterator[Flaw]:
        """Take up the chain at the record before the first one."""
        if self._last:
            row = self._db.execute(
                "SELECT chain FROM record WHERE position = ?", (self._last,)
            ).fetchone()
            if row is None:
                text = f"record {self._last} is missing; restore a backup"
                yield Flaw(part="chain", name=str(self._last), text=text)
            self._chain = row[0] if row else b""

    def _of(self, row: tuple[Any, ...], gone: Mapping[int, bytes | None]) -> Iterator[Flaw]:
        position, own, chain = row[0], row[5], row[6]
        if not (isinstance(own, bytes) and isinstance(chain, bytes)):
            text = f"its hashes are gone; {RESTORE}"
            yield Flaw(part="chain", name=str(position), text=text)
            return
        if position != self._last + 1:
            text = f"record {self._last + 1} is missing before it; restore a backup"
            yield Flaw(part="chain", name=str(position), text=text)
        elif not self._fits(row):
            text = f"its envelope does not fit the chain of hashes; {RESTORE}"
            yield Flaw(part="chain", name=str(position), text=text)
        fault = _payload(own, row[7:], erased=position in gone, left=gone.get(position))
        if fault is not None:
            yield Flaw(part="record", name=str(position), text=f"{fault}; {RESTORE}")

    def _fits(self, row: tuple[Any, ...]) -> bool:
        position, kind, name, recorded, size, own, chain = row[:7]
        envelope = f"{position}\0{kind}\0{name}\0{recorded}\0{size}\0{self._scope}\0"
        try:
            return bool(sha256(self._chain + envelope.encode() + own).digest() == chain)
        except (TypeError, AttributeError, UnicodeEncodeError):
            return False


def _mac(key: bytes, body: bytes) -> bytes:
    """Give `hmac.digest(key, body, "sha256")`: for many short texts the library's own is slow."""
    block = key.ljust(64, b"\0")
    if len(block) != 64:
        return digest(key, body, "sha256")
    return sha256(
        block.translate(_OUTER) + sha256(block.translate(_INNER) + body).digest()
    ).digest()


def _payload(own: bytes, row: tuple[Any, ...], *, erased: bool, left: bytes | None) -> str | None:
    """Say what is wrong with a payload; what was erased is vouched for by its tombstone."""
    key, body = row
    if body is None:
        return None if erased else "its payload is missing"
    vouched = left if erased and left is not None else own
    if isinstance(key, bytes) and isinstance(vouched, bytes):
        made = digest(key, body, "sha256")
        if compare_digest(made, vouched):
            return None
    return "its payload does not match its commitment"


def _position(home: Home, position: int) -> Iterator[Flaw]:
    seen = home.fold.counter("position")
    if seen != position:
        text = f"the views are at position {seen}, the log at {position}; run rebuild"
        yield Flaw(part="views", name="counter", text=text)
