"""Shares and means with their 95 % intervals: Wilson for what is right or wrong, bootstrap for the rest."""

from __future__ import annotations

import random
from collections.abc import Sequence

from evals.readers_figures import wilson

DRAWS = 2000


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Give the 95 % interval of a mean: by Wilson where all are 0 or 1, else by a seeded bootstrap."""
    if not values:
        return 0.0, 1.0
    if all(value in {0, 1} for value in values):
        return wilson(int(sum(values)), len(values))
    chance = random.Random(len(values))  # noqa: S311 - the same draws each time, on purpose
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return round(means[int(DRAWS * 0.025)], 3), round(means[int(DRAWS * 0.975) - 1], 3)


def mean(values: Sequence[float]) -> float | None:
    """Give the mean, rounded to four places; None of nothing."""
    return round(sum(values) / len(values), 4) if values else None


def difference(one: Sequence[float], other: Sequence[float]) -> tuple[float, float, float]:
    """Give the mean difference of two methods on the same questions, with its bootstrap interval."""
    steps = [a - b for a, b in zip(one, other, strict=True)]
    low, high = interval_of(steps)
    return round(sum(steps) / max(1, len(steps)), 4), low, high


def interval_of(steps: Sequence[float]) -> tuple[float, float]:
    """Give the bootstrap interval of a mean of any numbers."""
    if not steps:
        return 0.0, 0.0
    chance = random.Random(len(steps))  # noqa: S311 - the same draws each time, on purpose
    means = sorted(sum(chance.choices(steps, k=len(steps))) / len(steps) for _ in range(DRAWS))
    return round(means[int(DRAWS * 0.025)], 4), round(means[int(DRAWS * 0.975) - 1], 4)
