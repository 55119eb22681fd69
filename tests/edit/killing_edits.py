"""Takes hand edits into copies of a scope again and again, and kills itself one step later each time.

Run as `killing_edits.py MODEL OUT EVERY`, with tests/crash beside tests on the path.
"""

from __future__ import annotations

import sys
from pathlib import Path

from editing_place import CALM
from killing import Fuse, at_each_step, light

from scene import Place


def life(root: Path, at: int) -> None:
    """Open a scope whose files were edited; a kill comes at some step."""
    light(Fuse(at))
    with Place(root, CALM, ids=f"killed-{at}-").open() as memory:
        memory.search("barn")


if __name__ == "__main__":
    sys.exit(at_each_step(life, Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
