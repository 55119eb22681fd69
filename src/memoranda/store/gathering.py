"""Entries and the lines in which they stand: made, repeated, joined, reworded, left out."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memoranda.errors import ConservationError
from memoranda.store.log import Record, read_record
from memoranda.store.marking import as_marked
from memoranda.store.operations import Duplicate, Gathers, Join, Key, LeaveOut, Reword, Withhold
from memoranda.store.saying import moment, said_in, voice_of
from memoranda.text.same import same_form
from memoranda.values import LOG

Cited = Mapping[str, Any]
"""An event's body with its `position`, `event_id` and `recorded`."""


class Gathering:
    """Changes the entry tables of a connection, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def entry(self, position: int, item: Mapping[str, Any], events: Sequence[Cited]) -> None:
        """Make an entry of some events; `position` is that of the record that says so."""
        seq, voice = item["seq"], voice_of(events)
        text, tokens = said_in(item, events[0])
        self._db.execute(
            "INSERT INTO entry (seq, position, line, text, time, recorded, moment, source, speaker,"
            " session, project, sensitivity, tokens, same) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                seq,
                position,
                seq,
                text,
                voice.time,
                voice.recorded,
                moment(voice.time, voice.recorded),
                voice.source,
                voice.speaker,
                voice.session,
                voice.project,
                voice.sensitivity,
                tokens,
                same_digest(text, voice.source, voice.speaker, voice.project),
            ),
        )
        for event in events:
            self._db.execute(
                "INSERT OR IGNORE INTO entry_event VALUES (?, ?, ?, ?)",
                (seq, event["position"], event["event_id"], event["external_id"]),
            )
        self._key(seq, item.get("keys", ()))

    def _key(self, seq: int, keys: Iterable[str]) -> None:
        for key in keys:
            self._db.execute("INSERT OR IGNORE INTO entry_key VALUES (?, ?)", (key, seq))

    def gather(self, operation: Gathers | Withhold, position: int) -> set[str]:
        """Bring entries into a line or out of all; name the document that shows it already."""
        match operation:
            case Duplicate():
                return self._duplicate(operation)
            case Join():
                self._join(operation)
            case Reword():
                self._reword(operation, position)
            case Key(seq=seq, keys=keys):
                self._free((seq,))
                self._key(seq, [key.text for key in keys])
            case LeaveOut():
                self._leave_out(operation)
            case Withhold(seq=seq, time=time, recorded=recorded):
                self.withhold(seq, (time, recorded), position)
        return set()

    def _duplicate(self, operation: Duplicate) -> set[str]:
        row = self._db.execute(
            "SELECT document_id, block FROM entry WHERE seq = ? AND line = seq", (operation.of,)
        ).fetchone()
        free = self._db.execute(
            "SELECT 1 FROM entry WHERE seq = ? AND line = seq AND document_id IS NULL",
            (operation.seq,),
        ).fetchone()
        if row is None or free is None:
            raise ConservationError(frozenset(), frozenset(), frozenset({operation.seq}))
        self._db.execute(
            "UPDATE entry SET moment = max(moment, (SELECT moment FROM entry WHERE seq = ?)) "
            "WHERE seq = ?",
            (operation.seq, operation.of),
        )
        self._db.execute(
            "UPDATE entry SET line = ?, document_id = ?, block = ? WHERE line = ?",
            (operation.of, row[0], row[1], operation.seq),
        )
        return {row[0]} if row[0] else set()

    def _join(self, operation: Join) -> None:
        """Bring free lines under the first of them, in words of their own; what it said itself is kept."""
        first, *others = operation.seqs
        self._free(operation.seqs)
        self._db.execute(
            "INSERT INTO joined SELECT seq, text, tokens, moment FROM entry WHERE seq = ?", (first,)
        )
        for seq in others:
            self._db.execute("UPDATE entry SET line = ? WHERE line = ?", (first, seq))
        self._db.execute(
            "UPDATE entry SET text = ?, tokens = ?, "
            "moment = (SELECT max(moment) FROM entry AS twin WHERE twin.line = entry.seq) "
            "WHERE seq = ?",
            (operation.text.text, operation.tokens, first),
        )

    def _free(self, seqs: Sequence[int]) -> None:
        """Make sure that entries wait in CURRENT as lines of their own."""
        free = self._db.execute(
            "SELECT count(*) FROM entry WHERE seq IN (SELECT value FROM json_each(?)) "
            "AND line = seq AND document_id IS NULL",
            (json.dumps(seqs),),
        ).fetchone()[0]
        if free != len(seqs):
            raise ConservationError(frozenset(), frozenset(), frozenset(seqs))

    def ghost(self, operation: Reword, position: int) -> None:
        """Keep the number that an undone wording gave, and its text for forgetting to find.

        It stands in no line, and is seen nowhere.
        """
        self.fade(self._worded(operation, position))

    def fade(self, seq: int) -> None:
        """Let an entry that is undone stand in no line."""
        self._db.execute("UPDATE entry SET line = 0, document_id = ? WHERE seq = ?", (LOG, seq))
        self._db.execute("DELETE FROM entry_key WHERE seq = ?", (seq,))

    def _reword(self, operation: Reword, position: int) -> None:
        """Make an entry of the events of some entries; what asks for these is led to it.

        Their line is the new entry's number with a minus: they are printed no more.
        """
        self._waits(operation.seqs, position)
        seq = self._worded(operation, position)
        self._db.execute("UPDATE entry SET looked = ? WHERE seq = ?", (position, seq))
        self._db.execute(
            "UPDATE entry SET line = ? WHERE document_id IS NULL AND line = seq "
            "AND seq IN (SELECT value FROM json_each(?))",
            (-seq, json.dumps(operation.seqs)),
        )

    def _waits(self, seqs: Sequence[int], position: int) -> None:
        """Make sure that entries wait in CURRENT, or were worded by this very record."""
        waits = self._db.execute(
            "SELECT count(*) FROM entry WHERE seq IN (SELECT value FROM json_each(?)) "
            "AND document_id IS NULL AND (line = seq OR EXISTS ("
            "SELECT 1 FROM entry AS made WHERE made.seq = -entry.line AND made.position = ?))",
            (json.dumps(seqs), position),
        ).fetchone()[0]
        if waits != len(seqs):
            raise ConservationError(frozenset(), frozenset(), frozenset(seqs))

    def _worded(self, operation: Reword, position: int) -> int:
        """Make the entry of a wording; give its number."""
        rows = self._db.execute(
            "SELECT DISTINCT event FROM entry_event "
            "WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY event",
            (json.dumps(operation.seqs),),
        ).fetchall()
        events = [event for row in rows if (event := event_at(self._db, row[0])) is not None]
        if not events:
            raise ConservationError(frozenset(operation.seqs), frozenset(), frozenset())
        seq = int(
            self._db.execute("SELECT value + 1 FROM counter WHERE name = 'seq'").fetchone()[0]
        )
        item = {
            "seq": seq,
            "said": operation.text.text,
            "tokens": operation.tokens,
            "keys": [key.text for key in operation.keys],
        }
        self.entry(position, item, events)
        self._db.execute("UPDATE counter SET value = ? WHERE name = 'seq'", (seq,))
        return seq

    def withhold(self, seq: int, said: tuple[str | None, str], position: int) -> None:
        """Keep the number of an entry that may not be seen: it stands in no line, as a ghost does.

        Args:
            seq: the entry.
            said: its time and when it was recorded, which decide what it replaced.
            position: of the record that made it.
        """
        self._db.execute(
            "INSERT INTO entry (seq, position, line, text, time, recorded, moment, source, "
            "sensitivity, tokens, document_id) VALUES (?, ?, 0, '', ?, ?, ?, 'user', 'private', 0, ?)",
            (seq, position, *said, moment(*said), LOG),
        )
        self._db.execute(
            "INSERT INTO counter VALUES ('seq', ?1) "
            "ON CONFLICT DO UPDATE SET value = max(value, ?1)",
            (seq,),
        )

    def _leave_out(self, operation: LeaveOut) -> None:
        done = self._db.execute(
            "UPDATE entry SET document_id = ? WHERE seq = ? AND line = seq AND document_id IS NULL",
            (LOG, operation.seq),
        )
        if not done.rowcount:
            raise ConservationError(frozenset(), frozenset(), frozenset({operation.seq}))

    def looked_at(self, seqs: Sequence[int], position: int) -> None:
        """Remember that a model was shown some entries: it is not asked about them again."""
        self._db.execute(
            "UPDATE entry SET looked = ? WHERE seq IN (SELECT value FROM json_each(?))",
            (position, json.dumps(seqs)),
        )


def event_at(connection: sqlite3.Connection, position: int) -> Cited | None:
    """Give the event at a position as entries are made of it; None if its payload is gone."""
    record = read_record(connection, position)
    found = None if record is None else cited(record)
    return None if found is None else as_marked(connection, position, found)


def cited(record: Record) -> Cited | None:
    """Give an event's record as entries are made of it; None if its payload is gone."""
    if record.body is None:
        return None
    return {
        **record.body,
        "recorded": record.recorded,
        "event_id": record.record_id,
        "position": record.position,
    }


def same_digest(text: str, source: str, speaker: str | None, project: str | None) -> bytes | None:
    """Give the digest under which an entry's repetitions are found; None for a short reply."""
    form = same_form(text)
    if form is None:
        return None
    whole = "\0".join((source, speaker or "", project or "", form))
    return hashlib.sha256(whole.encode()).digest()
