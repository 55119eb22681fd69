"""The suite `mab`: contexts are told once in chunks, then every question is asked, and averages are made."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evals.answering import SECONDS, model_of
from evals.forms import Row, data_hash, read_json, read_lines
from evals.judges import by_model, normal
from evals.mab.memory import BenchMemory
from evals.mab.protocol import CHUNK, averages, chunks, family_of, score
from evals.running import Options, Run
from memoranda.answers import ReaderName

PLACES = ("memoryagentbench", ".")


def files_of(data: Path) -> list[Path]:
    """Find the rows of the benchmark: JSON, JSON lines or parquet, in a folder of any of its copies."""
    for place in PLACES:
        folder = data / place
        found = [
            path
            for glob in ("*.json", "*.json.gz", "*.jsonl", "*.jsonl.gz", "*.parquet")
            for path in folder.glob(glob)
            if "label_errors" not in path.name
        ]
        if found:
            return sorted(found)
    return []


def records(data: Path) -> Iterator[tuple[str, Row]]:
    """Give each row with a name of its own; what is no row of the benchmark is left out."""
    seen: dict[str, int] = {}
    for path in files_of(data):
        for record in _read(path):
            source = (record.get("metadata") or {}).get("source")
            if isinstance(source, str) and {"context", "questions", "answers"} <= set(record):
                seen[source] = seen.get(source, 0) + 1
                yield f"{source}#{seen[source]}", record


def _read(path: Path) -> Iterator[Row]:
    if path.suffix == ".parquet":
        import pyarrow.parquet  # type: ignore[import-not-found]  # noqa: PLC0415

        yield from pyarrow.parquet.read_table(path).to_pylist()
    elif ".jsonl" in path.name:
        yield from read_lines(path)
    else:
        found = read_json(path)
        yield from (found if isinstance(found, list) else [])


def pairs(record: Row) -> list[tuple[str, list[str]]]:
    """Give questions with their answers; one question alone has the whole list."""
    questions, answers = record["questions"], record["answers"]
    if len(questions) > 1 and len(answers) > 1:
        return [(q, _flat(a)) for q, a in zip(questions, answers, strict=True)]
    return [(questions[0], _flat(answers))]


def _flat(value: Any) -> list[str]:  # noqa: ANN401 - JSON
    if isinstance(value, list):
        return [text for item in value for text in _flat(item)]
    return [str(value)]


def run(options: Options) -> Row:
    """Run the protocol; without a model what is scored is whether the evidence holds the answer.

    `limit` counts questions of each context.
    """
    files = files_of(options.data)
    if not files:
        raise SystemExit(f"no rows of the benchmark below {options.data}: nothing was evaluated")
    run = Run("mab", options, data_hash(files, options.data))
    run.go([name for name, _ in records(options.data)], _work)
    return run.result(_figures(run.rows, with_model=options.model is not None))


def _work(options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
    record = next(record for name, record in records(options.data) if name == unit)
    source = record["metadata"]["source"]
    asked = pairs(record)[: options.limit]
    if all(f"{unit} {number}" in known for number in range(len(asked))):
        return
    model = model_of(options.model) if options.model else None
    reader: Any = options.reader or "hybrid"
    chosen: ReaderName = reader
    with (
        tempfile.TemporaryDirectory() as folder,
        BenchMemory(Path(folder), source, model=model, reader=chosen) as memory,
    ):
        begun = time.monotonic()
        for chunk in chunks(record["context"], CHUNK):
            memory.memorize(chunk)
        memory.finish()
        built = round(time.monotonic() - begun, 2)
        for number, (question, answers) in enumerate(asked):
            if f"{unit} {number}" not in known:
                row = _asked(memory, source, question, answers, options)
                yield {"name": f"{unit} {number}", "source": source, "built": built, **row}


def _asked(
    memory: BenchMemory, source: str, question: str, answers: list[str], options: Options
) -> Row:
    family = family_of(source)
    query = family.asked.format(question=question)
    begun = time.monotonic()
    if options.model is None:
        found = memory.search(query)
        if family.begin == "icl_":
            value = float(memory.label_of(found) in answers)
        else:
            text = normal("\n".join(e.text for item in found.evidence for e in item.entries))
            value = float(any(normal(answer) in text for answer in answers))
        return {"value": value, "tokens": found.tokens, "seconds": time.monotonic() - begun}
    answer = memory.answer(query)
    quotes = [claim.quote for claim in answer.claims if claim.superseded_by is None]
    said = answer.text or next(iter(quotes if answer.known else ()), "")
    scores = score(family, said, answers)
    judged = scores.get(family.metric)
    if judged is None:
        judge = model_of(options.judge or options.model)
        judged = float(by_model(judge, question, json.dumps(answers), said, timeout=SECONDS).right)
    trace = answer.trace
    used = trace.retrieval.tokens + trace.answering.tokens if trace else 0
    return {
        "value": judged, "said": said, **scores, "tokens": used,
        "seconds": round(time.monotonic() - begun, 2),
    }  # fmt: skip


def _figures(rows: list[Row], *, with_model: bool) -> Row:
    by_source: dict[str, list[float]] = {}
    for row in rows:
        by_source.setdefault(row["source"], []).append(row["value"])
    table = [
        {"set": source, "n": len(values), "score": round(sum(values) / len(values) * 100, 2)}
        for source, values in by_source.items()
    ]
    means = averages(by_source)
    columns = [
        {"figure": name, "value": None if value is None else round(value, 3)}
        for name, value in means.items()
    ]
    what = "score" if with_model else "evidence at 2,000 tokens holds the answer (no model)"
    return {"tables": {f"sets: {what}": table, "averages": columns}, "bounds": []}
