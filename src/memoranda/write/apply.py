"""Applying a plan: whole or not at all, on the versions it saw; the only way documents change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from memoranda.errors import PlanError, ReviewNeededError
from memoranda.store.fold import Fold
from memoranda.store.log import Log
from memoranda.store.operations import (
    Create,
    Duplicate,
    Join,
    LeaveOut,
    Merge,
    Plan,
    Reword,
    Split,
    Supersede,
    Text,
    Update,
    gathered_by,
)
from memoranda.store.parking import named
from memoranda.store.view import View
from memoranda.values import Proposal, Receipt
from memoranda.write.admit import admit, changed_documents
from memoranda.write.draft import Draft, heading_of
from memoranda.write.plan import check
from memoranda.write.policy import Allowed, NeedsApproval, Refused, Rule, judge
from memoranda.write.rebase import seen
from memoranda.write.risks import Trust
from memoranda.write.standing import catalog_of


def receipt_of(plan: Plan, *, position: int) -> Receipt:
    """Say what applying a plan does."""
    created = [op.document_id for op in plan.operations if isinstance(op, Create)]
    created += [
        part.document_id for op in plan.operations if isinstance(op, Split) for part in op.parts
    ]
    duplicates = [(op.seq, op.of) for op in plan.operations if isinstance(op, Duplicate)]
    repeated = {seq for seq, _ in duplicates}
    left_out = [op.seq for op in plan.operations if isinstance(op, LeaveOut)]
    gone = {*left_out, *(s for op in plan.operations if isinstance(op, Reword) for s in op.seqs)}
    words = plan.kind == "extract"
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
        placed=() if words else tuple(seq for seq in plan.window if seq not in repeated),
        reworded=tuple(op.seqs for op in plan.operations if isinstance(op, Reword)),
        left_out=tuple(left_out),
        kept=tuple(seq for seq in plan.window if seq not in gone) if words else (),
        duplicates=tuple(duplicates),
        joined=tuple(op.seqs for op in plan.operations if isinstance(op, Join)),
        superseded=tuple(
            (op.older, op.newer) for op in plan.operations if isinstance(op, Supersede)
        ),
        warnings=plan.warnings,
    )


class Applier:
    """Applies plans to one scope, and shows what applying would do."""

    def __init__(
        self,
        log: Log,
        fold: Fold,
        view: View,
        rules: Sequence[Rule] = (),
        trust: Trust = "rules",
    ) -> None:
        self._log = log
        self._fold = fold
        self._view = view
        self._rules = tuple(rules)
        self._trust = trust

    def apply(self, plan: Plan, *, approved: bool = False) -> Receipt:
        """Apply a plan: one transaction holds the plan, its effect and its receipt.

        Args:
            plan: the plan.
            approved: a person said yes: what needs approval has it; what is refused stays refused.

        Raises:
            ConservationError: the plan loses or doubles an entry.
            StalePlanError: a document has moved on since the plan was made.
            ReviewNeededError: policy wants a person to look first.
            PlanError: policy refuses the plan.
        """
        with self._log.transaction():
            self._admit(plan, approved=approved)
            record = self._log.append("plan", plan.to_json(), plan.plan_id)
            self._fold.apply(record)
            receipt = receipt_of(plan, position=record.position)
            self._fold.apply(self._log.append("receipt", receipt.to_dict()))
        return receipt

    def park(self, plan: Plan, mode: str) -> Allowed | NeedsApproval:
        """Record a plan without applying it; give what policy says of it.

        Its entries stay in CURRENT. In mode `shadow` it is only to be looked at, in the others it
        waits for a decision.

        Raises:
            ConservationError, StalePlanError, PlanError: as `apply`.
        """
        with self._log.transaction():
            verdict = self.verdict(plan)
            reasons = verdict.reasons if isinstance(verdict, NeedsApproval) else ()
            sources = tuple(sorted(named(plan)))
            body = {
                "plan_id": plan.plan_id,
                "plan": plan.to_json(),
                "mode": mode,
                "verdict": "needs approval" if reasons else "allowed",
                "reasons": [Text(text=text, made_from=sources).to_json() for text in reasons],
                "seen": seen(plan, self._view),
            }
            self._fold.apply(self._log.append("proposal", body))
        return verdict

    def propose(self, plan: Plan, draft: Draft, *, approved: bool = False) -> Proposal:
        """Show each document before and after a plan; nothing is kept. Errors are those of `apply`."""
        documents = sorted(_documents(plan))
        before = {name: self._view.printed(name).text for name in documents if self._live(name)}
        with self._trying():
            self._admit(plan, approved=approved)
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

    def _admit(self, plan: Plan, *, approved: bool) -> None:
        """Check a plan against the laws, the state and the policy."""
        verdict = self.verdict(plan)
        if isinstance(verdict, NeedsApproval) and not approved:
            raise ReviewNeededError(verdict.reasons, verdict.seqs)

    def verdict(self, plan: Plan) -> Allowed | NeedsApproval:
        """Check a plan against the laws and the state, and give what policy says of it.

        Raises:
            ConservationError, StalePlanError, PlanError: as `apply`.
        """
        places = self._view.places(_seqs(plan))
        lines = {place.seq for place in places.values() if place.seq == place.line}
        check(plan, lines=lines - set(plan.window))
        admit(plan, self._view)
        catalog = catalog_of(plan, self._view, self._log)
        projects = {name: info.project for name, info in catalog.documents.items()}
        verdict = judge(
            plan,
            places=places,
            projects=projects,
            catalog=catalog,
            rules=self._rules,
            trust=self._trust,
        )
        if isinstance(verdict, Refused):
            raise PlanError("plan refused: " + "; ".join(verdict.reasons))
        return verdict


def _documents(plan: Plan) -> set[str]:
    named = {name for operation in plan.operations for name in changed_documents(operation)}
    return named | set(plan.versions)


def _seqs(plan: Plan) -> set[int]:
    found = set(plan.window)
    for operation in plan.operations:
        found.update(gathered_by(operation))
        if isinstance(operation, Create | Update):
            found.update(seq for block in operation.blocks for seq in block.seqs)
    return found
