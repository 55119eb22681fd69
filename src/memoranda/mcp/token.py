"""The bearer token of the HTTP server: from the environment, or from a file that only its owner reads."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from memoranda.errors import InputError, UnsafePathError

VARIABLE: Final = "MEMORANDA_MCP_TOKEN"
FILE: Final = "mcp-token"
"""The file's name, in the data root, when no other is given."""
_FORM: Final = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")
_OTHERS: Final = 0o077
_MOST: Final = 4096


def find(environ: Mapping[str, str], file: Path, make: Callable[[], str]) -> str:
    """Give the token: that of the environment, else that of the file, which is made if it is new.

    Args:
        environ: the environment.
        file: where it is kept, with mode 0600.
        make: gives a new token.

    Raises:
        InputError: what is there is no token: 16 to 512 letters, digits and ._~+/=-.
        UnsafePathError: the file is a link, or others can read it.
    """
    given = environ.get(VARIABLE)
    if given:
        return _checked(given, VARIABLE)
    try:
        return _checked(_read(file), str(file))
    except FileNotFoundError:
        return _made(file, make())


def _checked(text: str, where: str) -> str:
    if _FORM.fullmatch(text) is None:
        raise InputError(f"{where} holds no token: give 16 to 512 letters, digits and ._~+/=-")
    return text


def _made(file: Path, token: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another server made it in this moment
        return _checked(_read(file), str(file))
    with os.fdopen(handle, "w", encoding="ascii") as stream:
        stream.write(token + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    return token


def _read(file: Path) -> str:
    if file.is_symlink():
        raise UnsafePathError(str(file), "a link stands where the token should be")
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as stream:
        found = os.fstat(stream.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnsafePathError(str(file), "no regular file")
        if os.name == "posix" and found.st_mode & _OTHERS:
            raise InputError(f"others can read the token in {file}; run: chmod 600 {file}")
        return stream.read(_MOST).decode("ascii", "replace").strip()
