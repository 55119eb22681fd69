"""The two times, and citations, on the command line."""

from __future__ import annotations

import pytest

from cli_command import Command

QUESTION = "What is my phone number?"


@pytest.fixture
def told(memoranda: Command) -> Command:
    for month, number in ((1, 1111), (2, 2222)):
        memoranda.ok("add", f"My phone number is 555-{number}.", "--time", f"2026-0{month}-01")
    memoranda.ok("consolidate")
    return memoranda


@pytest.mark.parametrize("command", ["search", "context", "ask"])
def test_a_command_that_reads_takes_both_times(told: Command, command: str) -> None:
    then = told.ok(command, QUESTION, "--true-at", "2026-01-15")
    assert "My phone number is 555-1111." in then
    assert "My phone number is 555-2222." not in then  # a title, of now, may tell
    late = told.ok(command, QUESTION, "--true-at", "2026-03", "--known-at", "2100-01-01")
    assert "555-2222" in late
    never = told(command, QUESTION, "--known-at", "2001-01-01")
    assert "555-" not in never.stdout
    assert never.exit_code == (0 if command == "context" else 3)
    assert told(command, QUESTION, "--known-at", "yesterday-ish").exit_code == 2


LOOKS = (
    ("grep", "555"),
    ("read", "CURRENT"),
    ("facts", "phone"),
    ("events", "phone"),
    ("documents",),
)


@pytest.mark.parametrize("command", LOOKS, ids=lambda words: str(words[0]))
def test_a_command_that_looks_takes_the_time_at_which_it_was_known(
    told: Command, command: tuple[str, ...]
) -> None:
    now = told.ok(*command)
    position = told.json(*command)["position"]
    told.ok("add", "我的电话是555-3333。", "--speaker", "phone")
    told.ok("consolidate")
    assert told.json(*command, "--known-at", f"@{position}")["position"] == position
    then = told.ok(*command, "--known-at", f"@{position}")
    assert "3333" not in then
    assert ("555-2222" in then) == ("555-2222" in now)
    assert told(*command, "--known-at", "2001-01-01").exit_code == (0 if "read" in command else 3)
    assert told(*command, "--known-at", "yesterday-ish").exit_code == 2
    assert told(*command, "--known-at", "@99999").exit_code == 2


def test_facts_are_those_of_the_time_that_is_meant(told: Command) -> None:
    then = told.ok("facts", "phone", "--true-at", "2026-01-15")
    assert "My phone number is 555-1111." in then
    assert "555-2222" not in then
    assert told("facts", "phone", "--true-at", "2001").exit_code == 3
    assert told("facts", "phone", "--true-at", "32 May").exit_code == 2


def test_cite_shows_what_stood_there_and_what_became_of_it(told: Command) -> None:
    answer = told.json("ask", QUESTION)
    old = answer["citations"][1]
    found = told.json("cite", old)
    assert [entry["text"] for entry in found["entries"]] == ["My phone number is 555-1111."]
    assert found["entries"][0]["superseded_by"] == 2
    human = told.ok("cite", *old.split())
    assert "My phone number is 555-1111." in human
    assert "replaced by 2" in human
    told.ok("forget", "--entry", "1", "--yes")
    erased = told.ok("cite", old)
    assert "[erased 20" in erased
    assert "forgotten on 20" in erased
    assert "555-1111" not in erased


def test_a_citation_of_nothing_is_told(told: Command) -> None:
    assert told("cite", "d9@99").exit_code == 3
    assert told("cite", "the second page").exit_code == 2


def test_a_trace_is_printed_before_the_answer(told: Command) -> None:
    said = told.ok("ask", QUESTION, "--trace")
    assert said.index("lexical reader by rules: complete") < said.index("555-2222")
