"""Noticing what people did to the files: edited, renamed, taken away; told from what only lags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from memoranda.errors import UnsafePathError
from memoranda.store.documents import print_current
from memoranda.store.files import FileState
from memoranda.store.layouts import Layouts
from memoranda.store.log import Log
from memoranda.store.swapping import Shelf, is_aside
from memoranda.store.view import View
from memoranda.values import CURRENT

TOPICS = "topics"
CURRENT_FILE = "CURRENT.md"
_HEAD = 8192
_ID = re.compile(rb"^id:[ \t]*[\"']?(d[0-9]{1,12}|CURRENT)[\"']?[ \t]*\r?$", re.MULTILINE)
_SEQS = re.compile(rb"^ *- <seq=([0-9]{1,18})[,>]", re.MULTILINE)
_ITEM = b"\n- <seq="


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A file that is not as we left it, and holds more than we ever wrote."""

    file: str
    document_id: str | None
    """Whose file it is: a document's, or CURRENT; None for a file of a name that is not ours."""
    data: bytes | None
    """Its bytes; None when it was taken away."""


class Noticing:
    """Looks at the files of one scope, and reads those that are not as they were left.

    Args:
        log, view: of the scope.
        shelf: the folder of the Markdown files.
        layouts: what was printed.
    """

    def __init__(self, log: Log, view: View, shelf: Shelf, layouts: Layouts) -> None:
        self._log = log
        self._view = view
        self._shelf = shelf
        self._layouts = layouts
        self._db = log.connection

    def digest(self, data: bytes) -> bytes:
        """Give the keyed digest under which a file's bytes are known."""
        return self._log.digest("file", data.decode("latin-1"))

    def ours(self, found: bytes, text: bytes) -> bool:
        """Say whether bytes hold nothing but what we wrote: an older version, or a cut one.

        What ends with a whole line was not cut by a fault: a person took the last lines out.
        """
        if not found.strip(b"\0 \r\n\t"):
            return True
        if text.startswith(found.rstrip(b"\0")) and not _lacks_lines(found, text):
            return True
        return self._was_written(found)

    def _was_written(self, found: bytes) -> bool:
        row = self._db.execute(
            "SELECT 1 FROM projected WHERE digest = ?", (self.digest(found),)
        ).fetchone()
        return row is not None

    def touched(self) -> bool:
        """Say whether any file is not as it was left: told from a look at the folders, none is read."""
        with suppress(UnsafePathError):
            seen = self._states()
            rows = self._db.execute("SELECT file, seen FROM projection").fetchall()
            return any(row[1] != seen.get(row[0]) for row in rows)
        return False

    def _states(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for folder in ("", TOPICS):
            for name, state in self._shelf.states(self._shelf.root / folder).items():
                found[f"{folder}/{name}" if folder else name] = seen_as(state)
        return found

    def foreign(self, seen: Mapping[str, str] | None = None) -> list[Foreign]:
        """Give the files that a person changed, took away or renamed; what only lags is none of them."""
        seen = self._states() if seen is None else seen
        rows = self._db.execute(
            "SELECT file, document_id, seen, digest, version FROM projection ORDER BY file"
        ).fetchall()
        found: list[Foreign] = []
        for file, document, before, digest, _ in rows:
            if file in seen and seen[file] != before:
                data = self._read(file)
                if data is not None and self._is_edited(data, document, digest):
                    found.append(Foreign(file=file, document_id=document, data=data))
        there = {row[1] for row in rows if row[0] in seen} | {CURRENT}
        gone = {row[1]: row[0] for row in rows if row[2] is not None and row[1] not in there}
        found += self._aside(seen)
        names = {row[0] for row in rows}
        strange = [name for name in seen if name not in names and _may_be_ours(name)]
        found += self._strange(strange, gone)
        if 0 < len(gone) <= max(1, len(rows) // 5) < len(rows) - 1:  # else the folder was away
            found += [
                Foreign(file=row[0], document_id=row[1], data=None)
                for row in rows
                if gone.get(row[1]) == row[0] and self._is_printed(row[1], row[4])
            ]
        return found

    def _is_printed(self, document_id: str, version: int) -> bool:
        """Say whether a document's print is the last one: else a killed run took its file away."""
        info = self._view.document(document_id)
        return info is not None and info.version == version

    def asides(self, seen: Iterable[str]) -> list[str]:
        """Name, of the files that are there, those that stand aside: saved while they were written."""
        return [name for name in seen if is_aside(name.rpartition("/")[2])]

    def standing_aside(self) -> bool:
        """Say whether anything stands aside now."""
        return bool(self.asides(self._states()))

    def _aside(self, seen: Iterable[str]) -> list[Foreign]:
        """Give what stands aside and says whose it is."""
        found = []
        for name in self.asides(seen):
            data = self._read(name)
            match = _ID.search((data or b"")[:_HEAD])
            document = match[1].decode() if match is not None else ""
            known = document == CURRENT or self._layouts.last(document) is not None
            if known and data is not None and not self.is_ours(data, document):
                found.append(Foreign(file=name, document_id=document, data=data))
        return found

    def _read(self, file: str) -> bytes | None:
        with suppress(UnsafePathError):
            return self._shelf.read(self._shelf.root / file)
        return None

    def _is_edited(self, data: bytes, document_id: str, written: bytes) -> bool:
        """Say whether a file holds what we did not write, or lacks what we wrote."""
        if self.digest(data) == written:
            return False
        return not self.is_ours(data, document_id) or (
            document_id == CURRENT and self._was_written(data) and self._lacks_one(data)
        )

    def _lacks_one(self, data: bytes) -> bool:
        """Say whether one line was taken out of CURRENT: it has no counters that tell it from a lag."""
        last = self._layouts.last(CURRENT)
        here = {int(match[1]) for match in _SEQS.finditer(data)}
        return last is not None and here < last.lines and len(last.lines) == len(here) + 1

    def _strange(self, names: Sequence[str], gone: dict[str, str]) -> list[Foreign]:
        """Look into files of names that are not ours: one may be a document that was renamed."""
        found = []
        for name in names:
            data = self._read(name)
            match = _ID.search((data or b"")[:_HEAD])
            document = match[1].decode() if match is not None else ""
            own = gone.pop(document, None)
            found.append(Foreign(file=name, document_id=document if own else None, data=data))
        return found

    def is_ours(self, data: bytes, document_id: str) -> bool:
        """Say whether bytes hold nothing but what we wrote: an older print, or a cut one."""
        text = b""
        if document_id == CURRENT:
            text = print_current(self._view.current_blocks()).text.encode()
        elif self._view.document(document_id) is not None:
            text = self._view.printed(document_id).text.encode()
        return self.ours(data, text)


def _lacks_lines(found: bytes, text: bytes) -> bool:
    """Say whether the first part of a text ends where a line ends, after the first of its items."""
    rest = text[len(found) :]
    whole = found.endswith(b"\n") or rest.startswith(b"\n")
    return whole and bool(rest.strip()) and _ITEM in found


def _may_be_ours(name: str) -> bool:
    return (
        name.startswith(f"{TOPICS}/")
        and name.endswith(".md")
        and not name.startswith(f"{TOPICS}/.")
    )


def seen_as(state: FileState) -> str:
    """Write what a look at a file told, as it is remembered."""
    return (
        f'{{"size": {state.size}, "mtime_ns": {state.mtime_ns}, '
        f'"ino": {state.ino}, "ctime_ns": {state.ctime_ns}}}'
    )
