"""The weaker frame: the newest version of one state is read first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.frames import Hit, Ranked, newest_first, reading_frame


def hits(*texts: str) -> list[Hit]:
    return [Hit(seq=n, text=text, order=("", n)) for n, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The mayor of Oakbridge is Lena Voss.", "The mayor of Oakbridge is Tom Arlen."),
        ("Lena Voss works in the field of botany.", "Lena Voss works in the field of law."),
        ("Oakbridge is twinned with Larchfield.", "Oakbridge is twinned with Elmstead."),
        ("Anna E. Poe was born in the city of Ulm.", "Anna E. Poe was born in the city of Bonn."),
        ("Acme Inc. is owned by Rolf I of Torn.", "Acme Inc. is owned by Beta Ltd."),
        ("Leaving My Island was sung by The Gulls.", "Leaving My Island was sung by Una Reed."),
        ("橡树镇的镇长是罗安。", "橡树镇的镇长是秦禾。"),
    ],
)
def test_versions_of_one_state_share_a_frame(one: str, other: str) -> None:
    assert reading_frame(one) is not None
    assert reading_frame(one) == reading_frame(other)


@pytest.mark.parametrize(
    "text",
    [
        "I live in Bath.",
        "My sister is married to Tom.",
        "Is the mayor of Oakbridge Lena Voss?",
        "The bridge is closed! We took the ferry.",
        "It was painted by a friend of mine.",
        "Lena likes Tom.",
        "Lena bought a boat.",
        "Lena visited Ulm.",
        "You are the best friend of all.",
        "我住在河东。",
        "部屋は三階です。",
        "",
    ],
)
def test_talk_has_no_frame(text: str) -> None:
    assert reading_frame(text) is None


def test_the_newest_version_stands_where_the_best_hit_stood() -> None:
    found = hits(
        "The ferry was late.",
        "The mayor of Oakbridge is Lena Voss.",
        "Oakbridge has a market.",
        "The mayor of Oakbridge is Tom Arlen.",
    )
    assert newest_first(found) == (
        Ranked(hit=found[0]),
        Ranked(hit=found[3]),
        Ranked(hit=found[1], replaced_by=4),
        Ranked(hit=found[2]),
    )


def test_time_comes_before_seq() -> None:
    late = Hit(seq=1, text="The mayor of Ulm is Ann Bell.", order=("2026-05-01", 1))
    early = Hit(seq=2, text="The mayor of Ulm is Ben Cole.", order=("2026-04-01", 2))
    assert newest_first([early, late]) == (
        Ranked(hit=late),
        Ranked(hit=early, replaced_by=1),
    )


def test_the_frame_that_the_question_names_comes_first() -> None:
    found = hits("The painter of Blue Barn is Ann Bell.", "Ann Bell is a citizen of Norway.")
    ranked = newest_first(found, "What is the country of citizenship of Ann Bell?")
    assert [r.hit.seq for r in ranked] == [2, 1]
    assert [r.hit.seq for r in newest_first(found)] == [1, 2]


@given(st.lists(st.text(max_size=40), max_size=8), st.text(max_size=40))
def test_every_hit_is_kept_once(texts: list[str], question: str) -> None:
    found = hits(*texts)
    ranked = newest_first(found, question)
    assert sorted(r.hit.seq for r in ranked) == [hit.seq for hit in found]
