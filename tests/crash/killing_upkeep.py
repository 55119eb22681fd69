"""Lets a run by a model be killed again and again, one step later each time.

Run as `killing_upkeep.py MODEL OUT EVERY`: for n = 1, 1 + EVERY, ... it copies MODEL to OUT/n and
lets a child consolidate there, which SIGKILL ends just before its n-th step: one that changes the
disk (see `killing.py`), a question to the model, or its answer. OUT/n.asked gets one byte when a
question is asked. It ends with the first that came through, and prints the number of steps.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import traceback
from pathlib import Path

from killing import Fuse, light
from racing import SETTINGS, Seen, reply_to

from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from scene import Place


def model_of(fuse: Fuse, root: Path) -> ScriptedModel:
    """Make the lively model; question and answer are steps."""

    def answer(request: Request) -> str:
        with root.with_suffix(".asked").open("ab", buffering=0) as stream:
            stream.write(Seen(request).step[:1].encode())
        fuse.step()
        reply = reply_to(request)
        fuse.step()
        return reply

    return ScriptedModel(answer)


def ended(root: Path, at: int) -> int:
    """Let a child consolidate, killed at a step; gives how it ended (0: it came through)."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            fuse = Fuse(at)
            light(fuse)
            place = Place(root, SETTINGS, ids=f"killed-{at}-")
            with place.open(model=model_of(fuse, root)) as memory:
                memory.consolidate()
            status = 0
        except BaseException:  # noqa: BLE001 - a child that forked must not go on
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> int:
    model, out, every = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    at = 1
    while True:
        root = out / f"{at:04}"
        shutil.copytree(model, root)
        code = ended(root, at)
        if code == 0:
            print(at)  # noqa: T201 - what the test reads
            return 0
        if code != -signal.SIGKILL:
            return code
        at += every


if __name__ == "__main__":
    sys.exit(main())
