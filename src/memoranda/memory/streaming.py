"""An answer as it comes about: the rounds of a reader while it reads, then the answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue

from memoranda.answers import Answer, Round
from memoranda.read.readers.desk import Listener


@dataclass(frozen=True, slots=True)
class _Raised:
    """What went wrong in the thread that reads."""

    error: BaseException


def streamed(work: Callable[[Listener], Answer]) -> Iterator[Round | Answer]:
    """Work in a thread of its own; give each round when it is done, and at last the answer.

    Who stops listening ends the reading: no further call of the model is begun.
    """
    queue: SimpleQueue[Round | Answer | _Raised] = SimpleQueue()
    left = threading.Event()

    def run() -> None:
        try:
            queue.put(work(Listener(told=queue.put, left=left.is_set)))
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            queue.put(_Raised(error))

    thread = threading.Thread(target=run, name="memoranda-ask", daemon=True)
    thread.start()
    try:
        while True:
            item = queue.get()
            if isinstance(item, _Raised):
                raise item.error
            yield item
            if isinstance(item, Answer):
                return
    finally:
        left.set()
