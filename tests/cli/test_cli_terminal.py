"""On a terminal stored text is harmless, JSON is indented, and long work draws a bar."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli_command import Command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")
SOURCE = str(Path(__file__).parents[2] / "src")
HOSTILE = "Green tea \x1b]0;owned\x07 and \u202eeert"


def on_terminal(root: Path, *args: str, **env: str) -> str:
    """Run the command with a terminal as its standard output and error; give what came."""
    ours, theirs = os.openpty()
    kept = {
        name: os.environ[name]
        for name in ("PATH", "HOME", "TMPDIR", "XDG_CONFIG_HOME")
        if name in os.environ
    }
    place = {"PYTHONPATH": SOURCE, "MEMORANDA_ROOT": str(root), "TERM": "xterm"}
    with subprocess.Popen(
        [sys.executable, "-m", "memoranda", *args],
        env={**kept, **place, **env}, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
    ):  # fmt: skip
        os.close(theirs)
        came = b""
        while piece := read(ours):
            came += piece
    os.close(ours)
    return came.decode().replace("\r\n", "\n")


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        return b""


def test_stored_text_can_not_steer_the_terminal(memoranda: Command) -> None:
    memoranda.ok("add", HOSTILE, "--speaker", "\x1b[2J")
    memoranda.ok("consolidate")
    for command in ("search tea", "show d1", "context tea"):
        shown = on_terminal(memoranda.root, *command.split(), NO_COLOR="1")
        assert "Green tea" in shown
        assert not set("\x1b\x07\u202e") & set(shown), command


def test_get_is_raw_and_ends_its_line(memoranda: Command) -> None:
    memoranda.ok("add", HOSTILE)
    assert on_terminal(memoranda.root, "get", "1") == HOSTILE + "\n"


def test_titles_are_bold_where_colour_is_welcome(memoranda: Command) -> None:
    memoranda.ok("add", "Green tea.")
    assert "\x1b[1m" in on_terminal(memoranda.root, "search", "tea")


def test_json_is_indented_for_people(root: Path) -> None:
    shown = on_terminal(root, "status", "--json")
    assert shown.startswith('{\n  "root"')
    assert json.loads(shown)["events"] == 0
