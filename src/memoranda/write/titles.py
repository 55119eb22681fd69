"""Name a document: two to six whole words as its text writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from memoranda.text.analyse import is_cjk, is_greeting, mostly_cjk
from memoranda.values import Entry
from memoranda.write.phrases import Phrase, Rarity, phrases

MOST_WORDS = 6
"""Words of an English title."""
LEAST_CHARACTERS = 4
MOST_CHARACTERS = 12
"""Characters of a Chinese title."""
WORD = 0.6
"""A single word weighs so much of what a phrase does."""
PHRASES = 12
"""A title is made of so many of the best phrases."""


@dataclass(frozen=True, slots=True)
class Made:
    """A text made by rules, and the seqs of the entries whose words it took."""

    text: str
    seqs: tuple[int, ...]


def title(entries: Sequence[Entry], rarity: Rarity, *, taken: Collection[str]) -> Made:
    """Choose a title for a document's entries, unlike all `taken` ones by NFC and casefold.

    Two to six words as the text writes them, or 4 to 12 Chinese characters; never greetings or
    speaker names alone. `rarity` is `Postings.rarity` of the document's project; `taken` are titles
    as `same_title` gives them.
    """
    cjk = mostly_cjk(" ".join(entry.text for entry in entries))
    names = {entry.speaker.casefold() for entry in entries if entry.speaker}
    found = [
        phrase
        for phrase in phrases(entries, rarity)
        if phrase.cjk == cjk and phrase.text.casefold() not in names
    ]
    found.sort(key=lambda phrase: -phrase.weight * (1.0 if _is_name(phrase) else WORD))
    for made in _titles(found[:PHRASES], cjk=cjk):
        if same_title(made.text) not in taken and not is_greeting(made.text):
            return made
    return _plain(entries, taken, names)


def _is_name(phrase: Phrase) -> bool:
    """Tell whether a phrase stands well alone: two words, four characters or more."""
    return len(phrase.text) >= LEAST_CHARACTERS if phrase.cjk else " " in phrase.text


def same_title(text: str) -> str:
    """Give the form in which titles are compared."""
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _titles(found: Sequence[Phrase], *, cjk: bool) -> Iterator[Made]:
    for first, best in enumerate(found):
        for second in found[first + 1 :]:
            named = _is_name(best) or _is_name(second)
            if named and _apart(best, second) and _fits(best, second, cjk=cjk):
                joined = f"{best.text}、{second.text}" if cjk else f"{best.text}, {second.text}"
                yield Made(joined, tuple(sorted({best.seqs[0], second.seqs[0]})))
        if _long_enough(best, cjk=cjk):
            yield Made(best.text, best.seqs[:1])


def _apart(one: Phrase, other: Phrase) -> bool:
    return not set(one.terms) & set(other.terms)


def _fits(one: Phrase, other: Phrase, *, cjk: bool) -> bool:
    if cjk:
        return LEAST_CHARACTERS <= len(one.text) + len(other.text) + 1 <= MOST_CHARACTERS
    return len(one.text.split()) + len(other.text.split()) <= MOST_WORDS


def _long_enough(one: Phrase, *, cjk: bool) -> bool:
    if cjk:
        return LEAST_CHARACTERS <= len(one.text) <= MOST_CHARACTERS
    return 2 <= len(one.text.split()) <= MOST_WORDS


def _plain(entries: Sequence[Entry], taken: Collection[str], names: Collection[str]) -> Made:
    """Fall back on the first words, then on a number, where no phrase is free."""
    for entry in entries:
        words = _first_words(entry.text)
        used = same_title(words) in taken or same_title(words) in names
        if words and not used and not is_greeting(words):
            return Made(words, (entry.seq,))
    first = entries[0]
    number = first.seq
    while same_title(f"Notes from {number}") in taken:
        number += 1
    return Made(f"Notes from {number}", (first.seq,))


def _first_words(text: str) -> str:
    """Give the first words of a text, whole, or the first Chinese clause; "" if they don't fit."""
    clause = re.split(r"[。！？，；：、.!?;:\n]", text.strip(), maxsplit=1)[0].strip()
    if clause and is_cjk(clause[0]):
        return clause if LEAST_CHARACTERS <= len(clause) <= MOST_CHARACTERS else ""
    words = clause.split()[:MOST_WORDS]
    return " ".join(words) if len(words) > 1 and len(" ".join(words)) <= 60 else ""
