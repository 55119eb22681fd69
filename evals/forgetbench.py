"""ForgetBench: a fact is deleted, then asked for; what stays must still be found."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from memoranda import Memory, NewEvent, Settings

BUDGET = 2000
"""Tokens of evidence in which a keyword must, or must not, stand."""
LOOKS = ("before consolidation", "after consolidation")


def cases(data: Path, limit: int | None = None) -> list[dict[str, Any]]:
    """Read the cases, in file order."""
    path = data / "forgetbench" / "cases_dev.json"
    with path.open(encoding="utf-8") as stream:
        raw = json.load(stream)
    found: list[dict[str, Any]] = raw if isinstance(raw, list) else raw["cases"]
    return found[:limit]


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Store the documents of each case, delete what it says, and ask; consolidated or not.

    Secrets are kept: what is deleted must be gone because it was forgotten.
    """
    tally = {(look, expect): [0, 0] for look in LOOKS for expect in ("absent", "present")}
    missed: list[str] = []
    for case in cases(data, limit):
        for look in LOOKS:
            with (
                tempfile.TemporaryDirectory() as folder,
                Memory.open(folder, settings=Settings(auto=False, secrets="keep")) as memory,
            ):
                _ask(case, memory, look, tally, missed)
    rows = [
        {"look": look, "expect": expect, "right": right, "of": asked}
        for (look, expect), (right, asked) in tally.items()
    ]
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    bounds = [
        {
            "figure": f"{row['expect']}, {row['look']}",
            "value": row["right"],
            "bound": f"== {row['of']}",
            "met": row["right"] == row["of"],
        }
        for row in rows
    ]
    return {"rows": rows, "bounds": bounds, "missed": missed}


def _ask(
    case: dict[str, Any],
    memory: Memory,
    look: str,
    tally: dict[tuple[str, str], list[int]],
    missed: list[str],
) -> None:
    memory.add_many(
        NewEvent(content=item["text"], external_id=item["id"], metadata=item.get("metadata", {}))
        for item in case["documents"]
    )
    if look == LOOKS[1]:
        memory.consolidate()
    for name in case["delete_ids"]:
        memory.forget(external_id=name)
    for number, probe in enumerate(case["probes"]):
        found = memory.search(probe["query"], budget=BUDGET)
        said = _plain(
            " ".join(
                f"{item.title} {' '.join(item.headings)} {entry.text}"
                for item in found.evidence
                for entry in item.entries
            )
        )
        holds = any(_plain(word) in said for word in probe["keywords"])
        right = holds == (probe["expect"] == "present")
        counts = tally[look, probe["expect"]]
        counts[0] += right
        counts[1] += 1
        if not right:
            missed.append(f"{case['id']}, probe {number}, {look}")


def _plain(text: str) -> str:
    """Compare words and digits only, as the keywords are written."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', text.lower()))} "
