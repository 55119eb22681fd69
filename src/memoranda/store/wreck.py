"""What can be read of a damaged log, record by record, from a copy of its bytes in memory."""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoranda.errors import StoreError
from memoranda.store.files import Files
from memoranda.store.home import DATABASE
from memoranda.store.image import LIMIT, MAGIC, image
from memoranda.store.log import Record, link
from memoranda.store.newest import newest

MOST = 1 << 40
"""No log has so many records: a larger number is damage."""


@dataclass(slots=True)
class Piece:
    """What could be read of one record."""

    position: int
    kind: str = ""
    record_id: str = ""
    recorded: str = ""
    size: int = 0
    commitment: bytes = b""
    chain: bytes = b""
    key: bytes = b""
    data: bytes | None = None
    """The payload, vouched for by its commitment."""
    spare: bytes | None = None
    """A payload that could be read, while the envelope that vouches for it is gone."""
    erased: tuple[int, str, bytes | None] | None = None
    sound: bool = False
    """The envelope fits the chain of hashes, as far as that can be known."""

    @property
    def body(self) -> Mapping[str, Any] | None:
        """The payload, parsed."""
        return None if self.data is None else json.loads(self.data)

    @property
    def envelope(self) -> Record:
        """The envelope, as the chain of hashes covers it."""
        return Record(
            position=self.position,
            kind=self.kind,
            record_id=self.record_id,
            recorded=self.recorded,
            size=self.size,
            body=None,
        )

    @property
    def whole(self) -> bool:
        """Say whether envelope and payload are as they were written."""
        return self.sound and (self.data is not None or self.erased is not None)


@dataclass(frozen=True, slots=True)
class Wreck:
    """What could be read of a damaged log, and the copy of it in memory."""

    connection: sqlite3.Connection
    scope: Mapping[str, bytes]
    pieces: list[Piece]
    backup: str


@contextmanager
def looking(source: Path) -> Iterator[Wreck]:
    """Read every record by its position: a broken page costs the records on it.

    Raises:
        StoreError: nothing can be read; it names the newest backup.
    """
    with ExitStack() as stack:
        backup = newest(source)
        try:
            db = stack.enter_context(closing(_copy(source)))
            backup = backup or _elsewhere(db)
            scope = {name: _meta(db, name) for name in ("scope_id", "key")}
            pieces = [_piece(db, position) for position in range(1, _end(db) + 1)]
            if not any(piece.data is not None for piece in pieces):
                raise sqlite3.DatabaseError("no record can be read")
        except (sqlite3.Error, TypeError) as error:
            advice = (
                f"restore the newest backup, {backup}" if backup else "no backup of it is known"
            )
            text = f"{source / DATABASE}: nothing can be salvaged ({error}); {advice}"
            raise StoreError(text) from error
        _vouch(pieces, scope["scope_id"].decode("latin-1"))
        yield Wreck(db, scope, pieces, backup)


def _meta(db: sqlite3.Connection, name: str) -> bytes:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    if row is None or _kinds(row) != [bytes]:
        raise sqlite3.DatabaseError(f"the scope's {name} can't be read")
    return bytes(row[0])


def _copy(source: Path) -> sqlite3.Connection:
    """Copy the database with its write-ahead log into memory; what was cut off is filled with zeros."""
    files = Files(source)
    data = bytearray(files.read(source / DATABASE, limit=LIMIT) or b"")
    wal = files.read(source / f"{DATABASE}-wal", limit=LIMIT) or b""
    if not data.startswith(MAGIC):
        raise sqlite3.DatabaseError("it has no header")
    page = int.from_bytes(data[16:18], "big")
    size = (65536 if page == 1 else page) * int.from_bytes(data[28:32], "big")
    if len(data) < size <= LIMIT:
        data.extend(bytes(size - len(data)))
    with image(bytes(data), wal) as whole:
        copy = sqlite3.connect(":memory:", isolation_level=None)
        copy.deserialize(whole.serialize())
    copy.row_factory = sqlite3.Row
    return copy


def _elsewhere(db: sqlite3.Connection) -> str:
    """Give the newest backup outside the scope's folder, as far as the database tells."""
    row = _one(db, "SELECT value FROM meta WHERE name = 'backups'")
    try:
        found = json.loads(bytes(row[0])) if row else []
        return str(max(found, key=lambda item: item["position"])["path"]) if found else ""
    except (ValueError, TypeError, KeyError):
        return ""


def _end(db: sqlite3.Connection) -> int:
    """Give the last position that anything knows of."""
    found = [0]
    for sql in (
        "SELECT max(position) FROM record",
        "SELECT max(position) FROM payload",
        "SELECT max(by) FROM erased",
        "SELECT value FROM counter WHERE name = 'position'",
        "SELECT CAST(value AS TEXT) FROM meta WHERE name = 'projected'",
    ):
        row = _one(db, sql)
        number = str(row[0]) if row else ""
        found.append(int(number) if number.isascii() and number.isdecimal() else 0)
    return max(item for item in found if item < MOST)


def _one(db: sqlite3.Connection, sql: str, *values: object) -> Any:  # noqa: ANN401 - a row
    try:
        return db.execute(sql, values).fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def _piece(db: sqlite3.Connection, position: int) -> Piece:
    piece = Piece(position)
    row = _one(
        db, "SELECT kind, id, recorded, size, commitment, chain FROM record WHERE position = ?",
        position,
    )  # fmt: skip
    if row is not None and _kinds(row) == [str, str, str, int, bytes, bytes]:
        piece.kind, piece.record_id, piece.recorded, piece.size, piece.commitment, piece.chain = row
    gone = _one(db, "SELECT by, at, commitment FROM erased WHERE position = ?", position)
    if gone is not None and _kinds(gone) in ([int, str, bytes], [int, str, type(None)]):
        piece.erased = tuple(gone)
    payload = _one(db, "SELECT key, CAST(body AS BLOB) FROM payload WHERE position = ?", position)
    if payload is not None and _kinds(payload) == [bytes, bytes]:
        key, data = payload
        if not piece.commitment:
            piece.spare = data
            return piece
        vouched = (piece.erased[2] if piece.erased else None) or piece.commitment
        if hmac.compare_digest(hmac.digest(key, data, "sha256"), vouched):
            piece.key, piece.data = key, data
    return piece


def _kinds(row: Any) -> list[type]:  # noqa: ANN401 - a row
    """Give the types of a row's values: damage changes them too."""
    return [type(value) for value in row]


def _vouch(pieces: list[Piece], scope_id: str) -> None:
    """Say of each envelope whether it is what was written, by the hashes before and after it."""
    before: bytes | None = b""
    for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
        if not piece.chain:
            before = None
            continue
        if before is None:  # what came before is lost: the next hash may vouch for this one
            piece.sound = piece.data is not None
            before = piece.chain
            continue
        made = link(before, piece.envelope, piece.commitment, scope_id)
        piece.sound = made == piece.chain or _follows(after, made, scope_id)
        before = made if piece.sound else piece.chain


def _follows(after: Piece | None, made: bytes, scope_id: str) -> bool:
    """Say whether the next hash was made on this one: then only the hash beside it is damaged."""
    if after is None or not after.chain:
        return False
    return link(made, after.envelope, after.commitment, scope_id) == after.chain
