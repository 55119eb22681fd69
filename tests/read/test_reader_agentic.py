"""The agentic reader: every way in which it ends, what it brings, and the recall guard behind it."""

from __future__ import annotations

import re

import pytest

from memoranda import Memory, Settings
from memoranda.errors import InputError, ModelUnavailableError
from memoranda.llm.model import Request
from memoranda.read.readers.desk import Limits
from readers_scene import (
    CHINESE,
    FERRY,
    LIBRARY,
    Cast,
    Ticks,
    asked,
    call,
    name_of,
    natively,
    quoting,
    step,
    stocked,
    texts,
)
from scene import PHONE, Place

QUESTION = "When does the night ferry leave?"
FIND = step(call("search", query="night ferry Skarholm"))
WORDS = ("ferry", "crate", "buns", "lighthouse", "kiln", "ash", "hives", "honey", "swarm", "slates")


@pytest.fixture
def library(place: Place) -> Memory:
    return stocked(place.open())


def test_the_model_ends_the_reading_when_it_has_what_it_needs(library: Memory) -> None:
    model = Cast(tools=[FIND, step(lines=[1], done=True)], answer=quoting("leaves at 22:40"))
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("decided", False)
    assert (answer.known, answer.text) == (True, "leaves at 22:40")
    assert texts(answer)[0] == FERRY.format("22:40")
    assert [one.calls[0].name for one in answer.trace.rounds if one.calls] == ["search"]
    assert answer.trace.rounds[1].chosen == ("1",)
    assert model.asked == ["read_tools", "read_tools", "answer"]


def test_it_ends_after_seven_rounds(library: Memory) -> None:
    model = Cast(tools=lambda _, number: step(call("search", query=WORDS[number])))
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, len(answer.trace.rounds)) == ("rounds", 7)
    assert answer.partial
    assert "partial: the rounds were used up" in answer.note


def test_it_ends_when_the_evidence_fills_its_limit(library: Memory) -> None:
    model = Cast(tools=lambda _, number: step(call("search", query=WORDS[number])))
    answer = asked(library, QUESTION, model, limits=Limits(budget=25, evidence=25))
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("evidence", False)
    assert len(answer.trace.rounds) < 7


def test_it_ends_when_nothing_new_is_found_twice(library: Memory) -> None:
    nowhere = ("zzqx", "vvk", "qqw")
    model = Cast(tools=lambda _, number: step(call("search", query=nowhere[number])))
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, len(answer.trace.rounds)) == ("nothing_new", 2)
    assert answer.partial


def test_it_ends_when_a_round_only_repeats(library: Memory) -> None:
    model = Cast(tools=[FIND, FIND, FIND])
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, len(answer.trace.rounds)) == ("repeated", 2)
    assert answer.partial


def test_a_model_that_looks_at_nothing_leaves_a_partial_result_of_the_guard(
    library: Memory,
) -> None:
    answer = asked(library, QUESTION, Cast(tools=[step(done=True)]))
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("unread", True)
    assert texts(answer)[0] == FERRY.format("22:40")
    assert answer.trace.guard > 0


def test_a_silent_model_is_replaced_by_the_lexical_reader(library: Memory) -> None:
    answer = asked(library, QUESTION, Cast(tools=["", "", "", ""], answer=""))
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("failed", True)
    assert answer.trace.fallback
    assert "The lexical reader answered in place of agentic" in answer.note
    assert answer.claims[0].quote == FERRY.format("22:40")


def test_a_model_that_invents_tools_and_lines_ends_within_limits(library: Memory) -> None:
    model = Cast(
        tools=lambda _, number: step(call("delete_all", number=number), lines=[1, 999]),
        answer={"because": [{"line": "l1", "quote": "x"}], "answer": "It leaves at 5."},
    )
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("nothing_new", True)
    assert all(use.error for one in answer.trace.rounds for use in one.calls)
    assert answer.trace.rounds[0].note == "2 lines were named that no tool had shown"
    assert answer.text is None
    assert library.status().entries == len(LIBRARY)


def test_the_deadline_ends_the_reading_with_what_there_is(library: Memory) -> None:
    clock = Ticks()

    def slow(_: Request, number: int) -> dict[str, object]:
        clock.now += 4.0
        return step(call("search", query=WORDS[number]))

    model = Cast(tools=slow, answer=quoting("22:40"))
    answer = asked(library, QUESTION, model, limits=Limits(deadline=10.0), clock=clock)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("deadline", True)
    assert len(answer.trace.rounds) == 2
    assert answer.text == "22:40"  # a part of the time is kept for the answer
    assert [round(request.timeout) for request in model.requests] == [7, 3, 2]


def test_after_the_deadline_no_model_is_asked_and_quotes_are_given(library: Memory) -> None:
    clock = Ticks()

    def very_slow(_: Request, __: int) -> dict[str, object]:
        clock.now += 99.0
        return FIND

    model = Cast(tools=very_slow)
    answer = asked(library, QUESTION, model, limits=Limits(deadline=5.0), clock=clock)
    assert model.asked == ["read_tools"]
    assert (answer.text, answer.partial) == (None, True)
    assert answer.claims[0].quote == FERRY.format("22:40")
    assert "deadline" in answer.note


def test_a_spent_budget_ends_the_reading_and_is_told(place: Place) -> None:
    stocked(place.open(), LIBRARY[:4])
    model = Cast(tools=lambda _, number: step(call("search", query=WORDS[number])))
    memory = place.open(model=model, settings=Settings(auto=False, run_calls=2))
    answer = memory.ask(QUESTION)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.partial) == ("spent", True)
    assert model.asked == ["read_tools", "read_tools"]
    assert "the budget of the model is reached" in answer.note
    assert answer.claims[0].quote == FERRY.format("22:40")


def test_calls_of_the_model_are_recorded(place: Place) -> None:
    model = Cast(tools=[FIND, step(lines=[1], done=True)], answer=quoting("22:40"))
    memory = stocked(place.open(), LIBRARY[:4])
    reader = place.open(model=model)
    answer = reader.ask(QUESTION)
    assert answer.trace is not None
    assert [one.purpose for one in memory.calls()] == ["answer@1", "read_tools@1", "read_tools@1"]
    assert answer.trace.retrieval.calls == 2
    assert answer.trace.answering.calls == 1


def test_tools_are_called_natively_by_models_that_can(library: Memory) -> None:
    model = Cast(
        tools=[
            natively(call("search", query="night ferry"), call("search", query="kiln")),
            natively(call("finish", lines=[1])),
        ],
        answer=quoting("22:40"),
    )
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert answer.trace.stop == "decided"
    assert [use.name for use in answer.trace.rounds[0].calls] == ["search", "search"]
    second = model.requests[1]
    assert [turn.role for turn in second.messages] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
    ]
    assert {spec.name for spec in second.tools} >= {"search", "grep", "read_lines", "finish"}


def test_a_model_without_tool_calls_is_asked_for_json(library: Memory) -> None:
    def speaks(request: Request, _: int) -> object:
        if request.schema is None:
            return "I would look for the ferry."
        return FIND if len(request.messages) == 2 else step(lines=[1], done=True)

    model = Cast(tools=speaks, answer=quoting("22:40"))  # type: ignore[arg-type]
    answer = asked(library, QUESTION, model)
    assert answer.trace is not None
    assert (answer.trace.stop, answer.text) == ("decided", "22:40")
    assert [bool(request.tools) for request in model.requests] == [True, False, False, False]


def test_a_handle_remembers_how_its_model_calls_tools(place: Place) -> None:
    def speaks(request: Request, _: int) -> object:
        if request.tools:
            return "I would look for the ferry."
        return FIND if len(request.messages) == 2 else step(lines=[1], done=True)

    stocked(place.open(), LIBRARY[:4])
    model = Cast(tools=speaks, answer=quoting("22:40"))  # type: ignore[arg-type]
    memory = place.open(model=model)
    asked_natively = []
    for _ in range(2):
        model.requests.clear()
        answer = memory.ask(QUESTION)
        assert answer.trace is not None
        assert (answer.text, answer.trace.calling) == ("22:40", "typed")
        asked_natively.append(any(request.tools for request in model.requests))
    assert asked_natively == [True, False]


def test_an_endpoint_that_refuses_tools_is_asked_for_json(library: Memory) -> None:
    def refuses(request: Request, _: int) -> object:
        if request.tools:
            return ModelUnavailableError("cast", "request", "tools are not supported")
        return FIND if len(request.messages) == 2 else step(lines=[1], done=True)

    answer = asked(library, QUESTION, Cast(tools=refuses, answer=quoting("22:40")))  # type: ignore[arg-type]
    assert answer.trace is not None
    assert answer.trace.stop == "decided"


def test_a_round_runs_four_calls_at_most(library: Memory) -> None:
    many = step(*(call("search", query=word) for word in WORDS[:6]))
    answer = asked(library, QUESTION, Cast(tools=[many, step(done=True)]))
    assert answer.trace is not None
    uses = answer.trace.rounds[0].calls
    assert [use.error is None for use in uses] == [True] * 4 + [False] * 2
    assert uses[5].error is not None
    assert "at most 4" in uses[5].error


def test_the_guard_fills_up_and_repeats_nothing(library: Memory) -> None:
    model = Cast(tools=[step(call("search", query="linden honey")), step(done=True)])
    answer = asked(library, "What does Osei do with his hives behind the chapel?", model)
    found = texts(answer)
    assert len(found) == len(set(found))
    assert "Osei harvests the linden honey in July." in found
    assert "The beekeeper Osei has forty hives behind the chapel." in found
    assert answer.trace is not None
    assert answer.trace.guard > 0


def test_a_line_that_was_replaced_comes_behind_what_holds_now(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format("1234"), time="2026-05-01")
    memory.add(PHONE.format("9876"), time="2026-05-09")
    stocked(memory)
    model = Cast(
        tools=[step(call("history", ref="1")), step(lines=[1], done=True)],
        answer=quoting("555-1234"),
    )
    answer = asked(memory, "What is my phone number?", model)
    assert texts(answer)[:2] == [PHONE.format("9876"), PHONE.format("1234")]
    assert answer.claims[0].seqs == (2,)  # the old number is history, behind what replaced it
    assert answer.claims[-1].superseded_by == 2


def test_a_named_line_brings_its_block(library: Memory) -> None:
    model = Cast(tools=[step(call("grep", pattern="slates")), step(lines=[12], done=True)])
    answer = asked(library, "Which roof is broken?", model)
    assert "A swarm settled in the bell tower last May." in texts(answer)


def test_entries_of_current_are_always_there(library: Memory) -> None:
    library.add("The baker leaves rye bread at the gate.")
    answer = asked(library, QUESTION, Cast(tools=[FIND, step(lines=[1], done=True)]))
    assert "The baker leaves rye bread at the gate." in texts(answer)


@pytest.mark.parametrize("budget", [70, 120, 400])
def test_the_budget_is_kept(library: Memory, budget: int) -> None:
    every = step(*(call("search", query=word) for word in WORDS[:4]))
    model = Cast(tools=[every, step(lines=list(range(1, 13)), done=True)])
    answer = asked(library, QUESTION, model, limits=Limits(budget=budget))
    assert 0 < answer.tokens <= budget


def test_chinese_questions_over_chinese_documents(place: Place) -> None:
    memory = stocked(place.open(), CHINESE)
    model = Cast(
        tools=[step(call("search", query="码头 钥匙")), step(lines=[2], done=True)],
        answer=quoting("蓝箱子下面", "在蓝箱子下面。"),
    )
    answer = asked(memory, "船长把钥匙放在哪里？", model)
    assert answer.text == "在蓝箱子下面。"
    assert answer.claims[0].seqs == (2,)
    assert texts(answer)[0] == CHINESE[1]


def test_a_second_look_builds_on_the_first_and_both_are_combined(library: Memory) -> None:
    def follow(request: Request, number: int) -> dict[str, object]:
        if number == 0:
            return step(call("search", query="forty hives"))
        if number == 1:  # look around the place that the first search has told of
            told = re.search(r"\bd\d+\b", request.messages[-1].content)
            assert told is not None
            return step(call("read_lines", document=told[0], first=1, last=40))
        if number == 2:
            assert "A swarm settled" in request.messages[-1].content
            return step(call("grep", pattern="ash from"))
        return step(lines=[11, 6], done=True)

    def both(request: Request) -> dict[str, object]:
        quotes = ("settled in the bell tower", "with ash from the apple orchard")
        return {
            "because": [{"line": name_of(request, one), "quote": one} for one in quotes],
            "answer": "",
        }

    answer = asked(library, "Which swarm and which glaze?", Cast(tools=follow, answer=both))
    assert answer.trace is not None
    used = [one.calls[0] for one in answer.trace.rounds if one.calls]
    assert [(use.name, use.error) for use in used] == [
        ("search", None), ("read_lines", None), ("grep", None),
    ]  # fmt: skip
    assert used[1].fresh > 0
    assert answer.trace.rounds[-1].chosen == ("11", "6")
    assert sorted(claim.seqs for claim in answer.claims) == [(6,), (11,)]


def test_a_small_catalog_is_given_whole_with_question_and_tools(library: Memory) -> None:
    model = Cast(tools=[FIND, step(lines=[1], done=True)])
    asked(library, QUESTION, model)
    opening = "\n".join(turn.content for turn in model.requests[0].messages)
    assert QUESTION in opening
    for document in library.documents():
        assert document.title in opening
        assert document.summary in opening
    shown = opening + " ".join(spec.name for spec in model.requests[0].tools)
    assert all(spec.name in shown for spec in library.toolbox().specs())


def test_a_large_catalog_is_only_counted(library: Memory) -> None:
    model = Cast(tools=[FIND, step(lines=[1], done=True)])
    asked(library, QUESTION, model, limits=Limits(inline=2))
    opening = model.requests[0].messages[1].content
    assert "3 documents: too many to show here" in opening
    assert "kiln" not in opening


def test_what_is_no_reader_or_limit_is_refused(library: Memory) -> None:
    with pytest.raises(InputError, match="reader is one of lexical, summary, hybrid, agentic"):
        library.ask(QUESTION, reader="magic")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rounds must be above 0"):
        Limits(rounds=0)
    with pytest.raises(InputError, match="deadline must be above 0"):
        library.ask(QUESTION, deadline=0)


def test_names_of_lines_are_those_of_this_call(library: Memory) -> None:
    model = Cast(tools=[FIND, step(lines=[1], done=True)], answer=quoting("22:40"))
    asked(library, QUESTION, model)
    assert name_of(model.requests[-1], "22:40") != "l1"
