"""Looking at the files of an opened scope: what people wrote into them is taken in."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from memoranda.edits import Edits
from memoranda.errors import MemorandaError
from memoranda.store.home import Home
from memoranda.store.projection import Foreign
from memoranda.write.adopt import Adopter

EVERY = 1.0
"""Seconds between two looks at the files, unless somebody asks."""


class Noticing:
    """Takes in what people wrote into the files of one scope.

    Args:
        home: the scope; from now on its files are looked at before they are written.
        adopter: takes edits in.
        ticks: gives seconds that only grow.
    """

    def __init__(
        self, home: Home, adopter: Adopter, *, ticks: Callable[[], float] = time.monotonic
    ) -> None:
        self._home = home
        self._adopter = adopter
        self._ticks = ticks
        self._next = 0.0
        self.new = False
        """Take files of names that are not ours in too."""
        self.last = Edits()
        home.projection.adopt = self._adopt

    def _adopt(self, found: Sequence[Foreign]) -> bool:
        """Take in one file of each document; say whether there are more."""
        self._next = self._ticks() + EVERY
        first = {item.document_id: item for item in reversed(found) if item.document_id is not None}
        strange = [item for item in found if item.document_id is None]
        taken = [*first.values(), *strange]
        edits = self._adopter.run(taken, new=self.new)
        if edits.adopted is not None or edits.held or not self.last.adopted:
            self.last = edits
        self._adopter.clear_away([*first.values(), *(strange if self.new else [])])
        return len(taken) < len(found)

    def pause(self) -> None:
        """Leave the files alone for a second: somebody is about to look at them."""
        self._next = self._ticks() + EVERY

    def look(self) -> None:
        """Look whether a file was touched, once a second at most; take in what was written into it.

        What goes wrong is left to the next look: the operation at hand goes on.
        """
        now = self._ticks()
        if now < self._next or self._home.log.is_open:
            return
        self._next = now + EVERY
        with suppress(MemorandaError):
            if self._home.projection.noticing.touched():
                with self._home.try_locked() as held:
                    if held:
                        self._home.projection.sync(check=True)
