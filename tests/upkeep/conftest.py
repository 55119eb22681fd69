"""Fixtures: nonces that count, and a library that an honest model has kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from upkeep_model import SIZES, honest, talk

from scene import Place


@pytest.fixture(autouse=True)
def _nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count nonces: a run is the same each time."""
    numbers = count(1)
    monkeypatch.setattr("memoranda.memory.upkeeping._nonce", lambda: f"{next(numbers):016x}")


@pytest.fixture(scope="session")
def _kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Place(tmp_path_factory.mktemp("kept") / "root", SIZES)
    with place.open(model=honest()) as memory:
        for number in range(2):
            memory.add_many(talk(number))
            memory.consolidate()
        assert len(memory.documents()) > 5
    return place.root


@pytest.fixture
def kept(_kept: Path, root: Path) -> Iterator[Place]:
    """A closed scope of several documents, as an honest model has kept it."""
    shutil.copytree(_kept, root)
    found = Place(root, SIZES, ids="then-")
    yield found
    found.close()
