"""A forgetting that is killed at any step, in any life, is finished by the next that opens the memory.

`MEMORANDA_LONG=1` kills 200 of them. One scripted forgetting is killed at each of its steps, and at
each of its system calls, in `tests/crash/test_forget_killed.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cases import Case, Lived, before, choose, drawn, forget, live, lost, pieces
from dens import at_home
from failing import LONG
from killing import Fuse, ended_by, light

from scene import Place

CASES = drawn(200 if LONG else 6, seed=7)
LATEST = 60
"""Steps on the disk that a forgetting takes, about."""


def killed(life: Lived, way: str, names: list[object], at: int) -> int:
    """Let a child forget, and kill it at a step; gives how it ended."""

    def child(root: Path, step: int) -> None:
        light(Fuse(step))
        life.den.place = Place(root, life.den.settings, ids=f"killed-{step}-")
        life.den.open()
        forget(life, way, names)

    return ended_by(child, life.den.place.root, at)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_what_a_killed_forgetting_left_is_gone_once_it_is_forgotten(case: Case, root: Path) -> None:
    with at_home(root):
        life = live(case, root)
        way, names = choose(life)
        was = before(life, way, names)
        life.den.close()
        assert killed(life, way, names, case.rng().randrange(1, LATEST)) in {0, -9}
        life.den.open()
        forget(life, way, names)  # what was not begun; what was begun is ended already
        missing = lost(life, was)
        life.den.close()
        assert pieces(life) == []
        assert missing == []
