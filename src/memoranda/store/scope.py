"""A scope's name and its folder: the only code that makes a path out of an id."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import platformdirs

from memoranda.errors import InputError, ScopeNameError
from memoranda.store.files import DEVICE, real

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memoranda.store.files import Files

DATABASE = "memory.db"
USERS = "users"
NO_WORKSPACE = "_"
MAX_NAME = 256
MAX_FOLDER_NAME = 120
"""Characters of a scope's folder name: Windows counts the whole path."""

_HASH_MARK = "%h"  # no escape begins so: h is no hexadecimal digit
_HASH_DIGITS = 40
_HASHED = re.compile(r"(?s).*%h[0-9a-f]{40}")
_KEPT = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-_.@")
_SLASH = re.compile(r"[/\\]|%(?:25)*(?:2f|5c|2e|00)", re.IGNORECASE)
"""A slash; or one, a dot or NUL as a URL escapes it, once or several times over."""
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The wall of isolation: a user and, if given, a workspace (R239).

    Names are checked and brought to NFC here, so equal names make one scope.
    Raises ScopeNameError.
    """

    user: str
    workspace: str | None = None

    def __post_init__(self) -> None:
        """Check the names."""
        object.__setattr__(self, "user", check_name("user", self.user))
        if self.workspace is not None:
            object.__setattr__(self, "workspace", check_name("workspace", self.workspace))


@dataclass(frozen=True, slots=True)
class Found:
    """A scope's folder on disk; `scope` is None when a long name ends in a hash there.

    The true names then stand in the meta table of the folder's database.
    """

    folder: Path
    scope: Scope | None


def check_name(kind: str, name: str) -> str:
    """Give a name in NFC, or raise ScopeNameError; `kind` is user, workspace or project."""
    reason = _objection(name)
    if reason is None:
        name = unicodedata.normalize("NFC", name)
        reason = f"it has more than {MAX_NAME} characters" if len(name) > MAX_NAME else None
    if reason is not None:
        raise ScopeNameError(kind, name, reason)
    return name


def check_project(name: str) -> str:
    """Give a project's name in NFC, or raise ScopeNameError."""
    return check_name("project", name)


def _objection(name: str) -> str | None:
    """Say what is wrong with a name, cheap checks first: it may be of any length."""
    if not name or name in {".", ".."}:
        return "it is empty or only dots"
    if len(name) > 4 * MAX_NAME:
        return f"it has more than {MAX_NAME} characters"
    if any("\ud800" <= ch <= "\udfff" for ch in name):
        return "it is not valid Unicode"
    if _HIDDEN.search(name):
        return "it holds a control or hidden character"
    if _SLASH.search(name):
        return "it holds a slash, or an escaped slash, dot or NUL"
    return "it begins or ends with a space" if name != name.strip() else None


def encode(name: str) -> str:
    """Give the folder name of a checked name: plain ASCII, safe on every file system.

    Lower-case letters, digits and `-_.@` stay, all else is written as `%xx` of its UTF-8 bytes:
    so names that differ only in case differ on file systems that ignore case, and no locale
    matters. Two names never share a folder name; one above 120 characters ends in a hash.
    """
    data = unicodedata.normalize("NFC", name).encode()
    parts = [chr(byte) if byte in _KEPT else f"%{byte:02x}" for byte in data]
    if parts[0] in {".", "-"} or name == NO_WORKSPACE or DEVICE.match("".join(parts)):
        parts[0] = f"%{data[0]:02x}"  # hidden, option-like, taken, or a device on Windows
    if parts[-1] == ".":
        parts[-1] = "%2e"
    folder_name = "".join(parts)
    if len(folder_name) <= MAX_FOLDER_NAME:
        return folder_name
    room = MAX_FOLDER_NAME - _HASH_DIGITS - len(_HASH_MARK)
    start = re.sub(r"%.?\Z", "", folder_name[:room])
    return f"{start}{_HASH_MARK}{hashlib.sha256(data).hexdigest()[:_HASH_DIGITS]}"


def decode(encoded: str) -> str | None:
    """Give the name back; None when it ends in a hash or was not made by `encode`."""
    try:
        name = unquote_to_bytes(encoded).decode()
        return name if name and encode(check_name("folder", name)) == encoded else None
    except (UnicodeError, ScopeNameError):
        return None


def folder(root: Path, scope: Scope) -> Path:
    """Give a scope's folder, `root/users/<user>/<workspace, or _>`; touches nothing."""
    workspace = NO_WORKSPACE if scope.workspace is None else encode(scope.workspace)
    return root / USERS / encode(scope.user) / workspace


def scopes(files: Files) -> tuple[Found, ...]:
    """List the scopes that have a database below the root, sorted by folder."""
    found = []
    for user in _folders(files, Path(USERS)):
        for workspace in _folders(files, Path(USERS, user), also=NO_WORKSPACE):
            here = Path(USERS, user, workspace)
            if any(item.name == DATABASE and item.kind == "file" for item in files.names(here)):
                found.append(Found(files.root / here, _scope(user, workspace)))
    return tuple(found)


def _folders(files: Files, parent: Path, *, also: str = "") -> list[str]:
    """Name the real folders that `encode` could have made."""
    return [
        item.name
        for item in files.names(parent)
        if item.kind == "folder"
        and (item.name == also or _HASHED.fullmatch(item.name) or decode(item.name) is not None)
    ]


def _scope(user: str, workspace: str) -> Scope | None:
    user_name = decode(user)
    workspace_name = None if workspace == NO_WORKSPACE else decode(workspace)
    if user_name is None or (workspace_name is None and workspace != NO_WORKSPACE):
        return None
    return Scope(user_name, workspace_name)


def data_root(given: str | None, environ: Mapping[str, str]) -> Path:
    """Find the data folder by one rule: given, else MEMORANDA_ROOT, else the user's data folder.

    An empty MEMORANDA_ROOT counts as not set; `~` is the home folder; a relative path starts at
    the current folder. The result is absolute with links resolved, and need not exist. Raises
    InputError for a path that can't be one, or that lies inside an installed package, where an
    upgrade would delete it.
    """
    text = environ.get("MEMORANDA_ROOT") or None if given is None else given
    if text is None:
        root = platformdirs.user_data_path("memoranda", appauthor=False)
    elif not text.strip() or "\0" in text:
        raise InputError(f"the data folder {text!r} can't be used: give the path of a folder")
    else:
        root = _home(text)
    root = real(root)
    installed = {"site-packages", "dist-packages"}.intersection(root.parts)
    if installed or root.is_relative_to(real(Path(__file__).parents[1])):
        raise InputError(
            f"the data folder {root} lies inside an installed package, "
            "where an upgrade would delete it; choose another with --root or MEMORANDA_ROOT"
        )
    return root


def _home(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise InputError(f"the data folder {text!r} can't be used: no such home folder") from error
