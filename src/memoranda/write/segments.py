"""Cut a window into segments: at most six adjacent entries of one session on one matter."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.text.analyse import content_counts, is_greeting
from memoranda.values import Entry

MOST_ENTRIES = 6
"""A segment holds at most so many entries."""
ENOUGH_WORDS = 8
"""Two stretches are compared only if each has so many distinct content terms."""
SAME_MATTER = 0.04
"""Stretches that share less than this part of the smaller one's terms are on two matters."""

Segment = tuple[Entry, ...]


def segments(entries: Sequence[Entry]) -> tuple[Segment, ...]:
    """Cut entries, in seq order, into segments; every entry is in exactly one, order is kept.

    A segment holds 1 to 6 adjacent entries of one session and one project (and of one day where no
    session is given). A question stays with its answer, a greeting or a very short entry with its
    neighbour, as far as six entries allow (R90, R108).
    """
    cut: list[Segment] = []
    for stretch in _stretches(entries):
        for matter in _matters(_exchanges(stretch)):
            cut.extend(_portions(matter))
    return tuple(cut)


def _stretches(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Group adjacent entries of one session and project."""
    found: list[list[Entry]] = []
    for entry in entries:
        if found and _together(found[-1][-1], entry):
            found[-1].append(entry)
        else:
            found.append([entry])
    return found


def _together(before: Entry, after: Entry) -> bool:
    if (before.session, before.project) != (after.session, after.project):
        return False
    return before.session is not None or (before.time or "")[:10] == (after.time or "")[:10]


def _exchanges(stretch: Sequence[Entry]) -> list[list[Entry]]:
    """Group a stretch into exchanges: a saying with its answer, the slight with its neighbour."""
    found: list[list[Entry]] = []
    for entry in stretch:
        if found and len(found[-1]) < MOST_ENTRIES and _answers(found[-1], entry):
            found[-1].append(entry)
        else:
            found.append([entry])
    return found


def _answers(exchange: Sequence[Entry], entry: Entry) -> bool:
    before = exchange[-1]
    if all(is_greeting(earlier.text) for earlier in exchange) or is_greeting(entry.text):
        return True
    if entry.source in ("assistant", "tool"):
        return True
    asked = before.text.rstrip().endswith(("?", "？"))
    return asked and before.source != "assistant" and before.speaker != entry.speaker


def _matters(exchanges: Sequence[list[Entry]]) -> list[list[list[Entry]]]:
    """Group adjacent exchanges, anew where two long stretches share almost no word."""
    found: list[list[list[Entry]]] = []
    before: frozenset[str] = frozenset()
    for exchange in exchanges:
        after = frozenset(content_counts(entry.text for entry in exchange))
        if found and not _differ(before, after):
            found[-1].append(exchange)
            before |= after
        else:
            found.append([exchange])
            before = after
    return found


def _differ(before: frozenset[str], after: frozenset[str]) -> bool:
    smaller = min(len(before), len(after))
    return smaller >= ENOUGH_WORDS and len(before & after) < SAME_MATTER * smaller


def _portions(exchanges: Sequence[list[Entry]]) -> list[Segment]:
    """Cut one matter into portions of about equal length, at most six entries each."""
    left = sum(map(len, exchanges))
    found: list[list[Entry]] = [[]]
    portions = -(-left // MOST_ENTRIES)
    aim = -(-left // portions)
    for exchange in exchanges:
        size, grown = len(found[-1]), len(found[-1]) + len(exchange)
        if size and (grown > MOST_ENTRIES or abs(grown - aim) > abs(size - aim)):
            found.append([])
        found[-1].extend(exchange)
    return [tuple(portion) for portion in found]
