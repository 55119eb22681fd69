"""The library as it was at a log position: folded anew in memory, beside what stands (R235)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime

from memoranda.store.documents import file_name, print_current
from memoranda.store.erasure import ERASED
from memoranda.store.fold import Fold
from memoranda.store.home import Home
from memoranda.store.log import Log, read_record
from memoranda.store.past import beside
from memoranda.store.projection import CURRENT_FILE, TOPICS
from memoranda.store.view import View
from memoranda.text.days import period
from memoranda.text.times import normalise


@dataclass(frozen=True, slots=True)
class Then:
    """The state of a scope at an earlier position."""

    position: int
    view: View
    erased: int
    """Entries that were there, and were forgotten since."""

    def files(self) -> Mapping[str, bytes]:
        """Give the Markdown files as they were printed then: name -> bytes."""
        found = {
            f"{TOPICS}/{file_name(info.title, info.document_id)}": self.view.printed(
                info.document_id
            ).text.encode()
            for info in self.view.documents()
        }
        current = print_current(self.view.current_blocks()).text
        return {**found, CURRENT_FILE: current.encode()}


def position_at(when: str | date | datetime, log: Log) -> int:
    """Give the log position at the end of a time: of a day, a month, a year, or a moment.

    Raises:
        TimeError: it is no time.
    """
    end = normalise(period(when).end).rstrip("Z")
    row = log.connection.execute(
        "SELECT max(position) FROM record WHERE rtrim(recorded, 'Z') < ?", (end,)
    ).fetchone()
    return int(row[0] or 0)


@contextmanager
def at(home: Home, position: int) -> Iterator[Then]:
    """Give the state that a scope had at a log position; nothing is written, nobody is locked out.

    What was forgotten since stands as `[erased DATE]`, over as many lines as it had. Takes time and
    memory as the log is long.

    Raises:
        DamagedError: a record can't be read.
    """
    with home.log.snapshot(), closing(beside(home)) as connection:
        gone = _forgotten(home.log.connection)
        connection.execute("BEGIN")
        Fold(connection).replay(position)
        number = _fill(connection, gone)
        yield Then(position, View(connection), number)


def _forgotten(connection: sqlite3.Connection) -> dict[int, str]:
    """Give the days on which entries were forgotten."""
    rows = connection.execute(
        "SELECT seq, record.recorded FROM entry JOIN record ON record.position = erased "
        "WHERE erased IS NOT NULL"
    )
    return {row[0]: row[1][:10] for row in rows}


def _fill(connection: sqlite3.Connection, gone: Mapping[int, str]) -> int:
    """Say, in place of each text that was forgotten since, when that was; count the entries."""
    rows = connection.execute(
        "SELECT seq, text, position, line FROM entry WHERE erased IS NULL AND line <> 0"
    ).fetchall()
    heads = {row["line"]: gone[row["seq"]] for row in rows if row["seq"] in gone}
    found = 0
    for row in rows:
        seq, blank = row["seq"], row["text"] in {"", ERASED}
        if seq not in gone and not blank:
            continue
        found += seq in gone
        day = gone.get(seq) or heads.get(seq) or _day(connection, row["position"])
        mark = f"[erased {day}]" if day else ERASED
        text = "\n".join([mark] * _height(connection, seq))
        connection.execute("UPDATE entry SET text = ? WHERE seq = ?", (text, seq))
    return found


def _day(connection: sqlite3.Connection, position: int) -> str:
    """Give the day on which something of a record was forgotten last."""
    row = connection.execute("SELECT at FROM erased WHERE position = ?", (position,)).fetchone()
    return str(row[0][:10]) if row else ""


def _height(connection: sqlite3.Connection, seq: int) -> int:
    """Say over how many lines a forgotten entry was printed."""
    rows = connection.execute(
        "SELECT event FROM entry_event WHERE seq = ? ORDER BY event", (seq,)
    ).fetchall()
    for row in rows:
        record = read_record(connection, row[0])
        body = None if record is None else record.body
        if body is not None and str(seq) in body.get("lines", {}):
            return int(body["lines"][str(seq)])
    return 1
