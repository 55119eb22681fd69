"""Whether a newer statement replaces an older one, and by which words candidates are found."""

from __future__ import annotations

from memoranda.text.frames.identity import entitled, permitted, short, subjects_differ, two_things
from memoranda.text.frames.opinions import NOT
from memoranda.text.frames.pair import Pair
from memoranda.text.frames.parse import Parsed, parse, stating
from memoranda.text.frames.pattern import Lazy
from memoranda.text.frames.rules import ON_ANY, ON_STATES, ON_WHOLES, same_line
from memoranda.text.frames.statement import Statement
from memoranda.text.frames.words import surface

_OF_CLAIMS = frozenset({"correction", "refuted"})
"""What an assistant said is replaced by these rules only."""
_VALUE = Lazy(r"\d|@")
_MOST_TERMS = 24


def replaces(older: Statement, newer: Statement) -> bool:
    """Tell whether `older` is no longer current after `newer`, which was said later (R51, R52).

    The caller decides which was said later, by event time. Statements over 450 characters, of
    code, and in languages other than English and Chinese never replace nor are replaced.
    """
    if not entitled(older, newer):
        return False
    return rule_of(parse(older), parse(newer)) is not None


def _evidence(older: Parsed, newer: Parsed) -> bool:
    """What a tool printed is replaced by the same tool alone, and by the same line only."""
    a, b = older.statement, newer.statement
    return a.source == "tool" and (b.source != "tool" or a.who != b.who)


def rule_of(older: Parsed, newer: Parsed) -> str | None:
    """Name the rule by which the newer replaces the older, or None."""
    if not permitted(older, newer) or two_things(older, newer) or _evidence(older, newer):
        return None
    if newer.statement.source != "user":
        return "frame" if same_line(older, newer) else None
    if frozenset(older.held) & frozenset(newer.whole):
        return None
    for name, rule in ON_WHOLES.items():
        if _may(name, older) and rule(older, newer):
            return name
    one = not subjects_differ(older, newer)
    pairs = ((old, new) for old in older.held for new in newer.said)
    found = (_by_sentences(older, newer, old=old, new=new, one=one) for old, new in pairs)
    return next((name for name in found if name), None)


def _by_sentences(older: Parsed, newer: Parsed, *, old: str, new: str, one: bool) -> str | None:
    pair = Pair(old, new, newer.lang, newer.lexicon)
    rules = (ON_STATES if one and len(stating((old, new), newer)) == 2 else {}) | ON_ANY
    return next((name for name, rule in rules.items() if _may(name, older) and rule(pair)), None)


def _may(rule: str, older: Parsed) -> bool:
    return older.statement.source != "assistant" or rule in _OF_CLAIMS


def search_terms(statement: Statement) -> tuple[str, ...]:
    """Give up to 24 content words, as written, by which candidates for `replaces` are searched.

    Most statements give none: only those that tell of a change, a correction, a feeling or a
    number may replace what has no key in common with them. Chinese gives pairs of characters.
    """
    return terms_of(parse(statement))


def terms_of(parsed: Parsed) -> tuple[str, ...]:
    """Give the search words of a statement that was read."""
    if not parsed.said or not short(parsed.whole, parsed.lang, 3):
        return ()
    if parsed.statement.source == "assistant":
        return ()
    text, lex = parsed.text, parsed.lexicon
    told = (change for _, change in lex.ROLES.values())
    if any(cue.search(text) for cue in (*lex.CUES, NOT, _VALUE, *told)):
        return surface(text, parsed.lang)[:_MOST_TERMS]
    return ()
