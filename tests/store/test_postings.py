"""The routing index finds the nearest documents of a project, at a bounded cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store.postings import FINALISTS, ROWS_READ, Postings

TAX = {"tax": 3, "form": 1, "deadlin": 2}
TRIP = {"trip": 2, "train": 3, "lake": 1}


@pytest.fixture
def index() -> Iterator[Postings]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    Postings.prepare(connection)
    yield Postings(connection)
    connection.close()


def test_the_document_that_shares_words_is_nearest(index: Postings) -> None:
    index.put("d1", None, TAX)
    index.put("d2", None, TRIP)
    assert [found for found, _ in index.nearest({"train": 1, "form": 0.1}, None, 5)] == ["d2", "d1"]


def test_projects_do_not_see_each_other(index: Postings) -> None:
    index.put("d1", "acme", TAX)
    index.put("d2", None, TAX)
    index.put("d3", "", TAX)
    assert [found for found, _ in index.nearest(TAX, "acme", 5)] == ["d1"]
    assert [found for found, _ in index.nearest(TAX, None, 5)] == ["d2"]
    assert index.frequencies(["tax"], "globex") == {}
    assert index.documents("acme") == 1


def test_ties_go_to_the_older_document_by_number(index: Postings) -> None:
    for number in (10, 9, 100, 2):
        index.put(f"d{number}", None, TRIP)
    found = [document for document, _ in index.nearest(TRIP, None, 3)]
    assert found == ["d2", "d9", "d10"]


def test_a_rare_word_tells_more_than_a_common_one(index: Postings) -> None:
    for number in range(1, 30):
        index.put(f"d{number}", None, {"plan": 5, f"name{number}": 1})
    assert index.nearest({"plan": 1, "name17": 1}, None, 1)[0][0] == "d17"
    rarity = index.rarity(["plan", "name17", "unseen"], None)
    assert rarity["plan"] < rarity["name17"] < rarity["unseen"]


def test_a_document_without_the_name_asked_for_is_less_alike(index: Postings) -> None:
    index.put("d1", None, {**TAX, "@fernhollow": 1})
    index.put("d2", None, {**TAX, "@quillmark": 1})
    found = index.nearest({**TAX, "@quillmark": 1}, None, 2)
    assert [document for document, _ in found] == ["d2", "d1"]
    assert found[0][1] > 1.9 * found[1][1]


def test_adding_blocks_is_putting_their_sum(index: Postings) -> None:
    index.add("d1", None, {"tax": 1, "form": 1})
    index.add("d1", None, {"tax": 2, "deadlin": 2})
    added = (index.rows(), index.nearest(TAX, None, 1), index.frequencies(TAX, None))
    index.put("d1", None, TAX)
    assert added == (index.rows(), index.nearest(TAX, None, 1), index.frequencies(TAX, None))


def test_a_removed_document_is_gone(index: Postings) -> None:
    index.put("d1", None, TAX)
    index.remove("d1")
    index.remove("d7")
    assert index.rows() == []
    assert index.nearest(TAX, None, 5) == []
    assert (index.documents(None), index.frequencies(TAX, None)) == (0, {})


def spoil(index: Postings) -> None:
    with index.tentative():
        index.put("d2", None, TRIP)
        raise ValueError("spoilt" * index.documents(None))


def test_what_is_tentative_is_undone_even_after_an_error(index: Postings) -> None:
    index.put("d1", None, TAX)
    before = index.rows()
    with pytest.raises(ValueError, match=r"^spoiltspoilt$"):
        spoil(index)
    assert index.rows() == before
    assert index.documents(None) == 1


def test_a_document_can_change_its_project(index: Postings) -> None:
    index.put("d1", "acme", TAX)
    index.put("d1", None, TAX)
    assert (index.documents("acme"), index.documents(None)) == (0, 1)


def test_a_query_reads_no_more_rows_in_a_large_library(index: Postings) -> None:
    words = [f"common{n}" for n in range(40)]
    with index.tentative():
        for number in range(1, 1001):
            index.add(f"d{number}", None, {**dict.fromkeys(words, 1), f"own{number}": 1})
        known = index.frequencies(words, None)
        assert sum(known.values()) > ROWS_READ + FINALISTS * len(words)
        asked = {**dict.fromkeys(words, 1.0), "own77": 1.0}
        weights, _, spread = index._weights(asked, None)
        cheap, costly = index._by_cost(weights, spread)
        assert sum(known.get(term, 1) for term in cheap) <= ROWS_READ
        assert next(iter(cheap)) == "own77"
        assert costly
        assert index.nearest(asked, None, 1)[0][0] == "d77"


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["put", "add", "remove"]),
            st.integers(1, 5),
            st.dictionaries(st.sampled_from("abcdef茶"), st.integers(1, 9)),
        ),
        max_size=20,
    )
)
def test_the_rows_are_those_of_a_fresh_index(
    steps: list[tuple[str, int, dict[str, int]]],
) -> None:
    with_history, fresh = (sqlite3.connect(":memory:", isolation_level=None) for _ in range(2))
    for connection in (with_history, fresh):
        Postings.prepare(connection)
    lived, made = Postings(with_history), Postings(fresh)
    held: dict[int, dict[str, int]] = {}
    for step, number, counts in steps:
        if step == "remove":
            lived.remove(f"d{number}")
            held.pop(number, None)
            continue
        getattr(lived, step)(f"d{number}", None, counts)
        old = held.get(number, {}) if step == "add" else {}
        held[number] = {
            term: old.get(term, 0) + counts.get(term, 0) for term in sorted({*old, *counts})
        }
    for number, counts in sorted(held.items(), reverse=True):
        made.put(f"d{number}", None, counts)
    assert lived.rows() == made.rows()
    assert lived.nearest({"a": 1, "茶": 2}, None, 9) == made.nearest({"a": 1, "茶": 2}, None, 9)
    assert lived.rarity("abc", None) == made.rarity("abc", None)
    with_history.close()
    fresh.close()
