"""What a handle may see of a scope: a library of its own, in memory, made of the log without the rest."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TypeVar

from memoranda.errors import PlanError
from memoranda.read.evidence import event_entry
from memoranda.read.reach import Permit
from memoranda.read.then import blank, forgotten
from memoranda.store.connection import connect
from memoranda.store.fold import Fold
from memoranda.store.following import catch_up
from memoranda.store.heads import Heads
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log, Record, encode, link
from memoranda.store.marking import marks
from memoranda.store.operations import Text
from memoranda.store.schema import LOG_TABLES
from memoranda.store.screen import UNNAMED, Refused, Screen, refused_by
from memoranda.store.view import View
from memoranda.store.visible import Visible
from memoranda.write.draft import heading_of
from memoranda.write.propose import Proposer

T = TypeVar("T")
_MEMORY = ":memory:"
_REMAKES = frozenset({"forget"})
"""Records that take back what was seen before: nothing of it may stay in memory."""
_COPIED = ("record", "payload", "erased")
_SPLIT_OFF = re.compile(r"\d+ blocks split off")
_UNCITED = (
    "SELECT position FROM record WHERE kind = 'event' "
    "AND NOT EXISTS (SELECT 1 FROM entry_event WHERE event = record.position)"
)


class Sight(Home):
    """A scope as somebody sees it who may not see all: it reads like the whole, and is never written.

    Every record is screened before it is taken in; log, views and index of it hold nothing else. So
    no way of reading has to know what may be seen, and no count tells of the rest. It is brought up
    to date at each look; what is forgotten meanwhile makes it anew. Making it takes time and memory
    as what may be seen is long; nothing of it is on disk.

    Args:
        whole: the scope.
        visible: what of it may be seen.
        permits: permission checks; each line is shown to them at each look.
        until: the last log position that is taken in: the library as it was then; None for all.
    """

    def __init__(  # its files are those of the whole
        self,
        whole: Home,
        visible: Visible,
        permits: Sequence[Permit] = (),
        *,
        until: int | None = None,
    ) -> None:
        self._whole = whole
        self._visible = visible
        self._permits = tuple(permits)
        self._until = until
        self.scope, self.settings = whole.scope, whole.settings
        self.folder, self.files, self.database = whole.folder, whole.files, whole.database
        self.shelf = whole.shelf
        self._begin(Refused())

    # --- following ----------------------------------------------------------------------------

    def _begin(self, refused: Refused) -> None:
        """Start anew, with nothing."""
        connection = connect(_MEMORY, busy_seconds=1.0)
        log = self._whole.log
        self.log = Log(
            connection,
            _MEMORY,
            clock=log._clock,  # noqa: SLF001 - a log of the same scope
            ids=log._ids,  # noqa: SLF001
            entropy=log._entropy,  # noqa: SLF001
        )
        with self.log.transaction():
            for name in ("scope_id", "key"):
                self.log.set_meta(name, log.meta(name))
            connection.execute("CREATE TABLE aside AS SELECT * FROM document WHERE false")
        self.log.recall()
        self.fold, self.view = Fold(connection), View(connection)
        self._index = FtsIndex(Path(_MEMORY), scope_id=self.log.scope_id, busy_seconds=1.0)
        if self.settings.vectors == "on" and self._until is None:
            self._index.near = self._near
        self._screen = Screen(self._visible, log, refused)
        self._seen, self._chain = 0, b""
        self._marks: dict[int, str] = {}

    def follow(self) -> None:
        """Take in what the log holds more since the last look."""
        if self.log.is_open:
            return  # a look is under way: it holds one state
        log = self._whole.log
        with log.snapshot() as newest:
            position = newest if self._until is None else min(newest, self._until)
            refused = self._refused()
            same = self._same_past()
            stands = self._seen == position and same and refused == self._screen.refused
            if stands and (self._until is None or self._marks == marks(log.connection)):
                return  # of a state of the past, only what may be seen of it changes
            new = list(log.records(after=self._seen if same else 0, until=position))
            if not same or not self._goes_on(new, refused):
                self._close()
                self._begin(refused)
                new = list(log.records(until=position))
            self._screen.refused, self._marks = refused, marks(log.connection)
            with self.log.transaction():
                self._set_aside(back=True)
                for record in new:
                    body = self._screen.left(record)
                    if body is not None:
                        self._take(record, encode(body))
                if self._until is not None:
                    blank(self.log, forgotten(log))
            self._seen, self._chain = position, self._link(position)
        self._index_up()
        self._name_anew()

    def _goes_on(self, new: Sequence[Record], refused: Refused) -> bool:
        """Say whether what is seen already stays as it is."""
        if self._seen and any(record.kind in _REMAKES for record in new):
            return False
        if self._marked_before(self._marks) != self._marked_before(
            marks(self._whole.log.connection)
        ):
            return False
        known = self.view.counter("seq")
        old, now = self._screen.refused, refused
        return {s for s in old.seqs if s <= known} == {s for s in now.seqs if s <= known} and all(
            {at for at in one if at <= self._seen} == {at for at in two if at <= self._seen}
            for one, two in ((old.events, now.events), (old.spans.keys(), now.spans.keys()))
        )

    def _marked_before(self, found: Mapping[int, str]) -> dict[int, str]:
        return {event: level for event, level in found.items() if event <= self._seen}

    def _link(self, position: int) -> bytes:
        row = self._whole.log.connection.execute(
            "SELECT chain FROM record WHERE position = ?", (position,)
        ).fetchone()
        return bytes(row[0]) if row else b""

    def _same_past(self) -> bool:
        return self._chain == self._link(self._seen)

    def _take(self, record: Record, data: bytes) -> None:
        """Take one record in, under a commitment of its own; one that finds nothing to do is left out."""
        db = self.log.connection
        body = json.loads(data)
        kept = Record(
            position=record.position,
            kind=record.kind,
            record_id=record.record_id,
            recorded=record.recorded,
            size=len(data),
            body=body,
        )
        remains = self.log.remains(record.position, body)
        last = db.execute("SELECT chain FROM record ORDER BY position DESC LIMIT 1").fetchone()
        chain = link(bytes(last[0]) if last else b"", kept, remains.commitment, self.log.scope_id)
        db.execute("SAVEPOINT taken")
        try:
            db.execute(
                "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    kept.position,
                    kept.kind,
                    kept.record_id,
                    kept.recorded,
                    kept.size,
                    remains.commitment,
                    chain,
                ),
            )
            db.execute(
                "INSERT INTO payload VALUES (?, ?, ?)", (kept.position, remains.key, data.decode())
            )
            if kept.kind == "event" and body["external_id"]:
                self.log.note("external_id", body["external_id"], kept.position)
            self.fold.apply(kept)
        except PlanError:  # what it placed, joined or moved is kept back: nothing is left to do
            db.execute("ROLLBACK TO taken")
        db.execute("RELEASE taken")

    # --- permission checks --------------------------------------------------------------------

    def _refused(self) -> Refused:
        """Ask the permission checks about every line, and about every event that no entry cites."""
        if not self._permits:
            return self._screen.refused
        log, view = self._whole.log, self._whole.view
        db = log.connection
        rows = db.execute("SELECT seq FROM entry WHERE line = seq AND erased IS NULL")
        known = view.entries([row[0] for row in rows])
        lines = {
            seq
            for seq, entry in known.items()
            if not all(permit(entry) for permit in self._permits)
        }
        events = set()
        for (position,) in db.execute(_UNCITED).fetchall():
            record = log.record(position)
            if record is not None and record.body is not None:
                entry = event_entry(record)
                if not all(permit(entry) for permit in self._permits):
                    events.add(position)
        return refused_by(lines, events, log)

    # --- names --------------------------------------------------------------------------------

    def _set_aside(self, *, back: bool = False) -> None:
        """Take away documents in which nothing may be seen, or put them back to go on with the fold."""
        db = self.log.connection
        if back:
            db.execute("INSERT OR IGNORE INTO document SELECT * FROM aside")
            db.execute("DELETE FROM aside")
            return
        empty = (
            "NOT EXISTS (SELECT 1 FROM entry WHERE entry.document_id = document.id) "
            "AND NOT EXISTS (SELECT 1 FROM document AS heir, json_each(heir.merged_from) AS gone "
            "WHERE heir.retired IS NULL AND gone.value = document.id)"
        )
        db.execute(f"INSERT INTO aside SELECT * FROM document WHERE {empty}")
        db.execute("DELETE FROM document WHERE id IN (SELECT id FROM aside)")

    def _name_anew(self) -> None:
        """Name by rules what was named after something that is kept back."""
        with self.log.transaction():
            self._set_aside()
            self._rename()
            self._rehead()
            self._plain_logs()
        self.view.forget_prints()

    def _rename(self) -> None:
        rows = self.log.connection.execute(
            "SELECT id, title, summary FROM document WHERE retired IS NULL "
            "AND ? IN (title, summary) ORDER BY number",
            (UNNAMED,),
        ).fetchall()
        proposer = Proposer(self, self._index) if rows and self._index else None
        for name, title, summary in rows:
            if proposer is not None:
                new, told = proposer.renamed(name, title=title == UNNAMED)
                Heads(self.log.connection).retitle(
                    name, new, told if summary == UNNAMED else self.view.summary_text(name)
                )
        self.log.connection.execute(
            "UPDATE document SET title = id, summary = '' WHERE retired IS NOT NULL "
            "AND ? IN (title, summary)",
            (UNNAMED,),
        )

    def _rehead(self) -> None:
        """Give a block a dated heading where its own tells of what is kept back."""
        heads = Heads(self.log.connection)
        rows = self.log.connection.execute(
            "SELECT DISTINCT document_id FROM block WHERE headings LIKE ?", (f'%"{UNNAMED}"%',)
        ).fetchall()
        for (document_id,) in rows:
            for block in self.view.blocks(document_id):
                if UNNAMED not in block.headings:
                    continue
                entries = self.view.entries(block.seqs)
                told = [entries[seq] for seq in block.seqs if seq in entries]
                heads.rehead(
                    block.block_id,
                    (heading_of(told),) if told else (Text(text="", made_from=()),),
                )

    def _plain_logs(self) -> None:
        """Leave out of the last changes how many blocks were split off: some may be kept back."""
        db = self.log.connection
        rows = db.execute("SELECT id, update_log FROM document").fetchall()
        for name, told in rows:
            plain = _SPLIT_OFF.sub("blocks split off", told)
            if plain != told:
                db.execute("UPDATE document SET update_log = ? WHERE id = ?", (plain, name))
        db.execute(
            "UPDATE document SET parent_id = NULL "
            "WHERE parent_id IS NOT NULL AND parent_id NOT IN (SELECT id FROM document)"
        )

    # --- as a scope reads ---------------------------------------------------------------------

    def _index_up(self) -> FtsIndex:
        if self._index is None:
            raise AssertionError("a sight has its index from the beginning")
        catch_up(self._index, self.log)
        return self._index

    def _near(
        self, question: str, limit: int, units: AbstractSet[int] | None
    ) -> Sequence[tuple[int, float]]:
        """Ask the vectors of the whole scope, about what may be seen alone."""
        db = self.log.connection
        seen = {row[0] for row in db.execute("SELECT seq FROM entry WHERE line <> 0")}
        seen |= {-row[0] for row in db.execute("SELECT position FROM record WHERE kind = 'event'")}
        return self._whole.vectors.near(question, limit, seen if units is None else seen & units)

    def reading(self, work: Callable[[FtsIndex], T]) -> T:
        """Read the index, caught up with the log."""
        self.follow()
        index = self._index_up()
        with index.snapshot():
            return work(index)

    def with_index(self, work: Callable[[FtsIndex], T]) -> T:
        """Do something with the index, caught up."""
        self.follow()
        return work(self._index_up())

    def index_position(self) -> int:
        """Give the log position that the index holds."""
        return self._index_up().position

    def conflicts(self) -> tuple[str, ...]:
        """Name no file: a name may tell of what is kept back."""
        return ()

    def attach(self, connection: sqlite3.Connection) -> None:
        """Copy the records that may be seen to another connection, under the name `log`."""
        connection.execute("ATTACH DATABASE ':memory:' AS log")
        for statement in LOG_TABLES.split(";\n\n"):
            for name in _COPIED:
                if statement.strip().startswith(f"CREATE TABLE {name} "):
                    connection.execute(statement.replace(f"TABLE {name} ", f"TABLE log.{name} "))
        for name in _COPIED:
            rows = self.log.connection.execute(f"SELECT * FROM {name}").fetchall()
            if rows:
                marks = ",".join("?" * len(rows[0]))
                connection.executemany(
                    f"INSERT INTO log.{name} VALUES ({marks})", [tuple(row) for row in rows]
                )

    def _close(self) -> None:
        self.close_index()
        self.log.connection.close()

    def close(self) -> None:
        """Let go of the memory; the files are those of the whole, and stay open."""
        self._close()
