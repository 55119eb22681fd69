"""A user's whole folder, with all workspaces, taken away at once: first its name, then what is in it."""

from __future__ import annotations

import shutil
from pathlib import Path

from memoranda.errors import StoreError
from memoranda.store.files import Files, look
from memoranda.store.scope import USERS, encode
from memoranda.store.walk import walk

_GOING = ".going-"
"""How the name of a folder begins that is being taken away; no scope's folder begins so."""


def user_folder(root: Path, user: str) -> Path:
    """Give the folder of a user; it need not exist."""
    return root / USERS / encode(user)


def measured(folder: Path) -> tuple[int, int]:
    """Count the files below a folder, and their bytes."""
    sizes = [node.size() for node in walk(folder) if node.kind == "file"]
    return len(sizes), sum(sizes)


def wipe(root: Path, user: str, token: str) -> None:
    """Take a user's folder away. What a kill leaves has no name of anybody, and `sweep` removes it.

    Args:
        root: the data root.
        user: whose folder.
        token: letters that no other call has used.

    Raises:
        StoreError: it can't be moved: another program holds a file of it open.
    """
    folder = user_folder(root, user)
    if look(root / USERS) != "folder" or look(folder) != "folder":
        return
    try:
        folder.rename(root / USERS / f"{_GOING}{token}")
    except OSError as error:
        raise StoreError(f"{folder} is in use; close what has it open and try again") from error
    sweep(root)


def sweep(root: Path) -> None:
    """Remove what is left of folders that were being taken away."""
    users = root / USERS
    if look(users) != "folder":
        return
    for item in Files(root).names(users):
        if item.kind == "folder" and item.name.startswith(_GOING):
            shutil.rmtree(users / item.name, ignore_errors=True)
