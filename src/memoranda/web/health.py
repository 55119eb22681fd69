"""How the memory stands: ten figures, backlog, models and their costs, what wants a look, checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memoranda.llm.model import Call
from memoranda.measures import NAMES, Metric, Metrics
from memoranda.values import Status
from memoranda.web.plots import Bars, Curve, Series, bars, curve
from memoranda.web.visit import Page, Visit

_CALLS: Final = 2_000
_SHOWN: Final = 12
_POINTS: Final = 6
"""Earlier positions at which the figures are measured, when that is asked for."""
AT_ONCE: Final = 500
"""Records up to which the figures are measured unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure with how it came about."""

    metric: Metric
    requirement: str
    curve: Curve | None
    missed: bool


def health(visit: Visit) -> Page:
    """Show the figures; what takes long is done when it is asked for."""
    memory = visit.memory
    status = memory.status()
    calls = memory.calls(limit=_CALLS) if visit.may("calls") else ()
    return Page(
        template="health.html",
        values={
            "status": status,
            "figures": figures(visit, status),
            "backlog": _backlog(status),
            "calls": calls[:_SHOWN],
            "all_calls": len(calls),
            "plot": _by_day(calls),
            "findings": memory.doctor().findings if visit.may("doctor") else (),
            "untidy": memory.lint(),
            "checked": memory.check() if visit.may("check") and visit.asked("check") else None,
        },
    )


def figures(visit: Visit, status: Status) -> Sequence[Figure]:
    """Give the ten figures (R249-R258); over time when that is asked for; none where it takes long."""
    over_time = visit.asked("measure") == "yes"
    if not visit.may("metrics") or not (over_time or status.position <= AT_ONCE):
        return ()
    found = visit.memory.metrics(points=_POINTS if over_time else 0)
    return [
        Figure(
            metric=metric,
            requirement=NAMES[metric.name][1],
            curve=_curve(found, metric.name),
            missed=any(limit.startswith(metric.name) for limit in found.missed),
        )
        for metric in found.metrics
    ]


def _curve(found: Metrics, name: str) -> Curve | None:
    return curve([(point.recorded[:10], point.values.get(name)) for point in found.history])


def _backlog(status: Status) -> Mapping[str, Any]:
    """Give how full CURRENT is, and since when it is due."""
    return {
        "entries": status.current_entries,
        "tokens": status.current_tokens,
        "due": status.due_since,
        "oldest": status.oldest_unplaced,
    }


def _by_day(calls: Sequence[Call]) -> Bars | None:
    """Count the tokens that models used, by day: prompts above, replies below."""
    days: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for call in calls:
        days[call.at[:10]][0] += call.usage.input_tokens
        days[call.at[:10]][1] += call.usage.output_tokens
    labels = sorted(days)[-60:]
    if not any(sum(days[day]) for day in labels):
        return None
    return bars(
        labels,
        Series("prompts", [days[day][0] for day in labels]),
        Series("replies", [days[day][1] for day in labels]),
    )
