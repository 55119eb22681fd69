"""`memoranda metrics` and `memoranda plan sample`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from cli_command import Command

KILN = "The old kiln behind the boat shed cracks above 1100 degrees."
CHOIR = "合唱团每星期四在药店楼上的房间排练。"


def kept(memoranda: Command) -> None:
    memoranda.ok("add", KILN)
    memoranda.ok("consolidate")
    memoranda.ok("add", CHOIR)
    memoranda.ok("consolidate")


def test_metrics_prints_ten_figures_with_what_they_say(memoranda: Command) -> None:
    kept(memoranda)
    told = memoranda.ok("metrics")
    assert len(told.splitlines()) == 20
    assert "retention         1 share\n  source retention: of 2 printed lines 2 bear" in told
    assert "deletion          - operations\n  deletion latency: nothing was forgotten" in told


def test_a_missed_limit_ends_with_four(memoranda: Command) -> None:
    memoranda.ok("add", KILN)
    good = memoranda("metrics", "--min", "retention=1", "--max", "backlog=0")
    assert good.exit_code == 0
    bad = memoranda("metrics", "--min", "coverage=0.9")
    assert bad.exit_code == 4
    assert "not kept: coverage>=0.9" in bad.stderr
    assert memoranda("metrics", "--min", "beauty=1").exit_code == 2
    limits = memoranda("metrics", "--json", MEMORANDA_METRIC_LIMITS="coverage>=0.5")
    assert limits.exit_code == 4
    assert json.loads(limits.stdout)["missed"] == ["coverage>=0.5"]


def test_the_picture_has_a_chart_for_each_figure(memoranda: Command, tmp_path: Path) -> None:
    kept(memoranda)
    file = tmp_path / "figures.svg"
    told = memoranda.ok("metrics", "--svg", str(file), "--over", "3")
    assert "over positions " in told
    tree = ET.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 - our own
    assert len(tree.findall("{http://www.w3.org/2000/svg}g")) == 10
    assert memoranda("metrics", "--svg", str(file)).exit_code == 2


def test_labelled_questions_come_from_a_file(memoranda: Command, tmp_path: Path) -> None:
    kept(memoranda)
    file = tmp_path / "asked.jsonl"
    file.write_text('{"question": "kiln cracks", "evidence": [1]}\n\n', encoding="utf-8")
    found = memoranda.json("metrics", "--questions", str(file))
    assert found["metrics"][0]["value"] == 1
    file.write_text("[1]\n", encoding="utf-8")
    bad = memoranda("metrics", "--questions", str(file))
    assert bad.exit_code == 2
    assert "line 1 is no JSON object" in bad.stderr
    assert memoranda("metrics", "--questions", str(tmp_path / "none")).exit_code == 2


def test_a_sample_of_plans_is_the_same_for_a_seed(memoranda: Command) -> None:
    kept(memoranda)
    one = memoranda.json("plan", "sample", "1", "--seed", "7")
    assert one == memoranda.json("plan", "sample", "1", "--seed", "7")
    both = memoranda.json("plan", "sample", "9", "--seed", "7")
    assert both[0] == one[0]
    assert {view["state"] for view in both} == {"applied"}
    assert KILN in memoranda.ok("plan", "sample", "2")
    last = max(view["position"] for view in both)
    assert memoranda.ok("plan", "sample", "2", "--after", str(last)) == "no plan was applied\n"


def test_an_undone_plan_is_not_drawn(memoranda: Command) -> None:
    kept(memoranda)
    plans = memoranda.json("plan", "sample", "9")
    memoranda.ok("undo", plans[0]["plan_id"])
    left = memoranda.json("plan", "sample", "9")
    assert plans[0]["plan_id"] not in {view["plan_id"] for view in left}
