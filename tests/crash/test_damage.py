"""A damaged record is marked and named; all others are served, and nothing is changed on its own."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory, errors
from scene import BY_HAND, Place, holding, home, log_bytes, rows

WORDS = ["red", "blue", "green", "white", "black", "yellow", "grey", "brown", "pink", "violet"]
BOATS = ["barge", "ferry", "punt", "canoe", "yacht", "cutter", "sloop", "ketch", "dinghy", "raft"]


def text_of(number: int) -> str:
    return f"The {WORDS[number // 10]} {BOATS[number % 10]} came in with {number + 300} crates."


@pytest.fixture(scope="module")
def _hundred(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Place(tmp_path_factory.mktemp("hundred") / "root", BY_HAND, ids="first-")
    with place.open() as memory:
        for number in range(100):
            memory.add(text_of(number), id=f"c{number}", session=f"s{number // 10}")
        memory.consolidate()
        memory.search("barge")
    return place.root


@pytest.fixture
def hundred(_hundred: Path, place: Place) -> Place:
    """A closed log of 100 events, consolidated."""
    shutil.copytree(_hundred, place.root)
    return place


def event(place: Place, number: int) -> int:
    """The position of the event with that number."""
    with place.sql() as db:
        (position,) = db.execute(
            "SELECT position FROM record WHERE kind = 'event' ORDER BY position LIMIT 1 OFFSET ?",
            (number,),
        ).fetchone()
    return int(position)


def flip(place: Place, number: int, old: bytes, new: bytes) -> int:
    """Change three bytes of one payload in the closed file; gives the record's position."""
    position = event(place, number)
    with place.sql() as db:
        (body,) = db.execute("SELECT body FROM payload WHERE position = ?", (position,)).fetchone()
    before = place.database.read_bytes()
    found = body.encode()
    assert before.count(found) == 1
    assert len(old) == len(new) == 3
    place.database.write_bytes(before.replace(found, found.replace(old, new, 1)))
    assert sum(a != b for a, b in zip(before, place.database.read_bytes(), strict=True)) == 3
    return position


FLIPS = {
    "a letter is another": (b"350", b"971"),
    "it is no JSON": (b'{"a', b"[!!"),
    "it is no UTF-8": (b"350", b"\xff\xfe\xf8"),
}


@pytest.fixture(params=list(FLIPS))
def damaged(hundred: Place, request: pytest.FixtureRequest) -> tuple[Place, int]:
    """Event 50 damaged, and its record's position."""
    return hundred, flip(hundred, 50, *FLIPS[request.param])


def found(memory: Memory, number: int) -> bool:
    """Say whether a search for an event's words finds its text."""
    evidence = memory.search(f"{number + 300} crates", budget=500).evidence
    return any(text_of(number) == entry.text for item in evidence for entry in item.entries)


def test_99_of_100_events_are_served(damaged: tuple[Place, int]) -> None:
    place, position = damaged
    with place.open() as memory:
        events = [record for record in memory.log() if record.kind == "event"]
        assert [record.position for record in events if record.damaged] == [position]
        assert sum(record.body is not None for record in events) == 99
        assert all(found(memory, number) for number in (*range(0, 100, 12), 49, 51))
        assert len(memory.history(52)) >= 2
        for number in (0, 49, 51, 99):
            assert memory.get(f"c{number}").content == text_of(number)  # type: ignore[union-attr]
        with pytest.raises(errors.DamagedError, match=f"record {position} is damaged.*run check"):
            memory.get(f"c{50}")


def test_the_index_can_be_made_again_beside_a_damaged_record(damaged: tuple[Place, int]) -> None:
    place, _ = damaged
    place.drop(topics=False, current=False)
    with place.open() as memory:
        assert all(found(memory, number) for number in (0, 49, 51, 99))


def test_adding_and_consolidating_go_on_beside_a_damaged_record(
    damaged: tuple[Place, int],
) -> None:
    place, _ = damaged
    with place.open() as memory:
        memory.add("The lighthouse keeper paints the stairs in April.", id="new")
        memory.consolidate()
        assert "lighthouse" in memory.context("lighthouse keeper")
        assert memory.correct(3, "The red punt came in with 9 crates.").seqs == (102,)
        memory.retract(7)
        assert memory.get("new").content.startswith("The lighthouse")  # type: ignore[union-attr]


def test_check_names_the_damaged_record_and_changes_nothing(damaged: tuple[Place, int]) -> None:
    place, position = damaged
    before = place.database.read_bytes()
    with place.open(heal=False) as memory:
        checked = memory.check(full=True)
    assert [(flaw.part, flaw.name) for flaw in checked.flaws] == [("record", str(position))]
    assert not checked.ok
    assert checked.to_dict()["ok"] is False
    assert place.database.read_bytes() == before


def test_rebuild_stops_before_it_drops_what_it_could_not_make_again(
    damaged: tuple[Place, int],
) -> None:
    place, position = damaged
    with place.open() as memory:
        before = log_bytes_of(memory), rows(memory), place.files()
        with pytest.raises(errors.DamagedError, match=str(position)):
            memory.rebuild()
        assert (log_bytes_of(memory), rows(memory), place.files()) == before
        assert text_of(50) in holding(memory)


def log_bytes_of(memory: Memory) -> list[tuple[object, ...]]:
    """Every record with its payload as bytes: a damaged one is no text."""
    db = home(memory).log.connection
    found = db.execute(
        "SELECT record.*, key, CAST(body AS BLOB) FROM record LEFT JOIN payload USING (position)"
    )
    return [tuple(row) for row in found]


def test_a_sound_scope_is_found_sound(library: Place) -> None:
    with library.open(heal=False) as memory:
        quick, full = memory.check(), memory.check(full=True)
        position = memory.status().position
    assert (quick.ok, quick.flaws, quick.full) == (True, (), False)
    assert (full.ok, full.flaws, full.full) == (True, (), True)
    assert quick.records == quick.position == position
    assert quick.files == len(library.files())


def spoil(place: Place, *statements: str) -> None:
    """Change the closed database as no program of ours would."""
    db = sqlite3.connect(place.database, isolation_level=None)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.close()


SPOILS: dict[str, tuple[Any, ...]] = {
    "an envelope was changed": (
        "UPDATE record SET recorded = '2001-01-01T00:00:00.000000Z' WHERE position = 9",
        ("chain", "9"),
    ),
    "a commitment was changed": (
        "UPDATE record SET commitment = x'00' WHERE position = 9",
        ("chain", "9"),
        ("record", "9"),
    ),
    "a record is missing": (
        "DELETE FROM record WHERE position = 9",
        ("chain", "10"),
        ("record", "9"),
    ),
    "a payload is missing": ("DELETE FROM payload WHERE position = 9", ("record", "9")),
    "the views lag": (
        "UPDATE counter SET value = 8 WHERE name = 'position'",
        ("views", "counter"),
    ),
    "an entry says something else": (
        "UPDATE entry SET text = 'Something else.' WHERE seq = 4",
        ("views", "entry"),
    ),
    "a document has another summary": ("UPDATE document SET summary = 'x'", ("views", "document")),
}


@pytest.mark.parametrize("spoilt", SPOILS.values(), ids=SPOILS)
def test_check_names_what_was_changed(library: Place, spoilt: tuple[Any, ...]) -> None:
    statement, *wanted = spoilt
    spoil(library, str(statement))
    before = library.database.read_bytes()
    with library.open(heal=False) as memory:
        flaws = memory.check(full=True).flaws
    named = [(flaw.part, flaw.name) for flaw in flaws]
    assert [item for item in named if item in wanted] == wanted
    assert {part for part, _ in named} <= {part for part, _ in wanted} | {"chain"}
    assert all("restore a backup" in flaw.text or "run rebuild" in flaw.text for flaw in flaws)
    assert library.database.read_bytes() == before


def test_what_only_a_full_check_sees_a_rebuild_mends(library: Place) -> None:
    spoil(library, "UPDATE entry SET text = 'Something else.' WHERE seq = 4")
    with library.open() as memory:
        assert memory.check().ok
        assert not memory.check(full=True).ok
        memory.rebuild()
        assert memory.check(full=True).ok


def test_check_sees_files_that_opening_would_mend(library: Place) -> None:
    names = list(library.files())
    (library.folder / names[0]).write_bytes(b"edited")
    (library.folder / names[1]).unlink()
    (library.folder / names[2]).unlink()
    (library.folder / names[2]).mkdir()
    with library.open(heal=False) as memory:
        flaws = memory.check().flaws
    assert [(flaw.part, flaw.name) for flaw in flaws] == [("files", name) for name in names[:3]]
    assert (library.folder / names[0]).read_bytes() == b"edited"
    assert not (library.folder / names[1]).exists()
    (library.folder / names[2]).rmdir()
    with library.open() as memory:
        assert memory.check().ok


def test_a_broken_page_is_told_and_nothing_is_written(hundred: Place) -> None:
    data = bytearray(hundred.database.read_bytes())
    at = data.index(text_of(50).encode()) // 4096 * 4096
    data[at : at + 64] = b"\xa5" * 64  # the head of the page
    hundred.database.write_bytes(data)
    with hundred.open(heal=False) as memory:
        flaws = memory.check().flaws
    assert any(flaw.part == "database" for flaw in flaws)
    assert all("restore a backup" in flaw.text for flaw in flaws if flaw.part == "database")
    assert hundred.database.read_bytes() == bytes(data)


def test_damage_before_the_log_can_be_read_is_one_of_our_errors(hundred: Place) -> None:
    data = bytearray(hundred.database.read_bytes())
    data[4096:8192] = b"\xa5" * 4096
    data[100:200] = b"\xa5" * 100
    hundred.database.write_bytes(data)
    with pytest.raises(errors.StoreError, match="restore a backup"):
        hundred.open()
    assert hundred.database.read_bytes() == bytes(data)


def test_a_log_that_was_erased_in_part_is_sound(library: Place) -> None:
    with library.open() as memory:
        db = home(memory).log.connection
        position = memory.log(kind="event", limit=1).__next__().position
        db.execute("INSERT INTO erased (position, by, at) VALUES (?, 1, 'now')", (position,))
        db.execute("DELETE FROM payload WHERE position = ?", (position,))
        assert memory.check().flaws == ()
        assert log_bytes(memory)[position - 1][-1] is None
