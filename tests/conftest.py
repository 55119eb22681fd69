"""Fixtures of the core's tests: a real store in a temporary folder, a fixed clock, counting ids."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoranda import Memory, Settings
from scene import SENTENCES, SMALL, Clock, Place, fast


@pytest.fixture
def root() -> Iterator[Path]:
    """An absolute data root that does not exist yet; gone when the test ends."""
    with tempfile.TemporaryDirectory(prefix="memoranda-test-", dir=fast()) as folder:
        yield Path(folder).resolve() / "root"


@pytest.fixture
def place(root: Path) -> Iterator[Place]:
    """A data root; handles consolidate by hand only."""
    found = Place(root)
    yield found
    found.close()


@pytest.fixture
def small(root: Path) -> Iterator[Place]:
    """A data root with small thresholds, consolidating by itself."""
    found = Place(root, SMALL)
    yield found
    found.close()


@pytest.fixture
def memory(place: Place) -> Memory:
    """One handle in `place`."""
    return place.open()


@pytest.fixture
def clock(place: Place) -> Clock:
    return place.clock


@pytest.fixture(scope="session")
def _model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = Place(tmp_path_factory.mktemp("model") / "root", SMALL)
    with model.open() as memory:
        for number, text in enumerate(SENTENCES * 2):
            memory.add(
                f"{text} ({number})",
                session=f"s{number // 4}",
                time=f"2026-05-{number % 28 + 1:02}",
                id=f"m{number}",
            )
        memory.consolidate()
        memory.correct(3, "The night ferry to Skarholm leaves at 23:15.")
        memory.retract(5)
        memory.search("kiln")
    with model.open(settings=Settings(auto=False)) as memory:
        memory.add("This line waits in CURRENT.")
        memory.search("kiln")
    assert len(model.files()) >= 3
    return model.root


@pytest.fixture
def library(_model: Path, root: Path) -> Iterator[Place]:
    """A closed scope with several documents, changed states and a CURRENT, of small thresholds."""
    shutil.copytree(_model, root)
    found = Place(root, SMALL, ids="later-")
    yield found
    found.close()
