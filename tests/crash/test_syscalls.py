"""A real process, killed or refused at any system call: what it acknowledged is there afterwards."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from failing import LONG
from test_failing import ADVICE

from memoranda import Memory
from scene import QUIET, Place, all_seqs, everywhere, home, index_rows, rows

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="strace is Linux's"),
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]
HERE = Path(__file__).parent
KILLS = 200 if LONG else 20
REFUSALS = 400 if LONG else 14


def run(action: str, out: Path, count: int) -> dict[str, Any]:
    """Let so many children live and be killed, or refused, each at another call."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    out.mkdir(parents=True)
    done = subprocess.run(
        [sys.executable, str(HERE / "tracing.py"), action, str(out), str(count)],
        capture_output=True,
        check=False,
        env=environ,
    )
    said = done.stderr.decode()
    if said.startswith("strace can't"):
        pytest.skip(said.strip())
    assert said == ""
    found: dict[str, Any] = json.loads(done.stdout)
    assert len(found["ends"]) >= count
    return found


def acknowledged(root: Path) -> list[list[str]]:
    path = root.with_suffix(".ack")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def sound(place: Place, memory: Memory, met: object) -> None:
    """Nothing is lost or left over, the log is whole, and the files are what a rebuild makes."""
    assert memory.check(full=True).flaws == (), met
    assert everywhere(memory) == all_seqs(memory), met
    assert [path.name for path in place.folder.rglob(".memoranda-*")] == [], met
    assert place.copies() == [], met
    memory.state()
    files, views, terms = place.files(), rows(memory), index_rows(memory)
    place.drop()
    memory.rebuild()
    assert (place.files(), rows(memory), index_rows(memory)) == (files, views, terms), met


def test_kill_9_at_any_system_call_loses_nothing_acknowledged(root: Path) -> None:
    found = run("kill", root, KILLS)
    ended = Counter(code for *_, code in found["ends"])
    assert ended[-9] == len(found["ends"])
    assert len({name for _, name, *_ in found["ends"]}) >= 7
    kept = 0
    for name, *met in found["ends"]:
        place = Place(root / name, QUIET, ids="after-")
        with place.open() as memory:
            for event_id, text in acknowledged(root / name):
                assert memory.get(event_id).content == text, met  # type: ignore[union-attr]
                kept += 1
            positions = [record.position for record in memory.log()]
            assert positions == list(range(1, len(positions) + 1)), met
            sound(place, memory, met)
            memory.add("The memory goes on.")
    assert kept > KILLS


def test_a_system_call_that_fails_is_told_and_nothing_acknowledged_is_lost(root: Path) -> None:
    found = run("fail", root, REFUSALS)
    told = 0
    for name, *met, code in found["ends"]:
        assert code == 0, met
        place = Place(root / name, QUIET, ids="after-")
        with place.open() as memory:
            for event_id, text in acknowledged(root / name):
                if not event_id:
                    assert ADVICE.search(text), (met, text)
                    told += 1
                    continue
                assert memory.get(event_id).content == text, met  # type: ignore[union-attr]
            assert home(memory).view.count("events") == 5, met
            sound(place, memory, met)
    assert told >= REFUSALS // 3
