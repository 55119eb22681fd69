"""What tests of undo and replay share: the bytes of a state, and an oracle for it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from memoranda import Memory
from memoranda.errors import InputError, UndoError
from memoranda.store.documents import print_current
from scene import home

UNPLANNED = ("event", "extraction", "receipt", "call", "proposal")


def printed(memory: Memory) -> dict[str, str]:
    """Every document and CURRENT, as the projection prints them now."""
    view = home(memory).view
    view.forget_prints()
    found = {name: view.printed(name).text for name in view.ids()}
    found["CURRENT"] = print_current(view.current_blocks()).text
    return found


def plans(memory: Memory) -> list[tuple[int, str]]:
    """The applied plans, oldest first: (position, id)."""
    db = home(memory).log.connection
    rows = db.execute("SELECT position, id FROM record WHERE kind = 'plan' ORDER BY position")
    return [(row[0], row[1]) for row in rows]


def kinds(memory: Memory, after: int) -> set[str]:
    """The kinds of the records after a position."""
    db = home(memory).log.connection
    return {row[0] for row in db.execute("SELECT kind FROM record WHERE position > ?", (after,))}


def undone(memory: Memory, plan_id: str) -> Any:
    """Undo; None if something stands in the way."""
    with suppress(UndoError, InputError):
        return memory.undo(plan_id, by="a test", reason="to see")
    return None
