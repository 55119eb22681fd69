"""Forgetting one entry, a hundred and ten thousand at once, scan included, in a large memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.library import place_all
from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import Memory, Settings

WAITING = Settings(auto=False)


def run(*, small: bool) -> Iterator[Row]:
    """Measure forgetting, entry by entry, in a small and a large memory in turns."""
    few, many = (40, 400) if small else (1_000, 100_000)
    rounds = 2 if small else 7
    sizes = (10, 40) if small else (100, 10_000)
    with folder() as here:
        say(f"forget: {few:,} and {many:,} entries in documents")
        for name, size in (("few", few), ("many", many)):
            with Memory.open(here / name, settings=WAITING) as memory:
                memory.add_many(Talk(seed=3).events(size))
                place_all(memory, entries=20)
                memory.search("kiln")
        small_one, large_one = _rounds(here, few, many, rounds)
        at_once = [(size, _selection(here / "many", many, size)) for size in sizes]
    yield Row(
        matter="forget",
        what=f"one entry of {many:,}, scan of every byte included",
        ours=large_one,
        other=small_one,
        unit="s",
        against=f"one of {few:,}",
        bound="ours <= 2 s",
    )
    for size, seconds in at_once:
        yield Row(
            matter="forget",
            what=f"{size:,} entries of {many:,} in one selection",
            ours=seconds,
            other=size * large_one,
            unit="s",
            against="one by one",
            bound="none; reported",
        )


def _rounds(here: Path, few: int, many: int, rounds: int) -> tuple[float, float]:
    with (
        Memory.open(here / "few", settings=WAITING) as first,
        Memory.open(here / "many", settings=WAITING) as second,
    ):
        turns = [(first, few), (second, many)]
        steps = [iter(range(1, size, size // (rounds + 2))) for _, size in turns]
        works = [
            partial(_forget, memory, step) for (memory, _), step in zip(turns, steps, strict=True)
        ]
        in_turns(works, rounds=1)
        times = in_turns(works, rounds=rounds)
    return median(times[0]), median(times[1])


def _forget(memory: Memory, numbers: Iterator[int]) -> None:
    memory.forget(entry=next(numbers))


def _selection(place: Path, many: int, size: int) -> float:
    """Forget adjacent entries at once; give the seconds."""
    first = many // 2 + size
    with Memory.open(place, settings=WAITING) as memory:
        start = perf_counter()
        memory.forget(seq=f"{first}-{first + size - 1}")
        return perf_counter() - start
