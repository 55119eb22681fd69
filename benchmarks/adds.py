"""Durable adds: one FULL transaction a text, against one plain INSERT a transaction of SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.measure import Row, folder, in_turns, median, say
from benchmarks.texts import Talk
from memoranda import Memory, Settings


def run(*, small: bool) -> Iterator[Row]:
    """Measure on the disk of temporary files, and where every sync is free."""
    number, rounds = (5, 3) if small else (60, 25)
    for name, in_memory in (("on disk", False), ("in memory", True)):
        say(f"adds: {rounds} rounds of {number} adds {name}")
        with folder(in_memory=in_memory) as here:
            ours, raw = _rounds(here, number, rounds)
        yield Row(
            matter="adds",
            what=f"one durable add {name}",
            ours=ours / number * 1e3,
            other=raw / number * 1e3,
            unit="ms",
            against="SQLite, WAL, FULL, one INSERT",
            bound="" if in_memory else ">= 0.5",
            inverse=True,
        )


def _rounds(here: Path, number: int, rounds: int) -> tuple[float, float]:
    talk = Talk(seed=7)
    texts = talk.sentences(number)
    with (
        closing(sqlite3.connect(here / "raw.db", isolation_level=None)) as raw,
        Memory.open(here / "ours", settings=Settings(auto=False)) as memory,
    ):
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("PRAGMA synchronous = FULL")
        raw.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")

        def bare() -> None:
            for text in texts:
                raw.execute("INSERT INTO event (body) VALUES (?)", (text,))

        def ours() -> None:
            for text in texts:
                memory.add(text)

        in_turns([bare, ours], rounds=1)
        times = in_turns([bare, ours], rounds=rounds)
    return median(times[1]), median(times[0])
