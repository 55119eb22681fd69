"""What a line stands on: the entry, its raw events, and whether its words are theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from memoranda.errors import MemorandaError
from memoranda.memory import Memory
from memoranda.values import Entry, Event

MOST: Final = 200
"""Entries whose evidence one page shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """An entry with the events that it was made from."""

    entry: Entry
    events: tuple[Event, ...]

    @property
    def verbatim(self) -> bool:
        """Say whether the entry's text stands word for word in one of its events."""
        return any(self.entry.text in event.content for event in self.events)


def grounds(memory: Memory, seqs: Iterable[int]) -> Mapping[int, Ground]:
    """Give what entries stand on, by number; those that are gone, or may not be seen, are missing."""
    found: dict[int, Ground] = {}
    for seq in sorted(set(seqs))[:MOST]:
        ground = ground_of(memory, seq)
        if ground is not None:
            found[seq] = ground
    return found


def ground_of(memory: Memory, seq: int) -> Ground | None:
    """Give what one entry stands on; None when it is gone, or may not be seen."""
    try:
        entry = memory.get(seq)
    except MemorandaError:
        return None
    if not isinstance(entry, Entry):
        return None
    return Ground(entry=entry, events=events_of(memory, entry.event_ids))


def events_of(memory: Memory, event_ids: Iterable[str]) -> tuple[Event, ...]:
    """Give events by their ids, in order; those that are gone are missing."""
    found: list[Event] = []
    for event_id in event_ids:
        try:
            event = memory.get(event_id)
        except MemorandaError:
            continue
        if isinstance(event, Event):
            found.append(event)
    return tuple(found)
