"""The scope's lock: held by the operating system for a living process, never by a lease."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from filelock import BaseFileLock, FileLock, Timeout

from memoranda.errors import BusyError, StoreError, UnsafePathError
from memoranda.store.files import look

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_POLL = 0.01  # seconds between two tries


@contextmanager
def scope_lock(path: Path, timeout: float) -> Iterator[None]:
    """Hold the lock file `path` alone, among processes and threads; not re-entrant.

    Waits at most `timeout` seconds (0 or more), then raises BusyError. The lock ends with the
    body or with the process, however it dies; the file stays. Raises StoreError when the file
    can't be used, UnsafePathError when it is a link or an odd file.
    """
    lock = _acquired(path, timeout)
    if lock is None:
        raise BusyError(f"the lock {path}", timeout)
    with lock:
        yield


@contextmanager
def try_scope_lock(path: Path) -> Iterator[bool]:
    """Hold the lock file `path` if it is free now: True in the body, else False at once."""
    lock = _acquired(path, 0.0)
    with lock or nullcontext():
        yield lock is not None


def _acquired(path: Path, timeout: float) -> ExitStack | None:
    """Give the held lock as a context that releases it; None when another holds it too long."""
    if timeout < 0:
        raise ValueError(f"timeout {timeout} is below 0")
    folder = look(path.parent)
    if folder is None:  # or the library would make it, open to others
        raise StoreError(f"{path}: could not lock: its folder is missing; make it first")
    if folder != "folder" or look(path) not in {None, "file"}:
        raise UnsafePathError(str(path), "is no regular file in a real folder")
    lock = FileLock(path, mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=timeout, poll_interval=_POLL)
    except Timeout:
        return None
    except OSError as error:
        raise StoreError(f"{path}: could not lock: {error.strerror}; check its folder") from error
    held = ExitStack()
    held.callback(_release, lock, path)
    return held


def _release(lock: BaseFileLock, path: Path) -> None:
    """Give the lock free; a call that failed is made once more, for what it guarded is done."""
    try:
        lock.release()
    except OSError:
        try:
            lock.release(force=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            text = (
                f"{path}: could not unlock: {why}; end this program to give it free, and try again"
            )
            raise StoreError(text) from error
