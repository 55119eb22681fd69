"""An agent whose memory is kept by a model that is not there is told so, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path

from mcp_agent import call, ok, text

from memoranda import Settings
from scene import Place

BERTH = "渡轮的泊位是九号码头。"


def test_a_consolidation_that_was_stopped_says_why(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "model.py"
    program.write_text("raise SystemExit(7)", encoding="utf-8")
    place = Place(root, Settings(auto=False))
    with place.open(model=f"command:{sys.executable} {program}") as memory:
        memory.add(BERTH)
        told = text(call(memory, "consolidate"))
        assert "1 entries are not placed" in told
        assert "ended with code 7" in told
        assert "ended with code 7" in ok(memory, "consolidate")["stopped"]


def test_a_consolidation_that_was_not_says_nothing_of_it(root: Path) -> None:
    with Place(root, Settings(auto=False)).open() as memory:
        memory.add(BERTH)
        assert "stopped" not in ok(memory, "consolidate")


def test_a_question_to_a_model_that_is_not_there_says_why(root: Path) -> None:
    place = Place(root, Settings(auto=False))
    with place.open(model="command:no-such-program-at-all --x") as memory:
        memory.add(BERTH)
        assert "can't be used: it can't be started" in text(call(memory, "ask", question=BERTH))
        assert "can't be used: it can't be started" in ok(memory, "ask", question=BERTH)["note"]
