"""One run of maintenance by a model: it is asked between locks, and code decides on what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Literal

from memoranda.errors import (
    BudgetError,
    MemorandaError,
    PlanError,
    ReviewNeededError,
    StalePlanError,
)
from memoranda.reports import Run
from memoranda.store import parking
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Plan
from memoranda.write import answers as windows
from memoranda.write import facts, shapes
from memoranda.write.answers import Answers
from memoranda.write.asked import Heeder
from memoranda.write.by_model import Maintainer
from memoranda.write.by_model.extract import BATCH as EXTRACTED
from memoranda.write.by_model.rewrite import BATCH as REWRITTEN
from memoranda.write.by_model.route import by_rules
from memoranda.write.calls import Ledger
from memoranda.write.consolidate import Consolidator, Watch
from memoranda.write.course import AwayError, Course, by_whom, must_be_there
from memoranda.write.draft import NOTHING, Draft
from memoranda.write.intake import BY

Hold = Callable[[], AbstractContextManager[None]]
"""Gives the scope to this thread and process alone, for one step between questions."""
Make = Callable[[str], Maintainer]
"""Makes who asks for the steps of one plan, by the plan's id."""
ANEW = 2
"""So often a window is asked about again because it changed meanwhile; then rules plan it."""
SHAPED = 4
"""So many rounds of splits and merges at most after one window."""
SEEN = "shaped"
"""Name of the note in the database: the epoch whose documents a model has seen for splits and merges."""


End = Literal["done", "changed", "left"]
"""How a split or merge ended: applied, out of date, or left as it is."""


class Upkeep:
    """Maintains one scope by a model.

    State is read and plans are applied while the scope is held; the model is asked while it is not.
    So adds, forgets and other consolidators go on meanwhile, and what changed under a question is
    asked about again, or left to the rules. Nothing of a reply is kept but in a plan.
    """

    def __init__(
        self, home: Home, consolidator: Consolidator, make: Make, hold: Hold, ledger: Ledger
    ) -> None:
        """Take the parts.

        Args:
            home: the scope.
            consolidator: applies plans, and plans by rules.
            make: makes a maintainer for a plan.
            hold: holds the scope for one step.
            ledger: takes the records of calls, and puts them into the log.
        """
        self._home = home
        self._consolidator = consolidator
        self._make = make
        self._hold = hold
        self._ledger = ledger
        self._ledger.at_once = self._settle
        self._watch: Watch | None = None
        self._by_hand = True
        self._course = Course()

    def _settle(self) -> None:
        """Put a call into the log as soon as it was made; what can't be now is done at the end."""
        with suppress(MemorandaError), self._hold():
            self._ledger.settle(self._home)

    def run(
        self,
        *,
        watch: Watch | None = None,
        progress: Callable[[int, int], None] | None = None,
        by_hand: bool = True,
    ) -> Run:
        """Word, place and shape all that stood in CURRENT at the beginning and that no plan holds.

        What an undo set free is left alone unless somebody asked for the run (`by_hand`).

        Reaching a limit of the budget ends the run: what was applied stays, the rest waits for the
        next one. Every other failure of the model is left to the rules, and told in what is given.
        """
        self._watch, self._by_hand, self._course = watch, by_hand, Course()
        with self._hold():
            upto = self._home.view.counter("seq")
            total = len(self._free())
        try:
            self._word(upto)
            for left in self._places():
                if progress is not None:
                    progress(max(0, total - left), total)
            self._shape()
        except (BudgetError, AwayError) as error:
            self._course.stopped = str(error)
        finally:
            with self._hold():
                self._ledger.settle(self._home)
        if progress is not None and total and not self._course.stopped:
            progress(total, total)
        return self._told()

    def _told(self) -> Run:
        run = self._course.told(at=self._home.log.now(), spent=self._ledger.spent())
        with self._hold():
            self._ledger.note(self._home, run)
        return run

    @contextmanager
    def _asking(self, plan_id: str) -> Iterator[Maintainer]:
        """Give whom to ask for a plan; what became of it is noted, and its calls go into the log."""
        maintainer = self._make(plan_id)
        try:
            yield maintainer
        finally:
            self._course.note(maintainer.report)
            with self._hold():
                self._ledger.settle(self._home)

    # --- words --------------------------------------------------------------------------------

    def _word(self, upto: int) -> None:
        """Show a model what it has not seen of CURRENT, batch by batch, and plan its words."""
        while True:
            with self._hold():
                self._ledger.read(self._home)
                batch = facts.next_batch(
                    self._home, tokens=self._most(EXTRACTED), upto=upto, undone=self._by_hand
                )
                plan_id = self._home.log.new_id("plan")
            if batch is None:
                return
            with self._asking(plan_id) as maintainer:
                made = maintainer.extract(batch.events(), keys=batch.keys)
            must_be_there(maintainer, self._course)
            by = by_whom(maintainer)
            with self._hold():
                plan = facts.plan_of(batch, made, self._home, plan_id=plan_id, by=by)
                if plan.window:
                    self._worded(batch, plan)
                facts.note_wishes(batch, made, self._home, by=by)
                Heeder(self._home).heed()

    def _worded(self, batch: facts.Batch, plan: Plan) -> None:
        """Apply a plan of words, or let it wait; what may not be is kept word for word."""
        consolidator, mode = self._consolidator, self._home.settings.mode
        try:
            if mode != "auto":
                consolidator.park(plan, mode)
                return
            self._course.receipts.append(consolidator.apply(plan, NOTHING, self._watch))
        except ReviewNeededError as review:
            if review.seqs:
                self._worded(batch, facts.without(plan, review.seqs))
            else:
                consolidator.park(plan, mode)
        except StalePlanError:
            return  # an entry changed meanwhile: the rest of them is asked about again
        except PlanError as error:
            if not plan.operations:
                raise
            self._course.fell("extract", "refused_plan")
            text = f"the model's plan was refused: {error}"
            made = {"plan_id": self._home.log.new_id("plan"), "by": BY, "warning": text}
            self._worded(batch, facts.nothing_of(batch, self._home, **made))

    # --- places -------------------------------------------------------------------------------

    def _free(self) -> list[int]:
        """Give the entries that are to be placed: what no plan holds, but what is to be worded first."""
        shadow = self._home.settings.mode == "shadow"
        given = {"shadow": shadow, "undone": self._by_hand}
        unread = {place.seq for place in self._home.view.unread(**given)}
        return [p.seq for p in self._home.view.free(**given) if p.seq not in unread]

    def _most(self, of_a_call: int) -> int:
        """Say how many tokens are planned at once: no more than one call shows, so none is lost."""
        settings = self._home.settings
        return min(settings.current_tokens, settings.prompt_tokens, of_a_call)

    def _next_window(self, free: Sequence[int]) -> list[int]:
        places = self._home.view.places(free)
        window: list[int] = []
        tokens = 0
        for seq in self._home.view.as_said(places):
            tokens += places[seq].tokens
            if window and tokens > self._most(REWRITTEN):
                break
            window.append(seq)
        return sorted(window)

    def _places(self) -> Iterator[int]:
        """Place window after window; gives how many entries are left before each."""
        anew = 0
        while True:
            with self._hold():
                free = self._free()
                window = self._next_window(free)
            if not window:
                return
            yield len(free)
            placed = self._placed(window, by_rules=anew >= ANEW)
            anew = 0 if placed else anew + 1
            if self._course.over is not None:
                raise self._course.over
            if placed:
                self._shape()

    def _placed(self, window: list[int], *, by_rules: bool) -> bool:
        """Place a window; False if it changed while the model was asked."""
        mode = self._home.settings.mode
        if by_rules:
            self._course.fell("rewrite", "changed_meanwhile")
            with self._hold():
                free = set(self._free())
                left = [seq for seq in window if seq in free]
                if left:
                    self._course.receipts += self._consolidator.settle(left, self._watch, mode=mode)
            return True
        answered = self._answers(window)
        if answered is None:
            return False
        with self._hold():
            if not self._is_as_asked(answered.asked, answered.rewriting.draft):
                return False
            planned = windows.Planned(answered, self._consolidator, self._home, self._course.fell)
            self._course.receipts += self._consolidator.settle(
                window, self._watch, mode=mode, planned=planned
            )
            for plan in windows.doubtful_plans(answered, self._home):
                self._parked(plan, "rewrite")
        return True

    def _parked(self, plan: Plan, step: str) -> None:
        """Let a plan wait; one that may never be applied is told and left."""
        try:
            self._consolidator.park(plan, self._home.settings.mode)
        except PlanError:
            self._course.fell(step, "refused_plan")

    def _is_as_asked(self, asked: windows.Asked, draft: Draft) -> bool:
        """Say whether a window still waits to be placed, in the words that the model was shown."""
        window = asked.window
        free = set(window) <= set(self._free())
        return free and windows.is_as_asked(asked, draft, window, self._home.view)

    def _answers(self, window: list[int]) -> Answers | None:
        """Ask about a window; None if it changed before all was asked.

        When the budget ends after the rewriting, that is used, and rules choose the places: else
        every run would pay for it again.
        """
        with self._hold():
            self._ledger.read(self._home)
            asked = windows.asked_about(window, self._home)
            plan_id = self._home.log.new_id("plan")
        with self._asking(plan_id) as maintainer:
            rewriting = maintainer.rewrite(asked.rewriting)
            with self._hold():
                self._ledger.read(self._home)
                if not self._is_as_asked(asked, rewriting.draft):
                    return None
                blocks, versions = windows.blocks_of(rewriting, self._home)
                taken = windows.taken_titles(self._home.view)
            try:
                routing = maintainer.route(blocks, taken=taken)
            except BudgetError as error:
                self._course.over, routing = error, by_rules(blocks)
                self._course.fell("route", "budget")
        must_be_there(maintainer, self._course)
        return Answers(
            asked=asked,
            rewriting=rewriting,
            routing=routing,
            versions=versions,
            plan_id=plan_id,
            by=by_whom(maintainer),
        )

    # --- shapes -------------------------------------------------------------------------------

    def _shape(self) -> None:
        """Split what is too large and merge what is small, as the model says, once an epoch.

        What changed while the model was asked about it is looked at again, in the next round or run.
        """
        home = self._home
        with self._hold():
            epoch = home.view.counter("epoch")
            known = int(home.log.meta(SEEN) or b"-1")
        if home.settings.structure == "off" or known >= epoch:
            return
        for _ in range(SHAPED):
            with self._hold():
                self._ledger.read(home)
                large = shapes.large(home)
            ends = [self._split(item) for item in large]
            if all(end == "left" for end in ends):
                break
        for _ in range(SHAPED):
            end = self._merge()
            if end != "changed":
                break
        if end == "changed":
            return
        with self._hold(), home.log.transaction():
            home.log.set_meta(SEEN, str(epoch).encode())

    def _split(self, large: shapes.Large) -> End:
        home, versions = self._home, {large.document_id: large.version}
        with self._hold():
            if not self._stand(versions):
                return "changed"
            plan_id, taken = home.log.new_id("plan"), windows.taken_titles(home.view)
        limit = home.settings.split_tokens
        with self._asking(plan_id) as maintainer:
            made = maintainer.split(large.blocks, title=large.title, limit=limit, taken=taken)
        if not made.parts:
            return "left"
        who = {"plan_id": plan_id, "by": by_whom(maintainer)}
        return self._shaped(
            "split", versions, lambda index: shapes.Shaper(home, index, **who).split(large, made)
        )

    def _merge(self) -> End:
        home = self._home
        with self._hold():
            self._ledger.read(home)
            few = shapes.few(home)
            plan_id, taken = home.log.new_id("plan"), windows.taken_titles(home.view)
        if few is None:
            return "left"
        limit = home.settings.split_tokens
        with self._asking(plan_id) as maintainer:
            made = maintainer.merge(few.documents, few.rules, limit=limit, taken=taken)
        if not made.unions:
            return "left"
        who = {"plan_id": plan_id, "by": by_whom(maintainer)}
        return self._shaped(
            "merge", few.versions, lambda index: shapes.Shaper(home, index, **who).merge(few, made)
        )

    def _stand(self, versions: Mapping[str, int]) -> bool:
        """Say whether documents are as they were."""
        infos = {name: self._home.view.document(name) for name in versions}
        return all(info is not None and info.version == versions[n] for n, info in infos.items())

    def _shaped(
        self, step: str, versions: Mapping[str, int], plan: Callable[[FtsIndex], Plan]
    ) -> End:
        """Apply a split or merge, or let it wait; one that can't be applied is told and left."""
        home, mode = self._home, self._home.settings.mode
        with self._hold():
            if not self._stand(versions):
                self._course.fell(step, "changed_meanwhile")
                return "changed"
            made = home.reading(plan)
            try:
                if mode == "auto":
                    receipt = self._consolidator.apply(made, NOTHING, self._watch)
                    self._course.receipts.append(receipt)
                    return "done"
            except ReviewNeededError:
                pass
            except PlanError:
                self._course.fell(step, "refused_plan")
                return "left"
            if not parking.is_known(home.log.connection, made):
                self._parked(made, step)
            return "left"
