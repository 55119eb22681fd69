"""REWRITE_CURRENT: a window of CURRENT in segments, repetitions named, nothing retyped (R106-R116)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.store.fold import same_digest
from memoranda.store.operations import Duplicate, Text
from memoranda.store.view import View
from memoranda.text.times import day
from memoranda.values import Entry
from memoranda.write.segments import segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A window of CURRENT, rewritten: transient, never stored."""

    window: tuple[int, ...]
    segments: tuple[tuple[Entry, ...], ...]
    duplicates: tuple[Duplicate, ...]


def rewrite(entries: Sequence[Entry], view: View) -> Draft:
    """Cut a window into segments and name the entries that repeat one before them.

    Args:
        entries: the lines of the window, oldest first.
        view: finds the lines that say the same.
    """
    duplicates: list[Duplicate] = []
    repeated: set[int] = set()
    for entry in entries:
        of = _repeats(entry, view, repeated)
        if of is not None:
            duplicates.append(Duplicate(seq=entry.seq, of=of))
            repeated.add(entry.seq)
    rest = [entry for entry in entries if entry.seq not in repeated]
    return Draft(
        window=tuple(entry.seq for entry in entries),
        segments=segments(rest),
        duplicates=tuple(duplicates),
    )


def _repeats(entry: Entry, view: View, repeated: set[int]) -> int | None:
    """Find the line that an entry repeats; an entry with a history of its own repeats none."""
    if entry.supersedes or entry.superseded_by is not None or entry.retracted:
        return None
    digest = same_digest(entry.text, entry.source, entry.speaker, entry.project)
    if digest is None:
        return None
    return view.same(digest, entry.seq, leaving_out=repeated)


def heading_of(segment: Sequence[Entry]) -> Text:
    """Give the dated heading of a segment: the day it was said, else the day it was recorded."""
    first = segment[0]
    said = day(first.time) if first.time else f"recorded {first.recorded[:10]}"
    return Text(text=said, made_from=(first.seq,))
