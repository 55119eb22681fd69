"""The control set of the judge: right answers it should take, planted wrong and vague ones it must refuse."""

from __future__ import annotations

from collections.abc import Iterator

from evals import stats
from evals.answering import SECONDS, model_of
from evals.constructed.cases import HERE
from evals.forms import Row, data_hash
from evals.judges import by_model
from evals.running import Options, Run, bound

FILE = HERE / "judge_control.txt"
REFUSED = 0.95


def run(options: Options) -> Row:
    """Let a model judge the planted answers; `limit` counts questions."""
    run = Run("judge", options, data_hash([FILE], HERE))
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    run.go([str(number) for number in range(len(lines[: options.limit]))], _work)
    return run.result(_figures(run.rows))


def _work(options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
    model = model_of(options.judge or options.model)
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    question, reference, *planted = (part.strip() for part in lines[int(unit)].split("|"))
    for kind, said in zip(("right", "wrong", "vague"), planted, strict=True):
        name = f"{unit} {kind}"
        if name not in known:
            told = by_model(model, question, reference, said, timeout=SECONDS)
            yield {"name": name, "kind": kind, "taken": told.right, "failed": told.failed,
                   "tokens": told.tokens}  # fmt: skip


def _figures(rows: list[Row]) -> Row:
    table: list[Row] = []
    for kind in ("right", "wrong", "vague"):
        taken = [float(row["taken"]) for row in rows if row["kind"] == kind]
        low, high = stats.interval(taken)
        table.append(
            {"kind": kind, "n": len(taken),
             "taken": {"value": stats.mean(taken), "low": low, "high": high, "n": len(taken)},
             "unreadable": sum(bool(row["failed"]) for row in rows if row["kind"] == kind)}
        )  # fmt: skip
    planted = [1.0 - row["taken"] for row in rows if row["kind"] != "right"]
    right = [float(row["taken"]) for row in rows if row["kind"] == "right"]
    return {
        "tables": {"what the judge took": table},
        "bounds": [
            bound("planted wrong and vague answers refused", stats.mean(planted), ">=", REFUSED),
            bound("right answers taken", stats.mean(right), ">=", 0.8),
        ],
    }
