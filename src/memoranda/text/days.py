"""Days, weeks, months and years as spans of days, and the period that a filter's value means."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from memoranda.errors import TimeError
from memoranda.text.times import instant, normalise

WEEK = 7
_YEAR = re.compile(r"[0-9]{4}")
_MONTH = re.compile(r"([0-9]{4})-([0-9]{2})")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Days in a row, first and last included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.last - self.first).days + 1


@dataclass(frozen=True, slots=True)
class Period:
    """A piece of time from a moment on, up to another one that is no longer in it; both in UTC."""

    start: datetime
    end: datetime


def a_day(year: int, month: int, day: int) -> Span:
    """Give one day. Raises ValueError if there is no such day."""
    found = date(year, month, day)
    return Span(found, found)


def a_month(year: int, month: int) -> Span:
    """Give the days of a month; months beyond 1..12 count on into other years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    first = date(year, month, 1)
    return Span(first, first.replace(day=monthrange(year, month)[1]))


def a_year(year: int) -> Span:
    """Give the days of a year."""
    return Span(date(year, 1, 1), date(year, 12, 31))


def a_week(day: date, number: int = 0) -> Span:
    """Give a week, Monday to Sunday: the one of a day, or so many after (before) it."""
    first = day + timedelta(days=WEEK * number - day.weekday())
    return Span(first, first + timedelta(days=WEEK - 1))


def in_week(day: date, number: int, weekday: int) -> Span:
    """Give a weekday (0 is Monday) of the week of a day, or of so many weeks after it."""
    found = a_week(day, number).first + timedelta(days=weekday)
    return Span(found, found)


def away(day: date, unit: str, number: int) -> Span:
    """Give the day, week, month or year that lies so many units after (before) that of a day."""
    if unit == "day":
        found = day + timedelta(days=number)
        return Span(found, found)
    if unit == "week":
        return a_week(day, number)
    if unit == "month":
        return a_month(day.year, day.month + number)
    return a_year(day.year + number)


def period(value: str | datetime | date) -> Period:
    """Give the period that a value means: a year, a month, a UTC day, a minute, a moment.

    `2026` is a year, `2026-03` a month, `2026-03-01` a UTC day; a moment has an offset, and means
    its minute, or its second or microsecond where these are given and not zero.

    Raises:
        TimeError: none of these, or a clock time without an offset.
    """
    if isinstance(value, str):
        text = value.strip()
        try:
            if _YEAR.fullmatch(text):
                return _of(a_year(int(text)))
            found = _MONTH.fullmatch(text)
            if found and int(found[2]) in range(1, 13):
                return _of(a_month(int(found[1]), int(found[2])))
        except ValueError as error:
            raise TimeError(value, str(error)) from None
    if not isinstance(value, str | date):
        raise TimeError(value, "it is neither text nor a date")
    form = normalise(value)
    start = instant(form)
    return Period(start, _later(start, _grain(form)))


def _of(span: Span) -> Period:
    start = datetime(span.first.year, span.first.month, span.first.day, tzinfo=UTC)
    return Period(start, _later(start, timedelta(days=span.days)))


def _later(start: datetime, by: timedelta) -> datetime:
    """Go on, at most to the last moment that there is."""
    return start + min(by, datetime.max.replace(tzinfo=UTC) - start)


def _grain(form: str) -> timedelta:
    if "T" not in form:
        return timedelta(days=1)
    if "." in form:
        return timedelta(microseconds=1)
    return timedelta(seconds=1) if form.count(":") > 1 else timedelta(minutes=1)
