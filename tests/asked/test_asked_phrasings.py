"""A hundred requests to forget are understood, and a hundred sentences that only sound like one are not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from asked.phrasings import CHINESE, ENGLISH, NOT_CHINESE, NOT_ENGLISH
from memoranda.text.asks import asks


@pytest.mark.parametrize("text", [*ENGLISH, *CHINESE])
def test_a_request_is_understood(text: str) -> None:
    assert len(asks(text)) == 1


@pytest.mark.parametrize("text", [*NOT_ENGLISH, *NOT_CHINESE])
def test_what_only_sounds_like_a_request_asks_for_nothing(text: str) -> None:
    assert asks(text) == ()


@pytest.mark.parametrize(
    ("text", "what", "reach"),
    [
        ("Please forget that I am allergic to peanuts.", "I am allergic to peanuts", "named"),
        ("Delete everything you know about my brother.", "brother", "about"),
        ("Forget what I told you about my salary, please.", "salary", "named"),
        ("Please forget that.", "", "last"),
        ("Do not save or repeat it.", "", "last"),
        ("Forget everything about me.", "", "all"),
        ("请把我的地址删掉", "地址", "named"),
        ("忘掉我说的关于加班的事", "加班", "named"),
        ("把刚才说的忘了吧。", "", "last"),
        ("请删除你知道的关于我的一切", "", "all"),
    ],
)
def test_a_request_names_what_it_means(text: str, what: str, reach: str) -> None:
    (ask,) = asks(text)
    assert (ask.what, ask.reach) == (what, reach)


def test_only_the_sentence_that_asks_is_the_request() -> None:
    text = "I moved to Lyon. Please forget my address. The weather is nice."
    (ask,) = asks(text)
    assert text[ask.start : ask.end] == "Please forget my address."


@pytest.mark.parametrize("quote", ['"{}"', "“{}”", "「{}」", "`{}`", "> {}"])
@pytest.mark.parametrize("text", ["Please forget my address.", "请把我的地址删掉。"])
def test_a_quoted_request_is_none(quote: str, text: str) -> None:
    assert asks(f"She sent me this:\n{quote.format(text)}") == ()


@pytest.mark.parametrize(
    "text",
    [
        "My brother said, please forget my address.",
        "He asked me whether you could forget my address.",
        "Translate: please forget my address.",
        "我哥哥说，请把我的地址删掉",
        "如果我搬家了，请把我的地址删掉",
    ],
)
def test_somebody_elses_request_is_none(text: str) -> None:
    assert asks(text) == ()


@limits(max_examples=100, deadline=None)
@given(st.text(alphabet="please forget my that. ,\"'“”\n请把我的地址删掉忘，。", max_size=300))
def test_any_text_gives_sentences_of_its_own(text: str) -> None:
    for ask in asks(text):
        assert 0 <= ask.start < ask.end <= len(text)
        assert text[ask.start : ask.end].strip()


def test_a_long_text_takes_no_long_time() -> None:
    piece = "please, so, and forget, that I know, keep, store, 请把，忘掉，"
    begun = time.process_time()
    asks(piece * 20_000)
    asks((piece + ". ") * 2_000)
    assert time.process_time() - begun < 5
