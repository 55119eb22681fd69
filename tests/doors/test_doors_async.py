"""Memory for asynchronous programs: the facade's methods, awaited; nothing is left half done."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda import Answer, AsyncMemory, Memory, NewEvent, Settings, errors
from memoranda.aio import gives_iterator, names

Work = Callable[[AsyncMemory], Awaitable[Any]]


def run(root: Path, work: Work, **given: Any) -> Any:
    async def whole() -> Any:
        async with await AsyncMemory.open(root, **given) as memory:
            return await work(memory)

    return asyncio.run(whole())


def test_every_method_of_the_facade_has_a_twin_of_its_kind() -> None:
    own = {"open", "close"}
    methods = {
        name
        for name in dir(Memory)
        if not name.startswith("_") and inspect.isfunction(inspect.getattr_static(Memory, name))
    }
    assert set(names()) == methods - own
    for name in names():
        assert callable(getattr(AsyncMemory, name))
    assert {name for name in names() if gives_iterator(name)} == {"ask_events", "log"}


def test_calls_are_awaited_and_give_what_the_facade_gives(root: Path) -> None:
    async def work(memory: AsyncMemory) -> None:
        added = await memory.add("小林的茶馆在河边。", speaker="小林")
        assert added.seqs == (1,)
        assert await memory.get(1) == memory.memory.get(1)
        assert (await memory.search("茶馆")).evidence[0].entries[0].text == "小林的茶馆在河边。"
        await memory.consolidate()
        assert [record.position async for record in memory.log(limit=2)] == [1, 2]
        *_, answer = [item async for item in memory.ask_events("茶馆?")]
        assert isinstance(answer, Answer)
        with pytest.raises(errors.NotFoundError):
            await memory.get(99)
        with pytest.raises(errors.InputError):
            await memory.add(" ")

    run(root, work)


def test_many_calls_at_once_are_all_done(root: Path) -> None:
    async def work(memory: AsyncMemory) -> Any:
        texts = [f"The valve {number} of the mill is new." for number in range(20)]
        await asyncio.gather(*map(memory.add, texts))
        return await memory.status()

    assert run(root, work, settings=Settings(auto=False)).events == 20


def test_the_loop_goes_on_while_a_call_waits(root: Path) -> None:
    beats = 0

    async def work(memory: AsyncMemory) -> None:
        nonlocal beats
        held = threading.Event()
        waiting = asyncio.create_task(memory.add_many(iter(_slow(held))))
        while beats < 5:
            await asyncio.sleep(0.005)
            beats += 1
        assert not waiting.done()
        held.set()
        assert (await waiting).seqs == (1,)

    run(root, work)


def _slow(held: threading.Event) -> Any:
    held.wait(20)
    yield NewEvent(content="It came late.")


def test_a_cancelled_call_is_done_to_its_end_or_never_begun(root: Path) -> None:
    begun, go = threading.Event(), threading.Event()

    def events() -> Any:
        begun.set()
        go.wait(20)
        for number in range(30):
            yield NewEvent(content=f"The valve {number} is new.")

    async def work(memory: AsyncMemory) -> int:
        call = asyncio.create_task(memory.add_many(events()))
        await asyncio.to_thread(begun.wait, 20)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        go.set()
        return 0

    run(root, work, settings=Settings(auto=False))
    with Memory.open(root) as memory:
        assert memory.status().events == 30
        assert memory.check(full=True).ok


def test_who_stops_listening_ends_the_reading(root: Path) -> None:
    async def work(memory: AsyncMemory) -> None:
        for number in range(3):
            await memory.add(f"The valve {number} is new.")
        async for record in memory.log():
            assert record.position == 1
            break
        assert (await memory.status()).events == 3

    run(root, work)


def test_after_closing_a_call_says_so_and_closing_again_does_nothing(root: Path) -> None:
    async def whole() -> None:
        memory = await AsyncMemory.open(root)
        await memory.close()
        await memory.close()
        with pytest.raises(errors.StoreError, match="open it again"):
            await memory.status()

    asyncio.run(whole())
    with pytest.raises(errors.ScopeNameError):
        asyncio.run(AsyncMemory.open(root, user="../x"))
