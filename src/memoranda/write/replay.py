"""Writing the library as it was into a folder of its own (R235)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path

from memoranda.errors import InputError
from memoranda.reports import Replayed
from memoranda.store import replay
from memoranda.store.files import Files, real
from memoranda.store.home import Home
from memoranda.write.rebuild import state


def position_of(home: Home, known_at: int | str | date | datetime) -> int:
    """Give the log position that is meant: a number is one, a time means its end.

    Raises:
        InputError: there is no such position yet.
        TimeError: it is no time.
    """
    last = home.log.position()
    if isinstance(known_at, int):
        if not 0 <= known_at <= last:
            raise InputError(f"the log has positions up to {last}, not {known_at}")
        return known_at
    return replay.position_at(known_at, home.log)


def write(home: Home, known_at: int | str | date | datetime, to: Path | None) -> Replayed:
    """Write the Markdown files as they were printed then into a folder that is new, or empty.

    With None they are only made, and told.

    Raises:
        InputError: the folder holds something, is none, or lies in a data folder.
        TimeError: it is no time.
    """
    position = position_of(home, known_at)
    folder = None if to is None else _empty(home, to)
    with replay.at(home, position) as then:
        files, erased = then.files(), then.erased
    if folder is not None:
        _put(files, folder)
    record = home.log.record(position)
    return Replayed(
        folder="" if folder is None else str(folder),
        position=position,
        recorded=record.recorded if record is not None else "",
        files=tuple(sorted(files)),
        state=state(files),
        erased=erased,
    )


def _put(files: Mapping[str, bytes], folder: Path) -> None:
    shelf = Files(folder)
    shelf.make_folder(folder)
    for name, data in sorted(files.items()):
        shelf.make_folder((folder / name).parent)
        shelf.write(folder / name, data)


def _empty(home: Home, to: Path) -> Path:
    """Refuse a folder that holds anything, or that a memory lives in."""
    folder = real(to)
    for taken in (home.folder.parents[1], home.shelf.root):
        if folder == taken or folder.is_relative_to(taken):
            raise InputError(f"{folder} lies in the folder of a memory; choose another one")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder; choose another one")
    return folder
