"""Names of a call, and dates that code computes of a phrase."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from librarian import NONCE, event

from memoranda.errors import ReplyError
from memoranda.llm.kinds import Names
from memoranda.text.tokens import count
from memoranda.write.by_model.names import Pool, Table, looks_like_a_name, named
from memoranda.write.by_model.phrases import dated


def two() -> tuple[Table[int], Table[int]]:
    pool = Pool(NONCE)
    return pool.table(range(6)), pool.table(range(100, 104))


def test_every_thing_of_a_call_has_its_own_short_name() -> None:
    pool = Pool(NONCE)
    tables = [pool.table(range(start, start + 1500)) for start in (0, 2000)]
    names = [
        table.of(key)
        for table, start in zip(tables, (0, 2000), strict=True)
        for key in range(start, start + 1500)
    ]
    assert len(set(names)) == 3000
    assert {len(name) for name in names} == {3, 4}
    assert all(looks_like_a_name(name) for name in names)
    assert count(" ".join(names[:1000])) <= 1000


def test_names_of_another_call_are_most_likely_unknown() -> None:
    other = Pool("ab" * 8).table(range(50))
    own, _ = two()
    assert sum(other.of(key) in own for key in range(50)) <= 2


def test_lists_of_names_are_read_in_their_order_each_once() -> None:
    own, older = two()
    text = f"{own.of(4)}, {own.of(1)}-{own.of(3)} {older.of(101)}\n{own.of(1)}"
    assert named(text, own, older) == (4, 1, 2, 3, 101)


@pytest.mark.parametrize(
    "odd", ["", "*", "all", "{a}-", "-{a}", "{b}-{a}", "{a}-{c}", "{a}9", "{A}", "{a}-{b}-{b}"]
)
def test_what_is_no_name_is_refused(odd: str) -> None:
    own, older = two()
    text = odd.format(a=own.of(0), b=own.of(2), c=older.of(100), A=own.of(0).upper())
    with pytest.raises(ReplyError, match="unknown_alias"):
        named(text, own, older)


@given(st.data(), st.integers(1, 12), st.integers(1, 3), st.integers(0, 4))
def test_what_fits_the_pattern_of_a_schema_can_be_read(
    data: st.DataObject, size: int, least: int, more: int
) -> None:
    own = Pool(NONCE).table(range(size))
    asked = Names("own", least, least + more) if more else Names("own", least)
    text = data.draw(st.from_regex(asked.pattern(own.names).replace("$", r"\Z"), fullmatch=True))
    found = named(text, own, most=asked.most)
    assert {own.of(key) for key in found} == set(text.split())


def test_too_few_and_too_many_are_refused() -> None:
    own, _ = two()
    with pytest.raises(ReplyError, match="2 or more"):
        named(own.of(0), own, least=2)
    with pytest.raises(ReplyError, match="1 to 2"):
        named(f"{own.of(0)}-{own.of(2)}", own, most=2)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_names_or_is_refused(text: str) -> None:
    own, older = two()
    try:
        found = named(text, own, older)
    except ReplyError:
        return
    assert found


@pytest.mark.parametrize(
    ("text", "phrase", "said", "wanted"),
    [
        (
            "She left yesterday.",
            "yesterday",
            "I left yesterday.",
            "She left yesterday (2026-05-11).",
        ),
        ("She left.", "yesterday", "I left yesterday.", "She left (2026-05-11)."),
        (
            "She left last month.",
            "last month",
            "I left last month",
            "She left last month (2026-04).",
        ),
        ("She left last year.", "Last year", "I left last year", "She left last year (2025)."),
        (
            "She left last week.",
            "last week",
            "I left last week",
            "She left last week (2026-05-04 to 2026-05-10).",
        ),
        ("她昨天走了。", "昨天", "我昨天走了。", "她昨天（2026-05-11）走了。"),
        ("她上周走了。", "上周", "我上周走了。", "她上周（2026-05-04至2026-05-10）走了。"),
        ("她走了。", "昨天", "我昨天走了。", "她走了（2026-05-11）。"),
        ("She left yesterday.", "tomorrow", "I left yesterday.", "She left yesterday."),
        ("She left soon.", "soon", "I left soon.", "She left soon."),
        ("She left yesterday.", "", "I left yesterday.", "She left yesterday."),
    ],
)
def test_code_computes_the_day_of_a_phrase(text: str, phrase: str, said: str, wanted: str) -> None:
    assert dated(text, phrase, [event(said)]) == wanted


def test_without_a_time_no_day_is_computed() -> None:
    assert dated("She left yesterday.", "yesterday", [event("I left yesterday.", time=None)]) == (
        "She left yesterday."
    )
