"""The caring half of a memory: back up, export, take an archive in, check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from memoranda.errors import InputError
from memoranda.inspections import Exported, Unpacked
from memoranda.memory.handle import Handle
from memoranda.reports import BackedUp, Checked
from memoranda.store.backup import backup
from memoranda.store.check import Subset, check
from memoranda.write.forget import Forgetter


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
        self._may("backup")
        with self._using():
            return backup(self._home, None if target is None else Path(target), progress=progress)

    def export(
        self, target: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Exported:
        """Write everything of this scope into one portable file, verified before it gets its name.

        The archive holds all texts as they are, and the keys of the log: keep it as the memory
        itself. `forget` can't reach it, and names it. Its form: `docs/archive.md`.

        Args:
            target: the new file, outside the data folder; a name that ends in `.zip` says best what
                it is.
            progress: called with (records done, all records).

        Raises:
            InputError: the target exists, is a folder, or lies in a folder of a scope; or the handle
                is bound to a project.
            DamagedError: a record fails its check.
            StoreError: a record is of a kind that can't be exported, or the file can't be written.
        """
        self._may("export")
        self._spans_all("export")
        from memoranda.store.archive import export  # noqa: PLC0415 - start-up time

        with self._using():
            return export(self._home, Path(target), progress=progress)

    def import_archive(
        self, source: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Unpacked:
        """Take an archive of `export` into this scope, which must be empty: whole or not at all.

        Records, ids, times and plans are what they were, and so are the files. The same archive
        again adds nothing. What this scope's ledger knows to be forgotten is forgotten again.

        Args:
            source: the archive.
            progress: called with (records done, all records).

        Raises:
            InputError: the scope holds other memories, or the handle is bound to a project.
            FormatError: it is no archive, a damaged one, or a newer version's; nothing was taken in.
            DamagedError: one of its records fails its check; nothing was taken in.
        """
        self._may("import_archive")
        self._spans_all("import-archive")
        from memoranda.store.archive import unpack  # noqa: PLC0415 - start-up time

        with self._using(), self._home.locked():
            done = unpack(self._home, Path(source), progress=progress)
            forgotten = Forgetter(self._home).finish() if done.added else None
            if done.added:
                self._home.projection.reset()
                self._home.projection.sync(check=True)
        return done if forgotten is None else replace(done, forgotten=len(forgotten.events))

    def _spans_all(self, what: str) -> None:
        if not self._reach.all_projects:
            raise InputError(f"{what} spans all projects; open the memory with all_projects=True")

    def check(
        self,
        *,
        full: bool = False,
        subset: tuple[int, int] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Checked:
        """Look at every record, the hash chain, the views and the files; changes nothing.

        Args:
            full: also fold the whole log again and compare the views with what it makes, and with
                them files, digests and index; adds of others wait while that lasts.
            subset: (n, t): only the n-th of t parts of the records and files, so that t checks, one
                a night, look at all of it.
            progress: called with (records done, all records).

        Raises:
            InputError: the subset is no part.
        """
        self._may("check")
        part = None if subset is None else Subset(*subset)
        with self._using(), self._home.locked():
            return check(self._home, full=full, subset=part, progress=progress)
