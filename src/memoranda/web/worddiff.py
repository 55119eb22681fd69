"""Two versions of a document side by side: which lines changed, and which words in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from memoranda.web.lines import PageLine, page_lines

Change = Literal["same", "changed", "moved", "status", "removed", "added"]
Piece = tuple[str, bool]
"""A stretch of text, and whether it differs from the other side."""
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+|\s+|[^\w\s]|_+")
_ALIKE: Final = 0.3
_MOST_WORDS: Final = 2_000
"""Words of a line that are compared; longer lines are shown as wholly changed."""
_AROUND: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A line on one side, cut where it differs."""

    line: PageLine
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What stands beside what. `status`: the same words, but replaced or retracted on one side."""

    change: Change
    left: Side | None = None
    right: Side | None = None
    other: str = ""
    """Of a line that moved to or from another document: its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Rows that belong together; `folded` ones have nothing new."""

    folded: bool
    rows: tuple[Row, ...]


def compare(before: str, after: str) -> tuple[Stretch, ...]:
    """Compare two versions of a document; "" stands for one that is not there.

    Lines go by their entries, so that a line that moved is known as such. What is counted in the
    header (tokens, updates) is left out: it follows from the rest.
    """
    left, right = _comparable(before), _comparable(after)
    return tuple(_fold(_moved(list(_rows(left, right)))))


def _comparable(markdown: str) -> list[PageLine]:
    """Leave the title out where it stands a second time, in the header."""
    found = page_lines(markdown)
    return [line for line in found if not (line.kind == "title" and line.level == 0)]


def _rows(left: Sequence[PageLine], right: Sequence[PageLine]) -> Iterator[Row]:
    matcher = SequenceMatcher(None, [_name(x) for x in left], [_name(x) for x in right], False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            yield from (_pair(*pair) for pair in zip(left[i:j], right[k:m], strict=True))
        else:
            yield from _replaced(left[i:j], right[k:m])


def _name(line: PageLine) -> tuple[str, object]:
    """Give what makes a line the same line: its entries, or what it is and says."""
    if line.entry:
        return ("entry", line.seqs)
    return (line.kind, "" if line.kind in {"title", "summary"} else line.text)


def _replaced(left: Sequence[PageLine], right: Sequence[PageLine]) -> Iterator[Row]:
    """Put beside each other what was joined or cut: lines that share an entry."""
    rest = list(right)
    for line in left:
        twin = next((other for other in rest if set(line.seqs) & set(other.seqs)), None)
        if twin is None:
            yield Row(change="removed", left=_whole(line))
            continue
        for other in rest[: rest.index(twin)]:
            yield Row(change="added", right=_whole(other))
        del rest[: rest.index(twin) + 1]
        yield _pair(line, twin)
    for other in rest:
        yield Row(change="added", right=_whole(other))


def _pair(old: PageLine, new: PageLine) -> Row:
    if old.text == new.text:
        change: Change = "same" if _standing(old) == _standing(new) else "status"
        return Row(change=change, left=_whole(old, new=False), right=_whole(new, new=False))
    left, right = words(old.text, new.text)
    return Row(
        change="changed", left=Side(line=old, pieces=left), right=Side(line=new, pieces=right)
    )


def _standing(line: PageLine) -> object:
    entry = line.entry
    return entry and (line.kind, entry.seqs, entry.superseded_by, entry.retracted)


def _whole(line: PageLine, *, new: bool = True) -> Side:
    return Side(line=line, pieces=((line.text, new),))


def words(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Cut two texts where they differ, by words, Chinese by characters."""
    left, right = _WORD.findall(old), _WORD.findall(new)
    if max(len(left), len(right)) > _MOST_WORDS:
        return ((old, True),), ((new, True),)
    matcher = SequenceMatcher(None, left, right, False)
    if matcher.ratio() < _ALIKE:
        return ((old, True),), ((new, True),)
    gone, come = [], []
    for kind, i, j, k, m in matcher.get_opcodes():
        gone.append(("".join(left[i:j]), kind != "equal"))
        come.append(("".join(right[k:m]), kind != "equal"))
    return tuple(x for x in gone if x[0]), tuple(x for x in come if x[0])


def _moved(rows: list[Row]) -> list[Row]:
    """Mark what went on one side and came on the other as moved."""
    gone = {name for row in rows if row.change == "removed" for name in _entry(row.left)}
    come = {name for row in rows if row.change == "added" for name in _entry(row.right)}
    both = gone & come
    return [
        Row(change="moved", left=_plain(row.left), right=_plain(row.right))
        if row.change in {"removed", "added"} and both & set(_entry(row.left or row.right))
        else row
        for row in rows
    ]


def across(found: Mapping[str, Sequence[Stretch]]) -> dict[str, tuple[Stretch, ...]]:
    """Mark lines that go in one document and come in another: they move, and nothing is lost.

    Args:
        found: document id -> what `compare` gave.
    """
    gone = {name: key for key, row in _each(found, "removed") for name in _entry(row.left)}
    come = {name: key for key, row in _each(found, "added") for name in _entry(row.right)}

    def moved(row: Row) -> Row:
        names = _entry(row.left) if row.change == "removed" else _entry(row.right)
        other = (come if row.change == "removed" else gone).get(names[0]) if names else None
        if other is None or row.change not in {"removed", "added"}:
            return row
        return Row(change="moved", left=_plain(row.left), right=_plain(row.right), other=other)

    return {
        key: tuple(Stretch(folded=s.folded, rows=tuple(map(moved, s.rows))) for s in stretches)
        for key, stretches in found.items()
    }


def _each(found: Mapping[str, Sequence[Stretch]], change: Change) -> Iterator[tuple[str, Row]]:
    for key, stretches in found.items():
        for stretch in stretches:
            yield from ((key, row) for row in stretch.rows if row.change == change)


def _entry(side: Side | None) -> tuple[object, ...]:
    return ((side.line.seqs, side.line.text),) if side and side.line.entry else ()


def _plain(side: Side | None) -> Side | None:
    return side and _whole(side.line, new=False)


def _fold(rows: Sequence[Row]) -> Iterator[Stretch]:
    """Fold what is the same, but for what stands around a change and the headings above it."""
    near = {
        other
        for at, row in enumerate(rows)
        if row.change != "same"
        for other in range(at - _AROUND, at + _AROUND + 1)
    }
    run: list[Row] = []
    folded = False
    for at, row in enumerate(rows):
        if run and (at not in near) != folded:
            yield Stretch(folded=folded, rows=tuple(run))
            run = []
        folded = at not in near
        run.append(row)
    if run:
        yield Stretch(folded=folded, rows=tuple(run))
