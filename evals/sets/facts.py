"""FactConsolidation: numbered facts in versions, of which the newest holds; single and multi hop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

FACT = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
RULE = "Of two facts that contradict each other the one with the larger number holds."


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the published sets, then the generated ones; multi-hop questions don't count in `first`.

    Single-hop and multi-hop questions on the same facts share one context.
    """
    files = [
        *sorted((data / "memoryagentbench").glob("conflict_resolution_dev*")),
        *sorted((data / "factconsolidation").glob("dev_*")),
    ]
    given = 0
    for file in files:
        groups: dict[str, list[Any]] = {}
        for record in read_json(file):
            groups.setdefault(record["context"], []).append(record)
        for records in groups.values():
            if limit is not None and given >= limit:
                return
            given += 1
            yield _context(file.name.partition(".")[0], records)


def _context(file: str, records: list[Any]) -> Context:
    names = [record["metadata"]["source"] for record in records]
    return Context(
        name=f"{file}:{re.sub('_(?:sh|mh)_', '_', names[0])}",
        events=tuple(
            NewEvent(content=text, source="external", external_id=number)
            for number, text in FACT.findall(records[0]["context"])
        ),
        questions=tuple(question for record in records for question in _questions(file, record)),
        rule=RULE,
    )


def _questions(file: str, record: Any) -> Iterator[Question]:  # noqa: ANN401 - JSON
    source = record["metadata"]["source"]
    kind = "multi-hop" if "_mh_" in source else "single-hop"
    gold = record["metadata"].get("gold_serials")
    stale = record["metadata"].get("stale_answers")
    rows = zip(record["questions"], record["answers"], strict=True)
    for number, (question, answers) in enumerate(rows):
        yield Question(
            name=f"{file}:{source} {number}",
            kind=kind,
            text=question,
            answers=tuple(answers),
            gold=frozenset(map(str, gold[number])) if gold else frozenset(),
            avoid=tuple(map(str, stale[number] or ())) if stale else (),
            counts=kind == "single-hop",
        )
