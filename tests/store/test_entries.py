"""The entry line: how it looks, how it is read back, and what is refused."""

from __future__ import annotations

import pytest

from memoranda.errors import FormatError
from memoranda.store.entries import Line, escape_heading, parse_lines, print_line, unescape


def line(text: str) -> Line:
    return Line(seqs=(1,), text=text, source="user")


def body(text: str) -> str:
    """Print a text and show what stands after the signature."""
    return print_line(line(text)).removeprefix("- <seq=1, source=user>")


def read(printed: str) -> tuple[Line, ...]:
    return parse_lines(printed.split("\n"))


def test_a_line_shows_its_whole_signature() -> None:
    older = Line(
        seqs=(7,),
        text="Limit 100.",
        source="user",
        time="2026-01-05",
        speaker="Ann",
        superseded_by=12,
    )
    newer = Line(
        seqs=(12, 13, 14, 19),
        text="Limit 200.\nPer minute.",
        source="user",
        time="2026-03-01T09:30Z",
        speaker="Ann",
        project="acme",
        sensitivity="private",
        key="acme / api / limit",
        fields=(("channel", "phone"), ("mood", 'so, "so"')),
        under=(older,),
    )
    printed = (
        "- <seq=12-14,19, time=2026-03-01T09:30Z, source=user, speaker=Ann, project=acme, "
        "key=acme / api / limit, sensitivity=private, channel=phone, "
        'mood="so, \\"so\\""> Limit 200.\n'
        "  Per minute.\n"
        "  - <seq=7, time=2026-01-05, source=user, speaker=Ann, superseded_by=12> Limit 100."
    )
    assert print_line(newer) == printed
    assert read(printed) == (newer,)


def test_a_successor_elsewhere_is_linked() -> None:
    moved = Line(seqs=(3,), text="Old.", source="user", superseded_by=19, link="billing-d7")
    printed = "- <seq=3, source=user, superseded_by=19 in [[billing-d7]]> Old."
    assert print_line(moved) == printed
    assert read(printed) == (moved,)


def test_a_retracted_line_says_so() -> None:
    gone = Line(seqs=(3,), text="Old.", source="tool", retracted=True)
    assert print_line(gone) == "- <seq=3, source=tool, retracted> Old."
    assert read(print_line(gone)) == (gone,)


def test_a_free_field_never_passes_for_a_signature_field() -> None:
    fields = (("source", "tool"), ("retracted", "yes"), ("seq", "9"), ("empty", ""))
    posing = Line(seqs=(3,), text="x", source="user", fields=fields)
    assert print_line(posing) == (
        '- <seq=3, source=user, meta.source=tool, meta.retracted=yes, meta.seq=9, empty=""> x'
    )
    assert read(print_line(posing)) == (posing,)


@pytest.mark.parametrize(
    ("seqs", "printed"),
    [((5,), "5"), ((5, 6), "5,6"), ((5, 6, 7), "5-7"), ((1, 5, 6, 7, 9, 10), "1,5-7,9,10")],
)
def test_the_exact_set_of_numbers_is_printed(seqs: tuple[int, ...], printed: str) -> None:
    many = Line(seqs=seqs, text="x", source="user")
    assert print_line(many) == f"- <seq={printed}, source=user> x"
    assert read(print_line(many)) == (many,)


@pytest.mark.parametrize(
    "text",
    [
        "Plain.",
        "C:\\temp\\new and $\\{x\\}$ and \\n",
        "```python\n\tx = 1\n\n    y = {}\n```",
        "# heading\n---\n- item\n  - item\n1. one",
        "<seq=9, source=user> fake",
        "- <seq=9, source=user> fake",
        "你好\n  世界",
        "hard  \nbreak",
        "👩\u200d🔬 \u202emixed\u202c \ufeff\u200b",
    ],
)
def test_most_texts_look_untouched(text: str) -> None:
    shown = "\n".join("  " + part if part else "" for part in text.split("\n"))
    assert body(text) == shown[1:]
    assert read(print_line(line(text))) == (line(text),)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        (" ", " \\{20}"),
        ("\n", "\n  \\{}"),
        ("a\n\n", " a\n\n  \\{}"),
        ("\n\na", "\n\n  a"),
        ("a ", " a\\{20}"),
        ("a\t\n b\u3000", " a\t\n   b\\{3000}"),
        ("a\r\nb\rc", " a\\{D}\n  b\\{D}c"),
        ("a\u2028b\x0cc\x85d\x1be", " a\\{2028}b\\{C}c\\{85}d\\{1B}e"),
        ("a\n- <seq=9> b\n \t- <seq=9> c", " a\n  \\{2D} <seq=9> b\n   \t\\{2D} <seq=9> c"),
        ("\\{2D} \\{} \\{x} \\\\{A}", " \\{5C}{2D} \\{5C}{} \\{x} \\\\{5C}{A}"),
    ],
)
def test_what_would_be_misread_is_escaped(text: str, shown: str) -> None:
    assert body(text) == shown
    assert read(print_line(line(text))) == (line(text),)


def test_a_fake_signature_in_text_is_text() -> None:
    fake = line("real\n- <seq=9, source=user> one\n  - <seq=8, source=user> two")
    assert read(print_line(fake)) == (fake,)


def test_empty_lines_between_items_and_missing_blanks_are_taken() -> None:
    printed = (
        "\n- <seq=1, source=AI>a\n\n\n- <seq=2,source=Ai> b\n  \n  - <seq=3, source=ai> c\n   \n"
    )
    (first, second) = read(printed)
    assert (first.text, first.source) == ("a", "assistant")
    assert (second.text, second.source) == ("b", "assistant")
    assert [under.text for under in second.under] == ["c"]


def test_a_time_is_normalised_when_read() -> None:
    (found,) = read('- <seq=1, time="2026-03-01 10:00+08:00", source=user> x')
    assert found.time == "2026-03-01T02:00Z"


def test_a_number_that_is_no_character_stays_text() -> None:
    for text in ("\\{0}", "\\{D800}", "\\{FFFFFF}"):
        assert unescape(text) == text


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        ("text", "line 1: expected an entry"),
        ("- <seq=1, source=user> a\ntext", "line 2: expected an entry"),
        ("  - <seq=1, source=user> a", "line 1: a sub-item without an entry"),
        ("- <seq=x, source=user> a", "line 1: .*no sequence number"),
        ("- <seq=3-1, source=user> a", "line 1: seqs must be ascending"),
        ("- <seq=1,1, source=user> a", "line 1: seqs must be ascending"),
        ("- <seq=0, source=user> a", "line 1: '0' is no sequence number"),
        ("- <seq=1-999999999, source=user> a", "line 1: the run .* is too wide"),
        ("- <seq=1> a", "line 1: the signature has no source"),
        ("- <seq=1, source=user, a", "line 1: the signature can't be read from"),
        ("- <seq=1, source=user, Speaker=Ann> a", "line 1: the signature can't be read from"),
        ("- <seq=1, source=me> a", "line 1: 'me' is none of user"),
        ("- <seq=1, source=user, source=user> a", "line 1: source is given twice"),
        ("- <seq=1, source=user, retracted=yes> a", "line 1: retracted can't be set so"),
        ("- <seq=1, source=user, seq=2> a", "line 1: seq.* is given twice|can't be set so"),
        ("- <seq=1, source=user, sensitivity=secret> a", "line 1: 'secret' is none of public"),
        ("- <seq=1, source=user, time=soon> a", "line 1: time 'soon' can't be used"),
        ("- <seq=1, source=user, superseded_by=x> a", "line 1: superseded_by=x is no"),
        ('- <seq=1, source=user, speaker="\\x"> a', "line 1: the quoted value"),
        ('- <seq=1, source=user, speaker="\\u0000"> a', "line 1: .* holds NUL"),
        ('- <seq=1, source=user, speaker="\\ud800"> a', "line 1: .* half a surrogate"),
    ],
)
def test_what_is_no_entry_is_refused_with_its_line(printed: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read(printed)


def test_the_place_in_a_larger_file_is_named() -> None:
    with pytest.raises(FormatError, match=r"^tea-d1\.md: line 41: "):
        parse_lines(["", "text"], name="tea-d1.md", first=40)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"seqs": ()}, "ascending"),
        ({"seqs": (2, 1)}, "ascending"),
        ({"seqs": (0,)}, "ascending"),
        ({"link": "tea-d1"}, "beside superseded_by"),
        ({"superseded_by": 2, "link": "a b"}, "file stem"),
        ({"superseded_by": 2, "link": "a]]"}, "file stem"),
        ({"fields": (("Name", "x"),)}, "field name"),
    ],
)
def test_a_line_that_could_not_be_read_back_cannot_be_made(
    wrong: dict[str, object], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Line(**{"seqs": (1,), "text": "x", "source": "user", **wrong})  # type: ignore[arg-type]


def test_lines_nest_one_level_only() -> None:
    middle = Line(seqs=(2,), text="b", source="user", under=(line("a"),))
    with pytest.raises(ValueError, match="one level"):
        Line(seqs=(3,), text="c", source="user", under=(middle,))


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("2026-03-01 · Ann", "2026-03-01 · Ann"),
        ("C# and #tag", "C# and #tag"),
        ("C #", "C \\{23}"),
        ("##", "#\\{23}"),
        ("", "\\{}"),
        (" a ", "\\{20}a\\{20}"),
        ("a\nb\r", "a\\{A}b\\{D}"),
    ],
)
def test_a_heading_is_one_line(heading: str, shown: str) -> None:
    assert escape_heading(heading) == shown
    assert unescape(shown) == heading
