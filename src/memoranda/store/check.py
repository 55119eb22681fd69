"""A check of a scope: every record, the hash chain, the views and the files; it changes nothing."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from memoranda.errors import MemorandaError
from memoranda.reports import Checked, Flaw
from memoranda.store.home import Home
from memoranda.store.log import Record, link
from memoranda.store.schema import VIEW_NAMES

Progress = Callable[[int, int], None]

EVERY = 1000
"""Records between two calls of `progress`."""
RESTORE = "restore a backup; the other records are served"
_RECORDS = (
    "SELECT record.position, kind, id, recorded, size, record.commitment AS own, chain,"
    " erased.position AS erased, erased.commitment AS left, key, CAST(body AS BLOB) AS body "
    "FROM record LEFT JOIN payload USING (position) LEFT JOIN erased USING (position) "
    "ORDER BY record.position"
)


def check(home: Home, *, full: bool = False, progress: Progress | None = None) -> Checked:
    """Look at everything and say what is wrong. Call it under the scope's lock.

    Args:
        home: the scope.
        full: fold the whole log again beside the views, compare the two, and let SQLite look at its
            indexes too; adds of others wait while that lasts.
        progress: called with (records done, all records).
    """
    with home.log.snapshot() as position:
        flaws = list(_database(home.log.connection, full=full))
        walk = _Walk(home, progress)
        flaws += walk.flaws()
        flaws += _position(home, position)
        files = dict(_files(home))
    flaws += [Flaw(part="files", name=file, text=text) for file, text in files.items() if text]
    if full and not flaws:
        flaws += _views(home)
    return Checked(
        records=walk.done, position=position, full=full, files=len(files), flaws=tuple(flaws)
    )


def _database(connection: sqlite3.Connection, *, full: bool) -> Iterator[Flaw]:
    """Let SQLite look at its pages."""
    try:
        rows = connection.execute(f"PRAGMA {'integrity' if full else 'quick'}_check(20)").fetchall()
    except sqlite3.DatabaseError as error:
        rows = [(str(error),)]
    for row in rows:
        if row[0] != "ok":
            text = f"SQLite says: {row[0]}; restore a backup"
            yield Flaw(part="database", name="memory.db", text=text)


class _Walk:
    """Goes through the records in order, each with its payload and its link of the chain."""

    def __init__(self, home: Home, progress: Progress | None) -> None:
        self._log = home.log
        self._progress = progress
        self._last = 0
        self._chain = b""
        self.done = 0

    def flaws(self) -> Iterator[Flaw]:
        """Give what is wrong, by position."""
        try:
            total = self._log.connection.execute("SELECT count(*) FROM record").fetchone()[0]
            for row in self._log.connection.execute(_RECORDS):
                yield from self._of(row)
                self.done += 1
                if self._progress is not None and (self.done % EVERY == 0 or self.done == total):
                    self._progress(self.done, total)
        except sqlite3.DatabaseError as error:
            text = f"can't be read on from here: SQLite says {error}; restore a backup"
            yield Flaw(part="record", name=str(self._last + 1), text=text)

    def _of(self, row: sqlite3.Row) -> Iterator[Flaw]:
        name = str(row["position"])
        if row["position"] != self._last + 1:
            text = f"record {self._last + 1} is missing before it; restore a backup"
            yield Flaw(part="chain", name=name, text=text)
        elif _link(row, self._chain, self._log.scope_id) != row["chain"]:
            text = f"its envelope does not fit the chain of hashes; {RESTORE}"
            yield Flaw(part="chain", name=name, text=text)
        fault = _payload(row)
        if fault is not None:
            yield Flaw(part="record", name=name, text=f"{fault}; {RESTORE}")
        self._last, self._chain = row["position"], bytes(row["chain"])


def _link(row: sqlite3.Row, before: bytes, scope_id: str) -> bytes:
    record = Record(
        position=row["position"],
        kind=row["kind"],
        record_id=row["id"],
        recorded=row["recorded"],
        size=row["size"],
        body=None,
    )
    return link(before, record, bytes(row["own"]), scope_id)


def _payload(row: sqlite3.Row) -> str | None:
    """Say what is wrong with a payload; what was erased is vouched for by its tombstone."""
    if row["body"] is None:
        return "its payload is missing" if row["erased"] is None else None
    vouched = row["own"] if row["left"] is None else row["left"]
    made = hmac.digest(row["key"], bytes(row["body"]), "sha256")
    if hmac.compare_digest(made, vouched):
        return None
    return "its payload does not match its commitment"


def _position(home: Home, position: int) -> Iterator[Flaw]:
    seen = home.fold.counter("position")
    if seen != position:
        text = f"the views are at position {seen}, the log at {position}; run rebuild"
        yield Flaw(part="views", name="counter", text=text)


# --- files ----------------------------------------------------------------------------------------


def _files(home: Home) -> Iterator[tuple[str, str]]:
    """Give each file of ours with what is wrong with it, or ""."""
    rows = home.log.connection.execute(
        "SELECT file, document_id, digest FROM projection ORDER BY file"
    ).fetchall()
    for row in rows:
        yield row["file"], _file(home, row["file"], row["digest"])
    known = {row["document_id"] for row in rows}
    written = int(home.log.meta("projected") or b"0")
    for info in home.view.documents():
        if info.document_id not in known and info.version <= written:
            yield info.file, "it was not written; open the memory again"


def _file(home: Home, file: str, digest: bytes) -> str:
    try:
        data = home.shelf.read(home.shelf.root / file)
    except MemorandaError as error:
        return str(error)
    if data is None:
        return "is missing; the next opening writes it again"
    if home.projection.digest(data) != digest:
        return "is not as it was written; the next opening keeps a copy and writes it again"
    return ""


# --- views ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Trial:
    """What a fold of the whole log makes, in a trial that is undone."""

    tables: Mapping[str, bytes]
    fault: str = ""


def _views(home: Home) -> Iterator[Flaw]:
    """Fold the log again and compare, table by table; the trial is undone."""
    with home.log.trial():
        before = _hashes(home.log.connection)
        found = _folded(home)
    if found.fault:
        yield Flaw(part="views", name="fold", text=f"{found.fault}; restore a backup")
        return
    for name in VIEW_NAMES:
        if before[name] != found.tables[name]:
            text = "is not what the log makes of it; run rebuild"
            yield Flaw(part="views", name=name, text=text)


def _folded(home: Home) -> _Trial:
    for name in VIEW_NAMES:
        home.log.connection.execute(f"DELETE FROM {name}")
    try:
        for record in home.log.records():
            home.fold.apply(record)
    except MemorandaError as error:
        return _Trial({}, str(error))
    return _Trial(_hashes(home.log.connection))


def _hashes(connection: sqlite3.Connection) -> dict[str, bytes]:
    """Give a hash over the rows of every view table, in the order of their keys."""
    found = {}
    for name in VIEW_NAMES:
        digest = hashlib.sha256()
        for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2"):
            digest.update(repr(tuple(row)).encode())
        found[name] = digest.digest()
    return found
