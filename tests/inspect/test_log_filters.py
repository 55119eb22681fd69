"""The log, narrowed: by kind, time, actor, document, entry and plan; and every record has an actor."""

from __future__ import annotations

from typing import Any

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import InputError, NotFoundError
from memoranda.store.log import LETTERS
from scene import Clock, Place, home


@pytest.fixture
def lived(memory: Memory, clock: Clock) -> Memory:
    """A day on which a bot and Ines said things, and one is retracted and one forgotten."""
    memory.add("The kiln is red.", actor="bot")
    clock.tick(86_400)
    memory.add("The pump is blue.", speaker="Ines")
    memory.consolidate()
    memory.correct(1, "The kiln is grey.")
    memory.retract(2, by="Olek")
    memory.add("Forget me.", source="tool")
    memory.forget(entry=4, by="Ines")
    return memory


def kinds(memory: Memory, **only: Any) -> list[str]:
    return [record.kind for record in memory.log(**only)]


def test_every_record_names_its_actor(lived: Memory) -> None:
    actors = [(record.kind, record.actor) for record in lived.log()]
    assert all(actor for _, actor in actors)
    assert ("event", "bot") in actors
    assert ("event", "Ines") in actors
    assert ("event", "tool") in actors
    assert ("retraction", "Olek") in actors
    assert ("forget", "Ines") in actors
    assert ("plan", "rules/1") in actors
    assert ("receipt", "memoranda") in actors


def test_a_retraction_that_names_nobody_is_the_users(memory: Memory) -> None:
    memory.add("The kiln is red.")
    memory.retract(1)
    assert [record.actor for record in memory.log(kind="retraction")] == ["user"]


def test_an_actor_is_found_by_any_name_it_goes_by(lived: Memory) -> None:
    assert kinds(lived, actor="bot") == ["event"]
    assert kinds(lived, actor="Ines") == ["event", "forget", "receipt"]
    assert set(kinds(lived, actor="rules/1")) == {"extraction", "plan"}
    assert kinds(lived, actor="nobody") == []


def test_an_entry_brings_all_that_was_done_to_it(lived: Memory) -> None:
    found = kinds(lived, entry=2)
    assert found[:2] == ["event", "extraction"]
    assert {"plan", "retraction"} <= set(found)
    assert "forget" not in found
    assert "forget" in kinds(lived, entry=4)


def test_a_document_brings_the_records_that_name_it_and_no_event_that_mentions_it(
    lived: Memory,
) -> None:
    lived.add("d1")
    found = kinds(lived, document="d1")
    assert "plan" in found
    assert "event" not in found
    title = lived.document("d1").header.title
    assert kinds(lived, document=title) == found


def test_a_plan_brings_its_receipt(lived: Memory) -> None:
    plan = next(lived.log(kind="plan")).record_id
    assert kinds(lived, plan=plan) == ["plan", "receipt"]


def test_times_are_days_months_or_moments(lived: Memory) -> None:
    whole = kinds(lived)
    first = kinds(lived, until="2026-06-01")
    assert first == ["event", "extraction"]
    assert kinds(lived, since="2026-06-02") == whole[2:]
    assert kinds(lived, since="2026-06", until="2026-06") == whole
    assert kinds(lived, since="2027") == []


def test_filters_narrow_each_other_and_the_limit_counts_what_is_left(lived: Memory) -> None:
    assert kinds(lived, kind="event", actor="Ines") == ["event"]
    assert len(list(lived.log(kind="event", limit=2))) == 2
    assert len(list(lived.log(actor="rules/1", limit=3))) == 3


def test_what_is_not_there_is_an_error_not_an_empty_answer(lived: Memory) -> None:
    for only in ({"document": "d9"}, {"entry": 99}):
        with pytest.raises(NotFoundError):
            lived.log(**only)  # type: ignore[arg-type]
    for only in ({"kind": "evnt"}, {"since": "yesterdayish"}):
        with pytest.raises(InputError):
            lived.log(**only)
    with pytest.raises(TypeError):
        lived.log(colour="red")  # type: ignore[call-arg]


def test_every_kind_can_be_asked_for(memory: Memory) -> None:
    for kind in LETTERS:
        assert list(memory.log(kind=kind)) == []


def test_the_log_reads_the_same_whether_it_is_narrowed_or_not(lived: Memory) -> None:
    records = [record.to_dict() for record in lived.log()]
    assert [r["position"] for r in records] == list(range(1, home(lived).log.position() + 1))
    assert [r for r in records if r["kind"] == "plan"] == [
        r.to_dict() for r in lived.log(kind="plan")
    ]


def test_the_command_takes_every_filter(place: Place) -> None:
    with place.open() as memory:
        memory.add("The kiln is red.", actor="bot")
        memory.consolidate()
    command = Command(place.root)
    off = {"MEMORANDA_AUTO": "off"}
    assert "bot" in command.ok("log", "--actor", "bot", **off)
    assert len(command.ok("log", "--about", "d1", "--kind", "plan", **off).splitlines()) == 1
    assert command.ok("log", "--entry", "1", "--since", "2026", **off)
    assert command("log", "--entry", "7", **off).exit_code == 3
    assert command("log", "--kind", "evnt", **off).exit_code == 2
