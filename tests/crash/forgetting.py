"""Lets strace kill a process that forgets, at each of its system calls in turn.

Run as `forgetting.py MODEL OUT COUNT`: for COUNT system calls (0: all) on files below the root, it
copies MODEL to OUT/n and lets a child forget the event `canary` there; SIGKILL ends it just before
that call. Prints the calls in all and how the children ended, as JSON.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

from killing import forget
from tracing import calls, log_of, spread, traced

from scene import QUIET, Place


def child(root: Path) -> None:
    """Forget."""
    forget(Place(root, QUIET, ids="killed-"))


def main() -> int:
    model, out, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory(dir=out) as folder:
        warm, root, log = (Path(folder) / name for name in ("warm", "root", "log"))
        shutil.copytree(model, warm)
        child(warm)
        shutil.copytree(model, root)
        assert traced(partial(child, root), log) == 0
        every = calls(log, root)
    ends = []
    for number, (name, when) in enumerate(spread(every, count or len(every))):
        own = out / f"{number:04}"
        shutil.copytree(model, own)
        code = traced(partial(child, own), log_of(own), f"{name}:signal=SIGKILL:when={when}")
        ends.append([own.name, name, when, code])
    print(json.dumps({"calls": len(every), "ends": ends}))  # noqa: T201 - what the test reads
    return 0


if __name__ == "__main__":
    sys.exit(main())
