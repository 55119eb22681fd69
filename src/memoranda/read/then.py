"""Two times: what was said to hold at one (`true_at`), and what the log held at one (`known_at`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda.read import lexical
from memoranda.read.filters import When
from memoranda.read.lexical import Source
from memoranda.read.readers.gather import as_then
from memoranda.store.connection import connect
from memoranda.store.fold import Fold
from memoranda.store.following import catch_up
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.saying import moment
from memoranda.store.sift import Sieve
from memoranda.store.view import Place, View
from memoranda.text.days import period
from memoranda.text.times import normalise
from memoranda.values import Entry, Found

_MEMORY = ":memory:"
_SAID = "rtrim(coalesce(time, recorded), 'Z')"
_AT = f"iif(length({_SAID}) = 10, {_SAID} || 'T00:00', {_SAID})"
"""When an entry was said, else recorded, as a text that can be compared."""


@dataclass(frozen=True, slots=True)
class Past:
    """The state of a scope at an earlier position; held in memory only, and gone when it is closed."""

    log: Log
    view: View
    index: FtsIndex

    def close(self) -> None:
        """Let go of it."""
        self.index.close()
        self.log.connection.close()


@contextmanager
def known_at(home: Home, position: int) -> Iterator[Past]:
    """Give the state that a scope had at a log position, folded anew from the log.

    What was forgotten since stays forgotten: its payloads are gone, and its entries are blanked.
    Takes time and memory as the log is long. Nothing is written to disk.
    """
    with closing(folded(home, position)) as past:
        yield past


def folded(home: Home, position: int) -> Past:
    """Give what `known_at` gives, to be closed by the caller."""
    log = _copied(home)
    try:
        gone = forgotten(log)
        with log.transaction():
            Fold(log.connection).replay(position)
            _cut(log, position)
            blank(log, gone)
        index = FtsIndex(Path(_MEMORY), scope_id=log.scope_id, busy_seconds=1.0)
        try:
            catch_up(index, log)
        except BaseException:
            index.close()
            raise
    except BaseException:
        log.connection.close()
        raise
    return Past(log, View(log.connection), index)


def true_at(source: Source, when: When) -> Source:
    """Narrow a state to what was said up to a time, and of it to what had not been replaced then.

    A line counts from when it was first said or observed, else recorded; a day counts whole. Of the
    versions of a state the one said last by then is left, though it was said again later.

    Raises:
        TimeError: it is no time.
    """
    said = _Said.until(normalise(period(when).end).rstrip("Z"), source.log)
    held = said.held()
    units = {seq for seq, line in said.line.items() if line in held and seq in said.at}
    sieve = Sieve(lines=frozenset(held), units=frozenset(units))
    known = source.reach.sieve
    if known is not None:
        sieve = Sieve(lines=sieve.lines & known.lines, units=sieve.units & known.units)
    view = _ThenView(source.log, held, {line: said.last(line) for line in held & said.cut})
    return replace(source, view=view, reach=replace(source.reach, sieve=sieve, then=True))


@dataclass(frozen=True, slots=True)
class _Said:
    """What had been said by a time, and what replaces what."""

    at: Mapping[int, tuple[str, int, str | None, str]]
    """Entry that was said by then -> when (comparable), itself, its time, when it was recorded."""
    line: Mapping[int, int]
    """Entry -> the line in which it stands; a forgotten one stands by itself."""
    after: Mapping[int, int]
    """Line -> the line that replaced it, whenever that was said."""
    gone: frozenset[int]
    """Lines that hold nothing: forgotten, retracted, or joined of what was said in part only."""
    cut: frozenset[int]
    """Lines of which a part was said later."""

    @classmethod
    def until(cls, end: str, log: Log) -> _Said:
        """Look up to a moment, which is not part of it."""
        rows = _rows(
            log,
            f"SELECT seq, iif(line = 0, seq, line) AS line, superseded_by, {_AT} AS at, time, "
            "recorded, retracted IS NOT NULL OR erased IS NOT NULL AS gone FROM entry "
            "WHERE line >= 0",
        )
        line = {row["seq"]: row["line"] for row in rows}
        heads = [row for row in rows if row["seq"] == row["line"]]
        cut = frozenset(row["line"] for row in rows if row["at"] >= end)
        joined = frozenset(row[0] for row in _rows(log, "SELECT line FROM joined"))
        return cls(
            at={
                row["seq"]: (row["at"], row["seq"], row["time"], row["recorded"])
                for row in rows
                if row["at"] < end
            },
            line=line,
            after={
                row["seq"]: line[row["superseded_by"]]
                for row in heads
                if row["superseded_by"] in line
            },
            gone=frozenset(row["seq"] for row in heads if row["gone"]) | (joined & cut),
            cut=cut,
        )

    def held(self) -> frozenset[int]:
        """Give the lines that held then.

        Of two lines of one chain that were both said, the one said later replaces the other: a line
        that was said again stands in the chain where it was said last, which may be later than then.
        """
        last: dict[int, tuple[str, int, str | None, str]] = {}
        for seq, at in self.at.items():
            line = self.line[seq]
            last[line] = max(last.get(line, at), at, key=lambda item: item[:2])
        replaced: set[int] = set()
        for line, at in last.items():
            seen, newer = {line}, self.after.get(line)
            while newer is not None and newer not in seen:
                if newer in last:
                    replaced.add(line if at[:2] < last[newer][:2] else newer)
                seen.add(newer)
                newer = self.after.get(newer)
        return frozenset(last.keys() - replaced - self.gone)

    def last(self, line: int) -> tuple[str | None, str]:
        """Give the time of a line, and when it was recorded, as they were then."""
        found = max(at[:4] for seq, at in self.at.items() if self.line[seq] == line)
        return found[2], found[3]


class _ThenView(View):
    """A view in which no line is replaced by what came later, nor bears the time when it was said again."""

    def __init__(
        self, log: Log, held: frozenset[int], times: Mapping[int, tuple[str | None, str]]
    ) -> None:
        super().__init__(log.connection)
        self._held = held
        self._times = times

    def entries(self, lines: Iterable[int]) -> dict[int, Entry]:
        """Give the entries of lines."""
        found = super().entries(lines)
        for line in self._held & found.keys():
            if found[line].superseded_by not in self._held:
                found[line] = replace(found[line], superseded_by=None)
        for line in self._times.keys() & found.keys():
            time, recorded = self._times[line]
            found[line] = replace(found[line], time=time, recorded=recorded)
        return found

    def places(self, seqs: Iterable[int]) -> dict[int, Place]:
        """Say where entries stand."""
        found = super().places(seqs)
        for seq in self._times.keys() & found.keys():
            found[seq] = replace(found[seq], moment=moment(*self._times[seq]))
        return found


def look(query: str, source: Source, *, budget: int) -> Found:
    """Search an earlier state; nothing in it is marked as replaced by what came later.

    Raises:
        InputError: the budget is not positive.
    """
    found, _ = lexical.look(query, source, budget=budget)
    return as_then(found, source.reach)


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


def forgotten(log: Log) -> list[int]:
    """Name the entries that are forgotten by now."""
    return [row[0] for row in _rows(log, "SELECT seq FROM entry WHERE erased IS NOT NULL")]


def blank(log: Log, gone: Sequence[int]) -> None:
    """Take from a state of the past, which is a copy, what was forgotten since."""
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
