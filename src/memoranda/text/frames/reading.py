"""The weaker frame, for ranking only: the newest version of one state is shown first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.slots import tells_event
from memoranda.text.frames.statement import Hit, Ranked
from memoranda.text.frames.values import changed, typed
from memoranda.text.frames.wording import digits, fold, language
from memoranda.text.frames.words import content

_PREP = r"(?:in|by|of|to|with|as|for|at|on|from|under|after)"
_NOUNS = r"(?: the (?:\w+ ){1,3}?(?:of|in))?"
_COPULA = r"(?:is|are|was|were|has been|became)(?: (?:currently|now))?"
_PATTERNS = (
    Lazy(
        rf"^(?P<subject>.+) (?P<relation>{_COPULA} (?:(?:the|an?) )?[a-z]+(?: [a-z]+)? {_PREP}"
        rf"{_NOUNS}) \S"
    ),
    Lazy(rf"^(?P<subject>(?:[Tt]he |[^ ].*'s? ).+) (?P<relation>{_COPULA}) \S"),
    Lazy(
        r"^(?P<subject>.+) (?P<relation>(?:plays?|works?|worked|speaks?|died|lives?|lived|"
        r"resides?|belongs?|serves?|served|reports?|sits?|runs?|leads?|costs?|starts?|ends?|opens?|"
        rf"closes?|expires?)(?: {_PREP})?{_NOUNS}) \S"
    ),
)
_PERSONAL = Lazy(
    r"\b(?:i'm|we|you|my|our|your|me|us|it|this|these|there|so)\b"
    r"|^(?:I|My|We|Our|You|Your|This|That|These|It|There|He|She|They|What|So)(?:'\w+)? [a-z]"
    r"|\b[a-z][\w']*,? I(?:'\w+)? [a-z]"
)
_CHINESE = Lazy(
    r"([^,，。！？?!；;]{2,16}的[^,，。！？?!；;的]{1,8}(?:是|为|叫|在))[^。！？?!；;]{1,40}[。.]?$"
)
_PERSONAL_ZH = Lazy("[我你您他她它咱]|这|那|吗|呢|吧|可能|如果|喜欢")
_DONE_ZH = Lazy("[了过]")
_WORD_BEGINS = Lazy(r"\s\w")
_LONGEST = 240
_VALUE = 24
"""Characters of a value that two statements may differ in."""
_OF_MANY = frozenset({"number", "date", "weekday"})
"""Kinds of value that, but at the end, say which one is meant as often as how it is: `gate 3`."""
_TWO_SENTENCES = Lazy(r"[a-z]{4,}[.!?] +[A-Z\"']|[!?] |\n")


def reading_frame(text: str) -> str | None:
    """Name the state that one short third-person sentence tells, casefolded, or None (R65).

    Two texts of one frame are versions of one state. Weaker than `keys`: for ranking, never
    written. Questions, several sentences, talk of I and you, and other languages give None.
    """
    text = fold(text)
    lang = language(text)
    if lang == "zh":
        return _chinese_frame(text)
    if not 8 <= len(text) <= 240 or lang != "en":
        return None
    if text.endswith(("?", "!")) or _PERSONAL.search(text) or _TWO_SENTENCES.search(text):
        return None
    for pattern in _PATTERNS:
        match = pattern.match(text)
        if match:
            return f"{match['subject']} {match['relation']}".casefold()
    return None


def _chinese_frame(text: str) -> str | None:
    match = None if _PERSONAL_ZH.search(text) else _CHINESE.match(text)
    return match[1].casefold() if match else None


def one_value_apart(one: str, other: str) -> bool:
    """Say whether two statements are one text but for one clock time, number with a unit, address.

    Never of what was done: `I swam 40 metres` and `I swam 50 metres` are two deeds.
    """
    lang = language(one)
    if lang == "other" or lang != language(other) or max(len(one), len(other)) > _LONGEST:
        return False
    one, other = (digits(fold(text), lang) for text in (one, other))
    if any(tells_event(text) if lang == "en" else _DONE_ZH.search(text) for text in (one, other)):
        return False
    start = _shared(one, other)
    end = _shared(one[start:][::-1], other[start:][::-1])
    kinds = changed(typed(one, lang), typed(other, lang))
    if len(kinds) != 1 or (kinds[0] in _OF_MANY and one[len(one) - end :].strip(" .。")):
        return False
    apart = (text[start : len(text) - end] for text in (one, other))
    return all(len(text) <= _VALUE and not _WORD_BEGINS.search(text) for text in apart)


def _shared(one: str, other: str) -> int:
    """Count the characters with which two texts begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def newest_first(hits: Sequence[Hit], question: str | None = None) -> tuple[Ranked, ...]:
    """Reorder hits, given best first: versions of one state stand together, newest ahead (R65).

    A group stands where its best hit stood; its older members carry the seq of the newest. With a
    question, groups whose whole frame (of two content words or more) the question names come first.
    Hits without a frame keep their order; hits of two projects are never versions of one state.
    """
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        frame = reading_frame(hit.text)
        key = f"\n{hit.seq}" if frame is None else f"{frame}\n{hit.project or ''}"
        groups.setdefault(key, []).append(hit)
    ranked: list[Ranked] = []
    for frame in _asked_first(tuple(groups), question or ""):
        newest, *older = sorted(groups[frame], key=lambda hit: hit.order, reverse=True)
        ranked.append(Ranked(hit=newest))
        ranked += (Ranked(hit=hit, replaced_by=newest.seq) for hit in older)
    return tuple(ranked)


def _asked_first(frames: tuple[str, ...], question: str) -> list[str]:
    asked = content(question, "en")
    return sorted(frames, key=lambda frame: -_named(frame, asked))


def _named(frame: str, asked: tuple[str, ...]) -> int:
    """Count a frame's content words, if the question names them all (`citizenship`: `citizen`)."""
    words = content(frame.partition("\n")[0], "en")
    named = all(any(_akin(word, other) for other in asked) for word in words)
    return len(words) if named and len(words) > 1 else 0


def _akin(a: str, b: str) -> bool:
    return a == b or (min(len(a), len(b)) >= 5 and a[:5] == b[:5])
