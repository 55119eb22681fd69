"""The dates that a text names, by closed forms of four languages (decision 026)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from memoranda.errors import TimeError
from memoranda.text import dates_cjk, dates_english
from memoranda.text.days import Span, a_day, a_month
from memoranda.text.times import instant

__all__ = ["Span", "spans"]

_START = r"(?<![0-9A-Za-z.])(?<![0-9][-/])"
_END = r"(?![0-9])(?![-/.][0-9])"
_ISO = re.compile(rf"{_START}([12][0-9]{{3}})([-/.])([0-9]{{1,2}})\2([0-9]{{1,2}}){_END}")
_ISO_MONTH = re.compile(rf"{_START}([12][0-9]{{3}})-(0[1-9]|1[0-2])(?![0-9A-Za-z-])(?!\.[0-9])")
_DAY_FIRST = re.compile(
    rf"{_START}([0-9]{{1,2}})([-/.])([0-9]{{1,2}})\2((?:19|20)[0-9]{{2}})(?![0-9A-Za-z]){_END}"
)
_TO = re.compile(r"\s*(?:-|–|—|~|〜|～|至|到|から|부터|to|until|till|through)\s*", re.IGNORECASE)

Reader = Callable[[re.Match[str], date | None], tuple[Span, ...]]
Form = tuple[re.Pattern[str], Reader]


class _Found(NamedTuple):
    match: re.Match[str]
    reader: Reader
    spans: tuple[Span, ...]
    start: int
    end: int


def _iso(match: re.Match[str], _: date | None) -> tuple[Span, ...]:
    return (a_day(int(match[1]), int(match[3]), int(match[4])),)


def _iso_month(match: re.Match[str], _: date | None) -> tuple[Span, ...]:
    return (a_month(int(match[1]), int(match[2])),)


def _day_first(match: re.Match[str], _: date | None) -> tuple[Span, ...]:
    """Read 3.5.2023 with the day first; 3/5/2023 may be either, so both are given."""
    one, two, year = int(match[1]), int(match[3]), int(match[4])
    orders = [(two, one)] if match[2] == "." else [(two, one), (one, two)]
    return tuple({a_day(year, *order): None for order in orders if order[0] <= 12})


_NUMERIC: tuple[Form, ...] = (
    (_ISO, _iso),
    (_ISO_MONTH, _iso_month),
    (_DAY_FIRST, _day_first),
)
_YEARLESS = {*dates_english.YEARLESS, *dates_cjk.YEARLESS}
_FOUR_DIGITS = re.compile(r"[0-9]{4}")


def spans(text: str, said: str | None) -> tuple[Span, ...]:
    """Give the days, weeks, months and years that a text names, in reading order. Never raises.

    Args:
        text: any text.
        said: when it was said, as `text.times.normalise` prints it; its UTC day gives the year to
            `May 3rd` and the meaning to `yesterday`. None: such words are left out.

    Returns:
        Spans of days, first and last included: a day, a week (Monday to Sunday), a month or a year.
        A form that can be read in two ways (3/5/2023) gives both.
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    forms = _forms(plain)
    return _spans(plain, _day(said), forms) if forms else ()


def _forms(text: str) -> tuple[Form, ...]:
    """Give the forms that a text may hold: most texts have none of the words that they need."""
    found: tuple[Form, ...] = ()
    small = text.lower()
    if _FOUR_DIGITS.search(small):
        found += _NUMERIC + dates_english.YEARS
    if not small.isascii() and any(word in small for word in dates_cjk.HINTS):
        found += dates_cjk.FORMS
    if any(word in small for word in dates_english.HINTS):
        found += dates_english.FORMS
    return found


def _spans(text: str, said: date | None, forms: tuple[Form, ...]) -> tuple[Span, ...]:
    found = [
        _Found(match, reader, _read(reader, match, said), match.start(), match.end())
        for pattern, reader in forms
        for match in pattern.finditer(text)
    ]
    kept: list[_Found] = []
    for item in sorted(found, key=lambda item: (item.start, -item.end)):
        if kept and item.start < kept[-1].end:
            continue
        joined = _joined(kept[-1], item, text) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(item)
    return tuple(span for item in kept for span in item.spans)


def _read(reader: Reader, match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read one match; what is no day of the calendar, or needs a time that is not known, is none."""
    try:
        return reader(match, said)
    except (ValueError, OverflowError):
        return ()


def _joined(left: _Found, right: _Found, text: str) -> _Found | None:
    """Make one span of two with `to` between them; one without a year takes that of the other."""
    if len(left.spans) != 1 or len(right.spans) != 1:
        return None
    if not _TO.fullmatch(text, left.end, right.start):
        return None
    (first,), (last,) = left.spans, right.spans
    pairs = [(first, _again(right, first.first)), (_again(left, last.first), last)]
    for one, two in pairs:
        if one.first <= two.last:
            return right._replace(start=left.start, spans=(Span(one.first, two.last),))
    return None


def _again(item: _Found, near: date) -> Span:
    """Read a form without a year of its own as one of the year of another day."""
    if item.reader not in _YEARLESS:
        return item.spans[0]
    found = _read(item.reader, item.match, near)
    return found[0] if found else item.spans[0]


def _day(said: str | None) -> date | None:
    try:
        return None if said is None else instant(said).date()
    except TimeError:
        return None
