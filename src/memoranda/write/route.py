"""Route each segment to the nearest document of its project, or to a new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.store.postings import Postings
from memoranda.text.analyse import content_counts
from memoranda.values import Entry

NEAREST = 16
"""A segment is offered so many documents."""
LIKE_ENOUGH = 0.18
"""A document less like the segment than this is not its place."""
SAME_SESSION = 0.1
"""The document of the session's segment before gets this on top of its likeness."""
NEIGHBOURS = 0.3
"""A segment is read with its session's other segments of the window, at this part of their weight."""
SPILL = 0.5
_TENTATIVE = 10**12


@dataclass(frozen=True, slots=True)
class Route:
    """Where a segment goes: a known document, or the new one of this number (0, 1, ...) in the plan."""

    document_id: str | None
    new: int | None
    likeness: float
    """0 for a new document."""


@dataclass(slots=True)
class _Course:
    """What has been decided so far in this window."""

    last: dict[tuple[str | None, str], str]
    room: Callable[[str], int]
    made: dict[str, int] = field(default_factory=dict)
    grown: dict[str, int] = field(default_factory=dict)


def block_counts(segment: Sequence[Entry]) -> dict[str, int]:
    """Count a segment's content terms, as the index and routing want them."""
    return content_counts(entry.text for entry in segment)


def route(
    segments: Sequence[Sequence[Entry]],
    index: Postings,
    *,
    last: Mapping[tuple[str | None, str], str],
    sizes: Sequence[int],
    room: Callable[[str], int],
) -> tuple[Route, ...]:
    """Choose a place for each segment, in order; earlier choices are seen by later segments.

    `last` names, for a (project, session), the document that holds the session's latest entry. The
    index is left as it was. A segment meets documents of its own project only (R68, R73).
    """
    counts = [block_counts(segment) for segment in segments]
    course = _Course(dict(last), room)
    found = []
    with index.tentative():
        for place, segment in enumerate(segments):
            document_id, likeness = _choose(segments, counts, place, index, course, sizes)
            if document_id is None:
                document_id = f"d{_TENTATIVE + len(course.made)}"
                course.made[document_id] = len(course.made)
            course.grown[document_id] = course.grown.get(document_id, 0) + sizes[place]
            index.add(document_id, segment[0].project, counts[place])
            if segment[0].session is not None:
                course.last[segment[0].project, segment[0].session] = document_id
            new = course.made.get(document_id)
            found.append(Route(document_id if new is None else None, new, likeness))
    return tuple(found)


def _choose(
    segments: Sequence[Sequence[Entry]],
    counts: Sequence[Mapping[str, int]],
    place: int,
    index: Postings,
    course: _Course,
    sizes,
) -> tuple[str | None, float]:
    first = segments[place][0]
    before = course.last.get((first.project, first.session)) if first.session else None
    near = dict(index.nearest(_in_context(segments, counts, place), first.project, NEAREST))
    if before is not None:
        near[before] = near.get(before, 0.0) + SAME_SESSION
    best = min(
        near, key=lambda document_id: (-near[document_id], int(document_id[1:])), default=None
    )
    if best is None or near[best] < LIKE_ENOUGH:
        return None, 0.0

    def fits(d):
        left = course.room(f"d{10**12}" if d in course.made else d) - course.grown.get(d, 0)
        return left >= sizes[place]

    if not fits(best):
        ok = [d for d in near if fits(d) and near[d] >= max(SPILL * near[best], LIKE_ENOUGH)]
        if ok:
            best = min(ok, key=lambda document_id: (-near[document_id], int(document_id[1:])))
    return best, near[best]


def _in_context(
    segments: Sequence[Sequence[Entry]], counts: Sequence[Mapping[str, int]], place: int
) -> dict[str, float]:
    """Give a segment's counts with a part of those of its session's other segments."""
    first = segments[place][0]
    read: Counter[str] = Counter()
    if first.session is not None:
        for other, segment in enumerate(segments):
            same = (segment[0].project, segment[0].session) == (first.project, first.session)
            if other != place and same:
                read.update(counts[other])
    mixed = {term: NEIGHBOURS * count for term, count in read.items()}
    for term, count in counts[place].items():
        mixed[term] = mixed.get(term, 0.0) + count
    return mixed
