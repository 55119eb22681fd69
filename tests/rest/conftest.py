"""The REST door: no setting of the person who runs the tests gets in."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") and name != "MEMORANDA_LONG":
            monkeypatch.delenv(name)
