"""A handle on one opened scope: one call at a time, errors that say what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memoranda.errors import BusyError, ForgottenError, MemorandaError, NotFoundError, StoreError
from memoranda.memory import extending
from memoranda.memory.clearance import Clearance, Role
from memoranda.memory.engine import Engine
from memoranda.memory.noticing import Noticing
from memoranda.read.reach import Reach, Withheld
from memoranda.reports import Forgotten
from memoranda.store import parking, requests, wiping
from memoranda.store.backup import sweep
from memoranda.store.calls import KEEPER
from memoranda.store.faults import telling
from memoranda.store.home import Home
from memoranda.store.log import Log
from memoranda.store.metadata import of_entries
from memoranda.values import Entry, Receipt, Sensitivity
from memoranda.write.adopt import Adopter
from memoranda.write.consolidate import Consolidator
from memoranda.write.forget import Forgetter
from memoranda.write.intake import Intake
from memoranda.write.policy import Rule

if TYPE_CHECKING:
    from memoranda.memory.sight import Sight


class Handle:
    """What reading and writing share."""

    def __init__(  # noqa: PLR0913 - what `Memory.open` has read
        self,
        home: Home,
        *,
        project: str | None,
        all_projects: bool,
        count: Callable[[str], int],
        rules: Sequence[Rule] = (),
        engine: Engine | None = None,
        clearance: Clearance | None = None,
    ) -> None:
        self._home = home
        self._clearance = clearance or Clearance()
        self._permits = extending.permits(home.settings)
        self._sight: Sight | None = None
        self._engine = engine or Engine(None)
        self._mutex = threading.RLock()
        self._closed = False
        self._heal = True
        self.opening: tuple[Receipt, ...] = ()
        """What was due when the memory was opened, and was done then."""
        self.finished: Forgotten | None = None
        """A forgetting that was interrupted, or that a restore had undone, and was done at opening."""
        self._project = project
        self._count = count
        self._requests: tuple[int, frozenset[int]] = (0, frozenset())
        self._whole_reach = Reach(
            project=project,
            all_projects=all_projects or project is None,
        )
        self._intake = Intake(
            home.log,
            home.fold,
            entry_tokens=home.settings.entry_tokens,
            secrets=home.settings.secrets,
            heeds=home.settings.asked_to_forget != "ignore",
        )
        self._consolidator = Consolidator(home, rules)
        self._adopter = Adopter(home, self._intake, project=project)
        self._noticing: Noticing | None = None

    @property
    def _reach(self) -> Reach:
        """What may be read: without what somebody asked to be forgotten, while that waits."""
        return self._reach_in(self._home.log)

    def _reach_in(self, log: Log) -> Reach:
        """Give what may be read of a state: the lines that are kept back are named as they stand there."""
        with self._mutex:
            if self._closed:
                return self._whole_reach
            newest = requests.newest(self._home.log)
            if newest != self._requests[0]:
                self._requests = (newest, requests.named(self._home.log))
            if not self._requests[1]:
                return self._whole_reach
            lines = requests.lines_of(self._requests[1], log)
        return replace(self._whole_reach, permits=(Withheld(lines),))

    @property
    def clearance(self) -> Sensitivity:
        """The highest sensitivity that the handle sees and may add."""
        return self._clearance.visible.clearance

    @property
    def role(self) -> Role:
        """What the handle may do."""
        return self._clearance.role

    @property
    def sees_all(self) -> bool:
        """Whether nothing of the scope is kept back: by clearance, projects, labels or checks."""
        return self._clearance.visible.is_all and not self._permits

    def _may(self, what: str) -> None:
        """Refuse an operation that the handle may not do; every public one asks first.

        Raises:
            NotAllowedError: it needs another role, or sight of everything.
        """
        self._clearance.check(what, permits=bool(self._permits))

    def _seen(self) -> Home:
        """Give the scope as this handle sees it, up to date: everything that is read is read there."""
        if self.sees_all:
            return self._home
        if self._sight is None:
            from memoranda.memory.sight import Sight  # noqa: PLC0415 - start-up time

            self._sight = Sight(self._home, self._clearance.visible, self._permits)
        self._sight.follow()
        return self._sight

    @contextmanager
    def _looked_at(self) -> Iterator[Home]:
        """Read one state of the scope as this handle sees it."""
        with self._using():
            home = self._seen()
            with home.log.snapshot():
                yield home

    def _told(self, receipts: Sequence[Receipt]) -> tuple[Receipt, ...]:
        """Give receipts as the handle may see them: a limited one is not told what others' lines became."""
        return tuple(receipts) if self.sees_all else ()

    @property
    def runs_by_itself(self) -> bool:
        """Say whether consolidation runs as soon as it is due.

        As the setting `auto` says; without it with rules only, and only if no model maintained the
        scope before: what waits for a model is not taken from it by the way.
        """
        auto = self._home.settings.auto
        if auto is not None:
            return auto
        return self._engine.by_rules and self._home.log.meta(KEEPER) != b"model"

    def _begin(self, *, heal: bool) -> None:
        """Heal the files, and consolidate what became due while nothing ran."""
        self._heal = heal
        if not heal:
            return
        if self._home.settings.adopt:
            self._noticing = Noticing(self._home, self._adopter)
        try:
            with self._telling(), self._home.try_locked() as held:
                sweep(self._home)
                wiping.sweep(self._home.folder.parents[2])
                if held:
                    self._finish()
                    self._home.projection.sync(check=True)
                    self._heed()
                    self.opening = self._told(self._due_now())
        except BaseException:
            self._home.close()
            raise

    def _heed(self) -> None:
        """Look for what requests to forget name, if a kill left some unheard."""

    def _finish(self) -> None:
        """Finish a forgetting that was interrupted; `status` names it while others are in the way."""
        with suppress(BusyError):
            done = Forgetter(self._home).finish()
            self.finished = done if self.sees_all else None

    def _telling(self) -> AbstractContextManager[None]:
        return telling(self._home.database, self._home.settings.busy_seconds)

    def close(self) -> None:
        """Bring CURRENT.md up to date and close every file. Closing again does nothing.

        While another process is at the files for too long, they are left to it, and to the next that
        opens or closes: nothing is lost by that.
        """
        with self._mutex:
            if self._closed:
                return
            self._closed = True
            try:
                if self._heal:
                    with suppress(BusyError), self._telling(), self._home.locked():
                        self._home.projection.sync()
            finally:
                if self._sight is not None:
                    self._sight.close()
                self._home.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let one call in at a time; refuse a closed memory; say what SQLite's faults mean."""
        with self._mutex:
            if self._closed:
                raise StoreError("this memory is closed; open it again")
            with self._telling():
                if self._noticing is not None:
                    self._noticing.look()
                yield

    def _due_now(self, *, always: bool = False) -> list[Receipt]:
        """Run by rules what is due. What goes wrong shows in status: the add before it stands."""
        wanted = always or (self.runs_by_itself and self._engine.by_rules)
        if not wanted or not self._consolidator.is_due():
            return []
        try:
            with self._telling():
                receipts = self._consolidator.run_due()
                self._home.projection.sync()
        except MemorandaError as error:
            with suppress(MemorandaError), self._telling():
                self._consolidator.failed(str(error))
            return []
        return receipts

    def _waiting(self, after: int = 0) -> tuple[str, ...]:
        """Give the ids of the plans that were proposed after a position and wait."""
        if not self.sees_all:
            return ()
        found = parking.plans(self._home.log.connection, "pending")
        return tuple(item.plan_id for item in found if item.position > after)

    def _entry(self, seq: int) -> Entry:
        home = self._seen()
        view = home.view
        line = view.line_of(seq) if 0 < seq < 1 << 63 else None
        found = None if line is None else view.entries([line]).get(line)
        if line is None and 0 < seq < 1 << 63 and self._reach.allows(view.project_of(seq)):
            when = view.forgotten(seq)
            if when is not None:
                raise ForgottenError("entry", seq, when)
        if found is None or not self._reach.allows(found.project):
            raise NotFoundError("entry", seq)
        told = replace(found, metadata=of_entries(found.seqs, home.log))
        return view.located(told)
