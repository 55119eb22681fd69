"""Times: a plain date or a moment in UTC, and nothing in between."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.errors import TimeError
from memoranda.text.times import day, instant, normalise

CHINA = timezone(timedelta(hours=8))


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("2026-03-01", "2026-03-01"),
        (" 2026-03-01 ", "2026-03-01"),
        (date(2026, 3, 1), "2026-03-01"),
        (date(7, 3, 1), "0007-03-01"),
        ("2026-03-01T09:30Z", "2026-03-01T09:30Z"),
        ("2026-03-01t09:30z", "2026-03-01T09:30Z"),
        ("2026-03-01T09:30:00.000Z", "2026-03-01T09:30Z"),
        ("2026-03-01 09:30:05 Z", "2026-03-01T09:30:05Z"),
        ("2026-03-01T09:30:00.5Z", "2026-03-01T09:30:00.500000Z"),
        ("2026-03-01T09:30:05.1234567Z", "2026-03-01T09:30:05.123456Z"),
        ("2026-03-01T02:30+08:00", "2026-02-28T18:30Z"),
        ("2026-03-01T02:30:00+0800", "2026-02-28T18:30Z"),
        ("2026-03-01 22:30-03", "2026-03-02T01:30Z"),
        ("2026-03-01 22:30 -03:30", "2026-03-02T02:00Z"),
        (datetime(2026, 3, 1, 9, 30, tzinfo=CHINA), "2026-03-01T01:30Z"),
        (datetime(2026, 3, 1, 9, 30, 5, 7, tzinfo=UTC), "2026-03-01T09:30:05.000007Z"),
    ],
)
def test_a_time_has_one_form(given_: str | date, expected: str) -> None:
    assert normalise(given_) == expected


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("2026-03-01T09:30", "no offset"),
        (datetime(2026, 3, 1), "no offset"),  # noqa: DTZ001 - that is the point
        ("2026-02-29", "day"),
        ("0000-03-01", "year"),
        ("2026-03-01T24:00Z", "hour"),
        ("2026-03-01T23:59:60Z", "second"),
        ("2026-03-01T09:30+24:00", "offset"),
        ("2026-03-01T09:30+08:75", "offset minutes"),
        ("0001-01-01T00:30+08:00", "years 1 to 9999"),
        ("9999-12-31T23:30-08:00", "years 1 to 9999"),
        ("yesterday", "known form"),
        ("", "known form"),
        ("20260301", "known form"),
        ("2026-3-1", "known form"),
        ("２０２６-03-01", "known form"),
        ("2026-03-01T09Z", "known form"),
        (20260301, "neither text nor a date"),
        (None, "neither text nor a date"),
    ],
)
def test_what_is_no_time_is_refused_with_its_reason(value: str, reason: str) -> None:
    with pytest.raises(TimeError, match=reason):
        normalise(value)


def test_a_date_begins_at_midnight() -> None:
    assert instant("2026-03-01") == datetime(2026, 3, 1, tzinfo=UTC)
    assert instant("2026-03-01T02:30+08:00") == datetime(2026, 2, 28, 18, 30, tzinfo=UTC)


def test_the_day_is_the_day_in_utc() -> None:
    assert day("2026-03-01") == "2026-03-01"
    assert day("2026-03-01T02:30+08:00") == "2026-02-28"


@settings(max_examples=80, deadline=None)
@given(
    st.datetimes(
        datetime(1, 1, 2),  # noqa: DTZ001 - Hypothesis wants it bare
        datetime(9999, 12, 30),  # noqa: DTZ001
        timezones=st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours))),
    )
)
def test_a_moment_is_kept_and_its_form_is_stable(moment: datetime) -> None:
    text = normalise(moment)
    assert instant(text) == moment
    assert normalise(text) == text == normalise(moment.isoformat())
