"""Files that SQLite has open in this process: closing another descriptor of one would drop its locks.

A POSIX lock belongs to a process and a file, and goes when the process closes any descriptor of that
file. SQLite knows of its own descriptors only. Without the care taken here, a scan of memory.db would
take the locks from the connection beside it, and another process that closes the scope would take
itself for the last one and remove the write-ahead log under our feet.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from pathlib import Path
from typing import Any, Final

Key = tuple[int, int]
"""Device and inode."""

LOCKED: Final = ("", "-shm")
"""Beside the file itself SQLite holds locks on its shared memory."""

_lock = threading.RLock()  # locks are the process's own, and so is this
_held: Counter[Key] = Counter()
_spare: dict[Key, list[int]] = {}


class Connection(sqlite3.Connection):
    """A connection whose files are held from `hold` on, until it is closed."""

    def __init__(self, *args: Any, **given: Any) -> None:  # noqa: ANN401 - as sqlite3 has it
        super().__init__(*args, **given)
        self._keys: tuple[Key, ...] = ()

    def hold(self, path: Path | str) -> None:
        """Hold the files of a database; call it once it is in WAL mode."""
        self.execute(
            "PRAGMA schema_version"
        ).fetchone()  # the shared memory is made by a first look
        keys = (_key(f"{path}{side}") for side in LOCKED if os.name == "posix")
        with _lock:
            self._keys = tuple(key for key in keys if key is not None)
            _held.update(self._keys)

    def close(self) -> None:
        """Close; then no lock is left to be lost, unless by another connection."""
        super().close()
        self._let_go()

    def __del__(self) -> None:
        """Let go of the files of a connection that nobody closed."""
        self._let_go()

    def _let_go(self) -> None:
        keys, self._keys = getattr(self, "_keys", ()), ()
        with _lock:
            for key in keys:
                _held[key] -= 1
                if _held[key] <= 0:
                    del _held[key]
                    for fd in _spare.pop(key, []):
                        os.close(fd)


def is_held(path: Path | str) -> bool:
    """Say whether SQLite has a file open in this process."""
    with _lock:
        return bool(_held) and _key(path) in _held


def reopened(name: str | bytes, folder: int | None) -> int | None:
    """Give a descriptor of a held file that was put aside, at its start; None if there is none."""
    with _lock:
        if not _spare:
            return None
        key = _key(name, folder)
        fds = _spare.get(key) if key is not None else None
        if not fds:
            return None
        fd = fds.pop()
        os.lseek(fd, 0, os.SEEK_SET)
        return fd


def close(fd: int) -> None:
    """Close a descriptor, or put it aside if it is of a held file."""
    with _lock:
        if _held:
            found = os.fstat(fd)
            key = (found.st_dev, found.st_ino)
            if key in _held:
                _spare.setdefault(key, []).append(fd)
                return
    os.close(fd)


def _key(name: str | bytes | Path, folder: int | None = None) -> Key | None:
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return None
    return found.st_dev, found.st_ino
