"""A library made again from the raw events of another, in a temporary folder that is removed afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memoranda.errors import InputError
from memoranda.llm.model import Model
from memoranda.memory import Memory
from memoranda.reports import Drift, Spent
from memoranda.store.erasure import HOLE
from memoranda.store.home import Home
from memoranda.store.log import Record
from memoranda.store.undoing import out_of_force
from memoranda.values import NewEvent
from memoranda.write.drift import agreement, differences, shape_of

KINDS = ("event", "extraction", "retraction")
EVERY = 100
"""Events between two calls of `progress`."""
Using = Callable[[], AbstractContextManager[None]]
Progress = Callable[[int, int], None] | None


class _Clock:
    """Gives the time at which what is told again was recorded."""

    def __init__(self) -> None:
        self.now = datetime(1970, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def made_again(home: Home, model: str | Model | None, using: Using, progress: Progress) -> Drift:
    """Tell the events of a scope to a new one, consolidate that, and compare the two.

    Corrections and retractions are told too: people made them. Plans are made anew, and those that
    would wait for a person wait. The scope is free while that lasts.

    Args:
        home: the scope.
        model: who maintains.
        using: has the scope for a while.
        progress: called with (events done, all events).
    """
    clock = _Clock()
    settings = replace(
        home.settings, auto=False, mode="auto", documents=None, model="rules", vectors="off"
    )
    with tempfile.TemporaryDirectory(prefix="memoranda-shade-") as folder:
        shade = Memory.open(
            Path(folder).resolve() / "root",
            settings=settings,
            model="rules" if model is None else model,
            clock=clock,
        )
        with shade:
            telling = _Telling(home, shade, clock)
            with using(), home.log.snapshot():
                telling.run(progress)
            shade.consolidate()
            with using(), home.log.snapshot():
                return _compared(home, shade, telling.names)


def _compared(home: Home, shade: Memory, names: Mapping[str, str]) -> Drift:
    stands = shape_of(home, {name: name for name in names.values()})
    again = shape_of(shade._home, names)  # noqa: SLF001 - one facade
    run = shade.last_run
    return Drift(
        by=shade._engine.name,  # noqa: SLF001
        events=len(names),
        agreement=round(agreement(stands.together, again.together), 4),
        documents=(stands.documents, again.documents),
        entries=(stands.entries, again.entries),
        gained=tuple(sorted(again.replaced - stands.replaced)),
        lost=tuple(sorted(stands.replaced - again.replaced)),
        diff=differences(stands, again),
        waiting=len(shade.waiting()),
        spent=run.spent if run is not None else Spent(),
        stopped=run.stopped if run is not None else "",
    )


class _Telling:
    """Tells the events of one scope to another, in order."""

    def __init__(self, home: Home, shade: Memory, clock: _Clock) -> None:
        self._home = home
        self._shade = shade
        self._clock = clock
        self._events: dict[int, str] = {}
        """Position of an event here -> its id there."""
        self._seqs: dict[int, tuple[int, ...]] = {}
        """Entry here -> entries there that say it."""
        self.names: dict[str, str] = {}
        """Id of an event there -> its id here."""

    def run(self, progress: Progress) -> None:
        """Tell all."""
        gone = out_of_force(self._home.log.connection)
        total, done = self._home.view.count("events"), 0
        for record, extraction in self._told():
            body = record.body
            if body is None or record.position in gone:
                continue
            self._clock.now = datetime.fromisoformat(record.recorded)
            if record.kind == "retraction":
                self._retract(body)
                continue
            self._event(record, body, extraction)
            done += 1
            if progress is not None and (done % EVERY == 0 or done == total):
                progress(done, total)

    def _told(self) -> Iterator[tuple[Record, Mapping[str, Any]]]:
        """Give events, each with what was extracted of it, and retractions, in order."""
        before: Record | None = None
        for record in self._home.log.records():
            if record.kind not in KINDS:
                continue
            if record.kind == "extraction" and before is not None:
                yield before, record.body or {}
                before = None
                continue
            if before is not None:
                yield before, {}
            before = record if record.kind == "event" else None
            if record.kind == "retraction":
                yield record, {}
        if before is not None:
            yield before, {}

    def _event(
        self, record: Record, body: Mapping[str, Any], extraction: Mapping[str, Any]
    ) -> None:
        content = body["content"].replace(HOLE, "").strip()
        if not content:
            return  # it was forgotten
        event = NewEvent(
            content=content,
            source=body["source"],
            speaker=body["speaker"],
            time=body["time"],
            session=body["session"],
            project=body["project"],
            sensitivity=body["sensitivity"],
            metadata=body["metadata"],
        )
        items = extraction.get("entries", ())
        replaced = {
            new for item in items for old in item.get("supersedes", ()) for new in self._here(old)
        }
        taken = self._shade._intake.take([event], supersedes=sorted(replaced))[0]  # noqa: SLF001
        self.names[taken.event_id] = record.record_id
        self._events[record.position] = taken.event_id
        told = [item["seq"] for item in items]
        alike = len(told) == len(taken.seqs)
        for number, seq in enumerate(told):
            self._seqs[seq] = (taken.seqs[number],) if alike else tuple(taken.seqs)

    def _here(self, seq: int) -> tuple[int, ...]:
        """Give the entries there that say an entry: one that a plan worded is said by its events."""
        if seq in self._seqs:
            return self._seqs[seq]
        rows = self._home.log.connection.execute(
            "SELECT other.seq FROM entry_event AS own JOIN entry_event AS other USING (event) "
            "WHERE own.seq = ? AND other.seq <> own.seq ORDER BY 1",
            (seq,),
        ).fetchall()
        return tuple(new for row in rows for new in self._seqs.get(row[0], ()))

    def _retract(self, body: Mapping[str, Any]) -> None:
        for seq in self._here(body["seq"]):
            try:
                self._shade.retract(seq)
            except InputError:
                continue  # it is retracted already
