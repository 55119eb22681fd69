"""The benchmarks run, each with sizes that take no time; nothing here looks at a clock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIGURES = {
    "adds": 2,
    "growth": 2,
    "consolidation": 3,
    "search": 2,
    "start": 4,
    "space": 4,
    "check": 2,
    "mcp": 6,
    "vectors": 4,
    "doors": 11,
}
"""How many rows each matter tells at one small size."""


@pytest.mark.parametrize("matter", FIGURES)
def test_a_matter_tells_its_ratios_beside_the_bare_thing(matter: str, tmp_path: Path) -> None:
    if matter == "space" and sys.platform == "win32":
        pytest.skip("no peak of memory is told on Windows")
    command = [sys.executable, "-m", "benchmarks", "--small", "--only", matter, "--out"]
    found = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert found.returncode == 0, found.stderr
    told = json.loads((tmp_path / "bench.json").read_text(encoding="utf-8"))
    assert told["small"]
    assert [row["matter"] for row in told["rows"]] == [matter] * FIGURES[matter]
    assert all(row["ours"] > 0 and row["ratio"] > 0 for row in told["rows"])
    assert all(row["what"] in found.stdout for row in told["rows"])


def test_a_matter_that_is_not_known_is_refused() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--only", "luck"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert found.returncode == 2
    assert "luck" in found.stderr
