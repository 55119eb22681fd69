"""Forms of dates in Chinese, Japanese and Korean: `2023年5月3日`, `上周五`, `三天前`, `지난주`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from memoranda.text.days import Span, a_day, a_month, a_week, a_year, away, in_week

Reader = Callable[[re.Match[str], date | None], tuple[Span, ...]]

DIGITS = {
    "〇": 0, "零": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6,
    "七": 7, "八": 8, "九": 9,
}  # fmt: skip
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925}
"""The year before the first of each era."""
DAYS = {
    "大前天": -3, "一昨日": -2, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1, "今天": 0,
    "今日": 0, "今晚": 0, "今早": 0, "今朝": 0, "明天": 1, "明日": 1, "明晚": 1, "明早": 1, "后天": 2,
    "後天": 2, "明後日": 2, "大后天": 3, "大後天": 3, "그저께": -2, "어제": -1, "오늘": 0, "내일": 1,
    "모레": 2,
}  # fmt: skip
YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "昨年": -1, "今年": 0, "本年": 0, "明年": 1, "来年": 1,
    "來年": 1, "后年": 2, "後年": 2, "재작년": -2, "작년": -1, "지난해": -1, "올해": 0, "내년": 1,
}  # fmt: skip
STEPS = {
    "上上": -2, "上": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "下下": 2, "先々": -2, "先": -1,
    "来": 1, "來": 1, "再来": 2, "지지난": -2, "지난": -1, "이번": 0, "다음": 1, "다다음": 2,
}  # fmt: skip
WEEKDAYS = (
    "一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天일",
)  # fmt: skip
UNITS = {"天": "day", "日": "day", "일": "day", "年": "year", "년": "year", "달": "month"}
"""Units by their first character; what else begins a unit counts weeks or months."""

_N = r"[0-9]{1,2}|[一二三四五六七八九十]{1,3}"
_FULL = r"[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3}"
_ERA = "|".join(ERAS)
_AGO = r"(?<![目以之先提眼从生饭午])"
_LATER = r"(?<![以之然今最随午先])"
_SAID = r"(?<![说說表证證声聲阐光聪文透])"
"""What stands before the first half of a word that is cut wrongly: 目前/天气, 以后/天天, 说明/天气."""


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def _guarded(words: dict[str, int]) -> str:
    """Give alternatives that are not matched inside other words."""
    guards = {"前": _AGO, "后": _LATER, "後": _LATER, "明": _SAID}
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(guards.get(word[0], "") + word for word in ordered)


_YEAR = (
    rf"(?:(?P<era>{_ERA})(?P<of>[0-9]{{1,2}}|元)年|(?<![0-9])(?P<year>{_FULL})\s*[年년]"
    rf"|(?<![0-9])(?P<short>[0-9]{{2}})年(?=\s*(?:{_N})\s*月)|(?P<named>{_guarded(YEARS)}))"
)
_MONTH = rf"(?<![0-9年一二三四五六七八九十])(?P<month>{_N})\s*(?:月份?|월)"
_DAY = rf"\s*(?P<day>{_N}|二十[一-九])\s*(?:日|号|號|일)"
_UNTIL = rf"(?:\s*[-–~至到]\s*(?P<until>{_N})\s*(?:日|号|號|일))"
_WHOLE = re.compile(
    rf"{_YEAR}(?:\s*(?:[的の]\s*)?(?P<month>{_N})\s*(?:月份?|월)(?:{_DAY}{_UNTIL}?)?)?(?![期代龄轻])"
)
_SHORT = re.compile(rf"{_MONTH}(?:{_DAY}{_UNTIL}?)?")
_NAMED = re.compile(rf"(?:{_guarded(DAYS)})(?![空性])")
_WEEK = re.compile(
    rf"(?P<step>{_any(STEPS)})\s*(?:[个個]\s*)?(?:周|週|星期|礼拜|禮拜|주(?=$|[^0-9가-힣]|[에의는부까월화수목금토일말]))"
    r"(?!期|围|圍|边|邊|身|岁|歲|转|年)(?:\s*(?:[の의]\s*)?"
    r"(?:(?P<weekday>[一二三四五六日天])|(?P<named>[月火水木金土日]曜|[월화수목금토일]요일)|(?P<end>末|말)))?"
)
_AWAY = re.compile(
    rf"(?P<step>{_any(STEPS)})\s*(?:个|個)?(?:月(?!球|亮|光|饼|台|票)|달)"
    rf"(?:(?:\s*[的の])?{_DAY})?"
)
_BEFORE = re.compile(
    r"(?<![0-9.第月년월])(?<![一二三四五六七八九十])(?P<number>[0-9]{1,3}|[一二两兩三四五六七八九十]{1,3})\s*"
    r"(?P<unit>天|日(?:间|間)?|年|周(?:间)?|週(?:間)?|(?:个|個)?(?:星期|礼拜|禮拜)|[个個ヶかカケ]月|주일?|일|개월|달|년)"
    r"\s*(?:[以之]\s*)?(?:前(?![天年面])|전(?![가-힣]*[화국]))"
)


def number(text: str) -> int:
    """Read a number in digits or Chinese numerals, up to 99, or digit by digit."""
    if text.isdigit() and text.isascii():
        return int(text)
    if "十" not in text:
        return int("".join(str(DIGITS[character]) for character in text))
    tens, _, ones = text.partition("十")
    if len(tens) > 1 or len(ones) > 1:
        raise ValueError("not a number")
    return 10 * (DIGITS[tens] if tens else 1) + (DIGITS[ones] if ones else 0)


def _known(said: date | None) -> date:
    if said is None:
        raise ValueError("not known when it was said")
    return said


def _year_of(match: re.Match[str], said: date | None) -> int:
    if match["era"]:
        return ERAS[match["era"]] + (1 if match["of"] == "元" else int(match["of"]))
    if match["year"]:
        return number(match["year"])
    if match["short"]:
        short = int(match["short"])
        return short + (2000 if short < 70 else 1900)
    return _known(said).year + YEARS[match["named"]]


def _days(match: re.Match[str], year: int, month: int) -> tuple[Span, ...]:
    first = a_day(year, month, number(match["day"]))
    if not match["until"]:
        return (first,)
    last = a_day(year, month, number(match["until"]))
    return (Span(first.first, max(first, last).last),)


def _month_in(match: re.Match[str]) -> int:
    month = number(match["month"])
    if month not in range(1, 13):
        raise ValueError("no such month")
    return month


def _whole(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    year = _year_of(match, said)
    if not match["month"]:
        return (a_year(year),)
    month = _month_in(match)
    return _days(match, year, month) if match["day"] else (a_month(year, month),)


def _short(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    year, month = _known(said).year, _month_in(match)
    return _days(match, year, month) if match["day"] else (a_month(year, month),)


def _named(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    return (away(_known(said), "day", DAYS[match[0]]),)


def _week(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    day, step = _known(said), STEPS[match["step"]]
    named = match["weekday"] or (match["named"] or "")[:1]
    if named:
        weekday = next(at for at, names in enumerate(WEEKDAYS) if named in names)
        return (in_week(day, step, weekday),)
    week = a_week(day, step)
    return (Span(week.last - timedelta(days=1), week.last) if match["end"] else week,)


def _away(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    month = away(_known(said), "month", STEPS[match["step"]])
    if match["day"]:
        return (a_day(month.first.year, month.first.month, number(match["day"])),)
    return (month,)


def _before(match: re.Match[str], said: date | None) -> tuple[Span, ...]:
    unit = match["unit"]
    kind = (
        "week"
        if unit[0] in "周週주" or "星期" in unit or unit[-2:] in {"礼拜", "禮拜"}
        else "month"
    )
    return (away(_known(said), UNITS.get(unit[0], kind), -number(match["number"])),)


FORMS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_WHOLE, _whole),
    (_SHORT, _short),
    (_NAMED, _named),
    (_WEEK, _week),
    (_AWAY, _away),
    (_BEFORE, _before),
)
"""Patterns, each with what reads a match of it; a reader raises ValueError for what is no day."""
HINTS: tuple[str, ...] = (
    *"年月周週日天년월주달일前전", "星期", "礼拜", "禮拜", *DAYS, *YEARS,
)  # fmt: skip
"""Each form of `FORMS` holds one of these."""
YEARLESS: tuple[Reader, ...] = (_short,)
"""Readers of forms that may lack a year."""
