"""How often a caller may call: a bucket each, refilled as time goes by."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

CALLS: Final = 6_000
"""Calls of one token in a minute."""
MISSES: Final = 30
"""Wrong tokens from one address in a minute."""
AT_ONCE: Final = 16
"""Calls of one token that may be on their way at once."""
_CALLERS: Final = 10_000
_BURST: Final = 5.0
"""Seconds' worth of calls that may come at once."""


class Rates:
    """Counts calls by token, and wrong tokens by address; nothing is kept on disk.

    Args:
        calls: of one token in a minute; 0 sets no limit.
        misses: wrong tokens of one address in a minute; 0 sets no limit.
        clock: gives seconds that only grow.
    """

    def __init__(
        self,
        *,
        calls: int = CALLS,
        misses: int = MISSES,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._calls = _Buckets(calls, clock)
        self._misses = _Buckets(misses, clock)

    def take(self, key: str) -> float | None:
        """Count a call; give the seconds to wait when it is one too many, else None."""
        return self._calls.take(key)

    def missed(self, address: str) -> float | None:
        """Count a wrong token; give the seconds to wait when it is one too many, else None."""
        return self._misses.take(address)


class Turns:
    """Counts what is on its way, by token: who asks for too much at once waits for none but itself.

    Args:
        most: calls of one token on their way at once.
    """

    def __init__(self, most: int = AT_ONCE) -> None:
        self._most = most
        self._busy: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, key: str) -> Iterator[bool]:
        """Take a turn for the time of a call; gives False when there are too many already."""
        with self._lock:
            free = self._busy[key] < self._most
            self._busy[key] += free
        try:
            yield free
        finally:
            with self._lock:
                self._busy[key] -= free
                if not self._busy[key]:
                    del self._busy[key]


class _Buckets:
    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, self._rate * _BURST, min(per_minute, 10))
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str) -> float | None:
        if not self._rate:
            return None
        with self._lock:
            now = self._clock()
            left, then = self._left.pop(key, (self._most, now))
            left = min(self._most, left + (now - then) * self._rate)
            wait = None if left >= 1 else (1 - left) / self._rate
            self._left[key] = (left - 1 if wait is None else left, now)
            while len(self._left) > _CALLERS:
                self._left.popitem(last=False)
            return wait
