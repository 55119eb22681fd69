"""Everything below a folder, temporaries included: names, and files read in parts, no link followed."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from memoranda.store.disk import READING, Handle, kind_of
from memoranda.store.files import Disk, Item, Kind, look, real

DEEPEST = 200
"""So many folders inside each other are looked into: each is held open meanwhile."""
PART = 1024 * 1024
"""A file is read in parts of at most so many bytes."""


@dataclass(frozen=True, slots=True)
class Node:
    """One name below a root. Use it before the next one is asked for: its folder is open till then."""

    path: PurePosixPath
    """Relative to the root; of the root itself, if that is a file, its name."""
    kind: Kind
    fault: str | None = None
    """Why it could not be looked into, if so."""
    _folder: Handle = -1
    _disk: Disk = field(default_factory=Disk)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.name

    def size(self) -> int:
        """Give the size of a file in bytes, 0 if it is gone."""
        with suppress(OSError):
            return self._disk.stat(self._folder, self.name).st_size
        return 0

    def beside(self, name: str) -> Node:
        """Name a file in the same folder, which need not exist."""
        return replace(self, path=self.path.with_name(name), kind="file", fault=None)

    def parts(self) -> Iterator[bytes]:
        """Read a file from its start, in parts.

        Raises:
            OSError: it can't be read (to its end).
        """
        fd = self._disk.open_file(self._folder, self.name, READING)
        try:
            if kind_of(self._disk.state(fd)) != "file":
                raise OSError(errno.ELOOP, "it was swapped for something else")
            while part := self._disk.read(fd, PART):
                yield part
        finally:
            self._disk.close(fd)


def walk(root: Path, disk: Disk | None = None) -> Iterator[Node]:
    """Give everything below a folder in the order of the names, or the one file that `root` is.

    What can't be looked into comes with its `fault`; so does a root that does not exist.
    """
    disk = disk or Disk()
    place = real(root)
    try:
        kind = look(place)
        with ExitStack() as stack:
            folder = disk.enter(None, str(place if kind == "folder" else place.parent))
            stack.callback(disk.close, folder)
            if kind == "folder":
                yield from _below(disk, folder, disk.scan(folder), PurePosixPath())
            else:
                fault = None if kind else "No such file or directory"
                yield Node(PurePosixPath(place.name), kind or "other", fault, folder, disk)
    except OSError as error:
        yield Node(PurePosixPath(place.name), "folder", _reason(error))


def _below(
    disk: Disk, folder: Handle, items: Iterable[Item], above: PurePosixPath
) -> Iterator[Node]:
    for item in sorted(items):
        path = above / item.name
        if item.kind != "folder":
            yield Node(path, item.kind, None, folder, disk)
            continue
        if len(path.parts) > DEEPEST:
            yield Node(path, "folder", "it lies too deep", folder, disk)
            continue
        with ExitStack() as stack:
            try:
                inner = disk.enter(folder, item.name)
                stack.callback(disk.close, inner)
                inside = disk.scan(inner)
            except FileNotFoundError:
                continue  # it went while we looked
            except OSError as error:
                yield Node(path, "folder", _reason(error), folder, disk)
                continue
            yield Node(path, "folder", None, folder, disk)
            yield from _below(disk, inner, inside, path)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
