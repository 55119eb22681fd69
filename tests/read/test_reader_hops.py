"""Questions that hang on several facts: taken apart, and each hop resolved against what holds now."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import Memory
from memoranda.llm.model import Request
from memoranda.read.readers.hop_rules import by_rules
from readers_scene import Cast, asked, name_of, picking, quoting, stocked, texts
from scene import Place

TOWNS = ("Skarholm", "Faro", "Lerwick", "Torshavn", "Gdansk")
OWNERS = ("Osei Mensah", "Ylva Lind", "Mira Costa", "Bo Akande")


@pytest.mark.parametrize(
    ("question", "hops"),
    [
        ("When does the night ferry leave?", 1),
        ("What is the capital of the island?", 1),
        ("What is the phone number of the owner of the bakery?", 2),
        ("In which town does the owner of the company that produced Windmill Nine live?", 3),
        ("What is Ana's landlord's phone number?", 2),
        ("Who is my doctor's assistant?", 2),
        ("Who founded the town where the painter of Blue Crate was born?", 3),
        ("Which language is spoken in the town where the sport that Osei plays was created?", 3),
        ("船长的钥匙在哪里？", 1),
        ("船长的妻子的电话是多少？", 2),
        ("船长的妻子的姐姐的生日是哪一天？", 3),
        ("", 1),
        ("?", 1),
    ],
)
def test_nested_questions_are_taken_apart_by_rules(question: str, hops: int) -> None:
    found = by_rules(question)
    assert len(found) == hops
    assert len(found) > 1 or found == (question,)


def test_later_hops_name_what_earlier_ones_find() -> None:
    assert by_rules("What is the phone number of the owner of the bakery?") == (
        "What is the owner of the bakery?",
        "What is the phone number of #1?",
    )
    assert by_rules("船长的妻子的电话是多少？") == ("船长的妻子是什么？", "#1的电话是多少？")


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60) | st.text("the of that's 的是谁?#1 ", max_size=60))
def test_any_question_can_be_taken_apart(question: str) -> None:
    assert 1 <= len(by_rules(question)) <= 5


@pytest.fixture
def harbour(place: Place) -> Memory:
    memory = place.open()
    for text in (
        "The owner of Windmill Nine is Osei Mensah.",
        "Osei Mensah was born in the city of Faro.",
        "The mayor of Faro is Ylva Lind.",
        "The mayor of Lerwick is Mira Costa.",
        "The mayor of Skarholm is Bo Akande.",
        "Mira Costa was born in the city of Lerwick.",
    ):
        memory.add(text, source="external")
    return memory


QUESTION = "What is the mayor of the city where the owner of Windmill Nine was born?"


def test_a_chain_is_resolved_without_a_model_and_cited(harbour: Memory) -> None:
    answer = harbour.ask(QUESTION)
    assert [hop.value for hop in answer.hops] == ["Osei Mensah", "Faro", "Ylva Lind"]
    assert [claim.quote for claim in answer.claims[:3]] == [
        "The owner of Windmill Nine is Osei Mensah.",
        "Osei Mensah was born in the city of Faro.",
        "The mayor of Faro is Ylva Lind.",
    ]
    assert answer.known
    assert texts(answer)[:3] == [claim.quote for claim in answer.claims[:3]]


@pytest.mark.parametrize("placed", [False, True])
def test_a_chain_goes_by_what_was_said_last(harbour: Memory, *, placed: bool) -> None:
    harbour.add("The owner of Windmill Nine is Mira Costa.", source="external")
    if placed:
        harbour.consolidate()
    answer = harbour.ask(QUESTION)
    assert [hop.value for hop in answer.hops] == ["Mira Costa", "Lerwick", "Mira Costa"]
    assert answer.hops[0].replaced == (1,)
    harbour.add("Mira Costa was born in the city of Skarholm.", source="external")
    assert [hop.value for hop in harbour.ask(QUESTION).hops][1:] == ["Skarholm", "Bo Akande"]


def test_what_is_not_there_breaks_the_chain_and_nothing_is_made_up(harbour: Memory) -> None:
    answer = harbour.ask("What is the mayor of the city where the owner of Windmill Ten was born?")
    assert all(hop.value is None for hop in answer.hops)
    answer = harbour.ask("What is the dog of the mayor of Faro?")
    assert [hop.value for hop in answer.hops] == ["Ylva Lind", None]


def test_random_chains_of_two_to_four_hops_end_at_the_current_value(place: Place) -> None:
    chance = random.Random(5)  # noqa: S311 - the same each time, on purpose
    memory = place.open()
    now: dict[str, str] = {}
    links = ("mill", "barge", "chapel", "orchard")
    names = [f"{link.capitalize()} {town}" for link in links for town in TOWNS]
    facts = []
    for name in names[:-5]:
        versions = chance.randint(1, 4)
        facts += [(name, names[chance.randrange(len(names))]) for _ in range(versions)]
    chance.shuffle(facts)
    for name, value in facts:
        memory.add(f"The keeper of {name} is {value}.", source="external")
        now[name] = value
    memory.consolidate()
    asked_of = [name for name in names if name in now]
    for hops in (2, 3, 4):
        for name in asked_of:
            chain = [now[name]]
            while len(chain) < hops and chain[-1] in now:
                chain.append(now[chain[-1]])
            if len(chain) < hops or len({name, *chain}) <= hops:
                continue
            nested = "the keeper of " * hops + name
            answer = memory.ask(f"What is {nested}?")
            values = [hop.value for hop in answer.hops]
            assert values[-1] == chain[-1], (nested, values, chain)


def test_chinese_chains(place: Place) -> None:
    memory = place.open()
    for text in ("老李的老板是阿宁。", "阿宁的故乡是青岛。", "小米的故乡是大理。"):
        memory.add(text)
    answer = memory.ask("老李的老板的故乡是哪里？")
    assert [hop.value for hop in answer.hops] == ["阿宁", "青岛"]
    memory.add("老李的老板是小米。")
    assert [hop.value for hop in memory.ask("老李的老板的故乡是哪里？").hops] == ["小米", "大理"]


def test_a_model_plans_what_the_rules_can_not_take_apart(harbour: Memory) -> None:
    question = "Windmill Nine: whoever owns it, of which place is that person a native, and who rules there?"
    model = Cast(
        hops={
            "hops": [
                "What is the owner of Windmill Nine?",
                "In which city was #1 born?",
                "Who is the mayor of #2?",
            ]
        },
        answer=quoting("is Ylva Lind", "Ylva Lind"),
    )
    answer = asked(
        harbour, question.replace("person", "person that owns it"), model, reader="lexical"
    )
    assert model.asked == ["read_hops", "answer"]
    assert [hop.value for hop in answer.hops] == ["Osei Mensah", "Faro", "Ylva Lind"]
    assert answer.text == "Ylva Lind"
    steps = model.requests[-1].messages[1].content
    assert "In which city was Osei Mensah born? Faro" in steps


def test_a_model_is_never_shown_what_was_replaced(place: Place) -> None:
    memory = place.open()
    memory.add("The owner of Windmill Nine is Osei Mensah.", source="external")
    memory.add("The owner of Windmill Nine is Mira Costa.", source="external")
    memory.add("Mira Costa lends her rowing boat to nobody but Tove.", source="external")
    memory.add("Osei Mensah lends his rowing boat to nobody but Signe.", source="external")
    memory.consolidate()
    shown: list[str] = []

    def picks(request: Request) -> dict[str, object]:
        shown.append(request.messages[1].content)
        if "nobody but" not in shown[-1]:
            return {"line": None, "value": ""}
        return {"line": name_of(request, "nobody but"), "value": "Tove"}

    model = Cast(
        hops={"hops": ["What is the owner of Windmill Nine?", "To whom does #1 lend a boat?"]},
        value=picks,
        answer=quoting("nobody but Tove", "Tove"),
    )
    question = (
        "To whom does that person who is the owner of Windmill Nine lend a boat, of all people?"
    )
    answer = asked(memory, question, model, reader="lexical")
    assert [hop.value for hop in answer.hops] == ["Mira Costa", "Tove"]
    assert answer.hops[1].how == "model"
    assert shown
    assert all("Osei" not in text for text in shown)


def test_a_value_that_stands_in_no_line_is_no_value(harbour: Memory) -> None:
    model = Cast(
        hops={"hops": ["What is the owner of Windmill Nine?", "What is the hobby of #1?"]},
        value=lambda request: {"line": name_of(request, "Osei"), "value": "chess"},
    )
    question = "What is the hobby of the one that is the owner of Windmill Nine?"
    answer = asked(harbour, question, model, reader="lexical")
    assert answer.hops[-1].value is None
    assert answer.text is None


def test_the_chain_comes_first_in_every_reader(harbour: Memory) -> None:
    harbour.consolidate()
    model = Cast(select=picking("Windmill"), answer=quoting("is Ylva Lind", "Ylva Lind"))
    for reader in ("summary", "hybrid", "agentic"):
        answer = asked(harbour, QUESTION, model, reader=reader)  # type: ignore[arg-type]
        assert texts(answer)[0] == "The owner of Windmill Nine is Osei Mensah."
        assert answer.text == "Ylva Lind"
        assert [claim.quote for claim in answer.claims][2] == "The mayor of Faro is Ylva Lind."


def test_a_library_of_other_things_makes_no_chain(place: Place) -> None:
    memory = stocked(place.open())
    assert memory.ask("What is the phone number of the owner of the bakery?").hops[-1].value is None
