"""Answers as streams: each round as it is done, and who leaves ends the reading."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

from memoranda import Answer, Memory
from memoranda.answers import Round
from memoranda.llm.model import Reply, Request
from memoranda.rest.client import Client
from readers_scene import Cast, call, quoting, step, stocked
from served import served, token_for

QUESTION = "When does the night ferry leave?"
FIND = [step(call("search", query="night ferry")), step(lines=[1], done=True)]
WORDS = ("ferry", "crate", "buns", "door", "kiln", "ash", "hives")


def test_rounds_come_as_they_are_done_and_then_the_answer(root: Path) -> None:
    first = threading.Event()

    class Waits(Cast):
        """Its second round waits until the first was received."""

        def ask(self, request: Request) -> Reply:
            if len(self.asked) == 1:
                assert first.wait(20)
            return super().ask(request)

    with Memory.open(root) as memory:
        stocked(memory)
    model = Waits(tools=FIND, answer=quoting("leaves at 22:40"))
    with served(root, model=model) as server, Client(server.url, token_for(server.gate)) as client:
        events = client.ask_events(QUESTION, calling="typed")
        one = next(events)
        assert isinstance(one, Round)
        assert [use.name for use in one.calls] == ["search"]
        first.set()
        *rounds, answer = events
        assert isinstance(answer, Answer)
        assert answer.text == "leaves at 22:40"
        assert answer.trace is not None
        assert answer.trace.rounds == (one, *rounds)


def test_who_leaves_ends_the_reading(root: Path) -> None:
    left = threading.Event()

    class Counts(Cast):
        """Its second round waits until nobody listens any more."""

        def ask(self, request: Request) -> Reply:
            reply = super().ask(request)
            assert len(self.asked) == 1 or left.wait(20)
            return reply

    with Memory.open(root) as memory:
        stocked(memory)
    model = Counts(tools=lambda _, number: step(call("search", query=WORDS[number])))
    with served(root, model=model) as server:
        http = server.http()
        body = {"question": QUESTION, "calling": "typed"}
        with http.stream("POST", "/v1/ask/events", json=body) as reply:
            name, told = [line for line, _ in zip(reply.iter_lines(), range(2), strict=False)]
            assert name == "event: round"
            assert json.loads(told.removeprefix("data: "))["number"] == 1
        time.sleep(0.3)  # the server notices that nobody listens
        left.set()
        for thread in threading.enumerate():
            if thread.name == "memoranda-ask":
                thread.join(20)
        assert len(model.asked) <= 2
        assert http.get("/v1/status").json()["events"] > 0
