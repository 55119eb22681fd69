"""Forms of dates in English: `May 3rd, 2023`, `last Friday`, `two weeks ago`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memoranda.text.days import Span, a_day, a_month, a_week, a_year, away, in_week

Reader = Callable[[re.Match[str], date | None], tuple[Span, ...]]

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NUMBERS = {
    "a couple of": 2, "couple of": 2, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
STEPS = {"last": -1, "previous": -1, "this past": -1, "this": 0, "this coming": 1, "next": 1}
NAMED_DAYS = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0,
    "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1,
    "the day after tomorrow": 2,
}  # fmt: skip
WORDS_TOO = frozenset({"may", "mar", "march"})
"""Months that are words as well: in small letters they need a year or an ordinal beside them."""

_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_YEAR = r"(?:1[5-9]|20|21)[0-9]{2}(?![0-9%]|[.,:][0-9])"
_TAIL = rf"(?:(?:,\s*|\s+|\s+of\s+)(?:(?P<year>{_YEAR})|(?P<step>last|this|next)\s+year\b))"
_NUMBER = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_DAYS = rf"(?P<day>{_NUMBER})(?:\s*[-–]\s*(?P<until>{_NUMBER}))?"
_EDGE = r"(?![0-9A-Za-z%]|[.:][0-9])"
_WEEKDAY = r"(?P<weekday>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday|s|rs|r)?\b"


def _of(*parts: str) -> re.Pattern[str]:
    return re.compile("".join(parts), re.IGNORECASE)


def _any(words: dict[str, int]) -> str:
    return "|".join(word.replace(" ", r"\s+") for word in sorted(words, key=len, reverse=True))


def _known(said: date | None) -> date:
    if said is None:
        raise ValueError("not known when it was said")
    return said


def _step(word: str | None) -> int:
    return STEPS[" ".join((word or "this").lower().split())]


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[" ".join(word.lower().split())]


def _ordinal(word: str) -> int:
    return int("".join(filter(str.isdigit, word)))


def _month(name: str) -> int:
    return MONTHS.index(name[:3].lower()) + 1


def _year(match: re.Match[str], said: date | None) -> int:
    return int(match["year"]) if match["year"] else _known(said).year + _step(match["step"])


def _on(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read a day of a month, or some days in a row."""
    bare = not match["year"] and not match["step"] and match["day"].isdigit()
    if bare and match["month"] in WORDS_TOO:
        return ()
    year, month = _year(match, said), _month(match["month"])
    first = a_day(year, month, _ordinal(match["day"]))
    if not match["until"]:
        return (first,)
    last = a_day(year, month, _ordinal(match["until"]))
    return (Span(first.first, max(first, last).last),)


def _month_of(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    return (a_month(_year(match, said), _month(match["month"])),)


def _month_alone(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read `in May`, `last May`, `next May`; a small `may` or `march` is a word."""
    if match["month"] in WORDS_TOO:
        return ()
    day, month = _known(said), _month(match["month"])
    way = match["way"].lower()
    year = day.year
    if way == "last":
        year -= month >= day.month
    elif way == "next":
        year += month <= day.month
    return (a_month(year, month),)


def _year_alone(match: re.Match[str], _: date | None) -> tuple[Span, ...]:
    return (a_year(int(match["year"])),)


def _named_day(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    return (away(_known(said), "day", NAMED_DAYS[" ".join(match[0].lower().split())]),)


def _unit(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read `last week`, `next month`, `this weekend`."""
    number, unit = _step(match["step"]), match["unit"].lower()
    if unit == "weekend":
        week = a_week(_known(said), number)
        return (Span(week.last - timedelta(days=1), week.last),)
    return (away(_known(said), unit, number),)


def _before_last(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    return (away(_known(said), match["unit"].lower(), -2),)


def _ago(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    sign = -1 if match["way"].lower() == "ago" else 1
    return (away(_known(said), match["unit"].lower(), sign * _number(match["number"])),)


def _weekday(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read `last Friday` (the latest before that day) and `next Friday` (the first after it)."""
    day, wanted = _known(said), WEEKDAYS.index(match["weekday"].lower())
    ahead = (wanted - day.weekday()) % 7
    if _step(match["step"]) < 0:
        ahead -= 7
    elif _step(match["step"]) > 0 and not ahead:
        ahead = 7
    return (away(day, "day", ahead),)


def _weekday_of(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    """Read `Friday of last week`."""
    weekday = WEEKDAYS.index(match["weekday"].lower())
    return (in_week(_known(said), _step(match["step"]), weekday),)


_STEPS = rf"(?P<step>{_any(STEPS)})\s+"
FORMS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_of(r"\b", _MONTH, r"\s*", _DAYS, _EDGE, f"{_TAIL}?"), _on),
    (_of(r"(?<![0-9.,:/-])", _DAYS, r"\s+(?:of\s+)?", _MONTH, f"{_TAIL}?"), _on),
    (_of(r"\b", _MONTH, _TAIL), _month_of),
    (
        _of(r"\b(?P<way>in|during|since|until|early|late|mid|last|this|next)[\s-]+", _MONTH,
            r"(?!\s*[0-9]|,?\s+(?:of\s+)?(?:[12][0-9]{3}|(?:last|this|next)\s+year))"),
        _month_alone,
    ),
    (_of(r"\b(?:", _any(NAMED_DAYS), r")\b"), _named_day),
    (_of(r"\b", _STEPS, r"(?P<unit>weekend|week|month|year)\b"), _unit),
    (_of(r"\b(?P<unit>week|month|year)\s+before\s+last\b"), _before_last),
    (
        _of(r"\b(?P<number>[0-9]{1,3}|", _any(NUMBERS), r")\s+(?P<unit>day|week|month|year)s?\s+"
            r"(?P<way>ago|from\s+now|from\s+today)\b"),
        _ago,
    ),
    (_of(r"\b", _STEPS, _WEEKDAY), _weekday),
    (_of(r"\b", _WEEKDAY, r",?\s+(?:of\s+)?(?P<step>last|this|next)\s+week\b"), _weekday_of),
)  # fmt: skip
"""Patterns, each with what reads a match of it; a reader raises ValueError for what is no day."""
YEARS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (
        _of(r"\b(?:in|during|since|until|early|late|mid|year)[\s-]+(?P<year>", _YEAR,
            r")(?![\w%/-])"),
        _year_alone,
    ),
)  # fmt: skip
"""The form that needs no word of a date beside its four digits: `in 2023`."""
HINTS: tuple[str, ...] = (
    *MONTHS, "ago", "yesterday", "today", "tomorrow", "tonight", "this", "last", "next", "previous",
    "from",
)  # fmt: skip
"""Each form of `FORMS` holds one of these, in small letters."""
YEARLESS: tuple[Reader, ...] = (_on, _month_of)
"""Readers of forms that may lack a year."""
