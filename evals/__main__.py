"""`python -m evals --suite NAME --data FOLDER`: run a suite, print a table, write one JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import memoranda
from evals import (
    blame,
    by_model,
    conservation,
    facts,
    locomo,
    readers,
    readers_recall,
    tokens,
    topics,
    updates,
)

SUITES = {
    "topics": topics.run,
    "conservation": conservation.run,
    "locomo": locomo.run,
    "factconsolidation": facts.run,
    "updates": updates.run,
    "tokens": tokens.run,
    "updates-by-model": by_model.updates,
    "drive": by_model.drive,
    "blame": blame.run,
    "readers": readers.run,
    "readers-recall": readers_recall.run,
}
BY_MODEL = ("drive", "readers", "updates-by-model")


def main() -> int:
    """Run one suite; exit code 1 when a bound that it states is missed."""
    parser = argparse.ArgumentParser(prog="evals", description=__doc__)
    parser.add_argument("--suite", choices=sorted(SUITES), required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with the data sets")
    parser.add_argument("--limit", type=int, help="how many conversations (default: all)")
    parser.add_argument("--out", type=Path, default=Path("eval-out"), help="folder of the results")
    parser.add_argument(
        "--peer", metavar="PYTHON", help="tokens: the interpreter that has infini-memory"
    )
    parser.add_argument("--model", help="updates-by-model, drive: such as openai:NAME")
    parser.add_argument("--vectors", action="store_true", help="locomo: search by meaning too")
    given = parser.parse_args()
    if given.vectors and given.suite != "locomo":
        parser.error("--vectors is for the suite locomo")
    if bool(given.model) != (given.suite in BY_MODEL):
        parser.error(f"--model is for the suites {' and '.join(BY_MODEL)}, which need it")
    if given.peer and given.suite != "tokens":
        parser.error("--peer is for the suite tokens")
    if not given.data.is_dir():
        print(f"no data at {given.data}: nothing was evaluated", file=sys.stderr)
        return 1
    started = time.monotonic()
    more = {"peer": given.peer} if given.peer else {}
    more |= {"model": given.model} if given.model else {}
    more |= {"out": given.out} if given.suite == "readers" else {}
    more |= {"vectors": True} if given.vectors else {}
    result = SUITES[given.suite](given.data, limit=given.limit, **more)
    result |= {
        "suite": given.suite,
        "version": memoranda.__version__,
        "seconds": round(time.monotonic() - started, 1),
    }
    given.out.mkdir(parents=True, exist_ok=True)
    target = given.out / f"{given.suite}{'-vectors' if given.vectors else ''}.json"
    target.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"\n{result['seconds']} s; written to {target}")
    return 0 if all(row["met"] for row in result["bounds"]) else 1


if __name__ == "__main__":
    sys.exit(main())
