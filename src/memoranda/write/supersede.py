"""Which entries of a window replace which older ones: by rules, decided in code (design section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.store.index import FtsIndex
from memoranda.store.operations import Supersede
from memoranda.store.query import phrase
from memoranda.store.view import View
from memoranda.text.analyse import terms
from memoranda.text.frames import Statement, keys, replaces, search_terms
from memoranda.values import Entry

LOOKED_AT = 200
"""The newest matching entries that a correction without a key looks through."""
CANDIDATES = 20


def statement(entry: Entry) -> Statement:
    """Give an entry as the frames see it."""
    return Statement(
        text=entry.text,
        speaker=entry.speaker,
        source=entry.source,
        project=entry.project,
        time=entry.time,
    )


def supersessions(entries: Sequence[Entry], view: View, index: FtsIndex) -> tuple[Supersede, ...]:
    """Find what the entries of a window replace, and what replaces them.

    Only entries of the window and those before it are looked at, so that what was added later can't
    change a plan. Order is by event time, else record time, then seq: arrival does not matter.

    Args:
        entries: the lines of the window that will be placed, oldest first.
        view: the state.
        index: caught up with the log.
    """
    found: list[Supersede] = []
    replaced: set[int] = set()
    for entry in entries:
        if entry.retracted:
            continue
        candidates = _candidates(entry, entries[-1].seq, view, index)
        places = view.places([entry.seq, *candidates])
        lines = view.entries(candidates)
        mine = (places[entry.seq].moment, entry.seq)
        for seq in candidates:
            pair = sorted([mine, (places[seq].moment, seq)])
            older, newer = pair[0][1], pair[1][1]
            if older in replaced or _known(older, entry, lines):
                continue
            statements = {entry.seq: statement(entry), seq: statement(lines[seq])}
            if replaces(statements[older], statements[newer]):
                found.append(Supersede(older=older, newer=newer))
                replaced.add(older)
    return tuple(found)


def _known(older: int, entry: Entry, lines: dict[int, Entry]) -> bool:
    return (entry if older == entry.seq else lines[older]).superseded_by is not None


def _candidates(entry: Entry, last: int, view: View, index: FtsIndex) -> list[int]:
    """Give the lines that may be versions of the same state, oldest first."""
    said = statement(entry)
    found = {seq for seq in view.with_keys(keys(said), project=entry.project) if seq <= last}
    words = search_terms(said)
    if words:
        found |= set(_by_words(entry, words, view, index))
    found.discard(entry.seq)
    return sorted(found)


def _by_words(entry: Entry, words: Sequence[str], view: View, index: FtsIndex) -> list[int]:
    """Give the earlier lines that share most words with a correction, at most `CANDIDATES`."""
    wanted = {term for word in words for term in terms(word)}
    query = " OR ".join(phrase([term]) for term in sorted(wanted))
    hits = index.before(query, entry.seq, limit=LOOKED_AT)
    lines = {place.line for place in view.places(hits).values() if place.line < entry.seq}
    scored = []
    for seq, line in view.entries(lines).items():
        if line.project != entry.project or line.retracted:
            continue
        if entry.project is None and line.speaker != entry.speaker and line.source != "assistant":
            continue
        scored.append((-len(wanted & set(terms(line.text))), -seq))
    return [-seq for _, seq in sorted(scored)[:CANDIDATES]]
