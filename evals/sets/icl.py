"""Test-time learning: many labelled sentences, then the label of a new one; labels are metadata."""

from __future__ import annotations

import csv
import gzip
import io
import random
from collections.abc import Iterator
from pathlib import Path

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

SHOTS = 20
"""Examples of each label."""
ASKED = 100
SEED = 11


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give Banking77 and CLINC150 with numbers for labels; what is asked is held out of the examples."""
    made = (_banking(data / "icl"), _clinc(data / "icl"))
    for number, (name, rows) in enumerate(made):
        if rows and (limit is None or number < limit):
            yield _context(name, rows)


def _banking(folder: Path) -> tuple[str, list[tuple[str, str]]]:
    files = sorted(folder.glob("banking77_train*"))
    if not files:
        return "banking77", []
    text = gzip.decompress(files[0].read_bytes()).decode("utf-8")
    return "banking77", [
        (row["text"], row["category"]) for row in csv.DictReader(io.StringIO(text))
    ]


def _clinc(folder: Path) -> tuple[str, list[tuple[str, str]]]:
    files = sorted(folder.glob("clinc150_train_val*"))
    raw = read_json(files[0]) if files else {"train": []}
    return "clinc150", [(text, label) for text, label in raw["train"]]


def _context(name: str, rows: list[tuple[str, str]]) -> Context:
    chance = random.Random(f"{SEED} {name}")  # noqa: S311 - the same draw each time, on purpose
    numbers = {label: number for number, label in enumerate(sorted({label for _, label in rows}))}
    shuffled = chance.sample(rows, len(rows))
    held = shuffled[:ASKED]
    shown: list[tuple[str, str]] = []
    given: dict[str, int] = {}
    for text, label in shuffled[ASKED:]:
        given[label] = given.get(label, 0) + 1
        if given[label] <= SHOTS:
            shown.append((text, label))
    return Context(
        name=name,
        events=tuple(
            NewEvent(
                content=text,
                source="external",
                external_id=f"{number}",
                session=f"example {number}",
                metadata={"label": numbers[label]},
            )
            for number, (text, label) in enumerate(shown)
        ),
        questions=tuple(
            Question(
                name=f"{name} {number}",
                kind=name,
                text=text,
                answers=(str(numbers[label]),),
                judge="exact",
            )
            for number, (text, label) in enumerate(held)
        ),
        details={"labels": {str(n): numbers[label] for n, (_, label) in enumerate(shown)}},
    )
