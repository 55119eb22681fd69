"""History: the steps of an entry and of a document, from the log alone."""

from __future__ import annotations

import threading

import pytest

from memoranda import Memory
from memoranda.errors import InputError, NotFoundError
from memoranda.store.operations import Duplicate, Merge, Part, Split, Update
from scene import Place, applier, block, create, plan, said, versions


@pytest.fixture
def eventful(memory: Memory) -> Memory:
    """1 and 2 split apart and merged again; 3 repeats 2; 4 corrects 1 and is retracted."""
    for text in ("The kiln is hot.", "The seed tin is red today.", "The seed tin is red today."):
        memory.add(text, speaker="Mira", time="2026-05-01")
    apply(memory, create("d1", block(1), block(2)), Duplicate(seq=3, of=2), window=(1, 2, 3))
    part = Part(document_id="d2", title=said("Tins"), summary=said("x"), blocks=(2,))
    apply(
        memory,
        Split(document_id="d1", title=None, summary=said("x"), parts=(part,)),
        kind="reshape",
    )
    memory.correct(1, "The kiln is cold.")
    apply(
        memory,
        Update(document_id="d1", title=None, summary=said("x"), blocks=(block(4),)),
        window=(4,),
        epoch=2,
    )
    memory.retract(4, reason="a slip of the pen")
    apply(
        memory,
        Merge(document_id="d1", absorbs=("d2",), title=None, summary=said("x")),
        kind="reshape",
        epoch=2,
    )
    return memory


def apply(memory: Memory, *operations: object, **given: object) -> None:
    applier(memory).apply(plan(*operations, versions=versions(memory), **given))  # type: ignore[arg-type]


def kinds(memory: Memory, ref: int | str) -> list[str]:
    return [change.kind for change in memory.history(ref)]


def test_an_entry_tells_its_life(eventful: Memory) -> None:
    assert kinds(eventful, 1) == ["event", "extracted", "placed", "superseded"]
    assert kinds(eventful, 3)[:3] == ["event", "extracted", "duplicate"]
    assert "retracted" in kinds(eventful, 4)


def test_an_entry_that_moved_says_where_it_was(eventful: Memory) -> None:
    moved = [(change.kind, change.document_id) for change in eventful.history(2)]
    assert moved[-3:] == [("placed", "d1"), ("moved", "d2"), ("moved", "d1")]


def test_an_entry_that_did_not_move_says_nothing_of_moves(eventful: Memory) -> None:
    assert "moved" not in kinds(eventful, 1)


def test_a_retraction_tells_its_reason(eventful: Memory) -> None:
    (change,) = [change for change in eventful.history(4) if change.kind == "retracted"]
    assert "a slip of the pen" in change.text


def test_changes_are_in_order_of_the_log(eventful: Memory) -> None:
    for ref in (1, 2, 3, 4, "d1"):
        positions = [change.position for change in eventful.history(ref)]
        assert positions == sorted(positions)


def test_a_document_tells_its_plans(eventful: Memory) -> None:
    assert kinds(eventful, "d1") == ["created", "split", "updated", "updated", "merged"]


def test_a_retired_document_goes_by_its_id(eventful: Memory) -> None:
    assert kinds(eventful, "d2") == ["created", "retired"]


@pytest.mark.parametrize("ref", [0, 5, "5", "d9", "nothing"])
def test_what_never_was_has_no_history(eventful: Memory, ref: int | str) -> None:
    with pytest.raises(NotFoundError):
        eventful.history(ref)


def test_the_log_is_given_whole_in_order_and_by_kind(eventful: Memory) -> None:
    whole = list(eventful.log())
    assert [record.position for record in whole] == list(range(1, len(whole) + 1))
    events = list(eventful.log(kind="event"))
    assert [record.position for record in events] == [
        r.position for r in whole if r.kind == "event"
    ]
    assert list(eventful.log(after=3)) == whole[3:]
    assert list(eventful.log(after=3, limit=2)) == whole[3:5]
    assert list(eventful.log(kind="event", limit=1)) == events[:1]
    assert list(eventful.log(limit=0)) == []
    assert list(eventful.log(after=10**6)) == []


def test_the_log_is_not_for_a_bound_handle(place: Place) -> None:
    memory = place.open(project="acme")
    memory.add("The kiln is hot.")
    with pytest.raises(InputError, match="spans all projects"):
        memory.log()
    assert list(place.open(project="acme", all_projects=True).log())


def test_adding_while_reading_the_log_comes_to_an_end(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"Line {number} it is.")
    read = 0
    for record in memory.log():
        memory.add(f"Seen {record.position} it was.")
        read += 1
    assert read == 10


def test_a_log_half_read_keeps_nobody_waiting(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"Line {number} it is.")
    reading = memory.log()
    next(reading)
    done = threading.Event()

    def work() -> None:
        memory.add("Another thread was here.")
        done.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert done.wait(10)
    thread.join()
    assert len(list(reading)) == 9
