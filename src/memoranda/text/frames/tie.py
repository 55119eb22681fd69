"""How strongly two English sentences are tied: one subject, one matter, nothing that names."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from memoranda.text.frames import english
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.words import content, stem
from memoranda.text.stopwords import ENGLISH

RELATIONS = (
    "sister|brother|friend|colleague|cousin|mum|mom|dad|mother|father|parents|son|daughter|"
    "neighbour|neighbor|boss|uncle|aunt|nephew|niece|grandma|grandpa|grandmother|"
    "grandfather|flatmate|roommate|tenant|husband|wife|child|kid|children|kids|client|customer|"
    "student|ex|twin"
)
_VERBS = (
    r"(?:is|are|was|were|has|have|had|will|can|must|do|does|did|seats|burns|keep|keeps|prefers|"
    r"went|got|became|sold|left|came|said|told|took|gave|made|knows|likes|\w{3,}ed|'s(?= (?:\w+"
    r"ing|now|at|on|in|to|the|a|been)\b)|'re|'ve)\b"
)
_SPECIAL = (
    r"first|second|third|\d+(?:st|nd|rd|th)|last|next|other|(?:mon|tues|wednes|thurs|fri|satur|"
    r"sun)days?|january|february|march|april|june|july|august|september|october|november|"
    r"december|red|blue|green|black|white|yellow|grey|gray|brown|north|south|east|west|northern|"
    r"southern|eastern|western|left|right|upper|lower|big|small|large|little|old|test|staging|"
    r"production|morning|evening|afternoon|night|summer|winter|spring|autumn|inner|outer|front|"
    r"rear|work|home|office|personal|emergency|spare|savings|adult|adults|children|burst|internal|external|mobile|web|public|private"
)
_WORD = Lazy(r"[A-Za-z][\w'-]*|#?\d[\w.:/-]*")
_PREPOSITION = Lazy(
    r"\b(?:of|for|to|in|on|at|with|from|by|under|over|behind|between|about|near|as|into)\b"
)
_BEFORE_A_VALUE = frozenset(
    [
        "of",
        "for",
        "to",
        "in",
        "on",
        "at",
        "with",
        "from",
        "by",
        "under",
        "over",
        "between",
        "about",
        "near",
        "as",
        "into",
        "than",
        "and",
        "or",
        "is",
        "are",
        "was",
        "the",
        "a",
        "an",
        "every",
        "each",
        "all",
        "only",
        "after",
        "until",
        "till",
        "since",
        "around",
    ]
)
_UNKNOWN = (
    r"(?:the|my|our|this|his|her|their) (?:[\w'-]+(?: [\w'-]+){0,2}?(?= (?:no longer|now|still|never|"
    r"always|[a-z]{2,}[^s\W]s (?:\d|the|an?|in|at|on|to|for|from|by|every|no))\b)|[\w'-]+)"
)
_TITLE = Lazy(r"^[^:,]{3,60}: (?=\S+ \S+ \S)")
_FREQUENCY = frozenset(stem(word) for word in ("nightly", "daily", "weekly", "monthly", "hourly"))
_STEADY = frozenset(
    stem(word)
    for word in "language limit timeout deadline password code size version default level rate price "  # noqa: SIM905 - words read better in a row
    "fee rent address number date time schedule owner lead manager contact name colour color format theme "
    "style port interval length retention quota budget target frequency currency region channel provider "
    "threshold expiry capacity".split()
)
_DIMENSION = r"\b\d[\d.]* \w+ (long|wide|high|tall|deep|thick|heavy|old|ago)\b"
_IMPERATIVE = (
    r"(?:\w{3,}ed|[Ss]et|[Pp]ut|[Cc]ut|[Tt]ook|[Bb]rought|[Ss]old|[Gg]ave|[Hh]ad|[Gg]ot)\b"
)


@cache
def _compiled(pattern: str) -> Lazy:
    return Lazy(pattern, re.IGNORECASE)


@lru_cache(maxsize=4096)
def relations(text: str) -> frozenset[str]:
    """Give the relatives and others of whom a text speaks: `my sister`, `our old tenant's`."""
    found = _compiled(rf"\b(?:my|our) (?:\w+ ){{0,2}}?({RELATIONS})\b").findall(text)
    return frozenset(word.casefold() for word in found)


@lru_cache(maxsize=4096)
def opening(sentence: str) -> str:
    """Give what stands before the first finite verb, up to nine words; else nothing."""
    sentence = _TITLE.sub("", sentence)
    if re.match(_IMPERATIVE, sentence):
        return ""
    spots = [m.start() for m in (english.STATE_VERB.search(" " + sentence),) if m]
    spots += [m.start() for m in (_compiled(r"(?<=[\s])" + _VERBS).search(sentence),) if m]
    if not spots:
        unknown = _compiled(_UNKNOWN).match(sentence)
        return unknown[0] if unknown else ""
    first = sentence[: min(spots)].strip()
    return first if "," not in first and len(first.split()) <= 9 else ""


@lru_cache(maxsize=4096)
def named(sentence: str) -> frozenset[str]:
    """Give the words of a sentence's opening that tell one thing from another of its kind."""
    words = _WORD.findall(opening(sentence))
    found: set[str] = set()
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        low = word.casefold().removesuffix("'s")
        special = bool(_compiled(_SPECIAL).fullmatch(low)) and (
            bool(after) or not low.isalpha() or low.endswith("day")
        )
        letter = bool(before) and len(word) == 1 and word.isupper() and word != "I"
        name = bool(before) and word[0].isupper() and word not in ("I", "I'm", "I've")
        number = word[0] in "#0123456789" and bool(before)
        if special or letter or name or (number and before.casefold() not in _BEFORE_A_VALUE):
            found.add(low)
    return frozenset(found)


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """Give all words of a text, casefolded, and their stems."""
    plain = [t.casefold().removesuffix("'s").removesuffix("'") for t in _WORD.findall(text)]
    return frozenset(plain) | frozenset(stem(w) for w in plain)


@lru_cache(maxsize=4096)
def about(sentence: str) -> frozenset[str]:
    """Give the content stems of the subject."""
    return frozenset(content(opening(sentence), "en"))


@lru_cache(maxsize=4096)
def head(sentence: str) -> str:
    """Give the stem of the subject's head: the last content word before a preposition."""
    first = _PREPOSITION.split(opening(sentence), maxsplit=1)[0]
    found = content(first, "en") or content(opening(sentence), "en")
    return found[-1] if found else ""


def strangers(old: str, new: str) -> bool:
    """Something that names stands in one subject and nowhere in the other sentence."""
    if named(old) - words(new) or named(new) - words(old):
        return True
    return relations(old) != relations(new) or _parallel(old, new)


def _parallel(old: str, new: str) -> bool:
    """Two sentences that end alike and begin with two things: `X sells stamps`, `Y sells stamps`."""
    a, b = (re.findall(r"[\w'-]+", text.casefold()) for text in (old, new))
    m = n = 0
    while n < min(len(a), len(b)) and a[-1 - n] == b[-1 - n]:
        n += 1
    while m < min(len(a), len(b)) - n and a[m] == b[m]:
        m += 1
    if m >= 2 and n >= 1 and max(len(a), len(b)) - m - n <= 2 and not re.search(r"\d", old + new):
        return True
    first, second = (frozenset(content(" ".join(x[: len(x) - n]), "en")) for x in (a, b))
    return len(content(" ".join(a[len(a) - n :]), "en")) >= 2 and bool(
        first - second and second - first
    )


@lru_cache(maxsize=4096)
def objects(sentence: str) -> tuple[frozenset[str], ...]:
    """Give the content of what verbs of change are done to: `moved the till to ...`."""
    found = _compiled(
        r"\b(?:\w{3,}ed|set|put|cut|took|brought|sold|swap|switch|change|move|gave|got|left|quit)"
        r"(?: off| out| up| over| down)? (?:the|its|my|our|his|her|their|an?|all|both|\d+) "
        r"((?:[\w'-]+ ?){1,6})"
    ).findall(sentence)
    phrases = (
        _compiled(_PREPOSITION.pattern + r"|\b(?:and|but|because|now|again|so)\b").split(f)[0]
        for f in found
    )
    return tuple(frozenset(content(phrase, "en")) for phrase in phrases)


@lru_cache(maxsize=4096)
def people(text: str) -> frozenset[str]:
    """Give the stems of the names in a text: capitals, but at the beginning only two in a row."""
    found = re.findall(
        r"(?<=[a-z,'] )[A-Z][a-z]\w*(?: [A-Z]\w+)*|^[A-Z][a-z]+(?: [A-Z][a-z]+)+", text
    )
    names = (name for name in found if not _compiled(_SPECIAL).fullmatch(name.casefold()))
    return frozenset(content(" ".join(names), "en"))


def matters(old: str, both: frozenset[str]) -> frozenset[str]:
    """Give what two sentences share; the parts of names count as one word at most."""
    names = both & people(old)
    both = frozenset(word for word in both if not _compiled(_SPECIAL).fullmatch(word))
    return (both - names) | frozenset(sorted(names)[:1])


def stray(new: str, old: str) -> bool:
    """The newer's subject has a word that the older lacks."""
    found = (w.casefold().removesuffix("'s") for w in _WORD.findall(opening(new)))
    known = words(old)
    return any(
        w not in ENGLISH and w not in known and (w.endswith("ing") or stem(w) not in known)
        for w in found
    )


def tied(old: str, new: str, both: frozenset[str], clash: tuple[str, ...]) -> bool:
    """Tell whether the newer speaks of the older's subject, and of the same side of it."""
    if strangers(old, new) or _done_elsewhere(new, frozenset(content(old, "en"))):
        return False
    subject, shared = about(old), matters(old, both)
    if about(new) & subject and stray(new, old):
        return False
    if not subject:
        return _tied_without_subject(old, new, shared, clash)
    if head(old) not in shared:
        return _versions(clash) and len(shared) >= 2 and not stray(new, old)
    return _tied_by_subject(old, new, shared, clash)


def _versions(clash: tuple[str, ...]) -> bool:
    return any(kind.startswith("version") for kind in clash)


def _done_elsewhere(new: str, known: frozenset[str]) -> bool:
    """What is done in the newer is done to something that the older does not name."""
    dropped = _compiled(r"\bno longer \w+ ([^,.;]+)").search(new)
    there = _compiled(
        r"\b\w{3,}ed (?:the|our|my|their) [\w'-]+(?: [\w'-]+)? (?:in|of|at|for) (?:the )?(?-i:([A-Z]\w+))"
    ).findall(new)
    if any(not frozenset(content(name, "en")) <= known for name in there):
        return True
    lost = frozenset(content(dropped[1], "en")) if dropped else frozenset()
    done = [thing for thing in objects(new) if thing]
    return bool(lost and not lost & known) or bool(
        done and not any(thing <= known for thing in done)
    )


def _tied_without_subject(
    old: str, new: str, shared: frozenset[str], clash: tuple[str, ...]
) -> bool:
    """The older speaks of `I` or `we`: much must be shared, and not names only."""
    known = frozenset(content(old, "en"))
    half = bool(clash) or len(shared) >= 3 or 2 * len(shared) >= len(known)
    enough = (len(shared) >= 2 and half) or _within(new, known, clash)
    return enough and not stray(new, old) and not shared <= people(old)


def _tied_by_subject(old: str, new: str, shared: frozenset[str], clash: tuple[str, ...]) -> bool:
    """The older's head stands in the newer: so must the rest of its subject, and its side."""
    subject, other = about(old), about(new)
    coded = bool(re.search(r"[_\d]", head(old)))
    if subject - shared - _FREQUENCY and not coded:
        return False
    if head(old) in _STEADY and not stray(new, old):
        return True
    if other and not other & frozenset(content(old, "en")) and len(shared) < 2:
        return False
    extra = shared - subject
    if extra <= people(old) and not _versions(clash) and not _left_behind(new, old):
        extra = frozenset()
    if extra and not clash and person(old) and not _one_verb(old, new):
        return False
    return bool(extra) or _same_side(old, new, subject, clash)


def person(sentence: str) -> bool:
    """The subject is one or two capitalised words without an article, and no plural."""
    return bool(
        re.fullmatch(
            r"(?:(?:Dr|Mr|Mrs|Ms)\. )?[A-Z][a-z]+[a-rt-z](?: [A-Z]\w+)?", opening(sentence)
        )
    )


def _one_verb(old: str, new: str) -> bool:
    a, b = english.STATE_VERB.search(" " + old), english.STATE_VERB.search(" " + new)
    return a is not None and b is not None and a["verb"].split()[0] == b["verb"].split()[0]


def _left_behind(new: str, old: str) -> bool:
    """The newer says of a name in the older that it is no more: `from Ann to Bo`."""
    gone = _compiled(
        r"\b(?:from|off|instead of|replaced|replaces|not|no longer|than) (?-i:([A-Z]\w+))"
    ).findall(new)
    return bool(frozenset(content(" ".join(gone), "en")) & people(old))


def _within(new: str, known: frozenset[str], clash: tuple[str, ...]) -> bool:
    """All that the newer names stood in the older, and it brings another value."""
    return bool(clash) and frozenset(content(new, "en")) <= known


def _same_side(old: str, new: str, subject: frozenset[str], clash: tuple[str, ...]) -> bool:
    """A value clashes, and neither sentence says of which side in a word the other lacks."""
    if not clash or all(kind in ("number", "version") for kind in clash):
        return False
    a, b = frozenset(content(old, "en")) - subject, frozenset(content(new, "en")) - subject
    if a and b and not any(x[:5] == y[:5] for x in a for y in b):
        return False
    sides = (frozenset(_compiled(_DIMENSION).findall(text)) for text in (old, new))
    if len(set(sides)) > 1:
        return False
    verb = english.STATE_VERB.search(" " + new)
    if verb and not re.match("is|are|'s|has|have", verb["verb"]):
        return _one_verb(old, new)
    return True
