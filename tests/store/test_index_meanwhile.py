"""The index and a forgetting that comes between a look at the log and the index's lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memoranda.store import following as module
from scene import Place, home, index_rows


def test_what_was_forgotten_while_an_index_waited_does_not_come_back(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = place.open(), place.open()
    for text in ("The zorvelkin code is kept here.", "The harbour keys hang there."):
        here.add(text)
    here.search("code")
    there.search("code")
    here.add("A line that the other has not indexed.")
    real, waited = module.writing, []

    @contextmanager
    def waiting(connection: Any) -> Iterator[None]:
        if connection is home(there)._index.connection and not waited:
            waited.append(True)
            here.forget(entry=1)  # what another process does while this one waits for the lock
            here.add("Said after that.")
            here.search("said")
        with real(connection):
            yield

    monkeypatch.setattr(module, "writing", waiting)
    there.search("harbour")
    assert waited
    assert "zorvelkin" not in repr(index_rows(there))
    assert "zorvelkin" not in repr(there.search("zorvelkin"))
    assert here.check(full=True).ok
