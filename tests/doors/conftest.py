"""The same claims behind every door."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from doors import House
from memoranda import Settings
from served import Served, served

DOORS = ("library", "cli", "mcp", "rest")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") and name != "MEMORANDA_LONG":
            monkeypatch.delenv(name)


class _Running:
    """Servers that are started when they are first asked for, one for equal settings."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._found: dict[str, Served] = {}

    def __call__(self, settings: dict[str, Any]) -> Served:
        key = repr(sorted(settings.items()))
        if key not in self._found:
            root = self._folder / f"root{len(self._found)}"
            made = served(root, settings=Settings(**settings))
            self._found[key] = self._stack.enter_context(made)
        return self._found[key]


@pytest.fixture(scope="session")
def _running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Running]:
    with ExitStack() as stack:
        yield _Running(tmp_path_factory.mktemp("served"), stack)


@pytest.fixture(params=DOORS)
def house(request: pytest.FixtureRequest, root: Path, _running: _Running) -> Iterator[House]:
    """A house behind one of the doors; a mark `doors` names those that a claim is about."""
    found = House(request.param, root, _running)
    yield found
    found.close()
