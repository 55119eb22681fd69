"""Numbers, measures, money and percentages in digits and in English words."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard.clauses import Canvas, Token
from memoranda.text.guard.figures import (
    DIGITS,
    END,
    FREE,
    Form,
    Units,
    compiled,
    take,
    token,
    value,
)

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDERED = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_WORDS = {word: n for n, word in enumerate(_SMALL.split())}
_WORDS |= {word: 20 + 10 * n for n, word in enumerate(_TENS.split())}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_SUFFIXES = {"k": 1000, "m": 10**6, "b": 10**9, "bn": 10**9, **_SCALES}
_ORDINALS = {word: n for n, word in enumerate(_ORDERED.split(), 1)}
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5,
    "fifths": 5, "tenth": 10, "tenths": 10,
}  # fmt: skip
_ARTICLED = {
    "km": "kilomet(?:re|er)", "mile": "mile", "kg": "kilo|kilogram", "h": "hour", "day": "day",
    "night": "night", "week": "week", "month": "month", "year": "year", "decade": "decade",
    "l": "lit(?:re|er)", "min": "minute(?= (?:walk|drive|ride))",
}  # fmt: skip
"""Units that count one after an article; `a second` and `a minute` mostly don't."""

_ANY = "|".join((*_WORDS, *_SCALES))
_SPELLED = (
    rf"\b(?:an? (?=(?:{'|'.join(_SCALES)})\b))?(?:{_ANY})"
    rf"(?:[ -](?:and (?=(?:{_ANY})\b))?(?:{_ANY})){{0,12}}\b"
)
_AND = re.compile(r"(?<!hundred)(?<!thousand)(?<!million) and ")
_NUMBER = rf"(?P<n>{FREE}{DIGITS}|{_SPELLED}|\bhalf\b)"
_SCALE = r"(?P<scale> ?(?:thousand|million|billion|bn)\b| ?[kmb](?![a-z0-9]))?"
_UNIT, _LONG, _MONEY = Units(en.UNITS), Units(_ARTICLED), Units(en.MONEY)


def numbers(canvas: Canvas) -> None:
    """Take the numbers of a text, with what they measure: `5 km`, `$20`, `two thirds`, `3rd`."""
    take(canvas, _forms())


@cache
def _forms() -> tuple[Form, ...]:
    signs = r"US\$|[$€£¥₹]"
    fraction = rf"(?:an?|one|two|three|four|five) (?:{'|'.join(_PARTS)})"
    beside = "|".join(
        rf"(?<=\b{word} )" for word in ("the", "my", "our", "his", "her", "their", "a")
    )
    return (
        (compiled(rf"(?P<sign>{signs}) ?(?P<n>{DIGITS}){_SCALE}"), _sign),
        (compiled(rf"{_NUMBER} ?(?:%|percent\b|per cent\b)"), _percent),
        (compiled(rf"{_NUMBER}{_SCALE}[ -]?(?P<unit>{_MONEY.pattern}){END}"), _money),
        (
            compiled(rf"\b(?P<n>{fraction})\b(?: of)?(?: an? (?P<unit>{_UNIT.pattern}){END})?"),
            _part,
        ),
        (compiled(rf"\b(?P<n>half) an? (?P<unit>{_UNIT.pattern}){END}"), _part),
        (compiled(rf"{FREE}(?P<n>\d+/\d+)(?![\d/])"), _ratio),
        (compiled(rf"{_NUMBER}[ -]?(?P<unit>{_UNIT.pattern}){END}"), _unit),
        (compiled(rf"\b(?P<n>an?|one) (?P<unit>{_LONG.pattern}){END}"), _article),
        (compiled(rf"{FREE}(?P<n>\d+)(?:st|nd|rd|th){END}"), _ordinal),
        (compiled(rf"(?:{beside})(?P<n>{'|'.join(_ORDINALS)})\b(?! of all)"), _ordinal),
        (
            compiled(rf"{_NUMBER}(?P<scale> ?(?:thousand|million|billion|bn)\b|k(?![a-z0-9]))?"),
            _bare,
        ),
    )


def _sign(match: re.Match[str]) -> Token | None:
    found = _value(match["n"], match["scale"])
    return token("money", f"{found} {en.SIGNS[match['sign'].casefold()]}", match) if found else None


def _percent(match: re.Match[str]) -> Token | None:
    found = _value(match["n"])
    return token("percentage", found, match) if found else None


def _money(match: re.Match[str]) -> Token | None:
    found = _value(match["n"], match["scale"])
    return token("money", f"{found} {_MONEY.key(match['unit'])}", match) if found else None


def _unit(match: re.Match[str]) -> Token | None:
    found = _value(match["n"])
    return token("unit", f"{found} {_UNIT.key(match['unit'])}", match) if found else None


def _part(match: re.Match[str]) -> Token | None:
    words = match["n"].casefold().split()
    above = 1 if len(words) < 2 else _WORDS.get(words[0], 1)
    found = Fraction(above, _PARTS[words[-1]])
    if match["unit"]:
        return token("unit", f"{found} {_UNIT.key(match['unit'])}", match)
    return token("number", str(found), match)


def _ratio(match: re.Match[str]) -> Token | None:
    above, below = match["n"].split("/")
    if len(match["n"]) > 20 or not int(below):
        return token("number", match["n"], match)
    return token("number", str(Fraction(int(above), int(below))), match)


def _article(match: re.Match[str]) -> Token:
    return token("unit", f"1 {_LONG.key(match['unit'])}", match)


def _ordinal(match: re.Match[str]) -> Token:
    written = match["n"].casefold()
    return token("number", f"#{_ORDINALS.get(written, written)}", match)


def _bare(match: re.Match[str]) -> Token | None:
    found = _value(match["n"], match["scale"])
    return token("number", found, match, loose=match["n"].casefold() == "one") if found else None


def _value(written: str, scale: str | None = None) -> str | None:
    """Give the value in one form; digits that are too many stay as they are."""
    times = _SUFFIXES.get((scale or "").strip().casefold(), 1)
    small = written.casefold()
    if small == "half":
        return "1/2"
    if not small[0].isdigit():
        return _spelled(small, times)
    found = value(small)
    return small if found is None else str(found * times)


def _spelled(written: str, times: int) -> str:
    """Read number words; `two and three` or `two three` are two numbers."""
    found: list[int] = []
    for stretch in _AND.split(written):
        found.extend(_read(re.findall("[a-z]+", stretch)))
    return " ".join(str(number * times) for number in found)


def _read(words: list[str]) -> list[int]:
    found: list[int] = []
    total = part = 0
    room = 10**12  # what the next word may be at most, not to begin a new number
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            part = max(part, 1) * scale
            room = scale
            if scale >= 1000:
                total, part = total + part, 0
        elif word in _WORDS:
            if _WORDS[word] >= room:
                found.append(total + part)
                total = part = 0
            part += _WORDS[word]
            room = 10 if _WORDS[word] >= 20 else 0
    return [*found, total + part]
