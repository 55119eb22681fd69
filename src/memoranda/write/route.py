"""Route each segment to the nearest document of its project, or to a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memoranda.store.postings import Postings
from memoranda.text.analyse import content_counts
from memoranda.values import Entry

NEAREST = 16
"""A segment is offered so many documents."""
LIKE_ENOUGH = 0.16
"""A document less like the segment than this is not its place."""
SAME_SESSION = 0.2
"""The document of the session's segment before gets this on top of its likeness."""
STILL_LIKE = 0.5
"""A full document is stood in for by one with room that is at least this part as like."""
NEW = "d0"
"""Stands for a document that is not made yet, when its room is asked."""
_TENTATIVE = 10**12

Room = Callable[[str], int]
Sessions = Mapping[tuple[str | None, str], str]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a segment goes: a known document, or the plan's new one of this number (0, 1, ...)."""

    document_id: str | None
    new: int | None
    likeness: float
    """With the bonus of the session; 0 for a segment that opens a new document."""


def block_counts(segment: Sequence[Entry]) -> dict[str, int]:
    """Count a segment's content terms, as the index and routing want them."""
    return content_counts(entry.text for entry in segment)


def route(
    segments: Sequence[Sequence[Entry]],
    index: Postings,
    *,
    last: Sessions,
    sizes: Sequence[int],
    room: Room,
) -> tuple[Route, ...]:
    """Choose a place for each segment, in order; earlier choices are seen by later segments.

    A segment meets documents of its own project only, the 16 nearest of them; the index is left as
    it was (R120, R276).

    Args:
        segments: as `segments` cuts a window.
        index: holds the documents as they are.
        last: names, for a (project, session), the document of the session's latest entry.
        sizes: the tokens of each segment.
        room: tells how many tokens a document can take; asked of `NEW` for one not yet made.
    """
    course = _Course(index, dict(last), room)
    counts = [block_counts(segment) for segment in segments]
    with index.tentative():
        return tuple(
            course.place(segment, _in_context(segments, counts, place), counts[place], sizes[place])
            for place, segment in enumerate(segments)
        )


class _Course:
    """What has been decided so far in this window."""

    def __init__(
        self, index: Postings, last: dict[tuple[str | None, str], str], room: Room
    ) -> None:
        self._index = index
        self._last = last
        self._room = room
        self._made: dict[str, int] = {}
        self._grown: Counter[str] = Counter()

    def place(
        self,
        segment: Sequence[Entry],
        read: Mapping[str, float],
        counts: Mapping[str, int],
        size: int,
    ) -> Route:
        """Choose a document for a segment and remember the choice, in the index too."""
        project, session = segment[0].project, segment[0].session
        near = dict(self._index.nearest(read, project, NEAREST))
        before = None if session is None else self._last.get((project, session))
        if before is not None:
            near[before] = near.get(before, 0.0) + SAME_SESSION
        chosen = self._choose(near, size)
        document_id = chosen or f"d{_TENTATIVE + len(self._made)}"
        if chosen is None:
            self._made[document_id] = len(self._made)
        self._index.add(document_id, project, counts)
        self._grown[document_id] += size
        if session is not None:
            self._last[project, session] = document_id
        new = self._made.get(document_id)
        return Route(None if new is not None else document_id, new, near.get(document_id, 0.0))

    def _choose(self, near: Mapping[str, float], size: int) -> str | None:
        """Choose the nearest document; if full, the nearest with room that is about as like."""
        order = sorted(near, key=lambda document_id: (-near[document_id], int(document_id[1:])))
        if not order or near[order[0]] < LIKE_ENOUGH:
            return None
        least = max(LIKE_ENOUGH, STILL_LIKE * near[order[0]])
        for document_id in order:
            if near[document_id] >= least and self._left(document_id) >= size:
                return document_id
        return order[0]

    def _left(self, document_id: str) -> int:
        known = NEW if document_id in self._made else document_id
        return self._room(known) - self._grown[document_id]


def _in_context(
    segments: Sequence[Sequence[Entry]], counts: Sequence[Mapping[str, int]], place: int
) -> dict[str, float]:
    """Give a segment's counts with those of its session's other segments in the window."""
    first = segments[place][0]
    read: Counter[str] = Counter(counts[place])
    if first.session is not None:
        for other, segment in enumerate(segments):
            same = (segment[0].project, segment[0].session) == (first.project, first.session)
            if other != place and same:
                read.update(counts[other])
    return {term: float(count) for term, count in read.items()}
