"""Cutting: at natural joints, within the limit, without losing a character."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text import tokens
from memoranda.text.sentences import cut


def pieces(text: str, limit: int) -> list[str]:
    """Cut by characters: the plainest of counters."""
    return [text[start:end] for start, end in cut(text, limit, len)]


def test_a_text_within_the_limit_is_one_span_as_it_is() -> None:
    assert cut("  Tea, please. \n", 100, len) == ((0, 16),)


def test_a_blank_text_is_one_span() -> None:
    assert cut(" \n" * 50, 3, len) == ((0, 100),)
    assert cut("", 1, len) == ((0, 0),)


def test_paragraphs_come_before_lines() -> None:
    text = "one two\nthree\n\nfour five\nsix\n"
    assert pieces(text, 20) == ["one two\nthree", "four five\nsix"]


def test_lines_come_before_sentences() -> None:
    assert pieces("One. Two.\nThree. Four.", 15) == ["One. Two.", "Three. Four."]


def test_sentences_come_before_blanks() -> None:
    assert pieces("I like tea. You like cocoa.", 20) == ["I like tea.", "You like cocoa."]


def test_chinese_sentences_end_without_a_blank() -> None:
    text = "我喜欢喝茶。“你呢？”他说……我喜欢咖啡！"
    assert pieces(text, 9) == ["我喜欢喝茶。", "“你呢？”他说……", "我喜欢咖啡！"]


def test_a_point_inside_a_number_ends_nothing() -> None:
    assert pieces("It costs 3.50 in v1.2 now. Yes.", 28) == ["It costs 3.50 in v1.2 now.", "Yes."]


def test_blanks_come_before_the_middle_of_a_word() -> None:
    assert pieces("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]
    assert pieces("aaaaabbbbb", 4) == ["aaaa", "abbb", "bb"]


def test_packing_is_greedy() -> None:
    assert pieces("a\n\nb\n\nc\n\nd", 4) == ["a\n\nb", "c\n\nd"]


def test_what_is_left_of_a_broken_paragraph_is_packed_on() -> None:
    assert pieces("One two. Three.\n\nFour.", 14) == ["One two.", "Three.\n\nFour."]


def test_fenced_code_stays_whole_where_it_fits() -> None:
    code = "```python\nx = 1\n\ny = 2\n```"
    assert pieces(f"Run this:\n{code}\nThat is all. Really.", 30) == [
        "Run this:",
        code,
        "That is all. Really.",
    ]


def test_fenced_code_that_does_not_fit_is_cut_at_lines() -> None:
    assert pieces("```\nlong line one\nlong line two\n```", 24) == [
        "```\nlong line one",
        "long line two\n```",
    ]


def test_a_fence_with_words_behind_it_closes_nothing() -> None:
    code = "```\na\n```b\n\nc\n```"
    assert pieces(f"Long text.\n{code}\nText.", 18) == ["Long text.", code, "Text."]


def test_a_fence_that_never_closes_is_text() -> None:
    assert pieces("```\nOne.\n\nTwo.", 10) == ["```\nOne.", "Two."]


def test_one_visible_character_is_never_cut() -> None:
    family, flag, accent, hindi = "👨\u200d👩\u200d👧", "🇩🇪", "e\u0301", "कि"
    for visible in (family, flag, accent, hindi):
        assert set(pieces(visible * 6, len(visible))) == {visible}
        assert pieces(visible * 2, 1) == [visible] * 2  # over the limit, and yet whole


def test_carriage_return_and_line_feed_stay_together() -> None:
    assert all("\r" not in piece for piece in pieces("abc\r\ndef\r\nghi", 4))


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        cut("tea", 0, len)


def test_hostile_runs_are_cut_quickly() -> None:
    start = time.process_time()
    for run in (".", "!", "\n", " ", "…", "'", "a", "`", "🇩", "e\u0301", "\n ", ". "):
        cut(run * 20_000 + "x", 500, len)
    assert time.process_time() - start < 4


NASTY = st.lists(
    st.sampled_from(
        [
            *("word", "Word. ", "好的。", "\n", "\n\n", " ", "\t", "```\n", "\r\n", "\u2029", "é"),
            *("e\u0301", "👩\u200d🔬", "🇩🇪", "x" * 30, "? ", "...", "\u3000", "1.5", "- item\n"),
        ]
    ),
    max_size=60,
).map("".join)


@settings(max_examples=100, deadline=None)
@given(NASTY, st.integers(5, 40))
def test_spans_keep_every_character_that_is_not_blank(text: str, limit: int) -> None:
    for count in (len, tokens.count):
        spans = cut(text, limit, count)
        assert all(0 <= a <= b for a, b in spans)
        assert all(left[1] <= right[0] for left, right in pairwise(spans))
        assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
        if len(spans) > 1:
            assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
            assert all(count(text[a:b]) <= limit for a, b in spans)
