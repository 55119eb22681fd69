"""Summarise a document in a line: its telling phrases as written."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.text.analyse import mostly_cjk
from memoranda.text.tokens import count
from memoranda.values import Entry
from memoranda.write.phrases import Rarity, phrases
from memoranda.write.titles import Made

MOST_TOKENS = 60
MOST_SEQS = 8


def summarize(entries: Sequence[Entry], rarity: Rarity, *, title: str = "") -> Made:
    """Give a line of about 30 to 60 tokens with the phrases that tell a document from the others.

    Phrases stand as the text writes them, best first; none repeats another's terms.
    """
    cjk = mostly_cjk(" ".join(entry.text for entry in entries))
    mark = "、" if cjk else ", "
    chosen: list[str] = []
    seqs: set[int] = set()
    seen: set[str] = set()
    for phrase in phrases(entries, rarity):
        if set(phrase.terms) <= seen:
            continue
        if count(mark.join([*chosen, phrase.text])) > MOST_TOKENS:
            break
        chosen.append(phrase.text)
        seen |= set(phrase.terms)
        if len(seqs) < MOST_SEQS:
            seqs.add(phrase.seqs[0])
    return Made(mark.join(chosen) or entries[0].text[:80], tuple(sorted(seqs or {entries[0].seq})))
