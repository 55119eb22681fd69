"""A library to edit."""

from __future__ import annotations

import pytest
from editing_place import filled

from scene import Place


@pytest.fixture
def shelf(place: Place) -> Place:
    """A closed scope of four documents and a CURRENT."""
    filled(place)
    return place
