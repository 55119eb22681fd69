"""What a limited handle sees of a memory: its own library, as if the rest had never been said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli_command import Command
from memoranda import Memory, NewEvent, Settings
from memoranda.errors import InputError, NotAllowedError, NotFoundError
from memoranda.llm.doubles import ScriptedModel
from memoranda.store.metadata import together
from memoranda.store.visible import Visible, labels_of
from memoranda.values import plain
from scene import BY_HAND, SMALL

OPEN = "The library opens at nine on weekdays."
STAFF = "The staff door of the library has the code 5512."
ILLNESS = "Ines will leave the library in autumn because of her illness."
CHINESE = "伊内丝的工资是每月四千八百欧元。"
OLD, NEW = "The deployment limit is 30 pods.", "The deployment limit is 45 pods."


def told(root: Path, **given: Any) -> Memory:
    memory = Memory.open(root, settings=BY_HAND, **given)
    memory.add(OPEN, sensitivity="public", speaker="Ann", id="open")
    memory.add(STAFF, sensitivity="internal", id="staff")
    memory.add(ILLNESS, sensitivity="private", speaker="Ines", id="secret")
    memory.add(CHINESE, sensitivity="private")
    return memory


def at(root: Path, clearance: str, **given: Any) -> Memory:
    return Memory.open(root, settings=BY_HAND, clearance=clearance, **given)


def said(*values: object) -> str:
    return json.dumps([plain(value) for value in values], ensure_ascii=False)


def test_each_clearance_sees_up_to_itself(root: Path) -> None:
    with told(root) as owner:
        owner.consolidate()
        seen = {}
        for clearance in ("public", "internal", "private"):
            with at(root, clearance) as memory:
                seen[clearance] = [
                    e.text for e in memory.search("library", budget=4000).evidence[0].entries
                ]
                assert memory.status().entries == memory.grep(".").total
    assert [len(texts) for texts in seen.values()] == [1, 2, 3]
    assert seen["public"] == [OPEN]
    assert set(seen["internal"]) == {OPEN, STAFF}


def test_a_name_that_came_from_a_private_line_is_made_anew(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        owner.add("The wedding of Ines and Karl is on the ninth of May.")
        owner.add("Flour is on the second shelf.", sensitivity="public")
        owner.consolidate()
        owner.mark(1, "private")
        assert "wedding" in said(owner.documents())
        with at(root, "internal") as memory:
            (document,) = memory.documents()
            assert document.title.startswith("Flour is on the second")
            whole = said(memory.document("d1"), memory.blame("d1"), memory.list_documents())
            assert "edding" not in whole
            assert (document.entry_count, memory.status().current_entries) == (1, 0)


def test_a_document_of_private_lines_alone_is_not_there(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        owner.add("The dentist of Ines is Dr. Vogel.", sensitivity="private")
        owner.consolidate()
        assert [info.document_id for info in owner.documents()] == ["d1"]
        title = owner.documents()[0].title
        with at(root, "internal") as memory:
            assert memory.documents() == ()
            assert memory.status().documents == memory.list_documents().total == 0
            for name in ("d1", title):
                for look in (
                    memory.document,
                    memory.blame,
                    memory.diff,
                    memory.history,
                    memory.read_lines,
                ):
                    with pytest.raises(NotFoundError):
                        look(name)


@pytest.mark.parametrize("ref", [3, 4, "secret"])
def test_what_may_not_be_seen_is_not_found_in_the_same_words(root: Path, ref: int | str) -> None:
    with told(root), at(root, "internal") as memory:
        nothing: int | str = 999 if isinstance(ref, int) else "nothing"
        for look in (memory.get, memory.history, memory.retract):
            if isinstance(ref, str) and look not in (memory.get, memory.history):
                continue
            with pytest.raises(NotFoundError) as hidden:
                look(ref)
            with pytest.raises(NotFoundError) as absent:
                look(nothing)
            assert str(hidden.value).replace(repr(ref), "X") == str(absent.value).replace(
                repr(nothing), "X"
            )


@pytest.mark.parametrize("placed", [False, True])
def test_what_a_private_line_replaced_shows_as_replaced(root: Path, *, placed: bool) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        owner.add(OLD, sensitivity="public")
        owner.add(NEW, sensitivity="private")
        owner.consolidate()
        if placed:
            owner.add("The limit was raised by Karl.", sensitivity="private")
            owner.consolidate()
        with at(root, "public") as memory:
            assert memory.get(1).superseded_by == 2
            assert "[outdated" in memory.context("deployment limit")
            assert "45 pods" not in said(memory.timeline(1), memory.facts("deployment limit"))
            with pytest.raises(NotFoundError):
                memory.get(2)
        owner.retract(2)
        with at(root, "public") as memory:
            assert memory.get(1).superseded_by is None


def test_a_limited_handle_sees_what_is_added_at_once(root: Path) -> None:
    with told(root) as owner, at(root, "internal") as memory:
        assert memory.status().entries == 2
        owner.add("The boiler is serviced in March.")
        owner.add("The boiler broke because of Karl.", sensitivity="private")
        assert memory.grep("boiler").total == 1
        owner.consolidate()
        assert memory.grep("boiler").total == 1
        assert memory.search("boiler").evidence[0].document_id.startswith("d")


def test_what_is_forgotten_is_gone_from_an_open_limited_handle(root: Path) -> None:
    with told(root) as owner, at(root, "internal") as memory:
        assert memory.grep("5512").total == 1
        owner.forget(event=owner.get("staff").event_id)
        assert memory.grep("5512").total == 0
        assert "5512" not in "".join(memory._seen().log.connection.iterdump())


def test_raising_holds_at_once_and_lowering_waits_for_approval(root: Path) -> None:
    with told(root) as owner, at(root, "internal") as memory:
        raised = owner.mark("staff", "private", by="Ann", reason="new policy")
        assert (raised.seqs, raised.was, raised.waits) == ((2,), "internal", False)
        assert memory.grep("5512").total == 0
        assert owner.get(2).sensitivity == owner.get("staff").sensitivity == "private"
        assert "marked private" in owner.history(2)[-1].text
        lowered = owner.mark(2, "public")
        assert lowered.waits
        assert memory.grep("5512").total == 0
        assert owner.waiting() == (lowered.plan_id,)
        assert "more readers" in owner.plan(lowered.plan_id).reasons[0]
        owner.approve(lowered.plan_id)
        assert memory.grep("5512").total == 1
        assert owner.get(2).sensitivity == "public"
        owner.rebuild()
        assert owner.get(2).sensitivity == "public"
        assert owner.check(full=True).ok


def test_a_mark_can_be_undone(root: Path) -> None:
    with told(root) as owner, at(root, "internal") as memory:
        marked = owner.mark(2, "private")
        assert memory.grep("5512").total == 0
        owner.undo(marked.plan_id)
        assert owner.get(2).sensitivity == "internal"
        assert memory.grep("5512").total == 1


def test_an_entry_has_the_highest_sensitivity_of_its_events(root: Path) -> None:
    with Memory.open(root, settings=SMALL) as owner:
        for level in ("public", "public"):
            owner.add(
                "The archive is in the cellar of the town hall.", sensitivity=level, speaker="Ann"
            )
        owner.consolidate()
        (line,) = owner.document("d1").blocks[0].entries
        assert line.seqs == (1, 2)
        owner.mark(line.event_ids[1], "private")
        assert owner.get(1).sensitivity == "private"
        with at(root, "public") as memory:
            assert memory.get(1).seqs == (1,)
            assert memory.status().entries == 1
            with pytest.raises(NotFoundError):
                memory.get(2)


def test_a_line_that_also_holds_what_is_hidden_is_not_retracted_by_halves(root: Path) -> None:
    with Memory.open(root, settings=SMALL) as owner:
        for _ in range(2):
            owner.add(
                "The archive is in the cellar of the town hall.",
                sensitivity="public",
                speaker="Ann",
            )
        owner.consolidate()
        owner.mark(owner.get(1).event_ids[0], "private")
        with at(root, "public") as memory:
            assert memory.get(2).seqs == (2,)
            with pytest.raises(NotAllowedError, match="sight of all"):
                memory.retract(2)


def test_a_model_that_answers_a_limited_handle_is_shown_what_it_may_see(root: Path) -> None:
    model = ScriptedModel(lambda _: {"done": True})
    with told(root) as owner:
        owner.consolidate()
    with at(root, "internal", model=model) as memory:
        memory.ask("Who will leave the library, and what is the code of the staff door?")
    prompts = repr(model.requests)
    assert "5512" in prompts
    assert "illness" not in prompts
    assert "伊内丝" not in prompts


def test_a_model_does_not_maintain_through_a_limited_handle(root: Path) -> None:
    model = ScriptedModel(lambda _: {"done": True})
    tiny = Settings(current_tokens=50, auto=True)
    with told(root):
        pass
    with Memory.open(root, settings=tiny, clearance="internal", model=model) as memory:
        memory.add("The reading room has forty chairs and a large window. " * 4)
        assert model.requests == []
        with pytest.raises(NotAllowedError, match="consolidate"):
            memory.consolidate()


def test_a_limited_handle_adds_up_to_its_clearance(root: Path) -> None:
    with at(root, "public") as memory:
        memory.add("A poster hangs in the hall.")
        assert memory.get(1).sensitivity == "public"
        with pytest.raises(NotAllowedError, match="clearance private"):
            memory.add("Karl is ill.", sensitivity="private")
        assert memory.status().events == 1


def test_what_consolidation_did_is_not_told_to_a_limited_handle(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        for number in range(30):
            owner.add(f"Ines pays rent number {number} to Karl in cash.", sensitivity="private")
    with Memory.open(root, settings=SMALL, clearance="public") as memory:
        assert memory.opening == ()
        added = memory.add("The post office is open on Saturdays.")
        assert (added.receipts, added.waiting, added.due_since) == ((), (), None)
        assert memory.status().due_since is None


def test_projects_and_labels_are_walls_too(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        for project in (None, "alpha", "beta"):
            for label in (None, "team-a", "team-b"):
                owner.add_many(
                    [
                        NewEvent(
                            content=f"Valve {project} {label} is closed.",
                            project=project,
                            metadata={"access": [label]} if label else {},
                        )
                    ]
                )
        owner.consolidate()
    for limits, number in (
        ({"projects": ["alpha"]}, 6),
        ({"projects": []}, 3),
        ({"labels": ["team-a"]}, 6),
        ({"labels": []}, 3),
        ({"projects": ["beta"], "labels": ["team-b"]}, 4),
    ):
        with Memory.open(root, settings=BY_HAND, **limits) as memory:
            assert memory.grep("Valve").total == memory.status().entries == number
            placed = sum(info.entry_count for info in memory.documents())
            assert placed + memory.status().current_entries == number


def test_a_correction_is_for_those_who_may_see_what_it_corrects(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as owner:
        owner.add("The vault opens at six.", metadata={"access": ["team-a"]})
        owner.correct(1, "The vault opens at seven.")
    with Memory.open(root, settings=BY_HAND, labels=["team-b"]) as memory:
        assert memory.grep("vault").total == 0
    with Memory.open(root, settings=BY_HAND, labels=["team-a"]) as memory:
        assert memory.get(2).text == "The vault opens at seven."


def test_settings_can_only_narrow_what_a_handle_is_opened_with(root: Path) -> None:
    with told(root):
        pass
    narrow = Settings(auto=False, clearance="internal", role="writer", labels="a, b")
    with Memory.open(root, settings=narrow, clearance="private", labels=["b", "c"]) as memory:
        assert (memory.clearance, memory.role, memory.sees_all) == ("internal", "writer", False)
        assert memory.grep(".").total == 2
    with Memory.open(root, settings=narrow, clearance="public") as memory:
        assert memory.clearance == "public"


def test_the_command_line_takes_it_from_flags_and_environment(root: Path) -> None:
    with told(root):
        pass
    memoranda = Command(root)
    assert memoranda("grep", "illness", "--clearance", "internal").exit_code == 3
    assert memoranda("grep", "illness", MEMORANDA_CLEARANCE="internal").exit_code == 3
    widened = memoranda("grep", "illness", "--clearance", "private", MEMORANDA_CLEARANCE="public")
    assert widened.exit_code == 3
    assert "illness" in memoranda.ok("grep", "illness")
    refused = memoranda("add", "x", "--role", "reader")
    assert refused.exit_code == 1
    assert "needs the role writer" in refused.stderr
    marked = memoranda("mark", "2", "private", "--json")
    assert (marked.exit_code, json.loads(marked.stdout)["seqs"]) == (0, [2])
    assert memoranda("mark", "2", "public").exit_code == 4
    assert memoranda("mark", "77", "public").exit_code == 3


@pytest.mark.parametrize(
    "given",
    [{"clearance": "secret"}, {"role": "boss"}, {"projects": "alpha"}, {"labels": [""]}],
    ids=str,
)
def test_what_can_not_be_used_opens_nothing(root: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Memory.open(root, **given)


LEVELS = st.sampled_from(["public", "internal", "private"])
NAMES = st.none() | st.sampled_from(["a", "b", "c"])
RULES = st.none() | st.lists(st.sampled_from(["x", "y", "z"]), max_size=3)


@settings(max_examples=100)
@given(
    LEVELS,
    NAMES,
    RULES,
    LEVELS,
    st.none() | st.sets(NAMES),
    st.none() | st.sets(st.sampled_from("xyz")),
)
def test_who_may_see_less_sees_a_part_of_what_others_see(
    level: str,
    project: str | None,
    rule: list[str] | None,
    clearance: Any,
    projects: Any,
    labels: Any,
) -> None:
    event = {
        "sensitivity": level,
        "project": project,
        "metadata": {} if rule is None else {"access": rule},
    }
    visible = Visible(
        clearance=clearance,
        projects=None if projects is None else frozenset(projects - {None}),
        labels=None if labels is None else frozenset(labels),
    )
    assert Visible().admits(event)
    if visible.admits(event):
        assert Visible(clearance=clearance).admits(event)
        assert Visible(labels=visible.labels).admits(event)
        assert Visible(projects=visible.projects).admits(event)


@pytest.mark.parametrize("rule", [7, {"a": 1}, [7], [], None])
def test_an_access_rule_that_can_not_be_read_is_for_nobody_but_who_sees_all(rule: object) -> None:
    event = {"sensitivity": "public", "project": None, "metadata": {"access": rule}}
    assert labels_of(event["metadata"]) == frozenset()
    assert Visible().admits(event)
    assert not Visible(labels=frozenset({"a"})).admits(event)


def test_metadata_of_a_domain_is_found_by_and_comes_with_the_entry(root: Path) -> None:
    with Memory.open(root, settings=BY_HAND) as memory:
        memory.add("Bearing 4 runs hot.", metadata={"entity": "bearing", "machine": "rig-4"})
        memory.add(
            "Bearing 9 runs hot.", metadata={"entity": "bearing", "machine": ["rig-9", "rig-4"]}
        )
        memory.add("The pump leaks.", metadata={"entity": "pump", "address": "10.0.0.7"})
        memory.consolidate()
        found = memory.search("hot", where={"entity": "bearing", "machine": "rig-9"})
        assert [e.text for item in found.evidence for e in item.entries] == ["Bearing 9 runs hot."]
        assert memory.events("", where={"machine": "rig-4"}).total == 2
        assert memory.search("pump", where={"address": "10.0.0.8"}).evidence == ()
        assert memory.get(3).metadata == {"entity": "pump", "address": "10.0.0.7"}
        for wrong in ({}, {"a b": "x"}, {"a": 1}, "entity", {'x"': "y"}):
            with pytest.raises(InputError, match="where"):
                memory.search("pump", where=wrong)  # type: ignore[arg-type]
    memoranda = Command(root)
    assert "Bearing 9" in memoranda.ok("search", "hot", "--where", "machine=rig-9")
    assert "Bearing 4" not in memoranda.ok("search", "hot", "--where", "machine=rig-9")
    assert memoranda("search", "hot", "--where", "machine").exit_code == 2


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([{"machine": "a"}, {"machine": "a"}], {"machine": "a"}),
        ([{"machine": "a"}, {"machine": "b"}], {"machine": ["a", "b"]}),
        ([{"tags": ["x"]}, {"tags": ["x", "y"]}], {"tags": ["x", "y"]}),
        ([{"tags": ["x"]}], {"tags": ["x"]}),
        ([{"access": ["p", "q"]}, {"access": ["q", "r"]}, {}], {"access": ["q"]}),
        ([{"access": ["p"]}, {"access": ["r"]}], {"access": []}),
        ([], {}),
    ],
    ids=str,
)
def test_metadata_of_several_events_is_put_together(parts: Any, whole: Any) -> None:
    assert together(parts) == whole
