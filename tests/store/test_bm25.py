"""BM25 over the postings: the same order as weighing every unit, but for what tells least."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store import bm25
from memoranda.store.bm25 import K1, SHARPNESS, B, rarity
from memoranda.store.index import FtsIndex, Unit
from memoranda.store.query import Query
from scene import fast

WORDS = ("kiln", "reed", "tin", "goat", "shed")


@contextmanager
def filled(*texts: str) -> Iterator[FtsIndex]:
    """An index of texts, units 1, 2, 3, ..."""
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        index = FtsIndex(Path(folder) / "index.db", scope_id="s", busy_seconds=1)
        index.add(Unit(number, text, None) for number, text in enumerate(texts, start=1))
        yield index
        index.close()


def found(index: FtsIndex, *terms: str, limit: int = 9, every: str = "") -> list[int]:
    query = Query(terms=terms, every=every)
    return [hit.unit for hit in index.search(query, limit=limit, projects=None)]


def weighed(texts: list[list[str]], asked: set[str]) -> list[tuple[float, int]]:
    """BM25 by the book, with the rarity squared, over the texts that hold a word."""
    size = len(texts)
    df = {word: sum(word in text for text in texts) for word in asked}
    held = [number for number, text in enumerate(texts, start=1) if asked & set(text)]
    mean = sum(len(texts[number - 1]) for number in held) / max(1, len(held))
    scores = []
    for number in held:
        text = texts[number - 1]
        score = 0.0
        for word in asked & set(text):
            count = text.count(word)
            rare = log(1 + (size - df[word] + 0.5) / (df[word] + 0.5)) ** SHARPNESS
            score += rare * count * (K1 + 1) / (count + K1 * (1 - B + B * len(text) / mean))
        scores.append((score, number))
    return sorted(scores, reverse=True)


@settings(max_examples=50, deadline=None)
@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), max_size=12),
    asked=st.sets(st.sampled_from(WORDS), min_size=1),
)
def test_hits_are_scored_as_by_the_book(texts: list[list[str]], asked: set[str]) -> None:
    with filled(*map(" ".join, texts)) as index:
        query = Query(terms=tuple(sorted(asked)))
        hits = index.search(query, limit=99, projects=None)
        wanted = weighed(texts, asked)
        assert sorted(hit.unit for hit in hits) == sorted(unit for _, unit in wanted)
        assert [hit.score for hit in hits] == pytest.approx([score for score, _ in wanted])


def test_a_rare_word_outweighs_two_common_ones() -> None:
    with filled(*["goat shed"] * 8, "zephyr alone here", *["other words"] * 20) as index:
        assert found(index, "goat", "shed", "zephyr", limit=1) == [9]


@pytest.mark.parametrize("length", [1, 126, 127, 128, 129, 16_382, 16_383, 16_384, 16_385])
def test_a_text_of_any_length_is_measured(length: int) -> None:
    with filled(" ".join(["kiln"] * length)) as index:
        assert index.bm25._lengths([1]) == {1: length}


def test_the_more_common_words_are_left_out_after_many_postings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bm25, "READ", 3)
    with filled(*["reed"] * 9, "kiln", *["tin"] * 3) as index:
        assert set(found(index, "reed", "kiln", "tin", limit=20)) == {10, 11, 12, 13}
        assert len(found(index, "reed", limit=20)) == 9, "the only word is read, however common"


def test_what_holds_every_word_is_never_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "POOL", 1)
    with filled("kiln reed " + "long " * 200, *["kiln"] * 9, *["reed"] * 9) as index:
        assert found(index, "kiln", "reed", limit=3, every='"kiln" AND "reed"')[0] == 1


def test_the_pool_holds_the_best_and_the_newest_of_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "POOL", 1)
    with filled("kiln reed", *["kiln"] * 9, "tin", "tin") as index:
        assert found(index, "kiln", "reed", limit=3) == [1, 10, 9]


def test_what_may_not_be_found_takes_no_room() -> None:
    with filled(*["kiln"] * 50) as index:
        hits = index.search(Query(terms=("kiln",)), limit=2, projects=None, units={3, 5, 7})
        assert [hit.unit for hit in hits] == [7, 5]
        assert index.search(Query(terms=("kiln",)), limit=2, projects=["acme"]) == []


def test_a_word_in_every_text_still_tells_something() -> None:
    assert 0 < rarity(10, 10) < rarity(1, 10) < rarity(1, 100)
