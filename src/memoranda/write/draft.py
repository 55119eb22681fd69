"""REWRITE_CURRENT: a window of CURRENT in segments, repetitions named, nothing retyped (R106-R116)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.store.gathering import same_digest
from memoranda.store.operations import Duplicate, Supersede, Text
from memoranda.store.view import BlockRow, View
from memoranda.text.times import day
from memoranda.values import SENSITIVITIES, Entry
from memoranda.write.segments import segments


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A window of CURRENT, rewritten: transient, never stored."""

    window: tuple[int, ...]
    segments: tuple[tuple[Entry, ...], ...]
    duplicates: tuple[Duplicate, ...]
    supersedes: tuple[Supersede, ...]


_DATED = re.compile(r"(?:recorded )?\d{4}-\d{2}-\d{2}")
NOTHING = Draft(window=(), segments=(), duplicates=(), supersedes=())


def rewrite(
    entries: Sequence[Entry],
    view: View,
    found: Sequence[Supersede],
    *,
    duplicates: bool = True,
) -> Draft:
    """Cut a window into segments and name the entries that repeat one before them.

    What replaces something, or is replaced, is no repetition: it has a history of its own.

    Args:
        entries: the lines of the window, oldest first.
        view: finds the lines that say the same.
        found: what the window supersedes.
        duplicates: False keeps every repetition as a line of its own.
    """
    replaced = {link.older for link in found}
    linked = replaced | {link.newer for link in found}
    of: dict[int, int] = {}
    for entry in entries:
        line = _repeats(entry, view, replaced | of.keys())
        if duplicates and line is not None and entry.seq not in linked:
            of[entry.seq] = line
    return Draft(
        window=tuple(entry.seq for entry in entries),
        segments=segments([entry for entry in entries if entry.seq not in of]),
        duplicates=tuple(Duplicate(seq=seq, of=line) for seq, line in of.items()),
        supersedes=tuple(found),
    )


def _repeats(entry: Entry, view: View, leaving_out: AbstractSet[int]) -> int | None:
    """Find the line that an entry repeats; an entry with a history of its own repeats none."""
    if entry.supersedes or entry.superseded_by is not None or entry.retracted:
        return None
    digest = same_digest(entry.text, entry.source, entry.speaker, entry.project)
    if digest is None:
        return None
    line = view.same(digest, entry.seq, leaving_out=leaving_out)
    if line is None or _is_above(entry.sensitivity, view.places([line])[line].sensitivity):
        return None
    return line


def _is_above(one: str, two: str) -> bool:
    """Say whether one sensitivity is above another: what is private gets no less private line."""
    levels: Sequence[str] = SENSITIVITIES
    return levels.index(one) > levels.index(two)


def heading_texts(blocks: Iterable[BlockRow]) -> tuple[str, ...]:
    """Give the headings of blocks that say more than a day, each once, in order."""
    paths = (" / ".join(block.headings) for block in blocks)
    return tuple(dict.fromkeys(path for path in paths if not _DATED.fullmatch(path)))


def heading_of(segment: Sequence[Entry]) -> Text:
    """Give the dated heading of a segment: the day it was said, else the day it was recorded."""
    first = segment[0]
    said = day(first.time) if first.time else f"recorded {first.recorded[:10]}"
    return Text(text=said, made_from=(first.seq,))
