"""Large documents are split, small ones merged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store.postings import Postings
from memoranda.write.reshape import Block, Merge, merges, split

TEA = {"tea": 4, "leaf": 2, "kettl": 1}
ROAD = {"road": 3, "bridg": 2, "toll": 1}


@pytest.fixture
def index() -> Iterator[Postings]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    Postings.prepare(connection)
    yield Postings(connection)
    connection.close()


def blocks(*tokens: int) -> list[Block]:
    return [Block(seq, size, {}) for seq, size in enumerate(tokens, start=1)]


def test_a_document_within_the_limit_stays_whole() -> None:
    assert split(blocks(500, 400, 100), limit=1000) == ()


def test_one_block_is_never_split() -> None:
    assert split(blocks(9000), limit=1000) == ()


def test_the_main_part_keeps_what_is_oldest() -> None:
    assert split(blocks(500, 400, 300), limit=1000) == ((0, 1), (2,))


def test_parts_follow_seq_not_place() -> None:
    shuffled = [Block(9, 300, {}), Block(1, 500, {}), Block(5, 400, {})]
    assert split(shuffled, limit=1000) == ((1, 2), (0,))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 1500), min_size=1, max_size=20))
def test_every_block_is_in_one_part_and_parts_are_within_the_limit(sizes: list[int]) -> None:
    parts = split(blocks(*sizes), limit=1000)
    if sum(sizes) <= 1000 or len(sizes) == 1:
        assert parts == ()
    else:
        assert len(parts) >= 2
        assert sorted(place for part in parts for place in part) == list(range(len(sizes)))
        assert all(len(part) == 1 or sum(sizes[p] for p in part) <= 1000 for part in parts)


def fill(index: Postings) -> None:
    index.put("d1", None, TEA)
    index.put("d2", None, ROAD)
    index.put("d10", None, {**TEA, "cup": 1})


def test_the_older_keeps_its_id(index: Postings) -> None:
    fill(index)
    (found,) = merges({"d10": None, "d1": None}, index, lambda _: 100, limit=1000, below=200)
    assert found == Merge("d1", "d10", found.likeness)
    assert found.likeness > 0.15


def test_a_document_of_some_size_is_no_candidate(index: Postings) -> None:
    fill(index)
    assert merges({"d10": None}, index, lambda _: 200, limit=1000, below=200) == ()


def test_what_would_be_too_large_stays_apart(index: Postings) -> None:
    fill(index)
    sizes = {"d10": 100, "d1": 950, "d2": 10}
    assert merges({"d10": None}, index, sizes.__getitem__, limit=1000, below=200) == ()


def test_what_is_unlike_stays_apart_however_small(index: Postings) -> None:
    fill(index)
    assert merges({"d2": None}, index, lambda _: 1, limit=1000, below=200) == ()


def test_projects_are_never_merged(index: Postings) -> None:
    index.put("d1", "acme", TEA)
    index.put("d2", "globex", TEA)
    index.put("d3", None, TEA)
    all_three = {"d1": "acme", "d2": "globex", "d3": None}
    assert merges(all_three, index, lambda _: 1, limit=1000, below=200) == ()


def test_no_document_is_in_two_merges(index: Postings) -> None:
    for number in (1, 2, 3):
        index.put(f"d{number}", None, TEA)
    index.put("d4", None, ROAD)
    found = merges(dict.fromkeys(("d1", "d2", "d3")), index, lambda _: 1, limit=1000, below=200)
    assert [(one.keep, one.absorb) for one in found] == [("d1", "d2")]
