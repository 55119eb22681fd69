"""Long work says how far it is."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest

from memoranda.cli.progress import Rate, progress

if TYPE_CHECKING:
    from collections.abc import Callable


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock_of(*times: float) -> Callable[[], float]:
    left = list(times)
    return lambda: left.pop(0) if len(left) > 1 else left[0]


def test_counts_rate_and_time_left_are_said() -> None:
    rate = Rate("lines", clock_of(0.0, 10.0))
    rate.see(1000, 8000)
    assert rate.counts() + rate.left() == "1,000 of 8,000 lines, 100/s, 1 min 10 s left"


def test_without_a_total_nothing_is_guessed() -> None:
    rate = Rate("lines", clock_of(0.0, 10.0))
    rate.see(1000, None)
    assert rate.counts() + rate.left() == "1,000 lines, 100/s"


def test_without_a_terminal_there_is_a_line_now_and_then_and_one_at_the_end() -> None:
    stream = io.StringIO()
    now = [0.0]
    with progress("importing", "lines", stream=stream, clock=lambda: now[0]) as tick:
        for second in range(1, 8):
            now[0] = float(second)
            tick(second * 10, 70)
    assert stream.getvalue().splitlines() == [
        "importing: 30 of 70 lines, 10/s, 4 s left",
        "importing: 60 of 70 lines, 10/s, 1 s left",
        "importing: 70 of 70 lines, 10/s",
    ]


def test_no_work_says_nothing() -> None:
    stream = io.StringIO()
    with progress("importing", "lines", stream=stream):
        pass
    assert stream.getvalue() == ""


def test_a_terminal_gets_a_bar_and_its_cursor_back_even_after_a_failure() -> None:
    stream = Terminal()
    now = [0.0]

    def work() -> None:
        with progress("importing", "lines", stream=stream, clock=lambda: now[0]) as tick:
            now[0] = 5.0
            tick(50, 100)
            tick(1 // 0, 100)

    with pytest.raises(ZeroDivisionError):
        work()
    shown = stream.getvalue()
    assert "50 of 100 lines, 10/s" in shown
    assert shown.rfind("\x1b[?25h") > shown.rfind("\x1b[?25l") >= 0


def test_short_work_draws_no_bar() -> None:
    stream = Terminal()
    with progress("importing", "lines", stream=stream, clock=lambda: 0.0) as tick:
        tick(50, 100)
    assert stream.getvalue() == ""
