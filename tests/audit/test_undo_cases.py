"""What an undo does, holds back and refuses, case by case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from undoing_laws import plans, printed

from memoranda import Memory, Settings
from memoranda.errors import InputError, NotFoundError, UndoError
from scene import (
    BY_HAND,
    CHINESE_PHONE,
    PHONE,
    SENTENCES,
    SMALL,
    Place,
    applier,
    block,
    create,
    everything,
    plan,
    said,
    shown,
    versions,
)

KILN, KEYS, FERRY = SENTENCES[:3]
CHOIR = SENTENCES[18]


def last_plan(memory: Memory) -> str:
    return plans(memory)[-1]


def test_the_entries_of_an_undone_plan_wait_in_current_again(memory: Memory) -> None:
    memory.add(KILN)
    memory.add(CHOIR)
    before = printed(memory)
    memory.consolidate()
    done = memory.undo(last_plan(memory), by="Ines", reason="wrong place")
    assert done.freed == (1, 2)
    assert [entry.seq for entry in memory.current()] == [1, 2]
    assert memory.documents() == ()
    assert printed(memory) == before


def test_files_follow_an_undo(place: Place) -> None:
    memory = place.open()
    memory.add(KILN)
    memory.close()
    before = place.files()
    memory = place.open()
    memory.consolidate()
    assert len(place.files()) == 2
    memory.undo(last_plan(memory))
    assert place.files() == before


def test_an_undo_is_undone(memory: Memory) -> None:
    memory.add(KILN)
    memory.consolidate()
    before = printed(memory)
    undo = memory.undo(last_plan(memory))
    again = memory.undo(undo.undo_id)
    assert again.what == "undo"
    assert again.restored == ("d1",)
    assert printed(memory) == before
    third = memory.undo(again.undo_id)
    assert third.freed == (1,)
    assert memory.documents() == ()


def test_what_was_placed_later_in_the_same_document_stays_there(memory: Memory) -> None:
    memory.add(KILN, session="s1")
    memory.consolidate()
    memory.add(KILN.replace("cracks", "leaks"), session="s1")
    memory.consolidate()
    first, second = plans(memory)[:2]
    assert [info.document_id for info in memory.documents()] == ["d1"]
    done = memory.undo(first)
    (info,) = memory.documents()
    assert (info.document_id, info.entry_count, info.update_count) == ("d1", 1, 1)
    assert done.anew == ("d1",)
    assert "cracks" not in printed(memory)["d1"]
    assert [entry.seq for entry in memory.current()] == [1]
    memory.undo(second)
    assert memory.documents() == ()


def test_a_plan_that_made_what_a_later_one_took_apart_names_that_one(memory: Memory) -> None:
    for text in (KILN, KEYS, FERRY, CHOIR):
        memory.add(text)
    apply = applier(memory).apply
    first = plan(create("d1", block(1, 2), block(3, 4)), window=(1, 2, 3, 4))
    apply(first)
    from memoranda.store.operations import Part, Split  # noqa: PLC0415

    part = Part(
        document_id="d2", title=said("Ferry", 3), summary=said("Of ferries.", 3), blocks=(2,)
    )
    split = Split(document_id="d1", title=None, summary=said("Kilns.", 1), parts=(part,))
    second = plan(split, versions=versions(memory), kind="reshape")
    apply(second)
    before = everything(memory)
    with pytest.raises(UndoError) as error:
        memory.undo(first.plan_id)
    assert error.value.first == (second.plan_id,)
    assert f"undo {second.plan_id} first" in str(error.value)
    assert everything(memory) == before
    for plan_id in (*error.value.first, first.plan_id):
        memory.undo(plan_id)
    assert len(memory.current()) == 4


def test_an_undone_split_is_not_made_again_by_itself(place: Place) -> None:
    large = replace(SMALL, auto=True, split_tokens=150, current_tokens=10_000, merge_tokens=0)
    memory = place.open(settings=replace(large, structure="off"))
    for number, text in enumerate(SENTENCES[:8]):
        memory.add(f"{text} Kiln {number} behind the harbour boat shed.", session="s1")
    memory.consolidate()
    memory.close()
    memory = place.open(settings=large)
    memory.consolidate()
    split = last_plan(memory)
    assert memory.plan(split).kind == "reshape"
    memory.undo(split)
    standing = printed(memory)
    memory.consolidate()
    assert printed(memory) == standing


@pytest.mark.parametrize("again", ["add", "open"])
def test_what_an_undo_set_free_waits_for_a_person(place: Place, again: str) -> None:
    eager = Settings(current_tokens=50)
    memory = place.open(settings=eager)
    memory.add(f"{KILN} {KEYS} {FERRY} {SENTENCES[3]} {SENTENCES[4]}")
    assert memory.current() == ()
    memory.undo(last_plan(memory))
    assert memory.status().due_since is None
    if again == "add":
        memory.add("好的。")
    else:
        memory.close()
        memory = place.open(settings=eager)
        assert memory.opening == ()
    assert 1 in [entry.seq for entry in memory.current()]
    memory.add(f"{CHOIR} {SENTENCES[14]} {SENTENCES[15]} {SENTENCES[16]}")  # due by itself
    assert [entry.seq for entry in memory.current()] == [1]
    memory.consolidate()
    assert memory.current() == ()


def test_a_correction_of_a_repeated_line_holds_for_all_that_stood_in_it(memory: Memory) -> None:
    memory.add(PHONE.format(1000))
    memory.consolidate()
    memory.add(PHONE.format(1000))
    memory.consolidate()
    repeating = last_plan(memory)
    assert memory.get(2).seqs == (1, 2)  # type: ignore[union-attr]
    memory.correct(1, PHONE.format(2000))
    done = memory.undo(repeating)
    assert done.carried == (2,)
    entry: Any = memory.get(2)
    assert (entry.seqs, entry.superseded_by) == ((2,), 3)
    assert "1000" not in [text for seq, by, text in shown(memory, "phone") if by is None]


def test_a_supersession_is_undone_with_its_plan(memory: Memory) -> None:
    memory.add(CHINESE_PHONE.format(1000), time="2026-05-01")
    memory.consolidate()
    before = printed(memory)["d1"]
    memory.add(CHINESE_PHONE.format(2000), time="2026-05-02")
    memory.consolidate()
    assert memory.get(1).superseded_by == 2  # type: ignore[union-attr]
    memory.undo(plans(memory)[1])
    assert memory.get(1).superseded_by is None  # type: ignore[union-attr]
    assert printed(memory)["d1"] == before


def test_a_retraction_is_undone(memory: Memory) -> None:
    memory.add(KILN)
    memory.add(KEYS)
    memory.consolidate()
    before = printed(memory)
    receipt = memory.retract(1, reason="not so")
    done = memory.undo(receipt.plan_id)
    assert done.what == "retraction"
    assert printed(memory) == before


def test_an_approved_plan_is_undone(place: Place) -> None:
    memory = place.open(settings=replace(BY_HAND, mode="review"))
    memory.add(KILN)
    memory.consolidate()
    (plan_id,) = memory.waiting()
    with pytest.raises(InputError, match="reject it"):
        memory.undo(plan_id)
    memory.approve(plan_id)
    memory.undo(plan_id, by="Ines", reason="too early")
    view = memory.plan(plan_id)
    assert (view.state, view.decided_by, view.decision) == ("undone", "Ines", "too early")
    assert [entry.seq for entry in memory.current()] == [1]


def test_who_undid_it_and_why_is_told(memory: Memory) -> None:
    memory.add(KILN)
    memory.consolidate()
    plan_id = last_plan(memory)
    done = memory.undo(plan_id, by="Ines", reason="放错地方了")
    told = f"{plan_id} undone by Ines: 放错地方了"
    assert memory.history(1)[-1].text == told
    assert memory.history("d1")[-1].text == told
    (record,) = [item for item in memory.log() if item.kind == "undo"]
    assert record.record_id == done.undo_id
    view = memory.plan(plan_id)
    assert (view.state, view.decided_by) == ("undone", "Ines")


def test_what_can_not_be_undone_is_said(memory: Memory) -> None:
    memory.add(KILN)
    memory.add(KEYS)
    memory.consolidate()
    event = memory.get(2).event_ids[0]  # type: ignore[union-attr]
    gone = memory.forget(entry=2)
    plan_id = plans(memory)[0]
    undo = memory.undo(plan_id)
    before = everything(memory)
    for name, kind, text in (
        ("nothing", NotFoundError, "no plan 'nothing'"),
        (gone.forget_id, InputError, "can't be undone"),
        (event, InputError, "of kind event"),
        (plan_id, InputError, f"undone already, by {undo.undo_id}"),
    ):
        with pytest.raises(kind, match=text):
            memory.undo(name)
    assert everything(memory) == before


def test_an_undo_is_for_the_whole_scope(place: Place) -> None:
    with place.open() as memory:
        memory.add(KILN)
        memory.consolidate()
        plan_id = last_plan(memory)
    with place.open(project="acme") as bound, pytest.raises(InputError, match="all projects"):
        bound.undo(plan_id)


def test_numbers_are_never_given_again(memory: Memory) -> None:
    memory.add(KILN)
    memory.consolidate()
    memory.undo(last_plan(memory))
    memory.consolidate()
    assert [info.document_id for info in memory.documents()] == ["d2"]


def test_a_document_that_comes_back_does_not_share_its_title(memory: Memory) -> None:
    memory.add(KILN)
    memory.add(KEYS)
    apply = applier(memory).apply
    apply(plan(create("d1", block(1)), window=(1,)))
    memory.undo(last_plan(memory))
    apply(plan(create("d2", block(2)), window=(2,), epoch=2))
    (undo,) = [item.record_id for item in memory.log() if item.kind == "undo"]
    memory.undo(undo)
    titles = {info.document_id: info.title for info in memory.documents()}
    assert titles["d2"] == "Kilns"
    assert titles["d1"] != "Kilns"
