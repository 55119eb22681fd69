"""How times, numbers and texts are written on a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memoranda.text.analyse import is_stopword, plain_text, tokens

_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)")


def moment(text: str | None) -> str:
    """Give a time to the minute, as a person reads it; a plain date stays one."""
    if not text:
        return ""
    found = _MOMENT.match(text)
    return f"{found[1]} {found[2]}" if found else text


def day(text: str | None) -> str:
    """Give the day of a time."""
    return (text or "")[:10]


def short(text: str, most: int = 160) -> str:
    """Cut a text at a number of characters, with a mark where it was cut; on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def size(number: int) -> str:
    """Give a number of bytes in words: `912 KB`."""
    if number < 1000:
        return f"{number} B"
    amount, unit = (number / 1e6, "MB") if number >= 1e6 else (number / 1e3, "KB")
    return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"


def runs(numbers: Sequence[int]) -> str:
    """Give numbers with their runs drawn together: `1–4, 9`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(
        str(first)
        if first == last
        else f"{first}–{last}"
        if last > first + 1
        else f"{first}, {last}"
        for first, last in found
    )


def marked(text: str, wanted: frozenset[str]) -> list[tuple[str, bool]]:
    """Cut a text into pieces, each with whether one of the terms stands there."""
    plain, at = plain_text(text), 0
    found: list[tuple[str, bool]] = []
    for token in tokens(text):
        if wanted.isdisjoint(token.terms):
            continue
        for start, end in _within(token.start, token.end, plain, wanted):
            if start > at:
                found.append((plain[at:start], False))
            found.append((plain[start:end], True))
            at = end
    return [*found, (plain[at:], False)] if at < len(plain) else found


def _within(start: int, end: int, plain: str, wanted: frozenset[str]) -> list[tuple[int, int]]:
    """Give where the terms stand inside a token: of a Chinese run its pieces, else the whole."""
    run = plain[start:end].casefold()
    spans: list[list[int]] = []
    for at in range(len(run)):
        long = max((len(term) for term in wanted if run.startswith(term, at)), default=0)
        if long and not run.isascii():
            if spans and at <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], at + long)
            else:
                spans.append([at, at + long])
    return [(start + a, start + b) for a, b in spans] or [(start, end)]


def content_terms(text: str) -> frozenset[str]:
    """Give the terms of a query that say something about its matter."""
    return frozenset(
        term for token in tokens(text) for term in token.terms if not is_stopword(term)
    )
