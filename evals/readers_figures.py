"""Figures of the suite `readers`: shares with intervals, differences in pairs, tokens and seconds."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from typing import Any

Z = 1.96
DRAWS = 4000
ENOUGH = 30
"""So many pairs a difference needs before a bound is stated on it."""

Row = dict[str, Any]


def wilson(hits: int, number: int) -> tuple[float, float]:
    """Give the 95 % interval of a share."""
    if not number:
        return 0.0, 1.0
    share, z2 = hits / number, Z * Z / number
    middle = (share + z2 / 2) / (1 + z2)
    half = Z * sqrt(share * (1 - share) / number + z2 / (4 * number)) / (1 + z2)
    return round(max(0.0, middle - half), 3), round(min(1.0, middle + half), 3)


def paired(one: Sequence[bool], other: Sequence[bool]) -> tuple[float, float, float]:
    """Give the mean difference of two methods on the same questions, with its 95 % bootstrap interval."""
    steps = [int(a) - int(b) for a, b in zip(one, other, strict=True)]
    chance = random.Random(len(steps))  # noqa: S311 - the same draws each time, on purpose
    means = sorted(sum(chance.choices(steps, k=len(steps))) / len(steps) for _ in range(DRAWS))
    low, high = means[int(DRAWS * 0.025)], means[int(DRAWS * 0.975) - 1]
    return round(sum(steps) / len(steps), 3), round(low, 3), round(high, 3)


def table(rows: Sequence[Row], methods: Sequence[str]) -> dict[str, Any]:
    """Print and give the figures of each kind and method, the differences, and the bounds."""
    figures, differences = [], []
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    for kind in kinds:
        for method in methods:
            own = _own(rows, kind, method)
            if own:
                figures.append({"kind": kind, "method": method, **_figure(own)})
        for method in ("agentic", "hybrid"):
            for base in ("chunks", "full"):
                pairs = _pairs(rows, kind, method, base)
                if pairs:
                    mean, low, high = paired([a for a, _ in pairs], [b for _, b in pairs])
                    names = {"kind": kind, "method": method, "to": base, "n": len(pairs)}
                    differences.append({**names, "difference": mean, "low": low, "high": high})
    for row in (*figures, *differences):
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    return {"rows": figures, "differences": differences, "bounds": _bounds(rows, differences)}


def _own(rows: Sequence[Row], kind: str, method: str) -> list[Row]:
    return [
        row
        for row in rows
        if row["kind"] == kind and row["method"] == method and "skipped" not in row
    ]


def _pairs(rows: Sequence[Row], kind: str, one: str, other: str) -> list[tuple[bool, bool]]:
    base = {row["case"]: row["right"] for row in _own(rows, kind, other)}
    return [
        (row["right"], base[row["case"]]) for row in _own(rows, kind, one) if row["case"] in base
    ]


def _figure(own: Sequence[Row]) -> Row:
    number = len(own)
    right = sum(row["right"] for row in own)
    hits = [row for row in own if row.get("hit")]
    return {
        "n": number,
        "accuracy": round(right / number, 3),
        "interval": wilson(right, number),
        "retrieval_hit": round(len(hits) / number, 3),
        "right_when_hit": round(sum(row["right"] for row in hits) / len(hits), 3) if hits else None,
        "right_in_text": sum(row["right"] and row.get("by") == "text" for row in own),
        "failed": sum(bool(row.get("fallback")) for row in own),
        "tokens": round(sum(row.get("tokens", 0) for row in own) / number),
        "calls": round(sum(row.get("calls", 0) for row in own) / number, 1),
        "seconds": round(sum(row["seconds"] for row in own) / number, 1),
    }


def _bounds(rows: Sequence[Row], differences: Sequence[Row]) -> list[Row]:
    cited = sum(row.get("citations", 0) for row in rows)
    good = sum(row.get("citations_good", 0) for row in rows)
    bounds: list[Row] = [
        {
            "figure": "citations that hold",
            "value": good,
            "bound": f"== {cited}",
            "met": good == cited,
        }
    ]
    for row in differences:
        if row["kind"] == "multi-hop" and row["to"] == "chunks" and row["n"] >= ENOUGH:
            figure = f"{row['method']} to chunks on multi-hop, low end"
            bounds.append(
                {"figure": figure, "value": row["low"], "bound": "> 0", "met": row["low"] > 0}
            )
    return bounds
