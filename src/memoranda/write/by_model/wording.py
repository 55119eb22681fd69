"""Titles, summaries and headings that a model typed: into a plan only if the guard lets them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memoranda.store.operations import Text
from memoranda.text.analyse import is_greeting, is_stopword, mostly_cjk, terms
from memoranda.text.guard import Said
from memoranda.text.tokens import count
from memoranda.values import Entry
from memoranda.write.guarded import fits, said_by
from memoranda.write.summarize import MOST_TOKENS
from memoranda.write.titles import MOST_WORDS, same_title

CHARACTERS = (2, 20)
"""Characters of a title in a language without blanks."""
NEAR = 0.6
"""Titles that share such a part of all their telling words are one."""
_ODD = re.compile(r"[\n\r\t<>\[\]{}|`#*\\]|https?:|www\.")

_AND = re.compile("[与和及跟的、，·]")
"""What parts the words of a Chinese title."""


def title_of(
    typed: str,
    sources: Sequence[Said],
    made_from: Sequence[int],
    *,
    taken: Collection[str] = (),
    context: Sequence[str] = (),
) -> Text | None:
    """Give a title of 2 to 6 words (2 to 20 characters in Chinese) that its sources bear out.

    None if it does not pass, or is one of `taken` (as `titles.same_title` gives them): then the
    rules choose one.
    """
    text = " ".join(typed.split())
    if not has_form_of_title(text) or same_title(text) in taken:
        return None
    if not fits(text, sources, kind="title", context=context):
        return None
    return Text(text=text, made_from=tuple(sorted(set(made_from))))


def has_form_of_title(text: str) -> bool:
    """Say whether a text is 2 to 6 plain words, or as much in a language without blanks."""
    if _ODD.search(text) or is_greeting(text):
        return False
    if mostly_cjk(text):
        return CHARACTERS[0] <= len(text) <= CHARACTERS[1]
    return 2 <= len(text.split()) <= MOST_WORDS and len(text) <= 80


def summary_of(
    typed: str, sources: Sequence[Said], made_from: Sequence[int], *, context: Sequence[str] = ()
) -> Text | None:
    """Give a summary of at most 100 tokens that its sources bear out; None leaves it to the rules."""
    text = " ".join(typed.split())
    if not text or _ODD.search(text) or count(text) > MOST_TOKENS:
        return None
    if not fits(text, sources, kind="summary", context=context):
        return None
    return Text(text=text, made_from=tuple(sorted(set(made_from))))


def path_of(typed: str, entries: Sequence[Entry]) -> tuple[Text, ...]:
    """Give a heading path of one or two parts (`Home / Fence`); empty if a part does not pass."""
    parts = [" ".join(part.split()) for part in re.split(r"\s/\s", typed)]
    seqs = tuple(sorted(seq for entry in entries for seq in entry.seqs))
    sources = said_by(entries)
    fit = 1 <= len(parts) <= 2 and all(
        part and len(part) <= 80 and not _ODD.search(part) and fits(part, sources, kind="title")
        for part in parts
    )
    return tuple(Text(text=part, made_from=seqs) for part in parts) if fit else ()


def near_titles(one: str, other: str) -> bool:
    """Say whether two titles name one document: equal, or nearly of the same words."""
    if same_title(one) == same_title(other):
        return True
    mine, others = _telling(one), _telling(other)
    return len(mine & others) >= NEAR * len(mine | others) and bool(mine & others)


def _telling(text: str) -> set[str]:
    found = set(terms(_AND.sub(" ", text)))
    return {term for term in found if not is_stopword(term)} or found
