"""Flags win over the environment, and the environment over the defaults."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from memoranda import values
from memoranda.cli import program
from memoranda.cli.place import Place
from memoranda.cli.writing import SENSITIVITIES, SOURCES
from memoranda.errors import InputError

COMMANDS = [
    command
    for one in program.commands.values()
    for command in (one.commands.values() if isinstance(one, click.Group) else (one,))
]


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


OF_A_PLACE = [command for command in COMMANDS if command.name != "scan"]
"""`scan` opens no memory: it looks at the whole root."""


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
        "init", "add", "import", "correct", "retract", "consolidate", "rebuild", "plan", "forget",
        "search", "ask", "context", "list", "show", "get", "history", "log", "status", "scan", "backup",
        "check",
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
    ],
)
def test_wrong_usage_is_one_sentence_and_code_2(args: list[str], said: str) -> None:
    result = CliRunner().invoke(program, args)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("memoranda: ")
    assert result.stderr.count("\n") == 1
    assert said in result.stderr
