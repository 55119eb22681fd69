"""A person who edits files while others consolidate, and what must hold whoever was faster."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from memoranda import Memory
from memoranda.errors import BusyError
from scene import Place

LONG = os.environ.get("MEMORANDA_LONG") == "1"
RACES = 1000 if LONG else 60
"""Edits, each while others write."""


@dataclass
class Person:
    """Reads a file, changes it, and saves it: sometimes late, sometimes in place, sometimes by a rename."""

    folder: Path
    random: random.Random
    words: list[str] = field(default_factory=list)
    """Every word that was written and saved."""
    removed: set[int] = field(default_factory=set)
    """Every line whose removal was saved."""
    number: int = 0

    def edit(self, think: Callable[[], None]) -> bool:  # noqa: PLR0915 - one edit
        """Make one edit; say whether it was saved."""
        files = [*(self.folder / "topics").glob("*.md"), self.folder / "CURRENT.md"]
        path = self.random.choice(sorted(files))
        try:
            lines = path.read_text("utf-8").split("\n")
        except FileNotFoundError:
            return False
        if not lines[0]:
            return False
        self.number += 1
        word = f"word{self.number:05}by{self.random.randrange(10**6):06}"
        items = [at for at, line in enumerate(lines) if line.startswith("- <seq=")]
        removed: set[int] = set()
        kind = self.random.choice(("add", "add", "correct", "correct", "remove", "order"))
        if kind == "correct" and items:
            at = self.random.choice(items)
            lines[at] = f"{lines[at]} {word}"
        elif kind == "remove" and len(items) > 5:
            at = self.random.choice(items)
            removed = {int(lines[at].split("=")[1].split(",")[0].split("-")[0])}
            del lines[at]
            word = ""
        elif kind == "order" and len(items) > 1 and items[1] == items[0] + 1:
            one, two = items[0], items[1]
            lines[one], lines[two] = lines[two], lines[one]
            word = ""
        else:
            lines.append(f"A new line with {word}.")
        think()
        if not path.exists():  # an editor says so, and the person looks where it is now
            return False
        self._save(path, "\n".join(lines).encode())
        self.words += [word] if word else []
        self.removed |= removed
        return True

    def _save(self, path: Path, data: bytes) -> None:
        if self.random.random() < 0.5:
            other = path.with_name(f".editor-{self.number}.tmp")
            other.write_bytes(data)
            other.replace(path)
        else:
            path.write_bytes(data)


def race(place: Place, number: int, seed: int) -> Person:
    """Let a person edit while another thread adds and consolidates, so often."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    person = Person(place.folder, chance)
    done = threading.Event()
    faults: list[BaseException] = []

    def maintain() -> None:
        try:
            with place.open() as memory:
                count = 0
                while not done.is_set():
                    count += 1
                    memory.add(
                        f"Barge {count} with {chance.random():.6f} tons.", session=f"b{count // 3}"
                    )
                    if count % 2 == 0:
                        with suppress(BusyError):
                            memory.consolidate()
        except BaseException as error:  # noqa: BLE001 - told below
            faults.append(error)

    thread = threading.Thread(target=maintain)
    thread.start()
    try:
        saved = 0
        while saved < number and not faults:
            wait = chance.choice((0, 0, 0.001, 0.01, 0.05))
            saved += person.edit(lambda: done.wait(wait) and None)  # noqa: B023 - called at once
    finally:
        done.set()
        thread.join()
    assert not faults, faults
    return person


def everything(place: Place, memory: Memory) -> str:
    """All that can be read: events, and kept copies."""
    events = [str(record.body["content"]) for record in memory.log(kind="event") if record.body]
    copies = [path.read_text("utf-8", "replace") for path in (place.folder / "conflicts").glob("*")]
    return "\n".join([*events, *copies])


def retracted(memory: Memory) -> set[int]:
    """The entries that an edit took out."""
    found: set[int] = set()
    for record in memory.log(kind="plan"):
        for operation in (record.body or {})["operations"]:
            if operation["op"] == "withdraw":
                found.add(operation["seq"])
    return found
