"""Progress of long work on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

Tick = Callable[[int, int | None], None]
"""Told how much is done, and of how much (None = not known)."""
BAR_AFTER: Final = 0.4
LINE_EVERY: Final = 3.0


class Rate:
    """How far the work is, how fast it goes, how long it will take."""

    def __init__(self, unit: str, clock: Callable[[], float]) -> None:
        self._unit = unit
        self._clock = clock
        self._start = clock()
        self.done = 0
        self.total: int | None = None

    @property
    def seconds(self) -> float:
        """Give the time since the start, in seconds."""
        return self._clock() - self._start

    def see(self, done: int, total: int | None) -> None:
        """Take the newest count."""
        self.done, self.total = done, total

    def counts(self) -> str:
        """Say the counts and the rate: `1,200 of 5,000 lines, 310/s`."""
        of = f" of {self.total:,}" if self.total else ""
        rate = f", {self.done / self.seconds:,.0f}/s" if self.seconds > 0 else ""
        return f"{self.done:,}{of} {self._unit}{rate}"

    def left(self) -> str:
        """Say the time that the rest will take, if the total is known and the end not reached."""
        if not self.total or not self.done or self.done >= self.total:
            return ""
        seconds = round(self.seconds / self.done * (self.total - self.done))
        minutes, seconds = divmod(seconds, 60)
        return f", {minutes} min {seconds} s left" if minutes else f", {seconds} s left"


class Lines:
    """Plain lines, one every few seconds and one at the end."""

    def __init__(self, what: str, rate: Rate, stream: TextIO) -> None:
        self._what = what
        self._rate = rate
        self._stream = stream
        self._last = 0.0

    def tick(self, done: int, total: int | None) -> None:
        """Take a count; say it when the last line is some seconds old."""
        self._rate.see(done, total)
        if self._rate.seconds - self._last >= LINE_EVERY:
            self._last = self._rate.seconds
            self._say(self._rate.counts() + self._rate.left())

    def close(self) -> None:
        """Say the last count, if there was any."""
        if self._rate.done:
            self._say(self._rate.counts())

    def _say(self, text: str) -> None:
        click.echo(f"{self._what}: {text}", file=self._stream)


class Bar:
    """A bar with counts, rate and time left; short work never shows one."""

    def __init__(self, what: str, rate: Rate, stream: TextIO) -> None:
        self._what = what
        self._rate = rate
        self._stream = stream
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def tick(self, done: int, total: int | None) -> None:
        """Take a count and draw it, once the work has gone on for a moment."""
        self._rate.see(done, total)
        if self._bar is None and self._rate.seconds >= BAR_AFTER:
            self._bar = self._start()
            self._task = self._bar.add_task(self._what, counts="")
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, counts=self._rate.counts())

    def close(self) -> None:
        """Leave the finished bar on the screen and give the cursor back."""
        if self._bar is not None:
            self._bar.stop()

    def _start(self) -> Progress:
        from rich import progress as rich  # noqa: PLC0415 - start-up time
        from rich.console import Console  # noqa: PLC0415

        bar = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.TextColumn("{task.fields[counts]}"),
            rich.TimeRemainingColumn(elapsed_when_finished=True),
            console=Console(file=self._stream),
        )
        bar.start()
        return bar


@contextmanager
def progress(
    what: str, unit: str, *, stream: TextIO | None = None, clock: Callable[[], float] | None = None
) -> Iterator[Tick]:
    """Show work on `stream` (default: standard error) for as long as the block runs."""
    stream = stream or sys.stderr
    drawn = stream.isatty() and os.environ.get("TERM") != "dumb"
    shown = (Bar if drawn else Lines)(what, Rate(unit, clock or time.monotonic), stream)
    try:
        yield shown.tick
    finally:
        shown.close()
