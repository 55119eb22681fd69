"""The one seam to the wording guard: entries and events become its sources, its verdict a yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memoranda.text.guard import Kind, Said
from memoranda.text.guard import check as compare
from memoranda.values import Entry, NewEvent

_TURNING = frozenset({"negation", "hedge"})
"""What turns a statement around, whatever else it says."""
_NOBODY = (Said("-"),)
_FIGURES = frozenset({"number", "date", "unit", "money", "percentage", "link"})
_FIGURE = re.compile(r"\d|[二两三四五六七八九十百千万]|一[十百千万月号日点]")


def said_by(entries: Iterable[Entry]) -> tuple[Said, ...]:
    """Give what entries say, as the guard reads it."""
    return tuple(Said(e.text, e.source, e.speaker, e.time) for e in entries)


def heard_in(events: Iterable[NewEvent]) -> tuple[Said, ...]:
    """Give what events say, as the guard reads it."""
    return tuple(Said(e.content, e.source, e.speaker, e.time) for e in events)


def fits(typed: str, sources: Sequence[Said], *, kind: Kind, context: Sequence[str] = ()) -> bool:
    """Say whether what a model typed may stand beside what it was made from, both ways (law 6).

    A title or summary may leave out what it likes; a denial or doubt of its own it may not bring.
    """
    if not compare(typed, sources, context=context, kind=kind).ok:
        return False
    if kind in {"fact", "merged"} or not _turns(typed, _NOBODY, context):
        return True
    return not _turns(typed, sources, context)


def _turns(typed: str, sources: Sequence[Said], context: Sequence[str]) -> bool:
    """Say whether a text denies or doubts what its sources do not."""
    added = compare(typed, sources, context=context, kind="fact").added
    return any(one.kind in _TURNING for one in added)


def drops_figures(typed: Iterable[str], source: NewEvent) -> bool:
    """Say whether facts of an event, taken together, leave out a figure, a date or a link of it."""
    said = heard_in([source])
    lost = compare("\n".join(typed), said, kind="merged").lost
    return any(_FIGURE.search(one.words) or one.kind in _FIGURES for one in lost)


def same(one: Entry, other: Entry) -> bool:
    """Say whether two entries keep each other's wording whole: then one repeats the other."""
    sources = said_by((one, other))
    return fits(one.text, sources[1:], kind="merged") and fits(
        other.text, sources[:1], kind="merged"
    )
