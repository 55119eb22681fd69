"""The deciding part of a memory: plans that wait, looked at, approved or rejected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memoranda.errors import InputError
from memoranda.memory.handle import Handle
from memoranda.reports import Decided, PlanState, PlanView
from memoranda.write.review import Reviewer
from memoranda.write.showing import Showing

if TYPE_CHECKING:
    from collections.abc import Callable


class Planning(Handle):
    """Shows plans, and takes decisions on those that wait."""

    def plans(self, state: PlanState | None = None) -> tuple[PlanView, ...]:
        """Give the plans that were not applied at once, oldest first, without documents.

        Args:
            state: `pending`, `approved`, `rejected`, `superseded` or `shadow`; None gives all.

        Raises:
            InputError: the handle is bound to a project: plans are the whole scope's.
        """
        self._whole_scope()
        with self._using(), self._home.log.snapshot():
            return self._showing().plans(state)

    def plan(self, plan_id: str) -> PlanView:
        """Give a plan, one that was applied at once included, with documents before and after it.

        A plan that waits is shown on the state as it is, any other on the state that it was made
        on: made again from the log, which takes the longer the longer the log is.

        Raises:
            NotFoundError: there is no such plan; near names are those of plans that wait.
            InputError: the handle is bound to a project.
        """
        self._whole_scope()
        with self._using():
            return self._showing().plan(plan_id)

    def waiting(self) -> tuple[str, ...]:
        """Give the ids of the plans that wait for a decision, oldest first."""
        with self._using():
            return self._waiting()

    def approve(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided:
        """Apply a plan that waits: whole, in one transaction with the decision (R224, R226).

        It is checked anew. If documents have moved on, it is applied on them as they are, provided
        that the lines it touches have not changed.

        Args:
            plan_id: the plan.
            by: who decides.
            reason: why; it goes when an entry that the plan names is forgotten.

        Raises:
            NotFoundError: there is no such plan.
            InputError: it does not wait, or the handle is bound to a project.
            StalePlanError: what it touches has changed: it was planned anew, and `instead` waits.
        """
        return self._decide(lambda reviewer: reviewer.approve(plan_id, by, reason))

    def reject(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided:
        """Refuse a plan that waits; its entries are placed verbatim, by rules, and not planned again.

        Arguments and errors are those of `approve`, but that it can't be stale.
        """
        return self._decide(lambda reviewer: reviewer.reject(plan_id, by, reason))

    def _decide(self, decide: Callable[[Reviewer], Decided]) -> Decided:
        self._whole_scope()
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            try:
                by_rules = self._engine.by_rules  # else the model shapes, at its next run
                return decide(Reviewer(self._home, self._consolidator, reshapes=by_rules))
            finally:
                self._home.projection.sync()

    def _showing(self) -> Showing:
        return Showing(self._home, self._consolidator.applier)

    def _whole_scope(self) -> None:
        if not self._reach.all_projects:
            raise InputError("plans span all projects; open the memory with all_projects=True")
