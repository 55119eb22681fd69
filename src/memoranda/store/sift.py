"""Which lines fit a filter: found by SQL over the whole scope, before anything is ranked."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from memoranda.store.said import Said
from memoranda.text.times import instant, normalise
from memoranda.values import CURRENT

FIELD = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The name of a metadata field that can be filtered by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What a search is narrowed to; None and () let everything through."""

    start: datetime | None = None
    end: datetime | None = None
    """The first moment that is too late."""
    sources: tuple[str, ...] = ()
    sensitivities: tuple[str, ...] = ()
    document_id: str | None = None
    """A document's id, or `CURRENT`."""
    project: str | None = None
    speaker: str | None = None
    session: str | None = None
    where: tuple[tuple[str, str], ...] = ()
    """Metadata fields, named as `FIELD` has it, with their values: all must fit."""

    @property
    def is_timed(self) -> bool:
        """Whether it looks at times."""
        return self.start is not None or self.end is not None

    @property
    def days(self) -> tuple[int, int]:
        """The ordinals of its first and last UTC day."""
        first = date.min if self.start is None else self.start.date()
        last = date.max if self.end is None else (self.end - timedelta(microseconds=1)).date()
        return first.toordinal(), last.toordinal()

    def meets(self, at: str) -> bool:
        """Say whether a time lies in it; a plain date does if any moment of its UTC day does."""
        first = last = instant(at)
        if len(at) == len("2026-03-01"):
            last = first + timedelta(days=1) - timedelta(microseconds=1)
        return (self.end is None or first < self.end) and (self.start is None or last >= self.start)


@dataclass(frozen=True, slots=True)
class Sieve:
    """What a filter lets through."""

    lines: frozenset[int]
    """Their first seqs."""
    units: frozenset[int]
    """Units of the index: these lines, what leads to them, and events that no entry cites."""


def sift(wanted: Filter, connection: sqlite3.Connection, said: Said) -> Sieve:
    """Find all lines of a scope that fit a filter, and the units of the index that lead to them.

    A line fits by its own source, speaker, project, sensitivity and document; by the time or the
    session of any entry that it stands for; by the time also when its text names a day that is meant.
    """
    named = said.within(*wanted.days) if wanted.is_timed else set()
    lines = _lines(wanted, connection, named)
    held = json.dumps(sorted(lines))
    rows = connection.execute(
        "SELECT seq FROM entry WHERE line IN (SELECT value FROM json_each(:held)) "
        "UNION SELECT twin.seq FROM entry AS older JOIN entry AS twin ON twin.line = older.seq "
        "WHERE older.final IN (SELECT value FROM json_each(:held))",
        {"held": held},
    )
    units = {row[0] for row in rows}
    events = {-position for position in _events(wanted, connection, named)}
    return Sieve(frozenset(lines), frozenset(units | events))


def _lines(wanted: Filter, connection: sqlite3.Connection, named: AbstractSet[int]) -> set[int]:
    given: dict[str, Any] = {
        "sources": json.dumps(wanted.sources),
        "sensitivities": json.dumps(wanted.sensitivities),
        "document": wanted.document_id,
        "project": wanted.project,
        "speaker": wanted.speaker,
        "session": wanted.session,
    }
    tests = [
        (bool(wanted.sources), "head.source IN (SELECT value FROM json_each(:sources))"),
        (
            bool(wanted.sensitivities),
            "head.sensitivity IN (SELECT value FROM json_each(:sensitivities))",
        ),
        (wanted.document_id == CURRENT, "head.document_id IS NULL"),
        (wanted.document_id not in {None, CURRENT}, "head.document_id = :document"),
        (wanted.project is not None, "head.project = :project"),
        (wanted.speaker is not None, "head.speaker = :speaker"),
        (wanted.session is not None, "entry.session = :session"),
    ]
    parts = [part for is_asked, part in tests if is_asked]
    for number, (name, value) in enumerate(wanted.where):
        given[f"where{number}"] = value
        parts.append(_HOLDS.format(name=name, value=f":where{number}"))
    if wanted.is_timed:
        parts.append(_timed(wanted, given))
        given["said"] = json.dumps(sorted(named))
    rows = connection.execute(
        "SELECT DISTINCT entry.line FROM entry JOIN entry AS head ON head.seq = entry.line "
        f"WHERE {' AND '.join(parts) or 'true'}",
        {name: value for name, value in given.items() if f":{name}" in " ".join(parts)},
    )
    return {row[0] for row in rows}


_HOLDS = (
    "EXISTS (SELECT 1 FROM entry_event JOIN payload ON payload.position = entry_event.event "
    "WHERE entry_event.seq = entry.seq AND json_valid(body) AND EXISTS ("
    "SELECT 1 FROM json_each(body, '$.metadata.\"{name}\"') AS held "
    "WHERE CAST(held.value AS TEXT) = {value}))"
)
"""An event of the entry has the value in a metadata field, or in the list that stands there."""


def _timed(wanted: Filter, given: dict[str, Any]) -> str:
    """Compare an entry's own time; without their `Z` times sort as text, a date before its moments.

    A plain date counts as its whole UTC day. `moment` is no help: it is that of a whole line.
    """
    parts = []
    at = "rtrim(coalesce(entry.time, entry.recorded), 'Z')"
    if wanted.end is not None:
        given["end"] = normalise(wanted.end).rstrip("Z")
        parts.append(f"iif(length({at}) = 10, {at} || 'T00:00', {at}) < :end")
    if wanted.start is not None:
        given["start"] = normalise(wanted.start).rstrip("Z")
        given["day"] = given["start"][:10]
        parts.append(f"{at} >= iif(length({at}) = 10, :day, :start)")
    inside = " AND ".join(parts)
    return f"(({inside}) OR entry.seq IN (SELECT value FROM json_each(:said)))"


def _events(
    wanted: Filter, connection: sqlite3.Connection, named: AbstractSet[int]
) -> Iterable[int]:
    """Give the positions of the events that no entry cites and that fit."""
    if wanted.document_id is not None:
        return ()
    rows = connection.execute(
        "SELECT position, body, recorded, sensitivity FROM record JOIN payload USING (position) "
        "LEFT JOIN marked ON marked.event = position WHERE kind = 'event' AND NOT EXISTS "
        "(SELECT 1 FROM entry_event WHERE event = record.position) AND json_valid(body)"
    )
    return [
        position
        for position, body, recorded, level in rows
        if fits(_at_level(json.loads(body), level), recorded, wanted, named=-position in named)
    ]


def _at_level(body: dict[str, Any], level: str | None) -> dict[str, Any]:
    return body if level is None else {**body, "sensitivity": level}


def fits(body: Mapping[str, Any], recorded: str, wanted: Filter, *, named: bool) -> bool:
    """Say whether an event fits, by its own body; the document aside. `named`: its text names the time."""
    told = (
        not wanted.sources or body["source"] in wanted.sources,
        not wanted.sensitivities or body["sensitivity"] in wanted.sensitivities,
        wanted.project is None or body["project"] == wanted.project,
        wanted.speaker is None or body["speaker"] == wanted.speaker,
        wanted.session is None or body["session"] == wanted.session,
        all(_holds(body["metadata"].get(name), value) for name, value in wanted.where),
    )
    return all(told) and (named or wanted.meets(body["time"] or recorded))


def _holds(held: object, value: str) -> bool:
    items = held if isinstance(held, list) else [held]
    return any(str(item) == value for item in items if isinstance(item, str | int | float))


def known(field: str, connection: sqlite3.Connection) -> list[tuple[str, str | None]]:
    """Give the values that speaker, session or project has: pairs (value, project)."""
    rows = connection.execute(
        f"SELECT DISTINCT {field}, project FROM entry WHERE {field} IS NOT NULL "
        f"AND erased IS NULL UNION SELECT json_extract(body, '$.{field}'), "
        "json_extract(body, '$.project') FROM record JOIN payload USING (position) "
        "WHERE kind = 'event' AND json_valid(body) AND NOT EXISTS "
        "(SELECT 1 FROM entry_event WHERE event = record.position) ORDER BY 1, 2"
    )
    return [(row[0], row[1]) for row in rows if row[0] is not None]
