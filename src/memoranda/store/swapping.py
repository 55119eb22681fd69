"""A shelf that people write on too: what they saved a moment ago is never written over."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from memoranda.store.disk import FileState, Handle, state_of
from memoranda.store.files import Files, telling

Ours = Callable[[bytes], bool]
"""Says whether bytes are nothing but what we wrote."""
_ASIDE = re.compile(r"\.memoranda-[0-9a-f]{32}\.aside")
_PART = 1024 * 1024
_LOOKS = 8
_PAUSE = 0.01
"""An editor that empties a file before it fills it is given so many looks, further and further apart;
in seconds."""


def is_aside(name: str) -> bool:
    """Say whether a name is one under which something stands aside."""
    return _ASIDE.fullmatch(name) is not None


class Shelf(Files):
    """The folder of the Markdown files.

    Between a look at a file and its replacement somebody may save it. So files are swapped: what stood
    there comes out of the exchange, and stays aside until it is taken in if it is not ours.
    """

    def put(self, path: Path, data: bytes, ours: Ours) -> None:
        """Write a file whole; what stood there and is not ours stays beside it, under another name."""
        with telling(path, "write"), ExitStack() as stack:
            folder, name = self._made_parent(path, stack)
            found = self._look(folder, name, path)
            temporary = self._temporary(folder, data)
            if found is None:
                if not self._move(folder, temporary, folder, name):
                    self._disk.unlink(folder, temporary)  # somebody made it: it is looked at again
            else:
                self._swap(folder, temporary, name, ours)
            self._disk.sync_folder(folder)

    def take(self, path: Path, ours: Ours) -> None:
        """Take a file away; what is not ours stays beside it, under another name."""
        with telling(path, "remove"), ExitStack() as stack:
            folder, name = self._parent(path, stack)
            if folder is None or self._look(folder, name, path) is None:
                return
            aside = self._aside_name()
            self._disk.replace(folder, name, folder, aside)
            self._let_go(folder, aside, ours)
            self._disk.sync_folder(folder)

    def states(self, folder: Path) -> dict[str, FileState]:
        """Give the states of the regular files of a folder, by name: in one look, nothing is swept."""
        return {
            item.name: state_of(item.state)
            for item in self.names(folder)
            if item.kind == "file" and item.state is not None
        }

    def _swap(self, folder: Handle, temporary: str, name: str, ours: Ours) -> None:
        aside = self._aside_name()
        self._disk.replace(folder, temporary, folder, aside)
        if self._disk.exchange(folder, aside, name):
            self._let_go(folder, aside, ours)
            return
        theirs = self._aside_name()  # for a moment the name is free
        self._disk.replace(folder, name, folder, theirs)
        if not self._move(folder, aside, folder, name):
            self._disk.unlink(folder, aside)
        self._let_go(folder, theirs, ours)

    def _let_go(self, folder: Handle, aside: str, ours: Ours) -> None:
        """Remove what stands aside if it is ours; an editor may be about to fill what it emptied."""
        for look in range(_LOOKS):
            data = self._bytes(folder, aside)
            if not ours(data):
                return
            if data.endswith(b"\n"):
                break
            time.sleep(_PAUSE * look)
        self._disk.unlink(folder, aside)

    def _aside_name(self) -> str:
        return f".memoranda-{self._disk.token()}.aside"

    def _bytes(self, folder: Handle, name: str) -> bytes:
        with ExitStack() as stack:
            fd = self._open(folder, name, Path(name), stack)
            parts = []
            while fd is not None and (part := self._disk.read(fd, _PART)):
                parts.append(part)
            return b"".join(parts)
