"""Reading a file that a person may have edited: loosely, so that no word of it is lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from memoranda.errors import FormatError
from memoranda.store.entries import unescape
from memoranda.store.headers import Typed, read_typed, split_header

LARGEST = 4 * 1024 * 1024
"""Bytes; a larger file is no document that a person writes."""
LONGEST = 20_000
"""Lines."""
_SIGNED = re.compile(
    r"([ \t]*)(?:[-*+]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
    r"<seq=([0-9][0-9,-]{0,400})((?:[^\">]|\"(?:[^\"\\]|\\.)*\")*)>[ ]?(.*)"
)
_BULLET = re.compile(r"([-*+])[ \t]+(.*)")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?[ \t]*")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+$")
_FENCE = re.compile(r"[ \t]*(```|~~~)")
_RUN = re.compile(r"([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?")
_MARKS = (re.compile(r"^<{7} ", re.MULTILINE), re.compile(r"^>{7} ", re.MULTILINE))
_BOMS = (b"\xff\xfe", b"\xfe\xff")
_DEEPEST = 5


@dataclass(slots=True)
class Written:
    """A list item or a paragraph."""

    number: int
    """Its first line, from 1 on."""
    seqs: tuple[int, ...]
    """The numbers in its signature; () for one without."""
    parts: list[str]
    indent: int = 0
    signature: str = ""
    """What else stands in its signature, as it is written."""

    @property
    def text(self) -> str:
        """Give its text, without the blank lines after it."""
        lines = list(self.parts)
        while len(lines) > 1 and not lines[-1].strip():
            lines.pop()
        text = "\n".join(lines)
        return unescape(text) if self.seqs else text.strip()


@dataclass(slots=True)
class Section:
    """What stands under one heading path; of what stands above all headings it is ()."""

    headings: tuple[str, ...]
    items: list[Written] = field(default_factory=list)
    step: bool = False
    """It has no line of its own, and a deeper heading follows: it is a step on the way there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A file as a person left it."""

    header: Typed
    title: str | None
    """The visible `# Title`."""
    sections: tuple[Section, ...]
    headless: bool = False
    """There is no front matter."""

    @property
    def items(self) -> list[Written]:
        """Give all items in order."""
        return [item for section in self.sections for item in section.items]


def decoded(data: bytes, name: str) -> str:
    """Give the text of a file; a byte order mark and CRLF are taken.

    Raises:
        FormatError: it is no text in UTF-8, or too large.
    """
    if len(data) > LARGEST:
        raise FormatError(name, f"it is larger than {LARGEST} bytes")
    if data[:2] in _BOMS:
        raise FormatError(name, "it is in UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise FormatError(name, "it holds NUL characters: it is no text, or damaged")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(name, f"it is not UTF-8 at byte {error.start}") from error
    text = re.sub(r"\r\n?", "\n", text)
    if text.count("\n") > LONGEST:
        raise FormatError(name, f"it has more than {LONGEST} lines")
    return text


def read_hand(data: bytes, name: str) -> Hand:
    """Read a file.

    Raises:
        FormatError: it can't be read as a document, or holds marks of a merge that is not settled.
    """
    lines = _settled(data, name)
    if lines[0].rstrip() != "---":
        title, sections = _body(lines, 0)
        return Hand(header=Typed(), title=title, sections=sections, headless=True)
    fence = split_header(lines, name)
    header = read_typed(lines[: fence + 1], name)
    title, sections = _body(lines, fence + 1)
    return Hand(header=header, title=title, sections=sections)


def _settled(data: bytes, name: str) -> list[str]:
    """Give the lines of a file that holds no marks of a merge."""
    text = decoded(data, name)
    if all(mark.search(text) for mark in _MARKS):
        raise FormatError(name, "it holds marks of a merge (<<<<<<<): settle it first")
    return text.split("\n")


def read_body(data: bytes, name: str) -> Hand:
    """Read a file whose front matter can't be read: what stands below it.

    Raises:
        FormatError: as `read_hand`, but for the front matter.
    """
    try:
        return read_hand(data, name)
    except FormatError:
        lines = _settled(data, name)
        ends = [at for at, line in enumerate(lines) if line.rstrip() == "---" and at > 0]
        if lines[0].rstrip() != "---" or not ends:
            raise
        title, sections = _body(lines, ends[0] + 1)
        return Hand(header=Typed(), title=title, sections=sections, headless=True)


def _body(lines: Sequence[str], start: int) -> tuple[str | None, tuple[Section, ...]]:
    reader = _Reader()
    for number, line in enumerate(lines[start:], start + 1):
        reader.line(line, number)
    return reader.title, tuple(reader.sections)


class _Reader:
    """Goes through the lines of a body."""

    def __init__(self) -> None:
        self.title: str | None = None
        self.sections = [Section(())]
        self._path: list[tuple[int, str]] = []
        self._item: Written | None = None
        self._fenced = False
        self._gap = False

    def line(self, line: str, number: int) -> None:
        """Take one line in."""
        if self._goes_on(line):
            return
        if not line.strip():
            self._gap = True
            if self._item is not None and (self._item.seqs or self._fenced):
                self._item.parts.append("")
            return
        heading = _HEADING.fullmatch(line)
        signed = _SIGNED.fullmatch(line)
        if signed is not None:
            self._begin(number, signed[4], _numbers(signed[2]), len(signed[1]), signed[3])
        elif heading is not None and (heading[2] or ""):
            self._head(len(heading[1]), _CLOSING.sub("", heading[2]).strip())
        else:
            self._prose(line, number)
        if _FENCE.match(line):
            self._fenced = not self._fenced

    def _goes_on(self, line: str) -> bool:
        """Take a line that belongs to the item above it: it is indented, or stands in its code."""
        item = self._item
        if item is None or not line.strip():
            return False
        if _SIGNED.fullmatch(line):
            self._fenced = False
            return False
        deep = len(line) - len(line.lstrip(" \t")) > item.indent or line.startswith("\t")
        if not (deep and (item.seqs or _listed(item))) and not self._fenced:
            return False
        if self._gap and not item.seqs:
            item.parts.append("")
        width = item.indent + 2
        item.parts.append(line[width:] if not line[:width].strip(" ") else line.lstrip(" \t"))
        self._gap = False
        if _FENCE.match(line) and not deep:
            self._fenced = not self._fenced
        return True

    def _head(self, level: int, text: str) -> None:
        text = unescape(text)
        self._item, self._gap = None, False
        if (
            level == 1
            and self.title is None
            and len(self.sections) == 1
            and not self.sections[0].items
        ):
            self.title = text
            return
        level = max(level, 2)
        last = self.sections[-1]
        if last.headings and not last.items and self._path and level > self._path[-1][0]:
            last.step = True
        self._path = [step for step in self._path if step[0] < level] + [(level, text)]
        self._path = self._path[-_DEEPEST:]
        self.sections.append(Section(tuple(name for _, name in self._path)))

    def _prose(self, line: str, number: int) -> None:
        bullet = _BULLET.fullmatch(line.strip())
        if bullet is not None or self._item is None or self._gap or self._item.seqs:
            text = bullet[2] if bullet is not None else line.strip()
            self._begin(number, text, (), 0, "-" if bullet is not None else "")
        else:
            self._item.parts.append(line.strip())

    def _begin(
        self, number: int, text: str, seqs: tuple[int, ...], indent: int, signature: str
    ) -> None:
        self._item = Written(number, seqs, [text], indent, signature)
        self._gap = False
        self.sections[-1].items.append(self._item)


def _listed(item: Written) -> bool:
    return item.signature == "-"


def _numbers(printed: str) -> tuple[int, ...]:
    """Read the numbers of a signature; what can't be read is left out, and none is 0."""
    found: list[int] = []
    for part in printed.strip(",-").split(","):
        run = _RUN.fullmatch(part)
        if run is not None:
            low, high = int(run[1]), int(run[2] or run[1])
            found += range(low, min(high, low + 100_000) + 1)
    return tuple(found) or (0,)


def has_words(text: str) -> bool:
    """Say whether a text holds a letter or a digit: without any it says nothing."""
    return any(char.isalnum() for char in text)
