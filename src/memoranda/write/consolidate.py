"""The steps in order: window, rewrite, supersede, route, plan, apply, reshape; resumable between any two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from memoranda.errors import BusyError, PlanError, ReviewNeededError, StalePlanError
from memoranda.store import parking
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Plan
from memoranda.store.view import Place
from memoranda.store.waiting import Waiting
from memoranda.text.times import instant
from memoranda.values import Proposal, Receipt
from memoranda.write.apply import Applier
from memoranda.write.draft import NOTHING, Draft, rewrite
from memoranda.write.plan import repair
from memoranda.write.policy import NeedsApproval, Rule
from memoranda.write.propose import Proposer, consolidation
from memoranda.write.risks import requests
from memoranda.write.splits import reshaping
from memoranda.write.supersede import supersessions

Watch = Callable[[Proposal], None]
PlanWindow = Callable[[Sequence[int], int], tuple[Draft, Plan]]
"""Plans entries of CURRENT; the number says how much plainer than at first."""
TRIES = 6
"""How often the plan of one window is made again before giving up."""
WARNINGS: tuple[tuple[str, ...], ...] = (
    (),
    ("the first plan was refused: supersessions of this window were left out",),
    ("the first plans were refused: supersessions and repetitions were left out",),
)


class Consolidator:
    """Consolidates one scope by rules. Call `run_*` and `propose` under the scope's lock.

    Each step ends in a committed transaction; what a kill leaves undone is found in the state again:
    entries still in CURRENT, documents still too large, files that lag.

    In mode `auto` what policy allows is applied, and what needs approval waits; in `review` all
    plans wait, in `shadow` they are recorded and change nothing. What waits holds its entries back
    from other plans.
    """

    def __init__(self, home: Home, rules: Sequence[Rule] = ()) -> None:
        self._home = home
        self._mode = home.settings.mode
        self.applier = Applier(home.log, home.fold, home.view, rules, home.settings.trust)
        self._waiting = Waiting(home.log.connection, shadow=self._mode == "shadow")

    # --- due ----------------------------------------------------------------------------------

    def is_due(self) -> bool:
        """Say whether CURRENT has reached its size or its age (R93, R94)."""
        return self.due_since() is not None

    def due_since(self) -> str | None:
        """Say since when CURRENT is due; None when it is not."""
        queue, settings = self._waiting.look(), self._home.settings
        if queue.since is None:
            return None
        first, now = instant(queue.since), instant(self._home.log.now())
        if (now - first).total_seconds() >= settings.current_seconds:
            ripe = first + timedelta(seconds=settings.current_seconds)
            return ripe.isoformat().replace("+00:00", "Z")
        return queue.since if queue.tokens >= settings.current_tokens else None

    # --- windows ------------------------------------------------------------------------------

    def _window(self, *, undone: bool = False) -> list[Place]:
        """Take the oldest entries of CURRENT, up to the tokens of one window, but at least one."""
        window: list[Place] = []
        tokens = 0
        for place in self._free(self._home.settings.current_tokens, undone=undone):
            tokens += place.tokens
            if window and tokens > self._home.settings.current_tokens:
                break
            window.append(place)
        return window

    def _free(self, limit: int | None = None, *, undone: bool = False) -> list[Place]:
        """Give the lines of CURRENT that no plan holds; with `undone` what an undo set free too."""
        return self._home.view.free(shadow=self._mode == "shadow", undone=undone, limit=limit)

    def run_due(self) -> list[Receipt]:
        """Consolidate as long as CURRENT is due, one window at a time."""
        receipts = list(self._reshape(None))
        while self.is_due():
            receipts += self._one(None)
        return receipts

    def run_all(
        self,
        *,
        watch: Watch | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Receipt]:
        """Plan all of CURRENT that no plan holds, what an undo set free included: people ask for it."""
        receipts = list(self._reshape(watch))
        total = len(self._free(undone=True))
        while left := len(self._free(undone=True)):
            if progress is not None:
                progress(total - left, total)
            receipts += self._one(watch, undone=True)
        if progress is not None and total:
            progress(total, total)
        return receipts

    def _one(self, watch: Watch | None, *, undone: bool = False) -> list[Receipt]:
        """Consolidate one window, then split and merge what it touched."""
        window = [place.seq for place in self._window(undone=undone)]
        return [*self.settle(window, watch, mode=self._mode), *self._reshape(watch)]

    def settle(
        self,
        window: Sequence[int],
        watch: Watch | None = None,
        *,
        mode: str,
        planned: PlanWindow | None = None,
    ) -> list[Receipt]:
        """Plan a window, and apply the plan or let it wait.

        A plan that is stale is made again. One that is refused is made again with less: first
        without supersessions, then without duplicates, so that one odd entry holds up no others.
        One that needs approval waits; when that is about some entries only, these wait by
        themselves, and the rest is planned without them.

        Args:
            window: entries of CURRENT, oldest first.
            watch: sees each plan that is applied, before.
            mode: `auto` applies what policy allows; in others the plan waits, or is only kept.
            planned: plans entries, as the method of that name does, which is the default.
        """
        planned = planned or self.planned
        plainer, waits = 0, mode != "auto"
        for _ in range(TRIES):
            try:
                draft, plan = planned(window, plainer)
                if not waits:
                    return [self.apply(plan, draft, watch)]
                self.park(plan, mode)
            except ReviewNeededError as review:
                held = [seq for seq in window if seq in review.seqs]
                if held and len(held) < len(window):
                    rest = [seq for seq in window if seq not in review.seqs]
                    receipts = self.settle(held, watch, mode=mode, planned=planned)
                    return receipts + self.settle(rest, watch, mode=mode, planned=planned)
                waits = True
                continue
            except (StalePlanError, BusyError):
                continue
            except PlanError:
                if plainer == len(WARNINGS) - 1:
                    raise
                plainer += 1
                continue
            return []
        raise BusyError("CURRENT", self._home.settings.busy_seconds)

    def planned(self, window: Sequence[int], plainer: int = 0) -> tuple[Draft, Plan]:
        """Draft and plan entries of CURRENT, by rules.

        Args:
            window: the entries, oldest first.
            plainer: 1 finds no supersessions, 2 no repetitions either.
        """
        lines = self._home.view.entries(window)
        entries = [lines[seq] for seq in window]
        said = [lines[seq] for seq in self._home.view.as_said(window)]

        def work(index: FtsIndex) -> tuple[Draft, Plan]:
            view = self._home.view
            trusted = self._home.settings.trust == "model"
            found = supersessions(entries, view, index, by_key=trusted) if plainer < 1 else ()
            draft = rewrite(said, view, found, duplicates=plainer < 2)
            plan = repair(consolidation(draft, self._home, index))
            more = (*WARNINGS[plainer], *requests(entries))
            return draft, replace(plan, warnings=(*plan.warnings, *more))

        return self._home.reading(work)

    def refresh(self, document_ids: Sequence[str]) -> None:
        """Summarise documents anew, after something in them was retracted."""
        plan = self._home.reading(
            lambda index: Proposer(self._home, index).refreshing(document_ids)
        )
        if plan is not None:
            self.apply(plan, NOTHING, None, approved=True)

    def _reshape(self, watch: Watch | None, mode: str | None = None) -> Iterator[Receipt]:
        """Split and merge until nothing is left to do, or what is left waits (R133-R147)."""
        mode = mode or self._mode
        if self._home.settings.structure == "off":
            return
        while True:
            plan = self._home.reading(lambda index: reshaping(self._home, index))
            if plan is None:
                return
            if mode == "auto":
                try:
                    yield self.apply(plan, NOTHING, watch)
                    continue
                except ReviewNeededError:
                    pass
            if not parking.is_known(self._home.log.connection, plan):
                self.park(plan, mode)
            return

    def reshape(self, mode: str | None = None) -> list[Receipt]:
        """Split and merge what was touched, or let it wait; in another mode than the handle's if given."""
        return list(self._reshape(None, mode))

    def apply(
        self, plan: Plan, draft: Draft, watch: Watch | None, *, approved: bool = False
    ) -> Receipt:
        """Apply a plan; `watch` sees it before. What goes wrong shows in status (errors: `Applier`)."""
        try:
            if watch is not None:
                watch(self.applier.propose(plan, draft, approved=approved))
            receipt = self.applier.apply(plan, approved=approved)
        except ReviewNeededError:
            raise
        except PlanError as error:
            self.failed(str(error))
            raise
        self._mended()
        self._home.step()
        return receipt

    def park(self, plan: Plan, mode: str) -> None:
        """Record a plan that waits, or in mode `shadow` is only to be looked at (errors: `Applier`)."""
        try:
            self.applier.park(plan, mode)
        except PlanError as error:
            self.failed(str(error))
            raise
        self._mended()

    def _mended(self) -> None:
        if self._home.log.meta("failed"):
            self.failed("")

    def failed(self, reason: str) -> None:
        """Keep what went wrong for `status`; "" once it is mended."""
        with self._home.log.transaction():
            self._home.log.set_meta("failed", reason.encode())

    def propose(self) -> Proposal | None:
        """Show what the next window's plan would do; None when no plan is to be made."""
        window = [place.seq for place in self._window(undone=True)]
        if not window:
            return None
        draft, plan = self.planned(window)
        proposal = self.applier.propose(plan, draft, approved=True)
        verdict = self.applier.verdict(plan)
        reasons = verdict.reasons if isinstance(verdict, NeedsApproval) else ()
        warnings = (*proposal.receipt.warnings, *(f"would wait: {reason}" for reason in reasons))
        return replace(proposal, receipt=replace(proposal.receipt, warnings=warnings))
