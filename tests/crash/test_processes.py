"""Many processes on one scope: every acknowledged event once, no gap, and the files of a rebuild."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from failing import LONG

from memoranda import Memory
from scene import BY_HAND, Place, all_seqs, everywhere, index_rows, rows

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
HERE = Path(__file__).parent
ROUNDS = 50 if LONG else 4


def crowd(root: Path, *numbers: int) -> list[list[object]]:
    """Let processes work on a root; gives what they had acknowledged."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE.parent), *sys.path])}
    done = subprocess.run(
        [sys.executable, str(HERE / "crowding.py"), str(root), *map(str, numbers)],
        capture_output=True,
        check=False,
        env=environ,
    )
    assert done.stderr.decode() == ""
    assert done.returncode == 0
    lines = root.with_suffix(".ack").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def whole(memory: Memory, acknowledged: list[list[object]]) -> None:
    """Every acknowledged event is there as it was told; positions and seqs have no gap."""
    records = list(memory.log())
    assert [record.position for record in records] == list(range(1, len(records) + 1))
    events = {record.record_id: record for record in records if record.kind == "event"}
    assert len(events) == len(acknowledged) == len({line[1] for line in acknowledged})
    seqs = all_seqs(memory)
    assert seqs == list(range(1, len(seqs) + 1))
    assert everywhere(memory) == seqs
    told = sorted(seq for line in acknowledged for seq in line[2])  # type: ignore[attr-defined]
    assert told == seqs
    for _, event_id, _, position, text in acknowledged:
        record = events[str(event_id)]
        assert record.body is not None
        assert record.body["content"] == text
        assert record.position <= position  # type: ignore[operator]
    assert memory.check(full=True).flaws == ()


def same_as_a_rebuild(place: Place, memory: Memory) -> None:
    memory.state()
    files, views, terms = place.files(), rows(memory), index_rows(memory)
    place.drop()
    memory.rebuild()
    assert (place.files(), rows(memory), index_rows(memory)) == (files, views, terms)
    assert place.copies() == []


@pytest.mark.parametrize("auto", [0, 1] if LONG else [0])
def test_eight_processes_add_1600_events(root: Path, auto: int) -> None:
    acknowledged = crowd(root, 1, 8, 200, 0, auto)
    assert len(acknowledged) == 1600
    place = Place(root, BY_HAND)
    with place.open() as memory:
        whole(memory, acknowledged)
        assert memory.status().failed == ()
        same_as_a_rebuild(place, memory)


def test_two_processes_consolidate_while_two_add(root: Path) -> None:
    acknowledged = crowd(root, ROUNDS, 2, 6, 2, 0)
    assert len(acknowledged) == ROUNDS * 12
    place = Place(root, BY_HAND)
    with place.open() as memory:
        whole(memory, acknowledged)
        assert len(memory.documents()) >= 1
        assert memory.status().failed == ()
        same_as_a_rebuild(place, memory)
