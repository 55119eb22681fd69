"""The suite `readers` with a scripted model, over a small data set of our own."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from evals import readers, readers_recall
from evals.readers_cases import FILES, cases
from evals.readers_figures import paired, wilson

from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request

PLACES = ("Windmill Nine", "the North Quay", "the Old Bakery", "the Bell Tower")
OWNERS = ("Osei", "Mira", "Ylva", "Berit")


def record(source: str, seed: int, *, hops: int) -> dict[str, Any]:
    """Facts in two versions, the second of which holds."""
    old = [
        f"The owner of {place} is {who}." for place, who in zip(PLACES, OWNERS[::-1], strict=True)
    ]
    new = [f"The owner of {place} is {who}." for place, who in zip(PLACES, OWNERS, strict=True)]
    phones = [f"The phone number of {who} is 555-{seed}{at}." for at, who in enumerate(OWNERS)]
    facts = [*old, *new, *phones]
    ask = "Who is the owner of {}?" if hops == 1 else "What is the phone number of the owner of {}?"
    gold = [[4 + at] if hops == 1 else [4 + at, 8 + at] for at in range(4)]
    return {
        "context": "Facts:\n" + "\n".join(f"{number}. {fact}" for number, fact in enumerate(facts)),
        "questions": [ask.format(place) for place in PLACES],
        "answers": [[OWNERS[at] if hops == 1 else f"555-{seed}{at}"] for at in range(4)],
        "metadata": {"source": source, "gold_serials": gold, "generator": {"seed": seed}},
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The data sets in their forms."""
    folder = tmp_path / "data" / "factconsolidation"
    folder.mkdir(parents=True)
    for seed, file in enumerate(FILES, start=1):
        sets = [
            record(f"{kind}_{seed}", seed, hops=hops) for kind, hops in (("f_mh", 2), ("f_sh", 1))
        ]
        (folder / f"{file}.json").write_text(json.dumps(sets), encoding="utf-8")
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2026",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "The harbour keys are in the blue tin."},
            {"speaker": "Olek", "dia_id": "D1:2", "text": "And the wind pump runs again."},
        ],
    }
    asked = {"question": "Where are the harbour keys?", "answer": "blue tin", "category": 4}
    item = {"sample_id": "talk-1", "conversation": talk, "qa": [{**asked, "evidence": ["D1:1"]}]}
    (tmp_path / "data" / "locomo").mkdir()
    with gzip.open(
        tmp_path / "data" / "locomo" / "locomo_dev.json.gz", "wt", encoding="utf-8"
    ) as file:
        json.dump([item], file)
    return tmp_path / "data"


def knows(request: Request) -> Any:
    """A model that reads nothing, answers nothing by our form, and Osei to plain questions."""
    fields = (request.schema or {}).get("properties", {})
    if "because" in fields:
        return {"because": [], "answer": ""}
    if "calls" in fields or request.tools:
        return {"calls": [], "lines": [], "done": True}
    if "hops" in fields:
        return {"hops": ["Which?"]}
    if "value" in fields:
        return {"line": None, "value": ""}
    if fields:
        return {name: [] for name in fields}
    return "Osei, I think."


def test_the_list_is_fixed_and_its_beginning_is_mixed(data: Path) -> None:
    first, second = cases(data), cases(data)
    assert [case.name for case in first] == [case.name for case in second]
    kinds = [case.kind for case in first]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "single-hop": 16,
        "multi-hop": 16,
        "talk": 1,
    }
    assert set(kinds[:4]) >= {"single-hop", "multi-hop"}


def test_it_asks_scores_writes_and_goes_on_where_it_stopped(data: Path, tmp_path: Path) -> None:
    model = ScriptedModel(knows, name="scripted: one")
    out = tmp_path / "out"
    result = readers.run(data, model=model, limit=3, out=out)
    file = Path(result["file"])
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 3 * len(readers.METHODS)
    plain = [row for row in rows if row["method"] == "chunks"]
    assert [row["right"] for row in plain] == [
        "osei" in row["said"].lower() and _owned(row, data) for row in plain
    ]
    assert all(row["hit"] for row in rows)
    chains = [row for row in rows if row["kind"] == "multi-hop" and row["method"] == "agentic"]
    assert chains
    assert all(row["right"] and len(row["hops"]) == 2 for row in chains)
    assert result["bounds"][0]["met"]
    assert result["bounds"][0]["value"] > 0
    calls = len(model.requests)
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    again = readers.run(data, model=model, limit=3, out=out)
    assert 0 < len(model.requests) - calls < calls
    assert again["rows"] == [
        {**new, "seconds": old["seconds"]} | {"seconds": new["seconds"]}
        for new, old in zip(again["rows"], result["rows"], strict=True)
    ]


def _owned(row: dict[str, Any], data: Path) -> bool:
    case = next(case for case in cases(data) if case.name == row["case"])
    return case.answers == ("Osei",)


def test_a_policy_that_names_nothing_loses_nothing(data: Path) -> None:
    result = readers_recall.run(data)
    assert [row["met"] for row in result["bounds"]] == [True] * 4


def test_intervals() -> None:
    assert wilson(0, 10) == (0.0, 0.278)
    assert wilson(10, 10) == (0.722, 1.0)
    assert paired([True] * 5, [False] * 5) == (1.0, 1.0, 1.0)
    mean, low, high = paired([True, False] * 20, [False, True] * 20)
    assert (mean, low < 0 < high) == (0.0, True)


def test_an_answer_is_normalised_as_the_benchmark_does() -> None:
    assert readers.normal("The  D.C. area, 3,000!") == "dc area 3000"
