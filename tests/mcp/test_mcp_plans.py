"""Plans that wait: an agent may look, and only a person decides, asked through the client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp_agent import ERAS, call, ok, refused, talk, text
from mcp_types import ElicitResult

from memoranda import Memory, Settings
from scene import SENTENCES, Place

REVIEW = Settings(auto=False, mode="review")


def waiting(place: Place) -> tuple[Memory, str]:
    """A memory in which one plan waits."""
    memory = place.open(settings=REVIEW)
    for sentence in SENTENCES[:3]:
        memory.add(sentence)
    memory.consolidate()
    (name,) = memory.waiting()
    return memory, name


class Person:
    """Someone at the client, who is shown questions and answers all alike."""

    def __init__(
        self, action: str, agreed: object, before: Callable[[], Any] | None = None
    ) -> None:
        self.asked: list[str] = []
        self._answer = (action, agreed)
        self._before = before

    async def __call__(self, _: Any, params: Any) -> ElicitResult:
        self.asked.append(params.message)
        assert params.requested_schema["properties"]["agreed"]["type"] == "boolean"
        if self._before is not None and len(self.asked) == 1:
            self._before()
        action, agreed = self._answer
        content = {"agreed": agreed} if action == "accept" else None
        return ElicitResult(action=action, content=content)


def decide(
    memory: Memory, plan: str, person: Person | None, mode: str, decision: str = "approve"
) -> Any:
    """Let an agent ask for a decision."""
    given = {"plan_id": plan, "decision": decision, "reason": "agreed on Monday"}

    async def work(agent: Client) -> Any:
        return await agent.call_tool("plans", given)

    return talk(memory, work, mode=mode, elicitation_callback=person)


def test_a_list_names_each_plan_that_waits_and_why(place: Place) -> None:
    memory, name = waiting(place)
    found = call(memory, "plans")
    assert name in text(found)
    assert found.structured_content["waiting"] == [name]
    assert found.structured_content["plans"][0]["state"] == "pending"


def test_consolidate_names_the_plans_that_wait(place: Place) -> None:
    memory = place.open(settings=REVIEW)
    memory.add(SENTENCES[0])
    found = call(memory, "consolidate")
    assert found.structured_content["waiting"] == list(memory.waiting()) != []
    assert memory.waiting()[0] in text(found)
    assert found.structured_content["current_entries"] == 1


def test_one_plan_is_shown_with_what_it_would_change(place: Place) -> None:
    memory, name = waiting(place)
    said = text(call(memory, "plans", plan_id=name))
    assert f"+- <seq=1, source=user> {SENTENCES[0]}" in said
    assert ok(memory, "plans", plan_id=name)["plans"][0]["after"]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_where_the_client_can_not_ask_the_plan_stays_and_its_id_is_given(
    place: Place, mode: str, decision: str
) -> None:
    memory, name = waiting(place)
    found = decide(memory, name, None, mode, decision)
    assert not found.is_error
    assert f"memoranda plan {decision} {name}" in text(found)
    assert found.structured_content["waiting"] == [name]
    assert "decided" not in found.structured_content
    assert memory.waiting() == (name,)
    assert memory.documents() == ()


@pytest.mark.parametrize("mode", ERAS)
def test_a_person_who_agrees_approves(place: Place, mode: str) -> None:
    memory, name = waiting(place)
    person = Person("accept", agreed=True)
    found = decide(memory, name, person, mode)
    assert not found.is_error, text(found)
    assert found.structured_content["decided"]["state"] == "approved"
    assert len(person.asked) == 1
    assert SENTENCES[0] in person.asked[0]
    assert sum(info.entry_count for info in memory.documents()) == 3
    view = memory.plan(name)
    assert view.decision == "agreed on Monday"
    assert view.decided_by is not None
    assert view.decided_by.startswith("a person, through mcp")


@pytest.mark.parametrize("mode", ERAS)
def test_a_person_who_agrees_rejects(place: Place, mode: str) -> None:
    memory, name = waiting(place)
    found = decide(memory, name, Person("accept", agreed=True), mode, "reject")
    assert found.structured_content["decided"]["state"] == "rejected"
    assert memory.plan(name).state == "rejected"


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("action", "agreed"),
    [("accept", False), ("decline", None), ("cancel", None), ("accept", "true")],
)
def test_whatever_is_not_a_clear_yes_leaves_the_plan_as_it_is(
    place: Place, mode: str, action: str, agreed: object
) -> None:
    memory, name = waiting(place)
    person = Person(action, agreed)
    found = decide(memory, name, person, mode)
    assert len(person.asked) == 1
    assert "The user said no." in text(found)
    assert memory.waiting() == (name,)


@pytest.mark.parametrize(("mode", "times"), [("auto", 2), ("legacy", 1)])
def test_a_yes_to_a_plan_that_has_moved_on_applies_nothing(
    place: Place, mode: str, times: int
) -> None:
    memory, name = waiting(place)
    person = Person("accept", agreed=True, before=lambda: memory.retract(2))
    found = decide(memory, name, person, mode)
    assert found.is_error
    assert len(person.asked) == times
    (anew,) = memory.waiting()
    assert anew != name
    assert anew in text(found)
    assert memory.documents() == ()


@pytest.mark.parametrize("forged", ["", "0" * 24])
def test_an_answer_that_was_never_asked_for_is_no_answer(place: Place, forged: str) -> None:
    memory, name = waiting(place)
    arguments = {"plan_id": name, "decision": "approve"}

    async def work(agent: Client) -> Any:
        return await agent.session.call_tool(
            "plans",
            arguments,
            input_responses={"decision": ElicitResult(action="accept", content={"agreed": True})},
            request_state=forged,
            allow_input_required=True,
        )

    found = talk(memory, work, elicitation_callback=Person("accept", agreed=True))
    assert found.result_type == "input_required"
    assert memory.waiting() == (name,)


@pytest.mark.parametrize("mode", ERAS)
def test_a_plan_that_does_not_wait_is_never_asked_about(place: Place, mode: str) -> None:
    memory, name = waiting(place)
    memory.approve(name)
    person = Person("accept", agreed=True)
    found = decide(memory, name, person, mode)
    assert found.is_error
    assert "it is approved" in text(found)
    assert person.asked == []


def test_through_a_project_plans_can_not_be_seen_and_it_says_so(place: Place) -> None:
    assert "span all projects" in refused(place.open(project="mill"), "plans")
