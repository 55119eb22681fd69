"""The byte-level scan: all forms of ten texts in large and in many files, against reading them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import scan

TEXTS = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def run(*, small: bool) -> Iterator[Row]:
    """Measure where reading costs least: in memory, or from the system's cache."""
    rounds = 2 if small else 5
    for size, files in ((2, 10), (1, 50)) if small else ((200, 10), (20, 10_000)):
        say(f"scan: {rounds} rounds over {size} MB in {files:,} files")
        with folder(in_memory=True) as here:
            _fill(here, files, size * 1_000_000 // files)
            raw, ours = _rounds(here, rounds)
        yield Row(
            matter="scan",
            what=f"{TEXTS} texts in all forms, {size} MB in {files:,} files",
            ours=ours,
            other=raw,
            unit="s",
            against="reading the files",
            bound="ours <= 0.7 s" if size == 200 else "",
        )


def _rounds(here: Path, rounds: int) -> tuple[float, float]:
    texts = _unheard(TEXTS)
    times = in_turns([lambda: _read(here), lambda: scan([here], texts)], rounds=rounds)
    return median(times[0]), median(times[1])


def _fill(here: Path, files: int, size: int) -> None:
    talk = Talk(seed=11)
    text = "\n".join(talk.sentences(min(20_000, size // 40))).encode()
    for number in range(files):
        start = number * 997 % len(text)
        turned = text[start:] + text[:start]
        (here / f"file-{number}.md").write_bytes((turned * (size // len(turned) + 1))[:size])


def _unheard(number: int) -> list[str]:
    """Make sentences of eight words of twelve letters that stand nowhere."""
    chance = random.Random(5)  # noqa: S311 - made-up text
    return [
        " ".join("".join(chance.choices(LETTERS, k=12)) for _ in range(8)) for _ in range(number)
    ]


def _read(here: Path) -> None:
    for path in sorted(here.iterdir()):
        with path.open("rb") as stream:
            while stream.read(1 << 20):
                pass
