"""An entry may say in words of its own what several events said; who said it is copied all the same."""

from __future__ import annotations

from pathlib import Path

from memoranda import Entry, Memory
from scene import QUIET, Place, home, index_rows, rows, shown

TOLD = ("米拉说篱笆要在五月刷完。", "油漆在船屋里，是蓝色的。", "The ferry leaves at nine.")
FACT = "米拉要在五月用船屋里的蓝色油漆刷完篱笆。"


def extracted(place: Place) -> Memory:
    """Three events; entry 4 was made from the first two, and entry 5 from the second alone."""
    memory = place.open(settings=QUIET)
    for number, text in enumerate(TOLD, start=1):
        memory.add(
            text,
            id=f"n{number}",
            source="user" if number < 3 else "assistant",
            speaker="Mira" if number != 2 else "Olek",
            time=f"2026-05-0{number}",
            sensitivity="private" if number == 2 else "internal",
        )
    entries = [
        {"seq": 4, "events": [0, 1], "said": FACT, "tokens": 15, "keys": ["- / 篱笆 / 颜色"]},
        {"seq": 5, "events": [1], "said": "油漆是蓝色的。", "tokens": 6, "keys": []},
        {"seq": 6, "events": [0, 2], "said": "Mira and the assistant spoke.", "tokens": 5},
    ]
    log = home(memory).log
    with log.transaction():
        body = {"by": "a test", "events": [1, 3, 5], "entries": entries}
        home(memory).fold.apply(log.append("extraction", body))
    return memory


def entry_of(memory: Memory, seq: int) -> Entry:
    entry = memory.get(seq)
    assert isinstance(entry, Entry)
    return entry


def bytes_below(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def same_after_rebuild(memory: Memory, place: Place) -> None:
    memory.state()
    before = (place.files(), rows(memory), index_rows(memory))
    memory.rebuild()
    assert (place.files(), rows(memory), index_rows(memory)) == before


def test_its_signature_is_that_of_its_events(place: Place) -> None:
    memory = extracted(place)
    entry = entry_of(memory, 4)
    assert (entry.text, entry.time, entry.speaker) == (FACT, "2026-05-02", None)
    assert (entry.sensitivity, entry.source, entry.external_ids) == (
        "private",
        "user",
        ("n1", "n2"),
    )
    assert entry_of(memory, 5).speaker == "Olek"
    memory.consolidate()
    assert shown(memory, "蓝色油漆")[0][0] == 4
    same_after_rebuild(memory, place)


def test_what_an_assistant_said_never_becomes_the_users(place: Place) -> None:
    assert entry_of(extracted(place), 6).source == "assistant"


def test_when_one_of_its_events_is_forgotten_it_says_what_the_other_says(place: Place) -> None:
    for consolidated in (True, False):
        memory = extracted(place)
        if consolidated:
            memory.consolidate()
        done = memory.forget(external_id="n2")
        assert (done.seqs, done.anew) == ((2, 5), (4,))
        entry = entry_of(memory, 4)
        assert (entry.text, entry.external_ids) == (TOLD[0], ("n1",))
        assert "蓝色".encode() not in bytes_below(place.root)
        same_after_rebuild(memory, place)
        memory.forget(external_id="n1")
        same_after_rebuild(memory, place)
        memory.close()
        assert "篱笆".encode() not in bytes_below(place.root)
        place = Place(place.root.parent / "again", QUIET)


def test_an_entry_goes_with_the_words_of_its_events_and_other_entries_stay(place: Place) -> None:
    memory = extracted(place)
    memory.consolidate()
    assert memory.forget(entry=4).seqs == (1, 2, 4)
    assert entry_of(memory, 5).text == "油漆是蓝色的。"
    assert set(memory.get("n1").content) == {"█"}  # type: ignore[union-attr]
    same_after_rebuild(memory, place)
