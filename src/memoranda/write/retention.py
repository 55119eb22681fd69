"""Retention: what has outlived its time is retracted or forgotten, as its own word or a rule says."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoranda.errors import InputError
from memoranda.lifetimes import KEEPS, LAST, Expired, Lifetime, Rule, lifetime
from memoranda.store.home import Home
from memoranda.store.marking import level_of
from memoranda.text.times import instant
from memoranda.write.choose import Chosen, by_positions
from memoranda.write.forget import Forgetter
from memoranda.write.retract import retract

REASON = "its time of retention is over"
BY = "retention"


@dataclass(frozen=True, slots=True)
class Due:
    """What is due at one moment, and when the next thing will be."""

    retract: frozenset[int]
    """Positions of events."""
    forget: frozenset[int]
    next: datetime | None


class Retention:
    """Looks for what has outlived its time in one scope, and takes it. Call `run` under the scope's lock.

    An event's own `retention` counts before the rules; of several rules each counts. A span counts
    from when the event was said, else recorded. A line that stands for several events is retracted
    when the last of them has outlived its time; forgetting takes each by itself, and the line says
    then what the others say.
    """

    def __init__(self, home: Home, rules: Sequence[Rule]) -> None:
        self._home = home
        self._rules = tuple(rules)

    def preview(self) -> Expired:
        """Say what is due now; nothing is changed."""
        due, now = self._due(), self._home.log.now()
        chosen = self._chosen(due)
        names = self._names(chosen.events)
        return Expired(
            at=now,
            retracted=self._lines(due, chosen),
            events=names,
            forgotten=chosen.seqs,
            anew=chosen.shared,
            next=_told(due.next),
            dry_run=True,
        )

    def run(self) -> Expired:
        """Retract and forget what is due now, and note it for `status`.

        Raises:
            BusyError: another process reads for too long; what is left is done by the next start.
        """
        found = replace(self.preview(), dry_run=False)
        if found.is_empty:
            return found
        for line in found.retracted:
            entry = self._home.view.entries([line])[line]
            retract(self._home, entry, REASON, BY)
        if found.events:
            forgetter = Forgetter(self._home, BY)
            forgetter.finish()
            forgetter.run(self._chosen(self._due()))
        self._note(found)
        return found

    def next(self) -> str | None:
        """Say when the next thing is due; a time that has passed when it is due now."""
        found = self.preview()
        return found.next if found.is_empty else found.at

    def _note(self, found: Expired) -> None:
        told = {
            "at": found.at,
            "retracted": len(found.retracted),
            "events": len(found.events),
            "forgotten": len(found.forgotten),
        }
        with self._home.log.transaction():
            self._home.log.set_meta(LAST, json.dumps(told).encode())

    # --- looking ------------------------------------------------------------------------------

    def _due(self) -> Due:
        now = instant(self._home.log.now())
        taken: dict[str, set[int]] = {"retract": set(), "forget": set()}
        later: list[datetime] = []
        for position, said, lives in self._kept():
            for life in lives:
                ends = life.ends(said)
                if ends <= now:
                    taken[life.action].add(position)
                else:
                    later.append(ends)
        shown = self._shown(taken["retract"])
        return Due(frozenset(shown), frozenset(taken["forget"]), min(later, default=None))

    def _kept(self) -> Iterator[tuple[int, datetime, list[Lifetime]]]:
        """Give the events that have a time to live: position, when they were said, lifetimes."""
        log = self._home.log
        if not self._rules and not log.meta(KEEPS):
            return
        rows = log.connection.execute(
            "SELECT record.position, recorded, json_extract(body, '$.source'), "
            "json_extract(body, '$.sensitivity'), json_extract(body, '$.time'), "
            "json_extract(body, '$.metadata.retention'), json_extract(body, '$.metadata.kind') "
            "FROM record JOIN payload ON payload.position = record.position "
            "WHERE kind = 'event' AND json_valid(body) "
            "AND json_extract(body, '$.source') IS NOT NULL ORDER BY record.position"
        ).fetchall()
        levels = self._levels(rows)
        for position, recorded, source, level, time, own, kind in rows:
            facts = {"source": source, "sensitivity": levels.get(position, level), "kind": kind}
            lives = self._lives(own, facts)
            if lives:
                yield position, instant(time or recorded), lives

    def _levels(self, rows: Sequence[sqlite3.Row]) -> Mapping[int, str]:
        """Give sensitivities as they are now, if a rule asks for them."""
        if not any(rule.on == "sensitivity" for rule in self._rules):
            return {}
        return level_of(self._home.log.connection, [row[0] for row in rows])

    def _lives(self, own: object, facts: Mapping[str, Any]) -> list[Lifetime]:
        if own is not None:
            try:
                return [lifetime(own)]
            except InputError:  # it came by another way than `add`: it says nothing
                return []
        return [
            rule.lifetime for rule in self._rules if rule.on == "all" or facts[rule.on] == rule.name
        ]

    def _shown(self, events: set[int]) -> set[int]:
        """Name the events among some that a line still tells of which may be retracted."""
        rows = self._home.log.connection.execute(
            "SELECT DISTINCT event FROM entry_event JOIN entry USING (seq) "
            "JOIN entry AS head ON head.seq = abs(entry.line) "
            "WHERE event IN (SELECT value FROM json_each(?)) AND entry.erased IS NULL "
            "AND head.retracted IS NULL",
            (json.dumps(sorted(events)),),
        )
        return {row[0] for row in rows}

    def _chosen(self, due: Due) -> Chosen:
        events = sorted(due.forget - self._gone(due.forget))
        return by_positions(events, self._home.log) if events else Chosen(events=(), seqs=())

    def _gone(self, events: frozenset[int]) -> set[int]:
        """Name the events that were forgotten whole before."""
        rows = self._home.log.connection.execute(
            "SELECT position FROM erased WHERE position IN (SELECT value FROM json_each(?)) "
            "AND NOT EXISTS (SELECT 1 FROM entry_event JOIN entry USING (seq) "
            "WHERE event = erased.position AND entry.erased IS NULL)",
            (json.dumps(sorted(events)),),
        )
        return {row[0] for row in rows}

    def _lines(self, due: Due, chosen: Chosen) -> tuple[int, ...]:
        """Name the lines of which every source has outlived its time, without what is forgotten anyway."""
        over = json.dumps(sorted(due.retract | due.forget))
        rows = self._home.log.connection.execute(
            "SELECT DISTINCT head.seq FROM entry JOIN entry_event USING (seq) "
            "JOIN entry AS head ON head.seq = abs(entry.line) "
            "WHERE event IN (SELECT value FROM json_each(:retract)) AND head.retracted IS NULL "
            "AND head.erased IS NULL AND NOT EXISTS (SELECT 1 FROM entry AS other "
            "JOIN entry_event AS source ON source.seq = other.seq WHERE abs(other.line) = head.seq "
            "AND other.erased IS NULL AND source.event NOT IN (SELECT value FROM json_each(:over))) "
            "ORDER BY head.seq",
            {"retract": json.dumps(sorted(due.retract)), "over": over},
        )
        gone = {*chosen.seqs}
        return tuple(row[0] for row in rows if row[0] not in gone)

    def _names(self, events: Sequence[int]) -> tuple[str, ...]:
        found = (self._home.log.record(position) for position in events)
        return tuple(record.record_id for record in found if record is not None)


def _told(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
