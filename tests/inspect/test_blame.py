"""Blame: every line that says something resolves to its entries, its events and the plan behind it."""

from __future__ import annotations

import json
import random

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import NotFoundError
from memoranda.inspections import BlameLine
from memoranda.store.operations import Join, Merge, Text
from scene import SENTENCES, Place, applier, block, create, home, plan, said

WORDS = ("entry", "heading", "title", "summary")


def lines_of(memory: Memory) -> list[BlameLine]:
    return [line for info in memory.documents() for line in memory.blame(info.document_id).lines]


def grown(place: Place, rounds: int = 12) -> Memory:
    """Many small consolidations, with splits and merges."""
    memory = place.open()
    chance = random.Random(7)  # noqa: S311 - a fixed run
    for number in range(rounds * 12):
        text = chance.choice(SENTENCES)
        memory.add(f"{text} ({number})", session=f"s{number // 6}", actor=f"bot-{number % 3}")
        if number % 12 == 11:
            memory.consolidate()
    return memory


def test_every_line_of_every_document_is_told_once_and_in_order(small: Place) -> None:
    memory = grown(small)
    kinds = {change for info in memory.documents() for change in kinds_of(memory, info.document_id)}
    assert {"split", "created", "updated"} <= kinds
    for info in memory.documents():
        found = memory.blame(info.document_id)
        numbers = [n for line in found.lines for n in range(line.lines[0], line.lines[1] + 1)]
        text = memory.document(info.document_id).markdown
        assert numbers == list(range(1, text.count("\n") + 1))
        assert "\n".join(line.text for line in found.lines) + "\n" == text


def kinds_of(memory: Memory, document_id: str) -> set[str]:
    return {change.kind for change in memory.history(document_id)}


def test_every_line_that_says_something_resolves_to_its_events(small: Place) -> None:
    memory = grown(small)
    events = {record.record_id: record.body or {} for record in memory.log(kind="event")}
    plans = {record.record_id: record for record in memory.log(kind="plan")}
    told = [line for line in lines_of(memory) if line.kind in WORDS]
    assert len(told) > 100
    for line in told:
        assert line.event_ids
        assert line.seqs
        assert line.by == "rules/1"
        assert plans[line.plan_id].position == line.position
        assert plans[line.plan_id].recorded == line.recorded
        assert set(line.actors) == {events[name]["actor"] for name in line.event_ids}
        if line.kind == "entry":
            assert line.worded_by == "rules/1"
            assert any(events[name]["content"] in line.text for name in line.event_ids)


def test_a_line_that_a_split_moved_names_the_split_beside_the_plan_that_placed_it(
    small: Place,
) -> None:
    memory = grown(small)
    moved = [line for line in lines_of(memory) if line.moved_by and line.kind == "entry"]
    kept = [line for line in lines_of(memory) if not line.moved_by and line.kind == "entry"]
    assert moved
    assert kept
    for line in moved:
        shapes = [op["op"] for op in next(memory.log(plan=line.moved_by)).body["operations"]]  # type: ignore[index]
        assert set(shapes) & {"split", "merge"}
        placed = next(memory.log(plan=line.plan_id, kind="plan")).body
        seqs = {
            seq for op in placed["operations"] for b in op.get("blocks", []) for seq in b["seqs"]
        }  # type: ignore[index]
        assert set(line.seqs) & seqs


def test_a_joined_line_names_who_joined_it(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is red.")
    memory.add("The kiln is large.")
    text = Text(text="The kiln is red and large.", made_from=(1, 2))
    made = plan(Join(seqs=(1, 2), text=text, tokens=7), create("d1", block(1)), window=(1, 2))
    applier(memory).apply(made, approved=True)
    line = next(line for line in memory.blame("d1").lines if line.kind == "entry")
    assert (line.seqs, len(line.event_ids)) == ((1, 2), 2)
    assert (line.worded_by, line.by, line.plan_id) == ("a test", "a test", made.plan_id)


def merged(memory: Memory) -> str:
    """Two documents become one; gives the plan's id."""
    memory.add("The kiln is red.")
    memory.add("The pump is blue.")
    memory.add("船屋是灰色的。")
    first = plan(create("d1", block(1)), window=(1,))
    applier(memory).apply(first, approved=True)
    for number, name in ((2, "d2"), (3, "d3")):
        made = create(name, block(number), title=f"Things {number}")
        applier(memory).apply(plan(made, window=(number,)), approved=True)
    for keep, gone in (("d2", "d3"), ("d1", "d2")):
        versions = {info.document_id: info.version for info in memory.documents()}
        join = Merge(document_id=keep, absorbs=(gone,), title=None, summary=said("All."))
        both = {name: versions[name] for name in (keep, gone)}
        last = plan(join, versions=both, kind="reshape")
        applier(memory).apply(last, approved=True)
    return last.plan_id


def test_a_retired_id_leads_to_its_heir_and_says_so(memory: Memory) -> None:
    last = merged(memory)
    assert [info.document_id for info in memory.documents()] == ["d1"]
    view = memory.document("d3")
    assert view.header.document_id == "d1"
    assert "d3 was merged into d2" in view.note
    assert "d2 was merged into d1" in view.note
    assert memory.document("d1").note == ""
    assert memory.blame("d3").note == view.note
    last_steps = [change.text for change in memory.history("d3")][-2:]
    assert last_steps == ["merged into d2", "d2, which took it in, was merged into d1"]
    moved = [line.moved_by for line in memory.blame("d1").lines if line.kind == "entry"]
    assert moved == ["", last, last]


def test_a_title_is_never_taken_for_a_retired_id(memory: Memory) -> None:
    merged(memory)
    for name in ("Things 3", "d9", "d"):
        with pytest.raises(NotFoundError):
            memory.document(name)
        with pytest.raises(NotFoundError):
            memory.blame(name)


def test_what_was_forgotten_is_in_no_line(memory: Memory) -> None:
    memory.add("The safe opens with 48-17-93.")
    memory.add("The safe is green.")
    memory.consolidate()
    memory.forget(entry=1)
    assert "48-17-93" not in repr(memory.blame("d1"))
    assert all(line.event_ids for line in memory.blame("d1").lines if line.seqs)


def test_the_command_prints_who_when_and_what(small: Place) -> None:
    memory = grown(small, rounds=2)
    name = memory.documents()[0].document_id
    memory.close()
    command = Command(small.root)
    text = command.ok("blame", name)
    assert "placed by p" in text
    assert "events e" in text
    assert "bot-" in text
    found = command.json("blame", name)
    assert found["document_id"] == name
    assert {line["kind"] for line in found["lines"]} >= set(WORDS)
    assert len(command.ok("blame", name, "--all")) > len(text)
    assert command("blame", "nothing").exit_code == 3
    assert json.dumps(found)


def test_the_command_show_says_on_the_side_where_a_document_went(place: Place) -> None:
    memory = place.open()
    merged(memory)
    assert home(memory).view.document("d3") is None
    memory.close()
    shown = Command(place.root)("show", "d3")
    assert shown.exit_code == 0
    assert "d3 was merged into d2" in shown.stderr
    assert "was merged" not in shown.stdout
