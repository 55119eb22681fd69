"""A printed document as lines that a page can show: headings, entries, what they replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memoranda.errors import FormatError
from memoranda.store.entries import ITEM, Line, parse_lines, unescape

Kind = Literal["title", "summary", "heading", "entry", "older", "plain"]
_HEADER: Final = re.compile(r'(title|summary): (?:"((?:[^"\\]|\\.)*)"|(.*))')
_ESCAPED: Final = re.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLine:
    """One thing that stands in a document, with its first and last 1-based line."""

    kind: Kind
    first: int
    last: int
    text: str
    level: int = 0
    """Of a heading: 2 to 6."""
    entry: Line | None = None
    """Of an entry: its text with the signature that it is printed with."""

    @property
    def seqs(self) -> tuple[int, ...]:
        """The entries that the line says."""
        return self.entry.seqs if self.entry else ()


def page_lines(markdown: str) -> tuple[PageLine, ...]:
    """Read a document's title, summary, headings and entries, in their order."""
    return tuple(_read(markdown.split("\n")))


def _read(lines: Sequence[str]) -> Iterator[PageLine]:
    at = _fence(lines)
    yield from _header(lines[:at])
    while at < len(lines):
        raw, end = lines[at], at + 1
        if raw.startswith("#"):
            yield _heading(raw, at + 1)
        elif raw.startswith(ITEM):
            while end < len(lines) and lines[end].startswith("  "):
                end += 1
            yield from _item(lines[at:end], at + 1)
        elif raw.strip():
            yield PageLine(kind="plain", first=at + 1, last=at + 1, text=raw)
        at = end


def _fence(lines: Sequence[str]) -> int:
    """Give the index behind the front matter."""
    if lines[:1] != ["---"]:
        return 0
    return next((at + 1 for at in range(1, len(lines)) if lines[at] == "---"), 0)


def _header(lines: Sequence[str]) -> Iterator[PageLine]:
    for number, line in enumerate(lines, 1):
        if found := _HEADER.fullmatch(line):
            text = found[3] if found[2] is None else _ESCAPED.sub(r"\1", found[2])
            kind: Kind = "title" if found[1] == "title" else "summary"
            yield PageLine(kind=kind, first=number, last=number, text=text)


def _heading(raw: str, number: int) -> PageLine:
    text = raw.lstrip("#")
    level = len(raw) - len(text)
    kind: Kind = "title" if level == 1 else "heading"
    return PageLine(kind=kind, first=number, last=number, level=level, text=unescape(text.strip()))


def _item(lines: Sequence[str], first: int) -> Iterator[PageLine]:
    """Give an entry and those under it, each with its own lines."""
    starts = [at for at, raw in enumerate(lines) if at == 0 or raw.startswith("  " + ITEM)]
    try:
        (line,) = parse_lines(lines, first=first)
        parts = (line, *line.under)
    except (FormatError, ValueError):  # printed by another version: shown as it stands
        yield PageLine(kind="plain", first=first, last=first, text="\n".join(lines))
        return
    for part, start, end in zip(parts, starts, [*starts[1:], len(lines)], strict=True):
        kind: Kind = "older" if start else "entry"
        at = first + start
        yield PageLine(kind=kind, first=at, last=first + end - 1, text=part.text, entry=part)
