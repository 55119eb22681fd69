"""The marking part of a memory: how sensitive something is, said afterwards."""

from __future__ import annotations

from dataclasses import replace

from memoranda.errors import InputError
from memoranda.memory.handle import Handle
from memoranda.read import catalog
from memoranda.reports import Marked
from memoranda.values import SENSITIVITIES, Sensitivity


class Marking(Handle):
    """Says how sensitive entries and events are."""

    def mark(
        self,
        ref: int | str,
        sensitivity: Sensitivity,
        *,
        by: str | None = None,
        reason: str = "",
    ) -> Marked:
        """Give another sensitivity to an entry, with all events that it was made from, or to an event.

        Every entry has the highest sensitivity of its events. Raising it holds at once; `undo` takes
        it back. Lowering it lets more readers see it: that waits as a plan, for `approve`.

        Args:
            ref: an entry by seq, or an event by its id or your id.
            sensitivity: public, internal or private.
            by: who says so; `log` tells it.
            reason: why; it goes when an entry of it is forgotten.

        Raises:
            NotFoundError: there is no such entry or event here.
            InputError: there is no such sensitivity, or it has it already.
        """
        self._may("mark")
        if sensitivity not in SENSITIVITIES:
            raise InputError(
                f"sensitivity is one of {', '.join(SENSITIVITIES)}, not {sensitivity!r}"
            )
        from memoranda.write.mark import mark  # noqa: PLC0415 - start-up time

        with self._using(), self._home.locked():
            if isinstance(ref, int):
                events = self._entry(ref).event_ids
            else:
                events = (catalog.event(ref, self._seen().log, self._reach).event_id,)
            said = self._intake.screen.text(reason, "reason")
            applier = self._consolidator.applier
            done = mark(events, sensitivity, self._home, applier, by=by, reason=said)
            self._home.projection.sync()
        return done if self.sees_all else replace(done, seqs=())
