"""Search by words: BM25 over blocks, with the lines that match in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memoranda.read.evidence import event_entry
from memoranda.read.lexical import Source
from memoranda.read.ranking import Ranked, rank
from memoranda.read.tools.listing import admitted
from memoranda.read.tools.places import Located, located, snippet
from memoranda.read.tools.results import Searched, SearchHit
from memoranda.read.tools.titles import hidden_blocks
from memoranda.store.index import unit_text
from memoranda.store.query import understand
from memoranda.text.analyse import fold, terms
from memoranda.text.fences import is_echo
from memoranda.values import CURRENT, LOG, Entry

LOOKED_AT = 400
"""The best lines that are looked at."""
LINES = 5
"""Lines that are shown of one block."""

Place = tuple[str, int]


def search(query: str, source: Source, *, limit: int) -> Searched:
    """Find the blocks that match a query best; newest state first, superseded lines lifted to it.

    Args:
        query: any text.
        source: the memory at one position.
        limit: at most so many blocks.
    """
    ranked = rank(query, source.view, source.index, source.reach)
    scores = dict(ranked.lines[:LOOKED_AT])
    place = located(scores, source)
    groups = _groups(query, ranked, scores, place, source)
    found = ranked.events[:LOOKED_AT]
    events = [(at, score) for at, score in found if _said(at, source, beside=bool(groups))]
    shown = [_hit(seqs, scores, query, ranked, place) for seqs in groups[:limit]]
    if source.reach.hides:
        shown = _without_headings(shown, source)
    shown += [_event_hit(at, score, query, source) for at, score in events[: limit - len(shown)]]
    total = len(groups) + len(events)
    return Searched(
        query=query,
        hits=tuple(shown),
        total=total,
        note=_note(total, len(shown), source),
        position=source.log.position(),
    )


def _said(at: int, source: Source, *, beside: bool) -> bool:
    """Say whether an event tells anything, beside lines that were found: an echo only repeats them."""
    record = source.log.record(at)
    if record is None or record.body is None:
        return False
    return not (beside and is_echo(record.body["content"]))


def _groups(
    query: str, ranked: Ranked, scores: Mapping[int, float], place: Located, source: Source
) -> list[list[int]]:
    """Put the lines that match together by block, the block of the best line first."""
    wanted = set(understand(query).terms)
    literal = fold(query).strip()
    chains = source.view.chains(scores)
    older = source.view.said_by(seq for chain in chains.values() for seq in chain)
    where = source.view.places(scores)

    def matches(seq: int) -> bool:
        own = place.entries[seq]
        texts = [unit_text(own.text, own.speaker)]
        texts += [unit_text(*older[item][:2]) for item in chains.get(seq, ()) if item in older]
        return (
            seq in ranked.literal
            or seq in ranked.near
            or any(
                wanted & set(terms(text)) or (literal and literal in fold(text)) for text in texts
            )
        )

    groups: dict[Place, list[int]] = {}
    for seq in scores:
        if seq in place.entries and matches(seq):
            at = where[seq]
            key = (at.document_id or CURRENT, (at.block or 0) if at.document_id else seq)
            groups.setdefault(key, []).append(seq)
    return list(groups.values())


def _hit(
    seqs: Sequence[int],
    scores: Mapping[int, float],
    query: str,
    ranked: Ranked,
    place: Located,
) -> SearchHit:
    entries = [
        replace(place.entries[seq], possibly_replaced_by=ranked.possibly_replaced.get(seq))
        for seq in seqs[:LINES]
    ]
    first = entries[0]
    name = first.document_id or CURRENT
    lines = [entry.lines for entry in entries if entry.lines]
    return SearchHit(
        document_id=name,
        title=place.title(name),
        headings=_headings(first, place),
        lines=(min(at[0] for at in lines), max(at[1] for at in lines)) if lines else None,
        version=place.version(name),
        score=round(scores[seqs[0]], 6),
        snippet=snippet(first.text, around(query, first.text)),
        dates=_dates(entries),
        sources=tuple(sorted({entry.source for entry in entries})),
        entries=tuple(entries),
    )


def _headings(entry: Entry, place: Located) -> tuple[str, ...]:
    own = place.spots.get(entry.document_id or "")
    block = place.blocks.get(entry.seq)
    return own.headings.get(block, ()) if own is not None and block is not None else ()


def _without_headings(hits: Sequence[SearchHit], source: Source) -> list[SearchHit]:
    """Leave out the headings of documents in which one was made from a forbidden line."""
    hidden = hidden_blocks(source)
    told = {
        hit.document_id: {block.block_id for block in source.view.blocks(hit.document_id)} & hidden
        for hit in hits
    }
    return [replace(hit, headings=()) if told[hit.document_id] else hit for hit in hits]


def _event_hit(at: int, score: float, query: str, source: Source) -> SearchHit:
    record = source.log.record(at)
    if record is None:
        raise LookupError(at)  # it was read a moment ago, in the same snapshot
    entry = event_entry(record)
    return SearchHit(
        document_id=LOG,
        title="Log",
        headings=(),
        lines=None,
        version=source.log.position(),
        score=round(score, 6),
        snippet=snippet(entry.text, around(query, entry.text)),
        dates=_dates([entry]),
        sources=(entry.source,),
        entries=(entry,),
    )


def _dates(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(sorted({(entry.time or entry.recorded)[:10] for entry in entries}))


def around(query: str, text: str) -> tuple[int, int] | None:
    """Find where a text first holds the query as it stands, else one of its words."""
    low = text.casefold()
    for piece in (query.strip().casefold(), *sorted(query.casefold().split(), key=len)[::-1]):
        at = low.find(piece) if piece else -1
        if at >= 0:
            return at, at + len(piece)
    return None


def _note(total: int, shown: int, source: Source) -> str:
    if total > shown:
        return f"{total - shown} more blocks match less well; narrow the query, or name a document"
    if total:
        return ""
    known = admitted(source)
    titles = ", ".join(info.title for info in known[:5]) or "none yet"
    return (
        f"nothing matches; there are {len(known)} documents ({titles}). "
        "Try other words, grep for a part of a word, list_docs, or events for the raw log"
    )
