"""The operating system's file calls, one method each: all that touches a file goes through here."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from memoranda.errors import InputError, StoreError
from memoranda.store import held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

try:
    import fcntl
except ImportError:  # Windows
    _FULL_SYNC = None
else:
    _FULL_SYNC = getattr(fcntl, "F_FULLFSYNC", None)  # macOS: fsync stops at the drive's cache

Kind = Literal["file", "folder", "link", "other"]
Handle = int | str | bytes
"""An open folder: its descriptor, or (fallback) its checked path."""

HAS_DIR_FD = (
    {os.open, os.mkdir, os.unlink, os.stat, os.rename, os.link} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
    and hasattr(os, "O_DIRECTORY")
)
POSIX = os.name == "posix"
READING = os.O_RDONLY
MAKING = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
# O_NONBLOCK: a pipe planted between our look and our open must not make us wait.
_PLAIN = _NOFOLLOW | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_AS_FOLDER = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_DIRECTORY", 0)
_SWAP = 2  # RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS
_WINDOWS_LINKS = frozenset({0xA000000C, 0xA0000003})  # symbolic link, junction


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """One name in a folder."""

    name: str
    kind: Kind
    state: os.stat_result | None = field(default=None, compare=False, repr=False)
    """What the look at it saw."""


def kind_of(state: os.stat_result) -> Kind:
    """Say what a look saw; a Windows junction is a link."""
    if stat.S_ISLNK(state.st_mode) or getattr(state, "st_reparse_tag", 0) in _WINDOWS_LINKS:
        return "link"
    if stat.S_ISREG(state.st_mode):
        return "file"
    return "folder" if stat.S_ISDIR(state.st_mode) else "other"


@dataclass(frozen=True, slots=True)
class FileState:
    """What a look at a regular file tells: size in bytes, times in nanoseconds."""

    size: int
    mtime_ns: int
    ino: int
    ctime_ns: int


def state_of(found: os.stat_result) -> FileState:
    """Keep of a look what tells whether a file was touched since."""
    return FileState(found.st_size, found.st_mtime_ns, found.st_ino, found.st_ctime_ns)


def same(one: os.stat_result, other: os.stat_result) -> bool:
    """Say whether two looks saw the same file."""
    return os.path.samestat(one, other)


def _at(folder: Handle | None, name: str) -> tuple[str | bytes, int | None]:
    """Give the arguments (path, dir_fd) of a call; names are UTF-8 whatever the locale says."""
    if folder is None:
        return name, None
    native = name.encode("utf-8", "surrogateescape") if POSIX else name
    if isinstance(folder, int):
        return native, folder
    if isinstance(folder, bytes):
        return os.path.join(folder, os.fsencode(native)), None  # noqa: PTH118 - bytes
    return os.path.join(folder, os.fsdecode(native)), None  # noqa: PTH118 - a Handle is no Path


class Disk:
    """The operating system's calls, one method each: a test double fails or shortens them here.

    With `by_fd` each step below the root is opened relative to the folder before it, so that a
    folder swapped for a link is never followed. Without (Windows, or asked for) each step is
    looked at before it is used, which leaves a short race to someone who may write in the folder.
    """

    def __init__(self, *, by_fd: bool = HAS_DIR_FD) -> None:
        self.by_fd = by_fd

    def enter(self, folder: Handle | None, name: str) -> Handle:
        """Open a real folder (never a link); `folder` None: `name` is a whole path."""
        path, dir_fd = _at(folder, name)
        if self.by_fd:
            return os.open(path, _AS_FOLDER, dir_fd=dir_fd)
        kind = kind_of(os.lstat(path))
        if kind != "folder":
            raise OSError(errno.ELOOP if kind == "link" else errno.ENOTDIR, "no real folder", path)
        return os.fsencode(path) if POSIX else path

    def close(self, handle: Handle) -> None:
        """Close a file or a folder; of a file that SQLite has open, put the descriptor aside."""
        if isinstance(handle, int):
            held.close(handle)

    def mkdir(self, folder: Handle | None, name: str) -> None:
        """Make one folder for its owner alone."""
        path, dir_fd = _at(folder, name)
        os.mkdir(path, 0o700, dir_fd=dir_fd)

    def open_file(self, folder: Handle, name: str, flags: int) -> int:
        """Open a file, never through a link; a new one is its owner's alone."""
        path, dir_fd = _at(folder, name)
        spare = held.reopened(path, dir_fd) if flags == READING else None
        return os.open(path, flags | _PLAIN, 0o600, dir_fd=dir_fd) if spare is None else spare

    def read(self, fd: int, size: int) -> bytes:
        """Read at most `size` bytes; b"" at the end."""
        return os.read(fd, size)

    def write(self, fd: int, data: memoryview) -> int:
        """Write some of `data` and say how many bytes."""
        return os.write(fd, data)

    def sync(self, fd: int) -> None:
        """Bring a file's bytes to the medium."""
        if _FULL_SYNC is not None:
            with suppress(OSError):  # not every file system knows it
                fcntl.fcntl(fd, _FULL_SYNC)
                return
        os.fsync(fd)

    def sync_folder(self, folder: Handle) -> None:
        """Bring a folder's names to the medium, where the system can."""
        if isinstance(folder, str):
            return  # Windows opens no folders and needs no such call
        fd = folder if isinstance(folder, int) else os.open(folder, _AS_FOLDER)
        try:
            os.fsync(fd)
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.EOPNOTSUPP}:
                raise
        finally:
            if fd is not folder:
                os.close(fd)

    def replace(self, folder: Handle, old: str, other: Handle, new: str) -> None:
        """Rename over whatever stands there."""
        (source, source_fd), (target, target_fd) = _at(folder, old), _at(other, new)
        os.replace(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd)

    def exchange(self, folder: Handle, one: str, two: str) -> bool:
        """Swap two files of a folder in one step; False where the system can't, and nothing was done."""
        call = _exchanger()
        if call is None or not isinstance(folder, int):
            return False
        done = call(
            folder, os.fsencode(_at(folder, one)[0]), folder, os.fsencode(_at(folder, two)[0])
        )
        return bool(done)

    def link(self, folder: Handle, old: str, other: Handle, new: str) -> None:
        """Give a file a second name; FileExistsError when it is taken."""
        (source, source_fd), (target, target_fd) = _at(folder, old), _at(other, new)
        follow = os.link not in os.supports_follow_symlinks
        os.link(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd, follow_symlinks=follow)

    def unlink(self, folder: Handle, name: str) -> None:
        """Remove a name."""
        path, dir_fd = _at(folder, name)
        os.unlink(path, dir_fd=dir_fd)

    def scan(self, folder: Handle) -> list[Item]:
        """List a folder, in no order."""
        found = []
        with os.scandir(folder) as entries:
            for entry in entries:
                name = os.fsdecode(entry.name)
                if POSIX and not name.isascii():
                    name = os.fsencode(name).decode("utf-8", "surrogateescape")
                try:
                    state = entry.stat(follow_symlinks=False)
                except FileNotFoundError:  # went while we looked
                    continue
                found.append(Item(name, kind_of(state), state))
        return found

    def stat(self, folder: Handle, name: str) -> os.stat_result:
        """Look at a name, not through a link."""
        path, dir_fd = _at(folder, name)
        return os.stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def state(self, fd: int) -> os.stat_result:
        """Look at an open file."""
        return os.fstat(fd)

    def token(self) -> str:
        """Give 32 random hexadecimal digits for a temporary name."""
        return os.urandom(16).hex()


@cache
def _exchanger() -> Callable[[int, bytes, int, bytes], bool] | None:
    """Give Linux's or macOS's call that swaps two names; None where there is none."""
    if not POSIX:
        return None
    import ctypes  # noqa: PLC0415 - start-up time

    library = ctypes.CDLL(None, use_errno=True)
    for name in ("renameat2", "renameatx_np"):
        call = getattr(library, name, None)
        if call is not None:
            return lambda one, old, two, new: call(one, old, two, new, _SWAP) == 0
    return None


def real(path: Path) -> Path:
    """Give the absolute path with all links resolved; missing parts are kept."""
    return path.resolve()


def look(path: Path) -> Kind | None:
    """Say what has that path, a link not followed; None when nothing has.

    Raises StoreError when the system does not let us look.
    """
    try:
        return kind_of(path.lstat())
    except FileNotFoundError:
        return None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise StoreError(f"{path}: could not look at it: {why}; check its folder") from error


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file that the user named, to read bytes; links and pipes are the user's choice.

    Raises InputError when it can't be opened.
    """
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(path.open("rb"))
        except OSError as error:
            raise InputError(f"{path} can't be read: {error.strerror}") from error
        yield stream


def mounts() -> str:
    """Give Linux's table of mounted file systems; "" elsewhere."""
    try:
        return Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def room(path: Path) -> int | None:
    """Give the free bytes of the file system that holds a path; None when that can't be told."""
    try:
        return shutil.disk_usage(path).free
    except OSError:
        return None
