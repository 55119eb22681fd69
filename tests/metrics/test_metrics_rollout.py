"""Each command of the guide to a roll-out runs, in its order."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

from cli_command import Command
from memoranda.cli import program

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "rollout.md"
EVENTS = (
    "The staging database of the mill runs on port 5433.",
    "合唱团每星期四在药店楼上的房间排练。",
    "The ferry to Wick leaves at half past six.",
)


def commands() -> list[list[str]]:
    text = GUIDE.read_text(encoding="utf-8")
    return [shlex.split(line) for line in re.findall(r"^\$ memoranda (.*)$", text, re.MULTILINE)]


def test_every_command_of_the_guide_is_one() -> None:
    assert len(commands()) > 10
    for words in commands():
        command = program.commands[words[0]]
        parts = getattr(command, "commands", {})
        known = parts.get(words[1], command) if parts else command
        flags = {name for option in known.params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= flags, words


def test_the_four_weeks_can_be_walked(memoranda: Command, tmp_path: Path) -> None:
    talks, asked = tmp_path / "talks.jsonl", tmp_path / "asked.jsonl"
    lines = [json.dumps({"content": text, "id": str(n)}) for n, text in enumerate(EVENTS)]
    talks.write_text("\n".join(lines), encoding="utf-8")
    asked.write_text(json.dumps({"question": "port?", "evidence": ["0"]}), encoding="utf-8")
    quiet = {"MEMORANDA_AUTO": "false", "MEMORANDA_COUNT_SHOWN": "true"}
    memoranda.ok("import", str(talks), **quiet)
    assert "5433" in memoranda.ok("context", "where is the staging database?", **quiet)
    assert memoranda.json("metrics", "--questions", str(asked), **quiet)["metrics"][0]["value"] == 0
    memoranda("consolidate", "--mode", "shadow")
    shadow = memoranda.json("plan", "list", "--state", "shadow")
    assert shadow
    assert memoranda.json("status")["documents"] == 0
    assert EVENTS[0] in memoranda.ok("plan", "show", shadow[0]["plan_id"])
    memoranda.ok("consolidate", "--mode", "auto")
    plans = memoranda.json("plan", "sample", "10", "--seed", "3")
    assert plans
    memoranda.ok("undo", plans[0]["plan_id"], "--by", "ines", "--reason", "two projects")
    memoranda.ok("consolidate")
    limits = (
        "--min",
        "revision=0.95",
        "--min",
        "retention=1",
        "--max",
        "drift=0",
        "--max",
        "backlog=5",
    )
    memoranda.ok("metrics", *limits)
    memoranda.ok("replay", "--known-at", "3", "--to", str(tmp_path / "then"))
    memoranda.ok("rebuild")
