"""Two times: what the log held then, and what was said to hold then."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memoranda import Claim, Entry, Memory
from memoranda.errors import InputError
from reader_histories import LONG, QUESTIONS, lived
from readers_scene import Cast, call, quoting, step, texts
from scene import PHONE, SMALL, Place

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


def told(memory: Memory, question: str, **when: str) -> tuple[object, ...]:
    """What is answered and what is found, each line with its place."""
    answer = memory.ask(question, **when)  # type: ignore[arg-type]
    cited = [(claim.citation, claim.quote, claim.superseded_by) for claim in answer.claims]
    found = memory.search(question, **when).evidence  # type: ignore[arg-type]
    lines = [(e.seqs, e.text, e.lines, e.superseded_by) for item in found for e in item.entries]
    return (answer.known, texts(answer), cited, lines, memory.context(question, **when))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(100 if LONG else 8))
def test_known_at_over_random_histories_is_what_was_answered_then(root: Path, seed: int) -> None:
    place = Place(root, SMALL)
    then: list[tuple[str, str, tuple[object, ...]]] = []

    def look(memory: Memory, number: int) -> None:
        question = QUESTIONS[number % len(QUESTIONS)]
        if number % (1 if LONG else 4) == 0:
            then.append((place.clock().isoformat(), question, told(memory, question)))

    memory = lived(place, seed, 40, look, forgets=False)
    for when, question, found in then:
        assert told(memory, question, known_at=when) == found, (when, question)
    place.close()


OWNERS = ("Osei", "Mira", "Ylva", "Anselm", "Berit", "Tomas")
PLACES = ("Windmill Nine", "the North Quay", "the Old Bakery")


@pytest.mark.parametrize("seed", range(100 if LONG else 8))
def test_true_at_is_what_was_made_to_hold_then(root: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    place = Place(root, SMALL)
    memory = place.open()
    said = [
        (f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}", where, chance.choice(OWNERS))
        for where in PLACES
        for day in chance.sample(range(300), 5)
    ]
    chance.shuffle(said)  # what is heard late was true before
    for number, (day, where, who) in enumerate(said):
        memory.add(f"The owner of {where} is {who}.", time=day, source="external")
        place.clock.tick(60)
        if chance.random() < 0.3 or (number == len(said) - 1 and chance.random() < 0.5):
            memory.consolidate()
    days = sorted({day for day, _, _ in said})
    for when in ("2025-12-31", *chance.sample(days, 6), "2027-01-01"):
        for where in PLACES:
            before = sorted(item for item in said if item[1] == where and item[0] <= when)
            held = [f"The owner of {where} is {before[-1][2]}."] if before else []
            question = f"Who is the owner of {where}?"
            answer = memory.ask(question, true_at=when)
            now = [c.quote for c in answer.claims if where in c.quote and holds_now(c)]
            assert now[:1] == held, (when, where)
            found = memory.search(question, true_at=when).evidence
            lines = [e for item in found for e in item.entries if where in e.text]
            assert {e.text for e in lines if holds_now(e)} == set(held), (when, where)
            said_then = f"The owner of {where} is" in memory.context(question, true_at=when)
            assert said_then == bool(held)  # a title, of now, may name the place
    place.close()


def holds_now(line: Claim | Entry) -> bool:
    """Say whether nothing is known to have replaced a line."""
    return line.superseded_by is None and line.possibly_replaced_by is None


def test_a_state_that_was_told_again_holds_at_each_time_that_it_held(place: Place) -> None:
    memory = place.open()
    phones(memory, place, (1111, 2222, 1111, 3333, 1111))
    said = [entry for item in memory.search(QUESTION).evidence for entry in item.entries]
    assert {entry.text for entry in said if holds_now(entry)} == {PHONE.format(1111)}
    for placed in (False, True):
        if placed:
            memory.consolidate()
        for month, number in enumerate((1111, 2222, 1111, 3333, 1111), start=1):
            found = memory.search(QUESTION, true_at=f"2026-{month:02}-15").evidence
            lines = [entry for item in found for entry in item.entries]
            now = {entry.text for entry in lines if holds_now(entry)}
            assert now == {PHONE.format(number)}, (placed, month)
            assert max(str(entry.time) for entry in lines) <= f"2026-{month:02}-15"
    lines = [entry for item in memory.search(QUESTION).evidence for entry in item.entries]
    assert {entry.text for entry in lines if holds_now(entry)} == {PHONE.format(1111)}


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
