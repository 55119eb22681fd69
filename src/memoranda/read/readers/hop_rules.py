"""Questions that hang on several facts, taken apart by rules: nested phrases in English and Chinese."""

from __future__ import annotations

import re

_MOST = 5
"""Hops that the rules find in one question."""
_DEEDS = (
    "located|situated|based|born|created|founded|made|written|produced|performed|held|spoken|educated|"
    "employed|owned|developed|associated|affiliated|represented|married|used|kept|stored|built|sold|"
    "speaks?|plays?|works?|worked|lives?|lived|leads?|owns?|belongs?|uses?|likes?|drinks?|drives?|"
    "reports?|opens?|closes?|starts?|ends?|costs?|dies?|died|stands?|lies|runs?|represents?|wrote|do|"
    "teaches|taught|studied|studies|manages?|managed|sings?|sang|publishes|published|runs|famous"
)
_PLACES = "in|with|by|at|for|to|on|from"
_VERB = re.compile(rf" (?:(?:is|was|are|were) )?(?:{_DEEDS})(?: (?:{_PLACES}))?(?= |$)(?! of\b)")
_GAP = re.compile(rf"(?:{_DEEDS})(?: (?:{_PLACES}))? ")
_PHRASE = re.compile(
    r"the (?:(?:type|kind|sort) of )?[a-z][a-z'-]*(?: [a-z'-]+){0,5}? "
    r"(?:(?:of|in|for|(?:spoken|written|owned|made|led|run|[a-z]{2,}ed) by) (?!which )"
    r"|(?P<clause>(?:(?:to|in|from) )?which|where|that|who) )"
)
_BARE = re.compile(
    r"(?:what|who|which|where|when)(?: [a-z]+)? (?:is|was|are|were)(?: the name of)? #\d"
)
_POSSESSIVE = re.compile(
    r"(?P<owner>\b(?:[A-Z][\w-]*'s(?: [a-z-]+){1,2}|(?:[Mm]y|[Oo]ur)(?: [a-z-]+){1,2}))'s "
    r"(?P<rest>[a-z][\w -]*)"
)
_CHINESE = re.compile(
    r"(?P<owner>[^，。！？?!；;：:、的]{1,16})的(?P<first>[^，。！？?!；;的是在叫]{1,10})的(?P<rest>[^？?]+)"
)
_ASKED_ZH = re.compile("谁|什么|哪|多少|几|何时|怎么|吗")


def by_rules(question: str) -> tuple[str, ...]:
    """Give the hops of a question, the first thing to find out first; one hop is the question itself.

    A later hop names the value of an earlier one as `#1`, `#2` ... What the rules don't take apart
    stays whole; what they take apart wrongly does not resolve, and is not used.
    """
    bare = " ".join(question.split())
    find = _chinese if _ASKED_ZH.search(bare) else _english
    hops = find(bare.rstrip("?？ ."))
    return hops if 1 < len(hops) <= _MOST else (question,)


def _english(question: str) -> tuple[str, ...]:
    """Take the innermost phrase out, again and again."""
    hops: list[str] = []
    rest = question
    while len(hops) < _MOST:
        found = _possessive(rest) or _innermost(rest)
        if found is None:
            break
        start, end = found
        left = f"{rest[:start]}#{len(hops) + 1}{rest[end:]}"
        if _BARE.fullmatch(left.casefold()):
            break
        hops.append(f"What is {rest[start:end]}?")
        rest = left
    return (*hops, f"{rest}?") if hops else ()


def _innermost(text: str) -> tuple[int, int] | None:
    """Find the last phrase that describes a thing by another: `the owner of X`, `the town where X lives`.

    The verbs of the clauses around it follow it, the innermost first.
    """
    for start in reversed([match.start() for match in re.finditer(r"\bthe ", text)]):
        phrase = _PHRASE.match(text, start)
        if phrase is None:
            continue
        at = phrase.end()
        if phrase["clause"]:
            gap = _GAP.match(text, at)
            verb = _VERB.search(text, gap.end() if gap else at)
            end = (verb.start() if gap else verb.end()) if verb else len(text)
            return (start, end) if gap or verb else None
        verb = _VERB.search(text, at)
        end = verb.start() if verb else len(text)
        return (start, end) if text[at:end].strip() else None
    return None


def _possessive(text: str) -> tuple[int, int] | None:
    """Find `Ana's boss` in `Ana's boss's number`."""
    match = _POSSESSIVE.search(text)
    return match.span("owner") if match else None


def _chinese(question: str) -> tuple[str, ...]:
    """Take `A的B的C是什么` apart, from the left."""
    hops: list[str] = []
    rest = question
    while len(hops) < _MOST:
        match = _CHINESE.search(rest)
        if match is None or _ASKED_ZH.search(match["owner"] + match["first"]):
            break
        hops.append(f"{match['owner']}的{match['first']}是什么？")
        rest = f"{rest[: match.start()]}#{len(hops)}的{match['rest']}"
    return (*hops, f"{rest}？") if hops else ()
