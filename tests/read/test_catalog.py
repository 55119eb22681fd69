"""The catalog: things by name, exactly, within the walls."""

from __future__ import annotations

import pytest

from memoranda import Memory
from memoranda.errors import NotFoundError
from scene import Place, applier, block, create, plan

CANARIES = {"acme": "azurite-canary", "zeta": "zinc-canary", None: "shared-canary"}


@pytest.fixture
def two(place: Place) -> Place:
    """Two projects called billing, and what belongs to neither; half of it in documents."""
    for round_ in range(2):
        for project, canary in CANARIES.items():
            with place.open(project=project) as memory:
                for number in range(3):
                    memory.add(
                        f"Billing of the {canary} says {number} in round {round_}.",
                        id=f"{project}-{round_}-{number}",
                        session="billing",
                        speaker=f"clerk-of-{canary}",
                    )
        if round_ == 0:
            with place.open() as memory:
                memory.consolidate()
    return place


def everything_readable(memory: Memory) -> str:
    seen: list[object] = [
        memory.search("billing canary round says", budget=20_000),
        memory.ask("billing canary round says", budget=20_000),
        memory.context("billing canary", 20_000),
        memory.documents(),
        memory.current(),
        [memory.document(info.document_id) for info in memory.documents()],
        [memory.history(info.document_id) for info in memory.documents()],
    ]
    for seq in range(1, 19):
        try:
            seen += [memory.get(seq), memory.history(seq)]
        except NotFoundError:
            seen.append(seq)
    return repr(seen)


@pytest.mark.parametrize("project", ["acme", "zeta"])
def test_a_project_sees_itself_and_what_has_none(two: Place, project: str) -> None:
    other = {"acme": "zeta", "zeta": "acme"}[project]
    memory = two.open(project=project)
    seen = everything_readable(memory)
    assert CANARIES[project] in seen
    assert CANARIES[None] in seen
    assert CANARIES[other] not in seen
    assert memory.get(f"{project}-0-0")
    with pytest.raises(NotFoundError):
        memory.get(f"{other}-0-0")


def test_asking_for_all_projects_sees_all(two: Place) -> None:
    for memory in (two.open(), two.open(project="acme", all_projects=True)):
        assert all(canary in everything_readable(memory) for canary in CANARIES.values())


def test_no_document_holds_two_projects(two: Place) -> None:
    memory = two.open()
    memory.consolidate()
    for info in memory.documents():
        told = {
            entry.project
            for item in memory.document(info.document_id).blocks
            for entry in item.entries
        }
        assert told == {info.project}


@pytest.mark.parametrize("act", ["correct", "retract", "history", "get"])
def test_a_bound_handle_cannot_touch_another_project(two: Place, act: str) -> None:
    memory = two.open(project="acme")
    foreign = next(
        entry.seq for entry in two.open(project="zeta").current() if entry.project == "zeta"
    )
    before = two.open().status().position
    arguments = (foreign, "x") if act == "correct" else (foreign,)
    with pytest.raises(NotFoundError):
        getattr(memory, act)(*arguments)
    assert two.open().status().position == before


def test_a_document_of_another_project_is_not_even_near(two: Place) -> None:
    foreign = next(info for info in two.open().documents() if info.project == "zeta")
    memory = two.open(project="acme")
    for ref in (foreign.document_id, foreign.title, foreign.file):
        if ref in {
            name
            for info in memory.documents()
            for name in (info.document_id, info.title, info.file)
        }:
            continue
        with pytest.raises(NotFoundError) as caught:
            memory.document(ref)
        assert foreign.title not in caught.value.near
        with pytest.raises(NotFoundError):
            memory.history(foreign.document_id)


@pytest.fixture
def shelf(memory: Memory) -> Memory:
    for text in ("The kiln is hot.", "The barge is blue."):
        memory.add(text, id=f"x-{text[4:8]}")
    applier(memory).apply(
        plan(
            create("d1", block(1), title="Red kilns"),
            create("d2", block(2), title="船坞"),
            window=(1, 2),
        )
    )
    return memory


@pytest.mark.parametrize(
    "ref", ["d1", "D1", "Red kilns", "RED KILNS", " red kilns ", "red-kilns-d1.md", "red-kilns-d1"]
)
def test_a_document_goes_by_id_title_or_file(shelf: Memory, ref: str) -> None:
    assert shelf.document(ref).header.document_id == "d1"


def test_an_id_comes_before_a_title(shelf: Memory) -> None:
    shelf.add("The goat is loose.")
    applier(shelf).apply(plan(create("d3", block(3), title="d1"), window=(3,), epoch=2))
    assert shelf.document("d1").header.title == "Red kilns"
    shelf.add("The tin is red.")
    applier(shelf).apply(plan(create("d4", block(4), title="d5"), window=(4,), epoch=3))
    shelf.add("The hay is dry.")
    applier(shelf).apply(plan(create("d5", block(5), title="Hay"), window=(5,), epoch=4))
    assert shelf.document("d5").header.title == "Hay"


def test_a_chinese_title_is_a_name(shelf: Memory) -> None:
    assert shelf.document("船坞").header.document_id == "d2"


@pytest.mark.parametrize("ref", ["Red kiln", "d3", "", "red", "d", "kilns-d1"])
def test_the_nearest_is_never_taken(shelf: Memory, ref: str) -> None:
    with pytest.raises(NotFoundError):
        shelf.document(ref)


def test_near_names_are_told(shelf: Memory) -> None:
    with pytest.raises(NotFoundError, match="near names: Red kilns") as caught:
        shelf.document("Red kiln")
    assert caught.value.near == ("Red kilns",)


def test_an_event_goes_by_its_id_or_yours(shelf: Memory) -> None:
    event = shelf.get("x-kiln")
    assert shelf.get(event.event_id) == event  # type: ignore[union-attr]
    assert event.content == "The kiln is hot."  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "ref", ["nothing", "", "x-KILN", "p-by-hand", 0, -1, 3, 10**30, "9" * 30, "٣"]
)
def test_what_is_not_there_is_not_found(shelf: Memory, ref: int | str) -> None:
    with pytest.raises(NotFoundError):
        shelf.get(ref)


def test_a_plan_or_receipt_is_no_event(shelf: Memory) -> None:
    for record in shelf.log():
        if record.kind != "event":
            with pytest.raises(NotFoundError):
                shelf.get(record.record_id)


def test_a_seq_goes_by_number_or_digits(shelf: Memory) -> None:
    assert shelf.get(1) == shelf.get("1")


def test_the_view_of_a_document_is_the_file(place: Place, shelf: Memory) -> None:
    shelf.state()
    found = shelf.document("d1")
    assert found.markdown.encode() == place.files()[found.header.file]
    assert [entry.text for item in found.blocks for entry in item.entries] == ["The kiln is hot."]
