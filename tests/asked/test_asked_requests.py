"""A request to forget waits, is kept from readers, and goes whole when it is granted; others' never count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import InputError, NotFoundError
from memoranda.values import SOURCES
from scene import BY_HAND, Place, home

ADDRESS = "My address is 12 Elm Street in Graz."
TEA = "My favourite tea is sencha."
ASK = "Please forget my address."
RUN = replace(BY_HAND, asked_to_forget="run")


def said(memory: Memory, query: str = "address Elm Street tea") -> list[str]:
    return [entry.text for item in memory.search(query).evidence for entry in item.entries]


def filled(memory: Memory, *texts: str, **given: Any) -> Sequence[str]:
    asked: list[str] = []
    for text in texts:
        asked += memory.add(text, **given).asked
    return asked


def test_a_request_waits_and_names_its_target(place: Place) -> None:
    memory = place.open()
    (name,) = filled(memory, ADDRESS, TEA, ASK)
    (request,) = memory.asked()
    assert (request.request_id, request.state, request.found) == (name, "waiting", "clear")
    assert [entry.text for entry in request.entries] == [ADDRESS]
    assert request.text == ASK
    assert any(name in line for line in memory.status().pending)


def test_while_it_waits_readers_keep_back_what_it_names(place: Place) -> None:
    memory = place.open()
    filled(memory, ADDRESS, TEA)
    assert ADDRESS in said(memory)
    filled(memory, ASK)
    for _ in ("in CURRENT", "in documents"):
        assert said(memory) == [TEA]
        assert "Elm" not in memory.context("address Elm Street")
        assert memory.grep("Elm").matches == ()
        memory.consolidate()


def test_granted_it_is_gone_and_so_is_the_sentence_that_asked(place: Place) -> None:
    memory = place.open()
    (name,) = filled(memory, ADDRESS, TEA, f"I moved to Lyon. {ASK} 天气很好。")
    memory.consolidate()
    done = memory.grant(name, by="the owner")
    assert done.left == ()
    memory.close()
    held = b"".join(path.read_bytes() for path in place.root.rglob("*") if path.is_file())
    for gone in ("Elm Street", "Please forget"):
        assert gone.encode() not in held
    again = place.open()
    assert sorted(entry.text for d in again.documents() for b in again.document(d.document_id).blocks
                  for entry in b.entries) == sorted([TEA, "I moved to Lyon.", "天气很好。"])  # fmt: skip
    (request,) = again.asked()
    assert (request.state, request.text, request.decided_by) == ("done", "", "the owner")


def test_declined_it_shows_again(place: Place) -> None:
    memory = place.open()
    (name,) = filled(memory, ADDRESS, ASK)
    assert memory.decline(name, by="me").state == "rejected"
    assert ADDRESS in said(memory)
    assert memory.asked("waiting") == ()
    with pytest.raises(InputError, match="does not wait"):
        memory.grant(name)


def test_it_runs_when_the_setting_says_so_and_the_target_is_clear(place: Place) -> None:
    memory = place.open(settings=RUN)
    (name,) = filled(memory, ADDRESS, TEA, ASK)
    assert [(r.request_id, r.state) for r in memory.asked()] == [(name, "done")]
    assert [entry.text for entry in memory.current()] == [TEA]


def test_what_is_not_clear_waits_whatever_the_setting_says(place: Place) -> None:
    memory = place.open(settings=RUN)
    first, second = "My sister Mia lives in Graz.", "My sister Mia sings."
    (name,) = filled(memory, first, second, "Please forget what I told you about Mia.")
    (request,) = memory.asked()
    assert (request.state, request.found, len(request.entries)) == ("waiting", "unclear", 2)
    assert {first, second} <= set(said(memory, "Mia"))  # of what may be meant nothing disappears
    with pytest.raises(InputError, match="name clearly"):
        memory.grant(name)
    memory.grant(name, entries=[2])
    assert [entry.text for entry in memory.current()] == [first]


def test_everything_about_somebody_is_all_of_it(place: Place) -> None:
    memory = place.open(settings=RUN)
    filled(memory, "My sister Mia lives in Graz.", "My sister Mia sings.", TEA)
    filled(memory, "Please delete everything I told you about Mia.")
    assert [entry.text for entry in memory.current()] == [TEA]


@pytest.mark.parametrize(
    ("fact", "ask"),
    [
        ("我对花生过敏", "请忘记我对花生过敏这件事"),
        ("我的地址是榆树街12号", "请把我的地址删掉"),
        ("我的工资是每月九千", "忘掉我说的工资"),
    ],
)
def test_it_works_in_chinese(place: Place, fact: str, ask: str) -> None:
    memory = place.open(settings=RUN)
    filled(memory, fact, "我喜欢喝茶", ask)
    assert [entry.text for entry in memory.current()] == ["我喜欢喝茶"]


def test_that_means_what_was_said_last(place: Place) -> None:
    memory = place.open(settings=RUN)
    filled(memory, TEA, ADDRESS, "Please forget that.", session="s1")
    assert [entry.text for entry in memory.current()] == [TEA]
    filled(memory, "My code is kiln. Please forget that.", session="s2")
    assert [entry.text for entry in memory.current()] == [TEA]


def test_all_versions_of_one_state_are_one_target(place: Place) -> None:
    memory = place.open(settings=RUN)
    filled(memory, "My phone number is 555-1.")
    memory.correct(1, "My phone number is 555-2.")
    memory.consolidate()
    filled(memory, "Please forget my phone number.")
    assert memory.asked()[0].state == "done"
    assert said(memory, "phone number") == []


@pytest.mark.parametrize("source", [name for name in SOURCES if name != "user"])
@pytest.mark.parametrize("mode", ["ask", "run"])
def test_nobody_but_the_user_asks(place: Place, source: Any, mode: Any) -> None:
    memory = place.open(settings=replace(BY_HAND, asked_to_forget=mode))
    assert not filled(memory, ADDRESS)
    assert not filled(memory, ASK, source=source)
    assert memory.asked() == ()
    assert ADDRESS in said(memory)


def test_a_request_does_not_reach_what_others_said(place: Place) -> None:
    memory = place.open(settings=RUN)
    memory.add(ADDRESS, speaker="Anna")
    memory.add(ADDRESS, source="tool")
    memory.add(ASK, speaker="Ben")
    (request,) = memory.asked()
    assert (request.found, request.entries) == ("nothing", ())
    assert len(memory.current()) == 3


def test_a_request_does_not_reach_another_project(place: Place) -> None:
    place.open(project="garden").add(ADDRESS)
    memory = place.open(project="kitchen", settings=RUN)
    memory.add(ASK)
    assert place.open().asked()[0].found == "nothing"


def test_what_is_said_after_a_request_is_not_meant(place: Place) -> None:
    memory = place.open()
    (name,) = filled(memory, ADDRESS, ASK)
    later = "My address is 3 Oak Road."
    filled(memory, later)
    memory.grant(name)
    assert [entry.text for entry in memory.current()] == [later]


def test_ignored_it_is_a_sentence_like_any_other(place: Place) -> None:
    memory = place.open(settings=replace(BY_HAND, asked_to_forget="ignore"))
    assert not filled(memory, ADDRESS, f"I moved. {ASK}")
    assert [entry.text for entry in memory.current()] == [ADDRESS, f"I moved. {ASK}"]


def test_a_request_that_a_kill_left_unheard_is_heard_at_the_next_start(place: Place) -> None:
    memory = place.open()
    memory.add(ADDRESS)
    memory._intake.take([_event(ASK)])  # and no further: the process is gone
    memory._home.log.connection.close()
    assert [r.found for r in place.open().asked()] == ["clear"]


def _event(text: str) -> Any:
    from memoranda import NewEvent  # noqa: PLC0415

    return NewEvent(content=text)


def test_requests_survive_a_rebuild(place: Place) -> None:
    memory = place.open()
    filled(memory, ADDRESS, ASK)
    before = memory.asked()
    memory.rebuild()
    assert memory.asked() == before


def test_the_record_of_a_request_holds_no_words(place: Place) -> None:
    memory = place.open()
    filled(memory, ADDRESS, ASK)
    (record,) = home(memory).log.records(kind="ask")
    assert "address" not in json.dumps(record.body)


def test_an_unknown_request_is_an_error(place: Place) -> None:
    memory = place.open()
    with pytest.raises(NotFoundError):
        memory.grant("a000000")


def test_the_commands_ask_show_and_carry_out(root: Path) -> None:
    memoranda = Command(root)
    memoranda.ok("add", ADDRESS)
    added = memoranda("add", ASK)
    assert added.exit_code == 4
    assert "memoranda asked list" in added.stderr
    listed = memoranda("asked", "list")
    assert listed.exit_code == 4
    assert "Elm Street" in listed.stdout
    name = json.loads(memoranda("asked", "list", "--json").stdout)[0]["request_id"]
    memoranda.ok("asked", "grant", name, "--by", "me")
    assert memoranda("search", "Elm Street").exit_code == 3
    assert memoranda("asked", "list").exit_code == 0
