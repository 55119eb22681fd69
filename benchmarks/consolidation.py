"""Consolidation: 5,000 tokens placed in a library of 10 documents and in one of 10,000."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.library import place_all
from benchmarks.measure import Row, folder, in_turns, median, say, seconds
from benchmarks.texts import Talk
from memoranda import Memory, Settings

STEADY = Settings(auto=False, merge_tokens=0)
"""The documents of the library are small: nothing is merged, or there would soon be fewer."""
TOPICS = 10
"""New talk is on so many topics, each of a document in either library."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    few: int
    many: int
    new: int
    """Sentences of one consolidation: about 5,000 tokens."""
    rounds: int


def run(*, small: bool) -> Iterator[Row]:
    """Measure consolidations, openings and a rebuild, in turns."""
    size = Size(3, 30, 12, 2) if small else Size(10, 10_000, 230, 7)
    with folder() as here:
        for number in (size.few, size.many):
            say(f"consolidation: making {number:,} documents")
            with folder(in_memory=True) as fast:  # where 10,000 syncs are free; then copied
                _make(fast / "made", number)
                shutil.copytree(fast / "made", here / str(number))
            Memory.open(here / str(number), settings=STEADY).close()
        say(f"consolidation: {size.rounds} rounds")
        yield from _measure(here, size)
    with folder() as here:
        yield from _plain(here, 100 if small else 2_000)


def _make(root: Path, documents: int) -> None:
    with Memory.open(root, settings=STEADY) as memory:
        memory.add_many(Talk(seed=3, topics=documents).events(documents * 3, length=3))
        place_all(memory, entries=3)
        memory.search("warm up")


def _measure(here: Path, size: Size) -> Iterator[Row]:
    roots = [here / str(size.few), here / str(size.many)]
    opened = in_turns([_opening(root) for root in roots], rounds=size.rounds)
    talk = Talk(seed=9, topics=TOPICS)
    new = [list(talk.events(size.new, name=f"new{n}-")) for n in range(size.rounds + 1)]
    memories = [Memory.open(root, settings=STEADY) for root in roots]
    times: list[list[float]] = [[], []]
    tokens = 0
    for number, events in enumerate(new):
        for memory in memories:
            memory.add_many(events)
        tokens = memories[0].status().current_tokens
        found = in_turns([memory.consolidate for memory in memories], rounds=1)
        if number:  # the first round warms up
            times = [[*known, *more] for known, more in zip(times, found, strict=True)]
    for memory in memories:
        memory.close()
    for what, (few, many), scale in (
        ("consolidate 5,000 tokens", times, 5_000 / tokens),
        ("open, all files looked at", opened, 1.0),
    ):
        yield Row(
            matter="consolidation",
            what=f"{what}, {size.many:,} documents",
            ours=median(many) * scale * 1e3,
            other=median(few) * scale * 1e3,
            unit="ms",
            against=f"{size.few:,} documents",
            bound="<= 1.5" if "tokens" in what else "",
        )


def _opening(root: Path) -> Callable[[], object]:
    def work() -> None:
        Memory.open(root, settings=STEADY).close()

    return work


def _plain(here: Path, number: int) -> Iterator[Row]:
    """A memory from nothing, and its rebuild."""
    say(f"consolidation: {number:,} entries from nothing, and a rebuild")
    with Memory.open(here, settings=Settings(auto=False)) as memory:
        memory.add_many(Talk(seed=11).events(number))
        tokens = memory.status().current_tokens
        first = seconds(memory.consolidate)
        again = seconds(memory.rebuild)
    yield Row(
        matter="consolidation",
        what="consolidate from nothing, per 5,000 tokens",
        ours=first / tokens * 5e6,
        other=again / tokens * 5e6,
        unit="ms",
        against="rebuild",
    )
