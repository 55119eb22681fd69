"""A process that is killed at any step leaves a scope that goes on as if nothing had happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memoranda import Memory
from scene import (
    BY_HAND,
    QUIET,
    SENTENCES,
    SMALL,
    Place,
    all_seqs,
    everywhere,
    home,
    index_rows,
    log_bytes,
    rows,
    shown,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
HERE = Path(__file__).parent


@pytest.fixture
def model(root: Path) -> Path:
    """A closed scope: some documents, and enough in CURRENT for two windows and a reshape."""
    place = Place(root / "model", QUIET, ids="m-")
    with place.open() as memory:
        for number, text in enumerate(SENTENCES[:12]):
            memory.add(text, session=f"s{number // 4}", time=f"2026-05-{number + 1:02}")
        memory.consolidate()
        for number, text in enumerate(SENTENCES[4:18]):
            memory.add(f"{text} ({number})", session=f"t{number // 5}", time="2026-05-20")
        memory.search("kiln")
    return place.root


def killed(action: str, model: Path, out: Path, every: int = 1) -> list[Path]:
    """The roots that the killed ones left, one for each step."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    done = subprocess.run(
        [sys.executable, str(HERE / "killing.py"), action, str(model), str(out), str(every)],
        capture_output=True,
        check=False,
        env=environ,
    )
    assert done.stderr.decode() == ""
    assert done.returncode == 0
    found = sorted(out.iterdir())
    assert len(found) > 10
    return found


def leftovers(place: Place) -> list[str]:
    return [path.name for path in place.folder.rglob(".memoranda-*.tmp")]


def sound(place: Place, memory: Memory) -> None:
    """Files equal the log, every entry is in one place, nothing is left over."""
    assert everywhere(memory) == all_seqs(memory)
    assert leftovers(place) == []
    assert place.copies() == []
    files, views, terms = place.files(), rows(memory), index_rows(memory)
    place.drop()
    memory.rebuild()
    assert place.files() == files
    assert rows(memory) == views
    assert index_rows(memory) == terms


def each(
    roots: list[Path], finish: Callable[[Memory], object], model: Path
) -> list[tuple[dict[str, bytes], list[str]]]:
    """Reopen each, look that opening wrote no record, finish what was begun."""
    with Place(model, BY_HAND).open() as memory:
        before = log_bytes(memory)
    found = []
    for number, root in enumerate(roots):
        place = Place(root, QUIET, ids=f"again-{number}-")
        with place.sql() as db:
            left = db.execute("SELECT count(*) FROM record").fetchone()[0]
        memory = place.open()
        assert log_bytes(memory)[: len(before)] == before
        assert home(memory).log.position() == left
        finish(memory)
        if number % 3 == 0:
            sound(place, memory)
        memory.close()
        found.append((place.files(), place.copies() + leftovers(place)))
    return found


def test_a_consolidation_killed_at_any_step_is_finished_by_the_next(
    model: Path, root: Path
) -> None:
    found = each(killed("consolidate", model, root / "out"), Memory.consolidate, model)
    whole = found[-1]
    assert whole[1] == []
    for number, one in enumerate(found):
        assert one == whole, number


def test_adding_with_consolidations_killed_at_any_step(model: Path, root: Path) -> None:
    def finish(memory: Memory) -> None:
        for number in range(8):
            memory.add(
                f"Barge {number} passed the lock at noon with apples, hay and news.",
                id=f"g{number}",
            )
        memory.consolidate()

    found = each(killed("grow", model, root / "out", every=2), finish, model)
    for number, one in enumerate(found):
        assert one == found[-1], number


def test_a_correction_and_a_retraction_killed_at_any_step(model: Path, root: Path) -> None:
    roots = killed("change", model, root / "out")
    ends = set()
    for files, left in each(roots, Memory.state, model):
        assert left == []
        ends.add(tuple(sorted(files.items())))
    assert 2 <= len(ends) <= 3  # nothing done, the correction, and both


@pytest.fixture
def undecided(model: Path) -> Path:
    """The same scope with its CURRENT under plans that wait."""
    with Place(model, replace(QUIET, mode="review"), ids="u-").open() as memory:
        memory.consolidate()
        assert memory.waiting()
        memory.search("kiln")
    return model


@pytest.mark.parametrize(("action", "state"), [("approve", "approved"), ("reject", "rejected")])
def test_a_decision_killed_at_any_step_is_taken_whole_or_not_at_all(
    undecided: Path, root: Path, action: str, state: str
) -> None:
    roots = killed(action, undecided, root / "out")
    found = set()

    def look(memory: Memory) -> None:
        (first, *_) = memory.plans()
        placed = {entry.seq for entry in memory.current()}.isdisjoint(first.window)
        kinds = [record.kind for record in memory.log(after=first.position)]
        found.add((first.state, placed, "decision" in kinds, "plan" in kinds))

    each(roots, look, undecided)
    assert found == {("pending", False, False, False), (state, True, True, True)}


def test_a_rebuild_killed_at_any_step_loses_nothing(model: Path, root: Path) -> None:
    wanted = Place(model).files()
    for files, left in each(killed("rebuild", model, root / "out"), Memory.state, model):
        assert (files, left) == (wanted, [])


def test_healing_killed_at_any_step_heals_at_the_next(model: Path, root: Path) -> None:
    wanted = Place(model).files()
    with Place(model, QUIET).open() as memory:
        answer = shown(memory, "kiln")
    for number, path in enumerate(killed("heal", model, root / "out")):
        place = Place(path, QUIET, ids=f"after-{number}-")
        with place.open() as memory:
            assert shown(memory, "kiln") == answer
            assert place.files() == wanted
        assert place.copies() == leftovers(place) == []


AFTER_COMMIT = """
import os, signal, sys
from memoranda import Memory, Settings
from memoranda.write.consolidate import Consolidator
run = Consolidator.run_all
def run_and_die(*args, **named):
    run(*args, **named)
    os.kill(os.getpid(), signal.SIGKILL)
Consolidator.run_all = run_and_die
memory = Memory.open(sys.argv[1], settings=Settings(auto=False))
memory.consolidate()
"""


def test_a_kill_between_the_commit_and_the_files(model: Path) -> None:
    done = subprocess.run([sys.executable, "-c", AFTER_COMMIT, str(model)], check=False)
    assert done.returncode == -signal.SIGKILL
    place = Place(model, QUIET, ids="after-")
    with place.sql() as db:
        (left,) = db.execute("SELECT count(*) FROM record").fetchone()
    memory = place.open()
    assert memory.current() == ()
    assert home(memory).log.position() == left
    sound(place, memory)
    memory.close()


IMPORTING = """
import os, signal, sys
COLOURS = b"red blue green white black yellow grey".split()
DID = [b"%s to %s" % (what, where) for what in b"sailed drifted hurried came".split()
       for where in b"Hull York Leeds Bath Wells Truro Oslo Turku Narva Varna".split()]
from memoranda import Memory, Settings
def kill(done):
    if done >= 200:
        os.kill(os.getpid(), signal.SIGKILL)
lines = [b'{"id": "i%d", "content": "The %s barge %s."}' % (n, COLOURS[n % 7], DID[n // 7])
         for n in range(280)]
small = Settings(current_tokens=3000)
with Memory.open(sys.argv[1], settings=small) as memory:
    print(memory.import_lines(lines, progress=kill if len(sys.argv) > 2 else None).added)
    memory.consolidate()
"""


def test_an_import_killed_in_the_middle_is_finished_by_running_it_again(root: Path) -> None:
    states = []
    for name, runs in (("once", [[]]), ("twice", [["kill"], []])):
        for arguments in runs:
            done = subprocess.run(
                [sys.executable, "-c", IMPORTING, str(root / name), *arguments],
                capture_output=True,
                check=False,
            )
            assert done.returncode == (-signal.SIGKILL if arguments else 0), done.stderr.decode()
        place = Place(root / name, SMALL)
        with place.open() as memory:
            assert memory.status().events == 280
            assert everywhere(memory) == list(range(1, 281))
        states.append(len(place.files()["CURRENT.md"]))
    assert states[0] == states[1]
    assert done.stdout.decode().strip() == "80"
