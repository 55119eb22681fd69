"""The doctor: everything around a memory that can keep it from working, each with what mends it."""

from __future__ import annotations

import os
import platform
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memoranda.errors import MemorandaError, ModelError
from memoranda.inspections import Examined, Finding
from memoranda.llm.model import Message, Model, Request
from memoranda.store import schema
from memoranda.store.backup import known_backups
from memoranda.store.disk import room
from memoranda.store.files import Files
from memoranda.store.home import DATABASE, INDEX, Home
from memoranda.store.ledger import PENDING
from memoranda.store.newest import newest
from memoranda.store.places import doubt

LEAST_ROOM = 200 * 1024 * 1024
"""Less free space than this, or than three times the database, is too little."""
LARGE_WAL = 64 * 1024 * 1024
OLD_SQLITE = (3, 37, 0)
"""STRICT tables came with it."""
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def examine(home: Home, model: str, asked: Model | None) -> Examined:
    """Look at a scope that is open. Nothing is changed.

    Args:
        home: the scope.
        model: the name of the model that the memory is opened with.
        asked: the model, if it is to be asked a short question; None asks none.
    """
    return Examined(
        findings=(
            *_places(home),
            *_rights(home),
            *_locks(home),
            *_versions(home),
            *_space(home),
            *_files(home),
            *_backups(home),
            *_model(model, asked),
        )
    )


def _ok(name: str, text: str) -> Finding:
    return Finding(name=name, state="ok", text=text)


def _note(name: str, text: str, fix: str = "") -> Finding:
    return Finding(name=name, state="note", text=text, fix=fix)


def _bad(name: str, text: str, fix: str) -> Finding:
    return Finding(name=name, state="bad", text=text, fix=fix)


def _places(home: Home) -> Iterator[Finding]:
    yield _ok("root", f"{home.folder.parents[2]}")
    for name, path in (("folder", home.folder), ("documents", home.shelf.root)):
        doubts = doubt(path)
        if doubts:
            yield _bad(name, doubts, "move the data to a local folder, and name it with --root")
        elif name == "folder" or path != home.folder:
            yield _ok(name, f"{path}: a local folder")


def _rights(home: Home) -> Iterator[Finding]:
    if os.name != "posix":
        return
    wide = []
    for folder, names in ((home.folder.parent, {home.folder.name}), (home.folder, None)):
        for item in Files(folder).names(folder):
            ours = names is None or item.name in names
            if ours and item.state is not None and item.state.st_mode & _OTHERS:
                wide.append(item.name)
    yield _open_to_others(home, wide)


def _open_to_others(home: Home, wide: list[str]) -> Finding:
    folder = Files(home.folder.parent).names(home.folder.parent)
    closed = any(
        item.name == home.folder.name and item.state and not item.state.st_mode & _OTHERS
        for item in folder
    )
    if closed or not wide:
        return _ok("rights", "only its owner can read it")
    return _bad("rights", f"others may read {home.folder}", f"chmod 700 '{home.folder}'")


def _locks(home: Home) -> Iterator[Finding]:
    try:
        with home.try_locked() as free, home.try_upkeep() as idle:
            yield _ok("lock", "free") if free else _note("lock", "another process is at work")
            if not idle:
                yield _note("upkeep", "another process has a model at work")
    except MemorandaError as error:
        yield _bad("lock", str(error), f"look at the files *.lock in {home.folder}")


def _versions(home: Home) -> Iterator[Finding]:
    yield _ok(
        "database", f"{home.database}: format {schema.FORMAT}, position {home.log.position()}"
    )
    told = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    if sqlite3.sqlite_version_info < OLD_SQLITE:
        yield _bad("versions", told, "use a Python with SQLite 3.37 or newer")
    else:
        yield _ok("versions", told)


def _space(home: Home) -> Iterator[Finding]:
    sizes = {name: _size(home, name) for name in (DATABASE, f"{DATABASE}-wal", INDEX)}
    free = room(home.folder)
    wanted = max(LEAST_ROOM, 3 * sizes[DATABASE])
    if free is None:
        yield _note("space", "the system does not tell how much is free")
    elif free < wanted:
        text = f"{free // 2**20:,} MiB are free, {wanted // 2**20:,} are wanted"
        yield _bad("space", text, "free some space, or move the data")
    else:
        yield _ok("space", f"{free // 2**20:,} MiB free, {sum(sizes.values()) // 2**20:,} MiB used")
    if sizes[f"{DATABASE}-wal"] > LARGE_WAL:
        fix = "close the program that has the memory open for long"
        yield _note("wal", f"{sizes[f'{DATABASE}-wal'] // 2**20:,} MiB wait to be taken in", fix)


def _size(home: Home, name: str) -> int:
    with suppress(MemorandaError):
        state = home.files.stat(home.folder / name)
        return 0 if state is None else state.size
    return 0


def _files(home: Home) -> Iterator[Finding]:
    for fault in filter(None, home.log.meta("files").decode().split("\n")):
        yield _bad("files", fault, "move it away, and open the memory again")
    conflicts = home.projection.conflicts()
    for name in conflicts:
        yield _bad("conflict", f"{name} is not as we wrote it", "look at it, then move it away")
    if not conflicts:
        yield _ok("files", f"{len(home.view.ids()):,} documents in {home.shelf.root}")
    for item in home.files.names(home.folder):
        if item.name.startswith(f"{INDEX}.damaged"):
            yield _note("index", f"{item.name} was moved aside", "delete it")
    failed = home.log.meta("failed").decode()
    if failed:
        yield _bad("failed", failed, "consolidate again")
    if home.log.meta(PENDING):
        yield _bad("forgetting", "something is being forgotten", "open the memory again")


def _backups(home: Home) -> Iterator[Finding]:
    elsewhere = [item for item in known_backups(home.log) if _is_there(Path(item.path))]
    found = newest(home.folder) or max((item.path for item in elsewhere), default="")
    if found:
        yield _ok("backup", f"the newest that is known: {found}")
    else:
        yield _note("backup", "there is no backup", "memoranda backup")


def _is_there(path: Path) -> bool:
    with suppress(MemorandaError):
        return Files(path.parent).stat(path) is not None
    return False


def _model(name: str, asked: Model | None) -> Iterator[Finding]:
    if asked is None:
        told = "no model is needed" if name == "rules" else "not asked; --model-call asks it"
        yield _ok("model", f"{name}: {told}")
        return
    question = Message(role="user", content="Answer with the one word: yes.")
    try:
        reply = asked.ask(Request(messages=(question,), max_tokens=16, timeout=30.0))
    except ModelError as error:
        yield _bad("model", str(error), "check its name, its key and its address")
    else:
        yield _ok("model", f"{name}: answered ({reply.usage.tokens:,} tokens)")
