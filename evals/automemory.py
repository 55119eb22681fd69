"""AutoMemoryBench: deleted memories stay away, superseded ones stand under their successors."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda import Entry, Found, Memory, Settings
from memoranda.text.tokens import count

BUDGET = 300
RECALL = 0.6
WAYS = ("told", "said")
"""`told`: the application does through the library what a case's units say: it corrects and retracts
what is over, forgets, and gives what expires its time. `said`: the turns
are added, and rules make of them what they can."""
NEVER_STORED, AT_ONCE, EXPIRES = "do_not_store", "delete_immediately", "expire_before_final_state"


@dataclass(slots=True, kw_only=True)
class Tally:
    """What came back over all queries of one way."""

    queries: int = 0
    wanted: list[float] = field(default_factory=list)
    """Share of the required memories that came back, a query each."""
    deleted: int = 0
    bare: int = 0
    """Superseded memories that stood without what replaced them."""
    superseded: int = 0
    notes: int = 0
    """Context notes among the forbidden ones that were shown."""
    ceiling: list[float] = field(default_factory=list)
    """The share that fits the budget when nothing but required memories is shown, shortest first."""
    asked: int = 0
    """Context notes that the queries forbid."""


class Clock:
    """Stands where it is put."""

    def __init__(self) -> None:
        self.now = datetime.fromisoformat("2020-01-01T00:00:00Z")

    def __call__(self) -> datetime:
        """Give the time."""
        return self.now

    def to(self, text: str | None) -> None:
        """Go on to a time; never back."""
        if text:
            self.now = max(self.now, datetime.fromisoformat(text))


def cases(data: Path, limit: int | None = None) -> Iterator[dict[str, Any]]:
    """Read the cases, domain by domain."""
    number = 0
    for path in sorted((data / "automemorybench").glob("*_dev.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for case in json.load(stream)["cases"]:
                if limit is not None and number >= limit:
                    return
                number += 1
                yield case


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Keep each case in both ways, and put its queries within 300 tokens of evidence."""
    tallies = {way: Tally() for way in WAYS}
    for case in cases(data, limit):
        for way, tally in tallies.items():
            clock = Clock()
            settings = Settings(asked_to_forget="run" if way == "said" else "ignore")
            with (
                tempfile.TemporaryDirectory() as folder,
                Memory.open(folder, settings=settings, clock=clock) as memory,
            ):
                ids = _keep(case, memory, clock, told=way == "told")
                _ask(case, memory, clock, ids, tally)
    rows = [_row(way, tally) for way, tally in tallies.items()]
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    return {"rows": rows, "bounds": _bounds(rows[0]), "budget": BUDGET}


def _keep(case: Mapping[str, Any], memory: Memory, clock: Clock, *, told: bool) -> dict[int, str]:
    """Add a case's turns in order; give the memory that each entry stands for."""
    units = {name: unit for unit in case["gold_memory_units"] for name in unit["source_trace_ids"]}
    for unit in units.values():
        unit["over"] = [
            other["memory_id"]
            for other in units.values()
            if other["valid_until"] == unit["valid_from"]
            and other["status"] == "superseded"
            and other["memory_id"] != unit["update_of"]
        ]
    first = min(query["timestamp"] for query in case["queries"])
    ids: dict[int, str] = {}
    for session in case["sessions"]:
        for turn in session["turns"]:
            unit = units.get(turn["turn_id"])
            clock.to(unit["valid_from"] if unit else None)
            if told and unit is not None:
                _told(turn, unit, memory, ids, first)
            else:
                added = memory.add(
                    turn["content"], source=turn["role"], session=session["session_id"]
                )
                name = unit["memory_id"] if unit else turn["turn_id"]
                ids |= dict.fromkeys(added.seqs, name)
    clock.to(first)
    memory.consolidate()
    return ids


def _told(
    turn: Mapping[str, Any],
    unit: Mapping[str, Any],
    memory: Memory,
    ids: dict[int, str],
    first: str,
) -> None:
    """Do what the unit of a turn says, as an application would through the library."""
    policy = unit["forget_policy"]
    known = {name: seq for seq, name in reversed(ids.items())}
    if policy == NEVER_STORED:
        return
    if policy == AT_ONCE:
        for name in unit["invalidates"]:
            memory.forget(entry=known[name])
        return
    if unit["update_of"]:
        added = memory.correct(known[unit["update_of"]], turn["content"])
        for name in unit["over"]:
            memory.retract(known[name], reason="no longer")
    else:
        kept = {"retention": f"{first} forget"} if policy == EXPIRES else {}
        added = memory.add(turn["content"], source=turn["role"], metadata=kept)
    ids |= dict.fromkeys(added.seqs, unit["memory_id"])


def _ask(
    case: Mapping[str, Any], memory: Memory, clock: Clock, ids: Mapping[int, str], tally: Tally
) -> None:
    status = {unit["memory_id"]: unit["status"] for unit in case["gold_memory_units"]}
    kinds = {unit["memory_id"]: unit["memory_type"] for unit in case["gold_memory_units"]}
    for query in case["queries"]:
        clock.to(query["timestamp"])
        found = memory.search(query["prompt"], budget=BUDGET)
        shown = {ids[seq] for seq in _seqs(found) if seq in ids}
        tally.queries += 1
        tally.deleted += sum(status.get(name) == "deleted" for name in shown)
        tally.superseded += sum(status.get(name) == "superseded" for name in shown)
        tally.bare += _bare(found, ids, status)
        gold = set(query["gold_memory_ids"])
        if gold:
            tally.wanted.append(len(gold & shown) / len(gold))
            tally.ceiling.append(_fits(gold, ids, memory) / len(gold))
        notes = {n for n in query["forbidden_memory_ids"] if kinds[n] == "context_note"}
        tally.asked += len(notes)
        tally.notes += len(notes & shown)


def _fits(gold: set[str], ids: Mapping[int, str], memory: Memory) -> int:
    """Count how many required memories fit the budget, by their own words alone."""
    sizes: dict[str, int] = {}
    for seq, name in ids.items():
        if name in gold and name not in sizes:
            entry = memory.get(seq)
            sizes[name] = count(entry.text) if isinstance(entry, Entry) else 0
    left, number = BUDGET, 0
    for size in sorted(sizes.values()):
        left -= size
        number += left >= 0
    return number


def _seqs(found: Found) -> list[int]:
    return [seq for item in found.evidence for entry in item.entries for seq in entry.seqs]


def _bare(found: Found, ids: Mapping[int, str], status: Mapping[str, str]) -> int:
    """Count superseded memories that are shown as if they held, or without their successor."""
    bare: Counter[str] = Counter()
    there = set(_seqs(found))
    for item in found.evidence:
        for entry in item.entries:
            after = entry.superseded_by or entry.possibly_replaced_by
            for seq in entry.seqs:
                if status.get(ids.get(seq, "")) == "superseded" and after not in there:
                    bare[ids[seq]] += 1
    return len(bare)


def _row(way: str, tally: Tally) -> dict[str, Any]:
    return {
        "way": way,
        "queries": tally.queries,
        "deleted shown": tally.deleted,
        "superseded shown": tally.superseded,
        "of these bare": tally.bare,
        "required recall": round(sum(tally.wanted) / max(1, len(tally.wanted)), 4),
        "ceiling": round(sum(tally.ceiling) / max(1, len(tally.ceiling)), 4),
        "context notes shown": tally.notes,
        "of": tally.asked,
    }


def _bounds(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "figure": "deleted shown",
            "value": row["deleted shown"],
            "bound": "== 0",
            "met": not row["deleted shown"],
        },
        {
            "figure": "superseded without its successor",
            "value": row["of these bare"],
            "bound": "== 0",
            "met": not row["of these bare"],
        },
        {
            "figure": "required recall",
            "value": row["required recall"],
            "bound": f">= {RECALL}",
            "met": row["required recall"] >= RECALL,
        },
    ]
