"""An answer as it comes about: the rounds of a reader while it reads, then the answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Self

from memoranda.answers import Answer, Round
from memoranda.read.readers.desk import Listener


@dataclass(frozen=True, slots=True)
class _Raised:
    """What went wrong in the thread that reads."""

    error: BaseException


class _Streamed:
    """What comes of a question, one by one; closing it, from any thread, ends the reading."""

    def __init__(self, work: Callable[[Listener], Answer]) -> None:
        self._queue: SimpleQueue[Round | Answer | _Raised | None] = SimpleQueue()
        self._left = threading.Event()
        self._over = False
        arguments = (work, self._queue, self._left)
        threading.Thread(target=_work, args=arguments, name="memoranda-ask", daemon=True).start()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Round | Answer:
        item = None if self._over or self._left.is_set() else self._queue.get()
        if isinstance(item, Round):
            return item
        self._over = True
        if isinstance(item, _Raised):
            raise item.error
        if item is None:
            raise StopIteration
        return item

    def close(self) -> None:
        """Stop listening: no further call of the model is begun."""
        self._left.set()
        self._queue.put(None)

    def __del__(self) -> None:
        self._left.set()


def _work(
    work: Callable[[Listener], Answer],
    queue: SimpleQueue[Round | Answer | _Raised | None],
    left: threading.Event,
) -> None:
    """Work, and say what comes of it; it knows the queue only, so that who leaves is noticed."""
    try:
        queue.put(work(Listener(told=queue.put, left=left.is_set)))
    except BaseException as error:  # noqa: BLE001 - raised where it is waited for
        queue.put(_Raised(error))


def streamed(work: Callable[[Listener], Answer]) -> Iterator[Round | Answer]:
    """Work in a thread of its own; give each round when it is done, and at last the answer.

    Who stops listening ends the reading: no further call of the model is begun. The iterator has a
    `close`, which any thread may call.
    """
    return _Streamed(work)
