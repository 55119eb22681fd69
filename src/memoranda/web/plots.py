"""Plots as numbers: where each bar stands, so that a template only has to draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

WIDTH: Final = 720.0
HEIGHT: Final = 120.0
_GAP: Final = 0.25
"""Of a slot, what stays empty."""
_WIDEST: Final = 26.0
_TICKS: Final = 5


class Series(NamedTuple):
    """Numbers under one name; the name is a key of the catalogue, and a class of the style sheet."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar; `y` counts from above."""

    name: str
    label: str
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Bars over a common line: the first series above, the second below it."""

    bars: tuple[Bar, ...]
    ticks: tuple[tuple[float, str], ...]
    """Where a label stands, and the label."""
    line: float
    """Where the common line is."""
    top: float
    """What the highest bar means."""
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    """The numbers themselves: label, one value a series."""
    names: tuple[str, ...]
    width: float = WIDTH
    height: float = HEIGHT


def bars(labels: Sequence[str], above: Series, below: Series | None = None) -> Bars:
    """Lay out bars, with one scale for both series."""
    both = [above] if below is None else [above, below]
    top = max((value for series in both for value in series.values), default=0) or 1
    bottom = max(below.values, default=0) if below else 0
    ups = max(above.values, default=0)
    line = HEIGHT * ups / (ups + bottom) if ups + bottom else HEIGHT
    unit = HEIGHT / (ups + bottom or 1)
    slot = WIDTH / max(1, len(labels))
    wide = min(slot * (1 - _GAP), _WIDEST)
    found: list[Bar] = []
    for at, label in enumerate(labels):
        for series in both:
            value = series.values[at]
            if not value:
                continue
            height = max(value * unit, 1.0)
            y = line - height if series is above else line
            found.append(
                Bar(
                    name=series.name,
                    label=label,
                    value=value,
                    height=round(height, 2),
                    x=round(slot * (at + 0.5) - wide / 2, 2),
                    y=round(y, 2),
                    width=round(wide, 2),
                )
            )
    rows = [(label, tuple(s.values[at] for s in both)) for at, label in enumerate(labels)]
    return Bars(
        bars=tuple(found),
        ticks=_ticks(labels, slot),
        line=round(line, 2),
        top=top,
        rows=tuple(rows),
        names=tuple(series.name for series in both),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A line through numbers over time, in a small box."""

    points: str
    """As SVG has it."""
    last: tuple[float, float]
    lowest: float
    highest: float
    first_label: str
    last_label: str
    width: float = 120.0
    height: float = 28.0


def curve(told: Sequence[tuple[str, float | None]]) -> Curve | None:
    """Lay out a line; None where there are not two numbers to draw one through."""
    known = [(at, label, value) for at, (label, value) in enumerate(told) if value is not None]
    if len(known) < 2:
        return None
    values = [value for _, _, value in known]
    low, high = min(values), max(values)
    across = 120.0 / max(1, len(told) - 1)
    span = high - low or 1.0
    places = [
        (round(at * across, 1), round(26 - 24 * (value - low) / span, 1)) for at, _, value in known
    ]
    return Curve(
        points=" ".join(f"{x},{y}" for x, y in places),
        last=places[-1],
        lowest=low,
        highest=high,
        first_label=known[0][1],
        last_label=known[-1][1],
    )


def _ticks(labels: Sequence[str], slot: float) -> tuple[tuple[float, str], ...]:
    """Name a few of the slots: the first, the last, and some between."""
    count = len(labels)
    if not count:
        return ()
    chosen = sorted({round(at * (count - 1) / (_TICKS - 1)) for at in range(_TICKS)})
    return tuple((round(slot * (at + 0.5), 2), labels[at]) for at in chosen)
