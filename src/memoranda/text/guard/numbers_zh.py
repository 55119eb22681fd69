"""Numbers, measures, money and percentages in Chinese and Japanese numerals and beside such units."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from memoranda.text.guard import lexicon_zh as zh
from memoranda.text.guard.clauses import Canvas, Token, TokenKind
from memoranda.text.guard.figures import (
    DIGITS,
    FREE,
    LONGEST,
    Form,
    Units,
    compiled,
    take,
    token,
    value,
)

_CHARS = "零〇一二两三四五六七八九十百千万亿廿卅"
_DIGIT = {char: n for n, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACE = {"十": 10, "百": 100, "千": 1000}
_GROUP = {"万": 10**4, "亿": 10**8}
_IDIOMS = re.compile(
    "万一|千万(?![元块人])|十分(?![钟之])|百姓|四川|九寨沟|一起|一样|一直|一下|一般|一共|一定|统一|唯一|"
    "一边|一些|一切|一点(?!钟)|三明治|万能|百合|一旦|一半|一部分|一路|万象|大千|一会儿?|星期[一二三四五六]|周[一二三四五六]"
)
_HAN = re.compile("[\u3400-\u9fff]")
_RUN = rf"(?<![{_CHARS}])[{_CHARS}]{{1,24}}"
_NUMBER = rf"(?P<n>{FREE}{DIGITS}[万亿千百]?|{_RUN}(?:点[{_CHARS}]{{1,24}})?|半)"
_MORE = "(?P<more>[多几来余])?(?P<a>个(?=小时|星期|月))?"
_UNIT, _MONEY = Units(zh.UNITS), Units(zh.MONEY)


def numbers(canvas: Canvas) -> None:
    """Take the numbers of a text beside Chinese units: `三公里`, `两只`, `百分之二十`, `第三`."""
    if not _HAN.search(canvas.left):
        return
    idioms = [match.span() for match in _IDIOMS.finditer(canvas.left)]
    take(canvas, tuple((pattern, _outside(idioms, read)) for pattern, read in _forms()))


Read = Callable[[re.Match[str]], Token | None]


def _outside(idioms: list[tuple[int, int]], read: Read) -> Read:
    """Leave alone what is part of an idiom."""

    def reader(match: re.Match[str]) -> Token | None:
        start, end = match.span("n")
        if any(first < end and start < last for first, last in idioms):
            return None
        return read(match)

    return reader


@cache
def _forms() -> tuple[Form, ...]:
    bare = (
        rf"{FREE}{DIGITS}[万亿千百]|(?<![{_CHARS}])[{_CHARS}]{{2,24}}|(?<=[到至])[{_CHARS}]"
        rf"|[{_CHARS}](?=[到至][{_CHARS}\x01\x02])"
    )
    return (
        (compiled(rf"百分之(?P<n>[{_CHARS}]{{1,24}}|{DIGITS})"), _percent),
        (compiled(rf"(?P<of>{_RUN}|\d{{1,24}})分之(?P<n>[{_CHARS}]{{1,24}}|\d{{1,24}})"), _part),
        (compiled(rf"第(?P<n>[{_CHARS}]{{1,24}}|\d{{1,24}})[{zh.MEASURES}]?"), _place),
        (compiled(rf"{_NUMBER}{_MORE} ?(?P<unit>{_MONEY.pattern})"), _money),
        (compiled(rf"{_NUMBER}{_MORE} ?(?P<unit>{_UNIT.pattern})(?P<half>半)?"), _unit),
        (compiled(rf"{_NUMBER}{_MORE} ?[{zh.MEASURES}]"), _count),
        (compiled(rf"(?P<n>{bare})"), _bare),
    )


def _percent(match: re.Match[str]) -> Token | None:
    found = han(match["n"])
    return None if found is None else token("percentage", str(found), match)


def _part(match: re.Match[str]) -> Token | None:
    above, below = han(match["n"]), han(match["of"])
    if above is None or not below:
        return None
    return token("number", str(above / below), match)


def _place(match: re.Match[str]) -> Token | None:
    found = han(match["n"])
    return None if found is None else token("number", f"#{found}", match)


def _money(match: re.Match[str]) -> Token | None:
    return _measured("money", match, _MONEY)


def _unit(match: re.Match[str]) -> Token | None:
    return _measured("unit", match, _UNIT)


def _measured(kind: TokenKind, match: re.Match[str], units: Units) -> Token | None:
    found = han(match["n"])
    if found is None:
        return None
    groups = match.groupdict()
    if groups.get("half"):
        found += Fraction(1, 2)
    return token(kind, f"{found}{_more(match)} {units.key(match['unit'])}", match)


def _more(match: re.Match[str]) -> str:
    return "+" if match["more"] else ""


def _count(match: re.Match[str]) -> Token | None:
    found = han(match["n"])
    if found is None:
        return None
    return token("number", f"{found}{_more(match)}", match, loose=match["n"] == "一")


def _bare(match: re.Match[str]) -> Token | None:
    found = han(match["n"])
    return None if found is None else token("number", str(found), match)


def han(written: str) -> Fraction | None:
    """Read Chinese numerals, or digits with a scale behind: `一百二十`, `两`, `廿五`, `1.5万`."""
    if len(written) > LONGEST:
        return None
    if written == "半":
        return Fraction(1, 2)
    if written[0].isascii():
        scale = {**_PLACE, **_GROUP}.get(written[-1], 1)
        found = value(written[:-1] if scale > 1 else written)
        return None if found is None else found * scale
    whole, _, part = written.partition("点")
    read = _whole(whole.replace("廿", "二十").replace("卅", "三十"))
    if read is None or not part:
        return read
    if any(char not in _DIGIT for char in part):
        return None
    return read + Fraction(int("".join(str(_DIGIT[char]) for char in part)), 10 ** len(part))


def _whole(written: str) -> Fraction | None:
    if all(char in _DIGIT for char in written):
        return Fraction(int("".join(str(_DIGIT[char]) for char in written)))
    total = section = digit = 0
    for char in written:
        if char in _DIGIT:
            digit = _DIGIT[char]
        elif char in _PLACE:
            section, digit = section + (digit or 1) * _PLACE[char], 0
        else:
            total, section, digit = (total + section + digit or 1) * _GROUP[char], 0, 0
    # a last digit straight after a place counts in tenths of it: `一百五` is 150
    scale = {**_PLACE, **_GROUP}.get(written[-2], 1) if digit else 1
    return Fraction(total + section + digit * (scale // 10 if scale > 10 else 1))
