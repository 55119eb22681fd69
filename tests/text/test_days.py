"""The period that a filter's value means."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from memoranda.errors import InputError, TimeError
from memoranda.text.days import a_month, away, period

KOLKATA = timezone(timedelta(hours=5, minutes=30))


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("2026", at(2026, 1, 1), at(2027, 1, 1)),
        ("2026-12", at(2026, 12, 1), at(2027, 1, 1)),
        (" 2024-02 ", at(2024, 2, 1), at(2024, 3, 1)),
        ("2026-03-08", at(2026, 3, 8), at(2026, 3, 9)),
        (date(2026, 3, 8), at(2026, 3, 8), at(2026, 3, 9)),
        ("2026-03-08T00:30Z", at(2026, 3, 8, 0, 30), at(2026, 3, 8, 0, 31)),
        ("2026-03-08T06:00:07+05:30", at(2026, 3, 8, 0, 30, 7), at(2026, 3, 8, 0, 30, 8)),
        (datetime(2026, 3, 8, 6, tzinfo=KOLKATA), at(2026, 3, 8, 0, 30), at(2026, 3, 8, 0, 31)),
        (
            "2026-03-08T00:30:00.5Z",
            at(2026, 3, 8, 0, 30, 0, 500_000),
            at(2026, 3, 8, 0, 30, 0, 500_001),
        ),
    ],
)
def test_a_value_means_a_period(value: str | date, start: datetime, end: datetime) -> None:
    assert (period(value).start, period(value).end) == (start, end)


@pytest.mark.parametrize("value", ["9999", "9999-12", "9999-12-31"])
def test_the_last_period_of_the_calendar_has_an_end(value: str) -> None:
    assert period(value).end.year == 9999


@pytest.mark.parametrize(
    "value",
    [
        "",
        "0000",
        "2026-13",
        "2026-00",
        "26",
        "March",
        "2026-03-08T00:30",
        "2026-03-32",
        2026,
        None,
        b"2026",
    ],
)
def test_what_is_no_period_is_refused(value: object) -> None:
    with pytest.raises(TimeError):
        period(value)  # type: ignore[arg-type]


def test_a_naive_moment_is_refused() -> None:
    with pytest.raises(InputError, match="offset"):
        period(datetime(2026, 3, 8, 6))  # noqa: DTZ001 - that is the point


def test_months_count_on_into_other_years() -> None:
    assert a_month(2026, 0).first == date(2025, 12, 1)
    assert a_month(2026, 14).last == date(2027, 2, 28)
    assert away(date(2026, 3, 31), "month", -1).last == date(2026, 2, 28)
