"""The steps in order: window, rewrite, supersede, route, plan, apply, reshape; resumable between any two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from memoranda.errors import BusyError, PlanError, StalePlanError
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
from memoranda.write.propose import Proposer, consolidation, reshaping
from memoranda.write.supersede import supersessions

Watch = Callable[[Proposal], None]
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
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._applier = Applier(home.log, home.fold, home.view)
        self._waiting = Waiting(home.log.connection)

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

    def _window(self) -> list[Place]:
        """Take the oldest entries of CURRENT, up to the tokens of one window, but at least one."""
        window: list[Place] = []
        tokens = 0
        for place in self._home.view.current(limit=self._home.settings.current_tokens):
            tokens += place.tokens
            if window and tokens > self._home.settings.current_tokens:
                break
            window.append(place)
        return window

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
        """Empty CURRENT."""
        receipts = list(self._reshape(watch))
        total = len(self._home.view.current())
        while left := len(self._home.view.current()):
            if progress is not None:
                progress(total - left, total)
            receipts += self._one(watch)
        if progress is not None and total:
            progress(total, total)
        return receipts

    def _one(self, watch: Watch | None) -> list[Receipt]:
        """Consolidate one window, then split and merge what it touched.

        A plan that is stale is made again. One that is refused is made again with less: first
        without supersessions, then without duplicates, so that one odd entry holds up no others.
        """
        plainer = 0
        for _ in range(TRIES):
            try:
                draft, plan = self._next(plainer)
                receipt = self._apply(plan, draft, watch)
            except (StalePlanError, BusyError):
                continue
            except PlanError:
                if plainer == len(WARNINGS) - 1:
                    raise
                plainer += 1
                continue
            return [receipt, *self._reshape(watch)]
        raise BusyError("CURRENT", self._home.settings.busy_seconds)

    def _next(self, plainer: int = 0) -> tuple[Draft, Plan]:
        window = self._window()
        lines = self._home.view.entries(place.seq for place in window)
        entries = [lines[place.seq] for place in window]

        def work(index: FtsIndex) -> tuple[Draft, Plan]:
            view = self._home.view
            links = supersessions(entries, view, index) if plainer < 1 else ()
            draft = rewrite(entries, view, links, duplicates=plainer < 2)
            plan = repair(consolidation(draft, self._home, index))
            return draft, replace(plan, warnings=(*plan.warnings, *WARNINGS[plainer]))

        return self._home.with_index(work)

    def refresh(self, document_ids: Sequence[str]) -> None:
        """Summarise documents anew, after something in them was retracted."""
        plan = self._home.with_index(
            lambda index: Proposer(self._home, index).refreshing(document_ids)
        )
        if plan is not None:
            self._apply(plan, NOTHING, None)

    def _reshape(self, watch: Watch | None) -> Iterator[Receipt]:
        """Split and merge until nothing is left to do (R133-R147)."""
        if self._home.settings.structure == "off":
            return
        while True:
            plan = self._home.with_index(lambda index: reshaping(self._home, index))
            if plan is None:
                return
            yield self._apply(plan, NOTHING, watch)

    def _apply(self, plan: Plan, draft: Draft, watch: Watch | None) -> Receipt:
        if watch is not None:
            watch(self._applier.propose(plan, draft))
        try:
            receipt = self._applier.apply(plan)
        except PlanError as error:
            self.failed(str(error))
            raise
        if self._home.log.meta("failed"):
            self.failed("")
        return receipt

    def failed(self, reason: str) -> None:
        """Keep what went wrong for `status`; "" once it is mended."""
        with self._home.log.transaction():
            self._home.log.set_meta("failed", reason.encode())

    def propose(self) -> Proposal | None:
        """Show what the next window's plan would do; None when CURRENT is empty."""
        if not self._home.view.current(limit=1):
            return None
        draft, plan = self._next()
        return self._applier.propose(plan, draft)
