"""The check of a log: how fast it goes through the bytes, against only reading them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import Memory, NewEvent, Settings


def run(*, small: bool) -> Iterator[Row]:
    """Measure a plain check, which sees every byte of every record, and a full one, which folds anew."""
    events, rounds = (200, 2) if small else (20_000, 5)
    say(f"check: {rounds} rounds over a log of {events:,} events")
    with folder(in_memory=True) as here, Memory.open(here, settings=Settings(auto=False)) as memory:
        memory.add_many(_told(events))
        memory.search("water")
        database = Path(memory.status().database)
        memory.backup(here.parent / f"{here.name}.db")
        copy = here.parent / f"{here.name}.db"
        size = copy.stat().st_size
        try:
            times = in_turns([memory.check, lambda: _read(copy)], rounds=rounds)
        finally:
            copy.unlink()
        full = in_turns([lambda: memory.check(full=True), memory.rebuild], rounds=2)
    yield Row(
        matter="check",
        what=f"plain check of {size / 1e6:.0f} MB ({database.name}), {events:,} events",
        ours=median(times[0]),
        other=median(times[1]),
        unit="s",
        against="reading the file",
        bound="" if small else f"ours <= {size / 100e6:.2f} s (100 MB/s)",
    )
    yield Row(
        matter="check",
        what=f"full check of the same, {events:,} events",
        ours=median(full[0]),
        other=median(full[1]),
        unit="s",
        against="a rebuild",
    )


def _told(number: int) -> Iterator[NewEvent]:
    said = list(Talk(seed=3).sentences(min(2000, 2 * number)))
    for at in range(number):
        text = " ".join(said[(at * 7 + offset) % len(said)] for offset in range(4))
        yield NewEvent(content=f"{text} ({at})", session=f"s{at // 20}")


def _read(path: Path) -> None:
    with path.open("rb") as stream:
        while stream.read(1 << 20):
            pass
