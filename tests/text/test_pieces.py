"""The pieces of a text: no rest of eight letters holds none of them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memoranda.store.kept import kept_in
from memoranda.text.pieces import Gram, Piece, grams, pieces, too_short, weight

FEW = settings(max_examples=60, deadline=None)
LETTERS = st.characters(categories=["Ll", "Lu", "Nd"], max_codepoint=0x24F)
HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)


def of_kind(text: str, kind: str) -> list[str]:
    return [piece.text for piece in pieces(text) if piece.kind == kind]


@FEW
@given(st.text(LETTERS, min_size=8, max_size=40), st.data())
def test_any_eight_letters_of_a_word_are_a_window_and_hold_an_anchor(
    word: str, data: st.DataObject
) -> None:
    assume(unicodedata.is_normalized("NFC", word))
    at = data.draw(st.integers(0, len(word) - 8))
    rest = word[at : at + 8]
    assert rest in of_kind(word, "window")
    assert any(anchor in rest for anchor in of_kind(word, "anchor"))


@FEW
@given(st.text(HAN, min_size=4, max_size=20), st.data())
def test_any_four_unspaced_characters_are_a_window_and_an_anchor(
    text: str, data: st.DataObject
) -> None:
    assume(unicodedata.is_normalized("NFC", text))
    at = data.draw(st.integers(0, len(text) - 4))
    assert text[at : at + 4] in of_kind(text, "window")
    assert text[at : at + 4] in of_kind(text, "anchor")
    assert text[at : at + 4] in {gram.shown for gram in grams(text)}


@FEW
@given(st.text(max_size=200))
def test_every_piece_stands_in_the_text_and_is_long_enough(text: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    for piece in pieces(text):
        assert weight(piece.text) >= (6 if piece.kind == "anchor" else 8)
        if piece.kind != "phrase":
            assert piece.text in text or piece.text in composed
        else:
            assert piece.text in " ".join(text.split()) or piece.text in " ".join(composed.split())


@FEW
@given(st.text(max_size=100))
def test_what_is_kept_is_left_out(text: str) -> None:
    assert pieces(text, kept=lambda _: True) == ()
    assert grams(text, kept=lambda _: True) == ()


def test_characters_that_stand_in_a_row_nowhere_else_are_looked_for() -> None:
    kept = kept_in(["上海的天气很好"], ["上海的海", "海的味道", "的天空"])
    assert grams("上海的天气很好", kept=kept)[0] == Gram("上海的天", ("上海", "海的", "的天"))
    kept = kept_in(["上海的天气很好"], ["北京和上海的天气很好"])
    assert grams("上海的天气很好", kept=kept) == ()


def test_a_phrase_is_not_looked_for_where_other_words_have_its_terms() -> None:
    kept = kept_in(["old kilns now"], ["The old kiln now stands."])
    assert Gram("old kilns now", ("old", "kiln", "now")) not in grams("old kilns now", kept=kept)
    kept = kept_in(["old kilns now"], ["Nothing."])
    assert Gram("old kilns now", ("old", "kiln", "now")) in grams("old kilns now", kept=kept)


def test_a_word_of_twelve_letters_is_cut_in_five() -> None:
    assert of_kind("abcdefghijkl", "window") == [
        "abcdefgh",
        "bcdefghi",
        "cdefghij",
        "defghijk",
        "efghijkl",
    ]
    assert of_kind("abcdefghijkl", "anchor") == ["cdefgh", "fghijk"]


def test_a_line_of_short_words_is_looked_for_by_phrases() -> None:
    assert of_kind("My pin is 4711, at Bo's.", "phrase") == [
        "My pin is",
        "pin is 4711",
        "is 4711, at",
        "4711, at Bo's",
    ]
    assert of_kind("the deployment of all new ones", "phrase") == ["of all new", "all new ones"]


def test_phrases_stand_in_for_words_that_are_kept() -> None:
    found = pieces("the deployment failed", kept=lambda piece: piece in "deployment")
    assert [piece.text for piece in found if piece.kind == "phrase"] == ["the deployment failed"]


def test_whole_gives_lines_only_and_long_ones_in_parts() -> None:
    text = f"{'long ' * 100}\n\nshort\nanother line"
    found = pieces(text, whole=True)
    assert {piece.kind for piece in found} == {"line"}
    assert found[-1] == Piece("another line", "line")
    assert max(len(piece.text) for piece in found) == 256
    assert "short" in too_short([text])


def test_nothing_marks_a_piece_as_found_by_parts_that_are_not_there() -> None:
    cut = {piece.text: piece.cut for piece in pieces("one two six\nabcdefghijkl here")}
    assert cut["abcdefghijkl"]
    assert cut["abcdefghijkl here"]
    assert not any(piece.cut for piece in pieces("abcdefghijkl", whole=True))


@pytest.mark.parametrize(
    ("text", "gram"),
    [
        ("Deployments!", Gram("Deployments", ("deploy",))),
        ("Deployments!", Gram("Deployments", ("deployments",))),
        ("上海的天气", Gram("上海的天", ("上海", "海的", "的天"))),
        ("上海的天气", Gram("上海的天", ("上海的", "海的天"))),
        ("my pin is 4711", Gram("pin is 4711", ("pin", "is", "4711"))),
        ("%71%75%66%79", Gram("71%75%66%79", ("71", "75", "66", "79"))),
    ],
)
def test_a_vocabulary_would_hold_it_so(text: str, gram: Gram) -> None:
    assert gram in grams(text)
