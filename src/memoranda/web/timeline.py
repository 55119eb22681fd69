"""What happened over time: events and what was done with them, as a plot and as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from memoranda.memory import Memory
from memoranda.values import SOURCES, RecordView
from memoranda.web.plots import Bars, Series, bars
from memoranda.web.visit import Page, Visit

PAGE: Final = 60
"""Records in one list."""
PLOTTED: Final = 4_000
"""The newest records, which the plot counts."""
STEP: Final = 500
KINDS: Final = (
    "event", "plan", "proposal", "decision", "retraction", "undo", "forget", "call",
)  # fmt: skip
"""What can be filtered by; extractions and receipts belong to what they follow."""
_BESIDE: Final = frozenset({"extraction", "receipt"})
_MOST_BARS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """What the timeline is narrowed to; "" lets everything through."""

    kind: str
    source: str
    text: str

    def fits(self, record: RecordView) -> bool:
        """Say whether a record is to be shown."""
        if record.kind != self.kind if self.kind else record.kind in _BESIDE:
            return False
        body = record.body or {}
        if self.source and body.get("source") != self.source:
            return False
        return self.text.casefold() in str(body.get("content", "")).casefold()


def timeline(visit: Visit) -> Page:
    """Show records, newest first, with a plot of how many there were.

    Who may not read the log sees the events alone, as far as they may.
    """
    memory = visit.memory
    if not visit.may("log"):
        return _events_only(visit)
    position = memory.status().position
    before = min(visit.number("before", position + 1), position + 1)
    narrowed = Narrowed(
        kind=visit.asked("kind"), source=visit.asked("source"), text=visit.asked("q")
    )
    records, older = _newest(memory, before, narrowed)
    axis = "said" if visit.asked("axis") == "said" else "recorded"
    return Page(
        template="timeline.html",
        values={
            "records": records,
            "older": older,
            "position": position,
            "plot": _plot(memory, position, narrowed, said=axis == "said"),
            "plotted": min(position, PLOTTED),
            "sources": SOURCES,
            "kinds": KINDS,
            "asked": {
                "kind": narrowed.kind,
                "source": narrowed.source,
                "q": narrowed.text,
                "axis": axis,
            },
        },
    )


def _events_only(visit: Visit) -> Page:
    """Show the newest events that this person may see, or those that match."""
    words, source = visit.asked("q"), visit.asked("source")
    filters: Any = {"source": source} if source in SOURCES else {}
    found = visit.memory.events(words, limit=PAGE, **filters)
    return Page(
        template="events.html",
        values={"found": found, "sources": SOURCES, "asked": {"q": words, "source": source}},
    )


def _newest(memory: Memory, before: int, narrowed: Narrowed) -> tuple[list[RecordView], int]:
    """Give a page of records before a position, newest first, and where the next begins; 0: none."""
    found: list[RecordView] = []
    end = before
    while end > 1:
        start = max(0, end - 1 - STEP)
        window = list(memory.log(after=start, limit=end - 1 - start))
        for record in reversed(window):
            if not narrowed.fits(record):
                continue
            if len(found) == PAGE:
                return found, found[-1].position
            found.append(record)
        end = start + 1
    return found, 0


def _plot(memory: Memory, position: int, narrowed: Narrowed, *, said: bool) -> Bars | None:
    """Count the newest records by day, week or month: events above, what was done below."""
    records = memory.log(after=max(0, position - PLOTTED))
    fitting = [record for record in records if narrowed.fits(record)]
    days = [(_day(record, said=said), record.kind == "event") for record in fitting]
    if not days:
        return None
    slots = _slots([day for day, _ in days])
    counts: Counter[tuple[date, bool]] = Counter((slots.of(day), event) for day, event in days)
    every = slots.all
    events = Series("event", [counts[day, True] for day in every])
    work = Series("work", [counts[day, False] for day in every])
    shown = [series for series in (events, work) if any(series.values)]
    return bars([slots.name(day) for day in every], *shown)


def _day(record: RecordView, *, said: bool) -> date:
    told = (record.body or {}).get("time") if said and record.kind == "event" else None
    try:
        return datetime.fromisoformat(str(told or record.recorded)).astimezone(UTC).date()
    except ValueError:
        return datetime.fromisoformat(record.recorded).astimezone(UTC).date()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """Spans of equal length that cover some days: 1 day, 7 days, or months."""

    all: list[date]
    length: int
    """Days; 0 means months."""

    def of(self, day: date) -> date:
        """Give the first day of the span that a day is in."""
        if not self.length:
            return day.replace(day=1)
        return day - timedelta(days=day.toordinal() % self.length if self.length > 1 else 0)

    def name(self, day: date) -> str:
        """Give a span's name."""
        return day.isoformat() if self.length else day.isoformat()[:7]


def _slots(days: Sequence[date]) -> Slots:
    """Choose spans so that there are not too many; empty ones between are kept."""
    first, last = min(days), max(days)
    width = (last - first).days + 1
    length = 1 if width <= _MOST_BARS else 7 if width <= 7 * _MOST_BARS else 0
    spans = Slots(all=[], length=length)
    at = spans.of(first)
    every: list[date] = []
    while at <= last and len(every) < 10 * _MOST_BARS:
        every.append(at)
        at = spans.of(at + timedelta(days=length or 32))
    return Slots(all=every, length=length)
