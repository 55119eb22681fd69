"""With a real model: updates written, waiting or missed; and a conversation through every step."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from evals.locomo import conversations
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


def drive(data: Path, *, model: str, limit: int | None = None) -> dict[str, Any]:
    """Let a model keep a conversation, in portions; look at every law afterwards.

    Args:
        data: folder with the data sets.
        model: as `Memory.open` takes it.
        limit: how many turns of the first conversation.
    """
    talk = next(iter(conversations(data, limit=1)))
    settings = Settings(auto=False, model_seconds=600.0, current_tokens=1500, prompt_tokens=1500)
    totals: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(folder, model=model, settings=settings) as memory,
    ):
        events = talk.events[:limit]
        for at in range(0, len(events), 60):
            memory.add_many(events[at : at + 60])
            memory.consolidate()
            run = memory.last_run
            assert run is not None
            totals += Counter(used=run.used, repaired=run.repaired, reworded=run.reworded)
            totals += Counter(calls=run.spent.calls, tokens=run.spent.tokens)
            for left in run.left_to_rules:
                steps[f"{left.step}: {left.reason}"] += left.times
            print(at, run.to_dict() | {"receipts": len(run.receipts)}, flush=True)
        said = {event.content for event in events}
        logged = {r.body["content"] for r in memory.log(kind="event") if r.body}
        found = [
            e
            for d in memory.documents()
            for b in memory.document(d.document_id).blocks
            for e in b.entries
        ]
        cited = {i for e in (*found, *memory.current()) for i in e.external_ids}
        outside = {e.external_id for e in events} - cited
        state = memory.state()
        memory.rebuild()
        flaws = [flaw.text for flaw in memory.check().flaws]
        laws = {
            "events in the log": said <= logged,
            "the same after a rebuild": state == memory.state(),
            "nothing wrong in check": not flaws,
        }
        sample = [e.text for e in found if len(e.seqs) == 1][:40]
        documents = [
            {"title": d.title, "summary": d.summary, "entries": d.entry_count}
            for d in memory.documents()
        ]
        waiting = len(memory.waiting())
    print(json.dumps({**totals, "left": steps, "left out": len(outside), "waiting": waiting}))
    bounds = [{"figure": k, "value": v, "bound": "true", "met": v} for k, v in laws.items()]
    return {
        "bounds": bounds,
        "totals": totals,
        "left_to_rules": steps,
        "outside": sorted(str(x) for x in outside),
        "waiting": waiting,
        "documents": documents,
        "sample": sample,
        "model": model,
        "host": os.cpu_count(),
    }
