"""The tests of audit find the histories of the others, and their own helpers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
for folder in ("properties", "upkeep", "audit"):
    if str(TESTS / folder) not in sys.path:
        sys.path.insert(0, str(TESTS / folder))

from cli_command import Command  # noqa: E402 - after the path


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") and name != "MEMORANDA_LONG":
            monkeypatch.delenv(name)


@pytest.fixture
def memoranda(root: Path) -> Command:
    return Command(root)
