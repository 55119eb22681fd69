"""The phrases that tell what some entries are about, as the entries write them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memoranda.text.analyse import WEAK_TERMS, Token, is_cjk, is_stopword, plain_text, tokens
from memoranda.text.stopwords import CHINESE_SINGLE
from memoranda.values import Entry

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Gives for each term how rare it is in the library (see `Postings.rarity`)."""

LONGEST = 5
"""English phrases have at most so many words."""
LONGEST_RUN = 8
"""Chinese phrases have at most so many characters."""
USER = 2.0
"""A phrase of the user, a tool or the world counts so many times as much as an assistant's."""
_JOINING = frozenset({"of", "for", "and", "the", "in", "to", "&", "de", "with", "on", "at"})
_GAP = re.compile(r" ?& ?| ")
_NAMING = re.compile(r"[^\W\d_]{2}|[A-Z]\d|\d[A-Z]")
_BINDING = re.compile(
    f"[{''.join(sorted(CHINESE_SINGLE - set('上下中会能可前后里更最要无来看着定')))}]"
)
"""Function characters that cut a Chinese run; those that often stand inside a word do not."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as written, with the first seqs (at most three) of entries that write it so."""

    text: str
    terms: tuple[str, ...]
    weight: float
    seqs: tuple[int, ...]
    cjk: bool


@dataclass(slots=True)
class _Found:
    """What is known of one candidate: by whom it is written, how, and in which entries."""

    terms: tuple[str, ...]
    cjk: bool
    times: float = 0.0
    seqs: set[int] = field(default_factory=set)
    written: dict[str, list[int]] = field(default_factory=dict)

    def see(self, written: str, entry: Entry) -> None:
        self.times += 1.0 if entry.source == "assistant" else USER
        self.seqs.add(entry.seq)
        self.written.setdefault(written, []).append(entry.seq)

    def phrase(self, rare: Mapping[str, float]) -> Phrase:
        usual = max(self.written, key=lambda text: len(self.written[text]))
        seqs = tuple(dict.fromkeys(self.written[usual]))[:3]
        return Phrase(usual, self.terms, self._weight(rare), seqs, self.cjk)

    def _weight(self, rare: Mapping[str, float]) -> float:
        """Weigh how often, in how many entries, and how rare elsewhere; longer is better."""
        content = [term for term in self.terms if self.cjk or not is_stopword(term)]
        telling = sum(rare.get(term, 0.0) for term in content) / math.pow(len(content), 0.4)
        return math.log1p(self.times) * math.log1p(len(self.seqs)) * telling


def phrases(entries: Sequence[Entry], rarity: Rarity) -> list[Phrase]:
    """Give the telling phrases of entries, best first; ties in the order of the text.

    A phrase is one to five adjacent words that neither begin nor end with a stopword or a word too
    vague, or two to eight Chinese characters without a function character.
    """
    found: dict[tuple[str, ...], _Found] = {}
    for entry in entries:
        for written, terms, cjk in _candidates(entry.text):
            found.setdefault(terms, _Found(terms, cjk)).see(written, entry)
    rare = rarity({term for terms in found for term in terms})
    return sorted((one.phrase(rare) for one in found.values()), key=lambda phrase: -phrase.weight)


def _candidates(text: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    plain = plain_text(text)
    for stretch in _stretches(plain, tokens(text)):
        if is_cjk(stretch[0].written[0]):
            for token in stretch:
                yield from _in_run(token.written)
        else:
            yield from _in_words(plain, stretch)


def _stretches(plain: str, found: Sequence[Token]) -> Iterator[list[Token]]:
    """Give runs of tokens of one kind of script that nothing but a blank or `&` parts."""
    stretch: list[Token] = []
    for token in found:
        if stretch and not _adjacent(plain, stretch[-1], token):
            yield stretch
            stretch = []
        stretch.append(token)
    if stretch:
        yield stretch


def _adjacent(plain: str, before: Token, after: Token) -> bool:
    if is_cjk(before.written[0]) != is_cjk(after.written[0]):
        return False
    return _GAP.fullmatch(plain[before.end : after.start]) is not None


def _in_words(plain: str, stretch: Sequence[Token]) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    for start, first in enumerate(stretch):
        if not _carries(first):
            continue
        for end in range(start + 1, min(start + LONGEST, len(stretch)) + 1):
            last = stretch[end - 1]
            if _carries(last):
                written = plain[first.start : last.end].removesuffix("'s")
                yield written, tuple(token.terms[0] for token in stretch[start:end]), False
            elif last.written.casefold() not in _JOINING:
                break


def _carries(token: Token) -> bool:
    """Tell whether a word can begin or end a phrase: it names something."""
    term = token.terms[0]
    if is_stopword(term) or term in WEAK_TERMS or token.written[0].isdigit():
        return False
    if len(token.written) < 3 and not token.written.isupper():
        return False
    return _NAMING.search(token.written) is not None and "/" not in token.written


def _in_run(run: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Give the pieces of a Chinese run between its function characters."""
    for piece in _BINDING.split(run):
        for start in range(len(piece) - 1):
            for end in range(start + 2, min(len(piece), start + LONGEST_RUN) + 1):
                part = piece[start:end]
                pairs = tuple(left + right for left, right in pairwise(part))
                if not any(is_stopword(pair) for pair in pairs):
                    yield part, pairs, True
