"""Field cases: another process that holds a lock costs time, never an event."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from processes import locking, run

from memoranda.errors import BusyError
from scene import SMALL, Place, all_seqs, everywhere, shown

HELD = 3.0
"""Seconds for which the other process holds the lock."""


def test_adds_go_on_while_another_process_holds_the_index(place: Place) -> None:  # fc-014
    memory = place.open()
    memory.add("The pump of the mill is blue.")
    memory.search("pump")
    started = time.monotonic()
    with locking(HELD, place.folder / "index.db") as other:
        for number in range(50):
            memory.add(f"Valve {number} of the pump was oiled.", id=f"v{number}")
        added = time.monotonic() - started
        assert other.poll() is None
        assert added < HELD
        assert memory.status().events == 51
        found = memory.search("valve 49", budget=100_000)  # waits for the lock, and no longer
        assert time.monotonic() - started < HELD + 2
    texts = [entry.text for item in found.evidence for entry in item.entries]
    assert sum(text.startswith("Valve") for text in texts) == 50
    assert memory.status().index_lag == 0
    memory.close()
    assert place.open().status().events == 51


def test_a_search_that_waits_too_long_says_so_and_works_afterwards(place: Place) -> None:  # fc-014
    memory = place.open(settings=replace(place.settings, busy_seconds=0.1))
    memory.add("The pump of the mill is blue.")
    memory.search("pump")
    memory.add("The valve of the mill is red.")
    with locking(0.8, place.folder / "index.db"):
        with pytest.raises(BusyError, match="try again"):
            memory.search("valve")
        assert memory.add("The weir is green.").seqs == (3,)
    assert {seq for seq, _, _ in shown(memory, "mill weir")} == {1, 2, 3}


def test_an_add_that_must_wait_too_long_is_not_acknowledged_and_can_be_tried_again(
    place: Place,
) -> None:  # fc-014
    memory = place.open(settings=replace(place.settings, busy_seconds=0.1))
    memory.add("The pump of the mill is blue.")
    acknowledged, refused = [], []
    with locking(0.8, place.database) as other:
        for number in range(50):
            try:
                memory.add(f"Valve {number} was oiled.", id=f"v{number}")
                acknowledged.append(number)
            except BusyError:
                refused.append(number)
        assert other.wait() == 0
    assert refused
    memory.close()
    again = place.open()
    stored = [record.body["external_id"] for record in again.log(kind="event") if record.body]
    assert stored[1:] == [f"v{number}" for number in acknowledged]
    for number in refused:
        again.add(f"Valve {number} was oiled.", id=f"v{number}")
    assert again.status().events == 51


def test_an_add_waits_for_a_short_lock_and_is_stored(place: Place) -> None:  # fc-014
    place.open().add("The pump of the mill is blue.")
    with locking(0.5, place.database, place.folder / "index.db"):
        done = run(place.root, "add", "The valve is open.")
        assert done.returncode == 0, done.stderr
    assert place.open().status().events == 2
    with locking(1.0, place.database):
        done = run(place.root, "add", "The weir is shut.", MEMORANDA_BUSY_SECONDS="0.1")
        assert done.returncode == 1
        assert b"try again" in done.stderr
    assert place.open().status().events == 2


def test_adds_that_would_consolidate_are_acknowledged_although_the_index_is_held(
    small: Place,
) -> None:  # fc-014
    memory = small.open(settings=replace(SMALL, busy_seconds=0.02))
    memory.add("The pump of the mill is blue.")
    memory.search("pump")
    with locking(1.2, small.folder / "index.db") as other:
        added = [
            memory.add(f"Valve {number} of the pump was oiled by the miller at noon.")
            for number in range(25)
        ]
        assert other.poll() is None
        assert added[-1].receipts == ()
        assert "try again" in memory.status().failed[0]
    assert [item.seqs for item in added] == [(number,) for number in range(2, 27)]
    assert memory.add("The weir is shut.").receipts
    assert everywhere(memory) == all_seqs(memory) == list(range(1, 28))
    assert memory.status().failed == ()
