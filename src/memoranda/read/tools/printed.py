"""Lines of a document as it is printed, at a stated version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.errors import InputError
from memoranda.read.lexical import Source
from memoranda.read.tools.listing import find
from memoranda.read.tools.places import in_reach, located
from memoranda.read.tools.results import LineRange
from memoranda.read.tools.titles import hidden_blocks, hidden_titles
from memoranda.store.documents import Block, print_current
from memoranda.values import CURRENT

HIDDEN = "[not shown: outside the filters]"
"""Stands where a line is that does not fit the filters."""
_OPEN = ("---", "id: ", "title: ", "# ")
"""What a header line that is always shown begins with."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A whole document as it is printed."""

    document_id: str
    title: str
    version: int
    lines: list[str]
    ranges: Mapping[int, tuple[int, int]]


def read_lines(
    document: str, source: Source, *, first: int = 1, last: int | None = None, limit: int
) -> LineRange:
    """Give lines of a document, as on disk; CURRENT holds only what may be read.

    Args:
        document: id, title, file name, or CURRENT.
        source: the memory at one position; what its filters keep back reads `HIDDEN`.
        first: the first line, from 1 on.
        last: the last line; None reads on as far as the limit goes.
        limit: at most so many lines.

    Raises:
        InputError: first is below 1, or last above first.
        NotFoundError: there is no such document; with near names.
    """
    if first < 1 or (last is not None and last < first):
        raise InputError(f"lines go from 1 on, the first before the last, not {first} to {last}")
    page = _current(source) if document == CURRENT else _topic(document, source)
    total = len(page.lines)
    wanted = total if last is None else min(last, total)
    until = min(wanted, first + limit - 1)
    inside = {seq for seq, at in page.ranges.items() if at[0] <= until and at[1] >= first}
    entries = located(inside, source).entries
    ordered = sorted(entries, key=lambda seq: page.ranges[seq])
    shown = tuple(page.lines[first - 1 : until])
    return LineRange(
        document_id=page.document_id,
        title=page.title,
        version=page.version,
        first=first if shown else 0,
        last=until if shown else 0,
        total=total,
        lines=shown,
        entries=tuple(entries[seq] for seq in ordered),
        starts=tuple(page.ranges[seq][0] for seq in ordered),
        note=_note(first, until, wanted, total),
        position=source.log.position(),
    )


def _note(first: int, until: int, wanted: int, total: int) -> str:
    if first > total:
        return f"there are only {total} lines"
    if until < wanted:
        return f"{wanted - until} more lines were asked for; read on from line {until + 1}"
    return ""


def _topic(document: str, source: Source) -> _Page:
    info = find(document, source)
    made = source.view.printed(info.document_id)
    lines = made.text.removesuffix("\n").split("\n")
    places = source.view.places(made.ranges)
    hidden = [
        at
        for seq, at in made.ranges.items()
        if seq in places and not in_reach(places[seq].line, places[seq].project, source.reach)
    ]
    for start, end in hidden:
        lines[start - 1 : end] = [HIDDEN] * (end - start + 1)
    if source.reach.sieve is not None:  # summaries and changes tell of lines that are kept back
        top = lines.index("---", 1) if "---" in lines[1:] else 0
        lines[:top] = [line if line.startswith(_OPEN) else HIDDEN for line in lines[:top]]
    if source.reach.hides:
        lines = _without_names(lines, info.document_id, source)
    return _Page(info.document_id, info.title, info.version, lines, made.ranges)


def _without_names(lines: list[str], document_id: str, source: Source) -> list[str]:
    """Hide a title, and all headings of a document, where one was made from a forbidden line."""
    begins: tuple[str, ...] = ()
    if document_id in hidden_titles(source):
        begins = ("title: ", "# ")
    blocks = {block.block_id for block in source.view.blocks(document_id)}
    if blocks & hidden_blocks(source):
        begins = (*begins, "##")
    return [HIDDEN if begins and line.startswith(begins) else line for line in lines]


def _current(source: Source) -> _Page:
    blocks = [
        Block(headings=block.headings, lines=kept)
        for block in source.view.current_blocks()
        if (
            kept := tuple(
                line for line in block.lines if in_reach(line.seqs[0], line.project, source.reach)
            )
        )
    ]
    made = print_current(blocks)
    lines = made.text.removesuffix("\n").split("\n")
    return _Page(CURRENT, CURRENT, source.log.position(), lines, made.ranges)
