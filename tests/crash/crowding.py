"""Several processes at once on one scope.

Run as `crowding.py ROOT ROUNDS ADDERS ADDS CONSOLIDATORS AUTO`: in each round so many processes
start at the same moment; with AUTO 1 adders also consolidate when it is due. Adders note each
acknowledged event in ROOT.ack, one JSON line each: process, id, seqs, position, text. The processes
are forked from this one, which has everything imported.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from memoranda import Memory, Settings
from scene import SENTENCES

AUTO = Settings(current_tokens=1500, split_tokens=3000, merge_tokens=600)
BY_HAND = Settings(auto=False, split_tokens=600, merge_tokens=150, current_tokens=300)


def add(root: Path, who: str, number: int, settings: Settings) -> None:
    """Add so many events, and note each that is acknowledged."""
    with Memory.open(root, settings=settings) as memory:
        for turn in range(number):
            sentence = SENTENCES[(turn * 7 + len(who)) % len(SENTENCES)]
            text = f"{sentence} ({who}, {turn})"
            added = memory.add(text, id=f"{who}/{turn}", session=f"{who}-{turn // 5}")
            note(root, [who, added.event_ids[0], list(added.seqs), added.position, text])


def consolidate(root: Path, _: str) -> None:
    """Consolidate twice, in between of which others add."""
    with Memory.open(root, settings=BY_HAND) as memory:
        memory.consolidate()
        time.sleep(0.01)
        memory.consolidate()


def note(root: Path, line: list[object]) -> None:
    """Write one line at once: processes may do so side by side."""
    out = os.open(root.with_suffix(".ack"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(out, (json.dumps(line) + "\n").encode())
    os.close(out)


def at_once(work: Sequence[Callable[[], None]]) -> list[int]:
    """Let each piece of work be done by a process of its own, all from the same moment on."""
    gate, start = os.pipe()
    children = []
    for piece in work:
        child = os.fork()
        if child == 0:
            os.close(start)
            status = 3
            try:
                os.read(gate, 1)  # until the parent closes its end
                piece()
                status = 0
            except BaseException:  # noqa: BLE001 - a child that forked must not go on
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        children.append(child)
    os.close(start)
    os.close(gate)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def main() -> int:
    root = Path(sys.argv[1])
    rounds, adders, adds, consolidators, auto = (int(argument) for argument in sys.argv[2:])
    settings = AUTO if auto else BY_HAND
    for turn in range(rounds):
        work = [partial(add, root, f"r{turn}p{number}", adds, settings) for number in range(adders)]
        work += [partial(consolidate, root, "") for _ in range(consolidators)]
        if any(at_once(work)):
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
