"""Where lines stand in the printed documents, worked out without printing them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memoranda.store.extras import height

TOP = 15
"""Lines of a document above its first heading, but for the fields that not every document has."""

_LINES = (
    "WITH line AS ("
    "SELECT entry.document_id AS name, entry.seq AS seq, entry.moment AS moment, "
    "coalesce(above.block, entry.block) AS block, above.seq AS above, "
    "coalesce(above.place, above.seq, entry.place, entry.seq) AS rank, "
    "1 + length(entry.text) - length(replace(entry.text, char(10), '')) AS height "
    "FROM json_each(:names) AS given CROSS JOIN entry ON entry.document_id = given.value "
    "LEFT JOIN entry AS above ON above.seq = entry.final "
    "AND above.document_id = entry.document_id AND above.erased IS NULL "
    "WHERE entry.line = entry.seq) "
)
"""The lines of some documents: the block that prints each, the line that it is printed under."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spots:
    """Where lines of one document stand."""

    version: int
    ranges: Mapping[int, tuple[int, int]]
    """The first seq of a line -> its first and last 1-based line in the printed document."""
    headings: Mapping[int, tuple[str, ...]]
    """Block -> its heading path."""


def titles(connection: sqlite3.Connection, documents: Iterable[str]) -> dict[str, str]:
    """Give the titles of documents; retired and unknown ones are left out."""
    rows = connection.execute(
        "SELECT document.id, title FROM json_each(?) AS given "
        "CROSS JOIN document ON document.id = given.value "
        "WHERE retired IS NULL",
        (json.dumps(sorted(set(documents))),),
    )
    return {row[0]: row[1] for row in rows}


def spots(
    connection: sqlite3.Connection, documents: Iterable[str], seqs: Iterable[int]
) -> dict[str, Spots]:
    """Find where lines stand in documents, as `View.printed` would print them.

    Args:
        connection: to the database; it reads one state.
        documents: ids; retired and unknown ones are left out.
        seqs: first seqs of lines; others that stand beside them may come along.
    """
    names = json.dumps(sorted(set(documents)))
    given = {"names": names, "seqs": json.dumps(sorted(set(seqs)))}
    heads = connection.execute(
        "SELECT document.id, version, project, document.parent_id, merged_from, update_log, extra "
        "FROM json_each(?) AS given CROSS JOIN document ON document.id = given.value "
        "WHERE retired IS NULL",
        (names,),
    ).fetchall()
    sums = f"{_LINES} SELECT block, sum(height) FROM line GROUP BY name, block"
    heights = dict(connection.execute(sums, {"names": names}).fetchall())
    tops = {row[0]: _top(*row[2:6]) + height(row[0], row[6]) for row in heads}
    starts, headings = _starts(tops, heights, connection)
    ranges: dict[str, dict[int, tuple[int, int]]] = {row[0]: {} for row in heads}
    rows = connection.execute(
        f"{_LINES} SELECT name, block, seq, height FROM line WHERE block IN "
        "(SELECT block FROM line WHERE seq IN (SELECT value FROM json_each(:seqs))) "
        "ORDER BY block, rank, coalesce(above, seq), above IS NOT NULL, moment DESC, seq DESC",
        given,
    )
    for name, block, seq, tall in rows:
        if name in ranges:
            at = starts[block]
            ranges[name][seq] = (at + 1, at + tall)
            starts[block] = at + tall
    return {
        row[0]: Spots(version=row[1], ranges=ranges[row[0]], headings=headings[row[0]])
        for row in heads
    }


def _top(project: str | None, parent_id: str | None, merged_from: str, update_log: str) -> int:
    """Count the lines above the first heading: front matter, an empty line and the title."""
    changes = len(json.loads(update_log))
    optional = (project is not None, parent_id is not None, merged_from != "[]", changes > 0)
    return TOP + sum(optional) + changes


def _starts(
    tops: Mapping[str, int], heights: Mapping[int, int], connection: sqlite3.Connection
) -> tuple[dict[int, int], dict[str, dict[int, tuple[str, ...]]]]:
    """Find, for each block that is printed, the line before its first entry; and all heading paths."""
    rows = connection.execute(
        "SELECT document_id, block.id, headings FROM json_each(?) AS given "
        "CROSS JOIN block ON document_id = given.value "
        "ORDER BY document_id, place IS NULL, place, moment, block.id",
        (json.dumps(sorted(tops)),),
    )
    starts: dict[int, int] = {}
    paths: dict[str, dict[int, tuple[str, ...]]] = {name: {} for name in tops}
    before: tuple[str, ...] = ()
    at, last = 0, None
    for name, block, written in rows:
        paths[name][block] = path = tuple(json.loads(written))
        if name != last:
            at, before, last = tops[name], (), name
        if block in heights:
            at += 2 * (len(path) - _shared(before, path)) + 1
            starts[block] = at
            at, before = at + heights[block], path
    return starts, paths


def _shared(before: Sequence[str], path: Sequence[str]) -> int:
    """Count the headings that a block does not print again: its own is always printed."""
    shared = 0
    for old, new in zip(before, path[:-1], strict=False):
        if old != new:
            break
        shared += 1
    return shared
