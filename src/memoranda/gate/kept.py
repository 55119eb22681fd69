"""A file that only its owner reads: looked at before it is used, written whole."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from memoranda.errors import InputError, UnsafePathError

MOST: Final = 1 << 20
"""Bytes that such a file may have."""
_OTHERS: Final = 0o077

Seen = tuple[int, int, int]
"""What changes when a file does: its inode, its size, when it was written."""


def look(file: Path) -> Seen | None:
    """Say which file stands there now; None if none does."""
    try:
        found = file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def read(file: Path) -> bytes:
    """Give the bytes of a file.

    Raises:
        FileNotFoundError: there is none.
        UnsafePathError: it is a link, or no regular file.
        InputError: others can read it, or it is too large.
    """
    if file.is_symlink():
        raise UnsafePathError(str(file), "a link stands where a secret should be")
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnsafePathError(str(file), "no regular file")
        if os.name == "posix" and found.st_mode & _OTHERS:
            raise InputError(f"others can read the secret in {file}; run: chmod 600 {file}")
        data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise InputError(f"{file} is larger than {MOST} bytes; it is none of ours")
    return data


def make_folder(file: Path) -> None:
    """Make the folder of a file, if it is not there."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)


def make(file: Path, data: bytes) -> None:
    """Write a file that must not be there yet, with mode 0600, and its folder.

    Raises:
        FileExistsError: it is there.
    """
    make_folder(file)
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def put(file: Path, data: bytes) -> None:
    """Write a file whole in place of the one that is there; one caller at a time."""
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    make(new, data)
    new.replace(file)
