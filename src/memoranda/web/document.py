"""One document: to be read, with where each line comes from; its versions; who placed what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memoranda.inspections import BlameLine, DocumentDiff
from memoranda.memory import Memory
from memoranda.values import DocumentView, Event
from memoranda.web.evidence import events_of
from memoranda.web.lines import PageLine, page_lines
from memoranda.web.visit import Page, Visit, address
from memoranda.web.worddiff import compare

VIEWS: Final = ("read", "blame", "history")
_EVENTS: Final = 400
"""Events of which a page shows the words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """A line as it stands, what it replaced folded under it, and where it comes from."""

    line: PageLine
    blame: BlameLine | None = None
    older: list[Stand] = field(default_factory=list)


def document(visit: Visit) -> Page:
    """Show a document now, or at one of its versions."""
    memory, ref = visit.memory, visit.path["document"]
    found = memory.document(ref)
    view = visit.asked("view", "read")
    wanted = visit.asked("v")
    values = {
        "document": found.header,
        "note": found.note,
        "view": view if view in VIEWS else "read",
        "status": memory.status(),
    }
    if wanted or view == "history":
        return _at_version(memory, found, values, number=visit.asked("n"), wanted=wanted)
    return _as_it_is(memory, found, values)


def _as_it_is(memory: Memory, found: DocumentView, values: dict[str, object]) -> Page:
    blamed = memory.blame(found.header.document_id).lines
    stands = _stands(page_lines(found.markdown), {line.lines[0]: line for line in blamed})
    ids = dict.fromkeys(event_id for line in blamed for event_id in line.event_ids)
    values |= {
        "stands": stands,
        "blamed": [line for line in blamed if line.kind != "blank"],
        "events": {event.event_id: event for event in _events(memory, tuple(ids))},
        "version": found.header.version,
        "versions": (),
        "update_log": found.update_log,
    }
    return Page(template="document.html", values=values)


def _events(memory: Memory, ids: Sequence[str]) -> tuple[Event, ...]:
    return events_of(memory, ids[:_EVENTS])


def _at_version(
    memory: Memory, found: DocumentView, values: dict[str, object], *, number: str, wanted: str
) -> Page:
    """Show a version, and what the change made that led to it."""
    document_id = found.header.document_id
    diff = memory.diff(document_id, f"..{int(wanted)}" if wanted.isdecimal() else None)
    if number.isdecimal() and diff.versions:  # the slider gives the how-manieth
        at = diff.versions[min(max(int(number), 1), len(diff.versions)) - 1]
        diff = memory.diff(document_id, f"..{at}")
    values |= {
        "stands": _stands(page_lines(diff.after), {}),
        "diff": diff,
        "stretches": compare(diff.before, diff.after),
        "version": diff.newer,
        "versions": diff.versions,
        "at": _place(diff),
        "changes": {change.position: change for change in memory.history(document_id)},
    }
    return Page(template="document.html", values=values)


def _place(diff: DocumentDiff) -> int:
    """Give the how-manieth version is shown, from 1 on."""
    return sum(1 for version in diff.versions if version <= diff.newer) or 1


def _stands(lines: Sequence[PageLine], blame: Mapping[int, BlameLine]) -> list[Stand]:
    """Put what was replaced under what replaced it."""
    found: list[Stand] = []
    for line in lines:
        if line.kind == "summary" or (line.kind == "title" and line.level == 0):
            continue
        stand = Stand(line=line, blame=blame.get(line.first))
        if line.kind == "older" and found:
            found[-1].older.append(stand)
        else:
            found.append(stand)
    return found


def place_of(document_id: str, version: int | None, line: int | None) -> str:
    """Give the address of a line of a document."""
    if not document_id.startswith("d"):
        return ""
    at = f"#L{line}" if line else ""
    return address("documents", document_id, v=version) + at
