"""Search: p50 and p95 at 1,000, 10,000 and 100,000 blocks, against bare FTS5 of the same texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.library import place_all
from benchmarks.measure import Row, folder, median, part, say, seconds
from benchmarks.texts import Talk
from memoranda import Memory, Settings

SIZES = (1_000, 10_000, 100_000)
"""Blocks of one entry each: as many lines to rank as there can be for their number."""


def run(*, small: bool) -> Iterator[Row]:
    """Measure each size with the same questions."""
    sizes, questions = ((50,), 5) if small else (SIZES, 60)
    for size in sizes:
        say(f"search: {size:,} blocks")
        with folder(in_memory=True) as here:
            yield from _size(here, size, questions)


def _size(here: Path, size: int, number: int) -> Iterator[Row]:
    talk = Talk(seed=3)
    events = list(talk.events(size))
    asked = [talk.question() if n % 2 else _half(talk.sentence(n)) for n in range(number)]
    with Memory.open(here / "ours", settings=Settings(auto=False)) as memory:
        memory.add_many(events)
        place_all(memory, entries=100)
        memory.search("warm up")
        with closing(sqlite3.connect(here / "raw.db")) as raw:
            raw.execute("CREATE VIRTUAL TABLE unit USING fts5(body, tokenize='porter unicode61')")
            raw.executemany("INSERT INTO unit VALUES (?)", ((event.content,) for event in events))
            raw.commit()
            bare, ours = _times(raw, memory, asked)
    for name, find in (("p50", median), ("p95", lambda values: part(values, 0.95))):
        yield Row(
            matter="search",
            what=f"search {name}, {size:,} blocks",
            ours=find(ours) * 1e3,
            other=find(bare) * 1e3,
            unit="ms",
            against="bare FTS5, best 20 of an OR",
        )


def _times(
    raw: sqlite3.Connection, memory: Memory, asked: list[str]
) -> tuple[list[float], list[float]]:
    bare, ours = [], []
    for question in asked:
        bare.append(seconds(_looking(raw, question)))
        ours.append(seconds(_asking(memory, question)))
    return bare, ours


def _looking(raw: sqlite3.Connection, question: str) -> Callable[[], object]:
    words = "".join(ch if ch.isalnum() else " " for ch in question).split()
    query = " OR ".join(f'"{word}"' for word in words)
    sql = "SELECT rowid FROM unit WHERE unit MATCH ? ORDER BY rank LIMIT 20"
    return lambda: raw.execute(sql, (query,)).fetchall()


def _asking(memory: Memory, question: str) -> Callable[[], object]:
    return lambda: memory.search(question)


def _half(sentence: str) -> str:
    """Ask with part of what was said."""
    words = sentence.rstrip(".。").split()
    return " ".join(words[: max(1, len(words) // 2)]) if len(words) > 1 else sentence[:8]
