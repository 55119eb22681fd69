"""Search of the raw log: the events themselves, verbatim, whether or not an entry cites them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

from memoranda.read.catalog import as_event
from memoranda.read.lexical import Source
from memoranda.read.reach import Permit
from memoranda.read.tools.permits import may_see
from memoranda.read.tools.places import snippet
from memoranda.read.tools.results import EventHit, Events
from memoranda.read.tools.searching import around
from memoranda.store.erasure import is_whole
from memoranda.store.index import unit_text
from memoranda.store.query import LONGEST
from memoranda.store.sift import Filter, Sieve, fits
from memoranda.text.analyse import fold, is_stopword, terms
from memoranda.values import CURRENT

_ROWS = (
    "SELECT position, recorded, body FROM record JOIN payload USING (position) "
    "WHERE kind = 'event' AND json_valid(body) ORDER BY position"
)
PHRASE = 10.0
"""What an event gets on top that holds the query as it stands."""


@dataclass(frozen=True, slots=True)
class _Row:
    position: int
    content: str
    text: str
    """Speaker and content, folded."""


def events(
    query: str,
    source: Source,
    *,
    wanted: Sequence[Filter] = (),
    permits: Sequence[Permit] = (),
    sieve: Sieve | None = None,
    limit: int,
) -> Events:
    """Find events by the words of what was said, or by a piece of it as it stands.

    What was forgotten is not there; who reads one project sees its events and those of none.

    Args:
        query: any text; "" gives the newest events.
        source: the memory at one position; its reach holds.
        wanted: filters, all met by the event itself; a document (its id) means that an entry in it
            cites the event.
        permits: checks that an event must pass.
        sieve: lines, of which one must cite an event, and events that none cites; None for all.
        limit: at most so many events; all are counted.
    """
    inside = None if sieve is None else _behind(sieve, source)
    rows = [
        row
        for row in _admitted(source, wanted)
        if (inside is None or row.position in inside) and may_see(row.position, source.log, permits)
    ]
    asked = _Asked(query)
    held = [asked.held(row.text) for row in rows]
    often = Counter(word for found in held for word in found)
    weights = {word: log1p(len(rows) / number) for word, number in often.items()}
    literal = fold(query[:LONGEST]).strip()
    scored = []
    for row, found in zip(rows, held, strict=True):
        score = sum(weights[word] for word in sorted(found))
        if literal and literal in row.text:
            score += PHRASE
        if score or not literal:
            scored.append((score, row))
    scored.sort(key=lambda item: (-item[0], -item[1].position))
    hits = _hits(query, scored[:limit], source)
    return Events(
        query=query,
        hits=hits,
        total=len(scored),
        note=_note(len(scored), len(hits), len(rows)),
        position=source.log.position(),
    )


class _Asked:
    """What a query asks of a text: pieces as substrings, words in any form of theirs.

    Only tokens that begin like a word are analysed, and each but once: a log is read whole.
    """

    def __init__(self, query: str) -> None:
        tokens = fold(query[:LONGEST]).split()
        pieces = [token for token in tokens if not token.isascii()]
        words = [term for token in tokens if token.isascii() for term in terms(token)]
        telling = [word for word in words if not is_stopword(word)] or words
        parts = {part for piece in pieces for part in terms(piece) if len(part) > 1}
        self.pieces = sorted(parts.union(pieces))
        self.words = frozenset(telling)
        begins = sorted({word[:-1] if len(word) > 3 else word for word in self.words})
        self._likely = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, begins))})[^\W_]*")
        self._known: dict[str, frozenset[str]] = {}

    def held(self, text: str) -> set[str]:
        """Give the pieces, their parts of two characters, and the words that a folded text holds."""
        found = {piece for piece in self.pieces if piece in text}
        for token in set(self._likely.findall(text)) if self.words else ():
            if token not in self._known:
                self._known[token] = self.words.intersection(terms(token))
            found |= self._known[token]
        return found


def _admitted(source: Source, wanted: Sequence[Filter]) -> Iterator[_Row]:
    """Give the events in reach that fit the filters and were not forgotten."""
    tests = [_Test.of(one, source) for one in wanted]
    for position, recorded, raw in source.log.connection.execute(_ROWS):
        body = json.loads(raw)
        if is_whole(body) or not source.reach.allows(body["project"]):
            continue
        if all(test.admits(position, body, recorded) for test in tests):
            text = fold(unit_text(body["content"], body["speaker"]))
            yield _Row(position, body["content"], text)


def _behind(sieve: Sieve, source: Source) -> frozenset[int]:
    """Give the positions of the events that a sieve lets through, themselves or by a line of theirs."""
    rows = source.log.connection.execute(
        "SELECT event FROM entry_event JOIN entry USING (seq) "
        "WHERE abs(entry.line) IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(sieve.lines)),),
    )
    alone = {-unit for unit in sieve.units if unit < 0}
    return frozenset(alone | {row[0] for row in rows})


@dataclass(frozen=True, slots=True)
class _Test:
    """A filter, with the events that name its time, and those that its document cites."""

    wanted: Filter
    named: frozenset[int]
    inside: frozenset[int] | None

    @classmethod
    def of(cls, wanted: Filter, source: Source) -> _Test:
        db = source.log.connection
        units = source.index.said.within(*wanted.days) if wanted.is_timed else set()
        rows = db.execute(
            "SELECT event FROM json_each(?) AS given JOIN entry_event ON seq = given.value",
            (json.dumps(sorted(units)),),
        )
        named = {-unit for unit in units if unit < 0} | {row[0] for row in rows}
        if wanted.document_id is None:
            return cls(wanted, frozenset(named), None)
        own = None if wanted.document_id == CURRENT else wanted.document_id
        cited = db.execute(
            "SELECT event FROM entry_event JOIN entry USING (seq) "
            "JOIN entry AS head ON head.seq = abs(entry.line) WHERE head.document_id IS ?",
            (own,),
        )
        return cls(wanted, frozenset(named), frozenset(row[0] for row in cited))

    def admits(self, position: int, body: Mapping[str, Any], recorded: str) -> bool:
        """Say whether an event fits."""
        if self.inside is not None and position not in self.inside:
            return False
        return fits(body, recorded, self.wanted, named=position in self.named)


def _hits(query: str, scored: Sequence[tuple[float, _Row]], source: Source) -> tuple[EventHit, ...]:
    positions = json.dumps(sorted(row.position for _, row in scored))
    rows = source.log.connection.execute(
        "SELECT event, own.seq, head.superseded_by, head.retracted FROM json_each(?) AS given "
        "CROSS JOIN entry_event AS own ON event = given.value JOIN entry ON entry.seq = own.seq "
        "JOIN entry AS head ON head.seq = abs(entry.line) ORDER BY event, own.seq",
        (positions,),
    )
    cited: dict[int, list[tuple[int, bool, bool]]] = {}
    for event, seq, by, retracted in rows:
        cited.setdefault(event, []).append((seq, by is not None, retracted is not None))
    records = [(score, row, source.log.record(row.position)) for score, row in scored]
    return tuple(
        EventHit(
            event=as_event(record),
            snippet=snippet(row.content, around(query, row.content)),
            score=round(score, 6),
            seqs=tuple(seq for seq, _, _ in cited.get(row.position, ())),
            outdated=tuple(seq for seq, old, _ in cited.get(row.position, ()) if old),
            retracted=tuple(seq for seq, _, gone in cited.get(row.position, ()) if gone),
        )
        for score, row, record in records
        if record is not None
    )


def _note(total: int, shown: int, searched: int) -> str:
    if total > shown:
        return f"{total - shown} more events match less well; narrow the query or the time"
    if total:
        return ""
    return f"none of {searched} events in reach says that; try fewer words, or a part of a word"
