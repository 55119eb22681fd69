"""The term index over documents that routes segments: incremental, disposable, in SQLite."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from memoranda.store.operations import number_of
from memoranda.text.analyse import NAME

ROWS_READ = 2_000
"""A query reads at most about so many postings, the most telling terms first."""
FINALISTS = 32
"""So many documents are scored with every term, however common the term is."""
FEW_NAMES = 3
"""Names tell documents apart where so many or fewer are asked for: a talk full of names does not."""
NAMELESS = 0.1
"""A document that holds none of the names asked for is only so much as like."""
UNSEEN = 2
"""So many documents without any word are thought beside the real ones: it steadies a young index."""
USUAL_RARITY = 3.0
"""Stands for the mean rarity of a document's terms: its norm need not be kept up to date."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS route_document (
    number INTEGER PRIMARY KEY, document_id TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL, terms INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS route_posting (
    project TEXT NOT NULL, term TEXT NOT NULL, number INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (project, term, number)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS route_posting_number ON route_posting (number);
CREATE TABLE IF NOT EXISTS route_term (
    project TEXT NOT NULL, term TEXT NOT NULL, documents INTEGER NOT NULL,
    PRIMARY KEY (project, term)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS route_project (
    project TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID;
"""


def damped(count: float) -> float:
    """Give the weight of a count: repeated words count ever less."""
    return 1.0 + math.log(count) if count >= 1 else float(count)


_WHEN = " ".join(f"WHEN {count} THEN {damped(count)!r}" for count in range(1, 17))
_SUM = f"round(sum(j.value * CASE p.count {_WHEN} ELSE damped(p.count) END), 9)"
"""What a document gets for the terms it holds; rounded: the order of adding does not matter."""


class Postings:
    """Which document holds which term how often; a project's documents see only each other.

    Document ids are a letter and a number (`d12`); the number orders ties. The tables live in the
    connection given, whose transactions are the caller's; all can be rebuilt with `put`.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use a connection to an index database that `prepare` has seen."""
        self._db = connection
        self._db.create_function("damped", 1, damped, deterministic=True)

    @staticmethod
    def prepare(connection: sqlite3.Connection) -> None:
        """Make the tables that are missing."""
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)

    @staticmethod
    def clear(connection: sqlite3.Connection) -> None:
        """Forget every document."""
        for table in ("route_posting", "route_term", "route_document", "route_project"):
            connection.execute(f"DELETE FROM {table}")

    def put(self, document_id: str, project: str | None, counts: Mapping[str, int]) -> None:
        """Set the whole term counts of a document, new or known."""
        self.remove(document_id)
        self.add(document_id, project, counts)

    def add(self, document_id: str, project: str | None, counts: Mapping[str, int]) -> None:
        """Add the term counts of a block to a document, which is made if unknown."""
        key, number = _key(project), number_of(document_id)
        made = self._db.execute(
            "INSERT OR IGNORE INTO route_document VALUES (?, ?, ?, 0)", (number, document_id, key)
        ).rowcount
        if made:
            self._count_documents(key, 1)
        payload = json.dumps(counts)
        known = {
            str(row[0])
            for row in self._db.execute(
                "SELECT p.term FROM json_each(?) j CROSS JOIN route_posting p"
                " ON p.project = ? AND p.term = j.key AND p.number = ?",
                (payload, key, number),
            )
        }
        fresh = sorted(term for term in counts if term not in known)
        self._db.executemany(
            "INSERT INTO route_term VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET documents = documents + 1",
            [(key, term) for term in fresh],
        )
        self._db.executemany(
            "INSERT INTO route_posting VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET count = count + excluded.count",
            [(key, term, number, count) for term, count in sorted(counts.items())],
        )
        self._db.execute(
            "UPDATE route_document SET terms = terms + ? WHERE number = ?", (len(fresh), number)
        )

    def remove(self, document_id: str) -> None:
        """Forget a document; one that is unknown is no error."""
        number = number_of(document_id)
        row = self._db.execute(
            "SELECT project FROM route_document WHERE number = ?", (number,)
        ).fetchone()
        if row is None:
            return
        held = [(row[0], term) for term in self.counts(document_id)]
        self._db.executemany(
            "UPDATE route_term SET documents = documents - 1 WHERE project = ? AND term = ?", held
        )
        self._db.executemany(
            "DELETE FROM route_term WHERE project = ? AND term = ? AND documents <= 0", held
        )
        self._db.execute("DELETE FROM route_posting WHERE number = ?", (number,))
        self._db.execute("DELETE FROM route_document WHERE number = ?", (number,))
        self._count_documents(row[0], -1)

    @contextmanager
    def tentative(self) -> Iterator[None]:
        """Undo on leaving, in any way, whatever was changed inside."""
        nested = self._db.in_transaction
        self._db.execute("SAVEPOINT tentative_route" if nested else "BEGIN IMMEDIATE")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK TO tentative_route" if nested else "ROLLBACK")
            if nested:
                self._db.execute("RELEASE tentative_route")

    def documents(self, project: str | None) -> int:
        """Count the documents of a project (of none, if None)."""
        row = self._db.execute(
            "SELECT documents FROM route_project WHERE project = ?", (_key(project),)
        ).fetchone()
        return int(row[0]) if row else 0

    def counts(self, document_id: str) -> dict[str, int]:
        """Give the term counts of a document, sorted by term; empty if unknown."""
        rows = self._db.execute(
            "SELECT term, count FROM route_posting WHERE number = ?", (number_of(document_id),)
        )
        return dict(sorted(rows))

    def frequencies(self, terms: Iterable[str], project: str | None) -> dict[str, int]:
        """Give for each term in how many documents of the project it stands; 0 is left out."""
        rows = self._db.execute(
            "SELECT t.term, t.documents FROM json_each(?) j CROSS JOIN route_term t"
            " ON t.project = ? AND t.term = j.value",
            (json.dumps(sorted(set(terms))), _key(project)),
        )
        return dict(rows)

    def rarity(self, terms: Iterable[str], project: str | None) -> dict[str, float]:
        """Give for each term how rare it is among the project's documents: 0 is in all, then up."""
        wanted = sorted(set(terms))
        known = self.frequencies(wanted, project)
        every = self.documents(project)
        return {term: rareness(known.get(term, 0), every) for term in wanted}

    def rows(self) -> list[tuple[object, ...]]:
        """Give all that is held, in order, for comparison."""
        return [
            tuple(row)
            for row in self._db.execute(
                "SELECT d.document_id, p.project, p.term, p.count FROM route_posting p"
                " JOIN route_document d USING (number) ORDER BY p.number, p.term"
            )
        ]

    def nearest(
        self, counts: Mapping[str, float], project: str | None, k: int
    ) -> list[tuple[str, float]]:
        """Give the k documents of the project most like the counts, as (id, likeness), best first.

        Likeness is 0 upwards, about 0.1 for strangers and above 0.2 for one matter; ties go to the
        older document. A query reads at most about 2,000 postings, however large the library is.
        """
        weights, total, known = self._weights(counts, project)
        if not total:
            return []
        cheap, costly = self._by_cost(weights, known)
        sums = dict(self._best(cheap, project, max(k, FINALISTS)))
        finalists = sorted(sums)
        for number, more in self._sums(costly, project, finalists):
            sums[number] += more
        sizes = self._sizes(finalists)
        named = self._named(counts, project, finalists)
        likeness = {
            number: sums[number]
            * named[number]
            / (total * USUAL_RARITY * math.sqrt(sizes[number][1]))
            for number in finalists
        }
        return [(sizes[number][0], score) for number, score in _best(likeness, k)]

    def _weights(
        self, counts: Mapping[str, float], project: str | None
    ) -> tuple[dict[str, float], float, dict[str, int]]:
        """Weigh the query: for each known term damped count times squared rarity, and the norm.

        Also gives in how many documents each term stands.
        """
        every = self.documents(project)
        known = self.frequencies(counts, project)
        weights, squares = {}, 0.0
        for term in sorted(term for term in counts if not term.startswith(NAME)):
            rarity = rareness(known.get(term, 0), every)
            weight = damped(counts[term]) * rarity
            squares += weight * weight
            if term in known:
                weights[term] = weight * rarity
        return weights, math.sqrt(squares), known

    def _named(
        self, counts: Mapping[str, float], project: str | None, numbers: list[int]
    ) -> dict[int, float]:
        """Give each document its factor: 1, or `NAMELESS` if it holds none of the names."""
        asked = {term: 1.0 for term in sorted(counts) if term.startswith(NAME)}
        held = {number for number, _ in self._sums(asked, project, numbers)}
        few = 0 < len(asked) <= FEW_NAMES
        return {number: NAMELESS if few and number not in held else 1.0 for number in numbers}

    def _by_cost(
        self, weights: Mapping[str, float], known: Mapping[str, int]
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Part the terms into those whose postings are read whole, and those too common for it."""
        cheap: dict[str, float] = {}
        costly: dict[str, float] = {}
        rows = 0
        for term in sorted(weights, key=lambda term: (known[term], term)):
            rows += known[term]
            (cheap if rows <= ROWS_READ else costly)[term] = weights[term]
        return cheap, costly

    def _best(
        self, weights: Mapping[str, float], project: str | None, k: int
    ) -> list[tuple[int, float]]:
        """Give the k documents with the largest sums of weights, best first."""
        rows = self._db.execute(
            f"SELECT number, {_SUM} AS score FROM json_each(?) j CROSS JOIN route_posting p "
            "ON p.project = ? AND p.term = j.key GROUP BY number "
            "ORDER BY score DESC, number LIMIT ?",
            (json.dumps(weights), _key(project), k),
        )
        return [(row[0], row[1]) for row in rows]

    def _sums(
        self, weights: Mapping[str, float], project: str | None, numbers: list[int]
    ) -> list[tuple[int, float]]:
        """Give the sums of weights of some documents, those without any of the terms left out."""
        if not weights or not numbers:
            return []
        rows = self._db.execute(
            f"SELECT number, {_SUM} FROM json_each(?) j CROSS JOIN route_posting p "
            "ON p.project = ? AND p.term = j.key "
            "AND p.number IN (SELECT value FROM json_each(?)) GROUP BY number",
            (json.dumps(weights), _key(project), json.dumps(numbers)),
        )
        return [(row[0], row[1]) for row in rows]

    def _sizes(self, numbers: list[int]) -> dict[int, tuple[str, int]]:
        rows = self._db.execute(
            "SELECT d.number, d.document_id, d.terms FROM json_each(?) j"
            " CROSS JOIN route_document d ON d.number = j.value",
            (json.dumps(numbers),),
        )
        return {number: (document_id, terms) for number, document_id, terms in rows}

    def _count_documents(self, key: str, change: int) -> None:
        self._db.execute(
            "INSERT INTO route_project VALUES (?, ?)"
            " ON CONFLICT DO UPDATE SET documents = documents + excluded.documents",
            (key, change),
        )


def rareness(frequency: int, documents: int) -> float:
    """Give the weight of a term that stands in so many of so many documents (BM25's, never < 0)."""
    return math.log(1.0 + (documents + UNSEEN + 1.5 - frequency) / (frequency + 0.5))


def _best(scores: Mapping[int, float], k: int) -> list[tuple[int, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]


def _key(project: str | None) -> str:
    return "" if project is None else f"={project}"
