"""The command on a real store in a temporary folder, with an environment of our own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cli_command import Command

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") or name in {"NO_COLOR", "FORCE_COLOR"}:
            monkeypatch.delenv(name)


@pytest.fixture
def memoranda(root: Path) -> Command:
    return Command(root)
