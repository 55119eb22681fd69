"""An answer as a stream of server-sent events: its rounds, then the answer, or the problem."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from typing import Any, Final

import anyio.to_thread

from memoranda.answers import Round
from memoranda.gate.problems import Problem
from memoranda.memory import Memory
from memoranda.values import Value, plain

_END: Final = object()


async def events(
    have: Callable[[], AbstractContextManager[Memory]],
    start: Callable[[Memory], Iterator[Value]],
    told: Callable[[Exception], Problem],
) -> AsyncIterator[bytes]:
    """Give each value as an event named after its kind; the last is `answer` or `problem`.

    Who stops listening ends the reading. The first step is waited for before anything is sent, so
    that what is wrong at once is a problem with a status of its own.
    """
    with ExitStack() as held:
        items: Iterator[Value] | None = None
        try:
            memory = await anyio.to_thread.run_sync(held.enter_context, have())
            items = await anyio.to_thread.run_sync(start, memory)
            step = partial(next, items, _END)
            while (item := await _step(step)) is not _END:
                yield event("round" if isinstance(item, Round) else "answer", plain(item))
        except Exception as error:  # noqa: BLE001 - a stream tells its end in words
            yield event("problem", told(error).to_dict())
        finally:
            with suppress(ValueError):
                getattr(items, "close", lambda: None)()


async def _step(step: Callable[[], Any]) -> Any:  # noqa: ANN401 - a value, or the end
    return await anyio.to_thread.run_sync(step, abandon_on_cancel=True)


def event(name: str, told: Any) -> bytes:  # noqa: ANN401 - JSON
    """Give one event of a stream; JSON has no line breaks of its own."""
    return f"event: {name}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n".encode(
        "utf-8", "backslashreplace"
    )
