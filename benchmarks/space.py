"""Space: peak memory of a process that adds, places and searches, and bytes on disk an entry."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, folder, say

SIZES = (1_000, 10_000, 100_000)
SCRIPT = """
import json, re, resource, sys
from pathlib import Path
from benchmarks.library import place_all
from benchmarks.texts import Talk
from memoranda import Memory, Settings
root, size = Path(sys.argv[1]), int(sys.argv[2])
def peak():
    status = Path("/proc/self/status")  # getrusage would tell the peak of the parent
    if status.exists():
        return int(re.search(r"VmHWM:\\s+([0-9]+)", status.read_text())[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
text = 0
def told():
    global text
    for event in Talk(seed=3).events(size):
        text += len(event.content.encode())
        yield event
with Memory.open(root, settings=Settings(auto=False)) as memory:
    memory.add_many(told())
    place_all(memory, entries=100)
    memory.search("warm up")
print(json.dumps({"text": text, "before": before, "peak": peak()}))
"""


def run(*, small: bool) -> Iterator[Row]:
    """Fill a memory of each size in a process of its own."""
    if sys.platform == "win32":
        say("space: skipped, no peak of memory is told here")
        return
    for size in (100,) if small else SIZES:
        say(f"space: {size:,} entries")
        with folder(in_memory=True) as here:
            found = subprocess.run(
                [sys.executable, "-c", SCRIPT, str(here), str(size)],
                check=True,
                cwd=Path(__file__).parents[1],
                capture_output=True,
                encoding="utf-8",
            )
            told = json.loads(found.stdout)
            yield Row(
                matter="space",
                what=f"peak memory, {size:,} entries",
                ours=told["peak"] / 1e6,
                other=told["before"] / 1e6,
                unit="MB",
                against="the libraries loaded",
            )
            yield from _disk(here, size, told["text"])


def _disk(here: Path, size: int, text: int) -> Iterator[Row]:
    for what, patterns in (
        ("log and views", ("memory.db*",)),
        ("search index", ("index.db*",)),
        ("Markdown", ("topics/*.md", "CURRENT.md")),
    ):
        files = [path for pattern in patterns for path in here.glob(f"users/*/*/{pattern}")]
        yield Row(
            matter="space",
            what=f"{what} on disk an entry, {size:,} entries",
            ours=sum(path.stat().st_size for path in files) / size,
            other=text / size,
            unit="B",
            against="the bare text",
        )
