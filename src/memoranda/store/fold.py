"""The one way from the log to the views: each record, in order, changes the view tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memoranda.errors import ConservationError, PlanError
from memoranda.store import editing, parking, undoing
from memoranda.store.erasing import erase
from memoranda.store.erasure import Erasure
from memoranda.store.gathering import Cited, Gathering, cited, event_at
from memoranda.store.heads import Heads
from memoranda.store.log import Record, read_records
from memoranda.store.marking import classify
from memoranda.store.operations import (
    Arrange,
    Classify,
    Create,
    Edit,
    Gathers,
    Merge,
    NewBlock,
    Operation,
    Plan,
    Release,
    Replace,
    Reword,
    Split,
    Supersede,
    Update,
    Withdraw,
    Withhold,
)
from memoranda.store.schema import VIEW_NAMES
from memoranda.store.shelving import Shelves
from memoranda.store.supersession import link_last, reaches, resolve
from memoranda.store.undoing import Undo


class Fold:
    """Applies log records to the view tables of a connection, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._heads = Heads(connection)
        self._shelves = Shelves(connection)
        self._gathering = Gathering(connection)
        self._editing = editing.Editing(connection)
        self._event_before: Record | None = None
        self._strict = False

    def counter(self, name: str) -> int:
        """Read a counter: position, seq, document, block, epoch."""
        return self._shelves.counter(name)

    def apply(self, record: Record) -> None:
        """Apply one record; the caller hands them over in order of position.

        An undo takes others out of force, so all up to it is folded anew without them.
        """
        if record.kind == "undo":
            self.replay(record.position)
        else:
            self._step(record, None)

    def replay(
        self,
        until: int,
        *,
        out: Mapping[int, int] | None = None,
        strict: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Make the view tables anew from the records up to a position that are in force.

        Args:
            until: the last record.
            out: what is out of force, as `undoing.out_of_force` gives it; default as the log says.
            strict: from this position on, refuse at the first record that needs what is out of force.
            progress: called with the position of each record that is done.

        Raises:
            DamagedError: a record can't be read.
            OutOfForceError: with `strict`; it names the record.
        """
        gone = undoing.out_of_force(self._db, until) if out is None else out
        self._event_before = None
        for name in VIEW_NAMES:
            self._db.execute(f"DELETE FROM {name}")
        try:
            for record in read_records(self._db, until):
                self._strict = strict is not None and record.position >= strict
                try:
                    self._step(record, gone.get(record.position))
                except PlanError as error:
                    if not self._strict:
                        raise
                    raise undoing.OutOfForceError(record, undoing.reason(error)) from error
                if progress is not None:
                    progress(record.position)
        finally:
            self._strict = False

    def _step(self, record: Record, undone: int | None) -> None:
        """Apply one record, or let it leave what stays of it when it is undone."""
        if record.body is not None and undone is None:
            self._in_force(record, record.body)
        elif record.body is not None and record.kind == "plan":
            self._pass_over(Plan.from_json(record.record_id, record.body), record, undone or 0)
        elif record.body is not None and record.kind == "extraction":
            self._extraction(record, record.body, ghosts=True)
        self._event_before = record if record.kind == "event" else None
        self._shelves.count_on("position", record.position)

    def _in_force(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        match record.kind:
            case "extraction":
                self._extraction(record, body)
            case "plan":
                self._plan(record, Plan.from_json(record.record_id, body))
            case "retraction":
                self._retraction(record, body)
            case "forget":
                erasure = Erasure.from_json(body)
                erase(self._db, erasure, record.position)
                parking.erased(self._db, erasure, record.position)
            case "proposal" | "decision":
                self._decided(record, body)
            case "undo":
                self.settle(Undo.from_json(body), record.position)
            case _:
                pass

    def _decided(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        if record.kind == "proposal":
            parking.propose(self._db, record.position, body)
        else:
            self._decision(record, body)

    def _decision(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        if body["state"] == "rejected":
            held = parking.held(self._db, body["plan_id"])
            self._gathering.looked_at(held, record.position)
        parking.decide(self._db, record.position, body)

    # --- undo -------------------------------------------------------------------------------

    def _pass_over(self, plan: Plan, record: Record, undone: int) -> None:
        """Keep of an undone plan the numbers that it gave: they are not given again."""
        for name, texts, project, parent in undoing.named_by(plan):
            own = project if parent is None else self._shelves.project(parent)
            self._shelves.insert(name, texts, own, parent, undone)
            self._db.execute("UPDATE document SET retired = ? WHERE id = ?", (undone, name))
        blocks = sum(len(undoing.blocks_of(operation)) for operation in plan.operations)
        self._shelves.count_on("block", self._shelves.counter("block") + blocks)
        for operation in plan.operations:
            if isinstance(operation, Reword):
                self._gathering.ghost(operation, record.position)
            elif isinstance(operation, Withhold):
                self._gathering.gather(operation, record.position)
        editing.ghosts(self._db, plan)

    def settle(self, undo: Undo, position: int) -> None:
        """Keep true what came after what was undone, and let the versions move on.

        Args:
            undo: what its record says.
            position: of that record.
        """
        touched: set[str] = set()
        for older, newer in undo.replaced:
            touched |= self._supersede(older, newer, position)
        for seq, at in undo.retracted:
            touched |= self._retract(seq, at)
        undoing.park(self._db, undo.undone, undo.freed)
        for item in undo.documents:
            if self._shelves.is_live(item.document_id):
                self._heads.retitle(item.document_id, item.title, item.summary)
        for block in undo.blocks:
            self._heads.rehead(block.block, block.headings)
        self._heads.touch({*touched, *undo.touched}, position)
        self._db.execute(
            "UPDATE document SET version = ? WHERE id IN (SELECT value FROM json_each(?))",
            (position, json.dumps(undo.touched)),
        )

    # --- extraction -------------------------------------------------------------------------

    def _extraction(self, record: Record, body: Any, *, ghosts: bool = False) -> None:  # noqa: ANN401
        """Make the entries of an extraction; of an undone one keep their numbers alone."""
        events = [self._event(position) for position in body["events"]]
        for item in body["entries"]:
            if not self._said(record.position, item, events):
                continue
            if ghosts:
                self._gathering.fade(item["seq"])
                continue
            for older in item.get("supersedes", ()):
                self._firm(older)
                touched = self._supersede(older, item["seq"], record.position)
                self._heads.touch(touched, record.position)
        if body["entries"]:
            self._shelves.count_on("seq", body["entries"][-1]["seq"])

    def _said(self, position: int, item: Any, events: Sequence[Cited | None]) -> bool:  # noqa: ANN401
        """Make one entry, or keep its number; say whether there was anything to make it of."""
        if "withheld" in item:
            time, recorded = item["withheld"]
            self._gathering.withhold(item["seq"], (time, recorded), position)
            return True
        numbers = item.get("events", [item.get("event")])
        own = [event for number in numbers if (event := events[number]) is not None]
        if own:
            self._gathering.entry(position, item, own)
        return bool(own)

    def _event(self, position: int) -> Cited | None:
        """Give an event; the one just applied, which is the usual one, is not read again."""
        before = self._event_before
        if before is not None and before.position == position:
            return cited(before)
        return event_at(self._db, position)

    # --- plans ------------------------------------------------------------------------------

    def _plan(self, record: Record, plan: Plan) -> None:
        touched: set[str] = set()
        self._editing.strict = self._strict
        for operation in plan.operations:
            touched |= self._operation(operation, plan, record.position)
        if plan.kind == "edit":
            self._editing.settle(touched, record.position)
        elif plan.kind == "extract":
            self._gathering.looked_at(plan.window, record.position)
        parking.placed(self._db, plan.window)
        self._heads.touch(touched, record.position)
        if plan.kind not in {"edit", "mark"}:
            self._shelves.count_on("epoch", plan.epoch)

    def _operation(self, operation: Operation, plan: Plan, position: int) -> set[str]:
        match operation:
            case Create():
                return self._create(operation, plan, position)
            case Update():
                return self._update(operation, plan, position)
            case Split():
                return self._split(operation, plan, position)
            case Merge():
                return self._merge(operation, plan, position)
            case Supersede(older=older, newer=newer):
                self._firm(older, newer)
                return self._supersede(older, newer, position)
            case _:
                return self._on_entries(operation, position)

    def _on_entries(
        self, operation: Gathers | Edit | Classify | Withhold, position: int
    ) -> set[str]:
        match operation:
            case Arrange() | Replace() | Withdraw() | Release():
                return self._editing.edit(operation, position)
            case Classify():
                return classify(self._db, operation)
            case _:
                return self._gathering.gather(operation, position)

    def _create(self, operation: Create, plan: Plan, position: int) -> set[str]:
        self._shelves.insert(operation.document_id, operation, operation.project, None, position)
        touched = self._shelves.place(operation.document_id, operation.blocks)
        if plan.kind != "edit":
            self._noted(operation, plan.epoch, f"{_entries(operation.blocks)} placed")
        self._heads.titled(operation.document_id)
        return touched

    def _update(self, operation: Update, plan: Plan, position: int) -> set[str]:
        self._shelves.live(operation.document_id, position, filled=bool(operation.blocks))
        touched = self._shelves.place(operation.document_id, operation.blocks)
        placed = f"{_entries(operation.blocks)} placed" if operation.blocks else "summarised anew"
        self._noted(operation, plan.epoch, placed)
        self._heads.retitle(operation.document_id, operation.title, operation.summary)
        return touched

    def _noted(self, operation: Create | Update, epoch: int, change: str) -> None:
        """Note a change, unless all that it placed is kept back from the reader."""
        if not operation.blocks or any(block.seqs for block in operation.blocks):
            self._heads.note(operation.document_id, epoch, change)

    def _split(self, operation: Split, plan: Plan, position: int) -> set[str]:
        self._shelves.live(operation.document_id, position)
        project = self._shelves.project(operation.document_id)
        touched = {operation.document_id}
        for part in operation.parts:
            self._shelves.insert(part.document_id, part, project, operation.document_id, position)
            moved = self._shelves.move(
                self._shelves.standing(part.blocks, operation), part.document_id
            )
            touched |= moved | {part.document_id}
            what = f"{len(part.blocks)} blocks"
            self._heads.note(
                part.document_id, plan.epoch, f"{what} split off {operation.document_id}"
            )
            self._heads.note(
                operation.document_id, plan.epoch, f"{what} split off to {part.document_id}"
            )
            self._heads.titled(part.document_id)
        self._shelves.keeps_some(operation.document_id)
        self._heads.retitle(operation.document_id, operation.title, operation.summary)
        return touched

    def _merge(self, operation: Merge, plan: Plan, position: int) -> set[str]:
        heir = operation.document_id
        for name in (heir, *operation.absorbs):
            self._shelves.live(name, position)
        touched = {heir}
        merged = json.loads(
            self._db.execute("SELECT merged_from FROM document WHERE id = ?", (heir,)).fetchone()[0]
        )
        for absorbed in operation.absorbs:
            rows = self._db.execute("SELECT id FROM block WHERE document_id = ?", (absorbed,))
            touched |= self._shelves.move([row[0] for row in rows], heir)
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

    # --- retraction and supersession ----------------------------------------------------------

    def _retraction(self, record: Record, body: Any) -> None:  # noqa: ANN401 - parsed JSON
        self._firm(body["seq"], alone=True)
        self._heads.touch(self._retract(body["seq"], record.position), record.position)

    def _retract(self, seq: int, position: int) -> set[str]:
        self._db.execute("UPDATE entry SET retracted = ? WHERE seq = ?", (position, seq))
        touched = resolve(self._db, [seq])
        row = self._db.execute("SELECT document_id FROM entry WHERE seq = ?", (seq,)).fetchone()
        return touched | ({row[0]} if row[0] else set())

    def _firm(self, *seqs: int, alone: bool = False) -> None:
        """In a strict fold, make sure that entries stand as they did when somebody spoke of them.

        Args:
            seqs: entries that bore the name of a line then.
            alone: what was said was said of each of them alone: it must bear it still.
        """
        for seq in seqs if self._strict else ():
            row = self._db.execute(
                "SELECT entry.line, joined.line, erased FROM entry "
                "LEFT JOIN joined ON joined.line = entry.line WHERE seq = ?",
                (seq,),
            ).fetchone()
            line, joined, erased = row
            if line != seq and erased is None and (alone or joined is not None or line <= 0):
                raise PlanError(f"entry {seq} is no line of its own")

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
        return abs(row[0]) or seq  # a forgotten entry stands in no line


def _entries(blocks: Sequence[NewBlock]) -> str:
    number = sum(len(block.seqs) for block in blocks)
    return f"{number} entries" if number != 1 else "1 entry"
