"""Forgetting: text goes from the log and from everything made of it, and a receipt says so (law 11)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoranda.errors import BusyError
from memoranda.reports import Forgotten
from memoranda.store import ledger
from memoranda.store.erasure import Erasure, is_forgotten
from memoranda.store.home import Home
from memoranda.store.index import Unit, unit_text
from memoranda.store.log import Record
from memoranda.store.operations import number_of
from memoranda.text.fences import is_echo
from memoranda.text.pieces import Kept
from memoranda.write import traces
from memoranda.write.choose import Chosen, by_line, by_positions, entries_of
from memoranda.write.redact import bodies, erasure

TRIES = 3
"""How often the scan looks again while others add what reads like a piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the chosen events said, for as long as the call lasts: to find copies of it."""

    units: tuple[Unit, ...]
    texts: tuple[str, ...]
    stays: Kept
    position: int
    """The log's position when `stays` was made: others may say the same again since."""


class Forgetter:
    """Forgets in one scope. Call it under the scope's lock.

    First the intent is noted. Copies outside the log that only their text tells are redacted. One
    transaction then takes text and keys out of the log and out of the views, and records it. What
    is derived follows: index, files, backups, ledger. A scan looks for pieces, and the receipt is
    written. A kill at any point is finished by `finish`, when the scope is opened next.
    """

    def __init__(self, home: Home, by: str | None = None) -> None:
        """Take the scope, and who asks for it: the record tells."""
        self._home = home
        self._by = by

    # --- doing --------------------------------------------------------------------------------

    def preview(self, chosen: Chosen) -> Forgotten:
        """Say what forgetting would do; nothing is changed."""
        left = bodies(chosen, self._home.log)
        return self._receipt(chosen, left, self._planned(chosen, left), None)

    def run(self, chosen: Chosen) -> Forgotten:
        """Forget.

        Raises:
            BusyError: another process reads for too long; what is left to do is done at the next
                start, or by the next call.
        """
        self._home.projection.sync(check=True)  # what a person wrote into a file is a copy by now
        seen, left = self._home.log.position(), bodies(chosen, self._home.log)
        said = self._said(chosen, left)
        self._note({**chosen.to_json(), "record": None})
        traces.redact_copies(self._home, said.texts, said.stays, {*chosen.seqs, *chosen.shared})
        record, made, erased = self._erase(chosen, left, seen)
        receipt = self._receipt(chosen, erased, made, record)
        self._derived(chosen, None if chosen.shared else said.units)
        return self._sealed(self._scanned(receipt, said))

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
        if pending["record"] is None:
            return self.run(chosen)
        record = self._home.log.record(pending["record"])
        if record is None or record.body is None:
            self._note(None)
            return None
        made = Erasure.from_json(record.body)
        self._derived(chosen, None)
        return self._sealed(self._receipt(chosen, made.records, made, record))

    def _note(self, pending: Mapping[str, Any] | None) -> None:
        data = b"" if pending is None else json.dumps(pending).encode()
        with self._home.log.transaction():
            self._home.log.set_meta(ledger.PENDING, data)

    # --- the log ------------------------------------------------------------------------------

    def _planned(self, chosen: Chosen, left: Mapping[int, Any]) -> Erasure:
        nothing = dict.fromkeys(left)
        return self._home.reading(lambda index: erasure(chosen, nothing, self._home, index))

    def _erase(
        self, chosen: Chosen, left: Mapping[int, Any], seen: int
    ) -> tuple[Record, Erasure, Mapping[int, Any]]:
        """Take the text out of the log and the views: one transaction, with its record.

        Args:
            chosen: what goes.
            left: what is left of the records that hold it, as the log stood at `seen`.
            seen: a log position; if others have written since, it is looked at again.
        """
        log = self._home.log
        with log.transaction():
            if log.position() != seen:
                left = bodies(chosen, log)
            made = self._planned(chosen, left)
            self._remember(chosen)
            remains = [log.remains(position, body) for position, body in left.items()]
            vouched = {item.position: item.commitment.hex() for item in remains}
            made = replace(made, records=vouched, by=self._by)
            record = log.append("forget", made.to_json())
            log.erase(remains, by=record)
            self._home.fold.apply(record)
            pending = {**chosen.to_json(), "record": record.position}
            log.set_meta(ledger.PENDING, json.dumps(pending).encode())
        self._home.view.forget_prints()
        return record, made, left

    def _remember(self, chosen: Chosen) -> None:
        """Keep a keyed digest of each event, so that an import does not bring it back."""
        for position in chosen.events:
            record = self._home.log.record(position)
            if record is not None and record.body is not None and not is_forgotten(record.body):
                self._home.log.note("forgotten", ledger.identity(record.body), position)

    # --- what is derived ----------------------------------------------------------------------

    def _derived(self, chosen: Chosen, units: Sequence[Unit] | None) -> None:
        """Bring index, database file, Markdown, backups and ledger to what the log now says.

        Each step may be repeated.

        Args:
            chosen: what was forgotten.
            units: what to take out of the index; None makes the index anew.
        """
        traces.write_ledger(self._home)
        self._clean_index(units)
        traces.drop_damaged(self._home)
        self._home.projection.sync(check=units is None)
        traces.renew_backups(self._home, chosen.events)
        self._empty_wal()

    def _clean_index(self, units: Sequence[Unit] | None) -> None:
        if units is None:
            self._home.drop_index()
            return
        emptied = self._home.with_index(lambda index: index.purge(units))
        if not emptied:
            raise BusyError(str(self._home.database), self._home.settings.busy_seconds)
        self._home.vectors.purge(unit.unit for unit in units)

    def _empty_wal(self) -> None:
        if not self._home.log.checkpoint():
            raise BusyError(str(self._home.database), self._home.settings.busy_seconds)

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
        with log.transaction():
            body = {**receipt.to_dict(), "kind": "forget", "left": len(receipt.left)}
            self._home.fold.apply(log.append("receipt", body))
            log.set_meta(ledger.PENDING, b"")
        self._home.projection.sync()
        self._empty_wal()
        return receipt

    def _receipt(
        self, chosen: Chosen, left: Mapping[int, Any], made: Erasure, record: Record | None
    ) -> Forgotten:
        view, log = self._home.view, self._home.log
        places = view.places([*chosen.seqs, *chosen.shared])
        lost = {place.topic for place in places.values() if place.topic is not None}
        renamed = {item.document_id for item in made.documents}
        events = [log.record(position) for position in chosen.events]
        retired = {name for name in lost | renamed if name not in renamed}
        if record is not None:
            changed = view.changed(record.position - 1)
            retired = {
                name for name, version, gone in changed if gone and version == record.position
            }
        return Forgotten(
            forget_id=record.record_id if record is not None else "",
            position=record.position if record is not None else log.position(),
            events=tuple(item.record_id for item in events if item is not None),
            seqs=chosen.seqs,
            anew=chosen.shared,
            records=len(left),
            updated=tuple(sorted((lost | renamed) - retired, key=number_of)),
            retired=tuple(sorted(retired, key=number_of)),
            out_of_reach=traces.out_of_reach(self._home, chosen.events),
            dry_run=record is None,
        )

    # --- what was said ------------------------------------------------------------------------

    def _said(self, chosen: Chosen, left: Mapping[int, Any]) -> Said:
        """Collect what the chosen events and entries say, while it can be read."""
        log, view = self._home.log, self._home.view
        position = log.position()
        lines = log.connection.execute(
            "SELECT seq, coalesce(own, text), speaker, project, text "
            "FROM entry LEFT JOIN joined ON joined.line = seq "
            "WHERE seq IN (SELECT value FROM json_each(?)) AND erased IS NULL ORDER BY seq",
            (json.dumps([*chosen.seqs, *chosen.shared]),),
        ).fetchall()
        units = [Unit(row[0], unit_text(row[1], row[2]), row[3]) for row in lines]
        texts = [text for row in lines for text in (row[1], row[4])]
        whole = chosen.whole(log)
        for position in chosen.events:
            record = log.record(position)
            if record is None or record.body is None or position not in whole:
                continue
            if not is_echo(record.body["content"]):  # of one, only what the entries say goes
                texts += traces.payload(record.body)
            if not entries_of([position], log):
                text = unit_text(record.body["content"], record.body["speaker"])
                units.append(Unit(-position, text, record.body["project"]))
        keys = [
            part  # of a key; ` / ` stands between parts of others too
            for found in view.keys_of([*chosen.seqs, *chosen.shared]).values()
            for key in found
            for part in key.split(" / ")
        ]
        words = traces.sampled([*texts, *keys])
        stays = traces.kept(self._home, words, left, left)
        return Said(units=tuple(units), texts=words, stays=stays, position=position)

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
