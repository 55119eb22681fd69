"""The expiring part of a memory: what has outlived its time goes, as retention says."""

from __future__ import annotations

from memoranda.lifetimes import Expired, rules
from memoranda.memory.handle import Handle
from memoranda.write.retention import Retention


class Expiring(Handle):
    """Takes what has outlived its time."""

    last_expiry: Expired | None = None
    """What retention took in the last consolidation through this handle; None when nothing was due."""

    def expire(self, *, dry_run: bool = False) -> Expired:
        """Retract or forget what has outlived its time; `consolidate` does it too.

        What counts is an event's own `retention` (a member of its metadata), else the setting of
        that name.

        Args:
            dry_run: only say what would go; nothing is changed.

        Raises:
            BusyError: another process is at the scope for too long.
        """
        self._may("expire")
        with self._using(), self._home.locked():
            return self._expire(dry_run=dry_run)

    def _expire(self, *, dry_run: bool = False) -> Expired:
        """Take what is due, under the scope's lock."""
        retention = Retention(self._home, rules(self._home.settings.retention))
        if dry_run:
            return retention.preview()
        found = retention.run()
        self.last_expiry = None if found.is_empty else found
        if not found.is_empty:
            self._consolidator.refresh(self._touched(found.retracted))
            self._home.projection.sync()
        return found

    def _touched(self, seqs: tuple[int, ...]) -> list[str]:
        """Name the documents that hold some lines."""
        places = self._home.view.places(seqs)
        return sorted({place.topic for place in places.values() if place.topic is not None})
