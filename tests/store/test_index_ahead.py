"""The index never holds what the log may never hold, and still shows a transaction its own lines."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from memoranda import Memory, NewEvent, Settings
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.query import understand
from scene import Place, home


def hits(found: Home, words: str) -> list[int]:
    def look(index: FtsIndex) -> list[int]:
        return [
            hit.unit for hit in index.search(understand(words), limit=9, projects=None) if hit.unit
        ]

    return found.reading(look)


def kept(memory: Memory) -> int:
    """The position that the file of the index holds, as another program reads it."""
    file = Path(memory.status().folder) / "index.db"
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
        row = connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()
    connection.close()
    return int(row[0])


def test_a_trial_sees_its_own_lines_and_leaves_none_in_the_file(place: Place) -> None:
    memory = place.open(settings=Settings(auto=False))
    memory.add("窑门漆成了绿色。")
    memory.search("窑门")
    inner, before = home(memory), kept(memory)
    with inner.log.trial():
        memory._intake.take([NewEvent(content="窑门后来漆成了红色。")])
        assert hits(inner, "窑门") == [1, 2]
        assert hits(inner, "红色") == [2]
    assert kept(memory) == before == inner.log.position()
    assert hits(inner, "红色") == []
    assert memory.check(full=True).flaws == ()


def test_a_look_inside_a_look_sees_what_came_between(place: Place) -> None:
    memory = place.open(settings=Settings(auto=False))
    memory.add("窑门漆成了绿色。")
    inner = home(memory)

    def look(index: FtsIndex) -> list[int]:
        memory._intake.take([NewEvent(content="窑门后来漆成了红色。")])
        return hits(inner, "红色")

    with inner.log.transaction():
        assert inner.reading(look) == [2]
    assert hits(inner, "红色") == [2]
    assert memory.check(full=True).flaws == ()
