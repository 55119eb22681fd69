"""Patterns that are compiled when they are first asked: importing the word lists costs nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache


@cache
def _compiled(source: str, flags: int) -> re.Pattern[str]:
    return re.compile(source, flags)


@lru_cache(maxsize=32768)
def _found(source: str, flags: int, text: str) -> re.Match[str] | None:
    """Find the first place: the rules ask the same of one sentence for each pair it stands in."""
    return _compiled(source, flags).search(text)


class Lazy:
    """A pattern with the methods of `re.Pattern`, compiled at the first call."""

    __slots__ = ("_flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = int(flags)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Find the first place from `start` on."""
        if start == 0:
            return _found(self.pattern, self._flags, text)
        return _compiled(self.pattern, self._flags).search(text, start)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Read from `start`."""
        return _compiled(self.pattern, self._flags).match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Read all of a text."""
        return _compiled(self.pattern, self._flags).fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Give all places."""
        return _compiled(self.pattern, self._flags).finditer(text)

    def findall(self, text: str) -> list[str]:
        """Give what stands at all places, as `re.findall` does for at most one group."""
        return _compiled(self.pattern, self._flags).findall(text)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Cut a text; the pattern has no groups."""
        return _compiled(self.pattern, self._flags).split(text, maxsplit)

    def sub(self, put: object, text: str) -> str:
        """Put something, or what a function gives, in the place of each match."""
        return _compiled(self.pattern, self._flags).sub(put, text)  # type: ignore[call-overload,no-any-return]


def any_of(*patterns: str) -> Lazy:
    """Give a pattern that finds any of the patterns, whatever the case."""
    return Lazy("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
