"""What only a model says replaces what waits; what code can see for itself does not."""

from __future__ import annotations

import json

import pytest
from upkeep_model import Asked

from memoranda import Memory
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.text.frames import one_value_apart
from scene import Place, holding

KEYED = (
    ("茶馆八点开门。", "茶馆九点开门。"),
    ("The ferry to Skarholm leaves at 22:40 from pier nine.",
     "The ferry to Skarholm leaves at 23:15 from pier nine."),
    ("The capital of Norland is Ostby.", "The capital of Norland is Westby."),
    ("The boat Alma lies at pier 4.", "The boat Alma lies at pier 7."),
)  # fmt: skip
"""Of one key, and one text but for the value."""
BOTH_TRUE = (
    ("I painted gate 3 green.", "I painted gate 4 green."),
    ("The safe of shed 3 is grey.", "The safe of shed 4 is grey."),
    ("我在三号仓库里放了一桶油漆。", "我在四号仓库里放了一桶油漆。"),
    ("Olek swam 40 metres.", "Olek swam 50 metres."),
    ("Mira bought a lamp in Porto.", "Mira bought a lamp in Faro."),
)
"""Alike, and both can be true."""


def keying(request: Request) -> str:
    asked = Asked(request)
    if asked.step != "extract":
        return "{}"
    names = asked.names("events")
    return json.dumps({"facts": [{"of": name, "key": "thing / value"} for name in names]})


def pairing(request: Request) -> str:
    asked = Asked(request)
    if asked.step != "rewrite":
        return "{}"
    names = [
        *(asked.names("older") if asked.data["older"] != "none" else ()),
        *asked.names("entries"),
    ]
    return json.dumps({"old": [f"{one} {names[-1]}" for one in names[:-1]]})


def told(place: Place, pair: tuple[str, str], model: object) -> Memory:
    memory = place.open(model=model)
    for day, text in enumerate(pair, 1):
        memory.add(text, time=f"2026-05-{day:02}")
        memory.consolidate()
    return memory


@pytest.mark.parametrize("pair", KEYED, ids=range(len(KEYED)))
def test_of_one_key_and_one_form_the_last_said_holds_at_once(
    place: Place, pair: tuple[str, str]
) -> None:
    memory = told(place, pair, ScriptedModel(keying))
    assert holding(memory) == [pair[1]]
    assert memory.waiting() == ()


@pytest.mark.parametrize("pair", BOTH_TRUE, ids=range(len(BOTH_TRUE)))
@pytest.mark.parametrize("says", [keying, pairing], ids=["a-key", "a-pair"])
def test_what_may_both_be_true_holds_until_a_person_says_otherwise(
    place: Place, pair: tuple[str, str], says: object
) -> None:
    memory = told(place, pair, ScriptedModel(says))  # type: ignore[arg-type]
    assert holding(memory) == [*pair]


def test_a_pair_of_one_form_without_a_key_waits(place: Place) -> None:
    memory = told(place, KEYED[0], ScriptedModel(pairing))
    assert holding(memory) == [*KEYED[0]]
    (plan_id,) = memory.waiting()
    memory.approve(plan_id)
    assert holding(memory) == [KEYED[0][1]]


@pytest.mark.parametrize("pair", BOTH_TRUE, ids=range(len(BOTH_TRUE)))
def test_what_was_done_and_which_one_is_meant_is_no_value(pair: tuple[str, str]) -> None:
    assert not one_value_apart(*pair)
    assert not one_value_apart(*reversed(pair))
