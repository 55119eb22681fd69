"""A recorded reading, played again round by round: a model's turns, found by their words.

Run it by itself, `python examples/demo/played.py`, or call `play` with a memory of the demo.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoranda import Answer, Memory
from memoranda.llm.model import Reply, Request, Usage

if TYPE_CHECKING:
    from demo import Stage
    from memoranda.answers import Round

HERE = Path(__file__).resolve().parent
NAMED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


class PlayedModel:
    """Says what was recorded. Names that are new in each call are found by the words of their lines."""

    def __init__(self, recording: Path = HERE / "agentic.json") -> None:
        self.recorded: dict[str, Any] = json.loads(recording.read_text(encoding="utf-8"))
        self.name = "recorded"
        self._round = 0

    def ask(self, request: Request) -> Reply:
        """Play the next turn."""
        text = "\n".join(turn.content for turn in request.messages)
        form = json.dumps(request.schema)
        if request.tools:
            said = self._turn(text)
        elif '"because"' in form:
            said = self._answer(request.messages[-1].content)
        else:
            said = {"hops": [self.recorded["question"]]}
        return Reply(text=json.dumps(said, ensure_ascii=False), parsed=said, usage=Usage())

    def _turn(self, text: str) -> dict[str, Any]:
        rounds = self.recorded["rounds"]
        self._round += 1
        if self._round <= len(rounds):
            return {"calls": rounds[self._round - 1], "lines": [], "done": False}
        shown = {line: int(number) for number, line in NAMED.findall(text)}
        wanted = self.recorded["lines"]
        lines = [number for line, number in shown.items() if any(words in line for words in wanted)]
        return {"calls": [], "lines": sorted(set(lines)), "done": True}

    def _answer(self, task: str) -> dict[str, Any]:
        lines = [line for line in task.splitlines() if not line.startswith("#")]
        because = [
            {"line": line.split(" ", 1)[0], "quote": words}
            for words in self.recorded["because"]
            for line in lines
            if words in line
        ]
        return {"because": because, "answer": self.recorded["answer"]}


def play(open_with: Callable[[PlayedModel], Memory], say: Callable[[str], None] = print) -> Answer:
    """Ask the recorded question; show each round of the reading as it comes, then the answer."""
    model = PlayedModel()
    question = model.recorded["question"]
    say(f"Question: {question}")
    rounds = 0
    with open_with(model) as memory:
        for event in memory.ask_events(question, reader="agentic"):
            if isinstance(event, Answer):
                show_answer(event, say)
                return event
            rounds += event.purpose == "tools"
            show_round(event, rounds, say)
    raise AssertionError("the last event is the answer")


def show_round(one: Round, number: int, say: Callable[[str], None]) -> None:
    """Show what a round asked for and found, or which lines it named."""
    if one.calls:
        say(f"  round {number}")
    for use in one.calls:
        arguments = ", ".join(f"{name}={value!r}" for name, value in use.arguments.items())
        say(f"    {use.name}({arguments}): {use.found} found, {use.fresh} new lines")
    if one.chosen and one.purpose == "tools":
        say(f"  round {number}: done; the lines {', '.join(one.chosen)} tell")


def show_answer(answer: Answer, say: Callable[[str], None]) -> None:
    """Show an answer with the quotes that it stands on."""
    say(f"Answer: {answer.text}")
    for claim in answer.claims:
        say(f"    > {claim.quote}")
        say(f"      {claim.authority}, {claim.citation}")


def scene(stage: Stage, open_with: Callable[[PlayedModel], Memory]) -> None:
    """Play the recording as a part of the demo, and check what it must show."""
    stage.say("\n  A model reads, round by round (a recording of its turns)", "bold cyan")
    answer = play(open_with, lambda words: stage.say(f"  {words}"))
    calls = [use for one in answer.trace.rounds for use in one.calls] if answer.trace else []
    read = not answer.partial and len(calls) >= 5 and not any(use.error for use in calls)
    stage.promise(read, f"{len(calls)} calls of tools; the model ended the reading itself")
    told = answer.text == PlayedModel().recorded["answer"] and len(answer.claims) >= 2
    with open_with(PlayedModel()) as memory:
        found = [memory.resolve(claim.citation) for claim in answer.claims]
    stands = [
        any(claim.quote in entry.text for entry in place.entries)
        for claim, place in zip(answer.claims, found, strict=True)
    ]
    stage.promise(told and all(stands), f"its answer stands on {len(stands)} quotes, each resolved")


def main() -> int:
    """Play over a library made anew in a folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(folder, user="lena") as memory:
            memory.import_lines((HERE / "conversation.jsonl").read_bytes().splitlines())
            memory.consolidate()
        answer = play(
            lambda model: Memory.open(
                folder, user="lena", project="billing-brightwater", model=model
            )
        )
    return 0 if answer.text and not answer.partial else 1


if __name__ == "__main__":
    sys.exit(main())
