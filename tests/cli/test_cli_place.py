"""Flags win over the environment, and the environment over the defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from memoranda import values
from memoranda.cli import program
from memoranda.cli.place import Place, at_place, with_budget
from memoranda.cli.writing import SENSITIVITIES, SOURCES
from memoranda.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from cli_command import Command

COMMANDS = [
    command
    for one in program.commands.values()
    if one.name != "token"
    for command in (one.commands.values() if isinstance(one, click.Group) else (one,))
]
"""All that work on one memory: `token` is about who may call, in the root of all."""


def test_flags_win_over_the_environment_and_it_over_defaults() -> None:
    environ = {
        "MEMORANDA_CURRENT_TOKENS": "700",
        "MEMORANDA_SPLIT_TOKENS": "900",
        "MEMORANDA_AUTO": "off",
    }
    found = Place(changes={"current_tokens": 600, "merge_tokens": 200}).settings(environ)
    assert (found.current_tokens, found.split_tokens, found.merge_tokens) == (600, 900, 200)
    assert found.auto is False
    assert found.current_seconds == 3600.0


def test_a_documents_folder_given_as_a_flag_wins() -> None:
    assert Place(documents="/a").settings({"MEMORANDA_DOCUMENTS": "/b"}).documents == "/a"


def test_a_setting_that_can_not_be_is_the_callers_mistake() -> None:
    with pytest.raises(InputError, match="split_tokens"):
        Place(changes={"split_tokens": 1}).settings({})


def test_files_come_after_the_environment(root: Path, tmp_path: Path) -> None:
    own = tmp_path / "config" / "memoranda"
    for folder, text in (
        (own, "current_tokens = 60\nsplit_tokens = 70\nmerge_tokens = 7\n"),
        (root, "current_tokens = 80\nsplit_tokens = 90\n"),
    ):
        folder.mkdir(parents=True)
        (folder / "memoranda.toml").write_text(f"[settings]\n{text}", encoding="utf-8")
    found = Place(root=str(root)).settings({"MEMORANDA_CURRENT_TOKENS": "100"})
    assert (found.current_tokens, found.split_tokens, found.merge_tokens) == (100, 90, 7)


def test_the_file_of_the_data_folder_holds_for_every_command(memoranda: Command) -> None:
    memoranda.ok("add", "The kiln is fired on Fridays.")
    (memoranda.root / "memoranda.toml").write_text(
        "[settings]\nentry_tokens = 321\n", encoding="utf-8"
    )
    assert "entry_tokens=321" in memoranda.ok("status")
    assert "entry_tokens=50" in memoranda.ok("status", MEMORANDA_ENTRY_TOKENS="50")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[settings", "is not TOML"),
        ("[settings]\nrun_call = 1\n", "did you mean run_calls"),
        ("[settings]\ncurrent_tokens = 'many'\n", "current_tokens must be a whole number"),
        ("api_key = 'hush'\n", "environment variables"),
        ("[settings]\nmodel = 'command:touch x'\n", "must not name a command here"),
    ],
)
def test_a_file_that_can_not_be_stops_every_command_and_changes_nothing(
    memoranda: Command, text: str, said: str
) -> None:
    memoranda.ok("add", "The kiln is fired on Fridays.")
    before = memoranda.ok("log", "--json")
    file = memoranda.root / "memoranda.toml"
    file.write_text(text, encoding="utf-8")
    for command in (["add", "No."], ["search", "kiln"], ["status"], ["consolidate"]):
        result = memoranda(*command)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.count("\n") == 1
        assert said in result.stderr
        assert str(file) in result.stderr
        assert "hush" not in result.stderr
    file.unlink()
    assert memoranda.ok("log", "--json") == before


MAINTAINING = ("add", "import", "correct", "consolidate", "approve", "reject")


def test_who_maintains_may_be_said_where_something_is_maintained() -> None:
    flags = {c.name: {name for param in c.params for name in param.opts} for c in COMMANDS}
    assert {name for name, taken in flags.items() if "--model" in taken} >= {*MAINTAINING, "ask"}
    budget = {"--max-calls", "--max-tokens", "--max-money"}
    assert {name for name, taken in flags.items() if taken >= budget} >= {"consolidate", "ask"}
    assert not {"add", "search"} & {name for name, taken in flags.items() if taken & budget}


def test_the_rules_may_be_named_in_every_way(memoranda: Command) -> None:
    memoranda.ok("add", "The kiln is fired on Fridays.", "--model", "rules")
    memoranda.ok("add", "The glaze is blue.", MEMORANDA_MODEL="rules")
    memoranda.ok("consolidate", "--model", "rules", MEMORANDA_MODEL="nonsense:x")
    limits = ("--max-calls", "0", "--max-tokens", "none", "--max-money", "0.5")
    memoranda.ok("consolidate", *limits)
    assert memoranda.json("status")["current_entries"] == 0


@pytest.mark.parametrize("spec", ["gpt", "openai:", "rules:x", "sk-0123456789"])
def test_a_model_that_can_not_be_is_told_and_nothing_is_stored(
    memoranda: Command, spec: str
) -> None:
    for result in (
        memoranda("add", "The kiln is fired on Fridays.", "--model", spec),
        memoranda("add", "The kiln is fired on Fridays.", MEMORANDA_MODEL=spec),
    ):
        assert (result.exit_code, result.stdout) == (2, "")
        assert "openai:NAME" in result.stderr
        assert "sk-" not in result.stderr
    assert memoranda.json("status")["events"] == 0


def test_a_model_that_is_named_reaches_the_memory(memoranda: Command) -> None:
    result = memoranda("status", "--json", MEMORANDA_MODEL="openai:m", OPENAI_API_KEY="")
    assert "openai:m" in result.stdout + result.stderr


@pytest.mark.parametrize(("auto", "told"), [("", False), ("on", False), ("off", True)])
def test_what_is_due_is_told_where_nothing_runs_by_itself(
    memoranda: Command, auto: str, *, told: bool
) -> None:
    memoranda.ok("add", "The kiln is fired on Fridays.", "--no-auto")
    result = memoranda("check", MEMORANDA_AUTO=auto, MEMORANDA_CURRENT_SECONDS="0")
    assert ("consolidation is due since" in result.stderr) is told


def test_limits_given_as_flags_reach_the_settings() -> None:
    seen: list[Place] = []
    command = click.command()(with_budget(at_place(lambda place: len(seen.append(place) or seen))))
    limits = ["--max-calls", "7", "--max-tokens", "none", "--max-money", "0.5"]
    assert CliRunner().invoke(command, limits).exit_code == 0
    found = seen[0].settings({"MEMORANDA_RUN_TOKENS": "9", "MEMORANDA_DAY_TOKENS": "9"})
    assert (found.run_calls, found.run_tokens, found.run_money) == (7, None, 0.5)
    assert found.day_tokens == 9


OPEN_NONE = {"scan", "install", "uninstall", "serve"}
OF_A_PLACE = [command for command in COMMANDS if command.name not in OPEN_NONE]
"""`scan` and `serve` look at the whole root, `install` and `uninstall` at files of other programs."""


@pytest.mark.parametrize("command", OF_A_PLACE, ids=lambda command: command.name)
def test_every_command_takes_the_flags_of_a_place(command: click.Command) -> None:
    flags = {name for param in command.params for name in param.opts}
    assert flags >= {
        "--root",
        "--user",
        "--workspace",
        "--project",
        "--all-projects",
        "--documents",
        "--json",
    }


def test_commands_come_in_the_order_of_their_use_and_all_have_a_short_help() -> None:
    assert list(program.commands) == [
        "init", "add", "import", "correct", "retract", "consolidate", "rebuild", "mark", "plan",
        "watch", "calls", "forget", "receipts", "asked", "expire", "ask", "cite", "search",
        "context", "list", "show", "get", "history", "status", "grep", "read", "facts", "events",
        "documents", "log", "diff", "blame", "doctor", "lint", "scan", "undo", "replay",
        "remaintain", "adopt", "metrics", "backup", "check", "export", "import-archive", "mcp",
        "install", "uninstall", "serve", "token",
    ]  # fmt: skip
    assert not [c.name for c in COMMANDS if c.get_short_help_str().endswith("...")]


def test_the_choices_are_those_of_the_values() -> None:
    assert SOURCES == values.SOURCES
    assert SENSITIVITIES == values.SENSITIVITIES


def test_without_a_command_there_is_help() -> None:
    result = CliRunner().invoke(program, [])
    assert result.exit_code == 0
    assert "consolidate" in result.stdout
    assert "_MEMORANDA_COMPLETE" in result.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["serch", "x"], "serch"),
        (["search"], "QUERY"),
        (["search", "x", "--budget", "0"], "--budget"),
        (["add", "x", "--source", "robot"], "robot"),
        (["add", "x", "--meta", "novalue"], "KEY=VALUE"),
        (["add", "x", "--meta", "a=1", "--meta", "a=2"], "twice"),
        (["correct", "none", "x"], "none"),
        (["import", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (["consolidate", "--diff", "--json"], "--diff"),
        (["log", "--after", "-1"], "--after"),
        (["consolidate", "--max-calls", "-1"], "--max-calls"),
        (["consolidate", "--max-calls", "0.5"], "whole number"),
        (["consolidate", "--max-tokens", "many"], "--max-tokens"),
        (["consolidate", "--max-money", "nan"], "--max-money"),
        (["consolidate", "--max-money", "$5"], "or none"),
    ],
)
def test_wrong_usage_is_one_sentence_and_code_2(args: list[str], said: str) -> None:
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("memoranda: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
