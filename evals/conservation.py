"""Conservation on whole conversations: every event cited, every entry in one place, nothing changed."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evals import locomo, realmem
from memoranda import Memory, NewEvent


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Consolidate every conversation of LoCoMo and RealMem and look where each event went."""
    rows = []
    for name, events in _conversations(data, limit):
        row = {"conversation": name, "events": len(events), **_count(events)}
        rows.append(row)
        print(f"{name:24} {row['events']:6} events  faults: {row['faults']}", flush=True)
    faults = sum(row["faults"] for row in rows)
    total = sum(row["events"] for row in rows)
    print(f"\n{total} events in {len(rows)} conversations, {faults} faults")
    bounds = [{"figure": "faults", "value": faults, "bound": "== 0", "met": faults == 0}]
    return {"rows": rows, "bounds": bounds}


def _conversations(data: Path, limit: int | None) -> Iterator[tuple[str, Sequence[NewEvent]]]:
    for conversation in locomo.conversations(data, limit):
        yield conversation.name, conversation.events
    for persona in realmem.personas(data, limit):
        yield persona.name, persona.events


def _count(events: Sequence[NewEvent]) -> dict[str, Any]:
    said = {event.external_id: event for event in events}
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
        memory.add_many(events)
        memory.consolidate()
        placed: Counter[int] = Counter()
        cited: Counter[str] = Counter()
        changed = 0
        for info in memory.documents():
            for block in memory.document(info.document_id).blocks:
                for entry in block.entries:
                    placed.update(entry.seqs)
                    cited.update(entry.external_ids)
                    changed += _changed(entry, said)
        entries = memory.status().entries
        left = len(memory.current())
    uncited = sum(name not in cited for name in said)
    doubled = sum(times > 1 for times in placed.values())
    lost = entries - len(placed)
    return {
        "entries": entries,
        "uncited": uncited,
        "doubled": doubled,
        "lost": lost,
        "changed": changed,
        "left_in_current": left,
        "faults": uncited + doubled + lost + changed + left,
    }


def _changed(entry: Any, said: dict[str | None, NewEvent]) -> int:  # noqa: ANN401
    """Count the ways in which an entry differs from every event that it cites."""
    faults = 0
    for name in entry.external_ids:
        event = said[name]
        same = event.content.casefold().split() == entry.text.casefold().split()
        inside = entry.text in event.content or same or len(entry.seqs) > 1
        faults += not inside
        faults += (event.source, event.speaker) != (entry.source, entry.speaker)
    first = said[entry.external_ids[0]]
    faults += (first.time or "")[:10] != (entry.time or "")[:10]
    return faults
