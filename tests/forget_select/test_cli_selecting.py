"""`memoranda forget` by anything: it lists and asks, and scripts say yes; receipts and users."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli_command import Command

KILN = "The kiln at Brask runs at 1,040 degrees."
HAN = "窑炉的密码是芝麻开门。"
TOOL = "Sensor 9 read 988 degrees."


@pytest.fixture
def stocked(root: Path) -> Command:
    command = Command(root)
    command.ok("add", KILN, "--speaker", "Mira", "--time", "2026-05-01")
    command.ok("add", HAN, "--id", "wx", "--project", "acme")
    command.ok("add", TOOL, "--source", "tool", "--time", "2026-05-03")
    return command


@pytest.mark.parametrize(
    ("options", "seqs"),
    [
        (("--seq", "1-2"), [1, 2]),
        (("--source", "tool"), [3]),
        (("--speaker", "Mira"), [1]),
        (("--in-project", "acme"), [2]),
        (("--since", "2026-05-02", "--until", "2026-05"), [3]),
        (("--query", "DEGREES"), [1, 3]),
        (("--query", "degrees", "--source", "user"), [1]),
        (("--document", "CURRENT"), [1, 2, 3]),
        (("--all",), [1, 2, 3]),
    ],
)
def test_what_fits_all_options_goes(
    stocked: Command, options: tuple[str, ...], seqs: list[int]
) -> None:
    shown = stocked.ok("forget", *options, "--dry-run")
    assert [number for number in (1, 2, 3) if f"\n  {number}  " in f"\n{shown}"] == seqs
    look = stocked.json("forget", *options, "--dry-run")
    done = stocked.json("forget", *options, "--yes", "--expect", look["token"], "--by", "Ines")
    assert (done["seqs"], done["by"], done["left"]) == (seqs, "Ines", [])
    assert stocked("forget", *options, "--yes").exit_code == 3


def test_without_a_terminal_it_does_not_ask_and_does_nothing(stocked: Command) -> None:
    done = stocked("forget", "--all")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "give --yes" in done.stderr
    assert stocked.json("status")["forgotten"] == 0


def test_a_token_that_does_not_fit_forgets_nothing(stocked: Command) -> None:
    done = stocked("forget", "--all", "--yes", "--expect", "3-00")
    assert done.exit_code == 2
    assert "nothing was forgotten" in done.stderr


def test_a_long_list_is_cut_and_counted(root: Path) -> None:
    command = Command(root)
    lines = "\n".join(json.dumps({"content": f"Shard {n} of the pot."}) for n in range(60))
    command.ok("import", "-", given=lines)
    assert "... and 10 lines more" in command.ok("forget", "--all", "--dry-run")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
@pytest.mark.parametrize(("answer", "code", "left"), [("n", 130, 3), ("", 130, 3), ("y", 0, 1)])
def test_on_a_terminal_it_lists_and_asks(
    stocked: Command, answer: str, code: int, left: int
) -> None:
    import pty  # noqa: PLC0415 - not on Windows

    outer, inner = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "memoranda", "forget", "--query", "degrees"],
        stdin=inner,
        stderr=inner,
        stdout=subprocess.PIPE,
        env={**os.environ, "MEMORANDA_ROOT": str(stocked.root), "TERM": "dumb"},
    )
    os.write(outer, f"{answer}\n".encode())
    out, _ = running.communicate(timeout=60)
    os.close(inner)
    told = os.read(outer, 65536).decode()
    os.close(outer)
    assert running.returncode == code, told
    assert KILN in told
    assert TOOL in told
    assert "Forget 2 entries of 2 events for good? [y/N]" in told
    assert (b"forgot 2 entries" in out) is (code == 0)
    assert stocked.json("status")["events"] - stocked.json("status")["forgotten"] == left


def test_receipts_are_listed_and_verified(stocked: Command, tmp_path: Path) -> None:
    assert stocked.ok("receipts") == "nothing was forgotten here\n"
    target = tmp_path / "gone.json"
    done = stocked.json(
        "forget", "--query", "芝麻", "--yes", "--by", "Ines", "--receipt", str(target)
    )
    assert json.loads(target.read_text("utf-8")) == done
    (row,) = stocked.ok("receipts").splitlines()
    assert row.startswith(done["receipt_id"])
    assert row.endswith("1 entry of 1 event  by Ines")
    assert [item["forget_id"] for item in stocked.json("receipts")] == [done["forget_id"]]
    for name in (done["receipt_id"], done["forget_id"], str(target)):
        assert f"{done['forget_id']}: holds" in stocked.ok("forget", "--verify", name)
    found = stocked.json("forget", "--verify", done["forget_id"], "--text", "-", given=HAN)
    assert (found["ok"], found["scanned_files"] > 0) == (True, True)
    (stocked.root / "users" / "default" / "_" / "note.md").write_text(HAN, "utf-8")
    held = stocked("forget", "--verify", done["forget_id"], "--text", "-", given=HAN)
    assert held.exit_code == 4
    assert "note.md holds a piece of the text" in held.stdout


def test_a_retraction_tells_who_asked_for_it(stocked: Command) -> None:
    stocked.ok("retract", "1", "--by", "Ines")
    assert "Ines" in stocked.ok("log", "--actor", "Ines")


# --- a whole user -----------------------------------------------------------------------------


def names_below(root: Path) -> str:
    return "\n".join(str(path.relative_to(root)) for path in root.rglob("*"))


def bytes_below(root: Path) -> bytes:
    return b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_a_whole_user_goes_with_all_workspaces_and_nobody_else(root: Path, tmp_path: Path) -> None:
    command = Command(root)
    for scope in (
        ("--user", "mira"),
        ("--user", "mira", "--workspace", "shop"),
        ("--user", "ines"),
    ):
        command.ok("add", f"{KILN} {scope[-1]}", *scope)
    command.ok("backup", str(tmp_path / "copy.db"), "--user", "mira")
    other = bytes_below(root / "users" / "ines")
    assert command("forget", "--whole-user", "--yes").exit_code == 2
    assert command("forget", "--whole-user", "--user", "mira").exit_code == 2
    assert (
        command("forget", "--whole-user", "--user", "mira", "--entry", "1", "--yes").exit_code == 2
    )
    look = command.json("forget", "--whole-user", "--user", "mira", "--dry-run")
    assert [item["workspace"] for item in look["workspaces"]] == [None, "shop"]
    assert (root / "users" / "mira").is_dir()
    receipt = tmp_path / "receipt.json"
    done = command.json(
        "forget",
        "--whole-user",
        "--user",
        "mira",
        "--yes",
        "--by",
        "law",
        "--receipt",
        str(receipt),
    )
    assert json.loads(receipt.read_text("utf-8")) == done
    assert [item["events"] for item in done["workspaces"]] == [1, 1]
    assert "copy.db" in done["workspaces"][0]["out_of_reach"][0]
    assert "mira" not in names_below(root)
    assert bytes_below(root / "users" / "ines") == other
    assert command("forget", "--whole-user", "--user", "mira", "--yes").exit_code == 3
    command.ok("add", "Again.", "--user", "mira")


def test_documents_of_a_user_in_another_folder_go_too(root: Path, tmp_path: Path) -> None:
    command = Command(root)
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "mine.txt").write_text("mine", "utf-8")
    command.ok("add", KILN, "--user", "mira", "--documents", str(shelf))
    command.ok("consolidate", "--user", "mira")
    assert KILN.encode() in bytes_below(shelf)
    command.ok("forget", "--whole-user", "--user", "mira", "--yes")
    assert KILN.encode() not in bytes_below(tmp_path)
    assert (shelf / "mine.txt").exists()


def test_what_a_kill_left_of_a_users_folder_is_swept_at_the_next_opening(root: Path) -> None:
    command = Command(root)
    command.ok("add", KILN, "--user", "mira")
    (root / "users" / "mira").rename(root / "users" / ".going-0011")
    command.ok("add", "Mine.", "--user", "ines")
    assert KILN.encode() not in bytes_below(root)
    assert sorted(path.name for path in (root / "users").iterdir()) == ["ines"]
