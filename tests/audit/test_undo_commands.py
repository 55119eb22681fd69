"""`memoranda undo`, `replay` and `remaintain`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli_command import Command

KILN = "The old kiln behind the boat shed cracks above 1100 degrees."
CHOIR = "合唱团每星期四在药店楼上的房间排练。"


def applied(memoranda: Command) -> str:
    memoranda.ok("add", KILN)
    memoranda.ok("add", CHOIR)
    memoranda.ok("consolidate")
    lines = memoranda.ok("log", "--kind", "plan", "--json").splitlines()
    return str(json.loads(lines[-1])["record_id"])


def test_undo_says_what_it_did_and_what_waits(memoranda: Command) -> None:
    plan_id = applied(memoranda)
    result = memoranda("undo", plan_id, "--by", "Ines", "--reason", "too early")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"undid plan {plan_id} by u")
    assert "  there no more: d1" in result.stdout
    assert "  back in CURRENT: 1-2\n" in result.stdout
    assert "left alone until you run 'memoranda consolidate': 2 entries of CURRENT" in result.stderr
    assert f"{plan_id} undone by Ines: too early" in memoranda.ok("history", "1")
    assert "placed 2 entries" in memoranda.ok("consolidate")


def test_what_can_not_be_undone_has_its_exit_code(memoranda: Command) -> None:
    plan_id = applied(memoranda)
    undo: Any = memoranda.json("undo", plan_id)
    assert undo["freed"] == [1, 2]
    assert memoranda("undo", plan_id).exit_code == 2
    assert memoranda("undo", "nothing").exit_code == 3
    memoranda.ok("consolidate")
    result = memoranda("undo", undo["undo_id"])
    assert result.exit_code == 1
    assert "first" in result.stderr


def test_replay_writes_the_files_of_then(memoranda: Command, tmp_path: Path) -> None:
    applied(memoranda)
    then = memoranda.json("replay", "--known-at", "2", "--to", str(tmp_path / "then"))
    assert then["files"] == ["CURRENT.md"]
    assert KILN in (tmp_path / "then" / "CURRENT.md").read_text(encoding="utf-8")
    told = memoranda.ok("replay", "--known-at", "2")
    assert told.startswith("CURRENT.md\n1 file as at position 2 of ")
    assert memoranda("replay", "--known-at", "2", "--to", str(tmp_path)).exit_code == 2
    assert memoranda("replay", "--known-at", "9999").exit_code == 2


def test_remaintain_prints_the_figures(memoranda: Command) -> None:
    applied(memoranda)
    told = memoranda.ok("remaintain")
    assert "agreement 1.0000 over 2 events, made by rules\n" in told
    assert memoranda.json("remaintain")["agreement"] == 1.0
