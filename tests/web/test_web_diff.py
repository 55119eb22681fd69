"""Documents side by side, and their lines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store.entries import Line, print_parts
from memoranda.web.formats import content_terms, marked, runs
from memoranda.web.lines import page_lines
from memoranda.web.plots import Series, bars, curve
from memoranda.web.worddiff import Row, across, compare, words

HEAD = '---\nid: d1\ntitle: Tea\nsummary: "pots, \\"green\\""\ntoken_count: {}\n---\n\n# Tea\n\n## Pots\n\n'


def page(*lines: Line, tokens: int = 9) -> str:
    return HEAD.format(tokens) + "\n".join(p for line in lines for p in print_parts(line)) + "\n"


def said(seq: int, text: str, **more: object) -> Line:
    return Line(seqs=(seq,), text=text, source="user", **more)  # type: ignore[arg-type]


def rows(before: str, after: str) -> list[Row]:
    return [row for stretch in compare(before, after) for row in stretch.rows]


def test_a_document_is_read_line_by_line() -> None:
    older = said(1, "Green tea.", superseded_by=2)
    found = page_lines(page(said(2, "Black tea.\n- <seq=9, source=user> no entry", under=(older,))))
    assert [(line.kind, line.first, line.last) for line in found] == [
        ("title", 3, 3), ("summary", 4, 4), ("title", 8, 8), ("heading", 10, 10),
        ("entry", 12, 13), ("older", 14, 14),
    ]  # fmt: skip
    assert found[1].text == 'pots, "green"'
    assert found[4].text == "Black tea.\n- <seq=9, source=user> no entry"


def test_only_the_words_that_changed_are_marked() -> None:
    left, right = words("The pot holds 3 cups.", "The pot holds 4 cups.")
    assert [text for text, new in left if new] == ["3"]
    assert [text for text, new in right if new] == ["4"]


def test_chinese_is_compared_by_characters() -> None:
    left, right = words("我最喜欢的茶是龙井。", "我最喜欢的茶是绿茶。")
    assert [text for text, new in left if new] == ["龙井"]
    assert [text for text, new in right if new] == ["绿茶"]


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=80, deadline=None)
def test_no_character_is_lost_in_a_comparison(old: str, new: str) -> None:
    left, right = words(old, new)
    assert "".join(text for text, _ in left) == old
    assert "".join(text for text, _ in right) == new


def test_a_line_that_moved_is_no_loss() -> None:
    one, two, three = said(1, "One."), said(2, "Two."), said(3, "Three.")
    found = rows(page(one, two, three), page(two, three, one))
    assert {row.change for row in found} == {"same", "moved"}


def test_a_line_that_moves_to_another_document_is_no_loss() -> None:
    one, two = said(1, "One."), said(2, "Two.")
    found = across(
        {"d1": compare(page(one, two), page(one)), "d2": compare("", page(two, said(3, "New.")))}
    )
    moved = [
        (key, row.other, row.change)
        for key, stretches in found.items()
        for stretch in stretches
        for row in stretch.rows
        if row.change in {"moved", "removed"}
    ]
    assert moved == [("d1", "d2", "moved"), ("d2", "d1", "moved")]


def test_a_line_that_was_replaced_says_the_same_and_stands_otherwise() -> None:
    old = said(1, "Green tea.")
    new = said(2, "Black tea.", under=(said(1, "Green tea.", superseded_by=2),))
    changes = [row.change for row in rows(page(old), page(new)) if row.change != "same"]
    assert changes == ["added", "status"]


def test_lines_that_were_joined_stand_beside_their_line() -> None:
    joined = Line(seqs=(1, 2), text="One pot.", source="user")
    found = [
        r
        for r in rows(page(said(1, "One pot!"), said(2, "one pot")), page(joined))
        if r.change != "same"
    ]
    assert [(row.change, bool(row.left), bool(row.right)) for row in found] == [
        ("changed", True, True), ("removed", True, False),
    ]  # fmt: skip


def test_counts_of_the_header_are_no_change() -> None:
    one = said(1, "One.")
    assert {row.change for row in rows(page(one, tokens=9), page(one, tokens=10))} == {"same"}


def test_what_is_the_same_is_folded() -> None:
    lines = [said(seq, f"Pot number {seq}.") for seq in range(1, 30)]
    found = compare(page(*lines), page(*lines, said(30, "A new one.")))
    assert [stretch.folded for stretch in found] == [True, False]
    assert len(found[0].rows) == 30  # summary, title, heading, and all but the last two pots


def test_a_new_document_is_added_whole() -> None:
    assert {row.change for row in rows("", page(said(1, "One.")))} == {"added"}


@pytest.mark.parametrize(
    ("numbers", "told"), [((), ""), ((3,), "3"), ((1, 2), "1, 2"), ((1, 2, 3, 7), "1–3, 7")]
)
def test_numbers_are_drawn_together(numbers: tuple[int, ...], told: str) -> None:
    assert runs(numbers) == told


@pytest.mark.parametrize(
    ("text", "query", "hits"),
    [
        ("The release is on Thursday.", "releases", ["release"]),
        ("阳台上的罗勒每两天浇一次水。", "罗勒", ["罗勒"]),
        ("nothing here", "罗勒", []),
    ],
)
def test_terms_of_a_query_are_marked(text: str, query: str, hits: list[str]) -> None:
    pieces = marked(text, content_terms(query))
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, hit in pieces if hit] == hits


def test_bars_share_one_scale() -> None:
    plot = bars(["a", "b"], Series("event", [3, 0]), Series("work", [1, 2]))
    high = {(bar.name, bar.label): bar.height for bar in plot.bars}
    assert high["event", "a"] == pytest.approx(3 * high["work", "a"])
    assert ("event", "b") not in high
    assert plot.line == pytest.approx(plot.height * 3 / 5)


def test_a_curve_needs_two_numbers() -> None:
    assert curve([("a", None), ("b", 1.0)]) is None
    found = curve([("a", 0.0), ("b", None), ("c", 1.0)])
    assert found is not None
    assert found.points == "0.0,26.0 120.0,2.0"
