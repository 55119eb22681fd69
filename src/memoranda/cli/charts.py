"""Figures over time as pictures: a sparkline for a terminal, small charts in one SVG file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memoranda.measures import Metrics, Point

_BARS: Final = "▁▂▃▄▅▆▇█"
WIDTH, HEIGHT, GAP, COLUMNS = 300, 150, 20, 2
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 34, 26
_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#222}.t{font-weight:600}.n{fill:#666;font-size:11px}"
    ".g{stroke:#ddd}.l{fill:none;stroke:#1f6f8b;stroke-width:2}.p{fill:#1f6f8b}.b{fill:#fff}"
    "@media (prefers-color-scheme:dark){text{fill:#eee}.n{fill:#aaa}.g{stroke:#444}"
    ".b{fill:#181818}.l{stroke:#6fc3df}.p{fill:#6fc3df}}"
)


def sparkline(values: Sequence[float | None]) -> str:
    """Draw values as bars of eight heights, a gap as a space: shares from 0 to 1, others to their most."""
    known = [value for value in values if value is not None]
    most = max([1.0, *known])
    return "".join(
        " " if value is None else _BARS[min(7, int(value / most * 7.999))] for value in values
    )


def svg(metrics: Metrics) -> str:
    """Draw one small chart a figure, positions of the log as x, into one self-contained SVG."""
    rows = -(-len(metrics.metrics) // COLUMNS)
    width = COLUMNS * WIDTH + (COLUMNS + 1) * GAP
    height = rows * HEIGHT + (rows + 1) * GAP
    label = "Figures of a memory over its log"
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="b" width="{width}" height="{height}"/>',
    ]
    for number, metric in enumerate(metrics.metrics):
        x = GAP + number % COLUMNS * (WIDTH + GAP)
        y = GAP + number // COLUMNS * (HEIGHT + GAP)
        from memoranda.measures import NAMES  # noqa: PLC0415 - start-up time

        title = f"{NAMES[metric.name][0]}, {metric.unit}"
        parts.append(f'<g transform="translate({x} {y})">')
        parts += _chart(title, metric.name, metric.unit == "share", metrics.history)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _chart(title: str, name: str, share: bool, history: Sequence[Point]) -> list[str]:  # noqa: FBT001
    values = [
        (point.position, value)
        for point in history
        if (value := point.values.get(name)) is not None
    ]
    most = 1.0 if share else max([1.0, *(value for _, value in values)])
    right = max([1, *(point.position for point in history)])
    across, down = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    dots = [
        (round(_LEFT + position / right * across, 1), round(_TOP + (1 - value / most) * down, 1))
        for position, value in values
    ]
    last = f"{values[-1][1]:g}" if values else "nothing measured"
    parts = [
        f'<text class="t" x="{_LEFT}" y="14">{escape(title)}</text>',
        f'<text class="n" x="{WIDTH - _RIGHT}" y="28" text-anchor="end">now {last}</text>',
    ]
    for level in (0.0, 0.5, 1.0):
        y = round(_TOP + (1 - level) * down, 1)
        parts.append(f'<line class="g" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(
            f'<text class="n" x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{level * most:g}</text>'
        )
    bottom = HEIGHT - 8
    parts.append(f'<text class="n" x="{_LEFT}" y="{bottom}">1</text>')
    parts.append(
        f'<text class="n" x="{WIDTH - _RIGHT}" y="{bottom}" text-anchor="end">log position {right}</text>'
    )
    if len(dots) > 1:
        parts.append(f'<polyline class="l" points="{" ".join(f"{x},{y}" for x, y in dots)}"/>')
    parts += [f'<circle class="p" cx="{x}" cy="{y}" r="3"/>' for x, y in dots]
    return parts
