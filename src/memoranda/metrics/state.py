"""What is measured: a memory at one log position, and what the figures need to ask of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from memoranda.store.log import Log
from memoranda.store.view import View
from memoranda.values import LOG, Found

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question whose evidence is known: entries by seq, or events by the caller's ids."""

    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A memory at one position. Everything is read inside one snapshot."""

    log: Log
    view: View
    position: int
    search: Callable[[str, int], Found]
    """Question and budget of tokens -> evidence, as `Memory.search` gives it."""
    sample: int
    """At most so many lines, pairs or blocks are looked at for a figure that needs searches."""
    conflicts: Callable[[], int]
    """Counts the states that two lines tell differently now."""
    shown: Callable[[int], dict[int, int] | None]
    """Position -> entry -> how often it was shown up to then; None when that is not counted."""
    questions: Sequence[Question] = ()
    label: str | None = None
    """Name of a metadata field that tells the topic of an event; None lets words tell."""
    budget: int = 2000
    copies: int = 0
    """Files that were not ours or were edited, and kept as copies."""
    _kept: dict[str, Any] = field(default_factory=dict)

    def rows(self, sql: str, *values: object) -> list[Any]:
        """Read rows of the views or the log."""
        return self.log.connection.execute(sql, values).fetchall()

    def lines(self) -> list[Any]:
        """Give the lines that stand in documents or CURRENT, with what is measured on them."""
        known = self._kept.get("lines")
        if known is None:
            known = self._kept["lines"] = self.rows(
                "SELECT seq, text, time, source, speaker, sensitivity, document_id, block, "
                "superseded_by, final, retracted FROM entry "
                "WHERE line = seq AND erased IS NULL AND document_id IS NOT ? ORDER BY seq",
                LOG,
            )
        return list(known)

    def bodies(self, positions: Iterable[int]) -> dict[int, dict[str, Any]]:
        """Give the bodies of records; those whose payload was erased are missing."""
        found = self.rows(
            "SELECT position, body FROM payload WHERE position IN (SELECT value FROM json_each(?))",
            json.dumps(sorted(set(positions))),
        )
        return {row[0]: json.loads(row[1]) for row in found}


def spread(items: Sequence[T], most: int) -> list[T]:
    """Take at most so many, evenly spaced, the last one always among them: the same at each call."""
    if len(items) <= most:
        return list(items)
    step = len(items) / most
    return [items[int((number + 1) * step) - 1] for number in range(most)]


def share(good: float, of: int) -> float | None:
    """Give a share, rounded to four places; None of nothing."""
    return round(good / of, 4) if of else None
