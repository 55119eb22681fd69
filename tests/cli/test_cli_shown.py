"""Stored text can't steer the reader's terminal."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.cli.shown import Paint, one_line, runs
from memoranda.text.visible import show as safe

HOSTILE = "\x1b[2J\x9b31m\x07\x7f\r\u202e\u2066\u200f\u061c\u2028"


def test_escape_sequences_and_bidi_controls_are_shown_escaped() -> None:
    assert safe(HOSTILE) == (
        r"\u{1b}[2J\u{9b}31m\u{7}\u{7f}\u{d}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}"
    )


def test_ordinary_text_of_any_script_is_left_alone() -> None:
    text = "她喜欢绿茶。\tשלום मैं café 👩‍👩‍👧 e\u0301\nzweite Zeile — “x”"
    assert safe(text) == text


def test_a_name_with_line_breaks_stays_on_one_line() -> None:
    assert one_line("Anna\n  was:\t\r\n9") == r"Anna\n  was:\t\u{d}\n9"


@settings(max_examples=100)
@given(st.text())
def test_nothing_that_is_shown_can_move_the_cursor(text: str) -> None:
    shown = safe(text)
    assert not [c for c in shown if ord(c) < 32 and c not in "\n\t"]
    assert not [c for c in shown if 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000]
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("seqs", "printed"),
    [((), ""), ((12,), "12"), ((12, 13, 14, 19), "12-14,19"), ((1, 3, 4), "1,3-4")],
)
def test_sets_of_numbers_print_as_documents_print_them(seqs: tuple[int, ...], printed: str) -> None:
    assert runs(seqs) == printed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environ", "on"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
    ],
)
def test_colours_are_for_terminals_that_want_them(
    stream: io.StringIO, environ: dict[str, str], *, on: bool
) -> None:
    assert Paint.of(stream, environ).on is on


def test_without_colours_paint_changes_nothing() -> None:
    paint = Paint(on=False)
    assert [f("x") for f in (paint.strong, paint.faint, paint.good, paint.bad, paint.mark)] == [
        "x"
    ] * 5
    assert Paint(on=True).bad("x") == "\x1b[31mx\x1b[0m"
