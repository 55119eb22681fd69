"""PrecisionMemBench: only the right memory comes back, not one of another scope or a replaced one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memoranda import Memory, NewEvent, Settings

FIRST = (1, 3, 5)
"""So many of the first lines are looked at."""
BUDGET = 300
"""Tokens of evidence."""
UNIVERSAL = "user:universal"
Belief = Mapping[str, Any]


def read(data: Path, name: str) -> list[dict[str, Any]]:
    """Read one of its files."""
    with (data / "precisionmembench" / name).open(encoding="utf-8") as stream:
        found: list[dict[str, Any]] = json.load(stream)
    return found


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Store the beliefs as memories, a project each scope, and ask each case in its scopes.

    What a case wants is what it wants to be relevant, pinned or open: tiers are one product's notion.
    A belief that was replaced is stored first, and corrected by the one that replaced it.
    """
    beliefs = {item["_id"]: item for item in read(data, "beliefs.seed.json")}
    cases = read(data, "retrieval_cases_dev.json")[:limit]
    sums = {first: [0.0, 0.0, 0] for first in FIRST}
    wrong = {"other scope": 0, "other user": 0, "replaced as current": 0}
    with tempfile.TemporaryDirectory() as folder:
        ids = store(beliefs, Path(folder))
        for case in cases:
            found = [*ask(case, Path(folder), ids, wrong, beliefs)]
            wanted = _wanted(case)
            for first in FIRST if wanted else ():
                own = found[:first]
                hits = len(wanted & set(own))
                sums[first][0] += hits / len(own) if own else 0.0
                sums[first][1] += hits / min(first, len(wanted))
                sums[first][2] += 1
    rows = [
        {
            "first": first,
            "precision": round(precision / max(1, asked), 3),
            "recall": round(recall / max(1, asked), 3),
            "asked": asked,
        }
        for first, (precision, recall, asked) in sums.items()
    ]
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    bounds = [
        {"figure": name, "value": value, "bound": "== 0", "met": not value}
        for name, value in wrong.items()
    ]
    return {"rows": rows, "bounds": bounds, "cases": len(cases)}


def _wanted(case: Mapping[str, Any]) -> set[str]:
    expect = case["expect"]
    found = set(expect["relevantBeliefs"].get("shouldOnlyInclude", ()))
    for tier in ("pinnedFacts", "openQuestions"):
        found |= set(expect.get(tier, {}).get("mustInclude", ()))
    return found


def store(beliefs: Mapping[str, Belief], root: Path) -> dict[str, str]:
    """Store the beliefs; give event id -> belief id."""
    ids: dict[str, str] = {}
    after = {item["superseded_by"] for item in beliefs.values() if item["superseded_by"]}
    for user in sorted({item["user_id"] for item in beliefs.values()}):
        own = {name: item for name, item in beliefs.items() if item["user_id"] == user}
        with Memory.open(root, user=user, settings=Settings(auto=False)) as memory:
            for name, item in own.items():
                if name not in after:
                    ids[_add(memory, item)] = name
            for name, item in own.items():
                if name in after:
                    continue
                _follow(memory, item, own, ids)
            for name, item in own.items():
                if name not in ids.values():
                    ids[_add(memory, item)] = name
            memory.consolidate()
    return ids


def _follow(memory: Memory, item: Belief, own: Mapping[str, Belief], ids: dict[str, str]) -> None:
    """Correct a belief by what replaced it, and that by what replaced it in turn."""
    event = next(at for at, name in ids.items() if name == item["_id"])
    while item["superseded_by"] in own and item["superseded_by"] not in ids.values():
        item = own[item["superseded_by"]]
        seq = next(
            entry.seq for info in (memory.current(),) for entry in info if event in entry.event_ids
        )
        (event,) = memory.correct(seq, _text(item)).event_ids
        ids[event] = item["_id"]


def _add(memory: Memory, item: Belief) -> str:
    (event,) = memory.add_many(
        [NewEvent(content=_text(item), project=_project(item["scope"][0]))]
    ).event_ids
    return event


def _text(item: Belief) -> str:
    names = [item["canonical_name"].replace("_", " "), *item["aliases"]]
    return f"{', '.join(names)}: {item['content']}"


def _project(scope: str) -> str | None:
    return None if scope == UNIVERSAL else scope.partition(":")[2]


def ask(
    case: Mapping[str, Any],
    root: Path,
    ids: Mapping[str, str],
    wrong: dict[str, int],
    beliefs: Mapping[str, Belief],
) -> Iterator[str]:
    """Ask one case in its scopes; give the beliefs that came back, best first, and count wrong ones."""
    if not case["query"].strip():
        return
    projects = [name for scope in case["scope"] if (name := _project(scope)) is not None]
    user = case.get("userId", "test-user")
    with Memory.open(root, user=user, projects=projects, settings=Settings(auto=False)) as memory:
        found = memory.search(case["query"], budget=BUDGET)
    for item in found.evidence:
        for entry in item.entries:
            name = ids[entry.event_ids[0]]
            belief = beliefs[name]
            wrong["other user"] += belief["user_id"] != user
            wrong["other scope"] += _project(belief["scope"][0]) not in {None, *projects}
            current = entry.superseded_by is None
            wrong["replaced as current"] += current and bool(belief["superseded_by"])
            if current:
                yield name
