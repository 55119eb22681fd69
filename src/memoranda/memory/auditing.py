"""The auditing part of a memory: undo, replay, and the whole made again to see how it drifts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memoranda.errors import InputError
from memoranda.memory.handle import Handle
from memoranda.reports import Drift, Replayed, Undone

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoranda.llm.model import Model
    from memoranda.read.filters import When


class Auditing(Handle):
    """Undoes what was planned, and makes earlier states again."""

    def undo(self, plan_id: str, *, by: str | None = None, reason: str = "") -> Undone:
        """Take a plan out of force: the library is as if it had never been, with all that came later (R233).

        Documents have the bytes that they had before it, as far as nothing later changed them. Its
        entries wait in CURRENT again, until somebody consolidates by hand. What was forgotten stays
        forgotten. The plan stays in the log; undoing the undo brings it back.

        Takes time as the log is long: it is folded anew.

        Args:
            plan_id: an applied plan of any kind, a retraction, or an undo.
            by: who wants it.
            reason: why; it goes when an entry that the plan names is forgotten.

        Raises:
            NotFoundError: there is no such plan.
            InputError: it was not applied, is undone already, or the handle is bound to a project.
            UndoError: something later needs it; `first` names what to undo before.
        """
        self._may("undo")
        from memoranda.write.undo import Undoer  # noqa: PLC0415 - start-up time

        self._whole("an undo")
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            try:
                said = self._intake.screen.text(reason, "reason")
                return Undoer(self._home).run(plan_id, by, said)
            finally:
                self._home.projection.sync()

    def replay(self, known_at: When | int, to: str | Path | None = None) -> Replayed:
        """Make the library as it was then, byte for byte, without a model (R235).

        What was forgotten since stands as `[erased DATE]`, over as many lines as it had.

        Args:
            known_at: a log position, or a time: a day counts whole.
            to: a folder that does not exist, or is empty: the files are written there; None writes
                none, and tells their names and hash.

        Raises:
            InputError: the folder is not empty, or lies in a data folder; or the handle is bound to a
                project.
            TimeError: it is no time.
        """
        self._may("replay")
        from memoranda.write.replay import write  # noqa: PLC0415 - start-up time

        self._whole("a replay")
        with self._using():
            return write(self._home, known_at, None if to is None else Path(to))

    def remaintain(
        self,
        *,
        model: str | Model | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Drift:
        """Make the library again from the raw events, in the shade, and say how it differs (R202).

        Happens in a temporary folder that is removed afterwards; nothing here is changed.

        Args:
            model: who maintains: as `Memory.open` takes it; None means who maintains this memory.
            progress: called with (events done, all events).

        Raises:
            InputError: the model can't be used, or the handle is bound to a project.
        """
        self._may("remaintain")
        from memoranda.memory.shade import made_again  # noqa: PLC0415 - start-up time

        self._whole("drift")
        by = self._engine.model() if model is None else model
        return made_again(self._home, by, self._using, progress)

    def _whole(self, what: str) -> None:
        if not self._reach.all_projects:
            raise InputError(f"{what} spans all projects; open the memory with all_projects=True")
