"""Start: `import memoranda` and the command's help, against an interpreter that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.measure import Row, in_turns, median, say

COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "import memoranda": ("-c", "import memoranda"),
    "import memoranda; memoranda.Memory": ("-c", "import memoranda; memoranda.Memory"),
    "memoranda --help": ("-m", "memoranda", "--help"),
    "memoranda --version": ("-m", "memoranda", "--version"),
}


def run(*, small: bool) -> Iterator[Row]:
    """Start each command in turns."""
    say("start: every command in turns")
    works = [_starting(arguments) for arguments in COMMANDS.values()]
    in_turns(works, rounds=1)
    times = [median(found) for found in in_turns(works, rounds=1 if small else 15)]
    for name, ours in list(zip(COMMANDS, times, strict=True))[1:]:
        yield Row(
            matter="start",
            what=name,
            ours=ours * 1e3,
            other=times[0] * 1e3,
            unit="ms",
            against="python -c pass",
        )


def _starting(arguments: tuple[str, ...]) -> Callable[[], object]:
    def work() -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    return work
