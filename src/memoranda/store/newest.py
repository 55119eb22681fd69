"""The newest backup beside a database, known without opening it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memoranda.errors import MemorandaError, StoreError
from memoranda.store.files import Files

BACKUPS = "backups"
ADVICE = "restore a backup"
_NAME = re.compile(r"memory-(\d{1,18})\.db")


def newest(folder: Path) -> str:
    """Give the path of the newest backup in a scope's folder; "" if there is none."""
    found: list[tuple[int, str]] = []
    with suppress(MemorandaError):
        for item in Files(folder).names(folder / BACKUPS):
            match = _NAME.fullmatch(item.name)
            if match and item.kind == "file":
                found.append((int(match[1]), item.name))
    return str(folder / BACKUPS / max(found)[1]) if found else ""


@contextmanager
def naming_backups(folder: Path) -> Iterator[None]:
    """Let an error that says to restore a backup name the newest one."""
    try:
        yield
    except StoreError as error:
        told, path = str(error), newest(folder)
        if ADVICE in told and path and path not in told:
            error.args = (f"{told}; the newest one is {path}",)
        raise
