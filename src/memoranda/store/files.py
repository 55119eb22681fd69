"""The file layer: all reading and writing of files, below one root and never through a link."""

from __future__ import annotations

import errno
import re
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from memoranda.errors import StoreError, UnsafePathError
from memoranda.store.disk import (
    HAS_DIR_FD,
    MAKING,
    POSIX,
    READING,
    Disk,
    FileState,
    Handle,
    Item,
    Kind,
    kind_of,
    look,
    mounts,
    opened,
    real,
    same,
    state_of,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = [
    "DEVICE",
    "HAS_DIR_FD",
    "READ_LIMIT",
    "Disk",
    "FileState",
    "Files",
    "Item",
    "Kind",
    "look",
    "mounts",
    "opened",
    "portable",
    "real",
    "telling",
]

READ_LIMIT = 64 * 1024 * 1024
_CHUNK = 1024 * 1024
_TRIES = 20
_TEMPORARY = re.compile(r"\.memoranda-[0-9a-f]{32}\.tmp(-wal|-shm|-journal)?")
_NO_LINKS = frozenset(
    {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.EMLINK, errno.EOPNOTSUPP}
)
_ODD = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EISDIR})
DEVICE = re.compile(r"(?i:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|\Z)")
_ADVICE = {
    errno.ENOSPC: "free some space and try again",
    errno.EDQUOT: "free some space and try again",
    errno.EACCES: "check its owner and rights",
    errno.EPERM: "check its owner and rights",
    errno.EROFS: "check that the disk may be written",
    errno.EMFILE: "close other files or raise the limit",
    errno.ENFILE: "close other files or raise the limit",
    errno.EIO: "check the disk",
    errno.ENOENT: "check that the folder is still there",
}


def portable(name: str) -> str | None:
    """Say why a file name is not safe on every system; None if it is (R239)."""
    if not name or name in {".", ".."}:
        return "is empty or only dots"
    if any(ch < " " or ch == "\x7f" or ch in '<>:"/\\|?*' for ch in name):
        return 'holds a control character or one of < > : " / \\ | ? *'
    if name[-1] in ". " or name[0] == " ":
        return "begins or ends with a space, or ends with a dot"
    if DEVICE.match(name):
        return "is a device name on Windows"
    if any("\ud800" <= ch <= "\udfff" for ch in name):
        return "is not valid Unicode"
    return "is longer than 255 bytes" if len(name.encode()) > 255 else None


@contextmanager
def telling(path: Path, doing: str) -> Iterator[None]:
    """Turn the system's errors into ours: what, why, what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _ODD:
            reason = "a link, a file or a folder stands where something else should be"
            raise UnsafePathError(str(path), reason) from error
        advice = _ADVICE.get(error.errno or 0, "try again")
        reason = error.strerror or type(error).__name__
        raise StoreError(f"{path}: could not {doing}: {reason}; {advice}") from error


class Files:
    """The files below one root; no link is followed below it.

    `root` may itself be reached through links: it is resolved once, here. It need not exist yet.
    Every `path` is absolute below the root (as given, or resolved) or relative to it.
    All methods raise `UnsafePathError` for links, odd files and paths that leave the root, and
    `StoreError` for what the system refuses (space, rights); the old state then stands.
    """

    def __init__(self, root: Path, disk: Disk | None = None) -> None:
        self._given = root.absolute()
        self._disk = disk or Disk()
        self.root = real(root)

    def read(self, path: Path, *, limit: int = READ_LIMIT) -> bytes | None:
        """Give a regular file's bytes; None when it, or its folder, is missing.

        More than `limit` bytes (default 64 MiB) is a StoreError: a cut text is never given.
        """
        with telling(path, "read"), ExitStack() as stack:
            folder, name = self._parent(path, stack)
            fd = None if folder is None else self._open(folder, name, path, stack)
            if fd is None:
                return None
            parts, size = [], 0
            while part := self._disk.read(fd, _CHUNK):
                parts.append(part)
                size += len(part)
                if size > limit:
                    raise StoreError(f"{path}: is larger than {limit} bytes; make it smaller")
            return b"".join(parts)

    def write(self, path: Path, data: bytes) -> None:
        """Replace a file whole, or make it: after a return the bytes are on the medium.

        After an error or a kill the old or the new bytes stand there, never a mix.
        """
        with telling(path, "write"), ExitStack() as stack:
            folder, name = self._made_parent(path, stack)
            self._look(folder, name, path)
            temporary = self._temporary(folder, data)
            with self._gone_if_failed(folder, temporary):
                self._disk.replace(folder, temporary, folder, name)
            self._disk.sync_folder(folder)

    def create(self, path: Path, data: bytes) -> bool:
        """Make a new file whole; False when the name is taken, and nothing is changed."""
        with telling(path, "create"), ExitStack() as stack:
            folder, name = self._made_parent(path, stack)
            with suppress(FileNotFoundError):
                self._disk.stat(folder, name)
                return False
            temporary = self._temporary(folder, data)
            with self._gone_if_failed(folder, temporary):
                made = self._move(folder, temporary, folder, name)
            if not made:
                self._disk.unlink(folder, temporary)
            self._disk.sync_folder(folder)
            return made

    def remove(self, path: Path) -> bool:
        """Remove a regular file; False when there was none."""
        with telling(path, "remove"), ExitStack() as stack:
            folder, name = self._parent(path, stack)
            if folder is None or self._look(folder, name, path) is None:
                return False
            self._disk.unlink(folder, name)
            self._disk.sync_folder(folder)
            return True

    def rename(self, old: Path, new: Path) -> bool:
        """Rename a regular file; False when `new` is taken. A missing `old` is a StoreError.

        A kill in between may leave both names on the same whole bytes.
        """
        with telling(old, f"rename to {new.name}"), ExitStack() as stack:
            other, target = self._made_parent(new, stack)
            folder, name = self._parent(old, stack)
            if folder is None or self._look(folder, name, old) is None:
                raise FileNotFoundError(errno.ENOENT, "no such file")
            if not self._move(folder, name, other, target):
                return False
            self._disk.sync_folder(other)
            self._disk.sync_folder(folder)
            return True

    def make_folder(self, path: Path) -> None:
        """Make a folder (0700) with its parents up to the root, and the root itself if missing."""
        parts = self._parts(path, making=True)
        with telling(path, "make the folder"), ExitStack() as stack:
            self._make_root(stack)
            here = self._enter(None, str(self.root), stack)
            for part in parts:
                try:
                    here = self._enter(here, part, stack)
                except FileNotFoundError:
                    here = self._make(here, part, stack)

    def names(self, folder: Path) -> tuple[Item, ...]:
        """List a folder by name, without our temporaries; () when it is missing."""
        with telling(folder, "list"), ExitStack() as stack:
            items = self._scan(folder, stack)[1]
            return tuple(item for item in items if not self.is_temporary(item.name))

    def stat(self, path: Path) -> FileState | None:
        """Look at a regular file; None when it, or its folder, is missing."""
        with telling(path, "look at"), ExitStack() as stack:
            folder, name = self._parent(path, stack)
            found = None if folder is None else self._look(folder, name, path)
            return None if found is None else state_of(found)

    def temporary_name(self) -> str:
        """Give a new name for a temporary file; `sweep` knows it when it is left over."""
        return f".memoranda-{self._disk.token()}.tmp"

    def is_temporary(self, name: str) -> bool:
        """Say whether a name is one of our temporary files', or of their SQLite side files."""
        return name[:1] == "." and _TEMPORARY.fullmatch(name) is not None

    def sweep(self, folder: Path) -> tuple[str, ...]:
        """Remove the temporaries that killed runs left in a folder, and name them.

        Call it under the lock of the scope that writes there: a live write's temporary looks alike.
        """
        return self._tidied(folder)[0]

    def tidy(self, folder: Path) -> Mapping[str, FileState]:
        """Sweep a folder, and give the states of its other regular files, by name: in one look."""
        return {
            item.name: state_of(item.state)
            for item in self._tidied(folder)[1]
            if item.kind == "file" and item.state is not None
        }

    def _tidied(self, folder: Path) -> tuple[tuple[str, ...], list[Item]]:
        with telling(folder, "sweep"), ExitStack() as stack:
            here, items = self._scan(folder, stack)
            ours = [item for item in items if self.is_temporary(item.name)]
            swept = tuple(item.name for item in ours if item.kind == "file")
            for name in swept:
                self._disk.unlink(here, name)
            if swept:
                self._disk.sync_folder(here)
            gone = frozenset(swept)
            return swept, [item for item in items if item.name not in gone]

    def _parts(self, path: Path, *, making: bool = False) -> tuple[str, ...]:
        """Cut a path into its checked steps below the root."""
        inside = path if not path.anchor else None
        for base in (self.root, self._given):
            if path.is_relative_to(base):
                inside = path.relative_to(base)
        if inside is None or ".." in inside.parts:
            raise UnsafePathError(str(path), f"lies outside of {self.root}")
        for part in inside.parts:
            reason = portable(part) if making else _unusable(part)
            if reason:
                raise UnsafePathError(str(path), f"the name {part!r} {reason}")
        return inside.parts

    def _enter(self, folder: Handle | None, name: str, stack: ExitStack) -> Handle:
        handle = self._disk.enter(folder, name)
        stack.callback(self._disk.close, handle)
        return handle

    def _walk(self, parts: tuple[str, ...], stack: ExitStack) -> Handle | None:
        """Open folder after folder below the root; None when one is missing."""
        try:
            here = self._enter(None, str(self.root), stack)
            for part in parts:
                here = self._enter(here, part, stack)
        except FileNotFoundError:
            return None
        return here

    def _parent(
        self, path: Path, stack: ExitStack, *, making: bool = False
    ) -> tuple[Handle | None, str]:
        parts = self._parts(path, making=making)
        if not parts:
            raise UnsafePathError(str(path), "is the root folder, not a file")
        return self._walk(parts[:-1], stack), parts[-1]

    def _made_parent(self, path: Path, stack: ExitStack) -> tuple[Handle, str]:
        folder, name = self._parent(path, stack, making=True)
        if folder is None:
            raise FileNotFoundError(errno.ENOENT, "its folder is missing")
        return folder, name

    def _look(self, folder: Handle, name: str, path: Path) -> os.stat_result | None:
        """Look at a regular file; None when missing."""
        try:
            found = self._disk.stat(folder, name)
        except FileNotFoundError:
            return None
        if kind_of(found) != "file":
            raise UnsafePathError(str(path), f"is no regular file ({kind_of(found)})")
        return found

    def _open(self, folder: Handle, name: str, path: Path, stack: ExitStack) -> int | None:
        """Open the very file that was looked at; a replaced one is looked at again."""
        for _ in range(_TRIES):
            seen = self._look(folder, name, path)
            if seen is None:
                return None
            with suppress(FileNotFoundError):
                fd = self._disk.open_file(folder, name, READING)
                stack.callback(self._disk.close, fd)
                got = self._disk.state(fd)
                if same(seen, got) and kind_of(got) == "file":  # a pipe can inherit the number
                    return fd
        raise UnsafePathError(str(path), "is swapped for another file again and again")

    def _temporary(self, folder: Handle, data: bytes) -> str:
        """Write a synced file of a new name beside the target, or leave nothing."""
        name = self.temporary_name()
        fd = self._disk.open_file(folder, name, MAKING)
        with self._gone_if_failed(folder, name):
            try:
                rest = memoryview(data)
                while rest:
                    written = self._disk.write(fd, rest)
                    if written <= 0:
                        raise OSError(errno.EIO, "nothing was written")
                    rest = rest[written:]
                self._disk.sync(fd)
            finally:
                self._disk.close(fd)
        return name

    @contextmanager
    def _gone_if_failed(self, folder: Handle, name: str) -> Iterator[None]:
        """Remove a file of ours if the body fails, as far as the system lets us."""
        try:
            yield
        except BaseException:
            with suppress(OSError):
                self._disk.unlink(folder, name)
            raise

    def _move(self, folder: Handle, old: str, other: Handle, new: str) -> bool:
        """Rename without ever replacing; False when `new` is taken."""
        try:
            self._disk.link(folder, old, other, new)
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            return self._claim(folder, old, other, new)
        with self._gone_if_failed(other, new):
            self._disk.unlink(folder, old)
        return True

    def _claim(self, folder: Handle, old: str, other: Handle, new: str) -> bool:
        """Do the same where files have one name only: take the name empty, then replace it."""
        try:
            fd = self._disk.open_file(other, new, MAKING)
        except FileExistsError:
            return False
        with self._gone_if_failed(other, new):
            self._disk.close(fd)
            self._disk.replace(folder, old, other, new)
        return True

    def _make_root(self, stack: ExitStack) -> None:
        missing = []
        for folder in (self.root, *self.root.parents):
            if look(folder) is not None:
                break
            missing.append(folder)
        for folder in reversed(missing):
            with suppress(FileExistsError):
                self._disk.mkdir(None, str(folder))
            self._disk.sync_folder(self._enter(None, str(folder.parent), stack))

    def _make(self, folder: Handle, name: str, stack: ExitStack) -> Handle:
        with suppress(FileExistsError):
            self._disk.mkdir(folder, name)
        self._disk.sync_folder(folder)
        return self._enter(folder, name, stack)

    def _scan(self, path: Path, stack: ExitStack) -> tuple[Handle, list[Item]]:
        here = self._walk(self._parts(path), stack)
        found = () if here is None else self._disk.scan(here)
        return -1 if here is None else here, sorted(found, key=lambda item: item.name)


def _unusable(name: str) -> str | None:
    """Say why not even a foreign file of that name may be looked at."""
    if "\0" in name or (not POSIX and any(ch in name for ch in ':"<>|?*')):
        return "can't be the name of a file"
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "is not valid Unicode"
    return None
