"""MQuAKE-hard: four facts that were changed, and a question that needs all four."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

EACH = 25
"""Instances that share one context."""


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give contexts of 25 instances each: first all facts as they were, then all as they are."""
    path = min((data / "mquake_hard").glob("mquake_hard_dev*"))
    items = read_json(path)
    parts = [items[at : at + EACH] for at in range(0, len(items), EACH)]
    for number, part in enumerate(parts[:limit]):
        yield _context(f"mquake {number + 1}", part)


def _context(name: str, items: list[Any]) -> Context:
    versions: dict[str, tuple[str, str]] = {}
    for item in items:
        for change in item["requested_rewrite"]:
            begin = change["prompt"].format(change["subject"])
            versions.setdefault(begin, (change["target_true"]["str"], change["target_new"]["str"]))
    ids = {begin: str(number) for number, begin in enumerate(versions)}
    told = [
        NewEvent(
            content=f"{begin} {values[age]}.", source="external", external_id=f"{ids[begin]}:{age}"
        )
        for age in (0, 1)
        for begin, values in versions.items()
    ]
    return Context(
        name=name,
        events=tuple(told),
        questions=tuple(_question(name, item, ids) for item in items),
        rule="Of two facts that contradict each other the later one holds.",
    )


def _question(name: str, item: Any, ids: dict[str, str]) -> Question:  # noqa: ANN401 - JSON
    begins = [change["prompt"].format(change["subject"]) for change in item["requested_rewrite"]]
    return Question(
        name=f"{name} {item['case_id']}",
        kind="4 hops",
        text=item["questions"][0],
        answers=(item["new_answer"], *item["new_answer_alias"]),
        gold=frozenset(f"{ids[begin]}:1" for begin in begins),
        avoid=(item["answer"],),
    )
