"""What a person at a terminal reads of a model at work: true of what happened, and with the next step."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from cli_command import Command

BERTH = "渡轮的泊位是九号码头。"


@pytest.fixture
def broken(tmp_path: Path) -> str:
    file = tmp_path / "model.py"
    file.write_text("raise SystemExit(7)", encoding="utf-8")
    return f"command:{sys.executable} {file}"


def test_a_run_that_was_stopped_does_not_say_that_nothing_waits(
    memoranda: Command, broken: str
) -> None:
    memoranda.ok("add", BERTH)
    result = memoranda("consolidate", "--model", broken)
    assert result.exit_code == 1
    assert result.stdout == "nothing was placed\n"
    assert "ended with code 7" in result.stderr
    limited = memoranda("consolidate", "--model", broken, "--max-calls", "0")
    assert limited.stdout == "nothing was placed\n"


def test_a_plan_that_waits_is_a_matter_for_a_person(memoranda: Command) -> None:
    memoranda.ok("add", BERTH)
    assert memoranda("status", "--check").exit_code == 0
    assert memoranda("consolidate", "--mode", "review").exit_code == 4
    assert memoranda("status", "--check").exit_code == 4
    assert memoranda("status").exit_code == 0


def test_what_is_only_due_is_none(memoranda: Command) -> None:
    memoranda.ok("add", BERTH)
    due = {"MEMORANDA_CURRENT_SECONDS": "0", "MEMORANDA_AUTO": "false"}
    assert "due for consolidation" in memoranda.ok("status", **due)
    assert memoranda("status", "--check", **due).exit_code == 0


def test_a_watcher_leaves_a_model_that_is_away_alone_for_longer_each_time(
    memoranda: Command, broken: str
) -> None:
    memoranda.ok("add", BERTH)
    due = ("--current-seconds", "0", "--every", "0.1")
    said = memoranda("watch", "--model", broken, "--times", "4", *due).stderr
    waits = [line.split()[-2] for line in said.splitlines() if "look again in" in line]
    assert waits == ["0.2", "0.4", "0.8"]
    assert len(memoranda.json("calls")) == 4


def test_a_watcher_with_nothing_wrong_says_nothing_of_it(memoranda: Command) -> None:
    memoranda.ok("add", BERTH)
    said = memoranda("watch", "--times", "2", "--current-seconds", "0", "--every", "0.1").stderr
    assert "look again" not in said


def test_what_waits_for_the_model_is_not_said_to_be_left_to_the_rules(
    memoranda: Command, broken: str
) -> None:
    memoranda.ok("add", BERTH)
    assert "left to the rules" not in memoranda("consolidate", "--model", broken).stderr


def test_what_the_rules_did_for_a_model_is_told_with_its_reason(
    memoranda: Command, tmp_path: Path
) -> None:
    file = tmp_path / "prose.py"
    file.write_text("print('well, I think so')", encoding="utf-8")
    memoranda.ok("add", BERTH)
    told = memoranda("consolidate", "--model", f"command:{sys.executable} {file}").stderr
    assert "route was left to the rules: prose (1 time)" in told


def test_places_that_rules_chose_because_the_budget_ended_are_told(
    memoranda: Command, tmp_path: Path
) -> None:
    file = tmp_path / "silent.py"
    file.write_text("print('{}')", encoding="utf-8")
    memoranda.ok("add", BERTH)
    result = memoranda(
        "consolidate", "--model", f"command:{sys.executable} {file}", "--max-calls", "2"
    )
    assert result.exit_code == 1
    assert "route was left to the rules: budget (1 time)" in result.stderr
    assert memoranda.json("status")["current_entries"] == 0


ANSWERING = """
import json, sys
sys.stdin.read()
print(json.dumps({"because": [], "answer": ""}))
"""


def test_a_call_that_used_nothing_has_no_price(memoranda: Command, broken: str) -> None:
    memoranda.ok("add", BERTH)
    memoranda("consolidate", "--model", broken)
    said = memoranda("consolidate", "--model", broken).stderr
    told = memoranda.ok("calls") + memoranda.ok("status") + said
    assert "0 tokens" in told
    assert "$" not in told
    assert "price not known" not in told


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai: heron", "openai:heron"),
        ("command:no-such-program --token canary", "command:no-such-program"),
    ],
)
def test_calls_and_status_have_one_name_for_a_model(
    memoranda: Command, model: str, name: str
) -> None:
    env = {"MEMORANDA_MODEL": model, "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    memoranda.ok("add", BERTH, **env)
    assert "canary" not in memoranda.ok("ask", BERTH, **env)
    assert {call["model"] for call in memoranda.json("calls")} == {name}
    assert memoranda.json("status", **env)["model"] == name


def test_calls_and_status_say_the_same_of_a_price(memoranda: Command, tmp_path: Path) -> None:
    file = tmp_path / "answering.py"
    file.write_text(ANSWERING, encoding="utf-8")
    model = f"command:{sys.executable} {file}"
    memoranda.ok("add", BERTH)
    asking = ("ask", BERTH, "--model", model, "--reader", "lexical")
    assert memoranda(*asking).exit_code == 3
    assert "price not known" in memoranda.ok("calls")
    assert "price not known" in memoranda.ok("status")
    priced = {"MEMORANDA_PRICE": "1000/1000"}
    memoranda(*asking, **priced)
    assert "$" in memoranda.ok("calls", "--limit", "1")
