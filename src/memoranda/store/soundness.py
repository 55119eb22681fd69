"""What a check looks at besides the records: tombstones, digests, views, index, files, known backups."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoranda.errors import MemorandaError
from memoranda.reports import Flaw
from memoranda.store.backup import known_backups
from memoranda.store.erasure import is_forgotten
from memoranda.store.following import catch_up
from memoranda.store.home import INDEX, Home
from memoranda.store.image import LIMIT, image
from memoranda.store.index import FtsIndex
from memoranda.store.schema import VIEW_NAMES

REBUILD = "run rebuild"
RESTORE = "restore a backup"


def known_end(home: Home, position: int) -> Iterator[Flaw]:
    """Say whether anything beside the log knows of records behind its end: then they were lost."""
    try:
        backups = known_backups(home.log)
        seen = int(home.log.meta("projected") or b"0")
    except (ValueError, TypeError) as error:
        text = f"what it notes of backups and files can't be read ({error}); {RESTORE}"
        yield Flaw(part="database", name="meta", text=text)
        return
    for item in backups:
        if item.position > position:
            text = (
                f"it holds records up to {item.position}, the log ends at {position}: "
                "records were lost; restore it"
            )
            yield Flaw(part="backups", name=item.path, text=text)
    if seen > position:
        text = f"they show record {seen}, the log ends at {position}: records were lost; {RESTORE}"
        yield Flaw(part="files", name="topics", text=text)


def derived(home: Home) -> Iterator[Flaw]:
    """Compare what is derived with the log, as a whole."""
    yield from _tombstones(home)
    yield from _digests(home)
    views = list(_views(home))
    yield from views or _index(home)  # an index made anew of damaged views would tell nothing


# --- tombstones and digests -----------------------------------------------------------------------


def _tombstones(home: Home) -> Iterator[Flaw]:
    """Look that each tombstone is one that its forget record speaks of."""
    told: dict[int, tuple[str, Mapping[str, Any]]] = {
        record.position: (record.recorded, record.body or {})
        for record in home.log.marked(kind="forget")
    }
    rows = home.log.connection.execute("SELECT position, by, at, commitment FROM erased")
    for position, by, at, left in rows:
        recorded, body = told.get(by, ("", {}))
        vouched = body.get("records", {}).get(str(position), "")
        wrong = recorded != at or (vouched and left is not None and vouched != bytes(left).hex())
        if wrong or (left is not None and not vouched):
            text = f"its tombstone is not the one of forget record {by}; {RESTORE}"
            yield Flaw(part="record", name=str(position), text=text)


def _digests(home: Home) -> Iterator[Flaw]:
    """Look that every event can be found by its ids, and that nothing else claims to be one."""
    wanted: set[tuple[str, bytes, int]] = set()
    gone: set[int] = set()
    for record in home.log.marked(kind="event"):
        body = record.body
        if body is None or is_forgotten(body):
            gone.add(record.position)
            continue
        for kind, value in ids_of(body):
            wanted.add((kind, home.log.digest(kind, value), record.position))
    rows = home.log.connection.execute("SELECT kind, digest, position FROM digest")
    have = {(row[0], bytes(row[1]), row[2]) for row in rows}
    odd = {item for item in have - wanted if item[2] not in gone and item[0] != "call"}
    for _, _, position in sorted(wanted - have | odd, key=lambda item: item[2]):
        text = f"the digests by which it is found are not those of its ids; {RESTORE}"
        yield Flaw(part="digests", name=str(position), text=text)


def ids_of(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give the kinds and values of the digests by which an event is found."""
    external, own = body.get("external_id"), body.get("idempotency_key")
    project = body.get("project") or ""
    for key in dict.fromkeys(key for key in (own, external) if key):
        yield "idempotency", f"{project}\0{key}"
    if external:
        yield "external_id", external


# --- files ----------------------------------------------------------------------------------------


def files(home: Home) -> list[tuple[str, str]]:
    """Give each file of ours with what is wrong with it, or ""."""
    rows = home.log.connection.execute(
        "SELECT file, document_id, digest FROM projection ORDER BY file"
    ).fetchall()
    found = [(row["file"], _file(home, row)) for row in rows]
    known = {row["document_id"] for row in rows}
    try:
        written = int(home.log.meta("projected") or b"0")
        infos = home.view.documents()
    except (ValueError, TypeError):
        return [
            *found,
            ("topics", f"can't be compared with the views, which are damaged; {REBUILD}"),
        ]
    found += [
        (info.file, "it was not written; open the memory again")
        for info in infos
        if info.document_id not in known and info.version <= written
    ]
    return found


def _file(home: Home, row: sqlite3.Row) -> str:
    try:
        data = home.shelf.read(home.shelf.root / row["file"])
    except MemorandaError as error:
        return str(error)
    if data is None:
        return "is missing; the next opening writes it again"
    if home.projection.digest(data) != row["digest"]:
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
        yield Flaw(part="views", name="fold", text=f"{found.fault}; {RESTORE}")
        return
    for name in VIEW_NAMES:
        if before[name] != found.tables[name]:
            text = f"is not what the log makes of it; {REBUILD}"
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


# --- index ----------------------------------------------------------------------------------------


def _index(home: Home) -> Iterator[Flaw]:
    """Compare a copy of the index, caught up, with one that is made anew: both in memory."""
    path = home.folder / INDEX
    try:
        data = home.files.read(path, limit=LIMIT)
        wal = home.files.read(path.with_name(f"{INDEX}-wal"), limit=LIMIT) or b""
    except MemorandaError as error:
        yield Flaw(part="index", name=INDEX, text=str(error))
        return
    if not data:
        return
    with _in_memory(home) as anew, _in_memory(home) as copy:
        catch_up(anew, home.log)
        fault = _unlike(copy, anew, data, wal, home)
    if fault:
        text = f"{fault}; it is moved aside and made again by rebuild"
        yield Flaw(part="index", name=INDEX, text=text)


def _unlike(copy: FtsIndex, anew: FtsIndex, data: bytes, wal: bytes, home: Home) -> str:
    """Say in what an index file, given by its bytes, is not what it should be; "" if it is."""
    try:
        with image(data, wal) as whole:
            copy.connection.deserialize(whole.serialize())
        if copy.connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None:
            return ""  # it was begun and not made yet: the next search makes it
        if not copy.is_sound():
            return "SQLite finds it damaged"
        if copy.position > home.log.position():
            return f"it holds record {copy.position}, the log ends before: records were lost"
        copy.connection.execute("INSERT INTO unit (unit) VALUES ('integrity-check')")
        catch_up(copy, home.log)
        return "" if copy.rows() == anew.rows() else "it does not hold what the log says"
    except (sqlite3.Error, ValueError, TypeError) as error:
        return f"SQLite says: {error}"


@contextmanager
def _in_memory(home: Home) -> Iterator[FtsIndex]:
    seconds = home.settings.busy_seconds
    index = FtsIndex(Path(":memory:"), scope_id=home.log.scope_id, busy_seconds=seconds)
    try:
        yield index
    finally:
        index.close()
