"""Undoing a plan: the library without it, with all that came later, or a refusal that says why (R233)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from memoranda.errors import InputError, NotFoundError, UndoError
from memoranda.reports import Undone
from memoranda.store import parking, undoing
from memoranda.store.erasure import ERASED
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log, Record
from memoranda.store.operations import Plan, Reword, Text, Update, number_of
from memoranda.store.undoing import OutOfForceError, Undo
from memoranda.store.view import View
from memoranda.write.mending import Mending, named_since

UNDOABLE = frozenset({"plan", "undo", "retraction"})
MOST = 12
"""So many later records are looked for that stand in the way."""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where an entry stands."""

    line: int
    document_id: str | None
    retracted: int | None

    def waits(self, seq: int) -> bool:
        """Say whether the entry waits in CURRENT as a line of its own."""
        return self.document_id is None and self.line == seq


@dataclass(frozen=True, slots=True)
class _State:
    """What is compared before and after."""

    documents: Mapping[str, tuple[int, str]]
    """Of what is not retired: version and print."""
    lines: Mapping[int, _Line]


class Undoer:
    """Undoes in one scope. Call it under the scope's lock.

    An undo is one more record: what it names is folded no more, everything else is, in order. So the
    bytes are those of a library in which it never was. First that is tried, and thrown away: a later
    record that needs what would go is named, and nothing is changed.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._log: Log = home.log

    def run(self, record_id: str, by: str | None, reason: str) -> Undone:
        """Undo a plan, a retraction, or an undo.

        Raises:
            NotFoundError: there is no such record.
            InputError: it is nothing that can be undone, or is undone already.
            UndoError: something later needs it; the error names what to undo first.
        """
        with self._log.transaction():
            record = self._target(record_id)
            targets = self._targets(record)
            made = self._home.reading(
                lambda index: self._tried(
                    Undo(
                        targets=targets,
                        undone=record.record_id,
                        by=by,
                        why=Text(text=reason, made_from=_named(record)),
                    ),
                    record,
                    index,
                )
            )
            before = set(self._home.view.ids())
            written = self._log.append("undo", made.to_json())
            self._home.fold.apply(written)
            self._home.view.forget_prints()
            receipt = self._receipt(record, written, made, before)
            body = {**receipt.to_dict(), "kind": "undo"}
            self._home.fold.apply(self._log.append("receipt", body))
        return receipt

    # --- what -----------------------------------------------------------------------------------

    def _target(self, record_id: str) -> Record:
        record = self._log.by_id(record_id)
        if record is None:
            self._not_applied(record_id)
            raise NotFoundError("plan", record_id)
        if record.kind == "forget":
            raise InputError("what was forgotten is gone: a forgetting can't be undone")
        if record.kind not in UNDOABLE or record.body is None:
            raise InputError(
                f"record {record_id} is of kind {record.kind}: "
                "plans, retractions and undos can be undone"
            )
        gone = undoing.out_of_force(self._log.connection)
        if record.position in gone:
            by = self._log.record(gone[record.position])
            name = by.record_id if by is not None else ""
            raise InputError(
                f"{record_id} is undone already, by {name}; undo that to have it again"
            )
        self._worded_away(record)
        return record

    def _not_applied(self, plan_id: str) -> None:
        found = parking.plan(self._log.connection, plan_id)
        if found is not None:
            what = "reject it" if found.state == "pending" else "it changed nothing"
            raise InputError(f"plan {plan_id} was not applied, it is {found.state}: {what}")

    def _worded_away(self, record: Record) -> None:
        """Refuse to bring back words of a model of which something was forgotten meanwhile."""
        if record.kind != "undo":
            return
        for target in (record.body or {})["targets"]:
            found = self._log.record(target)
            if found is None or found.body is None or found.kind != "plan":
                continue
            plan = Plan.from_json(found.record_id, found.body)
            words = [op.text.text for op in plan.operations if isinstance(op, Reword)]
            if ERASED in words:
                raise UndoError(
                    f"plan {found.record_id} can't come back: something of its words was forgotten "
                    "since; consolidate instead",
                    (),
                )

    def _targets(self, record: Record) -> tuple[int, ...]:
        """Give what goes with a record: the plan that summarised anew after it; an edit's own words."""
        edit = record.kind == "plan" and (record.body or {}).get("kind") == "edit"
        own_words = self._words_of(record) if edit else ()
        follows = edit or record.kind == "retraction"
        after = self._log.record(record.position + 1) if follows else None
        if after is None or after.kind != "plan" or after.body is None:
            return (*own_words, record.position)
        plan = Plan.from_json(after.record_id, after.body)
        told = all(isinstance(op, Update) and not op.blocks for op in plan.operations)
        own = told and plan.kind == "reshape" and not plan.window
        found = (*own_words, record.position)
        return (*found, after.position) if own else found

    def _words_of(self, record: Record) -> tuple[int, ...]:
        """Give the extractions of what a person wrote: they go with the edit that placed it."""
        window = json.dumps((record.body or {})["window"])
        rows = self._log.connection.execute(
            "SELECT DISTINCT position FROM entry JOIN record USING (position) "
            "WHERE seq IN (SELECT value FROM json_each(?)) AND kind = 'extraction' ORDER BY 1",
            (window,),
        )
        return tuple(row[0] for row in rows)

    # --- trying ---------------------------------------------------------------------------------

    def _tried(self, undo: Undo, record: Record, index: FtsIndex) -> Undo:
        """Work out what an undo has to say, in a trial."""
        home, position, targets = self._home, self._log.position() + 1, undo.targets
        before = _state(home.view, self._log.connection)
        with self._trial():
            self._folded(targets)
            after = _state(home.view, self._log.connection)
            links = tuple(_links(before, after, min(targets), self._log.connection))
            retracted = tuple(_retractions(before, after, min(targets)))
            carried = replace(undo, replaced=links, retracted=retracted)
            self._home.fold.settle(carried, position)
            home.view.forget_prints()
            after = _state(home.view, self._log.connection)
            touched = sorted(_changed(before, after), key=number_of)
            moved = {
                seq
                for seq, line in after.lines.items()
                if before.lines[seq].document_id != line.document_id
            }
            out = undoing.out_of_force(self._log.connection, then=targets)
            named = named_since(self._log, self._since(targets), out)
            mending = Mending(home, index, moved, named)
            live = [name for name in touched if name in after.documents]
            return replace(
                carried,
                touched=tuple(touched),
                freed=self._freed(record, before, after),
                documents=tuple(mending.documents(live)),
                blocks=tuple(mending.blocks(live)),
            )

    @contextmanager
    def _trial(self) -> Iterator[None]:
        self._home.view.forget_prints()
        try:
            with self._log.trial():
                yield
        finally:
            self._home.view.forget_prints()

    def _folded(self, targets: Sequence[int]) -> None:
        """Fold all but what is to be undone; name every later record that needs it."""
        try:
            self._replayed(targets)
        except OutOfForceError as first:
            raise self._refused(targets, first) from first
        empty = [name for name in self._home.view.ids() if not self._home.view.blocks(name)]
        if empty:
            raise UndoError(f"{empty[0]} would be left without a line", ())

    def _replayed(self, targets: Sequence[int]) -> None:
        db, last = self._log.connection, self._log.position()
        out = undoing.out_of_force(db, then=targets)
        self._home.fold.replay(last, out=out, strict=self._since(targets))

    def _since(self, targets: Sequence[int]) -> int:
        """Give the first position at which the library would be otherwise."""
        db = self._log.connection
        out, now = undoing.out_of_force(db, then=targets), undoing.out_of_force(db)
        return min(out.keys() ^ now.keys())

    def _refused(self, targets: Sequence[int], error: OutOfForceError) -> UndoError:
        """Find all that stands in the way: what is found is thought away, and the rest tried again."""
        found = [error.record]
        why = error.why
        while found[-1].kind in UNDOABLE and len(found) < MOST:
            try:
                self._replayed([*targets, *(record.position for record in found)])
            except OutOfForceError as more:
                found.append(more.record)
                why = more.why
                continue
            break
        return _refusal(found, why)

    def _freed(self, record: Record, before: _State, after: _State) -> tuple[int, ...]:
        """Give the entries that wait in CURRENT again, and those of a plan that only worded them."""
        body = record.body or {}
        window = set(body["window"]) if record.kind == "plan" else set()
        return tuple(
            seq
            for seq, line in after.lines.items()
            if line.waits(seq) and (seq in window or not before.lines[seq].waits(seq))
        )

    # --- telling --------------------------------------------------------------------------------

    def _receipt(self, record: Record, written: Record, undo: Undo, before: set[str]) -> Undone:
        now = set(self._home.view.ids())
        touched = set(undo.touched)
        return Undone(
            undo_id=written.record_id,
            undone=record.record_id,
            what="plan" if record.kind == "plan" else record.kind,  # type: ignore[arg-type]
            position=written.position,
            by=undo.by,
            updated=_ordered(touched & now & before),
            restored=_ordered(touched & (now - before)),
            retired=_ordered(before - now),
            freed=undo.freed,
            anew=tuple(item.document_id for item in undo.documents),
            carried=tuple(sorted({seq for seq, _ in (*undo.replaced, *undo.retracted)})),
        )


def _named(record: Record) -> tuple[int, ...]:
    """Give the entries that a reason may tell of."""
    body = record.body or {}
    match record.kind:
        case "plan":
            return tuple(sorted(parking.named(Plan.from_json(record.record_id, body))))
        case "retraction":
            return (int(body["seq"]),)
        case _:
            return tuple(body["why"]["from"])


def _refusal(found: Sequence[Record], why: str) -> UndoError:
    """Say what stands in the way, newest first: that is the order in which it can be undone."""
    last = found[-1]
    if last.kind not in UNDOABLE:
        what = "a correction" if last.kind == "extraction" else f"a record of kind {last.kind}"
        text = f"{what} came later and needs it ({why}, record {last.position})"
        return UndoError(f"it can't be undone: {text}", ())
    first = tuple(record.record_id for record in sorted(found, key=lambda item: -item.position))
    names = ", then ".join(first)
    return UndoError(f"something later needs it ({why}); undo {names} first", first)


# --- before and after ---------------------------------------------------------------------------


def _state(view: View, connection: sqlite3.Connection) -> _State:
    rows = connection.execute("SELECT seq, line, document_id, retracted FROM entry")
    versions = {info.document_id: info.version for info in view.documents()}
    return _State(
        documents={name: (version, view.printed(name).text) for name, version in versions.items()},
        lines={row[0]: _Line(row[1], row[2], row[3]) for row in rows},
    )


def _changed(before: _State, after: _State) -> set[str]:
    """Name the documents that are there no more, are there again, or are printed otherwise."""
    names = {*before.documents, *after.documents}
    return {name for name in names if before.documents.get(name) != after.documents.get(name)}


def _freed_of(before: _State, after: _State) -> Iterator[tuple[int, int]]:
    """Give the entries that stand by themselves again, each with the line in which they stood."""
    for seq, now in after.lines.items():
        line = before.lines[seq].line
        if now.line == seq and line > 0 and line != seq:
            yield seq, line


def _links(
    before: _State, after: _State, position: int, connection: sqlite3.Connection
) -> Iterator[tuple[int, int]]:
    """What replaced a line later on, replaces what had stood in it."""
    for seq, line in _freed_of(before, after):
        rows = connection.execute(
            "SELECT newer FROM supersession WHERE older = ? AND position > ? AND newer <> ? "
            "ORDER BY newer",
            (line, position, seq),
        )
        yield from ((seq, row[0]) for row in rows)


def _retractions(before: _State, after: _State, position: int) -> Iterator[tuple[int, int]]:
    for seq, line in _freed_of(before, after):
        at = after.lines[line].retracted
        if at is not None and at > position:
            yield seq, at


def _ordered(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=number_of))
