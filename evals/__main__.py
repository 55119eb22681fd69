"""`python -m evals --suite NAME --data FOLDER`: run a suite, print a table, write one JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals import suites
from evals.report import write as write_report
from evals.retrieval import show
from evals.running import Options, file_part


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a suite, or make a report; exit code 1 when a bound that a suite states is missed."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["report"]:
        return _report(given[1:])
    parser = _parser()
    asked = parser.parse_args(given)
    if suites.needs_model(asked.suite) and not asked.model:
        parser.error(f"the suite {asked.suite} needs --model")
    if asked.peer and asked.suite not in {"tokens", "peers"}:
        parser.error("--peer is for the suites tokens and peers")
    if not asked.data.is_dir():
        print(f"no data at {asked.data}: nothing was evaluated", file=sys.stderr)
        return 1
    options = Options(
        data=asked.data, out=asked.out, limit=asked.limit, model=asked.model, judge=asked.judge,
        reader=asked.reader, seed=asked.seed, jobs=asked.jobs, half=asked.half,
        budget=asked.budget, vectors=asked.vectors,
        more=(("peer", asked.peer),) if asked.peer else (),
    )  # fmt: skip
    begun = time.monotonic()
    results = suites.core(options) if asked.suite == "core" else [suites.run(asked.suite, options)]
    for result in results:
        _write(result, options)
        if asked.suite != "core":
            show(result)
    if asked.suite == "core":
        return _core(results, time.monotonic() - begun)
    return 0 if all(row["met"] for row in results[0]["bounds"]) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evals", description=__doc__)
    parser.add_argument("--suite", choices=["core", *suites.names()], required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    parser.add_argument("--limit", type=int, help="contexts; with a model, questions")
    parser.add_argument("--out", type=Path, default=Path("eval-out"), help="folder of the results")
    parser.add_argument("--model", help="who answers, such as openai:NAME")
    parser.add_argument("--judge", help="who judges; default who answers")
    parser.add_argument(
        "--reader",
        choices=["full", "chunks", "lexical", "hybrid", "agentic", "summary"],
        help="how a model answers; default hybrid",
    )
    parser.add_argument("--seed", type=int, default=1, help="of every draw")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--half", choices=["dev", "held"], default="dev", help="constructed: which half"
    )
    parser.add_argument("--budget", type=int, default=2000, help="tokens of evidence, with a model")
    parser.add_argument("--vectors", action="store_true", help="search by meaning too")
    parser.add_argument(
        "--peer",
        metavar="NAME=PYTHON,...",
        help="interpreters that have peers; tokens: infini-memory, mem0; peers: those it names",
    )
    return parser


def _write(result: dict[str, Any], options: Options) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    parts = [result["suite"]]
    parts += [file_part(options.model)] if options.model else []
    parts += [options.reader] if options.model and options.reader else []
    parts += ["vectors"] if options.vectors else []
    parts += [options.half] if options.half != "dev" else []
    parts += [f"seed{options.seed}"] if options.seed != 1 else []
    target = options.out / f"{'-'.join(parts)}.json"
    target.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"{result['suite']}: {result['seconds']} s; written to {target}", flush=True)


def _core(results: Sequence[dict[str, Any]], seconds: float) -> int:
    """Print one table of all bounds."""
    print(f"\n{'suite':20}{'figure':44}{'value':>9}  {'bound':12}")
    bounds = [(result["suite"], row) for result in results for row in result["bounds"]]
    for suite, row in bounds:
        value = row["value"]
        shown = f"{value:.4f}" if isinstance(value, float) else str(value)
        mark = "ok" if row["met"] else "MISSED"
        print(f"{suite:20}{row['figure'][:43]:44}{shown:>9}  {row['bound']:12}{mark}")
    minutes = seconds / 60
    in_time = minutes < suites.MINUTES
    print(f"\n{minutes:.1f} minutes (< {suites.MINUTES}: {'ok' if in_time else 'MISSED'})")
    for result in results:
        cpu = result.get("cpu_seconds", 0.0)
        print(f"  {result['suite']:20}{result['seconds']:8.1f} s, {cpu:8.1f} s of processor time")
    return 0 if in_time and all(row["met"] for _, row in bounds) else 1


def _report(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="evals report", description="Make one page of a folder.")
    parser.add_argument("folder", type=Path, help="folder of the results")
    parser.add_argument("--to", type=Path, help="default report.html in the folder")
    asked = parser.parse_args(given)
    target = asked.to or asked.folder / "report.html"
    number = write_report(asked.folder, target)
    if not number:
        print(f"no results in {asked.folder}", file=sys.stderr)
        return 1
    print(f"{number} results; written to {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
