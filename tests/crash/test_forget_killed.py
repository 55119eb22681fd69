"""Forgetting that is killed at any step is finished at the next start: nothing is left anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from failing import LONG
from test_kill import killed, sound
from tracing import strace

from canaries import leaks, plain
from memoranda import Memory
from memoranda.errors import ForgottenError
from scene import QUIET, SENTENCES, Place, holding

KEEPING = replace(QUIET, adopt=False)
"""Edited files are kept as copies, and these are what is looked at here."""

HERE = Path(__file__).parent
BIRD = plain("killed")
EDITED = "A line of my own."
KILLS = 0 if LONG else 24
"""System calls at which a process is killed; 0: every one."""


@pytest.fixture
def model(root: Path) -> Path:
    """A closed scope that holds a canary in its log, documents, index, a backup and a kept copy."""
    place = Place(root / "model", KEEPING, ids="m-")
    with place.open() as memory:
        for number, text in enumerate(SENTENCES[:8]):
            memory.add(text, session=f"s{number // 4}", time=f"2026-05-{number + 1:02}")
        memory.add(BIRD.text, id="canary", speaker=BIRD.secret[:30], time="2026-05-20")
        memory.add(BIRD.text, id="twin", speaker=BIRD.secret[:30], time="2026-05-21")
        memory.consolidate()
        memory.forget(external_id="twin")
        memory.backup()
        for file in (place.folder / "topics").iterdir():
            file.write_text(f"{file.read_text('utf-8')}\n{EDITED}\n", "utf-8")
        memory.state()
        memory.add(SENTENCES[9], time="2026-05-22")
        memory.search("kiln")
    return place.root


def finished(root: Path, number: int) -> bool:
    """Open what a kill left, and forget what was not begun; say whether it had been begun."""
    place = Place(root, KEEPING, ids=f"again-{number}-")
    with place.open() as memory:
        begun = _is_forgotten(memory)
        if not begun:
            memory.forget(external_id="canary")
        assert leaks(place.root, canaries=[BIRD]) == ()
        assert sorted(holding(memory)) == sorted([*SENTENCES[:8], SENTENCES[9]])
        assert memory.status().pending == ()
        assert any(EDITED in file.read_text("utf-8") for file in _copies(place))
        if number % 4 == 0:
            for file in _copies(place):
                file.unlink()
            sound(place, memory)
    assert leaks(place.root, canaries=[BIRD]) == ()
    return begun


def _is_forgotten(memory: Memory) -> bool:
    try:
        memory.get("canary")
    except ForgottenError:
        return True
    return False


def _copies(place: Place) -> list[Path]:
    return sorted((place.folder / "conflicts").iterdir())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_a_kill_at_any_step_leaves_nothing_that_the_next_start_does_not_remove(
    model: Path, root: Path
) -> None:
    assert leaks(model, canaries=[BIRD]) != ()
    begun = [
        finished(path, number) for number, path in enumerate(killed("forget", model, root / "out"))
    ]
    assert 0 < begun.count(False) < len(begun)


def test_a_kill_at_any_system_call_leaves_nothing_either(model: Path, root: Path) -> None:
    reason = strace()
    if reason is not None:
        pytest.skip(f"strace can't be used here: {reason}")
    out = root / "out"
    out.mkdir()
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    done = subprocess.run(
        [sys.executable, str(HERE / "forgetting.py"), str(model), str(out), str(KILLS)],
        capture_output=True,
        check=False,
        env=environ,
    )
    assert done.stderr.decode() == ""
    found = json.loads(done.stdout)
    assert len(found["ends"]) == (KILLS or found["calls"])
    for number, (name, *met, code) in enumerate(found["ends"]):
        assert code == -9, met
        finished(out / name, number)
