"""Field cases: nothing stands twice: no fact in the documents, no title in a scope."""

from __future__ import annotations

import json

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import PlanError
from memoranda.store.operations import Merge, Part, Split, Update
from scene import Place, applier, block, create, plan, said, versions

FOUR = (
    "The bell of the chapel was cast in Lund.",
    "Four ropes hold the bell of the chapel.",
    "小教堂的钟每天早上六点敲响。",
    "Only the sexton has a key to the tower.",
)
KEYED = "\n".join(
    json.dumps({"id": f"bell-{n}", "content": text}, ensure_ascii=False)
    for n, text in enumerate(FOUR)
)
PLAIN = "\n".join(json.dumps({"content": text}, ensure_ascii=False) for text in FOUR)


def facts(memory: Memory) -> list[tuple[str, int]]:
    """Every line of the documents, with how many events it cites."""
    views = [memory.document(info.document_id) for info in memory.documents()]
    return sorted(
        (entry.text, len(set(entry.event_ids)))
        for view in views
        for part in view.blocks
        for entry in part.entries
    )


@pytest.mark.parametrize("when", ["after each import", "at the end"])
def test_an_import_without_ids_repeats_no_fact_and_cites_both_events(
    place: Place, memoranda: Command, when: str
) -> None:  # fc-017
    added = []
    for lines in (KEYED, KEYED, PLAIN):
        added.append(memoranda.json("import", "-", "--no-auto", given=lines)["added"])
        if when == "after each import":
            memoranda.ok("consolidate")
    memoranda.ok("consolidate")
    assert added == [4, 0, 4]
    memory = place.open()
    assert memory.status().events == 8
    assert facts(memory) == sorted((text, 2) for text in FOUR)
    printed = b"".join(
        data for name, data in place.files().items() if name != "CURRENT.md"
    ).decode()
    assert [printed.count(text) for text in FOUR] == [1, 1, 1, 1]
    for number, text in enumerate(FOUR):
        lines_of = memory.get(f"bell-{number}")
        found = [e for item in memory.search(text).evidence for e in item.entries if e.text == text]
        assert len(found) == 1
        assert lines_of.event_id in found[0].event_ids  # type: ignore[union-attr]
        assert len(found[0].seqs) == 2
    files = place.files()
    memory.rebuild()
    assert place.files() == files


# --- titles ------------------------------------------------------------------------------------

BY_HAND = b"---\ntitle: Budget Plan\n---\n\n# Budget Plan\n\nWritten by hand, with care.\n"


def with_a_file_by_hand(place: Place, name: str = "budget-plan.md") -> Memory:
    memory = place.open()
    memory.add("The budget plan for the harbour has four parts.")
    memory.add("The barges were painted in May.")
    path = place.folder / "topics" / name
    path.write_bytes(BY_HAND)
    return memory


def test_a_file_made_by_hand_is_a_conflict_that_is_told_and_never_a_second_document(
    place: Place, memoranda: Command
) -> None:  # fc-018
    memory = with_a_file_by_hand(place)
    applier(memory).apply(plan(create("d1", block(1, 2), title="Budget Plan"), window=(1, 2)))
    memory.close()
    again = place.open()
    assert [info.title for info in again.documents()] == ["Budget Plan"]
    assert again.document("budget plan").header.document_id == "d1"
    assert again.status().conflicts == ("topics/budget-plan.md",)
    assert memoranda("status", "--check").exit_code == 4
    assert "topics/budget-plan.md" in memoranda.ok("status")
    assert (place.folder / "topics" / "budget-plan.md").read_bytes() == BY_HAND
    again.rebuild()
    assert (place.folder / "topics" / "budget-plan.md").read_bytes() == BY_HAND


def test_a_file_made_by_hand_under_the_very_name_is_kept_as_a_copy(place: Place) -> None:  # fc-018
    memory = with_a_file_by_hand(place, "budget-plan-d1.md")
    applier(memory).apply(plan(create("d1", block(1, 2), title="Budget Plan"), window=(1, 2)))
    memory.close()
    (copy,) = place.open().status().conflicts
    assert (place.folder / copy).read_bytes() == BY_HAND
    assert b"id: d1" in (place.folder / "topics" / "budget-plan-d1.md").read_bytes()


SAME = ["Budget Plan", "budget plan", "BUDGET PLAN"]


@pytest.mark.parametrize("title", SAME)
def test_a_second_document_with_the_same_title_is_refused(
    memory: Memory, title: str
) -> None:  # fc-018
    memory.add("The budget plan for the harbour has four parts.")
    memory.add("The barges were painted in May.")
    applier(memory).apply(plan(create("d1", block(1), title="Budget Plan"), window=(1,)))
    second = create("d2", block(2), title=title)
    with pytest.raises(PlanError, match="d2 would have the title that d1 has"):
        applier(memory).apply(plan(second, window=(2,)))
    elsewhere = create("d2", block(2), title=title, project="harbour")
    with pytest.raises(PlanError, match="that d1 has"):
        applier(memory).apply(plan(elsewhere, window=(2,)))
    assert [info.document_id for info in memory.documents()] == ["d1"]
    assert [entry.seq for entry in memory.current()] == [2]


def test_accents_written_in_two_ways_are_one_title(memory: Memory) -> None:  # fc-018
    memory.add("The café by the harbour opens at six.")
    memory.add("The café by the church opens at noon.")
    applier(memory).apply(plan(create("d1", block(1), title="Café"), window=(1,)))
    with pytest.raises(PlanError, match="that d1 has"):
        applier(memory).apply(plan(create("d2", block(2), title="Cafe\u0301"), window=(2,)))


def test_no_change_of_a_document_gives_it_the_title_of_another(memory: Memory) -> None:  # fc-018
    for number in range(1, 6):
        memory.add(f"Mooring {number} of the harbour was checked.")
    applier(memory).apply(
        plan(
            create("d1", block(1), block(2), title="Budget Plan"),
            create("d2", block(3), title="Moorings"),
            window=(1, 2, 3),
        )
    )
    taken, summary = said("moorings"), said("About moorings.")
    parts = (Part(document_id="d3", title=taken, summary=summary, blocks=(2,)),)
    for operation in (
        Update(document_id="d1", title=taken, summary=summary, blocks=(block(4),)),
        Split(document_id="d1", title=None, summary=summary, parts=parts),
        create("d3", block(4), title="MOORINGS"),
    ):
        window = (4,) if not isinstance(operation, Split) else ()
        kind = "reshape" if isinstance(operation, Split) else "consolidate"
        with pytest.raises(PlanError, match="that d2 has"):
            applier(memory).apply(
                plan(operation, window=window, versions={"d1": versions(memory)["d1"]}, kind=kind)
            )
    merged = Merge(document_id="d1", absorbs=("d2",), title=taken, summary=summary)
    applier(memory).apply(plan(merged, versions=versions(memory), kind="reshape"))
    assert [info.title for info in memory.documents()] == ["moorings"]


def test_two_documents_of_one_plan_share_no_title(memory: Memory) -> None:  # fc-018
    memory.add("The budget plan for the harbour has four parts.")
    memory.add("The barges were painted in May.")
    made = [create(f"d{number}", block(number), title="Budget Plan") for number in (1, 2)]
    with pytest.raises(PlanError, match="would have the title"):
        applier(memory).apply(plan(*made, window=(1, 2)))
    assert memory.documents() == ()


def test_the_rules_give_every_document_a_title_of_its_own(small: Place) -> None:  # fc-018
    memory = small.open()
    for project in ("north", "south", None):
        with small.open(project=project) as handle:
            for number in range(30):
                handle.add(
                    f"The budget plan of the harbour, part {number % 3}.", session=f"s{number}"
                )
            handle.consolidate()
    titles = [info.title.casefold() for info in memory.documents()]
    assert len(titles) >= 3
    assert len(set(titles)) == len(titles)
