"""The phrases that tell what some entries are about, as the entries write them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memoranda.text.analyse import WEAK_TERMS, Token, is_cjk, is_stopword, plain_text, tokens
from memoranda.text.stopwords import CHINESE_SINGLE
from memoranda.values import Entry

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""Gives for each term how rare it is in the library (see `Postings.rarity`)."""

LONGEST = 4
"""English phrases have at most so many words."""
LONGEST_RUN = 8
"""Chinese phrases have at most so many characters."""
_JOINING = frozenset({"of", "for", "and", "the", "in", "to", "&", "de", "with", "on", "at"})
_GAP = re.compile(r" ?[&] ?| ")
_LATIN = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as the entries write it, with the entries (first seqs, few) that hold it."""

    text: str
    terms: tuple[str, ...]
    weight: float
    seqs: tuple[int, ...]
    cjk: bool


@dataclass(slots=True)
class _Found:
    """What is known of one candidate: how it is written, and where."""

    terms: tuple[str, ...]
    cjk: bool
    written: Counter[str] = field(default_factory=Counter)
    seqs: list[int] = field(default_factory=list)
    times: float = 0.0


def phrases(entries: Sequence[Entry], rarity: Rarity) -> list[Phrase]:
    """Give the telling phrases of entries, best first; ties in the order of the text."""
    found: dict[tuple[str, ...], _Found] = {}
    for entry in entries:
        said = 1.0 if entry.source == "assistant" else USER
        for written, terms, cjk in _candidates(entry.text):
            one = found.setdefault(terms, _Found(terms, cjk))
            one.written[written] += 1
            one.times += said
            if not one.seqs or one.seqs[-1] != entry.seq:
                one.seqs.append(entry.seq)
    rare = rarity({term for terms in found for term in terms})
    weighed = [
        (_weight(one, found, rare, len(entries)), place, one)
        for place, one in enumerate(found.values())
    ]
    weighed.sort(key=lambda each: (-each[0], each[1]))
    return [
        Phrase(_usual(one.written), one.terms, weight, tuple(one.seqs[:3]), one.cjk)
        for weight, _, one in weighed
        if weight > 0
    ]


USER = 2.0
"""A phrase the user (or a tool, or the world) wrote counts so many times as one of the assistant."""


def _usual(written: Counter[str]) -> str:
    """Choose the most usual way of writing, the first of equals."""
    return max(written, key=lambda text: written[text])


def _weight(
    one: _Found, found: Mapping[tuple[str, ...], _Found], rare: Mapping[str, float], entries: int
) -> float:
    spread = math.log1p(one.times) * math.log1p(len(one.seqs))
    if one.cjk:
        telling = sum(rare[term] for term in one.terms)
        return spread * telling / math.sqrt(len(one.terms))
    content = [term for term in one.terms if not is_stopword(term)]
    telling = sum(rare[term] for term in content)
    return spread * telling / len(content) ** 0.4


def _candidates(text: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    plain = plain_text(text)
    for stretch in _stretches(plain, tokens(text)):
        if is_cjk(stretch[0].written[0]):
            for token in stretch:
                yield from _in_run(token.written)
        else:
            yield from _in_words(plain, stretch)


def _stretches(plain: str, found: Sequence[Token]) -> Iterator[list[Token]]:
    """Give runs of tokens that nothing but a blank parts."""
    stretch: list[Token] = []
    for token in found:
        if stretch and (
            is_cjk(token.written[0]) != is_cjk(stretch[-1].written[0])
            or not _GAP.fullmatch(plain[stretch[-1].end : token.start])
        ):
            yield stretch
            stretch = []
        stretch.append(token)
    if stretch:
        yield stretch


def _in_words(plain: str, stretch: Sequence[Token]) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    for start, first in enumerate(stretch):
        if not _carries(first):
            continue
        held: list[str] = []
        words = 0
        for token in stretch[start:]:
            if not _carries(token) and token.written.casefold() not in _JOINING:
                break
            held.append(token.terms[0])
            words += 1
            if words > LONGEST + 1:
                break
            if _carries(token):
                yield plain[first.start : token.end], tuple(held), False


def _carries(token: Token) -> bool:
    """Tell whether a word can begin or end a phrase: it names something and is no mere number."""
    term = token.terms[0]
    if is_stopword(term) or term in WEAK_TERMS or len(term) < 2:
        return False
    return _LATIN.search(token.written) is not None and "http" not in term


def _in_run(run: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Give the pieces of a Chinese run between its function characters."""
    for piece in re.split(f"[{''.join(sorted(CHINESE_SINGLE))}]", run):
        for start in range(len(piece) - 1):
            for end in range(start + 2, min(len(piece), start + LONGEST_RUN) + 1):
                part = piece[start:end]
                pairs = tuple(left + right for left, right in pairwise(part))
                if not any(is_stopword(pair) for pair in pairs):
                    yield part, pairs, True
