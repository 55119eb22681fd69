"""Search for a pattern in every line of the memory, in one document, or in CURRENT."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterator

from memoranda.read.lexical import Source
from memoranda.read.tools import pattern as patterns
from memoranda.read.tools.listing import admitted, find
from memoranda.read.tools.places import Located, in_reach, located, snippet
from memoranda.read.tools.results import Grepped, Match
from memoranda.text.analyse import fold, terms
from memoranda.values import CURRENT

_ROWS = (
    "SELECT entry.seq, entry.text, entry.project, entry.document_id FROM entry "
    "LEFT JOIN document ON document.id = entry.document_id "
    "LEFT JOIN block ON block.id = entry.block "
    "WHERE entry.line = entry.seq AND entry.erased IS NULL AND {} "
    "ORDER BY document.number IS NULL, document.number, block.place IS NULL, block.place, "
    "block.moment, block.id, coalesce(entry.place, entry.seq), entry.seq"
)


def grep(
    pattern: str,
    source: Source,
    *,
    document: str | None = None,
    ignore_case: bool = False,
    limit: int,
) -> Grepped:
    """Find the lines whose text holds a pattern; outdated and retracted ones are marked.

    Args:
        pattern: an expression as RE2 has it; what it can't read is looked for as it is written.
        source: the memory at one position.
        document: a document's id, title or file name, or CURRENT; None looks everywhere.
        ignore_case: take upper and lower case as the same.
        limit: at most so many lines; all are counted.

    Raises:
        InputError: the pattern is empty or too long.
        NotFoundError: there is no such document; with near names.
    """
    wanted = patterns.read(pattern, ignore_case=ignore_case)
    own = _named(document, source)
    shown: list[int] = []
    counts: dict[str, int] = {}
    searched = 0
    for seq, text, project, document_id in _lines(own, source):
        if not in_reach(seq, project, source.reach):
            continue
        searched += 1
        if wanted.find(text, 1):
            name = document_id or CURRENT
            counts[name] = counts.get(name, 0) + 1
            if len(shown) < limit:
                shown.append(seq)
    place = located(shown, source)
    matches = tuple(_match(place, seq, wanted) for seq in shown)
    total = sum(counts.values())
    return Grepped(
        pattern=pattern,
        literal=wanted.literal,
        why_literal=wanted.why,
        ignore_case=ignore_case,
        document_id=own,
        matches=tuple(sorted(matches, key=lambda item: _order(item, shown, counts))),
        total=total,
        documents=counts,
        searched=searched,
        note=_note(total, len(shown), searched, counts)
        if total
        else _nothing(pattern, searched, own, source),
        position=source.log.position(),
    )


def _named(document: str | None, source: Source) -> str | None:
    if document is None or document == CURRENT:
        return document
    return find(document, source).document_id


def _lines(own: str | None, source: Source) -> Iterator[sqlite3.Row]:
    """Give (first seq, text, project, document id) of all lines, or of one document's."""
    db = source.log.connection
    if own is None:
        return db.execute(_ROWS.format("true"))
    if own == CURRENT:
        return db.execute(_ROWS.format("entry.document_id IS NULL"))
    return db.execute(_ROWS.format("entry.document_id = ?"), (own,))


def _match(place: Located, seq: int, wanted: patterns.Pattern) -> Match:
    entry = place.entries[seq]
    spans = wanted.find(entry.text, patterns.SPANS)
    return Match(
        document_id=entry.document_id or CURRENT,
        title=place.title(entry.document_id),
        version=place.version(entry.document_id),
        entry=entry,
        snippet=snippet(entry.text, spans[0]),
        spans=spans,
    )


def _order(item: Match, shown: list[int], counts: dict[str, int]) -> tuple[int, int, int]:
    """Order lines as they stand: documents in their order, each from its first line on."""
    first = item.entry.lines[0] if item.entry.lines else 0
    return ([*counts].index(item.document_id), first, shown.index(item.entry.seq))


def _note(total: int, shown: int, searched: int, counts: dict[str, int]) -> str:
    if shown == total:
        return ""
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]
    where = ", ".join(f"{name}: {number}" for name, number in most)
    return (
        f"{total - shown} more of {total} matching lines (of {searched} looked at) are not shown; "
        f"most are in {where}. Narrow the pattern, or grep one document"
    )


def _nothing(pattern: str, searched: int, own: str | None, source: Source) -> str:
    where = f"in {own}" if own else "in all documents and CURRENT"
    said = f"none of {searched} lines {where} matches"
    near = _near(pattern, source) if own is None else ()
    if near:
        said += f"; words that are there: {', '.join(near)}"
    tips = "ignore case, shorten the pattern, or use search, which finds other forms of a word"
    return f"{said}. Try to {tips}"


def _near(pattern: str, source: Source) -> tuple[str, ...]:
    """Give words of the titles in reach that are like those of a pattern."""
    words = sorted({word for info in admitted(source) for word in terms(fold(info.title))})
    found = [
        near
        for term in terms(pattern)[:8]
        for near in difflib.get_close_matches(term, words, n=2, cutoff=0.7)
    ]
    return tuple(dict.fromkeys(found))[:5]
