"""Times as text: a plain date, or a moment in UTC."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

from memoranda.errors import TimeError

_FORM = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[Tt ]([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"(?: ?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?))?)?"
)


def normalise(value: str | datetime | date) -> str:
    """Give a time in the one form that the library stores and prints (R56, R210).

    A date stays a date: `2026-03-01`. A moment becomes UTC: `2026-03-01T09:30Z`, with `:SS` only if
    seconds are given and not zero, and `.ffffff` only if microseconds are not zero. Strings are
    ISO 8601: `T` or one blank before the clock time; offset `Z`, `+08:00`, `+0800` or `+08`. Digits
    beyond microseconds are dropped. The forms do not sort as text: compare `instant(...)`.

    Raises:
        TimeError: not a time, a clock time without an offset, or outside years 1..9999 in UTC.
    """
    if isinstance(value, datetime):
        return _print(_utc(value, value))
    if isinstance(value, date):
        return value.isoformat()
    found = _read(value)
    return _print(found) if isinstance(found, datetime) else found.isoformat()


def instant(text: str) -> datetime:
    """Give the moment of a time, aware and in UTC; a plain date is its 00:00.

    Raises:
        TimeError: as `normalise`.
    """
    found = _read(text)
    if isinstance(found, datetime):
        return found
    return datetime(found.year, found.month, found.day, tzinfo=UTC)


def day(text: str) -> str:
    """Give the UTC day of a time as `YYYY-MM-DD`.

    Raises:
        TimeError: as `normalise`.
    """
    return instant(text).date().isoformat()


def _read(value: object) -> datetime | date:
    if not isinstance(value, str):
        raise TimeError(value, "it is neither text nor a date")
    match = _FORM.fullmatch(value.strip())
    if match is None:
        raise TimeError(value, "it is not in a known form")
    on, clock, second, fraction, offset = match.groups()
    try:
        if clock is None:
            return date.fromisoformat(on)
        micro = (fraction or "")[:6].ljust(6, "0")
        moment = datetime.fromisoformat(f"{on}T{clock}:{second or '00'}.{micro}")
        zone = None if offset is None else _zone(offset)
    except ValueError as error:
        raise TimeError(value, str(error)) from None
    return _utc(moment.replace(tzinfo=zone), value)


def _zone(offset: str) -> timezone:
    if offset in "Zz":
        return UTC
    digits = offset[1:].replace(":", "").ljust(4, "0")
    if int(digits[2:]) > 59:
        raise ValueError("offset minutes must be in 0..59")
    shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-shift if offset[0] == "-" else shift)


def _utc(moment: datetime, value: object) -> datetime:
    if moment.utcoffset() is None:
        raise TimeError(value, "it has a clock time but no offset")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise TimeError(value, "it lies outside the years 1 to 9999 in UTC") from None


def _print(moment: datetime) -> str:
    fine = "seconds" if moment.second else "minutes"
    form = "microseconds" if moment.microsecond else fine
    return moment.replace(tzinfo=None).isoformat(timespec=form) + "Z"
