"""An entry that was left out of all documents stands in LOG, which is no document."""

from __future__ import annotations

import pytest

from memoranda import Memory
from memoranda.store.operations import LeaveOut
from scene import Place, applier, plan


@pytest.fixture
def left_out(place: Place) -> Memory:
    """Entry 1 is left out; entry 2 waits in CURRENT."""
    memory = place.open()
    memory.add("你好！")
    memory.add("窑炉烧到一千二百度。")
    greeting = LeaveOut(seq=1, reason="greeting")
    applier(memory).apply(plan(greeting, window=(1, 2), kind="extract", epoch=0))
    return memory


def test_it_is_found_in_the_log_and_waits_in_no_document(left_out: Memory) -> None:
    assert [entry.seq for entry in left_out.current()] == [2]
    assert left_out.search("你好").evidence[0].document_id == "LOG"
    left_out.consolidate()
    assert left_out.status().current_entries == 0
    assert left_out.get(1).to_dict()["document_id"] == "LOG"


def test_forgetting_it_names_no_document(left_out: Memory) -> None:
    would = left_out.forget(entry=1, dry_run=True)
    assert (would.seqs, would.updated, would.retired) == ((1,), (), ())
    done = left_out.forget(entry=1)
    assert (done.seqs, done.updated, done.retired) == ((1,), (), ())


def test_forgetting_it_beside_a_placed_one_names_that_ones_document(left_out: Memory) -> None:
    left_out.correct(1, "你好，我搬到了里加。")
    left_out.consolidate()
    done = left_out.forget(entry=3, dry_run=True)
    assert done.retired + done.updated == ("d1",)
