"""Damage to log, index or documents: what changes a record is told, nothing false is called sound."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory
from memoranda.errors import MemorandaError
from scene import Place, home

LONG = os.environ.get("MEMORANDA_LONG") == "1"
ROUNDS = 2000 if LONG else 80
PAGE = 4096
PARTS = 8
"""The rounds are cut into so many tests."""


def flip(data: bytearray, chance: random.Random) -> None:
    """Three bytes, as a failing medium does."""
    at = chance.randrange(max(1, len(data) - 3))
    for offset in range(min(3, len(data))):
        data[at + offset] ^= chance.choice((0x01, 0x20, 0x81, 0xFF))


def zero(data: bytearray, chance: random.Random) -> None:
    """A whole block, or a sector of it."""
    size = chance.choice((512, PAGE))
    at = chance.randrange(len(data) // size + 1) * size
    data[at : at + size] = bytes(len(data[at : at + size]))


def cut(data: bytearray, chance: random.Random) -> None:
    """The end is missing."""
    del data[chance.randrange(len(data)) :]


def garble(data: bytearray, chance: random.Random) -> None:
    """A block of another file."""
    at = chance.randrange(len(data) // 512 + 1) * 512
    data[at : at + 512] = chance.randbytes(len(data[at : at + 512]))


WAYS: tuple[Callable[[bytearray, random.Random], None], ...] = (flip, zero, cut, garble, flip)


def logical(path: Path) -> Any:
    """Every byte of every record, read by SQLite alone; None when it can't be read."""
    db = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        return [
            db.execute(f"SELECT {columns} FROM {name} ORDER BY 1").fetchall()
            for name, columns in (
                ("record", "*"),
                ("payload", "position, hex(key), hex(body)"),
                ("erased", "*"),
            )
        ]
    except (sqlite3.Error, ValueError):
        return None
    finally:
        db.close()


def reads(memory: Memory) -> Any:
    """All that a person can read."""
    db = home(memory).log.connection
    seqs = [row[0] for row in db.execute("SELECT seq FROM entry WHERE line = seq")]
    return (
        [(record.position, record.kind, record.body) for record in memory.log()],
        [memory.get(seq).to_dict() for seq in seqs],
        [memory.document(info.document_id).to_dict() for info in memory.documents()],
        [entry.to_dict() for entry in memory.current()],
    )


@pytest.fixture(scope="module")
def sound(_model: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, Any]:
    """A sound root, what its log holds byte for byte, and what can be read of it."""
    root = tmp_path_factory.mktemp("sound") / "root"
    shutil.copytree(_model, root)
    place = Place(root)
    with place.open() as memory:
        memory.forget(entry=9)
        memory.search("kiln")
        assert memory.check(full=True).flaws == ()
        found = reads(memory)
    return root, logical(place.database), found


def damaged(place: Place, number: int) -> tuple[str, str]:
    """Damage one file of a copy; gives its kind and its name."""
    chance = random.Random(number)  # noqa: S311 - a fixed run
    targets = {
        "log": [place.database],
        "index": [place.folder / "index.db"],
        "document": sorted((place.folder / "topics").glob("*.md")),
    }
    kind = ("log", "log", "log", "index", "document")[number % 5]
    path = chance.choice(targets[kind])
    data = bytearray(path.read_bytes())
    WAYS[number // 5 % len(WAYS)](data, chance)
    path.write_bytes(bytes(data))
    return kind, str(path.relative_to(place.root))


def names(place: Place) -> set[str]:
    return {
        str(path.relative_to(place.root))
        for path in place.root.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def examined(place: Place, wanted: Any) -> tuple[bool, str]:
    """Check a damaged scope: whether it was told, and whether what is read is what it was."""
    try:
        with place.open(heal=False) as memory:
            if memory.check(full=True).flaws:
                return True, "told"
            return False, "as it was" if reads(memory) == wanted else "false"
    except MemorandaError:
        return True, "told"


@pytest.mark.parametrize("part", range(PARTS))
def test_what_changes_a_record_is_told_and_nothing_false_is_called_sound(
    part: int, sound: tuple[Path, Any, Any], tmp_path: Path
) -> None:
    root, log, wanted = sound
    told = changed = 0
    for number in range(part, ROUNDS, PARTS):
        place = Place(tmp_path / f"r{number}")
        shutil.copytree(root, place.root)
        kind, name = damaged(place, number)
        before = names(place)
        now = logical(place.database) if kind == "log" else log
        found, state = examined(place, wanted)
        assert state != "false", f"round {number}: {name} is damaged and called sound"
        assert found or now == log, f"round {number}: a record changed in {name}, and none told"
        assert names(place) >= before, f"round {number}: a file is gone"
        told, changed = told + found, changed + (now != log)
        if kind != "log":
            mended(place, wanted)
            assert names(place) >= before
        shutil.rmtree(place.root)
    assert told >= changed
    assert changed > 0 or not LONG


def mended(place: Place, wanted: Any) -> None:
    """Index and documents come back by rebuild, from the log.

    A changed byte of a document would be taken for a person's edit: here it is meant to be a fault.
    """
    with place.open(settings=replace(place.settings, adopt=False)) as memory:
        memory.rebuild()
        assert memory.check(full=True).flaws == ()
        assert reads(memory) == wanted


def test_the_rounds_reach_every_kind_of_damage() -> None:
    kinds: Mapping[tuple[int, int], int] = {
        (number % 5, number // 5 % len(WAYS)): number for number in range(ROUNDS)
    }
    assert len(kinds) == 5 * len(WAYS)
