"""Updates: of two statements, does the newer one replace the older? By rules, written supersessions."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from memoranda import Memory, NewEvent

BOUNDS = {"precision": 0.95, "recall": 0.35}


def pairs_of(data: Path) -> list[dict[str, Any]]:
    """Read the pairs, in file order."""
    lines = (data / "updates" / "updates_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Feed each pair into a fresh memory and look whether the older was replaced."""
    pairs = pairs_of(data)[:limit]
    rows = [
        {
            "id": pair["id"],
            "lang": pair["lang"],
            "kind": pair["kind"],
            "replaces": pair["replaces"],
            "detected": _detected(pair),
        }
        for pair in pairs
    ]
    bounds = []
    for lang in sorted({row["lang"] for row in rows}):
        own = [row for row in rows if row["lang"] == lang]
        right = sum(row["detected"] and row["replaces"] for row in own)
        found = sum(row["detected"] for row in own)
        true = sum(row["replaces"] for row in own)
        values = {"precision": right / found if found else 0.0, "recall": right / max(1, true)}
        print(f"{lang}: precision {right}/{found}, recall {right}/{true}")
        for kind, number in sorted(Counter(row["kind"] for row in own).items()):
            hits = sum(row["detected"] for row in own if row["kind"] == kind)
            print(f"    {kind:24} {hits}/{number} detected")
        bounds += [
            {
                "figure": f"{lang} {name}",
                "value": value,
                "bound": f">= {BOUNDS[name]}",
                "met": value >= BOUNDS[name],
            }
            for name, value in values.items()
        ]
    return {"rows": rows, "bounds": bounds}


def _detected(pair: dict[str, Any]) -> bool:
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
        added = memory.add_many(event_of(pair, which) for which in ("older", "newer"))
        memory.consolidate()
        older = memory.get(added.seqs[0]).to_dict()
        return bool(older["superseded_by"] == added.seqs[-1])


def event_of(pair: dict[str, Any], which: str) -> NewEvent:
    """Give the older or the newer statement of a pair as an event."""
    said = pair[which]
    return NewEvent(
        content=said["text"],
        source="assistant" if said["speaker"] == "assistant" else "user",
        speaker=said["speaker"],
        time=said["time"],
        project=pair[f"project_{which}"],
    )
