"""Lets a run by a model be killed again and again, one step later each time.

Run as `killing_upkeep.py MODEL OUT EVERY`: for n = 1, 1 + EVERY, ... it copies MODEL to OUT/n and
lets a child consolidate there, which SIGKILL ends just before its n-th step: one that changes the
disk (see `killing.py`), a question to the model, or its answer. OUT/n.asked gets one byte when a
question is asked. It ends with the first that came through, and prints the number of steps.
"""

from __future__ import annotations

import sys
from pathlib import Path

from killing import Fuse, at_each_step, light
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


def life(root: Path, at: int) -> None:
    """Consolidate by a model, killed at a step."""
    fuse = Fuse(at)
    light(fuse)
    with Place(root, SETTINGS, ids=f"killed-{at}-").open(model=model_of(fuse, root)) as memory:
        memory.consolidate()


def main() -> int:
    return at_each_step(life, Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))


if __name__ == "__main__":
    sys.exit(main())
