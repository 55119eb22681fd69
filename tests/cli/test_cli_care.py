"""`backup` and `check` on the command line: what they print, and their exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from cli_command import Command
from scene import BY_HAND, Place


def filled(root: Path) -> Place:
    place = Place(root, BY_HAND)
    with place.open() as memory:
        memory.add("The old kiln cracks when it is fired too hot.", id="a")
        memory.add("船屋后面的旧窑在一千一百度以上会开裂。", id="b")
        memory.consolidate()
    return place


def test_backup_names_the_file_it_made(memoranda: Command) -> None:
    place = filled(memoranda.root)
    said = memoranda.ok("backup")
    (made,) = (place.folder / "backups").iterdir()
    assert said == f"backed up 2 events at position 6: {made}\n"
    assert memoranda.json("backup")["path"] == str(made)


def test_backup_to_a_file_that_is_there_is_wrong_input(memoranda: Command, tmp_path: Path) -> None:
    filled(memoranda.root)
    target = tmp_path / "copy.db"
    found = memoranda.json("backup", str(target))
    assert (found["path"], found["position"], found["events"]) == (str(target), 6, 2)
    assert found["bytes"] == target.stat().st_size
    result = memoranda("backup", str(target))
    assert result.exit_code == 2
    assert f"{target} exists already; a backup never replaces anything" in result.stderr


def test_the_page_on_backups_restores_as_it_says(memoranda: Command, tmp_path: Path) -> None:
    """docs/backup.md: an empty scope folder, the copy as memory.db, rebuild."""
    filled(memoranda.root)
    target = tmp_path / "copy.db"
    memoranda.ok("backup", str(target))
    wanted = memoranda.json("rebuild")["state"], memoranda.ok("search", "kiln")
    shutil.rmtree(memoranda.root)
    folder = Path(memoranda.json("init")["folder"])
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copyfile(target, folder / "memory.db")
    assert (memoranda.json("rebuild")["state"], memoranda.ok("search", "kiln")) == wanted
    assert memoranda.ok("check", "--full").startswith("sound: ")


def test_check_says_that_all_is_sound(memoranda: Command) -> None:
    place = filled(memoranda.root)
    assert memoranda.ok("check") == f"sound: 6 records, {len(place.files())} files\n"
    found = memoranda.json("check", "--full")
    assert found == {
        "ok": True,
        "records": 6,
        "position": 6,
        "full": True,
        "files": len(place.files()),
        "flaws": [],
        "subset": "",
    }


def test_check_names_a_damaged_record_and_leaves_with_4(memoranda: Command) -> None:
    place = filled(memoranda.root)
    data = place.database.read_bytes()
    text = b'"The old kiln'
    assert data.count(text) == 1
    place.database.write_bytes(data.replace(text, b'"The odd kiln'))
    edited = next(iter((place.folder / "topics").iterdir()))
    edited.write_text("edited", encoding="utf-8")
    result = memoranda("check")
    assert result.exit_code == 4
    first, second, last = result.stdout.splitlines()
    assert first.startswith("record 1: its payload does not match its commitment; restore")
    assert second.startswith(f"files topics/{edited.name}: is not as it was written")
    assert last == f"2 flaws: 6 records, {len(place.files())} files"
    assert edited.read_text(encoding="utf-8") == "edited"
    assert json.loads(memoranda("check", "--json").stdout)["ok"] is False
