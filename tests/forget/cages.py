"""A memory in which one thing stands in every place that a text can come to: what a control needs."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from dens import SIZES, Den
from doomed import Doom, doom
from quoting import quoting

from memoranda.reports import Forgotten
from memoranda.write import forget as forgetting
from memoranda.write.choose import by_positions
from memoranda.write.steps import STEPS
from scene import home


@dataclass(frozen=True, slots=True)
class Cage:
    """The memory, what is to be forgotten in it, and a copy of its database from before."""

    den: Den
    doom: Doom
    events: tuple[str, ...]
    old: Path
    lines: list[bytes]


def cage(folder: Path, seed: int) -> Cage:
    """Let one thing come into log, documents, index, vectors, calls, copies, backups and git."""
    rng = random.Random(f"cage {seed}")  # noqa: S311 - the same each time, on purpose
    said = doom(rng, "plain")
    settings = replace(
        SIZES, keep_calls=True, trust="model", vectors="on", git=True, count_shown=True
    )
    den = Den(folder, rng, settings, quoting(seed))
    memory = den.memory
    memory.add(den.plain())
    lines = [f'{{"content": "{said.text}", "time": "2026-05-0{day}"}}'.encode() for day in (1, 2)]
    memory.import_lines(lines)
    events = tuple(one.record_id for one in memory.log(kind="event"))[1:]
    memory.add(f"{said.text} {den.plain()}", id="beside")
    memory.add(f"The deployment limit of {said.word} is 40 pods.", id="keyed")
    events += tuple(memory.get(one).event_id for one in ("beside", "keyed"))  # type: ignore[union-attr]
    for _ in range(3):
        memory.add(den.plain())
    memory.consolidate()
    memory.search(said.text)
    memory.ask(f"What of {said.text}?")
    shown = memory.context(said.text)
    memory.add([{"role": "assistant", "content": f"{den.plain()}\n\n{shown}\n\n{den.plain()}"}])
    _copied_by_hand(den, said)
    memory.search(said.word)
    memory.backup()
    old = Path(memory.backup(den.out / "old.db").path)
    (den.place.folder / "index.db.damaged-1").write_bytes(said.text.encode())
    den.close()
    into_a_gap(den.place.database, said.text.encode())
    return Cage(den, said, events, old, lines)


def into_a_gap(database: Path, data: bytes) -> None:
    """Write bytes into the gap of a page, as SQLite leaves cells there that it moved elsewhere."""
    pages = bytearray(database.read_bytes())
    size = int.from_bytes(pages[16:18], "big")
    for start in range(size, len(pages), size):
        cells, first = (int.from_bytes(pages[start + at : start + at + 2], "big") for at in (3, 5))
        gap = start + 8 + 2 * cells + 4
        if pages[start] == 13 and start + first - gap > len(data) + 4:  # a leaf of a table
            pages[gap : gap + len(data)] = data
            database.write_bytes(bytes(pages))
            return
    raise AssertionError("no page has room")


def copied(held: Cage, folder: Path) -> Cage:
    """Open a copy of a closed one."""
    shutil.copytree(held.den.folder, folder)
    den = Den(folder, random.Random(0), held.den.settings, held.den.model)  # noqa: S311
    return replace(held, den=den)


def _copied_by_hand(den: Den, said: Doom) -> None:
    """A person left a file that is no document: its bytes are kept beside."""
    folder = den.place.folder / "conflicts"
    folder.mkdir(exist_ok=True)
    (folder / "mine.12345678.md").write_text(f"- {said.text}\n", "utf-8")


def forgotten(held: Cage, *, without: str | None = None) -> Forgotten:
    """Forget it, with one step left out."""
    rooms = home(held.den.memory)
    steps = tuple(step for step in STEPS if step.name != without)
    positions = [record.position for one in held.events if (record := rooms.log.by_id(one))]
    with rooms.locked():
        chosen = by_positions(positions, rooms.log)
        return forgetting.Forgetter(rooms, steps=steps).run(chosen)


def numbers(folder: Path, seqs: Iterable[int]) -> list[str]:
    """Name the files beside the log that hold no text, and still tell of some entries by number."""
    found = []
    for file, table, column in (("vectors.db", "vector", "unit"), ("shown.db", "shown", "seq")):
        if not (folder / file).is_file():
            continue
        with closing(sqlite3.connect(folder / file)) as db:
            asked = (
                f"SELECT count(*) FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))"
            )
            if db.execute(asked, (json.dumps([*seqs]),)).fetchone()[0]:
                found.append(f"{file}: it tells of numbers that are forgotten")
    return found
