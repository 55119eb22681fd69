"""The append-only log: every event, extraction, plan and receipt, in one SQLite file."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from memoranda.errors import BusyError, DamagedError, FormatError, TextError
from memoranda.store import schema
from memoranda.store.files import opened

Clock = Callable[[], datetime]
Ids = Callable[[], str]
Entropy = Callable[[int], bytes]


LETTERS = {"event": "e", "extraction": "x", "plan": "p", "receipt": "r", "retraction": "t"}
"""First letter of a record's id, by kind."""


COLUMNS = (
    "position, kind, id, recorded, size, commitment, chain, key, CAST(body AS BLOB) AS body "
    "FROM record LEFT JOIN payload USING (position)"
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


def encode(body: Mapping[str, Any]) -> bytes:
    """Write a body as canonical JSON in UTF-8.

    Raises:
        TextError: a text holds a lone surrogate (it is no valid Unicode).
    """
    try:
        return json.dumps(
            body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
        ).encode()
    except UnicodeEncodeError as error:
        raise TextError("text", "it holds half of a surrogate pair; send valid Unicode") from error
    except (ValueError, TypeError) as error:
        raise TextError("metadata", f"it is not JSON: {error}") from error


def look_before(path: Path) -> None:
    """Refuse a file that is not ours, or newer, before anything is written to it.

    Raises:
        FormatError: it is no SQLite file, another program's, or a newer version's.
    """
    with opened(path) as stream:
        header = stream.read(100)
    if not header:
        return
    if len(header) < 100 or not header.startswith(b"SQLite format 3\0"):
        raise FormatError(str(path), "it is no SQLite file; restore a backup")
    version = int.from_bytes(header[60:64], "big")
    application = int.from_bytes(header[68:72], "big")
    if (version, application) == (0, 0) and int.from_bytes(header[40:44], "big") == 0:
        return  # made by SQLite, no table yet
    if application != schema.APPLICATION_ID:
        raise FormatError(str(path), "this SQLite file is not a Memoranda log")
    if version > schema.FORMAT:
        raise FormatError(
            str(path),
            f"it has format {version}, this version reads up to {schema.FORMAT}; upgrade memoranda",
        )


def connect(path: Path | str, *, busy_seconds: float) -> sqlite3.Connection:
    """Open a SQLite file the one way we open it: WAL, FULL, secure_delete, autocommit."""
    connection = sqlite3.connect(
        path, timeout=busy_seconds, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1000)}")
    _use_wal(connection, path, busy_seconds)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _use_wal(connection: sqlite3.Connection, path: Path | str, busy_seconds: float) -> None:
    """Switch to WAL; SQLite does not wait for others here, so we do.

    Raises:
        BusyError: another process held the file for too long.
    """
    until = monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            if monotonic() > until:
                raise BusyError(str(path), busy_seconds) from error
            sleep(0.02)
        else:
            return


class Log:
    """The log of one scope. Many processes may hold one at once; each append is one transaction.

    Args:
        connection: an open connection to memory.db, from `connect`.
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
        self.connection = connection
        self.path = path
        self._clock = clock
        self._ids = ids
        self._entropy = entropy
        self._prepare()
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
            with self.transaction():
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

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit on the way out, roll back on any error.

        Inside another transaction it is a part of that one: nothing is committed before the whole.

        Raises:
            BusyError: another process held the lock for longer than the busy time.
        """
        nested = self.connection.in_transaction
        if nested:
            yield
            return
        try:
            self.connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                seconds = self.connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
                raise BusyError(self.path, seconds) from error
            raise
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Read at one position: gives it, and every read inside sees that state."""
        nested = self.connection.in_transaction
        if not nested:
            self.connection.execute("BEGIN")
        try:
            yield self.position()
        finally:
            if not nested:
                self.connection.execute("COMMIT")

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Let changes be seen inside, and undo them on the way out."""
        with self.transaction():
            self.connection.execute("SAVEPOINT trial")
            try:
                yield
            finally:
                self.connection.execute("ROLLBACK TO trial")
                self.connection.execute("RELEASE trial")

    def position(self) -> int:
        """Give the position of the last record; 0 when there is none."""
        row = self.connection.execute("SELECT max(position) FROM record").fetchone()
        return int(row[0] or 0)

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
            "SELECT position, chain FROM record ORDER BY position DESC LIMIT 1"
        ).fetchone()
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

    def digest(self, kind: str, value: str) -> bytes:
        """Give the keyed digest under which a payload value can be found again."""
        return hmac.digest(self._key, f"{kind}\0{value}".encode(), "sha256")

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
        rows = self.connection.execute(
            f"SELECT {COLUMNS} WHERE position > ? AND position <= ? AND (? IS NULL OR kind = ?) "
            "ORDER BY position",
            (after, (1 << 62) if until is None else until, kind, kind),
        )
        for row in rows:
            yield _record(row)

    def record(self, position: int) -> Record | None:
        """Give the record at a position, or None."""
        return read_record(self.connection, position)

    def by_id(self, record_id: str) -> Record | None:
        """Give the record with an id, or None."""
        row = self.connection.execute(f"SELECT {COLUMNS} WHERE id = ?", (record_id,)).fetchone()
        return _record(row) if row else None


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


def _record(row: sqlite3.Row) -> Record:
    body: Mapping[str, Any] | None = None
    if row["body"] is not None:
        data = bytes(row["body"])
        if not hmac.compare_digest(hmac.digest(row["key"], data, "sha256"), row["commitment"]):
            raise DamagedError(row["position"], "its payload does not match its commitment")
        body = json.loads(data)
    return Record(
        position=row["position"],
        kind=row["kind"],
        record_id=row["id"],
        recorded=row["recorded"],
        size=row["size"],
        body=body,
    )
