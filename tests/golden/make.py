"""Makes the golden log of today's format: `python tests/golden/make.py`, once a format, by hand.

A log of a released format is never made again: every later version must open it as it is.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from memoranda.store import schema  # noqa: E402 - after the path
from scene import SENTENCES, SMALL, Place  # noqa: E402 - after the path


def main() -> None:
    """Write `format-N.db`, and beside it what must be read from it."""
    target = HERE / f"format-{schema.FORMAT}.db"
    if target.exists():
        sys.exit(f"{target} is there already: a golden log is never made again")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder) / "root", SMALL)
        with place.open() as memory:
            for number, text in enumerate(SENTENCES):
                memory.add(f"{text} ({number})", session=f"s{number // 4}", id=f"g{number}")
            memory.consolidate()
            memory.correct(3, "The night ferry to Skarholm leaves at 23:15.")
            memory.retract(5)
            memory.forget(entry=9)
            memory.consolidate()
            memory.mark(2, "private", by="golden")
            shelf = Path(memory.status().documents_folder)
            file = shelf / memory.documents()[0].file
            text = file.read_text(encoding="utf-8")
            file.write_text(f"{text}- A line that was written by hand.\n", encoding="utf-8")
            memory.adopt()
            memory.add("Please forget that the kiln is hot.")
            memory.add("This line waits in CURRENT.", actor="golden")
            told = {
                "position": memory.status().position,
                "chain": memory.backup().chain,
                "entries": memory.status().entries,
                "forgotten": memory.status().forgotten,
                "kinds": [record.kind for record in memory.log()],
                "bodies": [record.body for record in memory.log()],
            }
            shutil.copyfile(memory.backup().path, target)
    target.with_suffix(".json").write_text(
        json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
