"""A verified copy of memory.db, made by SQLite's own backup while others go on writing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from memoranda.errors import InputError, MemorandaError, StoreError, UnsafePathError
from memoranda.reports import BackedUp, KnownBackup
from memoranda.store.connection import SIDES, connect
from memoranda.store.faults import telling
from memoranda.store.files import Files, look, real
from memoranda.store.home import Home
from memoranda.store.locks import scope_lock, try_scope_lock
from memoranda.store.log import Log

FOLDER = "backups"
LOCK = "backup.lock"
KNOWN = "backups"
"""Name of the meta value that lists the backups outside the scope's folder."""
UNDERWAY = "backup"
"""Name of the meta value that says which copy is being made: its temporary file, its name."""
PAGES = 1024
"""Pages that one step copies."""

Progress = Callable[[int, int], None]


def backup(home: Home, target: Path | None, *, progress: Progress | None = None) -> BackedUp:
    """Copy the database as it stands at one log position into a new file, and verify the copy.

    Args:
        home: the scope.
        target: the new file, in a folder that exists; None: `backups/memory-<position>.db` in the
            scope's folder. If that is there already and sound, it is the answer.
        progress: called with (pages done, all pages).

    Raises:
        InputError: the target exists, is a folder, or lies in a folder of a scope.
        UnsafePathError: a link stands where the copy should be.
        BusyError: another backup of this scope is running for too long.
        StoreError: the copy could not be made or is not sound; no file got the target's name.
    """
    path = None if target is None else checked_target(home, target)
    home.files.make_folder(home.folder / FOLDER)
    with scope_lock(home.folder / LOCK, home.settings.busy_seconds):
        _sweep(home)
        try:
            return _made(home, path, progress)
        except BaseException:
            with suppress(MemorandaError, sqlite3.Error):
                _sweep(home)
            raise


def sweep(home: Home) -> None:
    """Remove what a killed backup left; does nothing while another one is running."""
    if home.log.meta(UNDERWAY):
        with try_scope_lock(home.folder / LOCK) as held:
            if held:
                _sweep(home)


def known_backups(log: Log) -> list[KnownBackup]:
    """Name the backups outside the scope's folder, by path: erasing can't reach them.

    One that was begun counts, until what is left of it has been swept.
    """
    found = json.loads(log.meta(KNOWN) or b"[]")
    return sorted((KnownBackup(**item) for item in found), key=lambda item: item.path)


def checked_target(home: Home, target: Path) -> Path:
    """Give the absolute path of a copy that is to be made; refuse what may not be written.

    Raises:
        InputError: it exists, is a folder, or lies in a folder of a scope.
        UnsafePathError: a link stands there.
    """
    path = real(target.absolute().parent) / target.name
    ours = path.parent == home.folder / FOLDER
    if not ours and path.is_relative_to(home.folder.parents[1]):
        raise InputError(f"{path} is inside the data folder; choose a file elsewhere, or none")
    if not ours and look(path.parent) != "folder":
        raise InputError(f"{path.parent} is no folder; make it first, or choose another one")
    match look(path):
        case None:
            return path
        case "link":
            raise UnsafePathError(str(path), "is a link")
        case "folder":
            raise InputError(f"{path} is a folder; name a file in it")
        case _:
            raise _taken(path)


def _taken(path: Path) -> InputError:
    return InputError(f"{path} exists already; a backup never replaces anything")


def _made(home: Home, target: Path | None, progress: Progress | None) -> BackedUp:
    files = Files(home.folder / FOLDER if target is None else target.parent)
    temporary = files.root / files.temporary_name()
    _intend(home, temporary, target)
    files.create(temporary, b"")
    with telling(temporary, home.settings.busy_seconds):
        position, events, chain = _copy(home, temporary, progress)
    path = target or files.root / f"memory-{position}.db"
    if not files.rename(temporary, path):
        if target is not None:
            raise _taken(path)
        _compare(path, chain, home.settings.busy_seconds)
        files.remove(temporary)
    _finish(home, target, position)
    state = files.stat(path)
    if state is None:
        raise StoreError(f"{path} went away while the backup was made; make it again")
    return BackedUp(path=str(path), position=position, events=events, bytes=state.size, chain=chain)


def _copy(home: Home, temporary: Path, progress: Progress | None) -> tuple[int, int, str]:
    """Copy one snapshot into an empty file, and verify it; gives position, events and chain."""

    def tick(_: int, left: int, total: int) -> None:
        if progress is not None:
            progress(total - left, total)

    with closing(connect(temporary, busy_seconds=home.settings.busy_seconds)) as copy:
        with home.log.snapshot():
            wanted = _facts(home.log.connection)
            home.log.connection.backup(copy, pages=PAGES, progress=tick)
        copy.execute("DELETE FROM meta WHERE name = ?", (UNDERWAY,))
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        found = _verified(copy)
    if found != wanted or any(
        look(temporary.with_name(temporary.name + side)) for side in SIDES[1:]
    ):
        raise StoreError(f"{temporary}: the copy is not whole; check the disk and try again")
    return wanted


def _facts(connection: sqlite3.Connection) -> tuple[int, int, str]:
    """Give the last position, the number of events and the hash of the log."""
    row = connection.execute(
        "SELECT position, hex(chain) FROM record ORDER BY position DESC LIMIT 1"
    ).fetchone()
    events = connection.execute("SELECT count(*) FROM record WHERE kind = 'event'").fetchone()[0]
    return (row[0], events, row[1].lower()) if row else (0, 0, "")


def _verified(connection: sqlite3.Connection) -> tuple[int, int, str] | None:
    """Give a copy's facts; None if SQLite finds it damaged."""
    sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
    return _facts(connection) if sound else None


def _compare(path: Path, chain: str, busy_seconds: float) -> None:
    """Look that the backup which has our name holds the same log."""
    with telling(path, busy_seconds), closing(connect(path, busy_seconds=busy_seconds)) as other:
        found = _verified(other)
    if found is None or found[2] != chain:
        raise StoreError(f"{path} is not the backup that its name says; move it away and try again")


# --- what is known of backups ---------------------------------------------------------------------


def remember(home: Home, path: Path, position: int) -> None:
    """List a copy outside the scope's folder: erasing can't reach it, and says so."""
    with home.log.transaction():
        _know(home, path, position)


def _intend(home: Home, temporary: Path, target: Path | None) -> None:
    """Note what is about to be written, before anything is."""
    begun = {"temporary": str(temporary), "path": None if target is None else str(target)}
    with home.log.transaction():
        home.log.set_meta(UNDERWAY, json.dumps(begun).encode())
        if target is not None and not target.is_relative_to(home.folder):
            _know(home, target, home.log.position())


def _finish(home: Home, target: Path | None, position: int) -> None:
    with home.log.transaction():
        home.log.set_meta(UNDERWAY, b"")
        if target is not None and not target.is_relative_to(home.folder):
            _know(home, target, position)


def _know(home: Home, target: Path, position: int | None) -> None:
    """List a backup outside the scope's folder, or with no position take it off the list."""
    others = [item for item in known_backups(home.log) if item.path != str(target)]
    if position is not None:
        others.append(KnownBackup(path=str(target), time=home.log.now(), position=position))
    kept = json.dumps([item.to_dict() for item in others]).encode()
    home.log.set_meta(KNOWN, kept)


def _sweep(home: Home) -> None:
    """Remove the temporary files of backups that did not end. Call it under their lock."""
    home.files.sweep(home.folder / FOLDER)
    noted = home.log.meta(UNDERWAY)
    if not noted:
        return
    begun = json.loads(noted)
    temporary = Path(begun["temporary"])
    files = Files(temporary.parent)
    if files.is_temporary(temporary.name):
        for side in SIDES:
            files.remove(temporary.with_name(temporary.name + side))
    with home.log.transaction():
        home.log.set_meta(UNDERWAY, b"")
        if begun["path"] and look(temporary.parent) and not look(Path(begun["path"])):
            _know(home, Path(begun["path"]), None)
