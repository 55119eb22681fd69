"""An answer as it comes about: rounds first, the answer last, errors where they are waited for."""

from __future__ import annotations

import threading

import pytest

from memoranda import Answer
from memoranda.answers import Round
from memoranda.errors import InputError
from memoranda.llm.model import Reply, Request
from readers_scene import Cast, call, quoting, step, stocked
from scene import Place

QUESTION = "When does the night ferry leave?"
FIND = [step(call("search", query="night ferry")), step(lines=[1], done=True)]


def test_rounds_come_as_they_are_done_and_then_the_answer(place: Place) -> None:
    stocked(place.open())
    first = threading.Event()

    class Waits(Cast):
        """Its second round waits until the first was received."""

        def ask(self, request: Request) -> Reply:
            if len(self.asked) == 1:
                assert first.wait(10)
            return super().ask(request)

    model = Waits(tools=FIND, answer=quoting("leaves at 22:40"))
    events = place.open(model=model).ask_events(QUESTION, calling="typed")
    one = next(events)
    assert isinstance(one, Round)
    assert [use.name for use in one.calls] == ["search"]
    first.set()
    *rounds, answer = events
    assert isinstance(answer, Answer)
    assert answer.trace is not None
    assert answer.trace.rounds == (one, *rounds)
    assert answer.text == "leaves at 22:40"


def test_it_is_the_answer_that_ask_gives(place: Place) -> None:
    memory = stocked(place.open())
    (answer,) = memory.ask_events(QUESTION)
    assert isinstance(answer, Answer)
    assert answer.claims == memory.ask(QUESTION).claims


def test_who_leaves_ends_the_reading(place: Place) -> None:
    stocked(place.open())
    words = ("ferry", "crate", "buns", "door", "kiln", "ash", "hives")
    left = threading.Event()

    class Counts(Cast):
        """Its second round waits until nobody listens any more."""

        def ask(self, request: Request) -> Reply:
            reply = super().ask(request)
            assert len(self.asked) == 1 or left.wait(10)
            return reply

    model = Counts(tools=lambda _, number: step(call("search", query=words[number])))
    events = place.open(model=model).ask_events(QUESTION, calling="typed")
    next(events)
    events.close()  # type: ignore[attr-defined]
    left.set()
    for thread in threading.enumerate():
        if thread.name == "memoranda-ask":
            thread.join(10)
    assert len(model.asked) <= 2


def test_errors_come_where_they_are_waited_for(place: Place) -> None:
    memory = stocked(place.open())
    with pytest.raises(InputError):
        memory.ask_events(QUESTION, reader="psychic")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        list(memory.ask_events(QUESTION, known_at="yesterday-ish"))
    with pytest.raises(TypeError):
        list(memory.ask_events(QUESTION, colour="red"))  # type: ignore[call-arg]
