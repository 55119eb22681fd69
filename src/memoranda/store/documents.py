"""The topic document and CURRENT as Markdown files, exactly invertible."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memoranda.store.entries import (
    Line,
    escape_heading,
    fault,
    parse_lines,
    print_parts,
    unescape,
)
from memoranda.store.headers import FORMAT, Header, parse_header, print_header, split_header

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Block",
    "Header",
    "Line",
    "Printed",
    "TopicDocument",
    "file_name",
    "parse_current",
    "parse_document",
    "print_current",
    "print_document",
    "slug",
]

_DEEPEST = 5
_SLUG_BYTES = 60
_MERGE_MARK = re.compile(r"<{7} |={7}$|>{7} |\|{7} ")
_NEWLINE = re.compile(r"\r\n?")
_INVISIBLE = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_CURRENT = ("---", "id: CURRENT", f"format: {FORMAT}", "---")


@dataclass(frozen=True, slots=True)
class Block:
    """The lines under one heading path, 1 to 5 levels below the title; the unit of search."""

    headings: tuple[str, ...]
    lines: tuple[Line, ...]

    def __post_init__(self) -> None:
        """Refuse what could not be printed and read back."""
        if not 1 <= len(self.headings) <= _DEEPEST:
            raise ValueError(f"a heading path has 1 to {_DEEPEST} levels, not {self.headings!r}")


@dataclass(frozen=True, slots=True)
class TopicDocument:
    """A header and the blocks under it, in print order (R44)."""

    header: Header
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A file's text and where things stand in it, as first and last 1-based line.

    `ranges` holds each seq, superseded ones too: the lines of its own text. `blocks` holds each
    block in order, from the first heading printed for it to its last entry.
    """

    text: str
    ranges: Mapping[int, tuple[int, int]]
    blocks: tuple[tuple[int, int], ...]


# Printing


def print_document(document: TopicDocument) -> Printed:
    """Print a document: front matter, `# Title`, and blocks of entries under their headings.

    The summary stands in the front matter only, so that there is one place to read and edit it, and
    every body line under a heading is evidence. `parse_document` gives the same document back.
    """
    top = [*print_header(document.header), "", f"# {escape_heading(document.header.title)}"]
    return _print_blocks(top, document.blocks)


def print_current(blocks: Iterable[Block]) -> Printed:
    """Print CURRENT: the lines not yet placed, under the headings that the caller gives them."""
    return _print_blocks([*_CURRENT, "", "# CURRENT"], blocks)


def _print_blocks(lines: list[str], blocks: Iterable[Block]) -> Printed:
    ranges: dict[int, tuple[int, int]] = {}
    places: list[tuple[int, int]] = []
    at = len(lines)
    before: Block | None = None
    for block in blocks:
        start = at + 2
        for heading in _print_headings(before, block):
            lines += ("", heading)
            at += 2
        if block.lines:
            lines.append("")
            at += 1
        for line in block.lines:
            for part, text in zip((line, *line.under), print_parts(line), strict=True):
                lines.append(text)
                first, at = at + 1, at + 1 + text.count("\n")
                for seq in part.seqs:
                    ranges[seq] = (first, at)
        places.append((start, at))
        before = block
    return Printed("\n".join(lines) + "\n", ranges, tuple(places))


def _print_headings(before: Block | None, block: Block) -> list[str]:
    """Print the headings that the block before does not share, and always the block's own.

    An empty block's own heading is never shared: a heading without lines reads as a mere step on
    the way to a deeper one.
    """
    known: tuple[str, ...] = ()
    if before is not None:
        known = before.headings if before.lines else before.headings[:-1]
    shared = 0
    for old, new in zip(known, block.headings[:-1], strict=False):
        if old != new:
            break
        shared += 1
    return [
        f"{'#' * (level + 2)} {escape_heading(text)}"
        for level, text in enumerate(block.headings)
        if level >= shared
    ]


# Reading


def parse_document(text: str, *, name: str = "document") -> TopicDocument:
    """Read a document back; also one whose front matter a person or Obsidian typed anew.

    CRLF, a byte order mark and additional empty lines are taken; if the title in the front matter
    and the `# Title` differ, the visible one counts. `name` is for the error's sentence.

    Raises:
        FormatError: with line number: no or broken front matter, merge marks, no entry.
    """
    lines = _lines(text, name)
    fence = split_header(lines, name)
    header = parse_header(lines[: fence + 1], name)
    title, blocks = _parse_body(lines, fence + 1, name)
    if title is not None and title != header.title:
        header = replace(header, title=title)
    return TopicDocument(header, blocks)


def parse_current(text: str, *, name: str = "CURRENT") -> tuple[Block, ...]:
    """Read the blocks of CURRENT back.

    Raises:
        FormatError: as `parse_document`.
    """
    lines = _lines(text, name)
    fence = split_header(lines, name)
    if tuple(line.rstrip() for line in lines[: fence + 1]) != _CURRENT:
        fault(name, 2, f"the header of CURRENT must be: {'; '.join(_CURRENT[1:-1])}")
    return _parse_body(lines, fence + 1, name)[1]


def _lines(text: str, name: str) -> list[str]:
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = _NEWLINE.sub("\n", text)
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if line[:1] in "<=>|" and _MERGE_MARK.match(line):
            fault(name, number, f"a merge mark ({line[:7]}): settle the conflict first")
        if "\0" in line:
            fault(name, number, "a NUL character: the file is damaged")
    return lines


def _parse_body(
    lines: Sequence[str], start: int, name: str
) -> tuple[str | None, tuple[Block, ...]]:
    """Read the title, if there is one, and the blocks from index `start` on."""
    title: str | None = None
    marks = [index for index in range(start, len(lines)) if lines[index].startswith("#")]
    if marks and lines[marks[0]].startswith(("# ", "#\t")):
        title = _parse_heading(lines[marks[0]], marks[0] + 1, name)[1]
        _only_blank(lines, start, marks[0], name)
        start = marks.pop(0) + 1
    _only_blank(lines, start, marks[0] if marks else len(lines), name)
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    for index, end in zip(marks, [*marks[1:], len(lines)], strict=False):
        level, text = _parse_heading(lines[index], index + 1, name)
        if level == 1:
            fault(name, index + 1, "a second title")
        if blocks and not blocks[-1].lines and level > path[-1][0]:
            blocks.pop()
        path = [step for step in path if step[0] < level] + [(level, text)]
        found = parse_lines(lines[index + 1 : end], name=name, first=index + 2)
        blocks.append(Block(tuple(text for _, text in path), found))
    return title, tuple(blocks)


def _parse_heading(line: str, number: int, name: str) -> tuple[int, str]:
    text = line.lstrip("#")
    level = len(line) - len(text)
    if level > _DEEPEST + 1 or text[:1] not in ("", " ", "\t"):
        fault(name, number, f"{line[:60]!r} is neither a heading nor an entry")
    text = text.strip(" \t")
    opened = text.rstrip("#")  # Markdown allows closing marks after a blank
    if opened[-1:] in ("", " ", "\t"):
        text = opened.rstrip(" \t")
    return level, unescape(text)


def _only_blank(lines: Sequence[str], start: int, end: int, name: str) -> None:
    for index in range(start, end):
        if lines[index] and not lines[index].isspace():
            fault(name, index + 1, f"text outside an entry: {lines[index][:60]!r}")


# File names


def slug(title: str) -> str:
    """Make a file-name part of a title in any script: at most 60 bytes of UTF-8, never empty.

    Letters and digits of any script and their marks are kept, casefolded and in NFC; all else
    becomes single `-`. A title without any gives `untitled`.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).casefold())
    folded = _INVISIBLE.sub("", folded)
    parts: list[str] = []
    size = 0
    for char in folded:
        kind = unicodedata.category(char)[0]
        kept = char if kind in "LNM" else "-"
        if kind not in "LN" and (not parts or parts[-1] == "-"):
            continue
        size += len(kept.encode())
        if size > _SLUG_BYTES:
            break
        parts.append(kept)
    return "".join(parts).strip("-") or "untitled"


def file_name(title: str, document_id: str) -> str:
    """Name the file of a document: `<slug>-<id>.md`."""
    return f"{slug(title)}-{document_id}.md"
