"""Dates said in text: closed forms in four languages; what is no date is none, and nothing raises."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text import dates_cjk, dates_english
from memoranda.text.dates import spans

SAID = "2026-03-04T23:59Z"  # a Wednesday

A_DAY = {
    "I met her on 3 May 2023.": "2023-05-03",
    "May 3, 2023": "2023-05-03",
    "the 3rd of May, 2023": "2023-05-03",
    "MAY 3RD 2023": "2023-05-03",
    "Sept. 4th is fine": "2026-09-04",
    "by March 8": "2026-03-08",
    "may 3rd": "2026-05-03",
    "2023-05-03": "2023-05-03",
    "at 2023-05-03T10:00:00Z": "2023-05-03",
    "log-2023-05-03.txt": "2023-05-03",
    "2023/5/3": "2023-05-03",
    "3.5.2023": "2023-05-03",
    "13/5/2023": "2023-05-13",
    "yesterday": "2026-03-03",
    "the day before yesterday": "2026-03-02",
    "Tomorrow we sail": "2026-03-05",
    "last night": "2026-03-03",
    "last Friday": "2026-02-27",
    "last Wed": "2026-02-25",
    "next Wednesday": "2026-03-11",
    "this Friday": "2026-03-06",
    "Friday of last week": "2026-02-27",
    "5 days ago": "2026-02-27",
    "three days from now": "2026-03-07",
    "2023年5月3日": "2023-05-03",
    "２０２３年５月３日": "2023-05-03",
    "二〇二三年五月三日": "2023-05-03",
    "23年5月3号": "2023-05-03",
    "98年5月3号": "1998-05-03",
    "5月3日": "2026-05-03",
    "十二月二十五日": "2026-12-25",
    "去年5月3日": "2025-05-03",
    "上个月3号": "2026-02-03",
    "昨天": "2026-03-03",
    "前天晚上": "2026-03-02",
    "大前天": "2026-03-01",
    "后天见": "2026-03-06",
    "三天前": "2026-03-01",
    "十五天之前": "2026-02-17",
    "上周五": "2026-02-27",
    "下星期天": "2026-03-15",
    "令和5年5月3日": "2023-05-03",
    "先週の金曜日": "2026-02-27",
    "一昨日": "2026-03-02",
    "来月の5日": "2026-04-05",
    "2023년 5월 3일": "2023-05-03",
    "5월 3일 전에": "2026-05-03",
    "지난주 금요일": "2026-02-27",
    "어제": "2026-03-03",
    "3일 전": "2026-03-01",
}

MORE_DAYS = {
    "two weeks ago": ("2026-02-16", "2026-02-22"),
    "the week before last": ("2026-02-16", "2026-02-22"),
    "last week": ("2026-02-23", "2026-03-01"),
    "last weekend": ("2026-02-28", "2026-03-01"),
    "next month": ("2026-04-01", "2026-04-30"),
    "a month ago": ("2026-02-01", "2026-02-28"),
    "last year": ("2025-01-01", "2025-12-31"),
    "in March": ("2026-03-01", "2026-03-31"),
    "last March": ("2025-03-01", "2025-03-31"),
    "May of last year": ("2025-05-01", "2025-05-31"),
    "in May, 2023": ("2023-05-01", "2023-05-31"),
    "2023-05": ("2023-05-01", "2023-05-31"),
    "in 2023, we": ("2023-01-01", "2023-12-31"),
    "May 3-5, 2023": ("2023-05-03", "2023-05-05"),
    "from May 3 to May 5, 2023": ("2023-05-03", "2023-05-05"),
    "去年": ("2025-01-01", "2025-12-31"),
    "2023年": ("2023-01-01", "2023-12-31"),
    "5月": ("2026-05-01", "2026-05-31"),
    "下个月": ("2026-04-01", "2026-04-30"),
    "上周末": ("2026-02-28", "2026-03-01"),
    "两周前": ("2026-02-16", "2026-02-22"),
    "3个月前": ("2025-12-01", "2025-12-31"),
    "5月3日至5日": ("2026-05-03", "2026-05-05"),
    "从2023年1月到3月": ("2023-01-01", "2023-03-31"),
    "3ヶ月前": ("2025-12-01", "2025-12-31"),
    "다음 달": ("2026-04-01", "2026-04-30"),
}

NONE = (
    "", "you may 3 times try", "in may", "I may march", "version v2023.5.3", "1.2.3.2023", "99999-12-12",
    "31 Feb 2023", "2023-02-30", "2023-13", "20230503", "in 2023-24", "a crowd of 2000", "room 1100",
    "目前天气很好", "以前天天去", "之后天天吃", "说明天气不错", "下周期", "三年级", "三天", "几天前",
    "15月3日", "5月32日", "今后天天", "this is", "last time", "next door", "marching", "day after day",
    "the 5th", "十天后", "月", "年", "号",
)  # fmt: skip


def shown(text: str, said: str | None = SAID) -> list[tuple[str, str]]:
    return [(span.first.isoformat(), span.last.isoformat()) for span in spans(text, said)]


@pytest.mark.parametrize(("text", "day"), A_DAY.items())
def test_a_day_is_read(text: str, day: str) -> None:
    assert shown(text) == [(day, day)]


@pytest.mark.parametrize(("text", "days"), MORE_DAYS.items())
def test_a_week_a_month_a_year_and_a_range_are_read(text: str, days: tuple[str, str]) -> None:
    assert shown(text) == [days]


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_date_is_none(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize("text", ["yesterday", "May 3rd", "5月3日", "上周五", "三天前", "in March"])
def test_what_needs_a_time_is_left_out_without_one(text: str) -> None:
    assert shown(text, None) == []
    assert shown(text, "no time") == []


def test_an_order_that_is_not_told_gives_both_days() -> None:
    assert shown("3/5/2023") == [("2023-05-03", "2023-05-03"), ("2023-03-05", "2023-03-05")]
    assert shown("5/5/2023") == [("2023-05-05", "2023-05-05")]


def test_several_dates_come_in_reading_order() -> None:
    text = "Not on 2023-05-03 but 昨天, or May 9th."
    assert [first for first, _ in shown(text)] == ["2023-05-03", "2026-03-03", "2026-05-09"]


def test_a_range_that_runs_backwards_is_two_days() -> None:
    assert [first for first, _ in shown("Dec 30 to Jan 2")] == ["2026-12-30", "2026-01-02"]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-03-01", "2026-02-28"),
        ("2026-03-01T00:30Z", "2026-02-28"),
        ("2024-03-01", "2024-02-29"),
    ],
)
def test_yesterday_is_counted_from_the_utc_day(said: str, day: str) -> None:
    assert shown("昨天 it rained", said) == [(day, day)]


def test_every_named_day_and_year_is_read_by_itself() -> None:
    for words, unit in (
        (dates_cjk.DAYS, "day"),
        (dates_english.NAMED_DAYS, "day"),
        (dates_cjk.YEARS, ""),
    ):
        for word, step in words.items():
            (span,) = spans(word, SAID)
            if unit:
                assert (span.first - date(2026, 3, 4)).days == step, word
            else:
                assert span.first.year - 2026 == step, word


PARTS = st.sampled_from(
    [*A_DAY, *MORE_DAYS, *NONE, " ", "-", "0", "９", "年", "月", "前", "last ", "\ud800"]
)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PARTS, max_size=6).map("".join)), st.dates())
def test_nothing_raises_and_every_span_runs_forward(text: str, day: date) -> None:
    for said in (day.isoformat(), None):
        assert all(span.first <= span.last for span in spans(text, said))


@pytest.mark.parametrize("said", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_no_trap(said: str) -> None:
    for text in (*A_DAY, *MORE_DAYS):
        assert all(span.first <= span.last for span in spans(text, said))


@pytest.mark.parametrize(
    "text",
    ["上" + " " * 20_000, "may" + " " * 20_000, "2023年" + " " * 20_000, "1-" * 10_000, "may " * 6000,
     "last " * 5000, "二十" * 9000, "in" + " -" * 10_000, "三天" + " " * 20_000, "1" * 30_000],
    ids=range(10),
)  # fmt: skip
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    spans(text, SAID)
    assert time.process_time() - start < 1
