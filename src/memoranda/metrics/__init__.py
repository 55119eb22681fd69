"""The ten figures of a memory, derived from its log, views and receipts; reads, and never writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from memoranda.measures import Metric, MetricName
from memoranda.metrics import evidence, signatures, topics, upkeep
from memoranda.metrics.replay import Replayed, replay, replayed
from memoranda.metrics.state import Question, State

__all__ = ["CHEAP", "FIGURES", "Question", "Replayed", "State", "measure", "replay", "replayed"]

FIGURES: Final[dict[MetricName, Callable[[State], Metric]]] = {
    "coverage": evidence.coverage,
    "revision": evidence.revision,
    "retention": signatures.retention,
    "purity": topics.purity,
    "fragment": evidence.fragment,
    "drift": signatures.drift,
    "cost": upkeep.cost,
    "deletion": upkeep.deletion,
    "backlog": upkeep.backlog,
}
"""All but `replay`, which goes through the log once for all positions."""
CHEAP: Final = frozenset({"retention", "purity", "drift", "cost", "deletion", "backlog"})
"""Figures that need no search."""


def measure(state: State, done: Replayed, *, head: bool) -> tuple[Metric, ...]:
    """Measure a state.

    Args:
        state: the memory at one position.
        done: the replay of its log.
        head: whether the state is the newest one, whose files stand on disk.
    """
    found = [figure(state) for figure in FIGURES.values()]
    return (*found, replay(done, state.position, head=head))
