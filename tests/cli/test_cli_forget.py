"""`memoranda forget`: what goes, what is shown before, and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli_command import Command

HIDDEN = "阿兰把备用钥匙藏在旧邮局的石狮子下面。"
OTHER = "林小姐每天早上喝龙井绿茶，不加糖。"


@pytest.fixture
def stocked(memoranda: Command) -> Command:
    memoranda.ok("add", HIDDEN, "--id", "wx-1")
    memoranda.ok("add", OTHER, "--id", "wx-2")
    memoranda.ok("consolidate")
    memoranda.ok("add", "阿兰说邮局门口的石狮子有三百年了。")
    memoranda.ok("consolidate")
    return memoranda


def test_an_entry_is_forgotten_and_the_receipt_is_told(stocked: Command) -> None:
    said = stocked.ok("forget", "--entry", "1", "--yes")
    assert said.startswith("forgot 1 entry (seq 1) of 1 event\nretired d1\n")
    assert "nothing left" in said
    assert HIDDEN not in said
    assert stocked("get", "1").exit_code == 3
    assert "entry 1 was forgotten on" in stocked("get", "1").stderr
    assert HIDDEN.encode() not in b"".join(
        path.read_bytes() for path in stocked.root.rglob("*") if path.is_file()
    )
    assert stocked.ok("get", "2") == OTHER


@pytest.mark.parametrize("way", ["--external-id", "--event"])
def test_an_event_is_forgotten_by_either_id(stocked: Command, way: str) -> None:
    event = stocked.json("get", "1")["event_ids"][0]
    done = stocked.json("forget", way, "wx-1" if way == "--external-id" else event, "--yes")
    assert (done["events"], done["seqs"], done["left"]) == ([event], [1], [])
    assert done["scanned_files"] > 3


def test_a_dry_run_shows_the_lines_and_changes_nothing(stocked: Command) -> None:
    position = stocked.json("status")["position"]
    said = stocked.ok("forget", "--external-id", "wx-1", "--dry-run")
    assert HIDDEN in said
    assert "would forget 1 entry (seq 1) of 1 event" in said
    assert stocked.json("status")["position"] == position
    assert stocked.ok("get", "1") == HIDDEN


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ((), 2),
        (("--entry", "1", "--event", "e1"), 3),
        (("--project", "acme"), 2),
        (("--seq", "1;2"), 2),
        (("--since", "soon"), 2),
        (("--source", "tool"), 3),
        (("--verify", "r77"), 3),
        (("--verify", "r77", "--entry", "1"), 2),
        (("--entry", "1", "--text", "x"), 2),
        (("--whole-user",), 2),
        (("--entry", "0"), 2),
        (("--entry", "77"), 3),
        (("--event", "e77"), 3),
        (("--external-id", "wx-77"), 3),
    ],
)
def test_what_can_not_be_forgotten_is_refused(
    stocked: Command, given: tuple[str, ...], code: int
) -> None:
    done = stocked("forget", "--yes", *given)
    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr
    assert stocked.ok("get", "1") == HIDDEN


def test_a_file_of_a_persons_own_that_holds_it_needs_a_look(stocked: Command) -> None:
    folder = stocked.root / "users" / "default" / "_" / "topics"
    (folder / "my-notes.md").write_text(HIDDEN, "utf-8")
    done = stocked("forget", "--entry", "1", "--yes")
    assert done.exit_code == 4
    assert "left in topics/my-notes.md: look at it" in done.stdout


def test_an_import_tells_what_does_not_come_back(stocked: Command) -> None:
    stocked.ok("forget", "--entry", "1", "--yes")
    line = json.dumps({"id": "wx-1", "content": HIDDEN})
    assert "1 event forgotten before, not stored again" in stocked.ok("import", "-", given=line)
    again = stocked.ok("add", HIDDEN, "--id", "wx-1")
    assert "(forgotten before, nothing written)" in again
    assert stocked.json("status")["forgotten"] == 1


def test_the_history_says_that_it_was_forgotten(stocked: Command) -> None:
    stocked.ok("forget", "--entry", "1", "--yes")
    assert "entry 1 forgotten" in stocked.ok("history", "1")
    assert "retired: its last line was forgotten" in stocked.ok("history", "d1")
    stocked.ok("add", OTHER + "也喝红茶。", "--session", "s")
    stocked.ok("add", OTHER + "也喝白茶。", "--session", "s")
    stocked.ok("consolidate")
    (lost,) = {entry["document_id"] for entry in [stocked.json("get", "4")]}
    stocked.ok("forget", "--entry", "4", "--yes")
    assert "summarised anew, after something was forgotten" in stocked.ok("history", lost)
