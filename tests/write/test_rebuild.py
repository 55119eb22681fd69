"""Rebuilding: everything derived is made again from the log, to the same bytes and rows."""

from __future__ import annotations

import pytest

from memoranda.errors import DamagedError
from memoranda.store.schema import VIEW_NAMES
from memoranda.write.rebuild import state
from scene import Place, home, index_rows, log_bytes, rows, shown

QUESTIONS = ("kiln", "blue tin", "ferry Skarholm", "窑", "合唱团", "九号码头", "goats May", "1987")


def test_everything_derived_deleted_comes_back(library: Place) -> None:
    with library.open() as memory:
        memory.search("kiln")
        files, views, terms = library.files(), rows(memory), index_rows(memory)
        found = [shown(memory, question) for question in QUESTIONS]
        before, records = memory.state(), log_bytes(memory)
    library.drop()
    with library.open() as memory:
        done = memory.rebuild()
        assert done.state == before
        assert library.files() == files
        assert rows(memory) == views
        assert index_rows(memory) == terms
        assert [shown(memory, question) for question in QUESTIONS] == found
        assert log_bytes(memory) == records
    assert done.records == len(records)
    assert done.documents == len(files) - 1


@pytest.mark.parametrize("name", VIEW_NAMES)
def test_a_view_table_that_was_emptied_comes_back(library: Place, name: str) -> None:
    memory = library.open()
    views, files = rows(memory), library.files()
    home(memory).log.connection.execute(f"DELETE FROM {name}")
    memory.rebuild()
    assert rows(memory) == views
    assert library.files() == files


def test_a_view_that_was_tampered_with_is_made_right(library: Place) -> None:
    memory = library.open()
    views, files = rows(memory), library.files()
    db = home(memory).log.connection
    db.execute("UPDATE entry SET text = 'forged', superseded_by = NULL, final = NULL")
    db.execute("UPDATE document SET title = 'Forged', version = version + 1")
    memory.rebuild()
    assert rows(memory) == views
    assert library.files() == files
    assert memory.status().conflicts == ()


def test_a_view_row_that_is_no_text_any_more_is_made_right(library: Place) -> None:
    memory = library.open()
    views = rows(memory)
    db = home(memory).log.connection
    db.execute("UPDATE entry SET text = CAST(x'ff6b' AS TEXT) WHERE seq = 1")
    memory.rebuild()
    assert rows(memory) == views


def test_a_damaged_log_is_not_rebuilt_over(library: Place) -> None:
    memory = library.open()
    views, files = rows(memory), library.files()
    db = home(memory).log.connection
    db.execute("DROP TRIGGER payload_stays")
    db.execute("UPDATE payload SET body = replace(body, 'kiln', 'keel') WHERE position = 1")
    with pytest.raises(DamagedError):
        memory.rebuild()
    assert rows(memory) == views
    assert library.files() == files


def test_rebuilding_twice_changes_nothing(library: Place) -> None:
    memory = library.open()
    assert memory.rebuild() == memory.rebuild()


def test_rebuilding_an_empty_scope_is_no_error(place: Place) -> None:
    done = place.open().rebuild()
    assert (done.records, done.documents, done.entries) == (0, 0, 0)
    assert list(place.files()) == ["CURRENT.md"]


def test_progress_counts_records_up_to_all(library: Place) -> None:
    memory = library.open()
    seen: list[tuple[int, int]] = []
    memory.rebuild(progress=lambda done, total: seen.append((done, total)))
    total = home(memory).log.position()
    assert seen[-1] == (total, total)


def test_another_open_handle_sees_the_rebuilt_scope(library: Place) -> None:
    one, two = library.open(), library.open()
    found = shown(two, "kiln")
    one.rebuild()
    assert shown(two, "kiln") == found
    two.add("The kiln was sold at noon.")
    assert "The kiln was sold at noon." in {text for _, _, text in shown(one, "kiln sold noon")}
    terms = index_rows(one)
    home(one).drop_index()
    assert index_rows(one) == terms


def test_the_state_depends_on_names_and_bytes_and_not_on_their_order() -> None:
    one = state({"a.md": b"1", "b.md": b"2"})
    assert one == state({"b.md": b"2", "a.md": b"1"})
    assert one not in {state({"a.md": b"2", "b.md": b"1"}), state({"a.md": b"1"}), state({})}
    assert state({"a": b"bc"}) != state({"ab": b"c"})
