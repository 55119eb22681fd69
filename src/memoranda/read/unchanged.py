"""Whether an entry still says what it said at a log position that somebody saw."""

from __future__ import annotations

from typing import Final

from memoranda.errors import ChangedError, InputError
from memoranda.read import history
from memoranda.store.log import Log

_TELLING: Final = frozenset(
    {"superseded", "retracted", "corrected", "reworded", "marked", "undone", "forgotten"}
)
"""What changes what an entry says, or whether it holds; where it stands is not of it."""


def must_be_unchanged(seq: int, seen: int | None, log: Log) -> None:
    """Refuse to go on when an entry has changed since it was seen.

    Args:
        seq: the entry; it exists.
        seen: the log position of what was seen; None asks nothing.
        log: the log.

    Raises:
        ChangedError: it has changed.
        InputError: the log has no such position yet.
    """
    if seen is None:
        return
    if type(seen) is not int or not 0 <= seen <= log.position():
        raise InputError(f"seen is a log position that a reply told, not {seen!r}")
    after = [item for item in history.of_entry(seq, log) if item.position > seen]
    changed = next((item for item in after if item.kind in _TELLING), None)
    if changed is not None:
        raise ChangedError(seq, seen, changed.position, changed.kind)
