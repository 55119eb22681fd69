"""The one way from the log to the views: each record, in order, changes the view tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from memoranda.errors import ConservationError
from memoranda.store import parking
from memoranda.store.erasing import erase
from memoranda.store.erasure import Erasure
from memoranda.store.gathering import Cited, Gathering, cited, event_at
from memoranda.store.heads import Heads
from memoranda.store.log import Record
from memoranda.store.operations import (
    Create,
    Duplicate,
    Join,
    Key,
    LeaveOut,
    Merge,
    NewBlock,
    Operation,
    Plan,
    Reword,
    Split,
    Supersede,
    Text,
    Update,
)
from memoranda.store.supersession import link_last, reaches, resolve


class Fold:
    """Applies log records to the view tables of a connection, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._heads = Heads(connection)
        self._gathering = Gathering(connection)
        self._event_before: Record | None = None

    def counter(self, name: str) -> int:
        """Read a counter: position, seq, document, block, epoch."""
        row = self._db.execute("SELECT value FROM counter WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def _set(self, name: str, value: int) -> None:
        self._db.execute(
            "INSERT INTO counter VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def apply(self, record: Record) -> None:
        """Apply one record; the caller hands them over in order of position."""
        if record.body is not None:
            match record.kind:
                case "extraction":
                    self._extraction(record, record.body)
                case "plan":
                    self._plan(record, Plan.from_json(record.record_id, record.body))
                case "retraction":
                    self._retraction(record, record.body)
                case "forget":
                    erasure = Erasure.from_json(record.body)
                    erase(self._db, erasure, record.position)
                    parking.erased(self._db, erasure, record.position)
                case "proposal":
                    parking.propose(self._db, record.position, record.body)
                case "decision":
                    self._decision(record, record.body)
                case _:
                    pass
        self._event_before = record if record.kind == "event" else None
        self._set("position", record.position)

    def _decision(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        if body["state"] == "rejected":
            held = parking.held(self._db, body["plan_id"])
            self._gathering.looked_at(held, record.position)
        parking.decide(self._db, record.position, body)

    # --- extraction -------------------------------------------------------------------------

    def _extraction(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        events = [self._event(position) for position in body["events"]]
        for item in body["entries"]:
            numbers = item.get("events", [item.get("event")])
            own = [event for number in numbers if (event := events[number]) is not None]
            if own:
                self._gathering.entry(record.position, item, own)
                for older in item.get("supersedes", ()):
                    touched = self._supersede(older, item["seq"], record.position)
                    self._heads.touch(touched, record.position)
        if body["entries"]:
            self._set("seq", body["entries"][-1]["seq"])

    def _event(self, position: int) -> Cited | None:
        """Give an event; the one just applied, which is the usual one, is not read again."""
        before = self._event_before
        if before is not None and before.position == position:
            return cited(before)
        return event_at(self._db, position)

    # --- plans ------------------------------------------------------------------------------

    def _plan(self, record: Record, plan: Plan) -> None:
        touched: set[str] = set()
        for operation in plan.operations:
            touched |= self._operation(operation, plan, record.position)
        if plan.kind == "extract":
            self._gathering.looked_at(plan.window, record.position)
        parking.placed(self._db, plan.window)
        self._heads.touch(touched, record.position)
        self._set("epoch", plan.epoch)

    def _operation(self, operation: Operation, plan: Plan, position: int) -> set[str]:
        match operation:
            case Create():
                return self._create(operation, plan, position)
            case Update():
                return self._update(operation, plan)
            case Split():
                return self._split(operation, plan, position)
            case Merge():
                return self._merge(operation, plan, position)
            case Supersede(older=older, newer=newer):
                return self._supersede(older, newer, position)
            case Duplicate() | Join() | Reword() | Key() | LeaveOut():
                return self._gathering.gather(operation, position)

    def _create(self, operation: Create, plan: Plan, position: int) -> set[str]:
        self._insert(operation.document_id, operation, operation.project, None, position)
        touched = self._place(operation.document_id, operation.blocks)
        self._heads.note(operation.document_id, plan.epoch, f"{_entries(operation.blocks)} placed")
        self._heads.titled(operation.document_id)
        return touched

    def _insert(
        self,
        document_id: str,
        texts: Any,  # noqa: ANN401 - Create or Part: title and summary
        project: str | None,
        parent_id: str | None,
        position: int,
    ) -> None:
        title: Text = texts.title
        summary: Text = texts.summary
        number = int(document_id.removeprefix("d"))
        self._db.execute(
            "INSERT INTO document VALUES (?,?,?,?,0,?,?,?,'','',0,0,?,'[]','[]',0,0,?,NULL)",
            (
                document_id,
                number,
                title.text,
                json.dumps(title.made_from),
                summary.text,
                json.dumps(summary.made_from),
                project,
                parent_id,
                position,
            ),
        )
        self._set("document", max(number, self.counter("document")))

    def _update(self, operation: Update, plan: Plan) -> set[str]:
        touched = self._place(operation.document_id, operation.blocks)
        placed = f"{_entries(operation.blocks)} placed" if operation.blocks else "summarised anew"
        self._heads.note(operation.document_id, plan.epoch, placed)
        self._heads.retitle(operation.document_id, operation.title, operation.summary)
        return touched

    def _split(self, operation: Split, plan: Plan, position: int) -> set[str]:
        row = self._db.execute(
            "SELECT project FROM document WHERE id = ?", (operation.document_id,)
        ).fetchone()
        touched = {operation.document_id}
        for part in operation.parts:
            self._insert(part.document_id, part, row[0], operation.document_id, position)
            moved = self._move(part.blocks, part.document_id)
            touched |= moved | {part.document_id}
            what = f"{len(part.blocks)} blocks"
            self._heads.note(
                part.document_id, plan.epoch, f"{what} split off {operation.document_id}"
            )
            self._heads.note(
                operation.document_id, plan.epoch, f"{what} split off to {part.document_id}"
            )
            self._heads.titled(part.document_id)
        self._heads.retitle(operation.document_id, operation.title, operation.summary)
        return touched

    def _merge(self, operation: Merge, plan: Plan, position: int) -> set[str]:
        heir = operation.document_id
        touched = {heir}
        merged = json.loads(
            self._db.execute("SELECT merged_from FROM document WHERE id = ?", (heir,)).fetchone()[0]
        )
        for absorbed in operation.absorbs:
            rows = self._db.execute("SELECT id FROM block WHERE document_id = ?", (absorbed,))
            touched |= self._move([row[0] for row in rows], heir)
            self._db.execute(
                "UPDATE document SET retired = ?, version = ?, tokens = 0, entries = 0 "
                "WHERE id = ?",
                (position, position, absorbed),
            )
            merged.append(absorbed)
            self._heads.note(heir, plan.epoch, f"{absorbed} merged in")
        self._db.execute(
            "UPDATE document SET merged_from = ? WHERE id = ?", (json.dumps(merged), heir)
        )
        self._heads.retitle(heir, operation.title, operation.summary)
        return touched - set(operation.absorbs)

    def _place(self, document_id: str, blocks: Sequence[NewBlock]) -> set[str]:
        touched = {document_id}
        block_id = self.counter("block")
        for block in blocks:
            block_id += 1
            for seq in block.seqs:
                done = self._db.execute(
                    "UPDATE entry SET document_id = ?, block = ? "
                    "WHERE (seq = ? OR line = ?) AND document_id IS NULL",
                    (document_id, block_id, seq, seq),
                )
                if not done.rowcount:
                    raise ConservationError(frozenset(), frozenset(), frozenset({seq}))
            self._db.execute(
                "INSERT INTO block SELECT ?, ?, ?, ?, min(moment) FROM entry "
                "WHERE document_id = ? AND block = ?",
                (
                    block_id,
                    document_id,
                    json.dumps([heading.text for heading in block.headings], ensure_ascii=False),
                    json.dumps([list(heading.made_from) for heading in block.headings]),
                    document_id,
                    block_id,
                ),
            )
            touched |= self._linking(document_id, block_id)
        self._set("block", block_id)
        return touched

    def _move(self, blocks: Iterable[int], document_id: str) -> set[str]:
        touched: set[str] = set()
        for block in blocks:
            self._db.execute(
                "UPDATE entry SET document_id = ? "
                "WHERE document_id = (SELECT document_id FROM block WHERE id = ?) AND block = ?",
                (document_id, block, block),
            )
            self._db.execute("UPDATE block SET document_id = ? WHERE id = ?", (document_id, block))
            touched |= self._linking(document_id, block)
        return touched

    def _linking(self, document_id: str, block: int) -> set[str]:
        """Name the documents with a line that was replaced by one of this block."""
        rows = self._db.execute(
            "SELECT DISTINCT older.document_id FROM entry AS newer "
            "JOIN entry AS older ON older.final = newer.seq "
            "WHERE newer.document_id = ? AND newer.block = ? AND older.document_id IS NOT NULL",
            (document_id, block),
        )
        return {row[0] for row in rows}

    # --- retraction and supersession ----------------------------------------------------------

    def _retraction(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        seq = body["seq"]
        self._db.execute("UPDATE entry SET retracted = ? WHERE seq = ?", (record.position, seq))
        touched = resolve(self._db, [seq])
        row = self._db.execute("SELECT document_id FROM entry WHERE seq = ?", (seq,)).fetchone()
        self._heads.touch(touched | ({row[0]} if row[0] else set()), record.position)

    def _supersede(self, older: int, newer: int, position: int) -> set[str]:
        """Link two lines; a link that would close a circle is left out: the first word stands."""
        old, new = self._head(older), self._head(newer)
        if old == new or reaches(self._db, new, old):
            return set()
        self._db.execute(
            "INSERT OR IGNORE INTO supersession VALUES (?, ?, ?)", (old, new, position)
        )
        touched = link_last(self._db, old, new)
        return resolve(self._db, [old]) if touched is None else touched

    def _head(self, seq: int) -> int:
        """Give the line in which an entry stands."""
        row = self._db.execute("SELECT line FROM entry WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise ConservationError(frozenset(), frozenset(), frozenset({seq}))
        return int(row[0]) or seq  # a forgotten entry stands in no line


def _entries(blocks: Sequence[NewBlock]) -> str:
    number = sum(len(block.seqs) for block in blocks)
    return f"{number} entries" if number != 1 else "1 entry"
