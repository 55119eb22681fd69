"""The frames of a statement: what state it tells, as keys that need no other statement."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoranda.text.frames import chinese, english
from memoranda.text.frames.parse import Parsed, parse, stating
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.values import typed
from memoranda.text.frames.words import content

_PERSON = re.compile(r"^(?:i|we|my|our|i'm|we're|mine|ours)\b|\b(?:me|my|us|our)\b", re.IGNORECASE)
_PERSON_ZH = re.compile(r"我|咱|本人")
_VAGUE = re.compile(
    r"^(?:it|this|that|there|he|she|they|these|those|what|which|who|how|when|where|why|you|one|"
    r"here|so|and|but|"
    r"the (?:best|only|first|most|main|next|last) (?:thing|part|one))\b",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r",|\b(?:to(?! the| my| our| a)|that|which|when|if|how|who|because|i'm|we're|it's|you)\b",
    re.IGNORECASE,
)
_VERBLESS = re.compile(
    r"\b(?:i'm|we're|it's|i am|we are|to(?! the| my| our| a)|you|how|if|that|which|who)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:now|currently|at the moment|today|well|so|oh|ok|okay|actually|yes|no|hey|hi|update|fyi|"
    r"note|just|and|but|"
    r"for the record|heads up)[,:]? ",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"\b(?:now|currently|about|around|roughly|always|just|already|only|exactly|usually|"
    r"normally)\b ?",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:in|under|at|on|near|next to|behind|by|beside|inside|over|above|from)\b", re.IGNORECASE
)
_MASK = re.compile(
    r"(?<![\w.-])(?:\d[\d.:,]*\d|\d)(?:st|nd|rd|th)?(?![\w-])|\b(?:Mon|Tues|Wednes|Thurs|Fri|"
    r"Satur|Sun)day\b|\b(?:noon|midnight)\b"
)
_MASK_ZH = re.compile(
    r"(?<![A-Za-z\d-])\d+(?:\.\d+)*(?![\d-])|(?<=[周期拜])[1-6一二三四五六日天末]|上午|下午|晚上|"
    r"早上|中午|凌晨|整|半"
)
_SAID_SO = re.compile(
    r"\b(?:called|named|set|capped|limited|stored|pinned|kept|hosted|deployed|owned|maintained|"
    r"led)\b"
)
_LEMMA = {"is": "be", "are": "be", "'s": "be", "has": "have", "goes": "go"}
_TIME_KINDS = frozenset({"clock", "weekday", "date"})


@dataclass(frozen=True, slots=True)
class Frame:
    """A single-valued state: whose, of what kind, and what is said of it."""

    subject: str
    attribute: str
    value: str
    loose: bool = False
    """Only the beginning agrees: `value` is the whole sentence, to be compared word by word."""


def keys(statement: Statement) -> tuple[str, ...]:
    """Give up to four keys `project / subject / attribute`, casefolded, exact frame first (R50).

    Two statements with one key *may* be versions of one state: `replaces` confirms.
    """
    return frame_keys(parse(statement))


def frame_keys(parsed: Parsed) -> tuple[str, ...]:
    """Give the keys of a statement that was read."""
    place = (parsed.statement.project or "-").casefold()
    found = (f"{place} / {f.subject} / {f.attribute}"[:160] for f in frames(parsed))
    return tuple(dict.fromkeys(found))[:4]


def frames(parsed: Parsed) -> tuple[Frame, ...]:
    """Give the frames of the first three asserting sentences."""
    if len(parsed.whole) > 4:
        return ()
    find = _frames_zh if parsed.lang == "zh" else _frames_en
    said = stating(parsed.held, parsed)[:3]
    return tuple(frame for sentence in said for frame in find(sentence, parsed))


def owner(parsed: Parsed, *, personal: bool) -> str:
    """Name the subject: the speaker for first-person states, anyone's inside a project."""
    if personal or not parsed.statement.project:
        return parsed.statement.who
    return "*"


def _frames_en(sentence: str, parsed: Parsed) -> list[Frame]:
    sentence = _LEAD.sub("", sentence).rstrip(".! ")
    if english.EVENT.search(sentence) or _VAGUE.search(sentence):
        return []
    match = english.STATE_VERB.search(" " + sentence)
    if not match:
        return _loose_en(sentence, owner(parsed, personal=bool(_PERSON.search(sentence))))
    if _VERBLESS.search((" " + sentence)[: match.start()]):
        return []
    subject = (" " + sentence)[: match.start()].strip()
    who = owner(parsed, personal=bool(_PERSON.search(subject)))
    found = []
    if _is_subject(subject):
        kind = _kind(match["value"], match["verb"])
        verb = match["verb"].casefold().split()[0]
        verb = _LEMMA.get(verb, verb.removesuffix("s"))
        if kind:
            name = f"{who}: {' '.join(content(subject, 'en'))}"
            found.append(Frame(name, f"{verb} {kind}", match["value"]))
    mask = _skeleton(subject, match.group().strip())
    if mask:
        found.append(Frame(who, mask, match["value"]))
    return found + _loose_en(sentence, who)


def _loose_en(sentence: str, who: str) -> list[Frame]:
    begin = content(sentence, "en")[:2]
    if len(begin) < 2 or english.MULTI.search(sentence) or _VERBLESS.search(sentence):
        return []
    return [Frame(f"{who}: {begin[0]}", begin[1], sentence, loose=True)]


def _is_subject(subject: str) -> bool:
    if len(subject.split()) > 9 or _NO_SUBJECT.search(subject):
        return False
    return bool(content(subject, "en"))


def _kind(value: str, verb: str) -> str | None:
    value = _FILL.sub("", value)
    kinds = typed(value, "en")
    if _TIME_KINDS & kinds.keys():
        return "time"
    numbers = sorted(k for k in kinds if k.startswith("number"))
    if numbers and re.match(r"\W?(?:\w+ )?\W?\d", value):
        return numbers[0]
    for kind in ("email", "phone", "version"):
        if kind in kinds:
            return kind
    return _plain_kind(value, verb)


def _plain_kind(value: str, verb: str) -> str | None:
    if _PLACE.search(value) or _PLACE.search(verb.rsplit(maxsplit=1)[-1]):
        return "place"
    if re.match(r"(?:Dr|Mr|Mrs|Ms)\b|[A-Z]\w+", value):
        return "name"
    if re.match(r"(?:the|my|our) \w", value, re.IGNORECASE):
        return "thing"
    return "value" if _SAID_SO.search(verb) else None


def _skeleton(subject: str, predicate: str) -> str | None:
    masked = _MASK.sub("#", _FILL.sub("", predicate))
    words = masked.split()
    if "#" not in masked or len(words) > 24 or len(content(subject + " " + masked, "en")) < 2:
        return None
    return f"{subject} {masked}".casefold()


def _frames_zh(sentence: str, parsed: Parsed) -> list[Frame]:
    if chinese.EVENT.search(sentence):
        return []
    found = []
    clause = re.split(r"[，,：:]", sentence.rstrip("。！!.;； "), maxsplit=1)[0].replace(" ", "")
    match = chinese.STATE_VERB.search(clause, 1)
    who = owner(parsed, personal=bool(_PERSON_ZH.search(clause)))
    if match and 2 <= match.start() <= 14 and not chinese.MULTI.search(clause):
        subject = clause[: match.start()]
        verb = match["verb"][-2:]
        found.append(Frame(f"{who}: {subject}", verb, match["value"]))
    masked = re.sub("#+", "#", _MASK_ZH.sub("#", clause))
    multi = chinese.MULTI.search(clause)
    if "#" in masked and 5 <= len(masked) <= 30 and not multi:
        found.append(Frame(who, masked, clause))
    if len(clause) >= 8 and not multi:
        found.append(Frame(who, clause[:4], clause, loose=True))
    return found
