"""Timing: two things in turns, medians, and one row a figure."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - looked at before it is used
ROOM = 4 * 1024**3


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure beside the one it is compared with, measured in the same run."""

    matter: str
    what: str
    ours: float
    other: float
    unit: str
    against: str
    """What the other figure is of."""
    bound: str = ""
    """What the ratio should be, for the reader: nothing fails here."""
    inverse: bool = False
    """The ratio is other / ours: how much of the other's speed is ours."""

    @property
    def ratio(self) -> float:
        """Give ours / other, or the inverse; 0 when there is nothing to compare with."""
        over, under = (self.other, self.ours) if self.inverse else (self.ours, self.other)
        return over / under if under else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Give the row for JSON, with its ratio."""
        return {**asdict(self), "ratio": round(self.ratio, 4)}


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_turns(works: Sequence[Callable[[], object]], *, rounds: int) -> list[list[float]]:
    """Time each of some works once a round, so that a busy moment hits them alike.

    Returns:
        For each work its seconds, by round.
    """
    found: list[list[float]] = [[] for _ in works]
    for number in range(rounds):
        order = list(range(len(works)))
        for place in order if number % 2 == 0 else reversed(order):
            found[place].append(seconds(works[place]))
    return found


def median(values: Sequence[float]) -> float:
    """Give the median."""
    return statistics.median(values)


def part(values: Sequence[float], share: float) -> float:
    """Give the value that a share of all values stays within: 0.95 for p95."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextmanager
def folder(*, in_memory: bool = False) -> Iterator[Path]:
    """Give a fresh folder: on the disk of temporary files, or in memory where there is room."""
    fast = in_memory and IN_MEMORY.is_dir() and shutil.disk_usage(IN_MEMORY).free > ROOM
    with tempfile.TemporaryDirectory(dir=str(IN_MEMORY) if fast else None) as name:
        yield Path(name)


def say(text: str) -> None:
    """Tell how far the run is."""
    print(text, file=sys.stderr, flush=True)
