"""Claims: a quote that stands in a line, with the citation of that line."""

from __future__ import annotations

import re

from memoranda.answers import Claim
from memoranda.store.view import View
from memoranda.values import CURRENT, LOG, Entry

_EDGES = " \t\n\"'“”‘’«»「」『』.…"
SHORTEST = 2
"""Characters of a quote; a shorter one says nothing."""


def claim_of(entry: Entry, view: View, *, quote: str = "", says: str = "") -> Claim:
    """Cite an entry; without a quote all of its text is quoted."""
    located = entry if entry.lines is not None else view.located(entry)
    own = entry.document_id or CURRENT
    info = view.document(own)
    return Claim(
        quote=quote or entry.text,
        document_id=own,
        title=info.title if info else own.capitalize() if own == LOG else own,
        version=info.version if info else view.counter("position"),
        lines=located.lines,
        seqs=entry.seqs,
        event_ids=entry.event_ids,
        external_ids=entry.external_ids,
        time=entry.time,
        source=entry.source,
        speaker=entry.speaker,
        superseded_by=entry.superseded_by,
        possibly_replaced_by=entry.possibly_replaced_by,
        says=says,
    )


def verbatim(quote: str, text: str) -> str | None:
    """Find a quote in a text and give it as the text has it; only blanks and case may differ."""
    words = quote.strip(_EDGES).split()
    if len("".join(words)) < SHORTEST:
        return None
    pattern = r"\s+".join(map(re.escape, words))
    found = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE)
    return found[0] if found else None
