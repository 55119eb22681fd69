"""With a real model: updates written, waiting or missed."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from evals.updates import event_of, pairs_of
from memoranda import Memory, Settings

SPREAD = 7
"""Seed by which pairs are drawn."""


def updates(data: Path, *, model: str, limit: int | None = None) -> dict[str, Any]:
    """Feed each pair into a fresh memory kept by a model: what is written is compared, what waits is told."""
    pairs = pairs_of(data)
    random.Random(SPREAD).shuffle(pairs)  # noqa: S311 - the same draw each time, on purpose
    rows = []
    for number, pair in enumerate(pairs[:limit], start=1):
        begun = time.monotonic()
        row = _pair(pair, model)
        rows.append({**row, "seconds": round(time.monotonic() - begun, 1)})
        print(f"{number} {pair['lang']} {pair['kind']}: {row['state']}", flush=True)
    bounds = []
    for lang in sorted({row["lang"] for row in rows}):
        own = [row for row in rows if row["lang"] == lang]
        written = [row for row in own if row["state"] == "written"]
        waiting = [row for row in own if row["state"] == "waiting"]
        true = sum(row["replaces"] for row in own)
        right = sum(row["replaces"] for row in written)
        print(
            f"{lang}: written {right}/{len(written)} right, waiting "
            f"{sum(row['replaces'] for row in waiting)}/{len(waiting)} right, of {true} updates"
        )
        precision = right / len(written) if written else 1.0
        bounds.append(
            {
                "figure": f"{lang} precision of what is written",
                "value": precision,
                "bound": ">= 0.95",
                "met": precision >= 0.95,
            }
        )
    return {"rows": rows, "bounds": bounds, "model": model}


def _pair(pair: dict[str, Any], model: str) -> dict[str, Any]:
    settings = Settings(auto=False, model_seconds=300.0)
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(folder, model=model, settings=settings) as memory,
    ):
        events = [event_of(pair, which) for which in ("older", "newer")]
        older = memory.add_many(events[:1]).seqs[0]
        memory.consolidate()
        memory.add_many(events[1:])
        memory.consolidate()
        entry = memory.get(older).to_dict()
        waits = any(
            "replace" in text for plan in memory.plans("pending") for text in plan.operations
        )
        state = "written" if entry["superseded_by"] else "waiting" if waits else "none"
        return {
            "id": pair["id"],
            "lang": pair["lang"],
            "kind": pair["kind"],
            "replaces": pair["replaces"],
            "state": state,
            "left_to_rules": [dict(x.to_dict()) for x in memory.last_run.left_to_rules]
            if memory.last_run
            else [],
        }
