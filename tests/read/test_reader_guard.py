"""The recall guard: a reader never gives less than the lexical one, unless the model names what is better."""

from __future__ import annotations

import random

import pytest

from memoranda import Memory
from memoranda.answers import Answer
from memoranda.llm.model import Request
from memoranda.read.readers.desk import Limits
from readers_scene import Cast, asked, call, name_of, picking, step, texts
from scene import SENTENCES, Place

QUESTION = "Which kiln, which keys and which ferry did Mira, Ines and Olek tell of?"
BUDGET = Limits(budget=400)
HIDDEN = "Zinnia grows where the sun never sets."


@pytest.fixture
def crowded(place: Place) -> Memory:
    """More lines that share a word with the question than the budget holds, and one that shares none."""
    memory = place.open()
    chance = random.Random(3)  # noqa: S311 - the same each time, on purpose
    for number in range(60):
        text = chance.choice(SENTENCES[:10])
        memory.add(
            f"{text} Note {number} of {chance.choice(('Mira', 'Ines', 'Olek'))}.",
            session=f"s{number // 6}",
        )
    memory.add(HIDDEN, session="other")
    memory.consolidate()
    return memory


def lexical(memory: Memory) -> list[str]:
    return texts(asked(memory, QUESTION, None, reader="lexical", limits=BUDGET))


def documents(memory: Memory, chance: random.Random) -> Cast:
    """A model that picks documents by chance and names nothing."""
    titles = [info.title for info in memory.documents()]
    return Cast(select=picking(*chance.sample(titles, min(2, len(titles)))))


def words(_: Memory, chance: random.Random) -> Cast:
    """A model that searches for single words and names nothing."""
    found = [chance.choice(SENTENCES[number % 20].split()) for number in range(6)]
    return Cast(tools=[step(*(call("search", query=word) for word in found[:3])), step(done=True)])


def reads(memory: Memory, chance: random.Random) -> Cast:
    """A model that reads where nothing is, or anything."""
    names = [info.document_id for info in memory.documents()]
    calls = [
        call("read_lines", document=chance.choice(names), first=20),
        call("grep", pattern="zzq"),
    ]
    return Cast(tools=[step(*calls), step(done=True)])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("policy", [documents, words, reads])
def test_a_model_that_names_nothing_displaces_nothing(
    crowded: Memory, policy: object, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    model: Cast = policy(crowded, chance)  # type: ignore[operator]
    reader = "hybrid" if policy is documents else "agentic"
    answer = asked(crowded, QUESTION, model, reader=reader, limits=BUDGET)  # type: ignore[arg-type]
    floor = lexical(crowded)
    assert len(floor) > 8
    assert set(texts(answer)) >= set(floor)
    assert answer.tokens <= 400


def test_what_is_named_displaces_a_line_or_two_and_never_the_best(crowded: Memory) -> None:
    shown = step(call("search", query="Zinnia"))
    model = Cast(tools=[shown, step(lines=[61], done=True)])
    answer = asked(crowded, QUESTION, model, limits=BUDGET)
    floor = lexical(crowded)
    assert HIDDEN not in floor
    assert texts(answer)[0] == HIDDEN
    lost = [text for text in floor if text not in texts(answer)]
    assert 0 < len(lost) <= 2
    assert floor[0] not in lost


def test_a_model_that_names_all_that_has_no_place_displaces_a_line_or_two(crowded: Memory) -> None:
    floor = lexical(crowded)
    outside = [
        seq for seq in range(1, 62) if getattr(crowded.get(seq), "text", "") not in {*floor, HIDDEN}
    ]
    words = ("kiln harbour ferry wind", "rye seed fence boiler", "choir letter Note")
    shown = step(*(call("search", query=word) for word in words))
    liar = Cast(tools=[shown, step(lines=outside, done=True)])
    answer = asked(crowded, QUESTION, liar, limits=BUDGET)
    assert len(outside) > 20
    lost = set(floor) - set(texts(answer))
    assert 0 < len(lost) <= 2
    assert floor[0] not in lost


def second_look(memory: Memory, named: object) -> tuple[Cast, Answer]:
    """The hybrid reader, with a model that picks the document of the hidden line."""
    home = next(
        info.title
        for info in memory.documents()
        if HIDDEN in memory.document(info.document_id).markdown
    )
    model = Cast(select=picking(home), lines=named)  # type: ignore[arg-type]
    return model, asked(memory, QUESTION, model, reader="hybrid", limits=BUDGET)


def test_lines_without_a_place_are_shown_once_and_those_named_come_in(crowded: Memory) -> None:
    def name(request: Request) -> dict[str, object]:
        return {"lines": [name_of(request, "Zinnia")]}

    model, answer = second_look(crowded, name)
    assert model.asked.count("read_lines") == 1
    assert HIDDEN in texts(answer)
    assert answer.trace is not None
    assert [one.chosen for one in answer.trace.rounds if one.purpose == "name"] == [("61",)]
    _, without = second_look(crowded, {"lines": []})
    assert HIDDEN not in texts(without)


def test_a_second_look_that_fails_leaves_the_floor(crowded: Memory) -> None:
    _, answer = second_look(crowded, "no JSON at all")
    assert set(texts(answer)) >= set(lexical(crowded))
    assert answer.trace is not None
    assert next(one.note for one in answer.trace.rounds if one.purpose == "name")


def test_where_there_is_room_for_all_nothing_more_is_asked(crowded: Memory) -> None:
    model = Cast(select=picking(*(info.title for info in crowded.documents())))
    asked(crowded, QUESTION, model, reader="hybrid", limits=Limits(budget=20_000))
    assert "read_lines" not in model.asked
