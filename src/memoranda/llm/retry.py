"""Delivers a request: transport faults are tried again here, and nowhere else."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

from memoranda.llm.wire import Answer, NoAnswer

ATTEMPTS = 3
"""At most so many calls for one delivery."""
TRY_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""States of an answer that may be better the next time."""
LATER = frozenset({429, 503, 529})
"""States that say: there is too much to do."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The clocks of delivering; tests give their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    """From 0 to 1."""
    now: Callable[[], float] = time.time
    """Seconds since 1970, for a Retry-After that is a date."""
    pause: float = 0.5
    """The first pause where the endpoint names none, in seconds; each next one is twice as long."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a delivery ended."""

    answer: Answer | NoAnswer
    """The last one."""
    calls: int
    wait: float | None
    """How long the endpoint wants to be left alone from now on, in seconds, if it said so."""


def deliver(
    send: Callable[[float], Answer | NoAnswer],
    *,
    calls: int,
    deadline: float,
    rhythm: Rhythm,
    quiet: Callable[[float], None] = lambda _: None,
) -> Delivery:
    """Send until there is an answer worth reading, at most `ATTEMPTS` times.

    A Retry-After is kept to: the next call is made after it, or not at all. What timed out is not
    sent again, for the time is over.

    Args:
        send: makes one call that takes at most the given seconds.
        calls: how many calls may be made, at least 1.
        deadline: by `rhythm.clock`.
        rhythm: the clocks.
        quiet: told how many seconds the endpoint wants to be left alone, whenever it says so.
    """
    made = 0
    while True:
        left = deadline - rhythm.clock()
        if left <= 0:
            return Delivery(NoAnswer("timeout", "the time was over"), made, None)
        answer = send(left)
        made += 1
        wait = retry_after(answer.headers, rhythm.now()) if isinstance(answer, Answer) else None
        if wait is not None:
            quiet(wait)
        if not _is_passing(answer) or made >= min(calls, ATTEMPTS):
            return Delivery(answer, made, wait)
        pause = rhythm.pause * 2 ** (made - 1) * (1 + rhythm.jitter()) / 2
        if wait is not None:
            pause = wait + rhythm.pause * rhythm.jitter() / 2
        if rhythm.clock() + pause >= deadline:
            return Delivery(answer, made, wait)
        rhythm.sleep(pause)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Read how many seconds an endpoint wants to be left alone; None if it does not say.

    Takes `retry-after-ms`, and `retry-after` as seconds or as a date.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        when = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError):
        return None
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, when.timestamp() - now)


def _is_passing(answer: Answer | NoAnswer) -> bool:
    if isinstance(answer, NoAnswer):
        return answer.kind == "connection"
    return answer.status in TRY_AGAIN
