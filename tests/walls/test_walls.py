"""Nobody is shown a word that is not theirs: scopes, clearances, projects and labels, on every surface."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from time import monotonic

import pytest
from walls_world import KINDS, Canary, Kind, World, walk

LONG = os.environ.get("MEMORANDA_LONG") == "1"
SCOPES, OPERATIONS = (50, 100_000) if LONG else (6, 2_000)
MINUTES = float(os.environ.get("MEMORANDA_WALLS_MINUTES", "inf"))


def test_no_word_is_shown_to_who_may_not_see_it(root: Path) -> None:
    world = World(root, scopes=SCOPES, seed=8)
    end = monotonic() + 60 * MINUTES
    try:
        done = walk(world, OPERATIONS, 8, stop=lambda: monotonic() > end)
    finally:
        world.close()
    assert done.leaks == []
    assert done.seen > done.operations
    assert float("inf") > MINUTES or done.operations == OPERATIONS
    if LONG:
        logging.getLogger(__name__).warning("%s operations: %s", done.operations, done.by_surface)


@pytest.mark.parametrize("level", ["internal", "private"])
def test_the_walk_notices_a_word_out_of_place(root: Path, level: str) -> None:
    """A control: the same walk with the words of a level declared private to nobody finds them."""
    world = World(root, scopes=1, seed=9, texts=12)
    try:
        for word, canary in world.words.items():
            if canary.level == level:
                world.words[word] = Canary(99, level, canary.project, canary.label)
        done = walk(world, 60, 9, stop=lambda: False)
    finally:
        world.close()
    assert done.leaks


def test_the_kinds_of_handles_differ_in_all_that_can_limit_one() -> None:
    for name in ("clearance", "projects", "labels", "project", "role"):
        assert len({getattr(kind, name) for kind in KINDS}) > 1
    assert Kind() in KINDS
