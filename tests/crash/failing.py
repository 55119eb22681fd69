"""A scripted life of a scope, and doubles that let one call of the system, or of SQLite, fail in it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest

from memoranda import Memory, errors
from memoranda.store import files, held
from memoranda.store.disk import Disk
from scene import QUIET, SENTENCES, Place

LONG = os.environ.get("MEMORANDA_LONG") == "1"
"""All faults, not a sample of them: minutes instead of seconds."""
CALLS = (
    "enter", "close", "mkdir", "open_file", "read", "write", "sync", "sync_folder", "replace",
    "exchange", "link", "unlink", "scan", "stat", "state",
)  # fmt: skip
Kind = Literal["EIO", "ENOSPC", "EINTR", "EMFILE", "short", "late", "full"]
KINDS: tuple[Kind, ...] = ("EIO", "ENOSPC", "EINTR", "EMFILE", "short", "late", "full")
"""An error of the system before the call has done anything; half of a write; an error although it
was done; a disk that takes nothing any more."""
CHANGING = frozenset(
    {"mkdir", "write", "sync", "sync_folder", "replace", "exchange", "link", "unlink"}
)


class Failing(Disk):
    """The real disk, but for one call; from then on for all that write, if it is full."""

    def __init__(self, at: int = 0, kind: Kind = "EIO") -> None:
        super().__init__()
        self.calls: list[str] = []
        self.failed = False
        self._at = at
        self._kind = kind

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._counted(name, found) if name in CALLS else found

    def _counted(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            self.calls.append(name)
            if self._is_hit(name):
                return self._hit(name, call, args)
            return call(*args)

        return counted

    def _is_hit(self, name: str) -> bool:
        at = len(self.calls)
        if self._kind == "full":
            return 0 < self._at <= at and name in CHANGING - {"unlink"}
        return at == self._at and (self._kind != "short" or name == "write")

    def _hit(self, name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        self.failed = True
        if self._kind == "short":
            fd, data = args
            return call(fd, data[: max(1, len(data) // 2)])
        if name == "close" or (self._kind == "late" and name in CHANGING):
            call(*args)  # a close that fails has closed all the same
        code = {"short": errno.EIO, "late": errno.EIO, "full": errno.ENOSPC}.get(self._kind)
        number = code or getattr(errno, self._kind)
        raise OSError(number, os.strerror(number))

    def mend(self) -> None:
        """Let nothing fail from now on."""
        self._at = 0


@contextmanager
def failing(at: int, kind: Kind) -> Iterator[Failing]:
    """Put a failing disk under every file layer that is made."""
    disk = Failing(at, kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "Disk", lambda: disk)
        yield disk


# --- SQLite ---------------------------------------------------------------------------------------


@dataclass
class Faulty:
    """What goes wrong in SQLite: a COMMIT, or a limit on the pages of the files."""

    at: int = 0
    """The COMMIT that fails; 0 for none."""
    late: bool = False
    """It fails although it was done."""
    pages: int = 0
    """How many pages a file may have; 0 for any number."""
    name: str = ""
    """The file that has the limit."""
    read_only: bool = False
    commits: int = 0
    failed: bool = False
    open: list[sqlite3.Connection] = field(default_factory=list)

    def mend(self) -> None:
        """Let nothing fail from now on."""
        self.at = self.pages = 0
        self.read_only = False
        for connection in self.open:
            with suppress(sqlite3.ProgrammingError):  # closed
                connection.execute("PRAGMA max_page_count = 1073741823")
                connection.execute("PRAGMA query_only = OFF")


@contextmanager
def faulty(fault: Faulty) -> Iterator[Faulty]:
    """Let SQLite fail in every connection that the package opens."""

    class Connection(held.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            if sql != "COMMIT":
                return super().execute(sql, *args)
            fault.commits += 1
            if fault.commits != fault.at:
                return super().execute(sql, *args)
            fault.failed = True
            if fault.late:
                super().execute(sql, *args)
            raise sqlite3.OperationalError("disk I/O error")

    real = sqlite3.connect

    def connect(path: Any, **given: Any) -> sqlite3.Connection:
        connection = real(path, **{**given, "factory": Connection})
        fault.open.append(connection)
        if fault.pages and Path(path).name == fault.name:
            connection.execute(f"PRAGMA max_page_count = {fault.pages}")
        if fault.read_only:
            connection.execute("PRAGMA query_only = ON")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("memoranda.store.connection.sqlite3.connect", connect)
        yield fault


# --- a life ---------------------------------------------------------------------------------------


class Life:
    """Opens, adds, consolidates, corrects, retracts, searches, rebuilds, backs up and closes.

    A step that fails is done again after `mend`: on the same handle, or on a new one, also if the
    error says so.

    Args:
        place: an empty root.
        mend: ends the fault, once it was met.
        anew: open a new handle after each fault.
    """

    def __init__(self, place: Place, mend: Callable[[], None], *, anew: bool) -> None:
        self._place = place
        self._mend = mend
        self._anew = anew
        self._memory: Memory | None = None
        self.said: list[errors.MemorandaError] = []
        self.added: dict[str, str] = {}
        """Acknowledged events: id given back -> text."""
        self.backups: list[str] = []

    def live(self) -> None:
        """Go through all steps."""
        for number in range(3):
            self._step(partial(self._add, number))
        self._step(lambda memory: memory.consolidate())
        self._step(self._correct)
        self._step(self._retract)
        self._step(lambda memory: memory.search("kiln"))
        self._step(partial(self._add, 3))
        self._step(lambda memory: memory.rebuild())
        self._step(lambda memory: self.backups.append(memory.backup().path))
        self._close()

    def _step(self, work: Callable[[Memory], object]) -> None:
        for _ in range(3):
            try:
                if self._memory is None:
                    self._memory = self._place.open()
                work(self._memory)
            except errors.MemorandaError as error:
                self.said.append(error)
                self._mend()
                if self._anew or "open the memory again" in str(error):
                    self._close()
            else:
                return
        raise AssertionError(f"still fails on a sound disk: {self.said}")

    def _close(self) -> None:
        memory, self._memory = self._memory, None
        try:
            if memory is not None:
                memory.close()
        except errors.MemorandaError as error:
            self.said.append(error)
            self._mend()

    def _add(self, number: int, memory: Memory) -> None:
        text = SENTENCES[number]
        added = memory.add(text, id=f"n{number}", session="s", time=f"2026-05-0{number + 1}")
        self.added[added.event_ids[0]] = text

    def _correct(self, memory: Memory) -> None:
        if any("corrects" in (r.body or {}).get("metadata", {}) for r in memory.log(kind="event")):
            return  # it was done, though an error was told
        added = memory.correct(1, "The old kiln was sold.")
        self.added[added.event_ids[0]] = "The old kiln was sold."

    def _retract(self, memory: Memory) -> None:
        if not any(True for _ in memory.log(kind="retraction")):
            memory.retract(2)


def lived(root: Path, mend: Callable[[], None], *, anew: bool, ids: str = "f-") -> Life:
    """Let a life pass in an empty root."""
    place = Place(root, QUIET, ids=ids)
    life = Life(place, mend, anew=anew)
    try:
        life.live()
    finally:
        place.close()
    return life
