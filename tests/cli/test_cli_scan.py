"""`memoranda scan` says whether a text still stands anywhere, and touches nothing."""

from __future__ import annotations

import json
from pathlib import Path

from canaries import plain
from cli_command import Command
from memoranda.store.scan import Scanned

TEXT = plain("cli").text


def snapshot(root: Path) -> dict[Path, tuple[int, bytes]]:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_a_text_that_was_added_is_found_and_another_is_not(memoranda: Command) -> None:
    memoranda.ok("add", TEXT)
    before = snapshot(memoranda.root)
    found = memoranda("scan", given=TEXT)
    assert found.exit_code == 0
    assert "users/default/_/memory.db" in found.stdout
    gone = memoranda("scan", "-", given=plain("other").text)
    assert (gone.exit_code, gone.stdout) == (3, "")
    assert "found nowhere" in gone.stderr
    assert snapshot(memoranda.root) == before


def test_a_scan_is_printed_as_a_table_or_as_json(memoranda: Command) -> None:
    memoranda.root.mkdir()
    (memoranda.root / "a file.md").write_text(f"- {TEXT}\n", "utf-8")
    assert memoranda.ok("scan", *TEXT.split()).splitlines() == [
        "FILE       WHERE    FORM   COUNT  PIECE",
        f"a file.md  content  utf-8  1      {TEXT[:59]}…",
    ]
    found = memoranda.json("scan", given=TEXT)
    assert found.keys() == set(Scanned.__dataclass_fields__)
    assert found["hits"] == [
        {
            "file": "a file.md",
            "form": "utf-8",
            "piece": TEXT[:59] + "…",
            "where": "content",
            "count": 1,
        }
    ]


def test_documents_kept_elsewhere_are_searched(memoranda: Command, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    memoranda.ok("add", "Something else.", "--documents", str(shelf))
    (shelf / "topics" / "left.md").parent.mkdir(exist_ok=True)
    (shelf / "topics" / "left.md").write_text(TEXT, "utf-8")
    assert "topics/left.md" in memoranda.ok("scan", given=TEXT)


def test_whole_lines_only_are_looked_for_if_asked(memoranda: Command) -> None:
    memoranda.root.mkdir()
    (memoranda.root / "a").write_text(TEXT.split()[0], "utf-8")
    assert memoranda("scan", "--whole", given=TEXT).exit_code == 3
    assert memoranda("scan", given=TEXT).exit_code == 0


def test_what_could_not_be_read_is_no_clean_bill(memoranda: Command) -> None:
    memoranda.root.mkdir()
    (memoranda.root / "a.gz").write_bytes(b"\x1f\x8b no gzip")
    result = memoranda("scan", "--json", given=TEXT)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["unread"][0].startswith("a.gz: ")
    assert "could not be read: a.gz" in result.stderr


def test_a_folder_that_is_not_there_is_no_clean_bill(memoranda: Command) -> None:
    assert memoranda("scan", given=TEXT).exit_code == 1


def test_a_database_that_is_not_ours_is_named_and_searched(memoranda: Command) -> None:
    folder = memoranda.root / "users" / "default" / "_"
    folder.mkdir(parents=True)
    (folder / "memory.db").write_bytes(TEXT.encode())
    result = memoranda("scan", given=TEXT)
    assert result.exit_code == 0
    assert "memory.db: where its documents are can't be read" in result.stderr


def test_a_text_too_short_to_be_told_from_chance_is_refused(memoranda: Command) -> None:
    memoranda.root.mkdir()
    assert memoranda("scan", "ok").exit_code == 2
    assert memoranda("scan", given="").exit_code == 2


def test_the_help_says_why_standard_input_is_better(memoranda: Command) -> None:
    assert "history of the shell" in " ".join(memoranda.ok("scan", "--help").split())
