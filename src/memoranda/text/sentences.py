"""Cutting a long text at its natural joints, without losing a character that is not blank."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Span = tuple[int, int]
"""First character and end of a piece of text, as in a slice."""

_LINE = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_PARAGRAPH = re.compile(r"(?:\r\n|[\n\r])[ \t]*(?:\r\n|[\n\r])\s*|\u2029\s*")
_SENTENCE = re.compile(r"(?<![.!?])[.!?]++[\"'”’»)\]]*+(?=\s)|[。！？｡…]+[\"'”’」』）》)\]]*")
_BLANK = re.compile(r"\s+")
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n]*)", re.MULTILINE)
_JOINTS = (_PARAGRAPH, _LINE, _LINE, _SENTENCE, _BLANK)
"""Where to cut, best first; the first two not inside fenced code. After them: anywhere."""

_JOINED = re.compile("[\u1160-\u11ff\u200c\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")


def cut(text: str, limit: int, count: Callable[[str], int]) -> tuple[Span, ...]:
    """Cut a text in pieces of at most `limit` tokens, as few as greedy packing gives.

    A text within the limit is one span, `(0, len(text))`; so is a blank one. Else the spans come in
    order, do not overlap, have no blanks at their edges and leave out nothing but blanks. Cuts lie
    at paragraph ends if that suffices, else at line ends, sentence ends, blanks, or anywhere but
    inside what is one character to a reader (only such a one may exceed the limit). Fenced code
    stays whole where it fits.

    Args:
        text: what to cut.
        limit: tokens, at least 1.
        count: tokens of a text; should not shrink when text is added.

    Raises:
        ValueError: the limit is below 1.
    """
    if limit < 1:
        raise ValueError("limit must be at least 1")
    if count(text) <= limit or not text.strip():
        return ((0, len(text)),)
    return tuple(_Cutter(text, limit, count).spans(0, len(text), 0))


class _Cutter:
    """One text on its way to pieces."""

    __slots__ = ("_count", "_fences", "_flags", "_length", "_limit", "_text")

    def __init__(self, text: str, limit: int, count: Callable[[str], int]) -> None:
        self._text = text
        self._limit = limit
        self._count = count
        self._length = 0  # of the last piece
        self._fences = _fences(text)
        self._flags = frozenset(match.start() + 1 for match in _FLAG.finditer(text))

    def spans(self, start: int, end: int, level: int) -> list[Span]:
        """Cut a range that may be too large at the joints of a level, or deeper where needed."""
        ends = self._joints(start, end, level)
        spans: list[Span] = []
        at = before = start  # the open piece begins at `at`; up to `before` it is known to fit
        index = 0
        while index < len(ends):
            last = self._farthest(at, ends, index)
            if last is not None:
                spans.append((at, ends[last]))
                at = before = ends[last]
                index = last + 1
            elif at < before:
                spans.append((at, before))
                at = before
            else:
                before = ends[index]
                index += 1
                deeper = self._deeper(at, before, level)
                spans.extend(deeper[:-1])
                at = deeper[-1][0] if deeper else before
        if at < before:
            spans.append((at, before))
        return [span for span in (self._trim(*span) for span in spans) if span[0] < span[1]]

    def _deeper(self, start: int, end: int, level: int) -> list[Span]:
        if level < len(_JOINTS):
            return self.spans(start, end, level + 1)
        return [(start, end)]

    def _farthest(self, at: int, ends: list[int], index: int) -> int | None:
        """Find the last joint from `index` on up to which the piece fits.

        The search begins where the piece would be as long as the one before, goes on from there in
        doubled steps, then halves.
        """
        low, high, step = index - 1, len(ends), 1  # up to `low` it fits, up to `high` it does not
        probe = max(index, bisect_left(ends, at + self._length, index) - 1)
        while low + 1 < high:
            if self._fits(at, ends[probe]):
                low = probe
            else:
                high = probe
            if low < index:
                probe = max(low + 1, high - step)
            elif high == len(ends):
                probe = min(high - 1, low + step)
            else:
                probe = (low + high) // 2
            step *= 2
        if low < index:
            return None
        self._length = ends[low] - at
        return low

    def _fits(self, start: int, end: int) -> bool:
        return self._count(self._text[slice(*self._trim(start, end))]) <= self._limit

    def _trim(self, start: int, end: int) -> Span:
        piece = self._text[start:end]
        kept = piece.lstrip()
        return end - len(kept), end - len(kept) + len(kept.rstrip())

    def _joints(self, start: int, end: int, level: int) -> list[int]:
        """List where a range may be cut at a level, in order; the last is its end."""
        found = self._found(start, end, level)
        if level < 2:
            found = [joint for joint in found if not self._in_fence(joint)]
        return [joint for joint in found if self._may_cut(joint)] + [end]

    def _found(self, start: int, end: int, level: int) -> list[int]:
        if level == len(_JOINTS):
            return list(range(start + 1, end))
        ends = (match.end() for match in _JOINTS[level].finditer(self._text, start, end))
        return [at for at in ends if start < at < end]

    def _in_fence(self, joint: int) -> bool:
        index = bisect_left(self._fences, (joint, joint)) - 1
        return index >= 0 and self._fences[index][0] < joint < self._fences[index][1]

    def _may_cut(self, joint: int) -> bool:
        """Say whether a reader sees two characters where the text would be cut."""
        before, after = self._text[joint - 1], self._text[joint]
        if after < "\u0300":
            return before != "\u200d"
        if before == "\u200d" or _JOINED.match(after) or unicodedata.category(after)[0] == "M":
            return False
        halves = "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"
        return not halves and joint not in self._flags


def _fences(text: str) -> list[Span]:
    """Find fenced code, from the start of its opening line to the end of its closing line."""
    fences: list[Span] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE.finditer(text):
        mark = match[1]
        if opened is None:
            opened = (match.start(), mark)
        elif mark.startswith(opened[1]) and not match[2].strip():
            fences.append((opened[0], min(match.end() + 1, len(text))))
            opened = None
    return fences
