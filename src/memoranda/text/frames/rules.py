"""The rules of replacement: each reads a pair of statements, or of sentences of theirs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from types import ModuleType

from memoranda.text.frames.identity import same_subject, subject
from memoranda.text.frames.parse import Parsed, stating
from memoranda.text.frames.state import Frame, frames
from memoranda.text.frames.values import changed, fresh, typed
from memoranda.text.frames.words import common, content

_THIRD = re.compile(
    r"(?:[Ss]he|[Hh]e|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir)\b"
    r"|[Mm]y (?:\w+ )?(?:sister|brother|friend|colleague|cousin|mum|dad|son|daughter)\b"
    r"|(?!Home|Work|Our)[A-Z][a-z]+(?:'s)? (?:has|is|was|and|moved|got|quit|sold|started)\b"
)
_THIRD_ZH = re.compile(
    "[她他]|我(?:弟|哥|姐|妹|爸|妈|朋友|同事|爱人)|[医老律]?(?:医生|老师|经理|师傅|大夫|阿姨)|"
    "^[老小][^家区城房板大师]"
)
_SELF = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[,，、;:]| (?:and|but|because|since) ")
_LEADS_TO = re.compile(r"\b(?:by|with|in the|under the|at the|behind the|in|under|at)$")
_PART = re.compile(r"[,，、;]| (?:and|but|because|since) ")
NOT = re.compile(r"\b(?:not|isn't|wasn't|instead of|rather than) ((?:[\w.:%-]+ ?){1,4})")
_PAST = re.compile(r"\b(?:was|were|went|did|had)\b")
_PRESENT = re.compile(r"\b(?:is|are|am|has|have|'s|'re|'m|'ve)\b")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|had|will|can|does|do)\b")
_TIMES = frozenset({"clock", "weekday", "date"})
_FEELING_ZH = re.compile(
    "[^\u4e00-\u9fff]|"
    "[不喜欢爱讨厌最烦受了的我你一点都也很太它他她们别再成是在有没碰吃喝看听用想要会能去来就"
    "跟和给多少让觉得特现挺真更多好跑]"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence of the older and one of the newer, with what they share."""

    old: str
    new: str
    lang: str
    lex: ModuleType

    @property
    def both(self) -> tuple[str, ...]:
        """The content words of both."""
        return common(self.old, self.new, self.lang)

    @property
    def clash(self) -> tuple[str, ...]:
        """The kinds of value that both give and of which the newer has one of its own."""
        return fresh(typed(self.old, self.lang), typed(self.new, self.lang))

    @property
    def restated(self) -> bool:
        """The newer gives a value that the older gave, and no other of its kind."""
        old, new = typed(self.old, self.lang), typed(self.new, self.lang)
        return not self.clash and any(old[kind] & new.get(kind, frozenset()) for kind in old)

    @property
    def elsewhere(self) -> bool:
        """The older's subject is not mentioned in the newer, and little else is."""
        if self.lang == "zh":
            return False
        about = frozenset(subject(self.old, self.lang))
        return bool(about) and not about & frozenset(self.both) and len(self.both) < 2

    @property
    def past(self) -> bool:
        """The older tells of an event, or of what was."""
        gone = _PAST.search(self.old) and not _PRESENT.search(self.old)
        return bool(self.lex.EVENT.search(self.old) or gone)


def same_frame(older: Parsed, newer: Parsed) -> bool:
    """One frame, another value: `the map is with Ann`, `the map is with Bo`."""
    return any(
        (a.subject, a.attribute) == (b.subject, b.attribute) and _other(a, b, older.lang)
        for a in frames(older)
        for b in frames(newer)
    )


def _other(a: Frame, b: Frame, lang: str) -> bool:
    if a.loose:
        return _one_slot(a.value, b.value, lang)
    left, right = typed(a.value, lang), typed(b.value, lang)
    if left.keys() & right.keys():
        return bool(changed(left, right))
    if lang == "zh":
        return a.value not in b.value and b.value not in a.value
    wa, wb = frozenset(content(a.value, lang)), frozenset(content(b.value, lang))
    return bool(wa - wb and wb - wa)


def _one_slot(a: str, b: str, lang: str) -> bool:
    """Two sentences that differ in one short place after the verb and go on alike."""
    left = a.casefold().split() if lang == "en" else list(a)
    right = b.casefold().split() if lang == "en" else list(b)
    head = tail = 0
    while head < min(len(left), len(right)) and left[head] == right[head]:
        head += 1
    while tail < min(len(left), len(right)) - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    joint = " " if lang == "en" else ""
    slots = [joint.join(x[head : len(x) - tail]) for x in (left, right)]
    ends = joint.join(left[:head]), joint.join(left[len(left) - tail :])
    if not all(slots) or max(len(s) for s in slots) > 32 or _FINITE.search(" ".join(slots)):
        return False
    if lang == "zh":
        return head >= 4 and tail >= 3 and not re.search("[是在有]", "".join(slots))
    if len(content(ends[0], lang)) < 2:
        return False
    return (tail >= 2 and bool(content(ends[1], lang))) or _at_end(ends[0], slots)


def _at_end(head: str, slots: list[str]) -> bool:
    """The place that differs is the last: a time, or what follows `in the`, `by`, `with`."""
    left, right = typed(slots[0], "en"), typed(slots[1], "en")
    if changed(left, right):
        return True
    return bool(_LEADS_TO.search(head)) and not left and not right


def corrected(older: Parsed, newer: Parsed) -> bool:
    """The speaker takes back what was said: `typo, it is ...`, `说错了`."""
    cue = newer.lexicon.CORRECTION.search(newer.text)
    old = " ".join(stating(older.held, older))
    both = common(old, newer.text, newer.lang)
    clash = changed(typed(old, older.lang), typed(newer.text, newer.lang))
    if cue:
        soon = cue.start() < 25 and _days_apart(older, newer) <= 1
        return len(both) >= 2 or bool(both and (clash or soon))
    return bool(both) and newer.lang == "en" and _denies_value(old, newer.text)


def _days_apart(older: Parsed, newer: Parsed) -> int:
    """Give the days between the two statements; many if a time is not known."""
    a, b = older.statement.time, newer.statement.time
    if not a or not b:
        return 9999
    return abs((date.fromisoformat(b[:10]) - date.fromisoformat(a[:10])).days)


def _denies_value(old: str, new: str) -> bool:
    """`The third floor, not the second`, where the second stood in the older."""
    given = frozenset(re.findall(r"\d+\w*", old))
    denied = frozenset(x for m in NOT.finditer(new) for x in re.findall(r"\d+\w*", m[1]))
    return bool(given & denied)


def role_changed(older: Parsed, newer: Parsed) -> bool:
    """A role of the speaker's life has another holder: home, work, partner, vehicle."""
    if older.statement.who != newer.statement.who:
        return False
    return any(
        was.search(old) and any(_of_self(clause, told, newer.lang) for clause in _CLAUSE.split(new))
        for was, told in newer.lexicon.ROLES.values()
        for old in stating(older.held, older)
        for new in stating(newer.said, newer)
        if not _others(old, older.lang)
    )


def _of_self(clause: str, told: re.Pattern[str], lang: str) -> bool:
    """The clause tells the change of the speaker, or names nobody."""
    cue = told.search(clause)
    if not cue or _others(clause, lang):
        return False
    return lang == "zh" or bool(_SELF.search(clause)) or cue.start() < 3


def _others(sentence: str, lang: str) -> bool:
    if lang == "zh":
        return bool(_THIRD_ZH.search(sentence))
    return bool(_THIRD.match(sentence)) and not _SELF.search(sentence)


def departed(p: Pair) -> bool:
    """The person to turn to has left: `Hobbs is no longer with us`, `小何离职了`."""
    if not p.lex.CONTACT.search(p.old):
        return False
    if p.lang == "zh":
        return any(re.search(re.escape(name) + p.lex.DEPARTED, p.new) for name in p.both)
    names = (name for name in re.findall(r"\b[A-Z][a-z]+\b", p.old) if content(name, "en"))
    return any(re.search(rf"\b{name}{p.lex.DEPARTED}", p.new) for name in names)


def new_address(p: Pair) -> bool:
    """Another e-mail address or telephone number for the same matter."""
    return bool(p.both) and ("email" in p.clash or "phone" in p.clash)


def state_changed(p: Pair) -> bool:
    """The newer says that something changed, and shares subject or values with the older."""
    if p.past or p.restated or p.elsewhere:
        return False
    alike = same_subject(p.old, p.new, p.lang)
    if p.lex.CHANGE.search(p.new):
        return alike or len(p.both) >= 2 or _near(p, p.lex.CHANGE, clashing=True)
    return bool(p.lex.NOW.search(p.new)) and (alike or bool(p.both and p.clash))


def ended(p: Pair) -> bool:
    """What the older tells of is named and gone: `TLS 1.0 has been switched off`."""
    if p.past or p.lang == "zh" or p.lex.MULTI.search(p.new):
        return False
    return _near(p, p.lex.ENDED)


def _near(p: Pair, cue: re.Pattern[str], *, clashing: bool = False) -> bool:
    """A shared word stands in the cue's clause, in English at most four words away.

    With `clashing`, it is enough that the clause brings a value of its own.
    """
    for clause in _PART.split(p.new):
        both = common(p.old, clause, p.lang)
        spots = [(m.start(), m.end()) for m in cue.finditer(clause)]
        if not both or not spots:
            continue
        if clashing:
            if fresh(typed(p.old, p.lang), typed(clause, p.lang)):
                return True
        elif p.lang == "zh" or any(_close(clause, spot, both) for spot in spots):
            return True
    return False


def _close(clause: str, spot: tuple[int, int], both: tuple[str, ...]) -> bool:
    before, after = clause[: spot[0]].split()[-4:], clause[spot[1] :].split()[:4]
    inside = clause[spot[0] : spot[1]]
    near = content(" ".join([*before, inside, *after]), "en")
    return bool(frozenset(near) & frozenset(both))


def replanned(p: Pair) -> bool:
    """A plan is cancelled, put off or set to another time."""
    if not p.both or p.restated:
        return False
    if not p.lex.PLANNED.search(p.old) or p.lex.CANCELLED.search(p.old):
        return False
    if _near(p, p.lex.CANCELLED) or _near(p, p.lex.POSTPONED):
        return True
    if not _TIMES & typed(p.new, p.lang).keys() or not p.lex.RESCHEDULED.search(p.new):
        return False
    return len(p.both) >= 2 or _near(p, p.lex.RESCHEDULED)


def recounted(p: Pair) -> bool:
    """One quantity or version with another number, no cue needed: `six nodes`, `eight nodes`."""
    if p.past or p.elsewhere:
        return False
    old, new = typed(p.old, p.lang), typed(p.new, p.lang)
    equal = sum(bool(old[kind] & new.get(kind, frozenset())) for kind in old)
    long = sum(len(word) // 2 for word in p.both) if p.lang == "zh" else 0
    weight = max(len(p.both), long) + equal
    return any(
        weight >= (1 if kind == "version" else 2)
        for clause in _CLAUSE.split(p.new)
        if not p.lex.EVENT.search(clause.strip())
        for kind in changed(old, typed(clause, p.lang))
        if kind.startswith(("number", "version"))
    )


def felt_otherwise(p: Pair) -> bool:
    """One matter stands in a clause of liking, then of disliking, or the reverse."""
    likes, hates = p.lex.LIKE, p.lex.DISLIKE
    return _turned(p, hates, likes) or _turned(p, likes, hates)


def _turned(p: Pair, was: re.Pattern[str], now: re.Pattern[str]) -> bool:
    olds = [c for c in _CLAUSE.split(p.old) if was.search(c) and not now.search(c)]
    news = [c for c in _CLAUSE.split(p.new) if now.search(c) and not was.search(c)]
    return any(
        common(old, new, p.lang) or (p.lang == "zh" and _one_character(old, new, p.lex))
        for old in olds
        for new in news
    )


def _one_character(old: str, new: str, lex: ModuleType) -> bool:
    """One Chinese character beside the feeling may name the matter: tea, cats, spice."""
    return bool(_beside(old, lex) & _beside(new, lex))


def _beside(clause: str, lex: ModuleType) -> frozenset[str]:
    spots = (m for cue in (lex.LIKE, lex.DISLIKE) for m in cue.finditer(clause))
    near = "".join(clause[max(0, m.start() - 3) : m.end() + 2] for m in spots)
    return frozenset(_FEELING_ZH.sub("", near))


def restyled(p: Pair) -> bool:
    """A wish about replies is withdrawn: `answer me formally`, `no more formal answers`."""
    brief = len(p.old.split()) <= 16 and len(p.new.split()) <= 20
    return brief and bool(p.both and p.lex.ORDER.search(p.old) and p.lex.REORDER.search(p.new))


def refuted(p: Pair) -> bool:
    """A claim failed its test, or its effect has another cause."""
    both = p.both
    if not both:
        return False
    if p.lex.CAUSE.search(p.old) and p.lex.CAUSE.search(p.new) and _another_cause(p):
        return True
    if not p.lex.CLAIM.search(p.old):
        return False
    return bool(p.lex.REFUTED.search(p.new)) or (len(both) > 1 and _contrast(p))


def _another_cause(p: Pair) -> bool:
    old, new = p.lex.CAUSE.split(p.old, 1), p.lex.CAUSE.split(p.new, 1)
    causes = frozenset(content(old[1], p.lang)), frozenset(content(new[1], p.lang))
    effect = common(old[0], p.new, p.lang) or common(old[1], new[0], p.lang)
    return bool(effect and causes[1] - causes[0])


def _contrast(p: Pair) -> bool:
    """`Not X but Y`, where X stood in the older."""
    denied = " ".join(m[1] for m in NOT.finditer(p.new)) if p.lang == "en" else ""
    return bool(common(p.old, denied, "en"))


def returned(p: Pair) -> bool:
    """The older told of a change, and the newer of the way back."""
    return bool(p.both and p.lex.TURNED.search(p.old) and p.lex.RETURNED.search(p.new))


ON_WHOLES: dict[str, Callable[[Parsed, Parsed], bool]] = {
    "frame": same_frame,
    "correction": corrected,
    "role": role_changed,
}
"""Rules that read whole statements."""

ON_ANY: dict[str, Callable[[Pair], bool]] = {
    "departed": departed,
    "address": new_address,
    "preference": felt_otherwise,
    "style": restyled,
}
"""Rules on pairs of sentences, orders and small talk included."""

ON_STATES: dict[str, Callable[[Pair], bool]] = {
    "changed": state_changed,
    "ended": ended,
    "plan": replanned,
    "count": recounted,
    "refuted": refuted,
    "returned": returned,
}
"""Rules on pairs of sentences that state something of one subject."""
