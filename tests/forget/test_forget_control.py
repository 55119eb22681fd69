"""The control: with any step of forgetting left out, what was forgotten is found, or comes back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cages import Cage, cage, copied, forgotten, numbers
from dens import at_home
from failing import LONG
from hunting import hunting

from memoranda.write.steps import STEPS

SEEDS = range(5 if LONG else 1)


@pytest.fixture(scope="module")
def cages(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Cage]:
    folder = tmp_path_factory.mktemp("cages")
    with at_home(folder):
        return {seed: cage(folder / str(seed), seed) for seed in SEEDS}


def found(held: Cage) -> list[str]:
    """All places where it is found once the memory is closed."""
    held.den.close()
    return list(hunting(held.den.searched, (*held.doom.secrets, held.doom.text)))


def come_back(held: Cage) -> list[str]:
    """Import the same lines again, then put the old database back; say where it is found."""
    held.den.open().import_lines(held.lines)
    seen = found(held)
    for path in held.den.place.folder.glob("memory.db*"):
        path.unlink()
    shutil.copy(held.old, held.den.place.database)
    held.den.open()
    return seen + found(held)


def at_once(held: Cage) -> list[str]:
    """All places where it is found while the memory is open still."""
    return list(hunting(held.den.searched, (*held.doom.secrets, held.doom.text)))


@pytest.mark.parametrize("seed", SEEDS)
def test_with_every_step_nothing_is_found_and_nothing_comes_back(
    cages: dict[int, Cage], root: Path, seed: int
) -> None:
    with at_home(root):
        held = copied(cages[seed], root / "copy")
        assert at_once(held) != []
        done = forgotten(held)
        assert done.left == ()
        assert numbers(held.den.place.folder, done.seqs) == []
        assert at_once(held) == []
        assert found(held) == []
        assert come_back(held) == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("step", [step.name for step in STEPS])
def test_with_a_step_left_out_it_is_found_or_comes_back(
    cages: dict[int, Cage], root: Path, step: str, seed: int
) -> None:
    with at_home(root):
        held = copied(cages[seed], root / "copy")
        done = forgotten(held, without=step)
        told = [*done.left, *numbers(held.den.place.folder, done.seqs)]
        assert told or at_once(held) or found(held) or come_back(held)
