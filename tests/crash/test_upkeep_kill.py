"""A run by a model that is killed between any two steps: all before or all after, and the next goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from failing import LONG
from racing import SETTINGS, Facts, holds, library, thinking

from memoranda import Memory
from scene import Place, home, log_bytes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
HERE = Path(__file__).parent
EVERY = 1 if LONG else 7


def killed(model: Path, out: Path) -> list[Path]:
    """The roots that the killed ones left, and that of one that came through."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    out.mkdir()
    done = subprocess.run(
        [sys.executable, str(HERE / "killing_upkeep.py"), str(model), str(out), str(EVERY)],
        capture_output=True,
        check=False,
        env=environ,
    )
    assert done.stderr.decode() == ""
    assert done.returncode == 0
    return sorted(path for path in out.iterdir() if path.is_dir())


def calls_in(memory: Memory) -> Counter[str]:
    return Counter(call.purpose.partition("@")[0] for call in memory.calls())


def units(memory: Memory) -> list[tuple[str, list[str]]]:
    """What plans did since the library was made: each whole, or not there."""
    found = []
    for record in memory.log(kind="receipt"):
        assert record.body is not None
        found.append((record.body["kind"], sorted(n for n, v in record.body.items() if v)))
    return found


def test_a_run_by_a_model_killed_between_any_two_steps_is_finished_by_the_next(root: Path) -> None:
    place = Place(root / "model", SETTINGS, ids="m-")
    facts = library(place)
    with place.open(model=thinking(lambda *_: None)) as memory:
        before, known = log_bytes(memory), sum(calls_in(memory).values())
    place.close()
    roots = killed(place.root, root / "out")
    assert len(roots) >= (60 if LONG else 9)
    with Place(roots[-1], SETTINGS).open() as memory:
        whole, all_calls = units(memory), calls_in(memory)
    assert {"extract", "rewrite", "route", "split", "merge"} <= all_calls.keys()
    reached = set()
    for number, path in enumerate(roots):
        asked = path.with_suffix(".asked")
        questions = len(asked.read_bytes()) if asked.exists() else 0
        left = Place(path, SETTINGS, ids=f"again-{number}-")
        with left.open() as memory:
            assert log_bytes(memory)[: len(before)] == before
            done = units(memory)
            assert done == whole[: len(done)], number
            recorded = sum(calls_in(memory).values()) - known
            assert questions - 1 <= recorded <= questions, number
            assert home(memory).view.counter("position") == home(memory).log.position()
            reached.add(len(done))
        holds(left, Facts.from_json(facts.to_json()), number)
        left.close()
    assert len(reached) >= (len(whole) - 2 if LONG else 3)
