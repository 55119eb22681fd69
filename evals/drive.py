"""With a real model: a whole conversation through every step of upkeep, and every law afterwards."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals import blame, locomo
from evals.running import bound, file_part, read_rows
from memoranda import Memory, NewEvent, Settings

PORTION = 10
"""Turns that come in before each consolidation."""
SMALL = Settings(
    auto=False, model_seconds=1800.0, current_tokens=600, prompt_tokens=600, reply_tokens=1500,
    split_tokens=1500, merge_tokens=200, keep_calls=True,
)  # fmt: skip
"""Small windows and thresholds: a small model reads little at once, and documents are reshaped too."""
Row = dict[str, Any]


def run(data: Path, *, model: str, limit: int | None = None, out: Path = Path("eval-out")) -> Row:
    """Let a model keep the shortest conversation, in portions; look at every law afterwards.

    The memory and one line of JSON for each portion stay in the folder of the results: a run that was
    broken off goes on where it stopped.

    Args:
        data: folder with the data sets.
        model: as `Memory.open` takes it.
        limit: how many turns of the conversation.
        out: folder of the results.
    """
    talk = min(locomo.conversations(data), key=lambda one: len(one.events))
    events = [replace(event, actor="locomo") for event in talk.events[:limit]]
    name = f"drive-{file_part(model)}"
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{name}.jsonl"
    with Memory.open(out / name, model=model, settings=SMALL) as memory:
        known = {(r.body or {}).get("external_id") for r in memory.log(kind="event")}
        missing = [event for event in events if event.external_id not in known]
        for at in range(0, len(missing), PORTION):
            row = _portion(memory, missing[at : at + PORTION])
            with file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{len(known) + at + PORTION} of {len(events)}: {row}", flush=True)
        laws = dict(_laws(memory, events))
        documents = [
            {"title": d.title, "summary": d.summary, "entries": d.entry_count}
            for d in memory.documents()
        ]
    rows = read_rows(file)
    totals = _totals(rows)
    print(json.dumps(totals, ensure_ascii=False), json.dumps(laws), sep="\n")
    bounds = [bound(figure, number, "==", 0) for figure, number in laws.items()]
    return {
        "conversation": talk.name, "turns": len(events), "portions": len(rows), "totals": totals,
        "bounds": bounds, "rows": rows, "documents": documents,
    }  # fmt: skip


def _portion(memory: Memory, events: list[NewEvent]) -> Row:
    begun = time.monotonic()
    memory.add_many(events)
    memory.consolidate()
    run = memory.last_run
    assert run is not None
    return {
        "used": run.used, "repaired": run.repaired, "halved": run.halved, "reworded": run.reworded,
        "calls": run.spent.calls, "tokens": run.spent.tokens, "stopped": run.stopped,
        "left_to_rules": {f"{x.step}: {x.reason}": x.times for x in run.left_to_rules},
        "seconds": round(time.monotonic() - begun, 1),
    }  # fmt: skip


def _totals(rows: list[Row]) -> Row:
    sums: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for row in rows:
        sums.update({k: v for k, v in row.items() if isinstance(v, (int, float))})
        left.update(row["left_to_rules"])
    return {**sums, "left_to_rules": dict(left.most_common())}


def _laws(memory: Memory, events: list[NewEvent]) -> Iterator[tuple[str, int]]:
    """Count what breaks a law: each figure is 0 in a memory that holds them."""
    said = Counter(event.content for event in events)
    logged = Counter((r.body or {})["content"] for r in memory.log(kind="event"))
    yield "events not in the log word for word", sum((said - logged).values())
    made = (r.body or {} for r in memory.log(kind="extraction"))
    last = max((entry["seq"] for body in made for entry in body["entries"]), default=0)
    entries = [memory.get(seq) for seq in range(1, last + 1)]
    cited = {name for entry in entries if entry for name in entry.external_ids}
    yield "events that no entry cites", len({event.external_id for event in events} - cited)
    yield from _places(memory, entries)
    yield (
        "entries of another trust than their events",
        sum(entry is not None and entry.source != "user" for entry in entries),
    )
    yield "lines that resolve to no event", blame.counted(memory)["unresolved"]
    yield "flaws found by check", len(memory.check(full=True).flaws)
    state = memory.state()
    memory.rebuild()
    yield "rebuilds that differ", int(memory.state() != state)
    unfound = sum(not _found(memory, event) for event in events)
    yield "events that a search for their words does not find", unfound


def _places(memory: Memory, entries: list[Any]) -> Iterator[tuple[str, int]]:
    """Count entries that stand nowhere, or twice, and were not left out by name."""
    placed: Counter[int] = Counter()
    for info in memory.documents():
        for block in memory.document(info.document_id).blocks:
            for entry in block.entries:
                placed.update(entry.seqs)
                placed.update(seq for seq in entry.supersedes if seq not in placed)
    for entry in memory.current():
        placed.update(entry.seqs)
    omitted = {
        operation["seq"]
        for record in memory.log(kind="plan")
        for operation in (record.body or {})["operations"]
        if operation["op"] == "leave_out"
    }
    yield "entries in two places", sum(times > 1 for times in placed.values())
    nowhere = [
        seq
        for seq, entry in enumerate(entries, start=1)
        if entry and not {seq, *entry.seqs} & placed.keys()
    ]
    yield "entries in no place and not left out by name", len(set(nowhere) - omitted)


def _found(memory: Memory, event: NewEvent) -> bool:
    """Say whether a search for the words of an event gives it, word for word."""
    hits = memory.events(event.content).hits
    return any(hit.event.content == event.content for hit in hits)
