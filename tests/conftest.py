"""Fixtures of the core's tests: a real store in a temporary folder, a fixed clock, counting ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scene import SMALL, Clock, Place

from memoranda import Memory


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A data root; handles consolidate by hand only."""
    found = Place(tmp_path / "root")
    yield found
    found.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Place]:
    """A data root with small thresholds, consolidating by itself."""
    found = Place(tmp_path / "root", SMALL)
    yield found
    found.close()


@pytest.fixture
def memory(place: Place) -> Memory:
    """One handle in `place`."""
    return place.open()


@pytest.fixture
def clock(place: Place) -> Clock:
    return place.clock
