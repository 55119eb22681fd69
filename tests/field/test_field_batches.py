"""Field cases: what was acknowledged is there after a restart, and nothing else is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cli_command import Command
from memoranda import Memory, NewEvent
from memoranda.errors import InputError, StoreError
from scene import Place, index_rows, rows, told

TEN = [f"Barrel {number} of the cooper holds {number * 11} litres of rain." for number in range(10)]
FAULTY = """
CREATE TRIGGER fault BEFORE INSERT ON payload
WHEN NEW.body LIKE '%Barrel {number} of%' BEGIN SELECT RAISE(ABORT, 'the medium failed'); END
"""


@contextmanager
def failing(place: Place, number: int) -> Iterator[None]:
    """Let the store refuse one text, whoever writes it: the database itself says no."""
    with place.sql() as db:
        db.execute(FAULTY.format(number=number))
    try:
        yield
    finally:
        with place.sql() as db:
            db.execute("DROP TRIGGER fault")


def holding(place: Place, memory: Memory, text: str) -> list[str]:
    """Name the view tables and the files that hold a text."""
    found = [name for name, made in rows(memory).items() if any(text in str(row) for row in made)]
    return found + [name for name, data in place.files().items() if text.encode() in data]


def contents(memory: Memory) -> list[str]:
    return [record.body["content"] for record in memory.log(kind="event") if record.body]


def test_a_batch_with_a_failing_write_is_stored_whole_or_not_at_all(place: Place) -> None:  # fc-004
    memory = place.open()
    batch = told(TEN)
    with failing(place, 4), pytest.raises(StoreError, match="the medium failed"):
        memory.add_many(batch)
    assert contents(memory) == []
    assert memory.status().position == 0
    added = memory.add_many(batch)
    memory.close()
    again = place.open()
    assert [again.get(event).content for event in added.event_ids] == TEN  # type: ignore[union-attr]


def test_nothing_points_to_an_item_that_failed_for_good(place: Place) -> None:  # fc-004
    memory = place.open()
    stored, failed = {}, []
    with failing(place, 7):
        with pytest.raises(StoreError):
            memory.add_many(told(TEN))
        for number, event in enumerate(told(TEN)):
            try:
                stored[number] = memory.add_many([event]).event_ids[0]
            except StoreError:
                failed.append(number)
        memory.consolidate()
        assert memory.search("barrel 7").evidence
    assert failed == [7]
    memory.close()
    again = place.open()
    for number, event_id in stored.items():
        assert again.get(event_id).content == TEN[number]  # type: ignore[union-attr]
    assert [text for text in contents(again) if TEN[7] in text] == []
    assert len(again.history(1)) >= 2
    assert [event for entry in range(1, 10) for event in again.get(entry).event_ids] == list(  # type: ignore[union-attr]
        stored.values()
    )
    assert holding(place, again, TEN[8]) != []
    assert holding(place, again, TEN[7]) == []
    assert len({row[0] for row in index_rows(again) if row[1] == "barrel"}) == 9


def test_progress_tells_no_more_than_what_a_restart_finds(place: Place) -> None:  # fc-004
    memory = place.open()
    texts = [f"Barrel {number} of the cooper leaks." for number in range(450)]
    done: list[int] = []
    with failing(place, 437), pytest.raises(StoreError):
        memory.add_many(told(texts), progress=done.append)
    assert done == [200, 400]
    memory.close()
    again = place.open()
    assert contents(again) == texts[:400]
    rest = again.add_many(told(texts))
    assert (len(rest.known), contents(again)) == (400, texts)


def test_an_import_names_the_failing_lines_and_stores_all_others(
    place: Place, memoranda: Command
) -> None:  # fc-004
    place.open().add_many([NewEvent(content="The cooper is away.", external_id="n8")])
    lines = [json.dumps({"id": f"n{n}", "content": text}) for n, text in enumerate(TEN, start=1)]
    lines[3] = '{"id": "n4", "content": "half a li'
    done = memoranda("import", "-", "--json", given="\n".join(lines))
    assert done.exit_code == 1
    reply = json.loads(done.stdout)
    assert [number for number, _ in reply["malformed"]] == [4, 8]
    assert reply["added"] == 8
    again = place.open()
    for number, text in enumerate(TEN, start=1):
        if number not in {4, 8}:
            assert again.get(f"n{number}").content == text  # type: ignore[union-attr]
    assert contents(again) == ["The cooper is away.", *TEN[:3], *TEN[4:7], *TEN[8:]]


def test_a_failing_disk_ends_an_import_with_a_sentence_and_running_it_again_completes_it(
    place: Place, memoranda: Command
) -> None:  # fc-004
    place.open().close()
    lines = "\n".join(json.dumps({"id": f"n{n}", "content": text}) for n, text in enumerate(TEN))
    with failing(place, 7):
        done = memoranda("import", "-", given=lines)
        assert done.exit_code == 1
        assert done.stderr.startswith("memoranda: ")
        assert "the medium failed" in done.stderr
        assert done.stdout == ""
    assert memoranda.json("status")["events"] == 0
    assert memoranda.json("import", "-", given=lines)["added"] == 10


def test_a_refused_item_stores_nothing_of_its_batch(memory: Memory) -> None:  # fc-004
    batch = told([*TEN[:7], "  ", *TEN[8:]])
    with pytest.raises(InputError, match="blank"):
        memory.add_many(batch)
    assert contents(memory) == []


def test_the_fault_is_one_that_sqlite_raises(place: Place) -> None:
    place.open().add("The cooper is here.")
    with failing(place, 7), place.sql() as db, pytest.raises(sqlite3.IntegrityError):
        db.execute("INSERT INTO payload VALUES (9, x'00', 'Barrel 7 of the cooper')")
