"""Pages about plans: what waits and what was done lately; one plan as a diff; the decisions on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from memoranda.errors import ForgottenError, NotFoundError, StalePlanError
from memoranda.memory import Memory
from memoranda.reports import PlanView
from memoranda.values import RecordView
from memoranda.web.evidence import grounds
from memoranda.web.visit import Go, Page, Reply, Visit, address
from memoranda.web.worddiff import Stretch, across, compare

_BACK: Final = 800
"""Records that are looked through for what was done lately."""
_SHOWN: Final = 12
_KINDS: Final = frozenset({"plan", "undo", "retraction", "forget"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """Something that was done to the library: a record, its receipt, and what undid it."""

    record: RecordView
    receipt: Mapping[str, Any]
    undone_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A document that a plan changes."""

    document_id: str
    title: str
    fate: str
    """`new`, `changed` or `retired`."""
    stretches: tuple[Stretch, ...]


def inbox(visit: Visit) -> Page:
    """Show plans that wait, what waits in CURRENT, and what was done lately."""
    memory = visit.memory
    status = memory.status()
    plans = memory.plans("pending")
    return Page(
        template="inbox.html",
        values={
            "plans": plans,
            "requests": memory.asked("waiting") if visit.may("asked") else (),
            "status": status,
            "current": memory.current()[: None if visit.asked("current") == "all" else _SHOWN],
            "shadow": memory.plans("shadow")[-_SHOWN:][::-1],
            "done": lately(memory, status.position) if visit.may("log") else (),
        },
    )


def lately(memory: Memory, position: int) -> list[Done]:
    """Give what was done lately to the library, newest first."""
    records = list(memory.log(after=max(0, position - _BACK)))
    receipts: dict[Any, Mapping[str, Any]] = {}
    undone: dict[Any, str] = {}
    for record in records:
        body = record.body or {}
        if record.kind == "receipt":
            receipts[body.get("position")] = body
        if record.kind == "undo":
            undone[body.get("undone")] = record.record_id
    newest = [record for record in reversed(records) if record.kind in _KINDS][:_SHOWN]
    return [
        Done(
            record=record,
            receipt=receipts.get(record.position, {}),
            undone_by=undone.get(record.record_id, ""),
        )
        for record in newest
    ]


def plan(visit: Visit) -> Page:
    """Show one plan: why it waits, what it changes word by word, and what each line stands on."""
    found = visit.memory.plan(visit.path["plan_id"])
    changes = list(changed(found))
    return Page(
        template="plan.html",
        values={
            "plan": found,
            "changes": changes,
            "grounds": grounds(visit.memory, _new_seqs(changes)),
            "undo_id": _undo_of(visit.memory, found) if visit.may("log") else "",
        },
    )


def changed(found: PlanView) -> Iterator[Changed]:
    """Give the documents that a plan changes, in id order."""
    ids = [
        document_id
        for document_id in sorted({*found.before, *found.after}, key=_by_number)
        if found.before.get(document_id) != found.after.get(document_id)
    ]
    compared = across(
        {key: compare(found.before.get(key, ""), found.after.get(key, "")) for key in ids}
    )
    for document_id, stretches in compared.items():
        fate = "changed" if document_id in found.after else "retired"
        yield Changed(
            document_id=document_id,
            title=_title(stretches),
            fate="new" if document_id not in found.before else fate,
            stretches=stretches,
        )


def _title(stretches: Sequence[Stretch]) -> str:
    sides = (row.right or row.left for stretch in stretches for row in stretch.rows)
    return next((side.line.text for side in sides if side and side.line.kind == "title"), "")


def _new_seqs(changes: Sequence[Changed]) -> Iterator[int]:
    for change in changes:
        for stretch in change.stretches:
            for row in stretch.rows:
                side = row.right if row.change != "same" else None
                yield from side.line.seqs if side else ()


def _by_number(document_id: str) -> tuple[int, str]:
    digits = document_id.lstrip("d")
    return (int(digits) if digits.isdecimal() else -1, document_id)


def _undo_of(memory: Memory, found: PlanView) -> str:
    """Give the id of the undo that put a plan out of force; undoing that brings it back."""
    if found.state != "undone":
        return ""
    undos = memory.log(after=found.position, kind="undo")
    ids = [r.record_id for r in undos if (r.body or {}).get("undone") == found.plan_id]
    return ids[-1] if ids else ""


def approve(visit: Visit) -> Go:
    """Approve a plan; one that is out of date leads to the plan that was made anew."""
    plan_id = visit.path["plan_id"]
    try:
        visit.memory.approve(plan_id, by=visit.grant.name, reason=visit.asked("reason"))
    except StalePlanError as error:
        if not error.instead:
            raise
        return Go(to=address("plans", error.instead), note=("did.stale", plan_id))
    return Go(to=address("plans", plan_id), note=("did.approved", plan_id))


def reject(visit: Visit) -> Go:
    """Reject a plan, with a reason: its entries are placed word for word."""
    plan_id = visit.path["plan_id"]
    visit.memory.reject(plan_id, by=visit.grant.name, reason=visit.asked("reason"))
    return Go(to=address("plans", plan_id), note=("did.rejected", plan_id))


def undo(visit: Visit) -> Reply:
    """Undo a plan, a retraction, or an undo."""
    plan_id = visit.path["plan_id"]
    undone = visit.memory.undo(plan_id, by=visit.grant.name, reason=visit.asked("reason"))
    to = address("inbox")
    if undone.what == "plan":
        to = address("plans", undone.undone)
    elif undone.what == "undo" and visit.may("log"):
        to = _where(visit, undone.undone)
    return Go(to=to, note=(f"did.undone.{undone.what}", undone.undone))


def _where(visit: Visit, undone: str) -> str:
    """Give the plan that an undone undo was about; else the inbox."""
    for record in visit.memory.log(kind="undo"):
        if record.record_id == undone:
            plan_id = str((record.body or {}).get("undone", ""))
            try:
                visit.memory.plan(plan_id)
            except (NotFoundError, ForgottenError):
                break
            return address("plans", plan_id)
    return address("inbox")


def consolidate(visit: Visit) -> Go:
    """Place what waits in CURRENT, as the settings say: at once, or as plans to be approved."""
    receipts = visit.memory.consolidate()
    waiting = visit.memory.waiting()
    if waiting:
        return Go(to=address("inbox"), note=("did.planned", str(len(waiting))))
    placed = sum(len(cast("Sequence[int]", receipt.placed)) for receipt in receipts)
    return Go(to=address("inbox"), note=("did.placed", str(placed)))
