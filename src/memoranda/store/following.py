"""The index follows the log: what came is added, and one that missed a forgetting is made anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from memoranda.store.index import FtsIndex, Unit, unit_text, writing
from memoranda.store.ledger import PENDING
from memoranda.store.log import Log
from memoranda.text.analyse import content_counts


def catch_up(index: FtsIndex, log: Log) -> None:
    """Bring the index up to the log's position; empty it first if it belongs to another past."""
    with log.snapshot() as position:
        if index.position == position and _same_past(index, log) and not _missed(index, log):
            return
    # The log is looked at anew once the index is ours: while we waited, another process may have
    # gone on in both, and an older look would bring back what was forgotten meanwhile.
    with writing(index.connection), log.snapshot() as position:
        _follow(index, log, position)


@contextmanager
def ahead(index: FtsIndex, log: Log) -> Iterator[None]:
    """Let the index hold what an open transaction of the log brought; not a byte of that is kept.

    The transaction may never be committed: an index that kept it would tell of lost records.
    """
    with index.trial():
        _follow(index, log, log.position())
        yield


def _follow(index: FtsIndex, log: Log, position: int) -> None:
    if not _same_past(index, log) or _missed(index, log):
        index.clear()
        index.made()
    if index.position == 0:
        index.purged(_forgot(log))
    seen = index.position
    if seen < position:
        index.add(units_between(log.connection, seen, position))
        _route_terms(index, log, seen)
        index.commit(position)
        index.mark(_chain(log, position))


def _missed(index: FtsIndex, log: Log) -> bool:
    """Say whether something was forgotten that was not taken out here: an old file was put back."""
    return index.position > 0 and index.purged() < _forgot(log) and not log.meta(PENDING)


def _forgot(log: Log) -> int:
    row = log.connection.execute(
        "SELECT max(position) FROM record "
        "WHERE kind NOT IN ('event', 'extraction') AND kind = 'forget'"
    ).fetchone()
    return int(row[0] or 0)


def _chain(log: Log, position: int) -> str:
    row = log.connection.execute(
        "SELECT hex(chain) FROM record WHERE position = ?", (position,)
    ).fetchone()
    return str(row[0]) if row else ""


def _same_past(index: FtsIndex, log: Log) -> bool:
    """Say whether the log still holds the record up to which the index was made."""
    return index.position == 0 or index.chain() == _chain(log, index.position)


def units_between(log: sqlite3.Connection, after: int, upto: int) -> Iterator[Unit]:
    """Give the units that the log's records after a position brought, up to another: entries, then events."""
    entries = log.execute(
        "SELECT seq, coalesce(own, text), speaker, project, coalesce(time, recorded) "
        "FROM entry LEFT JOIN joined ON joined.line = seq "
        "WHERE position > ? AND position <= ? AND erased IS NULL ORDER BY seq",
        (after, upto),
    ).fetchall()
    yield from (Unit(row[0], unit_text(row[1], row[2]), row[3], row[4]) for row in entries)
    events = log.execute(
        "SELECT position, json_extract(body, '$.content'), json_extract(body, '$.speaker'), "
        "json_extract(body, '$.project'), coalesce(json_extract(body, '$.time'), recorded) "
        "FROM record JOIN payload USING (position) WHERE position > ? AND position <= ? "
        "AND kind = 'event' AND position NOT IN (SELECT event FROM entry_event WHERE event > ?) "
        "AND json_valid(body) ORDER BY position",
        (after, upto, after),
    ).fetchall()
    yield from (Unit(-row[0], unit_text(row[1], row[2]), row[3], row[4]) for row in events)


def _route_terms(index: FtsIndex, log: Log, seen: int) -> None:
    """Count again the terms of every document that changed."""
    rows = log.connection.execute(
        "SELECT id, project, retired FROM document WHERE version > ? ORDER BY number", (seen,)
    ).fetchall()
    for document_id, project, retired in rows:
        if retired is not None:
            index.postings.remove(document_id)
            continue
        texts = log.connection.execute(
            "SELECT text FROM entry WHERE document_id = ? AND line = seq "
            "AND superseded_by IS NULL AND retracted IS NULL ORDER BY seq",
            (document_id,),
        )
        index.postings.put(document_id, project, content_counts(row[0] for row in texts))
