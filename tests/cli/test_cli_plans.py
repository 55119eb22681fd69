"""`memoranda plan`: what waits is listed, shown as a diff, approved or rejected."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli_command import Command

KILN = "The old kiln behind the boat shed cracks above 1100 degrees."
CHINESE = "合唱团每星期四在药店楼上的房间排练。"


@pytest.fixture
def waiting(memoranda: Command) -> Command:
    """Two entries under one plan that waits."""
    memoranda.ok("add", KILN)
    memoranda.ok("add", CHINESE)
    assert memoranda("consolidate", "--mode", "review").exit_code == 4
    return memoranda


def plan_of(memoranda: Command) -> str:
    (view,) = memoranda.json("plan", "list", "--state", "pending")
    return str(view["plan_id"])


def test_what_waits_ends_with_code_4_and_is_named_on_stderr(waiting: Command) -> None:
    result = waiting("consolidate", MEMORANDA_MODE="review")
    assert result.exit_code == 4
    assert result.stdout == "nothing was placed\n"
    assert result.stderr == (
        f"memoranda: a plan waits for a decision: {plan_of(waiting)}; see 'memoranda plan list'\n"
    )
    assert f"plan {plan_of(waiting)} (consolidate) waits for a decision" in waiting.ok("status")


def test_an_add_that_makes_a_plan_wait_says_so(memoranda: Command) -> None:
    env = {"MEMORANDA_MODE": "review", "MEMORANDA_CURRENT_TOKENS": "50"}
    memoranda.ok("add", KILN, **env)
    result = memoranda("add", f"{KILN} {CHINESE} {KILN} {CHINESE}", **env)
    assert result.exit_code == 0
    first, second = [view["plan_id"] for view in memoranda.json("plan", "list")]
    assert f"2 plans wait for a decision: {first}, {second}" in result.stderr
    assert "wait" not in memoranda("add", CHINESE, **env).stderr


def test_what_waits_goes_on_waiting_in_another_mode(waiting: Command) -> None:
    assert waiting("consolidate").exit_code == 4
    waiting.ok("plan", "approve", plan_of(waiting))
    assert waiting("consolidate").exit_code == 0


def test_a_list_says_what_waits_and_why(waiting: Command) -> None:
    said = waiting.ok("plan", "list")
    assert said.startswith(f"{plan_of(waiting)}  pending  consolidate 2 entries (1-2)")
    assert waiting.ok("plan", "list", "--state", "rejected") == "no plans in state rejected\n"


def test_nothing_planned_is_said_so(memoranda: Command) -> None:
    assert memoranda.ok("plan", "list") == "no plans\n"
    assert memoranda.json("plan", "list") == []


def test_a_plan_is_shown_as_a_difference_in_colour(waiting: Command) -> None:
    name = plan_of(waiting)
    plain = waiting.ok("plan", "show", name)
    assert "=== d1 (new)" in plain
    assert f"> {KILN}" in plain
    assert CHINESE in plain
    assert "  create d1 " in plain
    assert "\x1b[32m+" in waiting.ok("plan", "show", name, FORCE_COLOR="1")


def test_json_gives_the_whole_plan(waiting: Command) -> None:
    view = waiting.json("plan", "show", plan_of(waiting))
    assert (view["state"], view["mode"], view["window"]) == ("pending", "review", [1, 2])
    assert KILN in "".join(view["after"].values())


def test_an_approved_plan_is_applied(waiting: Command) -> None:
    name = plan_of(waiting)
    said = waiting.ok("plan", "approve", name, "--by", "Mira", "--reason", "好的")
    assert said.startswith(f"approved plan {name}\nconsolidate {name}: placed 2 entries (1-2)")
    assert "approved by Mira" in waiting.ok("plan", "show", name)
    assert "approved by Mira: 好的" in waiting.ok("history", "1")


def test_a_rejected_plan_leaves_its_entries_placed_by_rules(waiting: Command) -> None:
    name = plan_of(waiting)
    done = waiting.json("plan", "reject", name, "--reason", "Wrong titles.")
    assert (done["state"], done["receipts"][0]["placed"]) == ("rejected", [1, 2])
    assert waiting("consolidate").exit_code == 0


def test_a_decision_is_taken_once(waiting: Command) -> None:
    name = plan_of(waiting)
    waiting.ok("plan", "reject", name)
    result = waiting("plan", "approve", name)
    assert result.exit_code == 2
    assert "rejected already" in result.stderr


def test_an_unknown_plan_ends_with_code_3(waiting: Command) -> None:
    for command in ("show", "approve", "reject"):
        result = waiting("plan", command, "p-none")
        assert result.exit_code == 3
        assert plan_of(waiting) in result.stderr


def test_a_stale_plan_names_the_one_that_waits_instead(waiting: Command) -> None:
    name = plan_of(waiting)
    waiting.ok("retract", "1")
    result = waiting("plan", "approve", name)
    assert result.exit_code == 1
    assert plan_of(waiting) in result.stderr
    assert plan_of(waiting) != name


def test_a_shadow_changes_nothing_and_is_listed(memoranda: Command) -> None:
    memoranda.ok("add", KILN)
    result = memoranda("consolidate", "--mode", "shadow")
    assert result.exit_code == 0
    assert "plan list --state shadow" in result.stdout
    (view,) = memoranda.json("plan", "list", "--state", "shadow")
    assert memoranda.json("list") == []
    assert "=== d1 (new)" in memoranda.ok("plan", "show", view["plan_id"])


def test_a_dry_run_says_what_would_wait(memoranda: Command) -> None:
    for number in (1000, 2000):
        memoranda.ok("add", f"My phone number is 555-{number}.", "--source", "tool")
    assert "would wait: entry 2 would replace 1 (high risk: contacts)" in memoranda.ok(
        "consolidate", "--dry-run"
    )
    assert json.loads(memoranda.ok("plan", "list", "--json")) == []
