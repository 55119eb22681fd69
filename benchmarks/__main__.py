"""`python -m benchmarks`: durable adds, search and start-up, each against the bare thing beside it."""

from __future__ import annotations

import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from memoranda import Memory, NewEvent, Settings

WORDS = [
    "river",
    "market",
    "engine",
    "letter",
    "garden",
    "window",
    "signal",
    "paper",
    "bridge",
    "winter",
    "copper",
    "basket",
]
QUIET = Settings(auto=False)


def main() -> None:
    """Run every benchmark and print one line for each."""
    with _folder() as folder:
        _adds(folder)
    with _folder() as folder:
        _consolidation(folder)
    for size in (1_000, 10_000):
        with _folder() as folder:
            _search(folder, size)
    _start()


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def _sentences(number: int, seed: int = 7) -> list[str]:
    chance = random.Random(seed)  # noqa: S311 - made-up text
    return [
        f"{' '.join(chance.choices(WORDS, k=9))} {chance.randrange(10_000)}." for _ in range(number)
    ]


def _time(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _say(name: str, ours: float, bare: float, unit: str) -> None:
    print(f"{name:44} {ours:10.4f} {unit}   bare {bare:10.4f} {unit}   ratio {ours / bare:7.2f}")


def _adds(folder: Path) -> None:
    texts = _sentences(1_000)
    with closing(sqlite3.connect(folder / "raw.db", isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT)")

        def bare() -> None:
            for text in texts:
                raw.execute("INSERT INTO event (body) VALUES (?)", (text,))

        bare_seconds = _time(bare)
    with Memory.open(folder / "ours", settings=QUIET) as memory:

        def ours() -> None:
            for text in texts:
                memory.add(text)

        _say("one durable add", _time(ours) / 1_000 * 1e3, bare_seconds / 1_000 * 1e3, "ms")


def _consolidation(folder: Path) -> None:
    texts = _sentences(2_000)
    with Memory.open(folder, settings=QUIET) as memory:
        memory.add_many(
            NewEvent(content=text, session=str(n // 20)) for n, text in enumerate(texts)
        )
        tokens = memory.status().current_tokens
        seconds = _time(memory.consolidate)
        rebuilt = _time(memory.rebuild)
    _say(
        "consolidate, and rebuild, 5,000 tokens",
        seconds / tokens * 5e3,
        rebuilt / tokens * 5e3,
        "s ",
    )


def _search(folder: Path, size: int) -> None:
    texts = _sentences(size)
    questions = _sentences(50, seed=11)
    with closing(sqlite3.connect(folder / "raw.db")) as raw:
        raw.execute("CREATE VIRTUAL TABLE unit USING fts5(body, tokenize='porter')")
        raw.executemany("INSERT INTO unit VALUES (?)", ((text,) for text in texts))

        def bare(question: str) -> None:
            query = " OR ".join(f'"{word}"' for word in question.rstrip(".").split())
            raw.execute(
                "SELECT rowid FROM unit WHERE unit MATCH ? ORDER BY rank LIMIT 20", (query,)
            ).fetchall()

        bare_p50 = statistics.median(_time(lambda q=q: bare(q)) for q in questions)  # type: ignore[misc]
    with Memory.open(folder / "ours", settings=QUIET) as memory:
        memory.add_many(
            NewEvent(content=text, session=str(n // 20)) for n, text in enumerate(texts)
        )
        memory.consolidate()
        memory.search("warm up")
        ours_p50 = statistics.median(
            _time(lambda q=q: memory.search(q))  # type: ignore[misc]
            for q in questions
        )
    _say(f"search p50, {size:,} entries", ours_p50 * 1e3, bare_p50 * 1e3, "ms")


def _start() -> None:
    def run(*arguments: str) -> float:
        command = [sys.executable, *arguments]
        return min(
            _time(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
            for _ in range(7)
        )

    bare = run("-c", "pass")
    _say("import memoranda", run("-c", "import memoranda") * 1e3, bare * 1e3, "ms")
    _say("memoranda --help", run("-m", "memoranda", "--help") * 1e3, bare * 1e3, "ms")


if __name__ == "__main__":
    main()
