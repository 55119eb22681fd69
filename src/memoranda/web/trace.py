"""Provenance: from a claim to the lines that it cites, and from these to the raw events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memoranda.answers import CitedEntry, CitedPlace
from memoranda.errors import NotFoundError
from memoranda.memory import Memory
from memoranda.values import Entry, Event
from memoranda.web.evidence import events_of
from memoranda.web.visit import Go, Page, Visit, address, whole_number

_NEAR: Final = 3
"""Extractions behind an event that are looked through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One cited line with the events that it was made from."""

    entry: CitedEntry
    events: tuple[Event, ...]


def trace(visit: Visit) -> Page:
    """Show what a citation names: the lines as they were, what became of them, the raw events."""
    citation = visit.asked("c")
    place: CitedPlace | None = visit.memory.resolve(citation) if citation else None
    return Page(
        template="trace.html",
        values={
            "citation": citation,
            "quote": _quote(place, visit.number("from", 0), visit.number("to", 0)),
            "place": place,
            "steps": _steps(visit.memory, place.entries if place else ()),
        },
    )


def _quote(place: CitedPlace | None, start: int, end: int) -> str:
    """Give the words of the claim, by where they stand in the cited line."""
    return place.entries[0].text[start:end] if place and place.entries else ""


def _steps(memory: Memory, entries: Sequence[CitedEntry]) -> list[Step]:
    return [
        Step(entry=entry, events=() if entry.erased else events_of(memory, entry.event_ids))
        for entry in entries
    ]


def entry(visit: Visit) -> Page:
    """Show one entry: where it stands, its versions, what was done to it, its events."""
    seq = whole_number("entry", visit.path["seq"])
    found = visit.memory.get(seq)
    if not isinstance(found, Entry):
        raise NotFoundError("entry", seq)
    line = visit.memory.timeline(seq)
    return Page(
        template="entry.html",
        values={
            "entry": found,
            "events": events_of(visit.memory, found.event_ids),
            "versions": [item for item in line.versions if item.seqs != found.seqs],
            "changes": line.changes,
            "keys": line.keys,
            "note": line.note,
        },
    )


def event(visit: Visit) -> Page:
    """Show one event as it came, and the entries that were made of it."""
    found = visit.memory.get(visit.path["event_id"])
    if not isinstance(found, Event):
        raise NotFoundError("event", visit.path["event_id"])
    seqs = _seqs_of(visit, found)
    entries = (visit.memory.get(seq) for seq in seqs)
    return Page(
        template="event.html",
        values={"event": found, "entries": [e for e in entries if isinstance(e, Entry)]},
    )


def _seqs_of(visit: Visit, found: Event) -> list[int]:
    """Give the entries that cite an event: told by the extraction behind it, else by a search."""
    if not visit.may("log"):
        hits = visit.memory.events(found.content[:200], limit=20).hits if found.content else ()
        return [seq for hit in hits if hit.event.event_id == found.event_id for seq in hit.seqs]
    for record in visit.memory.log(after=found.position, kind="extraction", limit=_NEAR):
        body = record.body or {}
        if found.position in body.get("events", ()):
            at = body["events"].index(found.position)
            return [item["seq"] for item in body["entries"] if item["event"] == at]
    return []


def correct(visit: Visit) -> Go:
    """Correct an entry: the new words replace it, and it stays as what was said before."""
    seq = whole_number("entry", visit.path["seq"])
    added = visit.memory.correct(seq, visit.asked("text"))
    to = address("entries", added.seqs[0]) if added.seqs else address("entries", seq)
    return Go(to=to, note=("did.corrected", str(seq)))


def retract(visit: Visit) -> Go:
    """Retract an entry: it is no longer said to hold, and can be had again by an undo."""
    seq = whole_number("entry", visit.path["seq"])
    visit.memory.retract(seq, reason=visit.asked("reason"), by=visit.grant.name)
    return Go(to=address("entries", seq), note=("did.retracted", str(seq)))
