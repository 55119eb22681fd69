"""Digits as exact values, and units by the table that lists how they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from memoranda.text.guard.clauses import Canvas, Token, TokenKind

DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)"
    r"|\d{1,3}(?: \d{3})+(?!\d|[.,]\d)|\d+[.,]\d+|\d+)"
)
FREE = r"(?<![A-Za-z0-9_.])(?<!\d[,/:])"
"""What must not stand before a number of its own."""
END = r"(?![A-Za-z0-9])"
LONGEST = 40
"""More digits than that are compared as they are written."""

Read = Callable[[re.Match[str]], Token | None]
Form = tuple[re.Pattern[str], Read]


def value(written: str) -> Fraction | None:
    """Give the value of digits: `1,000`, `1 000`, `1.000` and `1000` are one; `2,5` is 2.5."""
    if len(written) > LONGEST:
        return None
    plain = written.replace(" ", "")
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
        return Fraction(plain.replace(",", ""))
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}|[1-9]\d{0,2}\.000", plain):
        return Fraction(plain.replace(".", ""))
    return Fraction(plain.replace(",", "."))


def shown(number: Fraction) -> str:
    """Give the one written form of a value."""
    return str(number)


def listed(table: Mapping[str, str]) -> str:
    """Give one pattern for all the ways to write what a table lists, longest first."""
    ways = [way for ways in table.values() for way in split(ways)]
    return "(?:" + "|".join(sorted(ways, key=lambda way: (-len(way), way))) + ")"


def split(ways: str) -> list[str]:
    """Cut a pattern at its outermost bars."""
    found, depth, last = [], 0, 0
    for at, char in enumerate(ways):
        depth += (char in "([") - (char in ")]")
        if char == "|" and depth == 0:
            found.append(ways[last:at])
            last = at + 1
    return [*found, ways[last:]]


class Units:
    """A table of units that can be asked for the one a text writes."""

    __slots__ = ("_read", "pattern")

    def __init__(self, table: Mapping[str, str]) -> None:
        self.pattern = listed(table)
        self._read = [(key, re.compile(ways, re.IGNORECASE)) for key, ways in table.items()]

    def key(self, written: str) -> str:
        """Give the key of a written unit; what is not listed is its own key."""
        fits = (key for key, ways in self._read if ways.fullmatch(written))
        return next(fits, written.casefold())


def token(kind: TokenKind, key: str, match: re.Match[str], *, loose: bool = False) -> Token:
    """Make a token of a whole match."""
    return Token(kind, key, match[0], match.start(), match.end(), loose)


def take(canvas: Canvas, forms: tuple[Form, ...]) -> None:
    """Take what the forms read, the first form first."""
    for pattern, read in forms:
        for match in list(pattern.finditer(canvas.left)):
            found = read(match)
            if found is not None:
                canvas.take(found)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern that does not look at the case of letters, once."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)
