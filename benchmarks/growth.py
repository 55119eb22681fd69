"""Growth: one add with 100,000 entries there against one with 1,000, in CURRENT or in documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.library import place_all
from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import Memory, Settings

WAITING = Settings(auto=False)


def run(*, small: bool) -> Iterator[Row]:
    """Measure adds to a small and a large memory in turns."""
    few, many = (20, 200) if small else (1_000, 100_000)
    number, rounds = (3, 3) if small else (50, 21)
    for what, placed in (("all in CURRENT", False), ("all in documents", True)):
        with folder() as here:
            say(f"growth: {few:,} and {many:,} entries, {what}")
            for name, size in (("few", few), ("many", many)):
                _fill(here / name, size, placed=placed)
            small_one, large_one = _rounds(here, number, rounds)
        yield Row(
            matter="growth",
            what=f"one add at {many:,} entries, {what}",
            ours=large_one / number * 1e3,
            other=small_one / number * 1e3,
            unit="ms",
            against=f"at {few:,} entries",
            bound="<= 1.3",
        )


def _fill(root: Path, size: int, *, placed: bool) -> None:
    with Memory.open(root, settings=WAITING) as memory:
        memory.add_many(Talk(seed=3).events(size))
        if placed:
            place_all(memory, entries=200)


def _rounds(here: Path, number: int, rounds: int) -> tuple[float, float]:
    texts = Talk(seed=5).sentences(number)
    with (
        Memory.open(here / "few", settings=WAITING) as few,
        Memory.open(here / "many", settings=WAITING) as many,
    ):

        def add_to(memory: Memory) -> None:
            for text in texts:
                memory.add(text)

        works = [lambda: add_to(few), lambda: add_to(many)]
        in_turns(works, rounds=1)
        times = in_turns(works, rounds=rounds)
    return median(times[0]), median(times[1])
