"""Forgetting: text goes from the log and from everything made of it, and a receipt says so (law 11)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.errors import BusyError
from memoranda.reports import Forgotten
from memoranda.store import ledger
from memoranda.store.erasure import Erasure
from memoranda.store.home import Home
from memoranda.store.log import Log
from memoranda.store.operations import number_of
from memoranda.write import elsewhere, redact, traces
from memoranda.write.choose import Chosen, by_line, by_positions, entries_of
from memoranda.write.steps import STEPS, Step, Task, When
from memoranda.write.tally import Sought, tally
from memoranda.write.wanted import Said, said_by

TRIES = 3
"""How often the scan looks again while others add what reads like a piece."""


class Forgetter:
    """Forgets in one scope. Call it under the scope's lock.

    First the intent is noted. Copies outside the log that only their text tells are redacted. One
    transaction then takes text and keys out of the log and out of the views, and records it. What
    is derived follows: index, files, backups, ledger (`steps.STEPS` names each removal). A scan
    looks for pieces, and the receipt is written. A kill at any point is finished by `finish`, when
    the scope is opened next.
    """

    def __init__(
        self,
        home: Home,
        by: str | None = None,
        *,
        asked: str = "",
        since: int = 0,
        steps: Sequence[Step] | None = None,
    ) -> None:
        """Take the scope, and who asks for it: the record tells.

        Args:
            home: the scope.
            by: who asks.
            asked: a keyed digest of what was asked for; the receipt tells it.
            since: how much came to fit after it was shown, and is not taken; the receipt tells it.
            steps: what is done, in order; None does all. A control of the scan leaves one out.
        """
        self._home = home
        self._by = by
        self._asked = asked
        self._since = since
        self._steps = STEPS if steps is None else tuple(steps)

    # --- doing --------------------------------------------------------------------------------

    def preview(self, chosen: Chosen, token: str = "") -> Forgotten:
        """Say what forgetting would do; nothing is changed. `token` names exactly this."""
        task = self._task(chosen)
        task.made = self._planned(task, dict.fromkeys(task.left))
        now = tally(self._home, _sought(chosen, known=task.found))
        receipt = self._receipt(task, len(task.left), {at: (n, n) for at, n in now.items()})
        return replace(receipt, token=token)

    def run(self, chosen: Chosen) -> Forgotten:
        """Forget.

        Raises:
            BusyError: another process reads for too long; what is left to do is done at the next
                start, or by the next call.
        """
        self._home.projection.sync(check=True)  # what a person wrote into a file is a copy by now
        seen, task = self._home.log.position(), self._task(chosen)
        said = task.said = said_by(chosen, self._home, task.left)
        before = tally(self._home, _sought(chosen, known=task.found))
        self._note(self._pending(task, before))
        self._do("before", task)
        self._erase(task, seen, before)
        self._do("after", task)
        return self._sealed(self._scanned(self._counted(task, len(task.left), before), said))

    def _pending(self, task: Task, before: Mapping[str, int]) -> dict[str, Any]:
        """Give the note of what is underway: numbers, and who asked."""
        record = None if task.record is None else task.record.position
        about = {"by": self._by, "asked": self._asked, "before": dict(before)}
        return {**task.chosen.to_json(), **about, "record": record}

    def finish(self) -> Forgotten | None:
        """Finish what a kill interrupted, and forget again what a restore has brought back."""
        pending = self._home.log.meta(ledger.PENDING)
        if pending:
            return self._resume(json.loads(pending))
        chosen = self._returned()
        return None if chosen is None else self.run(chosen)

    def _resume(self, pending: Mapping[str, Any]) -> Forgotten | None:
        chosen = Chosen(
            events=tuple(pending["events"]),
            seqs=tuple(pending["seqs"]),
            shared=tuple(pending.get("shared", ())),
        )
        self._by, self._asked = pending.get("by"), pending.get("asked", "")
        if pending["record"] is None:
            return self.run(chosen)
        record = self._home.log.record(pending["record"])
        if record is None or record.body is None:
            self._note(None)
            return None
        made = Erasure.from_json(record.body)
        task = Task(home=self._home, chosen=chosen, made=made, record=record)
        self._do("after", task)
        return self._sealed(self._counted(task, len(made.records), pending.get("before", {})))

    def _note(self, pending: Mapping[str, Any] | None) -> None:
        data = b"" if pending is None else json.dumps(pending).encode()
        with self._home.log.transaction():
            self._home.log.set_meta(ledger.PENDING, data)

    def _do(self, when: When, task: Task) -> None:
        for step in self._steps:
            if step.when == when:
                step.work(task)

    # --- the log ------------------------------------------------------------------------------

    def _task(self, chosen: Chosen) -> Task:
        """Say what is left of the records, as the log stands now."""
        task = Task(home=self._home, chosen=chosen)
        self._do("records", task)
        task.left = dict(sorted(task.left.items()))
        return task

    def _planned(self, task: Task, commitments: Mapping[int, str | None]) -> Erasure:
        return self._home.reading(
            lambda index: redact.erasure(
                task.chosen, commitments, self._home, index, names=task.names
            )
        )

    def _erase(self, task: Task, seen: int, before: Mapping[str, int]) -> None:
        """Take the text out of the log and the views: one transaction, with its record.

        Args:
            task: what goes, and what is left of the records as the log stood at `seen`.
            seen: a log position; if others have written since, it is looked at again.
            before: what was counted; the note of what is underway keeps it.
        """
        log = self._home.log
        with log.transaction():
            if log.position() != seen:
                task.left = self._task(task.chosen).left
            task.remains = tuple(log.remains(at, body) for at, body in task.left.items())
            vouched = {item.position: item.commitment.hex() for item in task.remains}
            task.made = replace(self._planned(task, vouched), by=self._by)
            task.record = log.append("forget", task.made.to_json())
            self._do("log", task)
            log.set_meta(ledger.PENDING, json.dumps(self._pending(task, before)).encode())
        self._home.view.forget_prints()

    # --- the end ------------------------------------------------------------------------------

    def _scanned(self, receipt: Forgotten, said: Said) -> Forgotten:
        found = traces.look(self._home, said.texts, said.stays)
        seen = said.position + 1  # the forget record itself
        for _ in range(TRIES):
            now = self._home.log.position()
            if not found.left or now == seen:
                break
            seen = now  # what others said while we were at it stays, whatever words they used
            stays = traces.kept_since(self._home, said.texts, said.stays, said.position)
            found = traces.look(self._home, said.texts, stays)
        return replace(
            receipt,
            scanned_files=found.files,
            scanned_bytes=found.bytes,
            forms=found.forms,
            left=found.left,
        )

    def _sealed(self, receipt: Forgotten) -> Forgotten:
        """Write the receipt, and take the intent away: all is done."""
        log = self._home.log
        receipt = replace(receipt, receipt_id=log.new_id("receipt"))
        with log.transaction():
            body = {**receipt.to_dict(), "kind": "forget", "left": len(receipt.left)}
            self._home.fold.apply(log.append("receipt", body, receipt.receipt_id))
            log.set_meta(ledger.PENDING, b"")
        self._empty_wal()
        return receipt

    def _counted(self, task: Task, records: int, before: Mapping[str, int]) -> Forgotten:
        """Count again, and say what was done."""
        updated, _ = self._documents(task)
        sought = replace(
            _sought(task.chosen, upto=task.logged().position), documents=tuple(sorted(updated))
        )
        after = tally(self._home, sought)
        before = {
            **before,
            **{place: max(n, before.get(place, 0)) for place, n in task.found.items()},
        }
        kept = bool(task.out_of_reach) and task.found.get("commits", 0)
        after["commits"] = int(kept)
        counts = {place: (before.get(place, 0), after[place]) for place in after}
        return self._receipt(task, records, counts)

    def _receipt(
        self, task: Task, records: int, counts: Mapping[str, tuple[int, int]]
    ) -> Forgotten:
        log, record, chosen = self._home.log, task.record, task.chosen
        updated, retired = self._documents(task)
        return Forgotten(
            forget_id=record.record_id if record is not None else "",
            position=record.position if record is not None else log.position(),
            events=_ids(chosen.events, log),
            seqs=chosen.seqs,
            anew=chosen.shared,
            records=records,
            updated=tuple(sorted(updated, key=number_of)),
            retired=tuple(sorted(retired, key=number_of)),
            out_of_reach=(*elsewhere.out_of_reach(self._home, chosen.events), *task.out_of_reach),
            dry_run=record is None,
            time=record.recorded if record is not None else log.now(),
            by=self._by,
            selector=self._asked,
            since=self._since,
            counts=counts,
            chain=("", "") if record is None else _heads(record.position, log),
        )

    def _documents(self, task: Task) -> tuple[set[str], set[str]]:
        """Name the documents that go on, and those that are retired."""
        view, record, made = self._home.view, task.record, task.made
        places = view.places(sorted(task.gone))
        lost = {place.topic for place in places.values() if place.topic is not None}
        renamed = {item.document_id for item in made.documents} if made is not None else set()
        retired = lost - renamed
        if record is not None:
            changed = view.changed(record.position - 1)
            retired = {
                name for name, version, gone in changed if gone and version == record.position
            }
        return (lost | renamed) - retired, retired

    def _returned(self) -> Chosen | None:
        """Choose what the ledger says was forgotten and the database still holds."""
        returned = traces.returned(self._home)
        if not returned:
            return None
        log = self._home.log
        whole: list[int] = []
        seqs: set[int] = set()
        for item in returned:
            record = log.by_id(item.event_id)
            if record is not None and item.whole:
                whole.append(record.position)
            elif record is not None:
                seqs |= set(entries_of([record.position], log)) & set(item.seqs)
        events, parts = by_positions(whole, log), by_line(seqs, log)
        seqs = {*events.seqs, *parts.seqs}
        return Chosen(
            events=tuple(sorted({*events.events, *parts.events})),
            seqs=tuple(sorted(seqs)),
            shared=tuple(seq for seq in events.shared if seq not in seqs),
        )

    def _empty_wal(self) -> None:
        if not self._home.log.checkpoint():
            raise BusyError(str(self._home.database), self._home.settings.busy_seconds)


def _sought(chosen: Chosen, *, upto: int = 0, known: Mapping[str, int] | None = None) -> Sought:
    return Sought(
        events=chosen.events,
        seqs=chosen.seqs,
        shared=chosen.shared,
        upto=upto,
        known=dict(known or {}),
    )


def _ids(events: Sequence[int], log: Log) -> tuple[str, ...]:
    rows = log.connection.execute(
        "SELECT id FROM record WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position",
        (json.dumps(list(events)),),
    )
    return tuple(row[0] for row in rows)


def _heads(position: int, log: Log) -> tuple[str, str]:
    """Give the log's hash before a record and with it, in hexadecimal."""
    found = dict(
        log.connection.execute(
            "SELECT position, lower(hex(chain)) FROM record WHERE position IN (?, ?)",
            (position - 1, position),
        ).fetchall()
    )
    return str(found.get(position - 1, "")), str(found[position])
