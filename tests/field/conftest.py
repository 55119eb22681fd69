"""The field cases: the command in this process, with an environment of our own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli_command import Command


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") or name in {"NO_COLOR", "FORCE_COLOR"}:
            monkeypatch.delenv(name)


@pytest.fixture
def memoranda(root: Path) -> Command:
    """The command, on the root that `place` opens too."""
    return Command(root)
