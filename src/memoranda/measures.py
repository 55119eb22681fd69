"""What metrics report: ten figures of a memory, now and at earlier positions, and limits for them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from memoranda.errors import InputError
from memoranda.values import Value

MetricName = Literal[
    "coverage", "revision", "retention", "purity", "fragment",
    "drift", "cost", "deletion", "backlog", "replay",
]  # fmt: skip
NAMES: Final[dict[MetricName, tuple[str, str]]] = {
    "coverage": ("evidence coverage", "R249"),
    "revision": ("revision accuracy", "R250"),
    "retention": ("source retention", "R251"),
    "purity": ("topic purity", "R252"),
    "fragment": ("fragment recovery", "R253"),
    "drift": ("maintenance drift", "R254"),
    "cost": ("cost per useful memory", "R255"),
    "deletion": ("deletion latency", "R256"),
    "backlog": ("conflict backlog", "R257"),
    "replay": ("audit replay success", "R258"),
}
"""Name -> what it is called, and the requirement that asks for it; in this order everywhere."""
_LIMIT = re.compile(r"\s*([a-z]+)\s*(>=|<=)\s*([0-9]+(?:\.[0-9]+)?)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Value):
    """One figure of a memory."""

    name: MetricName
    value: float | None
    """None where there is nothing to measure; `text` says why."""
    unit: str
    """`share` (0 to 1), `tokens`, `operations` or `conflicts`."""
    better: Literal["higher", "lower"]
    counted: int
    """How many things it was measured on."""
    text: str
    """What the figure says of this memory, in one sentence."""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(Value):
    """The figures at one log position."""

    position: int
    recorded: str
    """When the record at that position was written; "" before the first."""
    values: Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Value):
    """A bound that a figure is to keep."""

    name: MetricName
    sign: Literal[">=", "<="]
    bound: float

    def missed(self, value: float | None) -> bool:
        """Say whether a value misses it; where nothing was measured, nothing is missed."""
        if value is None:
            return False
        return value < self.bound if self.sign == ">=" else value > self.bound

    def __str__(self) -> str:
        """Say it as it is written."""
        return f"{self.name}{self.sign}{self.bound:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics(Value):
    """The ten figures of a memory (R249-R258), from its log and receipts, the same at each call."""

    position: int
    """The log position of the state that was measured."""
    metrics: tuple[Metric, ...]
    history: tuple[Point, ...] = ()
    """The figures at earlier positions, oldest first, the last of them now; empty unless asked for."""
    missed: tuple[str, ...] = ()
    """Limits that are not kept, such as `coverage>=0.9`."""

    def __getitem__(self, name: str) -> Metric:
        """Give the figure of a name."""
        return next(metric for metric in self.metrics if metric.name == name)


def limits(text: str) -> tuple[Limit, ...]:
    """Read limits such as `coverage>=0.9, backlog<=5`; "" gives none.

    Raises:
        InputError: a part is no limit, or names no figure.
    """
    return tuple(_limit(part) for part in text.split(",") if part.strip())


def _limit(part: str) -> Limit:
    found = _LIMIT.fullmatch(part)
    name: Any = found and found[1]
    if found is None or name not in NAMES or not math.isfinite(float(found[3])):
        known = ", ".join(NAMES)
        raise InputError(
            f"{part.strip()!r} is no limit; write such as coverage>=0.9 or backlog<=5, of {known}"
        )
    sign: Any = found[2]
    return Limit(name=name, sign=sign, bound=float(found[3]))


def missed(wanted: Iterable[Limit], metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Name the limits that figures miss."""
    values = {metric.name: metric.value for metric in metrics}
    return tuple(str(limit) for limit in wanted if limit.missed(values.get(limit.name)))
