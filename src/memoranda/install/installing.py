"""Installing: what a host's file would become, and writing it with a backup of what was there."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from memoranda.errors import InputError
from memoranda.install import json_form, toml_form
from memoranda.install.hosts import Host, Machine, Reach
from memoranda.install.jsonc import JsonError
from memoranda.install.toml_form import TomlError
from memoranda.values import Value

MOST: Final = 20_000_000
"""Bytes of a configuration file that is still taken for one."""

What = Literal["added", "replaced", "removed", "unchanged", "kept"]
"""`unchanged`: it is as asked for; `kept`: an entry of ours that says something else stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(Value):
    """What would become of a host's file, or became of it."""

    host: str
    file: str
    what: What
    diff: str
    """As a unified diff; "" when nothing changes."""
    backup: str | None = None
    """The copy of what was there; None until it is written, or when there was nothing."""
    after: str = ""
    """The whole new text."""

    def to_dict(self) -> dict[str, Any]:
        """Give the edit as JSON, without the whole text: it may hold secrets of others."""
        return {name: value for name, value in Value.to_dict(self).items() if name != "after"}


def entry(host: Host, command: Sequence[str]) -> dict[str, Any]:
    """Give the entry of a server that is started by a command.

    Args:
        host: for whom.
        command: the program and its arguments.
    """
    told: dict[str, Any] = {"type": "stdio"} if host.typed else {}
    return {**told, "command": command[0], "args": list(command[1:])}


def install(
    host: Host, reach: Reach, machine: Machine, name: str, *, told: Mapping[str, Any], replace: bool
) -> Edit:
    """Say what the file becomes with an entry in it; nothing is written.

    Args:
        host: the host.
        reach: of the user, or of a project.
        machine: where files lie.
        name: of the entry.
        told: the entry.
        replace: also in the place of an entry of that name that says something else.

    Raises:
        InputError: the file can't be read, or is not of its form; it stays as it is.
    """
    file, before = _text(host, reach, machine)
    try:
        there = _form(host).found(before, host.section, name)
        if there == told:
            return _edit(host, file, "unchanged", before, before)
        if there is not None and not replace:
            return _edit(host, file, "kept", before, before)
        after = _form(host).put(before, host.section, name, told)
    except (JsonError, TomlError) as error:
        raise _broken(file, error) from error
    return _edit(host, file, "added" if there is None else "replaced", before, after)


def uninstall(host: Host, reach: Reach, machine: Machine, name: str) -> Edit:
    """Say what the file becomes without our entry; nothing is written.

    Raises:
        InputError: the file can't be read, or is not of its form; it stays as it is.
    """
    file, before = _text(host, reach, machine)
    try:
        after = _form(host).without(before, host.section, name)
    except (JsonError, TomlError) as error:
        raise _broken(file, error) from error
    return _edit(host, file, "removed" if after != before else "unchanged", before, after)


def write(edit: Edit, now: datetime) -> Edit:
    """Write what was said, after a copy of what is there; the file is replaced whole.

    Args:
        edit: what to write; nothing is done when nothing changes.
        now: names the copy.

    Returns:
        The edit with the place of the copy.

    Raises:
        InputError: the file can't be written; it is as it was.
    """
    if not edit.diff:
        return edit
    file = Path(os.path.realpath(edit.file))  # a link to a file kept elsewhere stays a link
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        backup = _copied(file, now) if file.exists() else None
        _replaced(file, edit.after.encode("utf-8"))
    except OSError as error:
        raise InputError(f"{file} can't be written: {error.strerror}; it is as it was") from error
    return Edit(host=edit.host, file=edit.file, what=edit.what, diff=edit.diff, backup=backup)


def _form(host: Host) -> Any:  # noqa: ANN401 - two modules of the same three functions
    return json_form if host.form == "json" else toml_form


def _edit(host: Host, file: Path, what: What, before: str, after: str) -> Edit:
    diff = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), str(file), str(file)
    )
    lines = [line if line.endswith("\n") else line + "\n" for line in diff]
    return Edit(host=host.name, file=str(file), what=what, diff="".join(lines), after=after)


def _text(host: Host, reach: Reach, machine: Machine) -> tuple[Path, str]:
    file = host.file(reach, machine)
    try:
        if file.exists() and (not file.is_file() or file.stat().st_size > MOST):
            raise InputError(f"{file} is no configuration file; nothing was changed")
        return file, file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return file, ""
    except UnicodeDecodeError as error:
        raise _broken(file, f"it is not UTF-8 (at byte {error.start})") from error
    except OSError as error:
        raise InputError(f"{file} can't be read: {error.strerror}; nothing was changed") from error


def _broken(file: Path, why: object) -> InputError:
    return InputError(f"{file} can't be used as it is: {why}; nothing was changed; mend it first")


def _copied(file: Path, now: datetime) -> str:
    """Copy a file beside itself, with its rights, under a name that is free."""
    stamp = now.strftime("%Y%m%dT%H%M%S")
    for number in range(1000):
        copy = file.with_name(f"{file.name}.memoranda-{stamp}{f'-{number}' if number else ''}.bak")
        try:
            handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as stream:
            stream.write(file.read_bytes())
            stream.flush()
            os.fsync(stream.fileno())
        copy.chmod(file.stat().st_mode & 0o777)
        return str(copy)
    raise InputError(f"too many copies of {file}; nothing was changed; clear them away")


def _replaced(file: Path, data: bytes) -> None:
    """Put new bytes in the place of a file, or make it; in between the old one stands."""
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(mode)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
