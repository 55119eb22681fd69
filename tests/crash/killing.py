"""Does something to copies of a scope again and again, and kills itself one step later each time.

Run as `killing.py ACTION MODEL OUT [EVERY]`: for n = 1, 1 + EVERY, ... it copies MODEL to OUT/n
and lets a child do ACTION there, which SIGKILL ends just before its n-th step that changes the
disk: a call of the file layer that writes, a COMMIT, a VACUUM or a checkpoint. It ends with the
first that came through.
"""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from memoranda.store import held
from memoranda.store.disk import MAKING, Disk
from scene import QUIET, SMALL, Place

WRITING = frozenset(
    {
        "mkdir", "open_file", "write", "sync", "sync_folder", "replace", "exchange", "link", "unlink",
    }
)  # fmt: skip

REVIEW = replace(QUIET, mode="review")
STEPS = ("COMMIT", "VACUUM", "PRAGMA wal_checkpoint")


class Fuse:
    """Counts steps, and kills at one of them."""

    def __init__(self, at: int) -> None:
        self.left = at

    def step(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def light(fuse: Fuse) -> None:
    """Count every step of this process from now on."""

    def counted(name: str) -> Callable[..., Any]:
        call = getattr(Disk, name)

        @functools.wraps(call)
        def wrapper(*args: Any) -> Any:
            if name != "open_file" or args[-1] == MAKING:
                fuse.step()
            return call(*args)

        return wrapper

    for name in sorted(WRITING):
        setattr(Disk, name, counted(name))

    class Counting(held.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            if sql.startswith(STEPS):
                fuse.step()
            return super().execute(sql, *args)

    real = sqlite3.connect

    def connect(*args: Any, **given: Any) -> sqlite3.Connection:
        return real(*args, **{**given, "factory": Counting})

    sqlite3.connect = connect  # type: ignore[assignment]


def consolidate(place: Place) -> None:
    with place.open() as memory:
        memory.consolidate()


def grow(place: Place) -> None:
    with place.open(settings=SMALL) as memory:
        for number in range(8):
            memory.add(
                f"Barge {number} passed the lock at noon with apples, hay and news.",
                id=f"g{number}",
            )


def change(place: Place) -> None:
    with place.open() as memory:
        memory.correct(1, "The old kiln was sold.")
        memory.retract(2)


def forget(place: Place) -> None:
    with place.open() as memory:
        memory.forget(external_id="canary")


def approve(place: Place) -> None:
    with place.open(settings=REVIEW) as memory:
        memory.approve(memory.waiting()[0], by="Mira", reason="It reads well.")


def reject(place: Place) -> None:
    with place.open(settings=REVIEW) as memory:
        memory.reject(memory.waiting()[0])


def rebuild(place: Place) -> None:
    with place.open() as memory:
        memory.rebuild()


def heal(place: Place) -> None:
    for name in place.files():
        (place.folder / name).write_bytes(b"")
    (place.folder / "index.db").write_bytes(b"\0" * 4096)
    with place.open() as memory:
        memory.search("kiln")


ACTIONS = {
    action.__name__: action
    for action in (consolidate, grow, change, approve, reject, forget, rebuild, heal)
}


def ended_by(life: Callable[[Path, int], None], root: Path, at: int) -> int:
    """Let a child live on a root, killed at a step; gives how it ended (0: it came through)."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            life(root, at)
            status = 0
        except BaseException:  # noqa: BLE001 - a child that forked must not go on
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def at_each_step(life: Callable[[Path, int], None], model: Path, out: Path, every: int) -> int:
    """Let a child live on a copy of a root for each step at which it is killed, until one comes through.

    Prints the step that none reached, and gives 0; else how a child failed.
    """
    at = 1
    while True:
        root = out / f"{at:04}"
        shutil.copytree(model, root)
        code = ended_by(life, root, at)
        if code == 0:
            print(at)  # noqa: T201 - what the test reads
            return 0
        if code != -signal.SIGKILL:
            return code
        at += every


def main() -> int:
    action, model, out = ACTIONS[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3])

    def life(root: Path, at: int) -> None:
        light(Fuse(at))
        action(Place(root, QUIET, ids=f"killed-{at}-"))

    return at_each_step(life, model, out, int(sys.argv[4]) if len(sys.argv) > 4 else 1)


if __name__ == "__main__":
    sys.exit(main())
