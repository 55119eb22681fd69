"""`python -m benchmarks`: every speed and size beside the bare thing, as ratios of one run."""

from __future__ import annotations

import argparse
import json
import platform
import sqlite3
import time
from pathlib import Path

import memoranda
from benchmarks import (
    adds,
    check,
    consolidation,
    doors,
    forget,
    growth,
    mcp,
    scan,
    search,
    space,
    start,
    vectors,
)
from benchmarks.measure import Row, say

MATTERS = {
    "adds": adds.run,
    "growth": growth.run,
    "consolidation": consolidation.run,
    "search": search.run,
    "start": start.run,
    "space": space.run,
    "scan": scan.run,
    "forget": forget.run,
    "check": check.run,
    "mcp": mcp.run,
    "vectors": vectors.run,
    "doors": doors.run,
}


def main() -> None:
    """Run what is asked for, print a table, and write `bench.json` where it is wanted."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=sorted(MATTERS), help="run these (default all)"
    )
    parser.add_argument("--small", action="store_true", help="tiny sizes: do they run?")
    parser.add_argument("--out", type=Path, help="folder for bench.json")
    given = parser.parse_args()
    started = time.monotonic()
    rows: list[Row] = []
    print(f"{'matter':14} {'what':52} {'ours':>10} {'other':>10} {'':3} {'ratio':>7}  against")
    for name in given.only or MATTERS:
        for row in MATTERS[name](small=given.small):
            print(_line(row), flush=True)
            rows.append(row)
    spent = round(time.monotonic() - started, 1)
    say(f"{spent} s")
    if given.out is not None:
        _write(given.out, rows, small=given.small, spent=spent)


def _line(row: Row) -> str:
    bound = f" (bound {row.bound})" if row.bound else ""
    return (
        f"{row.matter:14} {row.what:52} {row.ours:10.3f} {row.other:10.3f} {row.unit:3} "
        f"{row.ratio:7.2f}  {row.against}{bound}"
    )


def _write(out: Path, rows: list[Row], *, small: bool, spent: float) -> None:
    out.mkdir(parents=True, exist_ok=True)
    told = {
        "version": memoranda.__version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "small": small,
        "seconds": spent,
        "rows": [row.to_dict() for row in rows],
    }
    (out / "bench.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
