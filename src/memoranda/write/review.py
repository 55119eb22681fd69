"""Deciding on a plan that waits: approved it is applied whole, rejected its entries are placed plainly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from memoranda.errors import BusyError, InputError, NotFoundError, PlanError, StalePlanError
from memoranda.reports import Decided
from memoranda.store import parking
from memoranda.store.home import Home
from memoranda.store.log import Record
from memoranda.store.operations import Plan, Text
from memoranda.store.parking import Parked
from memoranda.values import Receipt
from memoranda.write.adopt import Adopter
from memoranda.write.consolidate import Consolidator
from memoranda.write.propose import Proposer
from memoranda.write.rebase import rebase

REJECTED = "its plan was rejected: placed by rules, without supersessions and repetitions"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A plan that waits, with what its proposal says of it."""

    plan: Plan
    seen: Mapping[str, list[Any]]


class Reviewer:
    """Decides on plans of one scope. Call it under the scope's lock.

    A decision and its effect are one transaction.
    """

    def __init__(
        self,
        home: Home,
        consolidator: Consolidator,
        *,
        reshapes: bool = True,
        adopter: Adopter | None = None,
    ) -> None:
        """Take the scope.

        Args:
            home: the scope.
            consolidator: applies plans.
            reshapes: let rules split and merge after a decision.
            adopter: takes in hand edits that waited.
        """
        self._home = home
        self._adopter = adopter
        self._consolidator = consolidator
        self._reshapes = reshapes

    def approve(self, plan_id: str, by: str | None, reason: str) -> Decided:
        """Apply a plan that waits.

        It is checked anew. On a state that has moved on it is applied if the lines that it touches
        are as they were; if not, it is planned anew, and waits again.

        Raises:
            NotFoundError, InputError: there is no such plan, or it does not wait.
            StalePlanError: it was planned anew; `instead` names the new plan.
        """
        found, waiting = self._pending(plan_id), self._waiting(plan_id)
        if found.kind == "edit":
            return self._taken_in(found, by, reason)
        try:
            with self._home.log.transaction():
                plan = self._home.reading(
                    lambda index: rebase(
                        waiting.plan, waiting.seen, self._home.view, Proposer(self._home, index)
                    )
                )
                decision = self._decide(found, "approved", by, reason)
                receipt = self._consolidator.applier.apply(plan, approved=True)
        except BusyError:
            raise
        except PlanError as error:
            raise self._anew(found, error) from error
        return self._decided(plan_id, "approved", decision, [receipt])

    def reject(self, plan_id: str, by: str | None, reason: str) -> Decided:
        """Refuse a plan that waits; place its entries verbatim, by rules, in the same transaction.

        It works for a plan whose record is damaged too.

        Raises:
            NotFoundError, InputError: there is no such plan, or it does not wait.
        """
        found = self._pending(plan_id)
        with self._home.log.transaction():
            words = found.kind in {
                "extract",
                "edit",
            }  # rejected, its entries keep their words in CURRENT
            window = () if words else parking.held(self._home.log.connection, plan_id)
            decision = self._decide(found, "rejected", by, reason)
            receipts = self._placed(window)
        return self._decided(plan_id, "rejected", decision, receipts)

    def _taken_in(self, found: Parked, by: str | None, reason: str) -> Decided:
        """Take in a hand edit that waited, on the library as it is now."""
        if self._adopter is None:
            raise InputError("hand edits are not taken in here: set adopt to true")
        with self._home.log.transaction():
            decision = self._decide(found, "approved", by, reason)
            receipt = self._adopter.approve(found.plan_id)
        return self._decided(found.plan_id, "approved", decision, [receipt])

    # --- steps ----------------------------------------------------------------------------------

    def _pending(self, plan_id: str) -> Parked:
        found = parking.plan(self._home.log.connection, plan_id)
        if found is None:
            waiting = parking.plans(self._home.log.connection, "pending")
            raise NotFoundError("plan", plan_id, tuple(item.plan_id for item in waiting))
        if found.state != "pending":
            raise InputError(_no_longer(found))
        return found

    def _waiting(self, plan_id: str) -> Waiting:
        record = self._home.log.record(self._pending(plan_id).position)
        body = None if record is None else record.body
        if body is None:
            raise NotFoundError("plan", plan_id)
        return Waiting(Plan.from_json(plan_id, body["plan"]), body["seen"])

    def _decide(
        self,
        found: Parked,
        state: Literal["approved", "rejected", "superseded"],
        by: str | None,
        reason: str,
    ) -> Record:
        """Record a decision; its reason goes when an entry of the plan is forgotten."""
        log = self._home.log
        text = Text(text=reason, made_from=found.seqs)
        body = {"plan_id": found.plan_id, "state": state, "by": by, "why": text.to_json()}
        record = log.append("decision", body)
        self._home.fold.apply(record)
        return record

    def _placed(self, window: Sequence[int]) -> list[Receipt]:
        if not window:
            return []
        _, plan = self._consolidator.planned(window, plainer=2)
        warnings = (*plan.warnings[1:], REJECTED)
        return [self._consolidator.applier.apply(replace(plan, warnings=warnings), approved=True)]

    def _anew(self, found: Parked, error: PlanError) -> StalePlanError:
        """Plan anew what can't be applied any more; the new plan waits too."""
        with self._home.log.transaction():
            window = parking.held(self._home.log.connection, found.plan_id)
            self._decide(found, "superseded", None, "")
            before = self._home.log.position()
            if found.kind == "extract":
                pass  # its entries are free again: they are shown to a model at the next run
            elif window:
                self._consolidator.settle(window, mode="review")
            else:
                self._consolidator.reshape("review")
        known = parking.plans(self._home.log.connection, "pending")
        instead = next((item.plan_id for item in known if item.position > before), "")
        if isinstance(error, StalePlanError):
            return StalePlanError(error.document_id, error.seen, error.found, instead=instead)
        return StalePlanError("the library", 0, before, instead=instead)

    def _decided(
        self,
        plan_id: str,
        state: Literal["approved", "rejected"],
        decision: Record,
        receipts: list[Receipt],
    ) -> Decided:
        return Decided(
            plan_id=plan_id,
            state=state,
            position=decision.position,
            by=(decision.body or {})["by"],
            receipts=(*receipts, *(self._consolidator.reshape() if self._reshapes else ())),
        )


def _no_longer(found: Parked) -> str:
    if found.state == "shadow":
        return (
            f"plan {found.plan_id} was made in mode shadow, to be looked at only; "
            "consolidate in mode auto or review"
        )
    return f"plan {found.plan_id} does not wait: it is {found.state} already"
