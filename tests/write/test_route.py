"""Segments go to the nearest document of their project, or to a new one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from memoranda.store.postings import Postings
from memoranda.values import Entry
from memoranda.write.route import Route, block_counts, route

GARDEN = "The tomato seedlings in the greenhouse need compost and water every evening."
GARDEN_TOO = "The tomato seedlings in the greenhouse need compost and water every morning too."
TAXES = "The accountant wants the payroll ledger and the quarterly tax filing by Friday."
TAXES_TOO = "Payroll ledger sent; the accountant confirms the quarterly tax filing."
ROOMY = 10_000


@pytest.fixture
def index() -> Iterator[Postings]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    Postings.prepare(connection)
    yield Postings(connection)
    connection.close()


def segment(
    seq: int, text: str, *, project: str | None = None, session: str | None = None
) -> tuple[Entry, ...]:
    return (Entry(seqs=(seq,), text=text, source="user", project=project, session=session),)


def places(
    index: Postings, *segments: tuple[Entry, ...], **given: object
) -> list[str | int | None]:
    last = given.get("last", {})
    full = given.get("full", {})
    routes = route(
        segments,
        index,
        last=last,  # type: ignore[arg-type]
        sizes=[100] * len(segments),
        room=lambda document_id: full.get(document_id, ROOMY),  # type: ignore[attr-defined]
    )
    return [one.document_id if one.new is None else one.new for one in routes]


def fill(index: Postings) -> None:
    index.put("d1", None, block_counts(segment(1, GARDEN)))
    index.put("d2", None, block_counts(segment(2, TAXES)))


def test_an_empty_library_gets_a_new_document(index: Postings) -> None:
    assert route([segment(1, GARDEN)], index, last={}, sizes=[9], room=lambda _: ROOMY) == (
        Route(None, 0, 0.0),
    )


def test_each_segment_finds_its_matter(index: Postings) -> None:
    fill(index)
    assert places(index, segment(3, TAXES_TOO), segment(4, GARDEN_TOO)) == ["d2", "d1"]


def test_a_new_document_of_the_plan_is_seen_by_later_segments(index: Postings) -> None:
    assert places(
        index, segment(1, GARDEN), segment(2, TAXES), segment(3, GARDEN_TOO), segment(4, TAXES_TOO)
    ) == [0, 1, 0, 1]


def test_routing_leaves_the_index_as_it_was(index: Postings) -> None:
    fill(index)
    before = index.rows()
    places(index, segment(3, TAXES_TOO), segment(4, "Violin lessons with Mr. Okafor"))
    assert index.rows() == before


def test_a_segment_never_crosses_its_project(index: Postings) -> None:
    index.put("d1", "acme", block_counts(segment(1, TAXES)))
    assert places(index, segment(2, TAXES), segment(3, TAXES, project="globex")) == [0, 1]
    last = {("acme", "s1"): "d1"}
    assert places(index, segment(2, TAXES, project="globex", session="s1"), last=last) == [0]


def test_a_vague_segment_follows_its_session(index: Postings) -> None:
    fill(index)
    vague = segment(3, "And then the next one, please.", session="s1")
    assert places(index, vague) == [0]
    assert places(index, vague, last={(None, "s1"): "d2"}) == ["d2"]


def test_a_segment_is_read_with_its_session(index: Postings) -> None:
    fill(index)
    vague = segment(3, "Which of them first?", session="s1")
    assert places(index, vague, segment(4, GARDEN_TOO, session="s1")) == ["d1", "d1"]


def test_a_full_document_is_stood_in_for_by_one_about_as_like(index: Postings) -> None:
    fill(index)
    index.put("d3", None, block_counts(segment(3, GARDEN)))
    assert places(index, segment(4, GARDEN_TOO), full={"d1": 99}) == ["d3"]


def test_without_such_a_one_the_full_document_takes_it(index: Postings) -> None:
    fill(index)
    assert places(index, segment(4, GARDEN_TOO), full={"d1": 0}) == ["d1"]


def test_what_the_plan_adds_counts_as_filled(index: Postings) -> None:
    index.put("d1", None, block_counts(segment(1, GARDEN)))
    index.put("d2", None, block_counts(segment(1, GARDEN)))
    index.put("d3", None, block_counts(segment(1, TAXES)))
    assert places(
        index, segment(2, GARDEN_TOO), segment(3, GARDEN_TOO), full={"d1": 150, "d2": 150}
    ) == ["d1", "d2"]


def test_two_named_customers_are_told_apart(index: Postings) -> None:
    facts = [
        segment(n, f"{name} gets its billing run on day {n} and pays by {way}.")
        for n, (name, way) in enumerate(
            [("Fernhollow", "card"), ("Quillmark", "transfer")] * 4, start=1
        )
    ]
    found = places(index, *facts)
    assert len({*found[::2]} & {*found[1::2]}) == 0


def test_chinese_segments_find_their_matter(index: Postings) -> None:
    index.put("d1", None, block_counts(segment(1, "温室里的番茄苗每天傍晚需要浇水和堆肥。")))
    index.put("d2", None, block_counts(segment(2, "会计要在周五之前拿到工资台账和季度报税表。")))
    assert places(index, segment(3, "会计已经拿到工资台账，季度报税表要在周五之前补上。")) == ["d2"]
