"""The frames of a statement: what state it tells, as keys that need no other statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memoranda.text.frames import chinese, english
from memoranda.text.frames.parse import Parsed, parse, stating
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.slots import Slot, slot_en, slot_zh, tells_event
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.words import content, stem

_PERSON = Lazy(r"^(?:i|we|my|our|i'm|we're|mine|ours)\b|\b(?:me|my|us|our)\b", re.IGNORECASE)
_PERSON_ZH = Lazy(r"我|咱|本人")
_VAGUE = Lazy(
    r"^(?:it|this|that|there|he|she|they|these|those|what|which|who|how|when|where|why|you|one|"
    r"here|so|and|but|"
    r"the (?:best|only|first|most|main|next|last) (?:thing|part|one))\b",
    re.IGNORECASE,
)
_NO_SUBJECT = Lazy(
    r",|\b(?:to(?! the| my| our| a)|that|which|when|if|how|who|because|i'm|we're|it's|you)\b",
    re.IGNORECASE,
)
_VERBLESS = Lazy(
    r"\b(?:i'm|we're|it's|i am|we are|to(?! the| my| our| a)|you|how|if|that|which|who)\b",
    re.IGNORECASE,
)
_LEAD = Lazy(
    r"^(?:now|currently|at the moment|today|well|so|oh|ok|okay|actually|yes|no|hey|hi|update|fyi|"
    r"note|just|and|but|"
    r"for the record|heads up)[,:]? ",
    re.IGNORECASE,
)
_KEEP = Lazy(
    r"(I|We) (keep|store|park|leave|hide) (?:my|our|the) ([\w -]{2,40}?) "
    r"((?:in|under|on|at|behind|near|with) (?:the|my|our|a)) ([\w' -]{2,40})$"
)
_STATING = english.STATE_WORDS | {"keep", "store", "park", "leave", "hide"}
"""An English sentence without any of these words tells no state."""
_WORDS = Lazy("[a-z']+")
_MOVED = Lazy(
    r"((?:The|My|Our|[A-Z])[\w' -]{1,40}?) (?:(?:has|have|was|were|is|are) (?:now )?)?(?:moved|relocated|"
    r"transferred)(?: from [^,]{2,30}?)? to ((?!Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)[A-Z][a-z]+)"
    r"(?:$|[,;.]| last| this| on | and | because)"
)
_MOVED_ZH = Lazy(
    "(.{2,12}?)(?:已经?|上周|上个?月|昨天|刚|都|最近)*(?:搬|迁|挪)(?:到|去|至)([\u4e00-\u9fff]{2,8}?)了?$"
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A single-valued state: whose, of what kind, and what is said of it."""

    subject: str
    attribute: str
    value: str


def keys(statement: Statement) -> tuple[str, ...]:
    """Give up to four keys `project / subject / attribute`, casefolded, exact frame first (R50).

    Two statements with one key *may* be versions of one state: `replaces` confirms.
    """
    text = statement.text
    if text.isascii() and _STATING.isdisjoint(_WORDS.findall(text.casefold())):
        return ()
    return frame_keys(parse(statement))


def frame_keys(parsed: Parsed) -> tuple[str, ...]:
    """Give the keys of a statement that was read."""
    place = (parsed.statement.project or "-").casefold()
    found = (f"{place} / {f.subject} / {f.attribute}"[:160] for f in frames(parsed))
    return tuple(dict.fromkeys(found))[:4]


@lru_cache(maxsize=4096)
def frames(parsed: Parsed) -> tuple[Frame, ...]:
    """Give the frames of the first three asserting sentences."""
    if len(parsed.whole) > 4:
        return ()
    find = _frames_zh if parsed.lang == "zh" else _frames_en
    told = {sentence: find(sentence, parsed) for sentence in parsed.whole}
    if not any(told.values()):
        return ()
    said = stating(parsed.held, parsed)[:3]
    return tuple(frame for sentence in said for frame in told[sentence])


def clause_frames(parsed: Parsed) -> tuple[Frame, ...]:
    """Give the frames of the clauses after the first of each sentence."""
    find = _frames_zh if parsed.lang == "zh" else _frames_en
    said = stating(parsed.said, parsed)[:3]
    clauses = (clause.strip() for sentence in said for clause in re.split("[,，;:]", sentence)[1:])
    return tuple(frame for clause in clauses for frame in find(clause, parsed))


def owner(parsed: Parsed, *, personal: bool) -> str:
    """Name the subject: the speaker for first-person states, anyone's inside a project."""
    if personal or not parsed.statement.project:
        return parsed.statement.who
    return "*"


def moves(parsed: Parsed) -> tuple[tuple[str, str], ...]:
    """Give (subject, new place) of the sentences that tell of a move, subjects as in frames."""
    pattern = _MOVED_ZH if parsed.lang == "zh" else _MOVED
    found = []
    for sentence in stating(parsed.said, parsed):
        clause = (
            sentence if parsed.lang == "en" else re.split("[，,]", sentence)[0].replace(" ", "")
        )
        match = pattern.match(clause.rstrip("。.! "))
        if match:
            zh = parsed.lang == "zh"
            personal = bool((_PERSON_ZH if zh else _PERSON).search(match[1]))
            name = match[1] if zh else _plain(match[1])
            found.append((f"{owner(parsed, personal=personal)}: {name}", match[2]))
    return tuple(found)


def _frames_en(sentence: str, parsed: Parsed) -> list[Frame]:
    if _STATING.isdisjoint(sentence.casefold().split()):
        return []
    sentence = _LEAD.sub("", sentence).rstrip(".! ")
    if tells_event(sentence) or _VAGUE.search(sentence):
        return []
    kept = _KEEP.match(sentence)
    if kept:
        who = owner(parsed, personal=True)
        return [Frame(f"{who}: {_plain(kept[3])}", f"{kept[2]} {kept[4]}".casefold(), kept[5])]
    match = _state(sentence)
    subject = (" " + sentence)[: match.start()].strip() if match else ""
    if match and _VERBLESS.search(" " + subject):
        return []
    who = owner(parsed, personal=bool(_PERSON.search(subject or sentence)))
    slot = slot_en(subject, match["verb"], match["value"]) if match else None
    if slot and (_is_subject(subject) or subject.casefold() in ("i", "we")):
        return [Frame(f"{who}: {_plain(subject)}", slot.kind, slot.value)]
    return []


def _state(sentence: str) -> re.Match[str] | None:
    """Find the verb of the state; `my drink is` has one verb."""
    match = english.STATE_VERB.search(" " + sentence)
    if match and re.match(r"(?:\w+ ){0,2}(?:is|are|has|have)\b", match["value"]):
        later = re.search(r" (?:is|are|has|have)\b", match["value"][:40] and match[0])
        return english.STATE_VERB.search(
            " " + sentence, match.start() + (later.start() if later else 0)
        )
    return match


def _plain(subject: str) -> str:
    """Give every word of a subject but articles: numbers, days and colours name things."""
    words = re.findall(r"[\w'./:#-]+", subject.casefold())
    return " ".join(stem(w) for w in words if w not in ("the", "a", "an"))


def _is_subject(subject: str) -> bool:
    if len(subject.split()) > 9 or _NO_SUBJECT.search(subject):
        return False
    return bool(content(subject, "en"))


def _frames_zh(sentence: str, parsed: Parsed) -> list[Frame]:
    clause = re.split(r"[，,：:]", sentence.rstrip("。！!.;； "), maxsplit=1)[0].replace(" ", "")
    if chinese.EVENT.search(clause) or chinese.MULTI.search(clause):
        return []
    who = owner(parsed, personal=bool(_PERSON_ZH.search(clause)))
    slot: Slot | None = slot_zh(clause)
    return [Frame(f"{who}: {slot.subject}", slot.kind, slot.value)] if slot else []
