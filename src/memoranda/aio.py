"""Memory for programs that await: each call of the facade in a thread, done to its end."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, Self, TypeVar

from memoranda.errors import StoreError
from memoranda.memory import Memory

__all__ = ["AsyncMemory"]

T = TypeVar("T")
THREADS: Final = 4
"""Calls that may be on their way at once; the memory itself lets one in after the other."""
_END: Final = object()


class AsyncMemory:
    """The methods of `Memory`, to be awaited; those that give an iterator, to be iterated over.

    A call that is cancelled is given up by its caller only: what has begun is done to its end, what
    has not begun never is, and nothing is half done. Callbacks (`progress`, `watch`) are called in a
    thread. Use it as `async with await AsyncMemory.open(...) as memory`, or close it.
    """

    def __init__(self, memory: Memory, threads: ThreadPoolExecutor | None = None) -> None:
        self.memory = memory
        self._threads = threads or _threads()

    @classmethod
    async def open(cls, *args: Any, **given: Any) -> AsyncMemory:  # noqa: ANN401 - as `Memory.open`
        """Open a scope; arguments and errors are those of `Memory.open`."""
        threads = _threads()
        try:
            memory = await _run(threads, functools.partial(Memory.open, *args, **given))
        except BaseException:
            threads.shutdown(wait=False)
            raise
        return cls(memory, threads)

    async def close(self) -> None:
        """Wait for the calls that have begun, and close. Closing again does nothing."""
        with suppress(StoreError):  # it is closed already
            await asyncio.shield(_run(self._threads, self.memory.close))
        await asyncio.to_thread(self._threads.shutdown)

    async def __aenter__(self) -> Self:
        """Give the memory itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close."""
        await self.close()


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="memoranda-aio")


async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    try:
        begun = asyncio.get_running_loop().run_in_executor(threads, work)
    except RuntimeError as error:  # the threads are gone
        raise StoreError("this memory is closed; open it again") from error
    return await begun


async def _flowing(
    threads: ThreadPoolExecutor, start: Callable[[], Iterator[T]]
) -> AsyncIterator[T]:
    """Give what an iterator gives, each step in a thread; who stops listening ends it."""
    items = await _run(threads, start)
    try:
        while (item := await _run(threads, functools.partial(next, items, _END))) is not _END:
            yield item  # type: ignore[misc]  # it is not the end
    finally:
        with suppress(ValueError):  # a step is under way: it ends by itself
            getattr(items, "close", lambda: None)()


def names() -> tuple[str, ...]:
    """Name the methods of the facade that have a twin here, in their order."""
    own = vars(AsyncMemory).keys() - _MADE
    found = (name for name in dir(Memory) if not name.startswith("_") and name not in own)
    return tuple(name for name in found if inspect.isfunction(inspect.getattr_static(Memory, name)))


def gives_iterator(name: str) -> bool:
    """Say whether a method gives an iterator."""
    return str(inspect.signature(getattr(Memory, name)).return_annotation).startswith("Iterator")


def _twin(name: str) -> Callable[..., Any]:
    method = getattr(Memory, name)

    @functools.wraps(method)
    async def called(self: AsyncMemory, *args: Any, **given: Any) -> Any:  # noqa: ANN401
        return await _run(self._threads, functools.partial(method, self.memory, *args, **given))

    @functools.wraps(method)
    def flows(self: AsyncMemory, *args: Any, **given: Any) -> AsyncIterator[Any]:  # noqa: ANN401
        return _flowing(self._threads, functools.partial(method, self.memory, *args, **given))

    return flows if gives_iterator(name) else called


_MADE: set[str] = set()
for _name in names():
    setattr(AsyncMemory, _name, _twin(_name))
    _MADE.add(_name)
