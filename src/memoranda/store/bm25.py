"""BM25 over the postings of the search index: the telling terms are read whole, the best measured."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from heapq import nlargest
from itertools import chain
from math import log

K1 = 1.2
"""How soon the repetitions of a term in one text count less (BM25's usual value)."""
B = 0.75
"""How much the length of a text counts (BM25's usual value)."""
SHARPNESS = 2
"""The power of a term's rarity: one rare word tells more than several common ones."""
POOL = 5
"""So many times the limit are measured: those that hold the most telling terms, the newest of ties."""
READ = 20_000
"""After so many postings the more common terms of a query are left out: they tell least."""

Posting = tuple[float, Mapping[int, int]]
"""The weight of a term, and how often each unit holds it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A unit that matched: an entry's seq, or minus the position of an event that no entry cites."""

    unit: int
    score: float
    """BM25, higher is better."""
    whole: bool
    """Whether it holds every word of the question."""


class Bm25:
    """Scores the units of the FTS5 table `unit`, whose column `terms` holds the terms.

    FTS5's own `bm25()` looks up the length of every row that matches; here a row costs one step of a
    cursor, and only the best are measured.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use a connection to an index database; two views of the index are made beside it."""
        self._db = connection
        for name, kind in (("vocabulary", "row"), ("instance", "instance")):
            connection.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{name} USING fts5vocab(main, unit, {kind})"
            )

    def best(
        self,
        postings: Sequence[Posting],
        whole: AbstractSet[int],
        limit: int,
        among: AbstractSet[int] | None,
    ) -> list[Hit]:
        """Score units: what holds every word first, then best first, the newest of equals first.

        Args:
            postings: of the terms of a question.
            whole: the units that hold every word of it.
            limit: at most so many hits; what is not among does not count.
            among: the units that may be found; None for all.
        """
        rough: dict[int, float] = dict.fromkeys(whole, 0.0)
        for weight, counts in postings:
            for unit in counts:
                rough[unit] = rough.get(unit, 0.0) + weight
        if among is not None:
            rough = {unit: score for unit, score in rough.items() if unit in among}
        pool = _top(rough, whole, limit * POOL)
        scores = _scores(postings, self._lengths(pool))
        ranked = nlargest(limit, pool, key=lambda unit: (unit in whole, scores[unit], unit))
        return [Hit(unit, scores[unit], unit in whole) for unit in ranked]

    def postings(
        self, terms: Iterable[str], among: AbstractSet[int] | None = None
    ) -> list[Posting]:
        """Read the postings of terms, the rarest first; the most common are left out if all are many.

        Only what is among the given units counts (None: all).
        """
        known = self.frequencies(terms)
        size = self.size()
        found: list[Posting] = []
        read = 0
        for term in sorted(known, key=lambda term: (known[term], term)):
            if read > READ:
                break
            rows = self._db.execute("SELECT doc FROM temp.instance WHERE term = ?", (term,))
            units = chain.from_iterable(rows)
            counts = Counter(units if among is None else (unit for unit in units if unit in among))
            found.append((rarity(known[term], size), counts))
            read += counts.total()  # a few units of a filter don't use the allowance up
        return found

    def matching(self, query: str) -> set[int]:
        """Give the units that match an FTS5 query string; none for an empty one."""
        if not query:
            return set()
        rows = self._db.execute("SELECT rowid FROM unit WHERE unit MATCH ?", (query,))
        return {row[0] for row in rows}

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Give in how many units each term stands; terms that stand in none are left out."""
        rows = self._db.execute(
            "SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN temp.vocabulary v "
            "ON v.term = j.value",
            (json.dumps(sorted(set(terms))),),
        )
        return dict(rows.fetchall())

    def size(self) -> int:
        """Count the units."""
        return int(self._db.execute("SELECT count(*) FROM unit_docsize").fetchone()[0])

    def _lengths(self, units: Sequence[int]) -> dict[int, int]:
        """Give the number of terms of each unit."""
        rows = self._db.execute(
            "SELECT d.id, d.sz FROM json_each(?) j CROSS JOIN unit_docsize d ON d.id = j.value",
            (json.dumps(units),),
        )
        return {unit: _first_number(sizes) for unit, sizes in rows}


def rarity(frequency: int, size: int) -> float:
    """Give the weight of a term that stands in so many of so many units; never 0."""
    weight: float = log(1.0 + (size - frequency + 0.5) / (frequency + 0.5)) ** SHARPNESS
    return weight


def _top(rough: Mapping[int, float], whole: AbstractSet[int], most: int) -> list[int]:
    """Give the units that hold every word and those with the best scores, the newest of ties."""
    if len(rough) <= most:
        return list(rough)
    if len(whole) >= most:
        return nlargest(most, whole, key=lambda unit: (rough.get(unit, -1.0), unit))
    left = most - len(whole)
    least = sorted(rough.values(), reverse=True)[most - 1]
    better = [unit for unit, score in rough.items() if score > least and unit not in whole]
    equal = [unit for unit, score in rough.items() if score == least and unit not in whole]
    if len(better) > left:
        better = nlargest(left, better, key=lambda unit: (rough[unit], unit))
    newest = sorted(equal, reverse=True)[: left - len(better)]
    return [*(unit for unit in whole if unit in rough), *better, *newest]


def _scores(postings: Sequence[Posting], lengths: Mapping[int, int]) -> dict[int, float]:
    """Weigh each unit's counts by its length, beside the mean of those that are looked at."""
    mean = sum(lengths.values()) / max(1, len(lengths)) or 1.0
    damping = {unit: K1 * (1 - B + B * length / mean) for unit, length in lengths.items()}
    scores = dict.fromkeys(lengths, 0.0)
    for weight, counts in postings:
        few = counts if len(counts) < len(lengths) else lengths
        for unit in few:
            if unit in counts and unit in lengths:
                count = counts[unit]
                scores[unit] += weight * count * (K1 + 1) / (count + damping[unit])
    return scores


def _first_number(data: bytes) -> int:
    """Read the first number of a record of FTS5: seven bits a byte, the highest bit says "go on"."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return number
