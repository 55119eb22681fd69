"""Conservation: a plan that loses is repaired; one that doubles or invents is refused."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.errors import ConservationError
from memoranda.store.operations import Duplicate, Merge, Part, Split, Update
from memoranda.write.plan import check, placed, repair
from scene import block, create, plan, said


def test_a_plan_that_places_each_once_is_right() -> None:
    check(plan(create("d1", block(1, 2)), Duplicate(seq=3, of=1), window=(1, 2, 3)), lines=set())


def test_a_duplicate_may_name_a_line_of_the_library() -> None:
    check(plan(Duplicate(seq=3, of=1), window=(3,)), lines={1})


@pytest.mark.parametrize(
    ("made", "lost", "doubled", "foreign"),
    [
        (plan(create("d1", block(1)), window=(1, 2)), {2}, set(), set()),
        (plan(window=(1, 2)), {1, 2}, set(), set()),
        (plan(create("d1", block(1, 2, 1)), window=(1, 2)), set(), {1}, set()),
        (plan(create("d1", block(1), block(1)), window=(1,)), set(), {1}, set()),
        (plan(create("d1", block(1)), create("d2", block(1)), window=(1,)), set(), {1}, set()),
        (
            plan(create("d1", block(1, 2)), Duplicate(seq=2, of=1), window=(1, 2)),
            set(),
            {2},
            set(),
        ),
        (plan(create("d1", block(1, 9)), window=(1,)), set(), set(), {9}),
        (plan(create("d1", block(1)), Duplicate(seq=2, of=9), window=(1, 2)), set(), set(), {9}),
        (plan(create("d1", block(1)), Duplicate(seq=2, of=2), window=(1, 2)), set(), set(), {2}),
        (
            plan(
                create("d1", block(1)),
                Duplicate(seq=2, of=1),
                Duplicate(seq=3, of=2),
                window=(1, 2, 3),
            ),
            set(),
            set(),
            {2},
        ),
    ],
)
def test_a_plan_that_breaks_conservation_is_refused(
    made: object, lost: set[int], doubled: set[int], foreign: set[int]
) -> None:
    with pytest.raises(ConservationError) as caught:
        check(made, lines=set())  # type: ignore[arg-type]
    error = caught.value
    assert (set(error.lost), set(error.doubled), set(error.foreign)) == (lost, doubled, foreign)


def test_a_block_is_moved_once() -> None:
    parts = tuple(
        Part(document_id=name, title=said("x"), summary=said("x"), blocks=(4, 5))
        for name in ("d2", "d3")
    )
    split = Split(document_id="d1", title=None, summary=said("x"), parts=parts)
    with pytest.raises(ConservationError):
        check(plan(split), lines=set())


def test_a_document_is_merged_once() -> None:
    merges = [
        Merge(document_id=heir, absorbs=("d2",), title=None, summary=said("x"))
        for heir in ("d1", "d3")
    ]
    with pytest.raises(ConservationError):
        check(plan(*merges), lines=set())
    with pytest.raises(ConservationError):
        check(
            plan(Merge(document_id="d1", absorbs=("d1",), title=None, summary=said("x"))),
            lines=set(),
        )


def test_what_was_forgotten_is_placed_beside_the_entry_before_it() -> None:
    made = repair(
        plan(create("d1", block(1, 4)), create("d2", block(6)), window=(1, 3, 4, 5, 6, 9))
    )
    (one, two) = made.operations
    assert one.blocks[0].seqs == (1, 3, 4, 5)  # type: ignore[union-attr]
    assert two.blocks[0].seqs == (6, 9)  # type: ignore[union-attr]
    assert made.warnings == (
        "entries [3, 5, 9] were left out by the proposal and were placed verbatim",
    )
    check(made, lines=set())


def test_what_came_before_all_is_placed_in_the_first_block() -> None:
    made = repair(plan(create("d1", block(5)), window=(2, 5)))
    assert made.operations[0].blocks[0].seqs == (2, 5)  # type: ignore[union-attr]


def test_a_plan_that_needs_no_repair_is_the_same() -> None:
    made = plan(create("d1", block(1)), window=(1,))
    assert repair(made) is made


def test_a_plan_without_any_place_stays_wrong() -> None:
    made = plan(window=(1,))
    assert repair(made) is made
    with pytest.raises(ConservationError):
        check(repair(made), lines=set())


def test_a_repair_does_not_hide_a_doubling() -> None:
    made = repair(plan(create("d1", block(1, 1)), window=(1, 2)))
    with pytest.raises(ConservationError):
        check(made, lines=set())


@settings(max_examples=100)
@given(
    window=st.sets(st.integers(1, 12), min_size=1),
    kept=st.sets(st.integers(1, 12), min_size=1),
    cut=st.integers(1, 3),
)
def test_repair_places_each_exactly_once(window: set[int], kept: set[int], cut: int) -> None:
    some = sorted(window & kept) or sorted(window)[:1]
    parts = [some[start::cut] for start in range(cut)]
    operations = [
        create("d1", block(*part))
        if number % 2
        else Update(document_id="d9", title=None, summary=said("x"), blocks=(block(*part),))
        for number, part in enumerate(parts)
        if part
    ]
    made = repair(plan(*operations, window=sorted(window)))
    assert Counter(placed(made)) == Counter(window)
    check(made, lines=set())
