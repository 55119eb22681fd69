"""On a terminal stored text is harmless, JSON is indented, and long work draws a bar."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX terminals")
SOURCE = str(Path(__file__).parents[2] / "src")
HOSTILE = "Green tea \x1b]0;owned\x07 and \u202eeert"


def on_terminal(root: Path, *args: str, **env: str) -> str:
    """Run the command with a terminal as its standard output and error; give what came."""
    ours, theirs = os.openpty()
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
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


def test_stored_text_can_not_steer_the_terminal(tmp_path: Path) -> None:
    on_terminal(tmp_path, "add", HOSTILE, "--speaker", "\x1b[2J")
    on_terminal(tmp_path, "consolidate")
    for command in (
        ["search", "tea"],
        ["ask", "tea?"],
        ["show", "d1"],
        ["list"],
        ["log"],
        ["context", "tea"],
    ):
        shown = on_terminal(tmp_path, *command, NO_COLOR="1")
        assert shown
        assert not set("\x1b\x07\u202e") & set(shown), command
    assert r"Green tea \u{1b}]0;owned\u{7} and \u{202e}eert" in on_terminal(tmp_path, "show", "d1")


def test_get_is_raw_and_ends_its_line(tmp_path: Path) -> None:
    on_terminal(tmp_path, "add", HOSTILE)
    assert on_terminal(tmp_path, "get", "1") == HOSTILE + "\n"


def test_titles_are_bold_where_colour_is_welcome(tmp_path: Path) -> None:
    on_terminal(tmp_path, "add", "Green tea.")
    assert "\x1b[1m" in on_terminal(tmp_path, "search", "tea")
    assert "\x1b" not in on_terminal(tmp_path, "search", "tea", NO_COLOR="1")


def test_json_is_indented_for_people(tmp_path: Path) -> None:
    shown = on_terminal(tmp_path, "status", "--json")
    assert shown.startswith('{\n  "root"')
    assert json.loads(shown)["events"] == 0
