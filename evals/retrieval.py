"""Retrieval without a model: which part of the gold evidence comes back, and does it hold the answer?"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evals import stats
from evals.forms import Context, Question, Row, data_hash
from evals.judges import normal
from evals.running import Options, Run, bound
from evals.sets import SETS, contexts
from memoranda import Memory, Settings
from memoranda.values import Found

BUDGETS = (500, 1000, 2000, 4000)


def run(name: str, options: Options) -> Row:
    """Remember each context of a set, search for each question, and count.

    Args:
        name: the set.
        options: `limit` counts contexts; `vectors` searches by meaning too.
    """
    chosen = SETS[name]
    units = [context.name for context in contexts(name, options.data, options.limit)]
    run = Run(name, options, data_hash(chosen.found(options.data), options.data))
    run.go(units, _work(name))
    return run.result(figures(run.rows, chosen.bounds, whole=options.limit is None))


class _work:  # noqa: N801 - a picklable function of a set's name
    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
        for context in contexts(self.name, options.data):
            if context.name == unit:
                yield from measured(context, options, known)
                return


def measured(context: Context, options: Options, known: frozenset[str]) -> Iterator[Row]:
    """Give a row for each question of a context."""
    settings = Settings(vectors="on" if options.vectors else "off")
    asked = [question for question in context.questions if question.name not in known]
    if not asked:
        return
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, settings=settings) as memory:
        begun = time.monotonic()
        memory.add_many(context.events)
        memory.consolidate()
        kept = time.monotonic() - begun
        for number, question in enumerate(asked):
            yield {
                **_row(question, memory, context),
                **({"kept_seconds": round(kept, 2)} if number == 0 else {}),
            }


def _row(question: Question, memory: Memory, context: Context) -> Row:
    hits: dict[str, float] = {}
    row: Row = {"name": question.name, "kind": question.kind, "counts": question.counts}
    for budget in BUDGETS if question.counts else (2000,):  # what does not count is looked at once
        begun = time.monotonic()
        found = memory.search(question.query, budget=budget)
        if budget == 2000:
            row["seconds"] = round(time.monotonic() - begun, 4)
            row["tokens"] = found.tokens
            row["stray"] = sum(e.document_id in {"CURRENT", "LOG"} for e in found.evidence)
            row |= held(question, found)
        if budget == 500:
            row["first"] = first(question, found, context)
        if question.gold:
            hits[str(budget)] = share(question, found)
    if hits:
        row["hits"] = hits
        row["hit"] = hits["2000"]
        row["retrieval_hit"] = hits["2000"] == 1
    return row


def ids(question: Question, found: Found) -> set[str]:
    """Give the ids that count as found: of events, or of their sessions."""
    names = {
        name for item in found.evidence for entry in item.entries for name in entry.external_ids
    }
    return {name.rpartition(":")[0] for name in names} if question.by_session else names


def share(question: Question, found: Found) -> float:
    """Give the part of the gold evidence that came back."""
    return round(len(question.gold & ids(question, found)) / len(question.gold), 4)


def held(question: Question, found: Found) -> Row:
    """Say whether the evidence holds an answer, word for word."""
    if not question.answers or question.judge in {"letter", "rubric", "exact"}:
        return {}
    text = normal("\n".join(entry.text for item in found.evidence for entry in item.entries))
    return {"answer_hit": any(normal(answer) in text for answer in question.answers)}


def first(question: Question, found: Found, context: Context) -> bool | None:
    """Say whether the first line tells the answer; of labelled examples, whether its label is it."""
    if not question.answers or question.judge in {"letter", "rubric"}:
        return None
    if not found.evidence:
        return False
    entry = found.evidence[0].entries[0]
    if context.details.get("labels"):
        return voted(found, context.details["labels"]) in question.answers
    return any(normal(answer) in normal(entry.text) for answer in question.answers)


def voted(found: Found, labels: dict[str, Any]) -> str:
    """Let the examples that came back vote for their labels, each with the score of its place."""
    votes: dict[str, float] = {}
    for item in found.evidence:
        for entry in item.entries:
            for name in entry.external_ids:
                label = str(labels.get(name))
                votes[label] = votes.get(label, 0.0) + item.score / len(item.entries)
    return max(votes, key=lambda label: (votes[label], label))


FIGURES = ("first", "answer_hit", *(f"hit@{budget}" for budget in BUDGETS))


def value_of(row: Row, figure: str) -> float | None:
    """Give one figure of a row as a number; None where it has none."""
    if figure.startswith("hit@"):
        found = row.get("hits", {}).get(figure.removeprefix("hit@"))
        return None if found is None else float(found)
    found = row.get(figure)
    return None if found is None else float(found)


def table_of(rows: Sequence[Row], names: Iterable[str] = FIGURES) -> list[Row]:
    """Give each figure of each kind, and of all that counts, with its interval."""
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    groups = [(kind, [row for row in rows if row["kind"] == kind]) for kind in kinds]
    if len(kinds) > 1:
        groups.append(("all that counts", [row for row in rows if row["counts"]]))
    found: list[Row] = []
    for kind, own in groups:
        line: Row = {"kind": kind, "n": len(own)}
        for name in names:
            values = [value for row in own if (value := value_of(row, name)) is not None]
            if values:
                low, high = stats.interval(values)
                line[name] = {
                    "value": stats.mean(values),
                    "low": low,
                    "high": high,
                    "n": len(values),
                }
        found.append(line)
    return found


def figures(rows: Sequence[Row], bounds: Sequence[tuple[str, str, float]], *, whole: bool) -> Row:
    """Give tables and bounds; bounds are for whole sets, a part of one is only shown."""
    counted = [row for row in rows if row["counts"]]
    stated = []
    for name, sign, wanted in bounds if whole else ():
        values = [value for row in counted if (value := value_of(row, name)) is not None]
        stated.append(bound(name, stats.mean(values), sign, wanted))
    stray = sum(row.get("stray", 0) for row in rows)
    stated.append(bound("evidence from CURRENT or LOG", stray, "==", 0))
    seconds = sorted(row["seconds"] for row in rows)
    return {
        "tables": {"by kind": table_of(rows)},
        "bounds": stated,
        "search_ms": {
            "median": round(1000 * seconds[len(seconds) // 2], 1),
            "p95": round(1000 * seconds[int(len(seconds) * 0.95)], 1),
        }
        if seconds
        else {},
    }


def show(result: Row) -> None:
    """Print tables and bounds of a result."""
    for name, table in result.get("tables", {}).items():
        print(f"\n{result['suite']}, {name}")
        for line in table:
            print("  " + "  ".join(_cell(key, value) for key, value in line.items()))
    for line in result.get("bounds", ()):
        mark = "ok" if line["met"] else "MISSED"
        print(f"  {line['figure']:32} {line['value']}  ({line['bound']}) {mark}")


def _cell(key: str, value: object) -> str:
    if isinstance(value, dict) and "low" in value:
        return f"{key} {value['value']:.3f} [{value['low']:.2f}, {value['high']:.2f}]"
    return f"{key} {value}"
