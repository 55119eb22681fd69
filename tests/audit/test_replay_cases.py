"""The library as it was, written into a folder, and what of it is gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from undoing_laws import plans

from memoranda import Memory
from memoranda.errors import InputError, TimeError
from memoranda.store.replay import at, position_at
from scene import CHINESE_PHONE, SENTENCES, Place, everything, home, log_bytes

KILN = SENTENCES[0]
LIST = "Shopping for the kiln:\n\n- clay\n- two bags of sand\n- 木炭"


@pytest.fixture
def grown(place: Place) -> Memory:
    """Two days: a phone on the first, another one and a list on the second."""
    memory = place.open()
    memory.add(CHINESE_PHONE.format(1000))
    memory.consolidate()
    place.clock.tick(86_400)
    memory.add(CHINESE_PHONE.format(2000))
    memory.add(LIST)
    memory.consolidate()
    return memory


def told_by(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_files_are_those_of_then_byte_for_byte(place: Place, tmp_path: Path) -> None:
    memory = place.open()
    memory.add(KILN)
    memory.consolidate()
    files, position = place.files(), home(memory).log.position()
    place.clock.tick(60)
    memory.add(CHINESE_PHONE.format(1000))
    memory.consolidate()
    memory.undo(plans(memory)[0])
    before = log_bytes(memory)
    done = memory.replay(position, tmp_path / "then")
    assert told_by(tmp_path / "then") == files
    assert done.files == tuple(sorted(files))
    assert log_bytes(memory) == before


def test_a_time_means_its_end(grown: Memory, tmp_path: Path) -> None:
    first = grown.replay("2026-06-01", tmp_path / "first")
    second = grown.replay("2026-06-02", tmp_path / "second")
    last = home(grown).log.position()
    assert first.position < second.position == last
    assert second.state == grown.state()
    texts = b"".join(told_by(tmp_path / "first").values()).decode()
    assert "1000" in texts
    assert "2000" not in texts
    assert position_at("2025-12", home(grown).log) == 0
    assert grown.replay(0).files == ("CURRENT.md",)
    assert grown.replay(last).state == grown.state()


def test_what_was_forgotten_since_stands_as_erased_over_as_many_lines(
    grown: Memory, place: Place, tmp_path: Path
) -> None:
    position = home(grown).log.position()
    before = grown.replay(position, tmp_path / "before")
    place.clock.tick(86_400)
    grown.forget(entry=3)
    done = grown.replay(position, tmp_path / "after")
    assert (before.erased, done.erased) == (0, 1)
    was, now = told_by(tmp_path / "before"), told_by(tmp_path / "after")
    texts = b"".join(now.values()).decode()
    assert texts.count("[erased 2026-06-03]") == LIST.count("\n") + 1
    assert "木炭" not in texts
    old = sorted(len(data.split(b"\n")) for data in was.values())
    assert sorted(len(data.split(b"\n")) for data in now.values()) == old


def test_a_folder_that_holds_something_is_left_alone(grown: Memory, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine", encoding="utf-8")
    before = everything(grown)
    for folder in (tmp_path, tmp_path / "note.txt", home(grown).folder / "then"):
        with pytest.raises(InputError, match="choose another one"):
            grown.replay(1, folder)
    assert told_by(tmp_path) == {"note.txt": b"mine"}
    assert everything(grown) == before


def test_no_such_time_or_position_is_said(grown: Memory) -> None:
    with pytest.raises(InputError, match="positions up to"):
        grown.replay(10_000)
    with pytest.raises(TimeError):
        grown.replay("yesterday-ish")


def test_a_replay_locks_nobody_out(grown: Memory, place: Place) -> None:
    other = place.open()
    with at(home(grown), 3) as then:
        other.add(KILN)
        assert then.view.count("entries") == 1
    assert other.search("kiln cracks").evidence
