"""What is done and what is so, in English: a deed beside a deed replaces nothing."""

from __future__ import annotations

import re
from functools import lru_cache

from memoranda.text.frames import english, tie
from memoranda.text.frames.pattern import Lazy, any_of
from memoranda.text.frames.slots import tells_event
from memoranda.text.frames.words import content, stem

_CLAUSE = Lazy(r"[,;:]| (?:and|but|because|since|then) ")
_DEED = any_of(
    r"(?:switch|migrat|upgrad|downgrad|bump|rais|lower|increas|reduc|extend|shorten|renam|replac|"
    r"swapp|relocat|convert|transferr|rotat|tighten|relax|loosen|widen|resiz|expand|adjust|"
    r"turn|flipp|enabl|disabl|deploy|shipp|pinn|retir|ditch|count|remov|dropp|delet|scrapp|abolish|"
    r"binn|discontinu|cancell?)ed\b|(?:sold|quit|traded|flashed|took off|shut off)\b"
)
_PASSIVE = Lazy(r"\b(?:is|are|was|were|been|being|got|gets|be)(?: \w+ly)?(?: now| just)? $")
_SWAPPED = Lazy(r"(?:replac|swapp|trad)\w+ .*\b(?:with|for)\b(?! (?:an? )?new)", re.IGNORECASE)
_ONTO = Lazy(
    r"\b(?:to|into|onto|off|from|over|by \d|out)\b(?! (?:the|a|an|my|our) \w+ing\b)|\d\.\d",
    re.IGNORECASE,
)
_OBJECT = Lazy(
    r"^\w+(?: (?:off|on|out|up|down))? ((?:(?!(?:at|in|on|with|for|instead|when|after|before|this|to|"
    r"from|into|onto|by|last|yesterday|today|every|of)\b)[\w'-]+ ?){1,6})"
)
_DROPPED = Lazy(r"\bno longer ([a-z]+)(?: ([^,.;]+))?")
_NO_MORE = Lazy(r"\bno more \w+ing\b", re.IGNORECASE)
_LIGHT = frozenset(
    "is be with on in at part the a an our my use uses have has run runs do does take takes get gets "  # noqa: SIM905 - words read better in a row
    "make makes go goes want wants need needs keep keeps live lives work works drive drives own owns "
    "offer offers support supports accept accepts like likes handle handles".split()
)
_FIRST = Lazy(r"^\w+(?: (?:off|on|out|up|down))?\b")
_PLANNED = Lazy(r"\b(?:will|going to|no longer|'ll)\b", re.IGNORECASE)
_HAD = Lazy(r"(?:have|has|use|uses|drives?|runs?|keeps?|keep|needs?)\b", re.IGNORECASE)
_SOME = Lazy(r"(?:an?|some|another|more|\d+) ", re.IGNORECASE)
_THERE = Lazy(r"there (?:is|are)\b", re.IGNORECASE)
_PERFECT = Lazy(
    r"\b(?:has|have|'ve) (?:\w+ly |just |already )?(?:\w{3,}ed|done|made|sent|taken|given|written|seen|"
    r"drawn|hung|caught|bought|sold|found|built|chosen|taught|ground|fed)\b",
    re.IGNORECASE,
)
_SOMEONE = Lazy(
    r"(?:i|we|she|he|they|my \w+|(?:dr\. )?(?-i:[A-Z][a-z]+(?: and [A-Z][a-z]+)?)) "
    r"(?:(?:am|is|are) (?:now )?(?:busy|at|going|in charge)|will|\w+s? the)\b",
    re.IGNORECASE,
)
_PRONOUN = Lazy(r"(?:it|them|that|this|those)\b", re.IGNORECASE)
_NOT = Lazy(r"n't\b|\b(?:not|never|cannot)\b")
_BEYOND = Lazy(r" (?:for|of|to|in|at|on|with) ")
_LOOSE = ("instead", "these days", "nowadays", "any more", "anymore")
_PLACED = Lazy(
    r"\b(?:in|at|on|under|near|from|to|by|with|lives?|sits?|stands?|served|hosted|kept|stored|runs?|use)\b"
)
_OWNED = Lazy(r"(?:have|has)\b", re.IGNORECASE)


@lru_cache(maxsize=8192)
def changes(old: str, new: str, *, clash: bool) -> bool:
    """Tell whether a change that the newer tells happens to what the older states."""
    return any(
        _concerns(old, clause, match, clash=clash)
        for clause in _CLAUSE.split(new)
        for match in english.CHANGE.finditer(clause)
    )


def _concerns(old: str, clause: str, match: re.Match[str], *, clash: bool) -> bool:
    cue = match[0].casefold()
    if _DROPPED.search(clause):
        return drops(old, clause)
    if cue in _LOOSE:
        new = not (tells_event(clause) or _PLANNED.search(clause))
        return new and (clash or _one_verb(old, clause))
    if cue.startswith("went back") or (not clash and _beside(old, clause, match)):
        return False
    told = clause[match.start() :]
    if not active(clause, match) or (clash and _aimed(told)):
        return True
    return undone(old, told)


def _beside(old: str, clause: str, match: re.Match[str]) -> bool:
    """The older tells of having, of a plan or of a thing's user: no side that the cue changes."""
    cue = match[0].casefold()
    if cue.startswith(("went", "gone")):
        return True
    if cue.startswith("mov"):
        thing = _OBJECT.match(clause[match.start() :])
        lost = bool(
            thing and not frozenset(content(thing[1], "en")) <= frozenset(content(old, "en"))
        )
        return lost or _verb(old, _OWNED) or not _PLACED.search(old) or bool(_NOT.search(old))
    return _of_another(old, clause)


def _of_another(old: str, clause: str) -> bool:
    """What the newer tells of was in the older only what somebody was about."""
    thing = tie.about(clause)
    if not thing or thing & tie.about(old) or not thing <= frozenset(content(old, "en")):
        return False
    return not (_verb(old, _HAD) or _THERE.match(old)) and bool(_SOMEONE.match(old))


def active(clause: str, match: re.Match[str]) -> bool:
    """Tell whether a verb of change tells what somebody did: `sold the X`, not `the X was sold`."""
    return bool(_DEED.match(match[0])) and not _PASSIVE.search(clause[: match.start()])


def _aimed(told: str) -> bool:
    """A new value follows what was changed: `raised the limit to 20`, `replaced A with B`."""
    return bool(_ONTO.search(_FIRST.sub("", told)) or _SWAPPED.match(told))


def undone(old: str, told: str) -> bool:
    """`Sold the X`, where the older states something of an X, or has one; two of them are no X."""
    found = _OBJECT.match(told)
    thing = frozenset(content(found[1], "en")) if found else frozenset()
    if not found or not thing:
        return not found or bool(_PRONOUN.match(found[1]))
    if _SOME.match(found[1]) or not thing <= frozenset(content(old, "en")):
        return False
    if _PLANNED.search(old) or _PERFECT.search(old):
        return False
    if thing & tie.about(old):
        return not _NOT.search(old)
    had = bool(_THERE.match(old)) or (_verb(old, _HAD) and not _NOT.search(old))
    return had and thing <= frozenset(content(_BEYOND.split(old, 1)[0], "en"))


def _verb(old: str, verbs: Lazy) -> bool:
    state = english.STATE_VERB.search(" " + old)
    return bool(state and verbs.match(state["verb"]))


def _one_verb(old: str, new: str) -> bool:
    a, b = (english.STATE_VERB.search(" " + text) for text in (old, new))
    return bool(a and b and a["verb"].split()[0] == b["verb"].split()[0])


@lru_cache(maxsize=8192)
def drops(old: str, new: str) -> bool:
    """Tell whether all that is `no longer` done stood in the older, which did not say so itself."""
    found = [(match[1], match[2] or "") for match in _DROPPED.finditer(new)]
    known = frozenset(content(old, "en"))
    if _DROPPED.search(old) or (found and _NO_MORE.search(old)):
        return False
    if any(_PLANNED.search(old) and not verb.endswith("ing") for verb, _ in found):
        return False
    return all(
        frozenset(content(rest, "en")) <= known and (verb in _LIGHT or stem(verb) in tie.words(old))
        for verb, rest in found
    )
