"""Applying a plan: whole or not at all, on the versions it saw; the only way documents change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from memoranda.errors import PlanError, ReviewNeededError
from memoranda.store.fold import Fold
from memoranda.store.log import Log
from memoranda.store.operations import (
    Create,
    Duplicate,
    Merge,
    Plan,
    Split,
    Supersede,
    Update,
)
from memoranda.store.view import Place, View
from memoranda.values import Proposal, Receipt
from memoranda.write.admit import admit, changed_documents
from memoranda.write.draft import Draft, heading_of
from memoranda.write.plan import check
from memoranda.write.policy import Allowed, NeedsApproval, Refused, judge


def receipt_of(plan: Plan, *, position: int) -> Receipt:
    """Say what applying a plan does."""
    created = [op.document_id for op in plan.operations if isinstance(op, Create)]
    created += [
        part.document_id for op in plan.operations if isinstance(op, Split) for part in op.parts
    ]
    duplicates = [(op.seq, op.of) for op in plan.operations if isinstance(op, Duplicate)]
    repeated = {seq for seq, _ in duplicates}
    return Receipt(
        plan_id=plan.plan_id,
        kind=plan.kind,
        position=position,
        created=tuple(created),
        updated=tuple(op.document_id for op in plan.operations if isinstance(op, Update | Merge)),
        split=tuple(op.document_id for op in plan.operations if isinstance(op, Split)),
        retired=tuple(
            name for op in plan.operations if isinstance(op, Merge) for name in op.absorbs
        ),
        placed=tuple(seq for seq in plan.window if seq not in repeated),
        duplicates=tuple(duplicates),
        superseded=tuple(
            (op.older, op.newer) for op in plan.operations if isinstance(op, Supersede)
        ),
        warnings=plan.warnings,
    )


class Applier:
    """Applies plans to one scope, and shows what applying would do."""

    def __init__(self, log: Log, fold: Fold, view: View) -> None:
        self._log = log
        self._fold = fold
        self._view = view

    def apply(self, plan: Plan) -> Receipt:
        """Apply a plan: one transaction holds the plan, its effect and its receipt.

        Raises:
            ConservationError: the plan loses or doubles an entry.
            StalePlanError: a document has moved on since the plan was made.
            ReviewNeededError: policy wants a person to look first.
            PlanError: policy refuses the plan.
        """
        with self._log.transaction():
            self._admit(plan)
            record = self._log.append("plan", plan.to_json(), plan.plan_id)
            self._fold.apply(record)
            receipt = receipt_of(plan, position=record.position)
            self._fold.apply(self._log.append("receipt", receipt.to_dict()))
        return receipt

    def propose(self, plan: Plan, draft: Draft) -> Proposal:
        """Show each document before and after a plan; nothing is kept."""
        named = sorted(_documents(plan))
        before = {name: self._view.printed(name).text for name in named if self._live(name)}
        with self._trying():
            self._admit(plan)
            record = self._log.append("plan", plan.to_json(), plan.plan_id)
            self._fold.apply(record)
            changed = [name for name, _, retired in self._view.changed(record.position - 1)]
            after = {name: self._view.printed(name).text for name in changed if self._live(name)}
        for name in changed:
            if name not in before and self._live(name):
                before[name] = self._view.printed(name).text
        return Proposal(
            plan_id=plan.plan_id,
            kind=plan.kind,
            epoch=plan.epoch,
            window=plan.window,
            draft=tuple((heading_of(segment).text, segment) for segment in draft.segments),
            before=before,
            after=after,
            receipt=receipt_of(plan, position=self._log.position()),
        )

    @contextmanager
    def _trying(self) -> Iterator[None]:
        self._view.forget_prints()
        try:
            with self._log.trial():
                yield
        finally:
            self._view.forget_prints()

    def _live(self, document_id: str) -> bool:
        return self._view.document(document_id) is not None

    def _admit(self, plan: Plan) -> None:
        """Check a plan against the laws, the state and the policy."""
        places = self._view.places(_seqs(plan))
        lines = {place.seq for place in places.values() if place.seq == place.line}
        check(plan, lines=lines - set(plan.window))
        admit(plan, self._view)
        self._judge(plan, places)

    def _judge(self, plan: Plan, places: Mapping[int, Place]) -> None:
        projects = {
            name: info.project
            for name in _documents(plan)
            if (info := self._view.document(name)) is not None
        }
        verdict = judge(plan, places=places, projects=projects)
        match verdict:
            case Allowed():
                return
            case NeedsApproval(reasons=reasons):
                raise ReviewNeededError(reasons)
            case Refused(reasons=reasons):
                raise PlanError("plan refused: " + "; ".join(reasons))


def _documents(plan: Plan) -> set[str]:
    named = {name for operation in plan.operations for name in changed_documents(operation)}
    return named | set(plan.versions)


def _seqs(plan: Plan) -> set[int]:
    found = set(plan.window)
    for operation in plan.operations:
        match operation:
            case Supersede(older=older, newer=newer):
                found |= {older, newer}
            case Duplicate(seq=seq, of=of):
                found |= {seq, of}
            case Create(blocks=blocks) | Update(blocks=blocks):
                found |= {seq for block in blocks for seq in block.seqs}
            case _:
                pass
    return found
