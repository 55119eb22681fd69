"""An edit that is being taken in is killed at any step: nothing of it is lost, nothing is taken twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from editing_place import CALM, adopted, append, edit, lines, path_of, sound, text_of, without
from races import LONG

from scene import Place

TESTS = Path(__file__).parents[1]


def test_an_edit_killed_at_any_step_is_taken_in_once(shelf: Place, tmp_path: Path) -> None:
    title = text_of(shelf, "d3").split("# ")[1].split("\n")[0]
    edit(shelf, "d2", ("low barn.", "high barn."))
    append(shelf, "d2", "\nMine, and mine alone.\n")
    without(shelf, "d1", "ferry")
    edit(shelf, "d3", (f"# {title}", "# Keys and Rain"))
    append(shelf, "CURRENT", "- One more waits.\n")
    path_of(shelf, "d4").write_text("Headless words.\n", "utf-8")
    paths = [TESTS, TESTS / "crash", TESTS / "edit", TESTS.parent / "src"]
    done = subprocess.run(
        [
            sys.executable,
            str(TESTS / "edit" / "killing_edits.py"),
            str(shelf.root),
            str(tmp_path),
            "1" if LONG else "9",
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
    )
    assert done.returncode == 0, done.stderr
    roots = sorted(tmp_path.iterdir())
    assert len(roots) > 4
    states = []
    for number, root in enumerate(roots):
        place = Place(root, CALM, ids=f"again-{number}-")
        with place.open() as memory:
            found = adopted(memory)
            assert (len(found.added), len(found.corrected), len(found.removed)) == (2, 1, 1)
            assert lines(memory, "d2")[0] == "The goats sleep in the high barn."
            assert lines(memory, "d2").count("Mine, and mine alone.") == 1
            assert memory.document("Keys and Rain").header.document_id == "d3"
            assert len(memory.waiting()) == 1
            (copy,) = place.copies()
            assert (place.folder / "conflicts" / copy).read_text("utf-8") == "Headless words.\n"
            assert list(place.folder.rglob(".memoranda-*")) == []
            sound(place, memory)
        states.append(place.files())
        place.close()
    assert all(files == states[0] for files in states)
