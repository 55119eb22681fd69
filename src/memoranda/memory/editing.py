"""Hand edits through a handle: taken in when somebody asks, or shown before."""

from __future__ import annotations

from memoranda.edits import Edits
from memoranda.errors import InputError
from memoranda.memory.handle import Handle


class Editing(Handle):
    """Takes in hand edits, or shows what would be taken in."""

    def adopt(self, *, new: bool = True, dry_run: bool = False) -> Edits:
        """Take in what people wrote into CURRENT.md and topics/*.md, as one plan that can be undone.

        What was taken in at opening, or on the way since, is told by the first call.

        It happens by itself too: at opening, before consolidation, and with the next operation. New
        lines become entries, corrected ones take the place of the old, removed ones are retracted.
        What is unsafe to take in (most lines gone, front matter broken, marks of a merge) waits for
        `approve`, its bytes kept as a copy.

        Args:
            new: make documents of files in topics/ that are none; only this call does.
            dry_run: only show what would be done, with documents before and after.

        Raises:
            InputError: the setting `adopt` is off.
            BusyError: another process holds the scope for too long.
        """
        self._may("adopt")
        if self._noticing is not None:
            self._noticing.pause()
        elif not dry_run:
            raise InputError("hand edits are not taken in here: set adopt to true")
        with self._using(), self._home.locked():
            projection = self._home.projection
            if dry_run or self._noticing is None:
                return self._adopter.preview(projection.noticing.foreign(), new=new)
            self._noticing.new = new
            try:
                projection.sync(check=True)
            finally:
                self._noticing.new = False
            found, self._noticing.last = self._noticing.last, Edits()
            return found
