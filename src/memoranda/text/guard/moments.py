"""Dates and clock times of a text, each as the days or the minute it means."""

from __future__ import annotations

import re
from functools import cache

from memoranda.text import dates_cjk, dates_english
from memoranda.text.dates import spans
from memoranda.text.days import Span
from memoranda.text.guard.clauses import Canvas, Token
from memoranda.text.guard.figures import compiled

_ABSOLUTE = (
    re.compile(r"(?<![0-9A-Za-z.])(?<![0-9][-/])[12][0-9]{3}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])(?![-/.][0-9])"),
    re.compile(r"(?<![0-9A-Za-z.-])[12][0-9]{3}-(?:0[1-9]|1[0-2])(?![0-9A-Za-z-])"),
    re.compile(r"(?<![0-9A-Za-z./-])[0-9]{1,2}([-/.])[0-9]{1,2}\1(?:19|20)[0-9]{2}(?![0-9A-Za-z])"),
)  # fmt: skip
_TO = re.compile(r"\s*(?:-|–|—|~|至|到|から|부터|to|until|till|through|and)\s*", re.IGNORECASE)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(
    rf"\b(?P<en>{'|'.join(_DAYS)})s?\b|(?:每?(?:周|星期|礼拜|週))(?P<zh>[一二三四五六日天])(?!期)",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"(?<![\w.,$€£#-])(?:19|20)[0-9]{2}(?![\w%]|[.,][0-9]|\s?(?:km|kg|m|g|euros?|dollars?)\b)"
)
_HOUR = "one two three four five six seven eight nine ten eleven twelve"
_HOURS = {word: n for n, word in enumerate(_HOUR.split(), 1)}
_HALF = r"(?P<half>half|a? ?quarter) (?P<side>past|to) "
_SIDE = r"(?:\s*(?P<m>[ap])(?:\.m\.|m\b)|\s+in the (?P<part>morning|afternoon|evening))"
_CLOCKS = (
    rf"(?<![A-Za-z0-9_.:])(?P<h>\d{{1,2}})(?::(?P<min>\d\d))(?::\d\d)?(?!\d){_SIDE}?",
    rf"(?<![A-Za-z0-9_.:])(?P<h>\d{{1,2}})\.(?P<min>\d\d){_SIDE}",
    rf"(?:\b{_HALF})(?P<h>\d{{1,2}}|{'|'.join(_HOURS)})\b{_SIDE}?",
    rf"(?<![A-Za-z0-9_.:])(?P<h>\d{{1,2}}|{'|'.join(_HOURS)})(?: ?o'clock)?{_SIDE}",
    rf"(?<![A-Za-z0-9_.:])(?P<h>\d{{1,2}}|{'|'.join(_HOURS)}) ?o'clock\b",
)
_CHINESE = re.compile(
    r"(?P<part>凌晨|清晨|早上|上午|中午|下午|傍晚|晚上)?(?<![\d.])(?P<h>\d{1,2}|[一二两三四五六七八九十]{1,3})"
    r"(?:点|:)(?:(?P<min>\d{1,2}|[一二三四五六七八九十]{1,3})分?|(?P<half>半|一刻|三刻)|钟|整)?(?![一二三四五六七八九\d])"
)
_YEARS_AWAY = re.compile(r"year|[去今明前后後来來本昨]年|年前", re.IGNORECASE)
_LONGEST = 80
"""Characters; longer stretches are no one date."""
_LATE = {"下午", "傍晚", "晚上", "afternoon", "evening"}


def moments(canvas: Canvas, said: str | None) -> None:
    """Take the clock times and dates of a text; relative days are those that `said` gives them."""
    text = canvas.left
    for start, end in _regions(text):
        written = text[start:end]
        found = _dated(written, said)
        if found:
            canvas.take(Token("date", found, written, start, end, loose=False))
    _clocks(canvas)
    for match in list(_WEEKDAY.finditer(canvas.left)):
        at = (
            _DAYS.index(match["en"].lower())
            if match["en"]
            else "一二三四五六日天".index(match["zh"])
        )
        canvas.take(Token("date", f"weekday {min(at, 6)}", match[0], *match.span()))
    for match in list(_YEAR.finditer(canvas.left)):
        canvas.take(Token("date", f"{match[0]}-01-01..{match[0]}-12-31", match[0], *match.span()))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    worded = (*dates_cjk.FORMS, *dates_english.FORMS, *dates_english.YEARS)
    return (*_ABSOLUTE, *(pattern for pattern, _ in worded))


def _regions(text: str) -> list[tuple[int, int]]:
    """Find where dates stand; two with `to` between them are one."""
    found = sorted(
        {match.span() for pattern in _patterns() for match in pattern.finditer(text)},
        key=lambda span: (span[0], -span[1]),
    )
    kept: list[tuple[int, int]] = []
    for start, end in found:
        if kept and start < kept[-1][1]:
            continue
        joined = kept and end - kept[-1][0] < _LONGEST and _TO.fullmatch(text, kept[-1][1], start)
        if joined and len(spans(text[kept[-1][0] : end], "2024-06-05")) == 1:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
    return [(start, end - text[start:end].endswith(".")) for start, end in kept]


def _dated(written: str, said: str | None) -> str:
    """Name the days that a stretch means; without a time a relative one stays what it is."""
    plain = " ".join(written.casefold().split())
    found = spans(written, said)
    if not found:
        return f"said {plain}" if spans(written, "2024-06-05") else ""
    return "|".join(map(_span, found))


def relative(token: Token) -> bool:
    """Tell whether a date is named by its distance from the day when it was said."""
    if token.kind != "date" or token.key.startswith(("weekday", "t")):
        return False
    early, late = (spans(token.shown, day) for day in ("2024-06-05", "2024-09-18"))
    return early != late or bool(_YEARS_AWAY.search(token.shown))


def _span(span: Span) -> str:
    return f"{span.first.isoformat()}..{span.last.isoformat()}"


def _clocks(canvas: Canvas) -> None:
    for pattern in map(compiled, _CLOCKS):
        for match in list(pattern.finditer(canvas.left)):
            _take(canvas, match, _HOURS)
    for match in list(_CHINESE.finditer(canvas.left)):
        if "点" in match[0]:
            _take(canvas, match, {})


def _take(canvas: Canvas, match: re.Match[str], words: dict[str, int]) -> None:
    groups = match.groupdict()
    hour = _number(match["h"], words)
    minute = _number(groups.get("min") or "0", words)
    half = {"half": 30, "半": 30, "一刻": 15, "三刻": 45}.get((groups.get("half") or "").lower(), 0)
    if groups.get("side"):
        half = half or 15
        hour, minute = (hour, half) if groups["side"] == "past" else (hour - 1, 60 - half)
    elif half:
        minute = half
    if (groups.get("m") or "").lower() == "p" or groups.get("part") in _LATE:
        hour += 12 if hour < 12 else 0
    elif (groups.get("m") or "").lower() == "a" and hour == 12:
        hour = 0
    if hour <= 24 and minute < 60:
        canvas.take(Token("date", f"t{hour}:{minute:02}", match[0], *match.span()))


def _number(written: str, words: dict[str, int]) -> int:
    small = written.lower()
    if small.isdigit():
        return int(small)
    return words[small] if small in words else dates_cjk.number(small)
