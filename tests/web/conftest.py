"""Fixtures of the pages: a place with a story, and somebody who is logged in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the extra `server` is not installed")

from web_browser import Person, browser
from web_site import Place, Visitor, player, served, told

from memoranda import Memory
from scene import fast


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") and name != "MEMORANDA_LONG":
            monkeypatch.delenv(name)


@pytest.fixture
def site() -> Iterator[Place]:
    """A place with the story, not yet planned."""
    with tempfile.TemporaryDirectory(prefix="memoranda-web-", dir=fast()) as folder:
        place = Place(Path(folder))
        with place.memory() as memory:
            told(memory)
        yield place
        place.shelf.close()


@pytest.fixture
def mira(site: Place) -> Visitor:
    """The owner, logged in."""
    return site.visitor()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.fixture
def served_site() -> Iterator[tuple[Place, str]]:
    """The whole application on loopback, with the story and a model that plays its part."""
    with (
        tempfile.TemporaryDirectory(prefix="memoranda-web-", dir=fast()) as folder,
        served(Path(folder), model=player()) as (place, base),
    ):
        with Memory.open(place.root, user="mira", settings=place.settings) as memory:
            told(memory)
            memory.correct(1, "I work from Bergen. My desk phone is 555-0177.")
            memory.consolidate()
        yield place, base


@pytest.fixture
def person(chromium: Any, served_site: tuple[Place, str]) -> Iterator[Person]:
    """Mira at her browser, logged in; whatever the test does, nothing may be asked of the outside."""
    place, base = served_site
    found = Person(chromium, base)
    found.login(place.grant)
    yield found
    found.close()
