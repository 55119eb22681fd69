"""The deciding part of a memory: plans that wait, looked at, approved or rejected."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from memoranda.errors import InputError
from memoranda.memory.handle import Handle
from memoranda.reports import Decided, PlanState, PlanView
from memoranda.write.review import Reviewer
from memoranda.write.showing import Showing

if TYPE_CHECKING:
    from collections.abc import Callable


def _drawn(seed: int, plan_id: str) -> str:
    """Give a plan its place in a draw: the same for a seed, whatever else there is."""
    return hashlib.sha256(f"{seed}\0{plan_id}".encode()).hexdigest()


class Planning(Handle):
    """Shows plans, and takes decisions on those that wait."""

    def plans(self, state: PlanState | None = None) -> tuple[PlanView, ...]:
        """Give the plans that were not applied at once, oldest first, without documents.

        Args:
            state: `pending`, `approved`, `rejected`, `superseded` or `shadow`; None gives all.

        Raises:
            InputError: the handle is bound to a project: plans are the whole scope's.
        """
        self._may("plans")
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
        self._may("plan")
        self._whole_scope()
        with self._using():
            return self._showing().plan(plan_id)

    def sample_plans(self, number: int, *, seed: int = 1, after: int = 0) -> tuple[PlanView, ...]:
        """Draw applied plans for a person to review (R270), with documents before and after each.

        The same seed draws the same plans; when the log has grown, those that were drawn before
        stay in front of what is drawn no earlier. What to look for: topics wrongly merged, sources
        lost, inference written as fact.

        Args:
            number: at most so many; fewer where fewer were applied.
            seed: another one draws others.
            after: plans applied after this log position only.

        Raises:
            InputError: the number is not positive, or the handle is bound to a project.
        """
        self._may("sample_plans")
        self._whole_scope()
        if number < 1:
            raise InputError(f"draw 1 plan or more, not {number}")
        with self._using(), self._home.log.snapshot():
            rows = self._home.log.connection.execute(
                "SELECT id FROM record WHERE kind = 'plan' AND position > ?", (after,)
            ).fetchall()
            names = sorted((row[0] for row in rows), key=lambda name: _drawn(seed, name))
        found: list[PlanView] = []
        for name in names:
            if len(found) == number:
                break
            view = self.plan(name)
            if view.state in {"applied", "approved"}:
                found.append(view)
        return tuple(found)

    def waiting(self) -> tuple[str, ...]:
        """Give the ids of the plans that wait for a decision, oldest first."""
        self._may("waiting")
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
        self._may("approve")
        said = self._intake.screen.text(reason, "reason")
        return self._decide(lambda reviewer: reviewer.approve(plan_id, by, said))

    def reject(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Decided:
        """Refuse a plan that waits; its entries are placed verbatim, by rules, and not planned again.

        Arguments and errors are those of `approve`, but that it can't be stale.
        """
        self._may("reject")
        said = self._intake.screen.text(reason, "reason")
        return self._decide(lambda reviewer: reviewer.reject(plan_id, by, said))

    def _decide(self, decide: Callable[[Reviewer], Decided]) -> Decided:
        self._whole_scope()
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            try:
                by_rules = self._engine.by_rules  # else the model shapes, at its next run
                adopter = None if self._noticing is None else self._adopter
                reviewer = Reviewer(
                    self._home, self._consolidator, reshapes=by_rules, adopter=adopter
                )
                return decide(reviewer)
            finally:
                self._home.projection.sync()

    def _showing(self) -> Showing:
        return Showing(self._home, self._consolidator.applier)

    def _whole_scope(self) -> None:
        if not self._reach.all_projects:
            raise InputError("plans span all projects; open the memory with all_projects=True")
