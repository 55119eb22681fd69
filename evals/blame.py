"""Blame on whole conversations: after 20 consolidations every line resolves to its events."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals import locomo
from memoranda import Memory, Settings

ROUNDS = 20
SAYING = ("entry", "heading", "title", "summary")
SMALL = Settings(auto=False, current_tokens=1500, split_tokens=2000, merge_tokens=700)
"""Small thresholds, so that documents are split and merged many times."""


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Take each conversation in by 20 parts, consolidate after each, and ask for blame at the end."""
    rows = []
    for conversation in locomo.conversations(data, limit):
        row = {"conversation": conversation.name, **_of(conversation)}
        rows.append(row)
        print(
            f"{row['conversation']:16} {row['documents']:4} documents {row['splits']:4} splits "
            f"{row['merges']:4} merges {row['lines']:6} lines {row['unresolved']:4} unresolved",
            flush=True,
        )
    lines, lost = sum(row["lines"] for row in rows), sum(row["unresolved"] for row in rows)
    shapes = sum(row["splits"] + row["merges"] for row in rows)
    print(f"\n{lines} lines in {len(rows)} conversations, {lost} unresolved, {shapes} shapes")
    bounds = [
        {"figure": "unresolved lines", "value": lost, "bound": "== 0", "met": lost == 0},
        {"figure": "splits and merges", "value": shapes, "bound": "> 0", "met": shapes > 0},
    ]
    return {"rows": rows, "bounds": bounds}


def _of(conversation: Any) -> dict[str, int]:  # noqa: ANN401
    events = list(conversation.events)
    size = -(-len(events) // ROUNDS)
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, settings=SMALL) as memory:
        for start in range(0, len(events), size):
            part = [replace(event, actor="locomo") for event in events[start : start + size]]
            memory.add_many(part)
            memory.consolidate()
        return counted(memory)


def counted(memory: Memory) -> dict[str, int]:
    """Count the lines that say something, and those that blame does not resolve to what they say."""
    said = {record.record_id: (record.body or {})["content"] for record in memory.log(kind="event")}
    plans = {record.record_id: record for record in memory.log(kind="plan")}
    shapes: Counter[str] = Counter()
    for record in plans.values():
        shapes.update(operation["op"] for operation in (record.body or {})["operations"])
    counts: Counter[str] = Counter()
    for info in memory.documents():
        found = memory.blame(info.document_id)
        counts["seen"] += sum(line.lines[1] - line.lines[0] + 1 for line in found.lines)
        counts["printed"] += memory.document(info.document_id).markdown.count("\n")
        for line in found.lines:
            if line.kind in SAYING:
                counts["lines"] += 1
                counts["unresolved"] += not _resolves(line, said, plans)
    return {
        "documents": len(memory.documents()),
        "splits": shapes["split"],
        "merges": shapes["merge"],
        "lines": counts["lines"],
        "unresolved": counts["unresolved"] + counts["printed"] - counts["seen"],
    }


def _resolves(line: Any, said: dict[str, str], plans: dict[str, Any]) -> bool:  # noqa: ANN401
    """Say whether a line names events that are there, a plan that is there, and who it was."""
    known = bool(line.event_ids) and all(name in said for name in line.event_ids)
    placed = line.plan_id in plans and line.by == (plans[line.plan_id].body or {})["by"]
    return known and placed and bool(line.seqs) and line.actors == ("locomo",)
