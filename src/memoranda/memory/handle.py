"""A handle on one opened scope: one call at a time, errors that say what to do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress

from memoranda.errors import BusyError, ForgottenError, MemorandaError, NotFoundError, StoreError
from memoranda.memory import extending
from memoranda.memory.engine import Engine
from memoranda.read.reach import Reach
from memoranda.reports import Forgotten
from memoranda.store import parking
from memoranda.store.backup import sweep
from memoranda.store.calls import KEEPER
from memoranda.store.faults import telling
from memoranda.store.home import Home
from memoranda.values import Entry, Receipt
from memoranda.write.consolidate import Consolidator
from memoranda.write.forget import Forgetter
from memoranda.write.intake import Intake
from memoranda.write.policy import Rule


class Handle:
    """What reading and writing share."""

    def __init__(
        self,
        home: Home,
        *,
        project: str | None,
        all_projects: bool,
        count: Callable[[str], int],
        rules: Sequence[Rule] = (),
        engine: Engine | None = None,
    ) -> None:
        self._home = home
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
        self._reach = Reach(
            project=project,
            all_projects=all_projects or project is None,
            permits=extending.permits(home.settings),
        )
        self._intake = Intake(home.log, home.fold, entry_tokens=home.settings.entry_tokens)
        self._consolidator = Consolidator(home, rules)

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
        try:
            with self._telling(), self._home.try_locked() as held:
                sweep(self._home)
                if held:
                    self._finish()
                    self._home.projection.sync(check=True)
                    self.opening = tuple(self._due_now())
        except BaseException:
            self._home.close()
            raise

    def _finish(self) -> None:
        """Finish a forgetting that was interrupted; `status` names it while others are in the way."""
        with suppress(BusyError):
            self.finished = Forgetter(self._home).finish()

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
                self._home.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let one call in at a time; refuse a closed memory; say what SQLite's faults mean."""
        with self._mutex:
            if self._closed:
                raise StoreError("this memory is closed; open it again")
            with self._telling():
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
        found = parking.plans(self._home.log.connection, "pending")
        return tuple(item.plan_id for item in found if item.position > after)

    def _entry(self, seq: int) -> Entry:
        view = self._home.view
        line = view.line_of(seq) if 0 < seq < 1 << 63 else None
        found = None if line is None else view.entries([line]).get(line)
        if line is None and 0 < seq < 1 << 63 and self._reach.allows(view.project_of(seq)):
            when = view.forgotten(seq)
            if when is not None:
                raise ForgottenError("entry", seq, when)
        if found is None or not self._reach.allows(found.project) or not self._reach.lets(found):
            raise NotFoundError("entry", seq)
        return self._home.view.located(found)
