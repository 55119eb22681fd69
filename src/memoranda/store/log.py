"""The append-only log: every event, extraction, plan and receipt, in one SQLite file."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from memoranda.errors import DamagedError, FormatError, TextError
from memoranda.store import schema
from memoranda.store.connection import emptied
from memoranda.store.marking import as_marked
from memoranda.store.transactions import Transactions

Clock = Callable[[], datetime]
Ids = Callable[[], str]
Entropy = Callable[[int], bytes]


LOST = "lost"
"""The kind of a record that stands in for one that could not be saved from a damaged log."""
LETTERS = {
    "event": "e",
    "extraction": "x",
    "plan": "p",
    "receipt": "r",
    "retraction": "t",
    "forget": "f",
    "proposal": "q",
    "decision": "d",
    "call": "c",
    "ask": "a",
    "answer": "w",
    "undo": "u",
    LOST: "l",
}
"""First letter of a record's id, by kind."""
CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)
"""Writes the bodies of records."""

COLUMNS = (
    "position, kind, id, recorded, size, coalesce(erased.commitment, record.commitment) AS commitment,"
    " chain, key, CAST(body AS BLOB) AS body "
    "FROM record LEFT JOIN payload USING (position) LEFT JOIN erased USING (position)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One log record: the envelope, and its body unless that was erased."""

    position: int
    kind: str
    record_id: str
    recorded: str
    size: int
    body: Mapping[str, Any] | None
    damaged: bool = False
    """Its payload does not match its commitment: the body is None (only from `marked`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remains:
    """What is to stand in place of a payload of which something is forgotten."""

    position: int
    key: bytes
    data: bytes

    @property
    def commitment(self) -> bytes:
        """Vouches for what is left, as the record's own did for the whole."""
        return hmac.digest(self.key, self.data, "sha256")


def encode(body: Mapping[str, Any]) -> bytes:
    """Write a body as canonical JSON in UTF-8.

    Raises:
        TextError: a text holds a lone surrogate (it is no valid Unicode).
    """
    try:
        return CANONICAL.encode(body).encode()
    except UnicodeEncodeError as error:
        raise TextError("text", "it holds half of a surrogate pair; send valid Unicode") from error
    except (ValueError, TypeError) as error:
        raise TextError("metadata", f"it is not JSON: {error}") from error


class Log(Transactions):
    """The log of one scope. Many processes may hold one at once; each append is one transaction.

    Args:
        connection: an open connection to memory.db, from `connection.connect`.
        path: the file, for messages.
        clock: gives aware times; the record time of each append.
        ids: gives ids that never repeat.
        entropy: gives random bytes; the key of each record's commitment.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        path: str,
        *,
        clock: Clock,
        ids: Ids,
        entropy: Entropy,
    ) -> None:
        super().__init__(connection, path)
        self._clock = clock
        self._ids = ids
        self._entropy = entropy
        self._prepare()
        self.recall()

    def recall(self) -> None:
        """Read id and key of the log: after they were taken over, here or by another process, or not."""
        self.scope_id = self.meta("scope_id").decode()
        self._key = self.meta("key")

    def _prepare(self) -> None:
        """Make the tables of a new file; migrate an old one. `look_before` has seen the file."""
        found = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            with self.transaction():
                if self.connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                    self._create()
            return
        while found < schema.FORMAT:
            with self.transaction():  # another process may have done it while we waited
                found = self.connection.execute("PRAGMA user_version").fetchone()[0]
                if found < schema.FORMAT:
                    self._run(schema.MIGRATIONS[found])
                    found += 1
                    self.connection.execute(f"PRAGMA user_version = {found}")

    def _create(self) -> None:
        self._run(schema.LOG_TABLES + schema.VIEW_TABLES)
        self.connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        self.connection.execute(f"PRAGMA user_version = {schema.FORMAT}")
        values = {"scope_id": self._entropy(16).hex().encode(), "key": self._entropy(32)}
        for name, value in values.items():
            self.connection.execute("INSERT INTO meta VALUES (?, ?)", (name, value))

    def _run(self, script: str) -> None:
        """Run a script inside the open transaction (`executescript` would commit it)."""
        statement = ""
        for line in script.splitlines(keepends=True):
            statement += line
            if sqlite3.complete_statement(statement):
                self.connection.execute(statement)
                statement = ""

    def meta(self, name: str) -> bytes:
        """Read one value of the database's own data; b"" when it is not set."""
        row = self.connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return bytes(row[0]) if row else b""

    def set_meta(self, name: str, value: bytes) -> None:
        """Set one value of the database's own data."""
        self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def adopt(self, scope: Mapping[str, bytes]) -> None:
        """Take over id and key of another log, whose records are to come. Call it while this is empty."""
        self.set_meta("scope_was", self.scope_id.encode())
        for name in ("scope_id", "key"):
            self.set_meta(name, scope[name])
        self.recall()

    def new_id(self, kind: str) -> str:
        """Give a fresh id for a record: the kind's letter and what `ids` gives."""
        return LETTERS.get(kind, "z") + self._ids()

    def now(self) -> str:
        """Give the time of the clock, as records hold it (UTC, microseconds)."""
        moment = self._clock()
        if moment.tzinfo is None:
            raise FormatError(self.path, "the clock gives times without a zone")
        return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def append(self, kind: str, body: Mapping[str, Any], record_id: str | None = None) -> Record:
        """Add a record. Call it inside `transaction()`; it is durable once that has ended."""
        data = encode(body)
        last = self.connection.execute(
            "SELECT position, chain, (SELECT value FROM meta WHERE name = 'scope_id') "
            "FROM record ORDER BY position DESC LIMIT 1"
        ).fetchone()
        if last and last[2].decode() != self.scope_id:
            self.recall()  # another process took an archive into the scope
        position, chain = (last[0] + 1, bytes(last[1])) if last else (1, b"")
        key = self._entropy(32)
        record = Record(
            position=position,
            kind=kind,
            record_id=record_id or self.new_id(kind),
            recorded=self.now(),
            size=len(data),
            body=body,
        )
        commitment = hmac.digest(key, data, "sha256")
        self.connection.execute(
            "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                position,
                kind,
                record.record_id,
                record.recorded,
                record.size,
                commitment,
                link(chain, record, commitment, self.scope_id),
            ),
        )
        self.connection.execute(
            "INSERT INTO payload VALUES (?, ?, ?)", (position, key, data.decode())
        )
        return record

    def remains(self, position: int, body: Mapping[str, Any]) -> Remains:
        """Prepare what is left of a record, under a key of its own."""
        return Remains(position=position, key=self._entropy(32), data=encode(body))

    def erase(self, remains: Iterable[Remains], *, by: Record) -> None:
        """Put what is left in place of payloads. Call it inside `transaction()`.

        Payload and key are deleted; the tombstone names the record that asked for it, and vouches
        for what is left.

        Args:
            remains: what is left, a record each.
            by: the forget record, appended in the same transaction.
        """
        for item in remains:
            self.connection.execute(
                "INSERT INTO erased VALUES (?, ?, ?, ?) ON CONFLICT (position) DO UPDATE SET "
                "by = excluded.by, at = excluded.at, commitment = excluded.commitment",
                (item.position, by.position, by.recorded, item.commitment),
            )
            self.connection.execute("DELETE FROM payload WHERE position = ?", (item.position,))
            self.connection.execute(
                "INSERT INTO payload VALUES (?, ?, ?)",
                (item.position, item.key, item.data.decode()),
            )

    def erased_at(self, position: int) -> str:
        """Give the time at which something of a record was forgotten last; "" if nothing was."""
        row = self.connection.execute(
            "SELECT at FROM erased WHERE position = ?", (position,)
        ).fetchone()
        return str(row[0]) if row else ""

    def vacuum(self) -> None:
        """Write the database anew: what SQLite left of moved rows in its pages is gone by that."""
        self.connection.execute("VACUUM")

    def checkpoint(self) -> bool:
        """Bring the write-ahead log into the file and empty it; False while others read for too long."""
        return emptied(self.connection)

    def digest(self, kind: str, value: str) -> bytes:
        """Give the keyed digest under which a payload value can be found again."""
        data = f"{kind}\0{value}".encode("utf-8", "surrogatepass")
        return hmac.digest(self._key, data, "sha256")

    def note(self, kind: str, value: str, position: int) -> None:
        """Make a record findable by a value of its payload, without storing the value."""
        self.connection.execute(
            "INSERT OR IGNORE INTO digest VALUES (?, ?, ?)",
            (kind, self.digest(kind, value), position),
        )

    def find(self, kind: str, value: str) -> list[int]:
        """Give the positions noted under a value, oldest first."""
        rows = self.connection.execute(
            "SELECT position FROM digest WHERE kind = ? AND digest = ? ORDER BY position",
            (kind, self.digest(kind, value)),
        )
        return [row[0] for row in rows]

    def records(
        self, *, after: int = 0, until: int | None = None, kind: str | None = None
    ) -> Iterator[Record]:
        """Give the records after a position (up to another), oldest first, each checked.

        Raises:
            DamagedError: a payload does not match its commitment.
        """
        for row in self._rows(after, until, kind):
            yield _record(row)

    def marked(
        self, *, after: int = 0, until: int | None = None, kind: str | None = None
    ) -> Iterator[Record]:
        """Give what `records` gives, with damaged ones marked instead of an error."""
        for row in self._rows(after, until, kind):
            yield _record(row, marked=True)

    def _rows(self, after: int, until: int | None, kind: str | None) -> sqlite3.Cursor:
        return self.connection.execute(
            f"SELECT {COLUMNS} WHERE position > ? AND position <= ? AND (? IS NULL OR kind = ?) "
            "ORDER BY position",
            (after, (1 << 62) if until is None else until, kind, kind),
        )

    def record(self, position: int) -> Record | None:
        """Give the record at a position, or None; an event with the sensitivity that it has now."""
        return self._as_marked(read_record(self.connection, position))

    def _as_marked(self, record: Record | None) -> Record | None:
        if record is None or record.body is None or record.kind != "event":
            return record
        body = as_marked(self.connection, record.position, record.body)
        return record if body is record.body else replace(record, body=body)

    def by_id(self, record_id: str) -> Record | None:
        """Give the record with an id, or None; an event with the sensitivity that it has now."""
        if not is_unicode(record_id):
            return None
        row = self.connection.execute(f"SELECT {COLUMNS} WHERE id = ?", (record_id,)).fetchone()
        return self._as_marked(_record(row)) if row else None


def is_unicode(text: str) -> bool:
    """Say whether a text can stand in the database: half of a surrogate pair can't."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def link(chain: bytes, record: Record, commitment: bytes, scope_id: str) -> bytes:
    """Give the next link of the hash chain, which covers envelopes only."""
    envelope = (
        f"{record.position}\0{record.kind}\0{record.record_id}\0{record.recorded}"
        f"\0{record.size}\0{scope_id}\0"
    )
    return hashlib.sha256(chain + envelope.encode() + commitment).digest()


def read_record(connection: sqlite3.Connection, position: int) -> Record | None:
    """Give the record at a position, checked against its commitment, or None.

    Raises:
        DamagedError: the payload does not match.
    """
    row = connection.execute(f"SELECT {COLUMNS} WHERE position = ?", (position,)).fetchone()
    return _record(row) if row else None


def read_records(connection: sqlite3.Connection, until: int) -> Iterator[Record]:
    """Give the records up to a position, oldest first, each checked as `read_record` does."""
    rows = connection.execute(f"SELECT {COLUMNS} WHERE position <= ? ORDER BY position", (until,))
    for row in rows:
        yield _record(row)


def _record(row: sqlite3.Row, *, marked: bool = False) -> Record:
    body: Mapping[str, Any] | None = None
    damaged = False
    if row["body"] is not None:
        data = bytes(row["body"])
        key, vouched = row["key"], row["commitment"]
        damaged = not (isinstance(key, bytes) and isinstance(vouched, bytes)) or (
            not hmac.compare_digest(hmac.digest(key, data, "sha256"), vouched)
        )
        if damaged and not marked:
            raise DamagedError(row["position"], "its payload does not match its commitment")
        body = None if damaged else json.loads(data)
    return Record(
        position=row["position"],
        kind=row["kind"],
        record_id=row["id"],
        recorded=row["recorded"],
        size=row["size"],
        body=body,
        damaged=damaged,
    )
