"""A model parts, joins and names documents; what it may not do is left to the rules."""

from __future__ import annotations

from typing import Any

import pytest
from librarian import Shown, asker, entry, librarian

from memoranda import Entry
from memoranda.llm.doubles import ScriptedModel
from memoranda.store.operations import Text
from memoranda.write import reshape as by_rules
from memoranda.write.by_model import Fallback, LargeBlock, Small, Splitting, Whole
from memoranda.write.by_model.reshape import merge, split
from memoranda.write.by_model.summarize import summarize

SAID = (
    "I paint the fence blue.",
    "The goats are on the hill pasture.",
    "山羊在山坡上吃草。",
    "The fence needs ten new boards.",
)
LINES = tuple(entry(number, text) for number, text in enumerate(SAID, start=1))


def large(tokens: int = 60) -> tuple[LargeBlock, ...]:
    return tuple(
        LargeBlock(block_id=10 + e.seq, headings=("2026-05-01",), entries=(e,), tokens=tokens)
        for e in LINES
    )


def parting(*parts: tuple[str, tuple[int, ...], str], tokens: int = 60) -> Splitting:
    def answer(shown: Shown) -> dict[str, Any]:
        def name(number: int) -> str:
            return shown.of(SAID[number - 1])

        return {
            "parts": [
                {"title": title, "of": " ".join(map(name, numbers)), "sum": summary}
                for title, numbers, summary in parts
            ]
        }

    return split(asker(librarian(answer)), large(tokens), title="Fence", limit=200)


def test_blocks_on_another_matter_leave_under_words_of_their_own() -> None:
    splitting = parting(("Goats, hill pasture", (2, 3), "goats, hill pasture, 山羊"))
    (part,) = splitting.parts
    assert part.blocks == (12, 13)
    assert part.title == Text(text="Goats, hill pasture", made_from=(2, 3))
    assert part.summary is not None


def test_a_document_within_the_limit_is_not_asked_about() -> None:
    model = ScriptedModel()
    assert split(asker(model), large(40), title="Fence", limit=200).parts == ()
    assert model.requests == []


@pytest.mark.parametrize(
    ("parts", "tokens"),
    [
        ([("All of it", (1, 2, 3, 4), "")], 60),
        ([("Goats, hill", (2, 3), ""), ("Goats pasture", (3,), "")], 60),
        ([("Goats, hill", (2,), "")], 120),
    ],
)
def test_parts_that_can_not_be_are_left_to_the_rules(parts: Any, tokens: int) -> None:
    splitting = parting(*parts, tokens=tokens)
    blocks = [by_rules.Block(seq=e.seq, tokens=tokens, counts={}) for e in LINES]
    wanted = by_rules.split(blocks, limit=200)[1:]
    assert [part.blocks for part in splitting.parts] == [
        tuple(11 + place for place in part) for part in wanted
    ]
    assert splitting.report.fallbacks[0].step == "split"


def test_a_title_that_its_part_does_not_bear_out_is_left_to_the_rules() -> None:
    splitting = parting(("Olek's roof", (2, 3), "the roof is red"))
    assert (splitting.parts[0].title, splitting.parts[0].summary) == (None, None)
    assert splitting.report.reworded == 2


def small(number: int, title: str, summary: str, **more: Any) -> Small:
    made: dict[str, Any] = {"project": None, "tokens": 100, **more}
    return Small(
        document_id=f"d{number}",
        title=Text(text=title, made_from=(number,)),
        summary=Text(text=summary, made_from=(number, 10 + number)),
        **made,
    )


SMALL = (
    small(2, "Fence boards", "fence, ten boards"),
    small(5, "Fence paint", "fence, blue paint"),
    small(10, "Hill pasture", "goats on the hill"),
    small(11, "Hill farm", "goats on the farm", project="farm"),
    small(12, "Blue fence", "fence, long list", tokens=950),
)
RULES = (by_rules.Merge("d2", "d10", 0.2),)


def merging(*groups: tuple[str, ...], **more: Any) -> Any:
    def answer(shown: Shown) -> dict[str, Any]:
        return {"merge": [{"of": " ".join(map(shown.titled, titles)), **more} for titles in groups]}

    return merge(asker(librarian(answer)), SMALL, RULES, limit=1000)


def test_documents_on_one_matter_become_one_and_the_oldest_keeps_its_id() -> None:
    made = merging(
        ("Fence paint", "Fence boards"), title="Fence boards, paint", sum="fence, ten boards"
    )
    (union,) = made.unions
    assert union.documents == ("d2", "d5")
    assert union.title == Text(text="Fence boards, paint", made_from=(2, 5, 12, 15))
    assert union.summary is not None


def test_an_empty_answer_merges_nothing() -> None:
    assert merging().unions == ()


@pytest.mark.parametrize(
    "group", [("Hill pasture", "Hill farm"), ("Fence paint", "Blue fence")], ids=["project", "size"]
)
def test_what_may_not_be_one_stays_apart(group: tuple[str, ...]) -> None:
    assert merging(group).unions == ()


def test_no_document_is_in_two_unions() -> None:
    made = merging(("Fence paint", "Fence boards"), ("Fence boards", "Hill pasture"))
    assert [union.documents for union in made.unions] == [("d2", "d5")]


def test_an_unusable_answer_leaves_merges_to_the_rules() -> None:
    made = merge(asker(ScriptedModel('{"merge": 1}', "")), SMALL, RULES, limit=1000)
    assert [union.documents for union in made.unions] == [("d2", "d10")]
    assert made.report.fallbacks == (Fallback(step="merge", reason="empty"),)


# --- summarize --------------------------------------------------------------------------------


def whole(document_id: str, *entries: Entry, **more: Any) -> Whole:
    return Whole(document_id=document_id, title=f"Notes {document_id}", entries=entries, **more)


def test_documents_are_summarised_together_and_renamed_where_asked() -> None:
    def answer(shown: Shown) -> dict[str, Any]:
        first, second = (shown.titled(f"Notes {name}") for name in ("d2", "d3"))
        return {
            "docs": [
                {"of": first, "sum": "fence, blue, ten new boards", "title": "Blue fence"},
                {"of": second, "sum": "山羊，山坡", "title": "山羊吃草"},
            ]
        }

    model = librarian(answer)
    documents = (
        whole("d2", LINES[0], LINES[3]),
        whole("d3", LINES[2], retitle=True),
        whole("d4", LINES[1]),
    )
    made = summarize(asker(model), documents)
    assert len(model.requests) == 1
    first, second, third = made.named
    assert (first.title, first.summary) == (
        None,
        Text(text="fence, blue, ten new boards", made_from=(1, 4)),
    )
    assert second.title == Text(text="山羊吃草", made_from=(3,))
    assert (third.document_id, third.title, third.summary) == ("d4", None, None)


@pytest.mark.parametrize(
    "words", ["fence, nine boards", "fence, no boards", "fence, Olek", "围栏，木板", "fence " * 200]
)
def test_a_summary_that_its_lines_do_not_bear_out_is_left_to_the_rules(words: str) -> None:
    model = librarian(lambda shown: {"docs": [{"of": shown.titled("Notes d2"), "sum": words}]})
    made = summarize(asker(model), (whole("d2", LINES[0], LINES[3]),))
    assert made.named[0].summary is None
    assert made.report.reworded + len(made.report.fallbacks) == 1


def test_a_title_in_use_is_not_given_twice() -> None:
    def answer(shown: Shown) -> dict[str, Any]:
        names = (shown.titled(f"Notes {name}") for name in ("d2", "d3"))
        return {"docs": [{"of": name, "sum": "fence", "title": "Blue fence"} for name in names]}

    documents = tuple(whole(name, LINES[0], retitle=True) for name in ("d2", "d3"))
    made = summarize(asker(librarian(answer)), documents)
    assert [named.title is None for named in made.named] == [False, True]


def test_a_long_document_is_summarised_by_its_newest_lines() -> None:
    lines = tuple(
        entry(n, f"Gate number {n} of the long wall is painted green.") for n in range(1, 400)
    )
    model = librarian(
        lambda shown: {"docs": [{"of": shown.titled("Notes d2"), "sum": "green gates"}]}
    )
    (named,) = summarize(asker(model), (whole("d2", *lines),)).named
    shown = model.requests[0].messages[1].content
    assert ": Gate number 399 " in shown
    assert ": Gate number 1 " not in shown
    assert named.summary is not None
    assert named.summary.made_from[-1] == 399
    assert named.summary.made_from[0] > 100
