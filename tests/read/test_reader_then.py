"""Two times: what the log held then, and what was said to hold then."""

from __future__ import annotations

import random

import pytest

from memoranda import Memory
from memoranda.errors import InputError
from readers_scene import Cast, call, quoting, step, texts
from scene import CHINESE_PHONE, PHONE, SMALL, Place

QUESTION = "What is my phone number?"


def phones(memory: Memory, place: Place, numbers: tuple[int, ...]) -> None:
    """Tell a number on the first of each month; it is recorded on the next day of the clock."""
    for month, number in enumerate(numbers, start=1):
        memory.add(PHONE.format(number), time=f"2026-{month:02}-01")
        place.clock.tick(86_400)


def test_known_at_is_what_the_log_held_then(place: Place) -> None:
    memory = place.open()
    phones(memory, place, (1111, 2222, 3333))
    memory.consolidate()
    for day, number in ((1, 1111), (2, 2222), (3, 3333), (4, 3333)):
        answer = memory.ask(QUESTION, known_at=f"2026-06-0{day}")
        assert answer.claims[0].quote == PHONE.format(number)
        assert len(answer.claims) == min(day, 3)
    assert not memory.ask(QUESTION, known_at="2026-05-31").known


def test_true_at_is_what_was_said_to_hold_then(place: Place) -> None:
    memory = place.open()
    phones(memory, place, (1111, 2222, 3333))
    for placed in (False, True):
        if placed:
            memory.consolidate()
        for when, number in (("2026-01", 1111), ("2026-02-14", 2222), ("2026", 3333)):
            answer = memory.ask(QUESTION, true_at=when)
            now, *rest = answer.claims
            assert (now.quote, now.superseded_by) == (PHONE.format(number), None), when
            assert all(claim.possibly_replaced_by for claim in rest)
            assert not (placed and rest)
        assert not memory.ask(QUESTION, true_at="2025-12-31").known


def test_what_was_told_late_was_true_before_it_was_known(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format(1111), time="2026-01-01")
    place.clock.tick(10 * 86_400)
    memory.add(PHONE.format(2222), time="2026-02-01")
    assert memory.ask(QUESTION, true_at="2026-03").claims[0].quote == PHONE.format(2222)
    assert memory.ask(QUESTION, known_at="2026-06-05").claims[0].quote == PHONE.format(1111)
    both = memory.ask(QUESTION, known_at="2026-06-05", true_at="2026-03")
    assert both.claims[0].quote == PHONE.format(1111)


@pytest.mark.parametrize("seed", range(4))
def test_known_at_over_random_histories_is_what_was_answered_then(root: object, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    place = Place(root, SMALL)  # type: ignore[arg-type]
    memory = place.open()
    then: list[tuple[str, list[str], list[tuple[object, ...]]]] = []
    gone: set[int] = set()
    for number in range(25):
        match chance.randrange(6):
            case 0:
                memory.consolidate()
            case 1 if number > 3:
                seq = chance.randint(1, memory.status().entries)
                if seq not in gone:
                    memory.retract(seq)
                gone.add(seq)
            case _:
                said = chance.choice((PHONE, CHINESE_PHONE, "The kiln reaches {} degrees."))
                memory.add(said.format(chance.randrange(1000, 9999)), session=f"s{number // 3}")
        for question in (QUESTION, "我的电话是多少？", "How hot is the kiln?"):
            answer = memory.ask(question)
            cited = [(claim.seqs, claim.document_id, claim.lines) for claim in answer.claims]
            then.append((place.clock().isoformat(), texts(answer), cited))  # type: ignore[arg-type]
        place.clock.tick(60)
    questions = (QUESTION, "我的电话是多少？", "How hot is the kiln?")
    for number, (when, found, cited) in enumerate(then):
        if number % 4:
            continue
        answer = memory.ask(questions[number % 3], known_at=when)
        assert texts(answer) == found
        assert [(c.seqs, c.document_id, c.lines) for c in answer.claims] == cited
    place.close()


def test_what_was_forgotten_is_not_known_at_any_time(place: Place) -> None:
    memory = place.open()
    phones(memory, place, (1111, 2222))
    memory.add("The kiln reaches 1,240 degrees.")
    memory.consolidate()
    memory.forget(entry=1)
    answer = memory.ask(QUESTION, known_at="2026-06-01")
    assert "1111" not in str(answer.to_dict())
    assert not answer.known


def test_a_model_reads_the_past_with_tools_of_the_past(place: Place) -> None:
    writer = place.open()
    phones(writer, place, (1111, 2222, 3333))
    writer.consolidate()
    model = Cast(
        tools=[step(call("search", query="phone number")), step(done=True)],
        answer=quoting("555-2222"),
    )
    memory = place.open(model=model)
    known = memory.ask(QUESTION, known_at="2026-06-02")
    assert (known.text, known.claims[0].superseded_by) == ("555-2222", None)
    seen = "\n".join(turn.content for request in model.requests for turn in request.messages)
    assert "555-1111" in seen
    assert "555-3333" not in seen
    model.requests.clear()
    model.asked.clear()
    true = memory.ask(QUESTION, true_at="2026-02-14")
    assert (true.text, true.claims[0].superseded_by) == ("555-2222", None)
    seen = "\n".join(turn.content for request in model.requests for turn in request.messages)
    assert "[2]" in seen
    assert "[3]" not in seen  # only a title, which is of now, may tell of later


def test_hops_go_by_the_time_that_is_meant(place: Place) -> None:
    memory = place.open()
    memory.add("The owner of Windmill Nine is Osei.", time="2026-01-01", source="external")
    memory.add("The phone number of Osei is 555-1.", time="2026-01-01", source="external")
    memory.add("The phone number of Mira is 555-2.", time="2026-01-01", source="external")
    memory.add("The owner of Windmill Nine is Mira.", time="2026-03-01", source="external")
    question = "What is the phone number of the owner of Windmill Nine?"
    assert [hop.value for hop in memory.ask(question).hops] == ["Mira", "555-2"]
    assert [hop.value for hop in memory.ask(question, true_at="2026-02").hops] == ["Osei", "555-1"]


def test_a_time_that_is_none_is_refused(place: Place) -> None:
    memory = place.open()
    with pytest.raises(InputError):
        memory.ask(QUESTION, known_at="yesterday-ish")
    with pytest.raises(InputError):
        memory.ask(QUESTION, true_at="32 May")
