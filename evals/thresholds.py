"""The split threshold by rules, 1,000 to 9,000 tokens: number and size of documents, what is found."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from evals import stats
from evals.forms import Row, data_hash
from evals.retrieval import share
from evals.running import Options, Run
from evals.sets import SETS, contexts
from memoranda import Memory, Settings

OF = ("locomo", "realmem", "factconsolidation")
SPLITS = (1000, 3000, 5000, 7000, 9000)
EVERY = 4
"""Each fourth question is asked."""


def run(options: Options) -> Row:
    """Keep the contexts of three sets with each threshold, and look at the documents."""
    files = [path for name in OF for path in SETS[name].found(options.data)]
    run = Run("thresholds", options, data_hash(files, options.data))
    units = [f"{name}|{context.name}" for name, context in _contexts(options.data, options.limit)]
    run.go([f"{unit}|{split}" for unit in units for split in SPLITS], _work)
    return run.result(_figures(run.rows))


def _contexts(data: Path, limit: int | None) -> Iterator[tuple[str, object]]:
    for name in OF:
        for context in contexts(name, data, limit):
            yield name, context


def _work(options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
    name, wanted, split = unit.split("|")
    if known:
        return
    context = next(c for c in contexts(name, options.data) if c.name == wanted)
    settings = Settings(split_tokens=int(split))
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, settings=settings) as memory:
        memory.add_many(context.events)
        memory.consolidate()
        sizes = sorted(info.token_count for info in memory.documents())
        asked = [question for question in context.questions if question.counts][::EVERY]
        hits = [
            share(question, memory.search(question.query)) for question in asked if question.gold
        ]
    yield {"name": unit, "set": name, "split": int(split), "sizes": sizes, "hits": hits}


def _figures(rows: list[Row]) -> Row:
    table = []
    for name in OF:
        for split in SPLITS:
            own = [row for row in rows if (row["set"], row["split"]) == (name, split)]
            sizes = sorted(size for row in own for size in row["sizes"])
            hits = [hit for row in own for hit in row["hits"]]
            if sizes:
                table.append(
                    {
                        "set": name, "split": split, "documents": len(sizes),
                        "mean tokens": round(sum(sizes) / len(sizes)),
                        "p25": sizes[len(sizes) // 4], "median": sizes[len(sizes) // 2],
                        "p75": sizes[len(sizes) * 3 // 4], "p95": sizes[int(len(sizes) * 0.95)],
                        "largest": sizes[-1],
                        "above": sum(size > split for size in sizes),
                        "gold at 2,000": stats.mean(hits),
                    }
                )  # fmt: skip
    return {"tables": {"by threshold": table}, "bounds": []}
