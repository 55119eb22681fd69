"""Ten rounds of maintenance by a model: do facts drift, and does a library made again agree?"""

from __future__ import annotations

from collections.abc import Iterator

from evals.answering import SECONDS, model_of
from evals.constructed.cases import HERE, all_cases
from evals.forms import Row, data_hash
from evals.running import Options, Run, bound
from memoranda import Memory, Settings

ROUNDS = 10
EACH = 6
"""Events told before each round."""


def run(options: Options) -> Row:
    """Tell events of our own round by round, maintain by the model, and measure after each round.

    The memory lies beside the rows: a run that was stopped goes on in it. `limit` counts rounds.
    """
    run = Run("rounds", options, data_hash(sorted(HERE.glob("*_??.txt")), HERE))
    run.go(["rounds"], _Rounds(str(run.folder / "memory")))
    rows = run.rows
    last = rows[-1] if rows else {}
    names = ("round", "events", "drift", "retention", "replay", "worded", "coverage", "agreement")
    return run.result(
        {
            "tables": {"rounds": [{name: row.get(name) for name in names} for row in rows]},
            "bounds": [
                bound("drift after the last round", last.get("drift"), "<=", 0),
                bound("source retention", last.get("retention"), ">=", 1),
                bound("audit replay", last.get("replay"), ">=", 1),
            ],
        }
    )


class _Rounds:
    """Picklable: the rounds of one memory."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:  # noqa: ARG002
        model = model_of(options.model)
        cases = [case for language in ("en", "zh") for case in all_cases(language, "dev")]
        events = sorted((e for c in cases for e in c.events), key=lambda e: (e.time, e.external_id))
        rounds = options.limit or ROUNDS
        settings = Settings(auto=False, model_seconds=SECONDS, trust="model")
        with Memory.open(self.folder, settings=settings, model=model) as memory:
            for number in range(rounds):
                if f"round {number + 1}" in known:
                    continue
                part = events[number * EACH : (number + 1) * EACH]
                told = {
                    record.body["external_id"] for record in memory.log(kind="event") if record.body
                }
                memory.add_many(event for event in part if event.external_id not in told)
                memory.consolidate()
                yield _measured(memory, number + 1, last=number + 1 == rounds)


def _measured(memory: Memory, number: int, *, last: bool) -> Row:
    found = memory.metrics(sample=20)
    row: Row = {
        "name": f"round {number}",
        "round": number,
        "events": memory.status().events,
        "worded": found["drift"].details["worded"],
        **{metric.name: metric.value for metric in found.metrics},
    }
    if last:
        row["agreement"] = memory.remaintain().agreement
    return row
