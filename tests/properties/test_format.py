"""The document format is exactly invertible, whatever the texts are."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.errors import FormatError
from memoranda.store.documents import (
    Block,
    Header,
    Line,
    TopicDocument,
    file_name,
    parse_current,
    parse_document,
    print_current,
    print_document,
    slug,
)
from memoranda.store.entries import escape_heading, parse_lines, print_line, unescape
from memoranda.values import SENSITIVITIES, SOURCES

NASTY = (
    *("", " ", "  ", "\t", "\n", "\n\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"),
    *("\u2029", "\u3000", "\xa0", "\ufeff", "\u200b", "\u200d", "\u202e", "\u2066", "\x1b[31m"),
    *("- ", "-", "  - ", "<seq=", "- <seq=9, source=user>", "\n- <seq=9> x", "\n  - <seq=9> x"),
    *("\n    - <seq=9, source=tool> x", ">", "<", "<!--", "---", "\n---\n", "# ", "\n## h\n", "#"),
    *(" #", "```", "\n```py\n", "~~~", "\n> ", "\n* a\n", "\n1. a", "|", "======="),
    *("\\", "\\{", "\\{}", "\\{2D}", "\\{A}", "{A}", "}", "\\{FFFFFF}", "\\{D800}", '"', "'", ","),
    *(", ", "=", ": ", "null", "true", "2026-03-01", "1e3", "user", "source=tool", "retracted"),
    *("\n<<<<<<< a\n", "~", "[[x]]", "é", "e\u0301", "你好。", "日本", "한국", "👩\u200d🔬", "🇩🇪"),
    *("עברית", "हिन्दी", "\U0010ffff", "word", "Two words"),
)
UNSTORABLE = {"exclude_characters": "\0", "exclude_categories": ("Cs",)}
WILD = st.text(st.characters(**UNSTORABLE), max_size=12)  # type: ignore[arg-type]
TEXT = st.lists(st.one_of(st.sampled_from(NASTY), WILD), max_size=8).map("".join)
MAYBE = st.one_of(st.none(), TEXT)
SEQS = st.sets(st.integers(1, 60), min_size=1, max_size=6).map(lambda seqs: tuple(sorted(seqs)))
TIME = st.sampled_from(("2026-03-01", "2026-03-01T09:30Z", "2026-03-01T09:30:05.000007Z"))
NAMES = st.sampled_from(("a", "meta", "seq", "source", "retracted", "_x-1", "key"))
LINK = st.sampled_from((None, "billing-d7", "计费-d12"))


@st.composite
def lines(draw: st.DrawFn, under: bool = True) -> Line:  # noqa: FBT001, FBT002
    """Draw a line, with lines under it if asked."""
    superseded_by = draw(st.one_of(st.none(), st.integers(1, 99)))
    return Line(
        seqs=draw(SEQS),
        text=draw(TEXT),
        source=draw(st.sampled_from(SOURCES)),
        time=draw(st.one_of(st.none(), TIME)),
        speaker=draw(MAYBE),
        project=draw(MAYBE),
        sensitivity=draw(st.sampled_from(SENSITIVITIES)),
        key=draw(MAYBE),
        superseded_by=superseded_by,
        link=draw(LINK) if superseded_by else None,
        retracted=draw(st.booleans()),
        fields=tuple(draw(st.lists(st.tuples(NAMES, TEXT), max_size=2))),
        under=tuple(draw(st.lists(lines(under=False), max_size=2))) if under else (),
    )


LINES = st.lists(lines(), max_size=3).map(tuple)
PATHS = st.lists(st.one_of(st.sampled_from(("a", "b")), TEXT), min_size=1, max_size=5).map(tuple)
BLOCKS = st.lists(st.builds(Block, PATHS, LINES), max_size=4).map(tuple)
UNKNOWN = st.sampled_from(
    (
        (),
        ("rating: 5",),
        ("tags:\n- a\n- '#b'", "x: |\n  y\n\n  z\n"),
        ("# why", "q: {a: [1]}\n# so"),
    )
)
HEADERS = st.builds(
    Header,
    id=TEXT,
    title=TEXT,
    summary=TEXT,
    project=MAYBE,
    token_count=st.integers(0, 9999),
    created_time=TIME,
    updated_time=TIME,
    update_count=st.integers(0, 9),
    current_epoch=st.integers(0, 9),
    update_log=st.lists(TEXT, max_size=3).map(tuple),
    parent_id=MAYBE,
    merged_from=st.lists(TEXT, max_size=3).map(tuple),
    aux=st.dictionaries(TEXT, TEXT, max_size=2).map(lambda aux: tuple(aux.items())),
    counter=TEXT,
    unknown=UNKNOWN,
)
DOCUMENTS = st.builds(TopicDocument, HEADERS, BLOCKS)
SEARCH = settings(max_examples=40, deadline=None)


def physical(text: str) -> list[str]:
    """Give the lines as every reader counts them: `splitlines` must see no more than `\\n`."""
    assert text.splitlines() == text.rstrip("\n").split("\n")
    return text.splitlines()


@SEARCH
@given(lines())
def test_a_line_is_read_back_as_it_was(line: Line) -> None:
    printed = print_line(line)
    assert parse_lines(physical(printed)) == (line,)
    assert printed == printed.rstrip()
    assert all(char.isprintable() or char in "\n\t" or ord(char) >= 160 for char in printed)


@SEARCH
@given(st.lists(lines(), max_size=4))
def test_only_entries_begin_like_entries(several: list[Line]) -> None:
    shown = "\n".join(print_line(line) for line in several).split("\n")
    beginnings = [text for text in shown if text.lstrip(" \t").startswith("- <seq=")]
    assert len(beginnings) == sum(1 + len(line.under) for line in several)
    assert all(text.startswith(("- <", "  - <")) for text in beginnings)


@SEARCH
@given(DOCUMENTS)
def test_a_document_is_read_back_as_it_was(document: TopicDocument) -> None:
    text = print_document(document).text
    assert parse_document(text) == document
    assert parse_document(text.replace("\n", "\r\n")) == document
    assert text.endswith("\n")
    assert physical(text)


@SEARCH
@given(DOCUMENTS, st.floats(0, 1), st.floats(0, 1), TEXT)
def test_a_damaged_file_is_read_or_refused(
    document: TopicDocument, start: float, end: float, middle: str
) -> None:
    text = print_document(document).text
    damaged = text[: int(len(text) * start)] + middle + text[int(len(text) * end) :]
    try:
        found = parse_document(damaged)
    except FormatError:  # any other error fails the test
        return
    assert parse_document(print_document(found).text) == found


@SEARCH
@given(BLOCKS)
def test_current_is_read_back_as_it_was(blocks: tuple[Block, ...]) -> None:
    assert parse_current(print_current(blocks).text) == blocks


def numbered(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Give every line numbers of its own."""
    numbers = iter(range(1, 10_000))

    def again(line: Line) -> Line:
        seqs = tuple(next(numbers) for _ in line.seqs)
        return replace(line, seqs=seqs, under=tuple(again(older) for older in line.under))

    return tuple(replace(block, lines=tuple(map(again, block.lines))) for block in blocks)


@SEARCH
@given(HEADERS, BLOCKS.map(numbered))
def test_every_entry_stands_where_the_ranges_say(header: Header, blocks: tuple[Block, ...]) -> None:
    printed = print_document(TopicDocument(header, blocks))
    shown = physical(printed.text)
    every = [line for block in blocks for top in block.lines for line in (top, *top.under)]
    assert printed.ranges.keys() == {seq for line in every for seq in line.seqs}
    for line in every:
        first, last = printed.ranges[line.seqs[0]]
        assert {printed.ranges[seq] for seq in line.seqs} == {(first, last)}
        own = shown[first - 1 : last]
        depth = 2 if own[0].startswith("  ") else 0
        assert parse_lines(text[depth:] for text in own) == (replace(line, under=()),)


@SEARCH
@given(HEADERS, BLOCKS)
def test_every_block_stands_where_it_is_said(header: Header, blocks: tuple[Block, ...]) -> None:
    printed = print_document(TopicDocument(header, blocks))
    shown = physical(printed.text)
    assert len(printed.blocks) == len(blocks)
    for block, (first, last) in zip(blocks, printed.blocks, strict=True):
        part = shown[first - 1 : last]
        starts = [text.startswith("#") for text in part]
        own = max(index for index, heading in enumerate(starts) if heading)
        assert starts[0]
        assert shown[first - 2] == ""
        assert unescape(part[own].lstrip("#").removeprefix(" ")) == block.headings[-1]
        assert parse_lines(part[own + 1 :]) == block.lines


@SEARCH
@given(TEXT)
def test_a_heading_is_one_line_and_read_back(text: str) -> None:
    shown = escape_heading(text)
    assert shown.splitlines() == [shown]
    assert shown == shown.strip()
    assert unescape(shown) == text


@SEARCH
@given(TEXT)
def test_a_file_name_is_safe_and_settled(title: str) -> None:
    part = slug(title)
    assert 1 <= len(part.encode()) <= 60
    assert slug(part) == part
    assert not set(part) & set('<>:"/\\|?*. \t\n')
    assert part.strip("-") == part
    assert file_name(title, "d7") == f"{part}-d7.md"
