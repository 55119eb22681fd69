"""The analyser gives every language its terms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.analyse import (
    content_counts,
    fold,
    is_cjk,
    is_greeting,
    is_stopword,
    mostly_cjk,
    plain_text,
    stem,
    surface_terms,
    terms,
    tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Invoices were paid", ["invoic", "were", "paid"]),
        ("user_id", ["user_id", "user", "id"]),
        ("a/b.py", ["a/b.py", "a", "b", "py"]),
        ("v2.1.3", ["v2.1.3", "2.1.3"]),
        ("40 GB/s", ["40", "gb/s", "gb", "s"]),
        ("C++ and C#", ["c++", "c", "and", "c#", "c"]),
        ("__init__", ["__init__", "init"]),
        ("getUserName", ["getusernam", "get", "user", "name"]),
        ("1,250.50 euros", ["1250.50", "euro"]),
        ("Mira's isn't", ["mira", "is"]),
        ("café", ["café", "cafe"]),
        ("喝绿茶", ["喝绿", "绿茶", "茶"]),
        ("カナ", ["カナ", "ナ"]),
        ("用GPT-4o写", ["用", "gpt-4o", "gpt", "4o", "写"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
        ("?! ...", []),
    ],
)
def test_a_text_gives_its_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_compatibility_forms_case_and_invisible_characters_make_no_difference() -> None:
    assert terms("Ｂｉｌｌｉｎｇ") == terms("BIL\u00adLING\u200b") == terms("billing")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_no_term_holds_a_blank_or_a_quote(text: str) -> None:
    assert all(term and not set(term) & set(' "\t\n\u3000') for term in terms(text))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=80))
def test_a_token_stands_where_it_says(text: str) -> None:
    plain = plain_text(text)
    assert all(plain[token.start : token.end] == token.written for token in tokens(text))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="茶酒 Teaé\u200bＡ-_./", max_size=30))
def test_a_folded_text_is_folded(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_stems_are_the_same_from_many_threads() -> None:
    words = [
        f"{word}{ending}" for word in ("plan", "bill", "walk") for ending in ("s", "ing", "er")
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(stem, words * 200))
    assert found == [stem(word) for word in words] * 200


def test_surface_terms_keep_what_was_written() -> None:
    assert surface_terms("Two Invoices") == [("two", "Two"), ("invoic", "Invoices")]


def test_a_name_counts_once_more_as_a_name() -> None:
    counts = content_counts(["Ask Quillmark, not Fernhollow. Refunds: see Quillmark."])
    assert counts["@quillmark"] == 2
    assert counts["@fernhollow"] == 1
    assert "@refund" not in counts
    assert "@ask" not in counts


def test_content_counts_leave_out_what_says_nothing() -> None:
    assert content_counts(["We should pay the invoice", "我们的发票 invoices"]) == {
        "pay": 1,
        "invoic": 2,
        "的发": 1,
        "发票": 1,
    }


@pytest.mark.parametrize("term", ["the", "我们", "的是", "x", "票"])
def test_stopwords_say_nothing(term: str) -> None:
    assert is_stopword(term)


@pytest.mark.parametrize("term", ["invoic", "发票", "7", "c++"])
def test_content_words_are_no_stopwords(term: str) -> None:
    assert not is_stopword(term)


@pytest.mark.parametrize("text", ["Hi!", "Good morning, thanks", "好的，谢谢", "👍", ""])
def test_a_greeting_is_known(text: str) -> None:
    assert is_greeting(text)


@pytest.mark.parametrize("text", ["Hi, the invoice is wrong", "发票错了", "Yes, 42"])
def test_what_says_something_is_no_greeting(text: str) -> None:
    assert not is_greeting(text)


def test_the_script_of_a_text_is_known() -> None:
    assert is_cjk("茶")
    assert not is_cjk("t")
    assert mostly_cjk("我们用 SQLite 保存发票")
    assert not mostly_cjk("The sign says 茶 in red letters")
    assert not mostly_cjk("")
