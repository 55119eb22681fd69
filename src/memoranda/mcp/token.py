"""The bearer token of the MCP server over HTTP: from the environment, or from a file of its owner."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from memoranda.errors import InputError
from memoranda.gate import kept

VARIABLE: Final = "MEMORANDA_MCP_TOKEN"
FILE: Final = "mcp-token"
"""The file's name, in the data root, when no other is given."""
_FORM: Final = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")


def find(environ: Mapping[str, str], file: Path, make: Callable[[], str]) -> str:
    """Give the token: that of the environment, else that of the file, which is made if it is new.

    Args:
        environ: the environment.
        file: where it is kept, with mode 0600.
        make: gives a new token.

    Raises:
        InputError: what is there is no token: 16 to 512 letters, digits and ._~+/=-; or others can
            read the file.
        UnsafePathError: the file is a link, or no regular file.
    """
    given = environ.get(VARIABLE)
    if given:
        return _checked(given, VARIABLE)
    try:
        return _checked(_text(file), str(file))
    except FileNotFoundError:
        return _made(file, make())


def _checked(text: str, where: str) -> str:
    if _FORM.fullmatch(text) is None:
        raise InputError(f"{where} holds no token: give 16 to 512 letters, digits and ._~+/=-")
    return text


def _made(file: Path, token: str) -> str:
    try:
        kept.make(file, token.encode("ascii") + b"\n")
    except FileExistsError:  # another server made it in this moment
        return _checked(_text(file), str(file))
    return token


def _text(file: Path) -> str:
    return kept.read(file).decode("ascii", "replace").strip()
