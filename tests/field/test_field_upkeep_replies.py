"""Field cases: replies that can't be read, are too long, or use names that the prompt did not offer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from field_model import Shown, left, model, placed, program

from cli_command import Command
from memoranda import Settings
from memoranda.errors import ModelUnavailableError, ReplyError
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.doubles.said import Said
from memoranda.llm.forms import Form
from memoranda.llm.model import Reply, Request, Usage
from memoranda.llm.prompts import Prompt
from memoranda.llm.told import prompt_tokens
from memoranda.text.tokens import count
from memoranda.write.by_model import extract, reshape, rewrite, route, summarize
from scene import SENTENCES, Place

BEES = "I put \U0001f41d stickers on the blue hive, and a stone on its roof."
KEPT = Settings(auto=False, keep_calls=True)


def facts_of(fact: str) -> str:
    """A reply with one fact, its text written into the JSON as it is."""
    return '{"facts":[{"of":"NAME","fact":"' + fact + '"}]}'


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (r"I put \ud83d\udc1d stickers on the blue hive.", ""),
        (r"I put \ud83d stickers on the blue hive.", "surrogate"),
        (r"I put \udc1d\ud83d stickers on the blue hive.", "surrogate"),
        ("I put \ud83d stickers on the blue hive.", "surrogate"),
    ],
    ids=["a pair", "a half", "halves the wrong way", "a half as it is"],
)
def test_an_escaped_pair_is_one_character_and_a_half_is_refused(
    place: Place, memoranda: Command, fact: str, reason: str
) -> None:  # fc-023
    reply = facts_of(fact)
    asking = model(extract=lambda s: reply.replace("NAME", s.of(BEES)))
    memory = place.open(model=asking, settings=KEPT)
    memory.add(BEES)
    memory.consolidate()
    assert left(memory) == ({("extract", reason): 1} if reason else {})
    text = BEES if reason else "I put \U0001f41d stickers on the blue hive."
    assert placed(memory) == {text: 1}
    memory.close()
    for data in place.files().values():
        data.decode("utf-8")
    for command in (["list"], ["show", "d1"], ["log"], ["calls"], ["status"], ["search", "hive"]):
        memoranda.ok(*command).encode("utf-8")
        for line in memoranda.ok(*command, "--json").splitlines():
            json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8")


def test_a_broken_escape_costs_no_fact_and_is_not_asked_for_again(place: Place) -> None:  # fc-032
    said = {"broken": True}
    events: list[int] = []

    def extracting(asked: Shown) -> str:
        events.append(memory.status().events)
        fact = r"The kiln is at 12\u00zz degrees." if said["broken"] else "The kiln was cleaned."
        name = asked.names("events")[0]
        return facts_of(fact).replace("NAME", name)

    asking = model(extract=extracting)
    memory = place.open(model=asking)
    memory.add("The kiln is at 1200 degrees.")
    memory.consolidate()
    assert events == [1, 1]  # it was there before the first call, and there was one repair
    assert left(memory) == {("extract", "syntax"): 1}
    assert placed(memory) == {"The kiln is at 1200 degrees.": 1}
    said["broken"] = False
    memory.add("The kiln was cleaned, I think on Sunday, and it was cleaned well.")
    memory.consolidate()
    assert len(events) == 3
    assert left(memory) == {}
    assert set(placed(memory)) >= {"The kiln is at 1200 degrees."}
    assert memory.status().events == 2
    assert memory.current() == ()


def test_the_same_through_a_program_is_told_by_the_command(
    place: Place, memoranda: Command, tmp_path: Path
) -> None:  # fc-032
    broken = program(tmp_path, r"""print('{"facts":[{"of":"a","fact":"12\\u00zz"}]}')""")
    memoranda.ok("add", "The kiln is at 1200 degrees.")
    result = memoranda("consolidate", "--model", broken)
    assert result.exit_code == 0
    assert "extract was left to the rules: syntax (1 time)" in result.stderr
    assert "extract was left to the rules: syntax (1 time)" in memoranda.ok("status")
    assert placed(place.open()) == {"The kiln is at 1200 degrees.": 1}


# --- too much ----------------------------------------------------------------------------------


def test_a_batch_that_is_always_too_much_does_not_grow_and_later_ones_are_done(
    place: Place,
) -> None:  # fc-034
    hard = SENTENCES[:6]

    def said(request: Request) -> Said:
        asked = Shown(request)
        place_of = {"extract": "events", "rewrite": "entries", "route": "blocks"}[asked.step]
        if any(asked.of(text, place_of) for text in hard):
            return Reply(text='{"', stop="length", usage=Usage(), model="busy")
        if asked.step == "extract":
            return {"skip": [], "facts": [{"of": name} for name in asked.names("events")]}
        return {}

    asking = ScriptedModel(said, name="busy")
    memory = place.open(model=asking, settings=Settings(auto=False, structure="off"))
    for text in hard:
        memory.add(text, session="s0")
    calls, largest = [], []
    for run in range(10):
        for number in range(3):
            memory.add(f"Crate {run * 3 + number} holds apples.", session=f"s{run + 1}")
        before = len(asking.requests)
        memory.consolidate()
        calls.append(len(asking.requests) - before)
        largest.append(max(prompt_tokens(request) for request in asking.requests[before:]))
        assert memory.current() == ()
    assert calls[0] <= 14  # two halves of extract and of rewrite, each repaired once; route
    assert max(calls[1:]) <= 3
    assert max(largest[1:]) <= largest[0]
    found = placed(memory)
    assert all(found.get(text) for text in hard)
    assert sum(text.startswith("Crate") for text in found) == 30


def test_with_a_small_context_a_batch_is_halved_and_what_is_too_large_is_told(
    place: Place,
) -> None:  # fc-037
    context = 1700

    def said(request: Request) -> Said:
        if prompt_tokens(request) > context:
            return ModelUnavailableError("small", "too_long", "the prompt is too long")
        asked = (
            Shown(request) if request.schema and "facts" in request.schema["properties"] else None
        )
        if asked is None:
            return {}
        return {
            "facts": [{"of": n, "fact": asked.data["events"][:900]} for n in asked.names("events")]
        }

    asking = ScriptedModel(said, name="small")
    settings = Settings(auto=False, prompt_tokens=600)
    memory = place.open(model=asking, settings=settings)
    long = " ".join(SENTENCES[:10] * 5)
    assert settings.prompt_tokens < count(long) <= settings.entry_tokens
    for number in range(59):
        memory.add(f"{' '.join(SENTENCES[number % 20 :][: number % 5 + 1])} Tag {number}.")
    memory.add(f"{long} Tag 59.")
    memory.consolidate()
    told = left(memory)
    assert told["extract", "prompt_too_long"] >= 1
    assert {step for step, reason in told if reason == "prompt_too_long"} <= {
        "extract", "rewrite", "route"
    }  # fmt: skip
    assert memory.last_run is not None
    assert memory.last_run.stopped == ""
    assert memory.last_run.halved >= 1
    assert memory.current() == ()
    tokens = sum(count(text) for text in placed(memory))
    assert len(asking.requests) <= 12 * (tokens // settings.prompt_tokens + 2)
    for number in (0, 17, 42, 59):
        assert any(f"Tag {number}." in e.text for f in memory.search(f"Tag {number}").evidence
                   for e in f.entries)  # fmt: skip
    answer = memory.ask("When does the choir meet?")
    assert answer.known
    again = len(asking.requests)
    memory.consolidate()
    assert len(asking.requests) == again


def test_a_question_that_was_too_much_is_asked_in_halves_once(place: Place) -> None:  # fc-037
    def extracting(asked: Shown) -> dict[str, object]:
        return {"facts": [{"of": name} for name in asked.names("events")]}

    def said(request: Request) -> Said:
        asked = Shown(request)
        if asked.step == "extract" and len(asked.names("events")) > 4:
            return Reply(text='{"facts":[', stop="length", usage=Usage(), model="short")
        return extracting(asked) if asked.step == "extract" else {}

    memory = place.open(model=ScriptedModel(said, name="short"))
    for text in SENTENCES[:8]:
        memory.add(text)
    memory.consolidate()
    assert memory.last_run is not None
    assert memory.last_run.halved == 1
    assert memory.last_run.left_to_rules == ()
    assert placed(memory) == dict.fromkeys(SENTENCES[:8], 1)


# --- names of the prompts ---------------------------------------------------------------------

FORMS: dict[str, Form] = {  # type: ignore[type-arg]
    "extract": extract.FORM,
    "rewrite": rewrite.FORM,
    "route": route.FORM,
    "split": reshape.SPLIT,
    "merge": reshape.MERGE,
    "summarize": summarize.FORM,
}


def names_in(schema: object) -> set[str]:
    """Every field of a schema, and every word that a field may hold."""
    match schema:
        case dict():
            own = {*schema.get("properties", {}), *schema.get("enum", ())}
            return own.union(*(names_in(part) for part in schema.values()))
        case list():
            return set().union(*(names_in(part) for part in schema))
    return set()


@pytest.mark.parametrize("step", FORMS)
def test_the_prompt_and_the_form_speak_of_the_same_fields(step: str) -> None:  # fc-038
    rules = Prompt.load(step).rules
    fields = {name for name in names_in(FORMS[step].schema()) if isinstance(name, str)}
    named = set(re.findall(r"`([a-z_]+)`", rules))
    assert named <= fields
    (example,) = re.findall(r"^\{.*\}$", rules, re.MULTILINE)[-1:]
    assert names_of(json.loads(example)) <= fields
    FORMS[step].read(json.loads(example))


def names_of(value: object) -> set[str]:
    match value:
        case dict():
            return {*value}.union(*(names_of(part) for part in value.values()))
        case list():
            return set().union(*(names_of(part) for part in value))
    return set()


@pytest.mark.parametrize("step", FORMS)
def test_an_action_that_is_not_offered_is_refused_by_its_name(step: str) -> None:  # fc-038
    with pytest.raises(ReplyError, match="obliterate") as error:
        FORMS[step].read({"obliterate": ["dup"]})
    assert error.value.reason == "unknown_field"


def test_a_word_that_is_not_offered_is_refused_by_its_name() -> None:  # fc-038
    with pytest.raises(ReplyError, match="obsolete") as error:
        extract.FORM.read({"skip": [{"of": "dup", "why": "obsolete"}]})
    assert error.value.reason == "unknown_action"
