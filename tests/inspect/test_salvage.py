"""Salvage: what can be read of a damaged log goes into a new one; the damaged one is left as it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_command import Command
from memoranda import Entry, Memory
from memoranda.errors import InputError, NotFoundError, StoreError
from memoranda.store.salvage import TEXT as LOST
from scene import Place, home

PAGE = 4096
TEXTS = [f"Barge {n} of the winter fleet carries {n * 17} sacks of 面粉." for n in range(120)]


@pytest.fixture
def fleet(place: Place) -> Place:
    """A closed scope of 120 events in documents, one of them forgotten, one retracted."""
    with place.open() as memory:
        for number, text in enumerate(TEXTS):
            memory.add(text, id=f"b{number}", session=f"s{number // 10}")
        memory.consolidate()
        memory.retract(3, by="Ines")
        memory.forget(entry=5, by="Ines")
    return place


def bytes_below(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def page_of(place: Place, text: str) -> int:
    return place.database.read_bytes().index(text.encode()) // PAGE


def zero(place: Place, page: int) -> None:
    data = bytearray(place.database.read_bytes())
    data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)
    place.database.write_bytes(bytes(data))


def root_page(place: Place, table: str) -> int:
    with place.sql() as db:
        return int(
            db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        )


@pytest.fixture
def target(root: Path) -> Iterator[Place]:
    found = Place(root.parent / "saved")
    yield found
    found.close()


def saved_texts(target: Place) -> set[str]:
    with target.open() as memory:
        assert memory.check(full=True).flaws == ()
        return {str((record.body or {})["content"]) for record in memory.log(kind="event")}


def test_a_sound_log_is_saved_whole(fleet: Place, target: Place) -> None:
    with fleet.open() as memory:
        state, records = memory.state(), [r.to_dict() for r in memory.log()]
    done = Memory.salvage(target.root, fleet.root)
    assert (done.lost, done.set_aside, done.doubtful) == ((), (), ())
    assert done.records == len(records)
    with target.open() as memory:
        assert memory.state() == state
        assert [r.to_dict() for r in memory.log()][:-1] == records
        assert memory.check(full=True).flaws == ()


def test_a_broken_page_costs_its_records_and_no_others(fleet: Place, target: Place) -> None:
    zero(fleet, page_of(fleet, f'"content":"{TEXTS[60]}'))
    before = bytes_below(fleet.root)
    done = Memory.salvage(target.root, fleet.root)
    assert bytes_below(fleet.root) == before
    assert 0 < len(done.lost) < 40
    assert not done.set_aside
    found = saved_texts(target)
    gone = {text for text in TEXTS if text not in found}
    assert TEXTS[60] in gone
    assert len(gone) <= len(done.lost) + 1  # and what was forgotten
    with target.open() as memory:
        assert len(memory.documents()) == done.documents > 0
        assert any(
            "lost: this record was damaged" in memory.document(i.document_id).markdown
            for i in memory.documents()
        )


def test_no_entry_says_what_another_event_said(fleet: Place, target: Place) -> None:
    zero(fleet, page_of(fleet, f'"content":"{TEXTS[60]}'))
    with fleet.open(heal=False) as memory:
        before = {entry.seq: entry.text for entry in entries(memory)}
    Memory.salvage(target.root, fleet.root)
    with target.open() as memory:
        for entry in entries(memory):
            assert entry.text in {before[entry.seq], LOST}


def entries(memory: Memory) -> list[Entry]:
    return [
        entry
        for info in memory.documents()
        for found in memory.document(info.document_id).blocks
        for entry in found.entries
    ]


def test_an_event_is_saved_whose_envelope_alone_is_broken(fleet: Place, target: Place) -> None:
    data = fleet.database.read_bytes()
    with fleet.sql() as db:
        name = db.execute("SELECT id FROM record WHERE position = 121").fetchone()[0]
        row = db.execute("SELECT hex(commitment) FROM record WHERE position = 121").fetchone()
    page = data.index(bytes.fromhex(row[0])) // PAGE
    assert name.encode() in data[page * PAGE : (page + 1) * PAGE]
    zero(fleet, page)
    done = Memory.salvage(target.root, fleet.root)
    assert done.doubtful
    assert set(TEXTS) - saved_texts(target) == {TEXTS[4]}


def test_a_flipped_text_is_never_taken_for_the_text(fleet: Place, target: Place) -> None:
    data = fleet.database.read_bytes()
    at = data.index(f'"content":"{TEXTS[60]}'.encode()) + 20
    fleet.database.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    done = Memory.salvage(target.root, fleet.root)
    assert len(done.lost) == 1
    found = saved_texts(target)
    assert found >= set(TEXTS) - {TEXTS[60], TEXTS[4]}
    assert not any(text.startswith("B") and text not in TEXTS for text in found)


def test_a_log_that_was_cut_is_saved_up_to_the_cut(fleet: Place, target: Place) -> None:
    data = fleet.database.read_bytes()
    fleet.database.write_bytes(data[: page_of(fleet, f'"content":"{TEXTS[90]}') * PAGE])
    done = Memory.salvage(target.root, fleet.root)
    assert done.lost
    assert len(set(TEXTS) & saved_texts(target)) > 20


def test_what_rests_on_a_lost_plan_waits_in_current(fleet: Place, target: Place) -> None:
    with fleet.open() as memory:
        plan = next(memory.log(kind="plan"))
        summary = memory.document("d1").header.summary
    data = fleet.database.read_bytes()
    at = data.index(b'"kind":"consolidate"')
    fleet.database.write_bytes(data[:at] + b'"kinx' + data[at + 5 :])
    done = Memory.salvage(target.root, fleet.root)
    assert plan.position in done.lost
    with target.open() as memory:
        assert set(memory.current()) or memory.documents()
        memory.consolidate()
        assert memory.current() == ()
        assert memory.check(full=True).flaws == ()
        assert summary
    assert set(TEXTS) - saved_texts(target) == {TEXTS[4]}


def test_the_forgotten_stays_forgotten_in_what_was_saved(fleet: Place, target: Place) -> None:
    with fleet.sql() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (position,) = db.execute("SELECT position FROM record WHERE kind = 'forget'").fetchone()
    data = fleet.database.read_bytes()
    at = data.index(b'"records":{"')
    fleet.database.write_bytes(data[:at] + b"?" + data[at + 1 :])
    done = Memory.salvage(target.root, fleet.root)
    assert done.lost == (position,)
    with target.open() as memory:
        assert memory.status().forgotten == 1
        assert memory.add(TEXTS[4], id="b4").forgotten
    assert TEXTS[4].encode() not in target.database.read_bytes()


@pytest.mark.parametrize("table", ["record", "payload", "meta"])
def test_a_broken_inner_page_is_told_and_the_newest_backup_is_named(
    fleet: Place, target: Place, table: str
) -> None:
    with fleet.open() as memory:
        kept = memory.backup().path
    zero(fleet, root_page(fleet, table) - 1)
    with pytest.raises(StoreError, match="nothing can be salvaged") as caught:
        Memory.salvage(target.root, fleet.root)
    assert kept in str(caught.value)
    assert not target.root.exists()


def test_a_broken_header_is_told_at_opening_too(fleet: Place, target: Place) -> None:
    with fleet.open() as memory:
        kept = memory.backup().path
    zero(fleet, 0)
    for attempt in (fleet.open, lambda: Memory.salvage(target.root, fleet.root)):
        with pytest.raises(StoreError) as caught:
            attempt()
        assert kept in str(caught.value)


def test_nothing_is_saved_over_anything(fleet: Place) -> None:
    full = fleet.root.parent / "full"
    full.mkdir()
    (full / "note.txt").write_text("mine", encoding="utf-8")
    for folder in (full, fleet.root, fleet.folder / "new"):
        with pytest.raises(InputError):
            Memory.salvage(folder, fleet.root)
    with pytest.raises(NotFoundError):
        Memory.salvage(fleet.root.parent / "new", fleet.root, user="nobody")
    assert [path.name for path in full.iterdir()] == ["note.txt"]


def test_the_command_tells_what_was_lost(fleet: Place, target: Place) -> None:
    command = Command(fleet.root)
    assert "saved" in command.ok("check", "--salvage", str(target.root))
    zero(fleet, page_of(fleet, f'"content":"{TEXTS[60]}'))
    again = command("check", "--salvage", str(target.root) + "2", "--json")
    assert again.exit_code == 4
    assert json.loads(again.stdout)["lost"]


def test_a_damaged_column_of_another_kind_is_a_flaw_not_a_crash(fleet: Place) -> None:
    with sqlite3.connect(fleet.database) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '') WHERE name = 'payload'"
        )
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
    db.close()
    with sqlite3.connect(fleet.database) as db:
        db.execute("UPDATE payload SET key = 7 WHERE position = 11")
    db.close()
    with fleet.open(heal=False) as memory:
        assert "11" in {flaw.name for flaw in memory.check().flaws}
        assert home(memory).log.position() > 200
