"""A handle on one opened scope: one call at a time, errors that say what to do."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memoranda.errors import BusyError, MemorandaError, NotFoundError, StoreError
from memoranda.read.ranking import Reach
from memoranda.store.home import Home
from memoranda.values import Entry, Receipt
from memoranda.write.consolidate import Consolidator
from memoranda.write.intake import Intake


class Handle:
    """What reading and writing share."""

    def __init__(
        self, home: Home, *, project: str | None, all_projects: bool, count: Callable[[str], int]
    ) -> None:
        self._home = home
        self._mutex = threading.RLock()
        self._closed = False
        self.opening: tuple[Receipt, ...] = ()
        """What was due when the memory was opened, and was done then."""
        self._project = project
        self._count = count
        self._reach = Reach(project=project, all_projects=all_projects or project is None)
        self._intake = Intake(home.log, home.fold, entry_tokens=home.settings.entry_tokens)
        self._consolidator = Consolidator(home)

    def _begin(self) -> None:
        """Heal the files, and consolidate what became due while nothing ran."""
        with self._home.try_locked() as held:
            if held:
                self._home.projection.sync(check=True)
                self.opening = tuple(self._due_now())

    def close(self) -> None:
        """Bring CURRENT.md up to date and close every file. Closing again does nothing."""
        with self._mutex:
            if self._closed:
                return
            self._closed = True
            try:
                with self._home.locked():
                    self._home.projection.sync()
            finally:
                self._home.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let one call in at a time; refuse a closed memory; say what SQLite's faults mean."""
        with self._mutex:
            if self._closed:
                raise StoreError("this memory is closed; open it again")
            try:
                yield
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                    raise BusyError(
                        str(self._home.database), self._home.settings.busy_seconds
                    ) from error
                raise StoreError(
                    f"{self._home.database}: SQLite says {error}; run rebuild, or restore a backup"
                ) from error

    def _due_now(self) -> list[Receipt]:
        """Run what is due. What goes wrong shows in status: the add before it stands."""
        if not self._home.settings.auto or not self._consolidator.is_due():
            return []
        try:
            receipts = self._consolidator.run_due()
            self._home.projection.sync()
        except MemorandaError as error:
            self._consolidator.failed(str(error))
            return []
        return receipts

    def _entry(self, seq: int) -> Entry:
        line = self._home.view.line_of(seq) if 0 < seq < 1 << 63 else None
        found = None if line is None else self._home.view.entries([line]).get(line)
        if found is None or not self._reach.allows(found.project):
            raise NotFoundError("entry", seq)
        return self._home.view.located(found)
