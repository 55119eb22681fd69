"""Two times: what was said to hold at one (`true_at`), and what the log held at one (`known_at`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda.read.filters import When
from memoranda.read.lexical import Source
from memoranda.read.reach import Reach
from memoranda.store.connection import connect
from memoranda.store.fold import Fold
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex, catch_up
from memoranda.store.log import Log
from memoranda.store.sift import Sieve
from memoranda.store.view import View
from memoranda.text.days import period
from memoranda.text.times import normalise

_MEMORY = ":memory:"


@dataclass(frozen=True, slots=True)
class Past:
    """The state of a scope at an earlier position; held in memory only, and gone when it is closed."""

    log: Log
    view: View
    index: FtsIndex


@contextmanager
def known_at(home: Home, position: int) -> Iterator[Past]:
    """Give the state that a scope had at a log position, folded anew from the log.

    What was forgotten since stays forgotten: its payloads are gone, and its entries are blanked.
    Takes time and memory as the log is long. Nothing is written to disk.
    """
    log = _copied(home)
    try:
        gone = [row[0] for row in _rows(log, "SELECT seq FROM entry WHERE erased IS NOT NULL")]
        with log.transaction():
            Fold(log.connection).replay(position)
            _cut(log, position)
            _blank(log, gone)
        index = FtsIndex(Path(_MEMORY), scope_id=log.scope_id, busy_seconds=1.0)
        try:
            catch_up(index, log)
            yield Past(log, View(log.connection), index)
        finally:
            index.close()
    finally:
        log.connection.close()


def true_at(source: Source, when: When) -> Source:
    """Narrow a state to what was said up to a time, and of it to what had not been replaced then.

    A line counts from when it was said or observed, else from when it was recorded; a day counts
    whole. Of the versions of a state the newest of then is left.

    Raises:
        TimeError: it is no time.
    """
    connection = source.log.connection
    end = normalise(period(when).end).rstrip("Z")
    at = "rtrim(coalesce(time, recorded), 'Z')"
    said = f"iif(length({at}) = 10, {at} || 'T00:00', {at}) < ?"
    rows = connection.execute(
        f"SELECT seq, line, superseded_by FROM entry WHERE {said} AND line > 0 "
        "AND retracted IS NULL AND erased IS NULL",
        (end,),
    ).fetchall()
    lines = {row["line"] for row in rows if row["seq"] == row["line"]}
    after = {row["line"]: row["superseded_by"] for row in rows if row["seq"] == row["line"]}
    held = {line for line in lines if after[line] not in lines}
    units = {row["seq"] for row in rows if row["line"] in held}
    sieve = Sieve(lines=frozenset(held), units=frozenset(units))
    known = source.reach.sieve
    if known is not None:
        sieve = Sieve(lines=sieve.lines & known.lines, units=sieve.units & known.units)
    return replace(source, reach=_then(source.reach, sieve))


def _then(reach: Reach, sieve: Sieve) -> Reach:
    return replace(reach, sieve=sieve, then=True)


def _copied(home: Home) -> Log:
    connection = connect(_MEMORY, busy_seconds=1.0)
    try:
        home.log.connection.backup(connection)
        return Log(connection, _MEMORY, clock=_no_clock, ids=_no_id, entropy=_no_entropy)
    except BaseException:
        connection.close()
        raise


def _cut(log: Log, position: int) -> None:
    """Take the records away that came later: nothing in the copy may tell of them.

    The log's own guards, which let it only grow, go first: this is a copy in memory.
    """
    for row in _rows(log, "SELECT name FROM sqlite_master WHERE type = 'trigger'"):
        log.connection.execute(f'DROP TRIGGER "{row[0]}"')
    for table in ("payload", "record"):
        log.connection.execute(f"DELETE FROM {table} WHERE position > ?", (position,))


def _blank(log: Log, gone: list[int]) -> None:
    log.connection.execute(
        "UPDATE entry SET text = '', speaker = NULL, session = NULL, line = 0, document_id = NULL, "
        "block = NULL, erased = 1 WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(gone),),
    )


def _rows(log: Log, sql: str) -> list[Any]:
    return log.connection.execute(sql).fetchall()


def _no_clock() -> datetime:
    raise AssertionError("nothing is added to a state of the past")


def _no_id() -> str:
    raise AssertionError("nothing is added to a state of the past")


def _no_entropy(_: int) -> bytes:
    raise AssertionError("nothing is added to a state of the past")
