"""Typed values in a text: numbers with their units, times, versions, addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.wording import MEASURES_ZH

_EN = (
    ("email", Lazy(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("phone", Lazy(r"\b\d{3,4}-\d{4}\b|\+\d[\d ]{6,}\d")),
    (
        "version",
        Lazy(
            r"\b\d+\.\d+\.\d+(?:[-.]?\w+)?\b|(?<=[A-Z][a-z]{2} )\d+\.\d+\b|"
            r"(?<=[a-z]{3} )\d+\.\d+\b(?! ?\w*(?:bar|percent|%))"
        ),
    ),
    (
        "clock",
        Lazy(
            r"\b\d{1,2}:\d{2}\b|\b\d{1,2} ?(?:am|pm|o'clock)\b|(?<=\bat )\d{1,2}\b(?! ?(?!(?:in|"
            r"on|and|for|by|each|every|so|or|with|sharp|today|tomorrow|because|but|when|the|as|"
            r"from|to|instead|at|now|rather|not) )[A-Za-z%€$°])(?![.:]\d)|\bnoon\b|\bmidnight\b",
            re.IGNORECASE,
        ),
    ),
    ("weekday", Lazy(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day", re.IGNORECASE)),
    (
        "date",
        Lazy(
            r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:january|february|march|april|june|july|august|"
            r"september|october|november|december)\b|\b\d{4}-\d\d-\d\d\b",
            re.IGNORECASE,
        ),
    ),
)
_NUMBER_EN = Lazy(
    r"(?P<pre>[$€£]?)(?<![\w.:-])(?P<n>\d+(?:\.\d+)?)(?:(?= of \d)|[ -]?(?P<unit>%|[A-Za-z]+)|"
    r"(?![\w:-]))"
)
_ZH = (
    ("email", Lazy(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)),
    ("phone", Lazy(r"(?<!\d)\d{3,4}-\d{4}(?!\d)|(?<!\d)1\d{10}(?!\d)")),
    (
        "version",
        Lazy(r"(?<![\d.])\d+\.\d+\.\d+|(?<=[vV])\d+(?:\.\d+)*|(?<![\d.])\d+\.\d+(?= ?版)"),
    ),
    ("clock", Lazy(r"\d{1,2}点(?:半|\d{1,2}分?|[一二三]刻|整)?|\d{1,2}:\d{2}")),
    ("weekday", Lazy(r"(?:周|星期|礼拜)[1-6一二三四五六日末天]")),
    (
        "date",
        Lazy(
            r"\d{1,2}月(?:\d{1,2}[日号]?)?|\d{1,2}[日号](?!\w{0,2}(?:楼|机|车|线))|(?:初|十|"
            r"廿)[一二三四五六七八九十]+"
        ),
    ),
)
_NUMBER_ZH = Lazy(
    r"(?<![\d.A-Za-z-])(?P<n>\d+(?:\.\d+)?)(?P<unit>%|[A-Za-z]+|个人|个?小时|分钟|个月|公里|公斤|"
    rf"千克|厘米|毫克|毫升|[{MEASURES_ZH}])?"
)
_LIKE_UNITS = {
    "mb": "megabyte",
    "gb": "gigabyte",
    "ms": "millisecond",
    "s": "second",
    "km": "kilometre",
    "kg": "kilo",
    "%": "percent",
    "min": "minute",
    "h": "hour",
    "euro": "€",
    "dollar": "$",
    "minutes": "minute",
    "hours": "hour",
    "days": "day",
    "of": "",
    "and": "",
    "at": "",
    "on": "",
    "in": "",
    "for": "",
    "to": "",
    "is": "",
    "was": "",
}


_SECONDS = {
    "millisecond": 0.001,
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604800,
    "month": 2592000,
    "year": 31536000,
    "毫秒": 0.001,
    "秒": 1,
    "分": 60,
    "分钟": 60,
    "小时": 3600,
    "个小时": 3600,
    "天": 86400,
    "周": 604800,
    "个月": 2592000,
    "年": 31536000,
}


@lru_cache(maxsize=8192)
def typed(text: str, lang: str) -> Mapping[str, frozenset[str]]:
    """Give the values of each kind: `number euro` -> {"940"}, `weekday` -> {"tuesday"}."""
    found: dict[str, set[str]] = {}
    rest = text
    for kind, pattern in _ZH if lang == "zh" else _EN:
        for value in pattern.findall(rest):
            found.setdefault(kind, set()).add(_plain(kind, value.casefold()))
        rest = pattern.sub(" ; ", rest)
    for match in (_NUMBER_ZH if lang == "zh" else _NUMBER_EN).finditer(rest):
        unit = _unit(match["unit"] or "", lang) or (match["pre"] if lang == "en" else "")
        number = match["n"]
        if unit in _SECONDS:
            number, unit = f"{float(number) * _SECONDS[unit]:g}", "duration"
        found.setdefault(f"number {unit}".strip(), set()).add(number)
    return MappingProxyType({kind: frozenset(values) for kind, values in found.items()})


def _plain(kind: str, value: str) -> str:
    if kind != "clock":
        return value
    value = value.replace("整", "").replace("点半", ":30")
    hour = re.match(r"(\d{1,2})(?::(\d\d)|点(\d{1,2}))?", value)
    if not hour:
        return value
    return f"{int(hour[1]) % 12}:{int(hour[2] or hour[3] or 0):02}"


def _unit(word: str, lang: str) -> str:
    word = word.casefold()
    if lang == "zh":
        return {"位": "人", "名": "人", "个人": "人"}.get(word, word)
    word = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return _LIKE_UNITS.get(word, word)


def fresh(
    older: Mapping[str, frozenset[str]], newer: Mapping[str, frozenset[str]]
) -> tuple[str, ...]:
    """Give the kinds that both hold and in which the newer brings a value of its own."""
    return tuple(kind for kind in sorted(newer) if kind in older and newer[kind] - older[kind])


def changed(
    older: Mapping[str, frozenset[str]], newer: Mapping[str, frozenset[str]]
) -> tuple[str, ...]:
    """Give the kinds of value that both hold and in which the newer says something else."""
    return tuple(
        kind
        for kind in sorted(newer)
        if kind in older and newer[kind] - older[kind] and older[kind] - newer[kind]
    )
