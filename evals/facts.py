"""FactConsolidation, single hop, without a model: does the first evidence entry hold the current value?"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoranda import Memory, NewEvent

BOUND = 0.93
_FACT = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Feed each context fact by fact, consolidate, ask every single-hop question."""
    rows = []
    for name, record in _records(data, limit):
        row = {"set": name, **_ask(record)}
        rows.append(row)
        print(
            f"{name:40} {row['facts']:5} facts  first holds {row['first']:.2f}  "
            f"{row['superseded']} superseded",
            flush=True,
        )
    bounds = [
        {
            "figure": row["set"],
            "value": row["first"],
            "bound": f">= {BOUND}",
            "met": row["first"] >= BOUND,
        }
        for row in rows
    ]
    return {"rows": rows, "bounds": bounds}


def _records(data: Path, limit: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    files = [
        *(data / "memoryagentbench").glob("conflict_resolution_dev*"),
        *sorted((data / "factconsolidation").glob("dev_*")),
    ]
    given = 0
    for file in files:
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as stream:
            for record in json.load(stream):
                source = record["metadata"]["source"]
                if "_mh_" in source or (limit is not None and given >= limit):
                    continue
                given += 1
                yield f"{file.name.split('.')[0]}:{source}", record


def _ask(record: dict[str, Any]) -> dict[str, Any]:
    facts = _FACT.findall(record["context"])
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder) as memory:
        memory.add_many(NewEvent(content=fact, source="external") for fact in facts)
        memory.consolidate()
        good = 0
        for question, answers in zip(record["questions"], record["answers"], strict=True):
            evidence = memory.search(question, budget=500).evidence
            first = _normal(evidence[0].entries[0].text) if evidence else ""
            good += any(_normal(answer) in first for answer in answers)
        superseded = memory.status().superseded
    return {
        "facts": len(facts),
        "questions": len(record["questions"]),
        "first": good / len(record["questions"]),
        "superseded": superseded,
    }


def _normal(text: str) -> str:
    bare = re.sub(r"[^\w\s]", "", text.lower())
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())
