"""Lets strace kill a process, or fail one of its system calls, again and again at another call.

Run as `tracing.py kill|fail OUT COUNT`: a child lives its life in OUT/n, traced; at its n-th chosen
system call on a file below its root it gets SIGKILL, or an error. What was acknowledged stands in
OUT/n.ack, one JSON line each. Prints the chosen calls and how the children ended, as JSON.

The children are forked from this process, which has everything imported and has lived once: so that
the calls which strace counts are those of the life, and a child costs no start of an interpreter.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path

from failing import Life

from memoranda import Memory
from scene import QUIET, SENTENCES, Place

CALLS = (
    "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "mkdir", "mkdirat",
    "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat",
)  # fmt: skip
LOOKING = ("read", "pread64", "newfstatat", "fcntl", "flock")
"""Calls that only look, or lock: these can't lose anything by a kill, but they can fail."""
ERRORS = {"openat": "EMFILE", "write": "ENOSPC", "pwrite64": "ENOSPC"}
"""The error that a call gives in a run of `fail`; EIO for the others."""
_LINE = re.compile(r"\d+\s+(\w+)\((.*)")


def strace() -> str | None:
    """Say why calls can't be traced here; None if they can."""
    done = subprocess.run(
        [sys.executable, __file__, "kill", "-", "0"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return None if done.returncode == 0 else done.stderr.decode().strip().split("\n")[-1][:200]


def traced(child: Callable[[], None], log: Path, *inject: str) -> int:
    """Fork a child, attach strace, let it run; gives how it ended."""
    ready, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(go)
        status = 3
        try:
            os.read(ready, 1)
            child()
            status = 0
        except BaseException:  # noqa: BLE001 - a child that forked must not go on
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(ready)
    tracer = subprocess.Popen(
        [
            "strace",
            "-f",
            "-y",
            "-s",
            "0",
            "-o",
            str(log),
            "-e",
            f"trace={','.join(CALLS + LOOKING)}",
        ]
        + [part for text in inject for part in ("-e", f"inject={text}")]
        + ["-p", str(pid)],
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert tracer.stderr is not None
    said = tracer.stderr.readline()
    os.write(go, b"g" if "attached" in said else b"")
    os.close(go)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    tracer.communicate()
    if "attached" not in said:
        raise SystemExit(f"strace can't attach: {said.strip()}")
    return code


def calls(log: Path, root: Path, names: Collection[str] = CALLS) -> list[tuple[str, int]]:
    """Give the calls of some names on files below a root, in order: name, number of its kind."""
    found, seen = [], Counter[str]()
    ours = re.compile(re.escape(str(root)) + r"(?!\.ack)")
    for line in log.read_text(encoding="utf-8").splitlines():
        match = _LINE.match(line)
        if match is None or match[1] not in names:
            continue
        seen[match[1]] += 1
        if ours.search(match[2]):
            found.append((match[1], seen[match[1]]))
    return found


# --- what the children do ---------------------------------------------------------------------------


def acknowledge(path: Path, memory: Memory, number: int) -> None:
    """Add an event and note it, once it was acknowledged."""
    text = f"{SENTENCES[number % len(SENTENCES)]} ({number})"
    added = memory.add(text, id=f"n{number}", session=f"s{number // 4}")
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps([added.event_ids[0], text]) + "\n")


def live(root: Path) -> None:
    """Add, consolidate, correct, retract, search, rebuild, back up; note each added event."""
    ack = root.with_suffix(".ack")
    with Place(root, QUIET, ids="t-").open() as memory:
        for number in range(8):
            acknowledge(ack, memory, number)
        memory.consolidate()
        for number in range(8, 12):
            acknowledge(ack, memory, number)
        memory.correct(1, "The old kiln was sold.")
        memory.retract(2)
        memory.search("kiln")
        memory.consolidate()
        memory.rebuild()
        memory.backup()
        acknowledge(ack, memory, 12)


def survive(root: Path) -> None:
    """Live the life of the other doubles: a step that failed is done again."""
    life = Life(Place(root, QUIET, ids="f-"), lambda: None, anew=len(root.name) % 2 == 0)
    life.live()
    with root.with_suffix(".ack").open("a", encoding="utf-8") as stream:
        for item in life.added.items():
            stream.write(json.dumps(item) + "\n")
        for error in life.said:
            stream.write(json.dumps(["", str(error)]) + "\n")


def chosen(found: Sequence[tuple[str, int]], count: int) -> list[tuple[str, int]]:
    """Choose so many: half of them of all kinds of calls alike, half spread over the life."""
    kinds = sorted({name for name, _ in found})
    some: set[tuple[str, int]] = set()
    each = max(1, count // 2 // len(kinds))
    for name in kinds:
        some.update(spread([call for call in found if call[0] == name], each))
    rest = [call for call in found if call not in some]
    some.update(spread(rest, max(0, count - len(some))))
    return [call for call in found if call in some]


def spread(found: Sequence[tuple[str, int]], count: int) -> list[tuple[str, int]]:
    """Choose so many, from the first to the last."""
    if count >= len(found):
        return list(found)
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]


def main() -> int:
    action, count = sys.argv[1], int(sys.argv[3])
    child = live if action == "kill" else survive
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if count else None) as folder:
        log = Path(folder) / "log"
        if count == 0:  # only to see whether it can be done
            traced(lambda: None, log)
            return 0
        child(Path(folder) / "warm")
        root = Path(folder) / "root"
        assert traced(partial(child, root), log) == 0
        every = calls(log, root, CALLS if action == "kill" else CALLS + LOOKING)
    ends = []
    for number, (name, when) in enumerate(chosen(every, count)):
        own = Path(sys.argv[2]) / f"{number:04}{'x' * (number % 2)}"
        what = "signal=SIGKILL" if action == "kill" else f"error={ERRORS.get(name, 'EIO')}"
        code = traced(partial(child, own), log_of(own), f"{name}:{what}:when={when}")
        ends.append([own.name, name, when, code])
    print(json.dumps({"calls": len(every), "ends": ends}))  # noqa: T201 - what the test reads
    return 0


def log_of(root: Path) -> Path:
    return root.with_suffix(".log")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
