"""Questions as the index understands them: any text is safe, nothing in it is syntax."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.store.index import FtsIndex, Unit, unit_text
from memoranda.store.query import WIDEST, Query, phrase, understand
from scene import SENTENCES

NASTY = (
    "",
    "   ",
    "'",
    '"',
    '""',
    '"""',
    "it's Ines' tin",
    'say "kiln" OR "barge"',
    "kiln AND",
    "AND OR NOT NEAR",
    "NEAR(kiln barge, 5)",
    "kiln*",
    "^kiln",
    "terms:kiln",
    "unit:kiln",
    "(",
    ")",
    "((kiln)",
    "kiln) OR (1=1",
    "-kiln",
    "+kiln",
    "kiln + barge",
    "{a b} : c",
    "; DROP TABLE unit; --",
    "%_%",
    "\\",
    "🔥",
    "👩‍👩‍👧 🇳🇴",
    "\u202e\u200b\ufeff",
    "\0",
    "\ud800",
    "窑",
    "窑*",
    "“窑”",
    "的",
    "the",
    "I.O.U. v1.2.3 e-mail@x.org C++ C# .NET",
    "x" * 10_000,
    "窑" * 10_000,
    "kiln " * 10_000,
    " ".join(f"word{n}" for n in range(5_000)),
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> FtsIndex:
    path: Path = tmp_path_factory.mktemp("index") / "index.db"
    found = FtsIndex(path, scope_id="s", busy_seconds=1)
    found.add(
        Unit(number, unit_text(text, None), None) for number, text in enumerate(SENTENCES, start=1)
    )
    return found


def ask(index: FtsIndex, question: str) -> list[int]:
    return [hit.unit for hit in index.search(understand(question), limit=50, projects=None)]


@pytest.mark.parametrize("question", NASTY, ids=[ascii(text[:20]) for text in NASTY])
def test_nasty_questions_are_only_words(index: FtsIndex, question: str) -> None:
    ask(index, question)
    assert len(understand(question).terms) <= WIDEST


@settings(max_examples=100)
@given(question=st.text(max_size=60) | st.text("ab窑\"'()*^:-+ANDORT ", max_size=30))
def test_any_question_is_safe(index: FtsIndex, question: str) -> None:
    assert len(ask(index, question)) <= index.size()


def test_what_is_syntax_elsewhere_is_a_word_here(index: FtsIndex) -> None:
    assert ask(index, "kiln NOT kiln") == ask(index, "kiln")
    assert 1 in ask(index, '"kiln"*')
    assert ask(index, "terms:nothing-of-the-kind-zq") == []


def test_an_empty_question_finds_nothing(index: FtsIndex) -> None:
    assert understand("") == Query(terms=())
    assert ask(index, "  ") == []


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_chinese_substring_finds_its_sentence(index: FtsIndex, size: int) -> None:
    for number, text in enumerate(SENTENCES, start=1):
        for start in range(len(text) - size + 1):
            part = text[start : start + size]
            if all("\u4e00" <= character <= "\u9fff" for character in part):
                hits = index.search(understand(part), limit=50, projects=None)
                every = [hit.unit for hit in hits if hit.whole]
                assert number in every, part
                assert every == [hit.unit for hit in hits][: len(every)]
                assert all(part in SENTENCES[unit - 1] for unit in every)


def test_words_are_found_in_any_form(index: FtsIndex) -> None:
    assert ask(index, "KILNS") == ask(index, "kiln") == [1]
    assert 4 in ask(index, "repairing")


def test_stopwords_do_not_flood(index: FtsIndex) -> None:
    assert ask(index, "the purple beans of the catalogue")[0] == 6
    assert understand("what is the kiln").terms == ("kiln",)


def test_a_phrase_quotes_its_quotes() -> None:
    assert phrase(['say "x"', "y"]) == '"say ""x"" y"'
