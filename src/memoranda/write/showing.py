"""Plans as people look at them: what they do in words, and each document before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, Literal, assert_never

from memoranda.errors import DamagedError, NotFoundError, PlanError
from memoranda.reports import PlanState, PlanView
from memoranda.store import parking, undoing
from memoranda.store.erasure import ERASED
from memoranda.store.fold import Fold
from memoranda.store.home import Home
from memoranda.store.log import Record
from memoranda.store.operations import (
    Arrange,
    Classify,
    Create,
    Duplicate,
    Edit,
    Gathers,
    Join,
    Key,
    LeaveOut,
    Merge,
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
    gathered_by,
)
from memoranda.store.parking import Parked
from memoranda.store.past import beside
from memoranda.store.view import View
from memoranda.write.admit import changed_documents
from memoranda.write.apply import Applier
from memoranda.write.draft import NOTHING

Pages = tuple[Mapping[str, str], Mapping[str, str]]


def in_words(operation: Operation) -> str:
    """Say what an operation does."""
    match operation:
        case Create(document_id=name, title=title):
            return f"create {name} {title.text!r} with {_entries(operation)}"
        case Update(document_id=name, title=title):
            called = f", called {title.text!r}" if title is not None else ""
            put = f"with {_entries(operation)}" if operation.blocks else "with a new summary"
            return f"update {name} {put}{called}"
        case Split(document_id=name, parts=parts):
            made = ", ".join(f"{part.document_id} {part.title.text!r}" for part in parts)
            said = f"split {name}: {sum(len(p.blocks) for p in parts)} blocks go to {made}"
            return said + _why(operation.reason)
        case Merge(document_id=name, absorbs=absorbs):
            return f"merge {', '.join(absorbs)} into {name}{_why(operation.reason)}"
        case Arrange() | Release() | Replace() | Withdraw() | Classify() | Withhold():
            return _of_others(operation)
        case _:
            return _of_lines(operation)


def _of_others(operation: Edit | Classify | Withhold) -> str:
    match operation:
        case Classify(sensitivity=sensitivity, was=was, why=why):
            about = f" (entries {_numbers(why.made_from)})" if why.made_from else ""
            return f"mark {len(operation.events)} events {sensitivity}, which were {was}{about}"
        case Arrange(document_id=name, title=title, blocks=blocks):
            called = f", called {title.text!r}" if title is not None else ""
            what = f"{len(blocks)} blocks" if len(blocks) != 1 else "1 block"
            return f"arrange {name} as a person did: {what}{called}"
        case Replace(old=old, new=new):
            return f"let entry {new} stand in the place of {old}, which a person corrected"
        case Withdraw(seq=seq):
            return f"retract entry {seq}, whose line a person removed"
        case Withhold(seq=seq):
            return f"keep back entry {seq}"
        case Release(seq=seq):
            return f"let entry {seq} wait in CURRENT again"


def _why(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _of_lines(operation: Supersede | Gathers) -> str:
    match operation:
        case Supersede(older=older, newer=newer):
            return f"replace entry {older} by {newer}"
        case Duplicate(seq=seq, of=of):
            return f"let entry {seq} stand in the line of {of}, which it repeats"
        case Join(seqs=seqs, text=text):
            return f"let entries {_numbers(seqs)} stand in one line: {text.text!r}"
        case Reword(seqs=seqs, text=text):
            return f"say {_entries_of(seqs)} in other words: {text.text!r}"
        case Key(seq=seq, keys=keys):
            return f"keep entry {seq}, which tells {', '.join(repr(key.text) for key in keys)}"
        case LeaveOut(seq=seq, reason=reason):
            return f"leave entry {seq} out ({reason}): it stays in the log"
        case _:
            assert_never(operation)


def _entries(operation: Create | Update) -> str:
    return _entries_of(sorted(seq for block in operation.blocks for seq in block.seqs))


def _entries_of(seqs: Sequence[int]) -> str:
    return f"{'entry' if len(seqs) == 1 else 'entries'} {_numbers(seqs)}"


def _numbers(seqs: Sequence[int]) -> str:
    return ", ".join(map(str, seqs))


class Showing:
    """Shows the plans of one scope."""

    def __init__(self, home: Home, applier: Applier) -> None:
        self._home = home
        self._applier = applier

    def plans(self, state: str | None) -> tuple[PlanView, ...]:
        """Give the plans that were proposed and not applied at once, oldest first; no documents."""
        found = parking.plans(self._home.log.connection, state)
        return tuple(view for item in found if (view := self._listed(item)) is not None)

    def _listed(self, found: Parked) -> PlanView | None:
        """Give a plan for a list; one whose record is damaged holds up no others."""
        try:
            return self._of(found)
        except DamagedError as error:
            return PlanView(
                plan_id=found.plan_id,
                state=found.state,
                kind=found.kind,
                mode=found.mode,
                by="",
                position=found.position,
                recorded="",
                window=parking.held(self._home.log.connection, found.plan_id),
                input_event_ids=(),
                versions={},
                operations=(),
                verdict="needs approval",
                warnings=(str(error),),
            )

    def plan(self, plan_id: str) -> PlanView:
        """Give a plan, applied at once or not, with each document before and after it.

        Raises:
            NotFoundError: there is no such plan.
        """
        found = parking.plan(self._home.log.connection, plan_id)
        if found is not None:
            view = self._of(found, pages=True)
        else:
            record = self._home.log.by_id(plan_id)
            view = self._applied(record) if record is not None and record.kind == "plan" else None
        if view is None:
            waiting = parking.plans(self._home.log.connection, "pending")
            raise NotFoundError("plan", plan_id, tuple(item.plan_id for item in waiting))
        return view

    def _of(self, found: Parked, *, pages: bool = False) -> PlanView | None:
        record = self._home.log.record(found.position)
        if record is None or record.body is None:
            return None
        body = record.body
        plan = Plan.from_json(found.plan_id, body["plan"])
        applied = self._home.log.by_id(found.plan_id)
        if applied is not None and applied.body is not None:  # as it was applied in the end
            plan = Plan.from_json(found.plan_id, applied.body)
        before, after = self._pages(plan, found, applied or record) if pages else ({}, {})
        return _view(
            plan,
            record,
            mode=found.mode,
            verdict=body["verdict"],
            reasons=tuple(reason["text"] for reason in body["reasons"]),
            before=before,
            after=after,
            **({"state": found.state} | self._decision(found) | self._undone(applied)),
        )

    def _applied(self, record: Record) -> PlanView | None:
        if record.body is None:
            return None
        plan = Plan.from_json(record.record_id, record.body)
        before, after = self._then(plan, record.position)
        return _view(
            plan,
            record,
            mode="auto",
            verdict="allowed",
            reasons=(),
            before=before,
            after=after,
            **({"state": "applied"} | self._undone(record)),
        )

    def _undone(self, record: Record | None) -> dict[str, Any]:
        """Give the state of a plan that is undone, and who undid it; nothing for any other."""
        gone = undoing.out_of_force(self._home.log.connection)
        at = None if record is None else gone.get(record.position)
        undo = None if at is None else self._home.log.record(at)
        if undo is None or undo.body is None:
            return {}
        by, why = undo.body["by"], undo.body["why"]["text"]
        told = {"decided": undo.recorded, "decided_by": by, "decision": why}
        return {"state": "undone", **told}

    def _decision(self, found: Parked) -> dict[str, Any]:
        record = None if found.decided is None else self._home.log.record(found.decided)
        if record is None or record.body is None:
            return {}
        if record.kind == "forget":
            why = "something that it names was forgotten"
            return {"decided": record.recorded, "decision": why}
        by, why = record.body["by"], record.body["why"]["text"]
        return {"decided": record.recorded, "decided_by": by, "decision": why}

    # --- documents ------------------------------------------------------------------------------

    def _pages(self, plan: Plan, found: Parked, record: Record) -> Pages:
        """Give documents before and after: on the state as it is, else as it was then."""
        if found.state in {"pending", "shadow"}:
            try:
                proposal = self._applier.propose(plan, NOTHING, approved=True)
            except PlanError:
                pass
            else:
                return proposal.before, proposal.after
        return self._then(plan, record.position)

    def _then(self, plan: Plan, position: int) -> Pages:
        """Fold the log up to a position, and the plan on top of it, beside what stands."""
        with self._home.log.snapshot(), closing(beside(self._home)) as connection:
            connection.execute("BEGIN")
            fold, view = Fold(connection), View(connection)
            fold.replay(position - 1)
            connection.execute("UPDATE entry SET text = ? WHERE text = ''", (ERASED,))
            named = {name for op in plan.operations for name in changed_documents(op)}
            before = _printed({*named, *_linked(plan, view)}, view)
            fold.apply(_record(plan, position))
            after = _printed({name for name, *_ in view.changed(position - 1)}, view)
        return before, after


def _linked(plan: Plan, view: View) -> set[str]:
    """Name the documents in which lines stand that the plan replaces."""
    olds = [op.older for op in plan.operations if isinstance(op, Supersede)]
    edits = (op for op in plan.operations if isinstance(op, Arrange | Release | Replace | Withdraw))
    olds += [seq for op in edits for seq in gathered_by(op)]
    places = view.places(olds).values()
    return {place.topic for place in places if place.topic is not None}


def _printed(names: set[str], view: View) -> dict[str, str]:
    return {
        name: view.printed(name).text for name in sorted(names) if view.document(name) is not None
    }


def _record(plan: Plan, position: int) -> Record:
    return Record(
        position=position,
        kind="plan",
        record_id=plan.plan_id,
        recorded="",
        size=0,
        body=plan.to_json(),
    )


def _view(
    plan: Plan,
    record: Record,
    *,
    state: PlanState,
    mode: str,
    verdict: Literal["allowed", "needs approval"],
    **given: Any,  # noqa: ANN401 - the other fields of a view
) -> PlanView:
    return PlanView(
        plan_id=plan.plan_id,
        state=state,
        kind=plan.kind,
        mode=mode,
        by=plan.by,
        position=record.position,
        recorded=record.recorded,
        window=plan.window,
        input_event_ids=plan.input_event_ids,
        versions=dict(plan.versions),
        operations=tuple(in_words(operation) for operation in plan.operations),
        verdict=verdict,
        warnings=plan.warnings,
        **given,
    )
