"""A model tells facts of events; what it tells badly, or not at all, stays as it was said."""

from __future__ import annotations

from typing import Any

import pytest
from librarian import Shown, asker, event, librarian

from memoranda import NewEvent
from memoranda.errors import BudgetError
from memoranda.llm.budget import Budget, Limits
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.metered import Meter
from memoranda.write.by_model import Extraction, Fallback, Item
from memoranda.write.by_model.extract import extract

EVENTS = (
    event("I moved to Riga yesterday, and I may adopt a dog."),
    event("Shall I note that you like herring?", source="assistant", speaker=None),
    event("渡轮周二停开。我住在里加。", speaker="米拉"),
    event("ok thanks"),
    event("pods: 14\nlimit: 20", source="tool", speaker="kubectl"),
)
HOME = "- / mira / home city"


def made(*facts: Any, skip: Any = (), events: Any = EVENTS, keys: Any = (HOME,)) -> Extraction:
    """Extract with a model that names events by their numbers and keys by themselves."""

    def answer(shown: Shown) -> dict[str, Any]:
        def names(numbers: Any) -> str:
            lines = (events[n].content.replace("\n", "\n    ") for n in numbers)
            return " ".join(shown.of(text) for text in lines)

        told = [{**fact, "of": names(fact["of"])} for fact in facts]
        for fact in told:
            fact["key"] = shown.of(fact["key"]) if fact.get("key") in keys else fact.get("key", "")
        left = [{"of": names(numbers), "why": why} for numbers, why in skip]
        return {"facts": told, "skip": left}

    return extract(asker(librarian(answer)), events, keys=keys, entry_tokens=120)


def fact(text: str, *of: int, **more: Any) -> dict[str, Any]:
    return {"fact": text, "of": of, **more}


def words(extraction: Extraction, events: Any = EVENTS) -> list[str]:
    return [
        item.said
        if item.said is not None
        else events[item.events[0]].content[slice(*(item.span or ()))]
        for item in extraction.items
    ]


def every_event(extraction: Extraction) -> set[int]:
    cited = {number for item in extraction.items for number in item.events}
    return cited | {gone.event for gone in extraction.left_out}


def test_nothing_named_is_every_event_word_for_word() -> None:
    extraction = extract(asker(ScriptedModel("{}")), EVENTS, entry_tokens=120)
    assert words(extraction) == [e.content for e in EVENTS]
    assert all(item.said is None for item in extraction.items)


def test_a_fact_names_its_events_and_its_day_is_computed() -> None:
    extraction = made(
        fact("Mira moved to Riga yesterday, and may adopt a dog.", 0, when="yesterday")
    )
    item = extraction.items[0]
    assert item.said == "Mira moved to Riga yesterday (2026-05-11), and may adopt a dog."
    assert item.events == (0,)
    assert item.to_json() == {
        "events": [0],
        "said": item.said,
        "tokens": item.tokens,
        "keys": list(item.keys),
    }
    assert every_event(extraction) == set(range(5))
    assert extraction.report.reworded == 0


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Mira moved to Riga yesterday, and adopts a dog.", 0),
        ("Mira moved to Oslo yesterday, and may adopt a dog.", 0),
        ("Mira did not move to Riga yesterday, and may adopt a dog.", 0),
        ("米拉不住在里加。", 2),
        ("米拉住在奥斯陆。", 2),
        ("Mira lives in Riga.", 2),
        ("pods: 15", 4),
    ],
)
def test_a_fact_that_turns_invents_or_translates_is_replaced_by_its_event(
    text: str, of: int
) -> None:
    extraction = made(fact(text, of))
    assert words(extraction) == [e.content for e in EVENTS]
    assert extraction.report.reworded == 1


def test_a_chinese_fact_stays_chinese() -> None:
    extraction = made(fact("渡轮周二停开。", 2), fact("米拉住在里加。", 2))
    assert [t for t in words(extraction) if "米拉" in t or "渡轮" in t] == [
        "渡轮周二停开。",
        "米拉住在里加。",
    ]


def test_a_key_is_an_offered_one_or_a_new_one_of_the_events_project() -> None:
    told = "Mira moved to Riga yesterday, and may adopt a dog."
    assert f"key: {HOME}" in made(fact(told, 0, key=HOME)).items[0].keys
    assert "key: - / mira / city" in made(fact(told, 0, key="Mira / City")).items[0].keys
    farm = (event("The limit is 20 pods.", project="Farm"),)
    text = "The limit is 20 pods."
    keys = made(fact(text, 0, key="pods / limit"), events=farm).items[0].keys
    assert keys[0] == "key: farm / pods / limit"
    other = made(fact(text, 0, key=HOME), events=farm).items[0].keys
    assert f"key: {HOME}" not in other, "a key of another project is not taken"
    assert (
        made(fact(told, 0, key="farm / pods / limit")).items[0].keys
        == made(fact(told, 0)).items[0].keys
    )


def test_what_a_fact_only_holds_for_stands_in_its_words_and_in_its_key() -> None:
    events = (event("With version 3 the limit is 20 pods."),)
    item = made(
        fact("With version 3 the limit is 20 pods.", 0, only="version 3", key="pods / limit"),
        events=events,
    ).items[0]
    assert item.said == "With version 3 the limit is 20 pods."
    assert item.keys[0] == "key: - / pods / limit @ version 3"
    short = made(fact("The limit is 20 pods.", 0, only="version 3"), events=events).items[0]
    assert short.said is None or "version 3" in short.said
    told = "With version 3 the limit is 20 pods."
    elsewhere = made(fact(told, 0, only="version 4", key="pods / limit"), events=events).items[0]
    assert elsewhere.said == told
    assert not any("version 4" in key or key == "key: - / pods / limit" for key in elsewhere.keys)


def test_events_of_two_projects_never_make_one_fact() -> None:
    events = (event("I like herring.", project="farm"), event("I like herring a lot."))
    extraction = made(fact("Mira likes herring.", 0, 1), events=events)
    assert words(extraction, events) == ["I like herring.", "I like herring a lot."]


def test_an_event_is_left_out_by_name_unless_it_tells_something() -> None:
    extraction = made(skip=[((3,), "greeting"), ((0,), "noise"), ((4,), "noise")])
    assert [(gone.event, gone.reason) for gone in extraction.left_out] == [
        (3, "greeting"),
        (4, "noise"),
    ]
    assert every_event(extraction) == set(range(5))
    assert EVENTS[0].content in words(extraction)


@pytest.mark.parametrize(
    ("text", "goes"),
    [
        ("Thank you!", True),
        ("What is the weather like?", True),
        ("好的，谢谢", True),
        ("I do not eat nuts.", False),
        ("Did you know I do not eat nuts?", False),
        ("Olek hates herring.", False),
        ("我不吃坚果。", False),
        ("42", False),
        ("gate 42", False),
    ],
)
def test_only_what_tells_nothing_of_a_user_is_left_out(text: str, goes: bool) -> None:  # noqa: FBT001
    events = (event(text), event("I like tea."))
    extraction = made(skip=[((0,), "filler")], events=events)
    assert bool(extraction.left_out) is goes


def test_an_event_that_a_fact_cites_is_not_left_out() -> None:
    extraction = made(fact("pods: 14\nlimit: 20", 4), skip=[((4,), "noise")])
    assert extraction.left_out == ()


def test_an_unusable_reply_leaves_all_to_the_rules() -> None:
    extraction = extract(asker(ScriptedModel("[]", "[]")), EVENTS, entry_tokens=120)
    assert words(extraction) == [e.content for e in EVENTS]
    assert extraction.report.fallbacks == (Fallback(step="extract", reason="shape"),)


def test_a_long_event_is_not_shown_but_cut_by_rules() -> None:
    long = event(" ".join(f"The keeper of house {n} sleeps." for n in range(400)))
    model = ScriptedModel("{}")
    extraction = extract(asker(model), (EVENTS[0], long), entry_tokens=120)
    assert "keeper" not in model.requests[0].messages[1].content
    assert len(extraction.items) > 10
    assert every_event(extraction) == {0, 1}


def test_a_reached_budget_passes() -> None:
    meter = Meter(budget=Budget(run=Limits(tokens=10)), record=lambda _: None)
    with pytest.raises(BudgetError):
        extract(asker(ScriptedModel("{}"), meter=meter), EVENTS, entry_tokens=120)


def test_several_batches_are_one_extraction() -> None:
    events: tuple[NewEvent, ...] = tuple(event(f"Gate {n} is green.") for n in range(30))
    model = librarian(
        lambda shown: {
            "facts": [
                {"of": shown.of(e.content), "fact": e.content}
                for e in events
                if shown.has(e.content)
            ]
        }
    )
    extraction = extract(asker(model), events, entry_tokens=120, batch=40)
    assert len(model.requests) > 3
    assert [item.said for item in extraction.items] == [e.content for e in events]
    assert all(isinstance(item, Item) and len(item.events) == 1 for item in extraction.items)


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("Mira: I moved to Riga yesterday, and I may adopt a dog.", EVENTS[0].content),
        ("mira ： I moved to Riga yesterday, and I may adopt a dog.", EVENTS[0].content),
        ("米拉：渡轮周二停开。我住在里加。", EVENTS[2].content),
    ],
)
def test_a_speaker_is_not_told_twice(told: str, kept: str) -> None:
    number = next(n for n, event in enumerate(EVENTS) if event.content == kept)
    assert kept in words(made(fact(told, number)))


def test_a_colon_that_parts_no_speaker_from_a_fact_stays() -> None:
    events = (event("Riga: the ferry stops on Tuesdays."),)
    assert words(made(fact(events[0].content, 0), events=events, keys=()), events) == [
        events[0].content
    ]
