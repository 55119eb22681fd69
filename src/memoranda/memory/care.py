"""The caring half of a memory: back up, check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from memoranda.memory.handle import Handle
from memoranda.reports import BackedUp, Checked
from memoranda.store.backup import backup
from memoranda.store.check import check


class Care(Handle):
    """Copies a scope, and looks whether it is sound."""

    def backup(
        self,
        target: str | Path | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> BackedUp:
        """Copy the database as it stands now into a new file, verified before it gets its name.

        Others may go on writing; the copy holds one log position. How to restore it: `docs/backup.md`.

        Args:
            target: the new file; default `backups/memory-<position>.db` in the scope's folder.
            progress: called with (pages done, all pages).

        Raises:
            InputError: the target exists, is a folder, or lies in a folder of a scope.
            UnsafePathError: a link stands where the copy should be.
            StoreError: the copy could not be made; no file got the target's name.
        """
        with self._using():
            return backup(self._home, None if target is None else Path(target), progress=progress)

    def check(
        self, *, full: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Checked:
        """Look at every record, the hash chain, the views and the files; changes nothing.

        Args:
            full: also fold the whole log again and compare the views with what it makes; adds of
                others wait while that lasts.
            progress: called with (records done, all records).
        """
        with self._using(), self._home.locked():
            return check(self._home, full=full, progress=progress)
