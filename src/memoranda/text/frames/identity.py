"""Whether two statements may speak of one thing at all: authority, project, names, subjects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from memoranda.text.frames import english, tie_zh
from memoranda.text.frames.parse import Parsed
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.statement import RANK, Statement
from memoranda.text.frames.words import content, stem

_SELF = Lazy(r"\b(?:i|i'm|i've|i'd|my|me|mine|myself)\b", re.IGNORECASE)
_SELF_ZH = Lazy("我(?!们)|咱|本人")
_CODE = Lazy(r"[{}\[\]=<>|\\`]|\(\)")
_HEADED = Lazy(r"[^:,]{3,50}:(?!\d)")
_NAME_PAIR = Lazy(r"\b([A-Z][a-z]+) ([A-Z][a-z]+|\d{3,})\b")
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Dr", "Prof", "Miss", "The", "Our", "My"})
_CODE_NAME = Lazy(r"[A-Za-z]+-?\d+")
_SIDE = r"([大小左右前后东西南北男女上下甲乙丙丁新旧老]|\d+号)"
_IN_VERB_ZH = Lazy("[都改已也还就不没在是要会又再可能先由归找给叫为姓用跟从按我咱]")
_NUMBERED = Lazy(
    r"(.{0,2}?)(?<![\d.])(\d+)([组班楼栋期线区队院室厅层车]|"
    r"号(?=[机楼桌车线馆厅门库仓会窗柜床房井泵炉店院]))"
)


def permitted(older: Parsed, newer: Parsed) -> bool:
    """Tell whether the newer has the right to replace the older, whatever they say.

    One project; not a lower authority, never an assistant; short plain statements; the same
    speaker, or inside a project anyone's statement that is not about its speaker.
    """
    a, b = older.statement, newer.statement
    if not (older.held and newer.said and older.lang == newer.lang and entitled(a, b)):
        return False
    if not (short(older.whole, older.lang, 2) and short(newer.whole, newer.lang, 3)):
        return False
    return a.who == b.who or RANK[b.source] > RANK[a.source] or _open(older, newer)


def entitled(older: Statement, newer: Statement) -> bool:
    """Tell what needs no reading: one project, enough authority, no code in the texts."""
    if (older.project or "").casefold() != (newer.project or "").casefold():
        return False
    if RANK[newer.source] < RANK[older.source] or newer.source == "assistant":
        return False
    return not (_CODE.search(older.text) or _CODE.search(newer.text))


@lru_cache(maxsize=4096)
def short(whole: tuple[str, ...], lang: str, factor: int) -> bool:
    """Tell whether the text has at most 1 + factor sentences and 20 * factor words."""
    size = sum(len(s) if lang == "zh" else 3 * len(s.split()) for s in whole)
    return len(whole) <= 1 + factor and size <= 60 * factor


def _open(older: Parsed, newer: Parsed) -> bool:
    selfish = _SELF_ZH if older.lang == "zh" else _SELF
    return bool(newer.statement.project) and not selfish.search(older.old)


def two_things(older: Parsed, newer: Parsed) -> bool:
    """Tell whether identifiers, names or modifiers differ: two things, not two states of one."""
    if older.lang == "zh":
        return _two_things_zh(older.old, newer.text)
    a, b = _ids(content(older.old, "en")), _ids(newer.terms)
    if any(stem in a and not numbers & a[stem] for stem, numbers in b.items()):
        return True
    return _names_differ(older.old, newer.text) or _modifiers_differ(older, newer)


@lru_cache(maxsize=4096)
def _ids(words: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for word in words:
        match = re.fullmatch(r"([a-z]+[a-z-]*?)[-_.]?(\d+)", word)
        if match:
            found[match[1]] = found.get(match[1], frozenset()) | {match[2]}
    return found


def _names_differ(older: str, newer: str) -> bool:
    a, b = _name_pairs(older), _name_pairs(newer)
    return any(
        (x != y) and (x[0] == y[0]) != (x[1] == y[1]) and x not in b and y not in a
        for x in a
        for y in b
        if x[0] not in _TITLES
    )


@lru_cache(maxsize=4096)
def _name_pairs(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((match[1], match[2]) for match in _NAME_PAIR.finditer(text))


def _modifiers_differ(older: Parsed, newer: Parsed) -> bool:
    """`My work laptop` and `my home laptop`: one head, each with a modifier of its own."""
    old = _modified(" ".join(older.old.split()[:8]))
    new = _modified(newer.text)
    words_old, words_new = _stems(older.old), _stems(newer.text)
    return any(
        head in new and not new[head] & mods and not mods & words_new and not new[head] & words_old
        for head, mods in old.items()
    )


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in re.findall(r"[\w-]+", text.casefold()))


@lru_cache(maxsize=4096)
def _modified(text: str) -> Mapping[str, frozenset[str]]:
    """Give the content word straight before each noun that follows `my`, `the` or `a`."""
    found: dict[str, frozenset[str]] = {}
    for match in _DETERMINED.finditer(text):
        head = content(match[2], "en")
        if head and match[1].casefold() not in _LOOSE_MODIFIERS:
            found[head[0]] = found.get(head[0], frozenset()) | {stem(match[1].casefold())}
    return found


_LOOSE_MODIFIERS = frozenset(
    "old new own whole main first last next same usual little only full current former".split()  # noqa: SIM905 - words read better in a row
)
_DETERMINED = Lazy(
    r"\b(?:my|our|his|her|their|the|a|an|My|Our|The) ([\w'-]+) ([\w-]+)(?= |$|[.,;])(?! (?:of|"
    r"for)\b)"
)


def subjects_differ(older: Parsed, newer: Parsed) -> bool:
    """`North gate` and `south gate`: subjects that overlap, each with its own word."""
    if older.lang == "zh" or bool(_HEADED.match(older.old)) != bool(_HEADED.match(newer.text)):
        return False
    all_a, all_b = frozenset(content(older.old, "en")), frozenset(newer.terms)
    a = frozenset(subject(older.held[0], "en")) if older.held else frozenset()
    b = frozenset(subject(newer.said[0], "en")) if newer.said else frozenset()
    return bool(a & b and a - all_b and b - all_a)


def subject(sentence: str, lang: str) -> tuple[str, ...]:
    """Give the content words before the first verb of a state, or before a colon."""
    if lang == "zh":
        return ()
    match = english.STATE_VERB.search(" " + sentence)
    colon = _HEADED.match(sentence)
    head = colon[0] if colon else sentence[: match.start()] if match else ""
    return content(head, "en") if "," not in head and len(head.split()) <= 8 else ()


def _two_things_zh(a: str, b: str) -> bool:
    code_a, code_b = frozenset(_CODE_NAME.findall(a)), frozenset(_CODE_NAME.findall(b))
    if code_a and code_b and not code_a & code_b:
        return True
    for match in re.finditer(_SIDE + r"(?=([\u4e00-\u9fff]{2}))", a):
        other = re.findall(_SIDE + re.escape(match[2]), b)
        if other and match[1] not in other:
            return True
    numbered = _NUMBERED.match(a)
    if numbered:
        others = re.findall(r"(?<![\d.])(\d+)" + numbered[3], b)
        if others and numbered[2] not in others:
            return True
    whose_a, whose_b = tie_zh.of_whom(a), tie_zh.of_whom(b)
    if whose_a is not None and whose_b is not None and whose_a != whose_b:
        return True
    return _one_off(a, b)


def _one_off(a: str, b: str) -> bool:
    """Two subjects that differ in one character and go on alike are two names."""
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    odd = a[n : n + 1] + b[n : n + 1]
    if n > 6 or len(odd) < 2 or odd[0].isdigit() or _IN_VERB_ZH.search(odd + a[:n]):
        return False
    rest_a, rest_b = a[n + 1 :], b[n + 1 :]
    return len(rest_a) > 2 and rest_a[: 2 if n == 2 else 3] == rest_b[: 2 if n == 2 else 3]
