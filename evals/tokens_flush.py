"""What one flush shows a model when the library holds ten documents, and when it holds thousands."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.library import place_all
from benchmarks.texts import Talk

from evals.ideal import Ideal, Shown
from evals.tokens_figures import SETTINGS, WRITING, each_step
from memoranda import Memory, NewEvent
from memoranda.text.tokens import count

ENTRIES = 3
"""Of each document of the library."""
WINDOW = 4800
"""Tokens of what is flushed: one window."""


class Quiet(Ideal):
    """Leaves all as it stands: what is shown is counted, and is the same whatever is answered."""

    def __init__(self) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # nothing is looked up

    def _answer(self, shown: Shown) -> Mapping[str, Any]:
        del shown
        return {}


def flush(documents: int) -> dict[str, Any]:
    """Make a library by plans of our own, flush one window into it, and count what was shown."""
    quiet = Quiet()
    talk = Talk(1)
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(folder, settings=SETTINGS) as memory:
            memory.add_many(talk.events(documents * ENTRIES))
            made = place_all(memory, entries=ENTRIES)
        with Memory.open(folder, model=quiet.model(), settings=SETTINGS) as memory:
            memory.add_many(_window(talk))
            memory.consolidate()
            left = memory.status().current_tokens
    steps = each_step(quiet.spent)
    return {
        "documents": made,
        "left": left,
        "tokens_in": sum(one.tokens_in for one in quiet.spent.values()),
        "tokens_in_writing": sum(
            one.tokens_in for name, one in quiet.spent.items() if name in WRITING
        ),
        "steps": steps,
    }


def _window(talk: Talk) -> Iterator[NewEvent]:
    """Give events of at most one window."""
    held = 0
    for event in talk.events(10_000, name="w"):
        held += count(event.content)
        if held > WINDOW:
            return
        yield event
