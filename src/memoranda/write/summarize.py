"""Summarise a document in a line: its telling phrases, as its text writes them."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.text.analyse import mostly_cjk, terms
from memoranda.text.tokens import count
from memoranda.values import Entry
from memoranda.write.phrases import Rarity, phrases
from memoranda.write.titles import Made

MOST_TOKENS = 100
"""A summary has at most so many tokens."""
MOST_PHRASES = 400
"""So many of the best phrases are looked at."""


def summarize(entries: Sequence[Entry], rarity: Rarity, *, title: str = "") -> Made:
    """Give a line of at most 100 tokens that tells a document from the others.

    Phrases of the document as written, best first, parted by commas; each brings mostly terms that
    neither the title nor an earlier phrase has. The seqs are those of one entry for each phrase.
    Without a phrase it is the beginning of the first entry.
    """
    mark = "、" if mostly_cjk(" ".join(entry.text for entry in entries)) else ", "
    seen = set(terms(title))
    chosen: list[str] = []
    seqs: set[int] = set()
    left = MOST_TOKENS
    for phrase in phrases(entries, rarity)[:MOST_PHRASES]:
        fresh = set(phrase.terms) - seen
        cost = count(mark + phrase.text)
        if cost <= left and 5 * len(fresh) >= 3 * len(set(phrase.terms)):
            chosen.append(phrase.text)
            seqs.add(phrase.seqs[0])
            seen |= fresh
            left -= cost
    if not chosen:
        first = entries[0]
        return Made(" ".join(first.text.split())[:80], (first.seq,))
    return Made(mark.join(chosen), tuple(sorted(seqs)))
