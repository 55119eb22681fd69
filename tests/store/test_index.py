"""The index: disposable, caught up before it is asked, the same however it was filled."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memoranda import Memory
from memoranda.store import index as index_module
from memoranda.store.following import catch_up
from memoranda.store.index import FtsIndex, Hit, LexicalIndex, Unit
from memoranda.store.query import Query, understand
from scene import SENTENCES, Place, home, index_rows, log_bytes, shown


def _deleted(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _noise(path: Path) -> None:
    path.write_bytes(b"no index at all. " * 1000)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _holes(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for start in range(4096, len(data) - 4096, 8192):
        data[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(bytes(data))


HARMS = [_deleted, _empty, _zeros, _noise, _cut, _holes]


@pytest.mark.parametrize("harm", HARMS)
def test_a_harmed_index_is_made_again_and_the_log_stays(
    library: Place, harm: Callable[[Path], None]
) -> None:
    with library.open() as memory:
        rows, records = index_rows(memory), log_bytes(memory)
        found = shown(memory, "blue tin 窑")
    harm(library.folder / "index.db")
    with library.open() as memory:
        assert shown(memory, "blue tin 窑") == found
        assert index_rows(memory) == rows
        assert log_bytes(memory) == records


@pytest.mark.parametrize("harm", [_zeros, _noise, _cut, _holes])
def test_a_damaged_index_is_moved_aside(library: Place, harm: Callable[[Path], None]) -> None:
    harm(library.folder / "index.db")
    harmed = (library.folder / "index.db").read_bytes()
    with library.open() as memory:
        assert shown(memory, "kiln")
    assert (library.folder / "index.db.damaged-1").read_bytes() == harmed


def test_a_damaged_index_does_not_stop_a_consolidation(library: Place) -> None:
    memory = library.open()
    memory.add("The kiln was sold.")
    _zeros(library.folder / "index.db")
    memory.consolidate()
    assert memory.current() == ()
    assert "The kiln was sold." in {text for _, _, text in shown(memory, "kiln sold")}


def test_the_index_is_caught_up_with_what_others_wrote(place: Place) -> None:
    reader, writer = place.open(), place.open()
    assert shown(reader, "kiln") == []
    for number in range(3):
        writer.add(f"Kiln {number} is hot.")
        assert len(shown(reader, "kiln")) == number + 1
    writer.consolidate()
    writer.correct(1, "Kiln 0 is cold.")
    assert (1, 4, "Kiln 0 is hot.") in shown(reader, "kiln")


def test_two_handles_filling_in_turn_give_the_rows_of_one(place: Place) -> None:
    one, two = place.open(), place.open()
    for number, text in enumerate(SENTENCES):
        (one, two)[number % 2].add(text)
        shown((two, one)[number % 2], "kiln")
        if number % 5 == 4:
            one.consolidate()
    filled = index_rows(one)
    assert index_rows(two) == filled
    home(one).drop_index()
    assert index_rows(one) == filled


class _Racing:
    """A log in which another process commits whenever it is read."""

    def __init__(self, memory: Memory, other: Memory) -> None:
        self._log, self._other = home(memory).log, other
        self.snapshot = self._log.snapshot
        self.scope_id = self._log.scope_id
        self.left = 4

    def position(self) -> int:
        found: int = self._log.position()
        self._commit()
        return found

    def _commit(self) -> None:
        if self.left:
            self.left -= 1
            self._other.add(f"Racing barge number {self.left}.")

    @property
    def connection(self) -> _Racing:
        return self

    def execute(self, *statement: object) -> object:
        self._commit()
        return self._log.connection.execute(*statement)


def _scores(memory: Memory) -> tuple[list[tuple[object, ...]], list[Hit]]:
    """The rows, and the scores: a unit that was added twice shows in BM25's averages only."""
    hits: list[Hit] = home(memory).with_index(
        lambda index: index.search(understand("barge"), limit=99, projects=None)
    )
    return index_rows(memory), hits


def test_a_commit_during_the_catch_up_is_not_indexed_twice(place: Place) -> None:
    memory, other = place.open(), place.open()
    memory.add("The first barge.")
    index = home(memory).with_index(lambda index: index)
    memory.add("The second barge.")
    racing = _Racing(memory, other)
    for _ in range(3):
        catch_up(index, racing)  # type: ignore[arg-type]
    filled = _scores(memory)
    home(memory).drop_index()
    assert filled == _scores(memory)
    assert len(filled[1]) == 6


def test_an_index_of_a_log_that_was_put_back_starts_anew(place: Place) -> None:
    with place.open() as memory:
        memory.add("The red kiln burns hot.")
    backup = place.database.read_bytes()
    with place.open() as memory:
        for number in range(5):
            memory.add(f"Line {number} of the blue shed.")
        shown(memory, "shed")
    place.database.write_bytes(backup)
    memory = place.open()
    for number in range(7):
        memory.add(f"Yellow barge {number} came in.")
        found = [text for _, _, text in shown(memory, "barge shed")]
        assert len([text for text in found if "barge" in text]) == number + 1
        assert not [text for text in found if "shed" in text]
    filled = index_rows(memory)
    home(memory).drop_index()
    assert index_rows(memory) == filled


@pytest.mark.parametrize("name", ["FORMAT", "ANALYSER"])
def test_another_analyser_empties_the_index(
    library: Place, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with library.open() as memory:
        rows = index_rows(memory)
    monkeypatch.setattr(index_module, name, "other")
    with library.open() as memory:
        assert (
            home(memory)._caught_up()._made.split("/")[["FORMAT", "ANALYSER"].index(name)]
            == "other"
        )
        assert index_rows(memory) == rows


def test_an_index_of_another_scope_is_emptied(library: Place) -> None:
    with library.open(user="ben") as memory:
        memory.add("Only Ben's barge.")
        memory.search("barge")
        theirs = home(memory).folder
    (theirs / "index.db").write_bytes((library.folder / "index.db").read_bytes())
    with library.open(user="ben") as memory:
        assert {text for _, _, text in shown(memory, "kiln tin 窑 barge")} == {"Only Ben's barge."}


def found(index: LexicalIndex, term: str, *projects: str | None, limit: int = 9) -> list[int]:
    query = Query(terms=(term,))
    return [hit.unit for hit in index.search(query, limit=limit, projects=projects or None)]


def test_units_that_are_deleted_are_not_found(root: Path) -> None:
    index = FtsIndex(root.parent / "index.db", scope_id="s", busy_seconds=1)
    hot = Unit(1, "the hot kiln", None)
    index.add([hot, Unit(2, "the cold kiln", "acme"), Unit(-3, "热窑", None)])
    assert found(index, "kiln") == [2, 1]
    index.delete([hot])
    index.commit(3)
    assert found(index, "kiln") == [2]
    assert index.position == 3
    index.close()


def test_the_newest_of_equals_is_first_and_limits_are_kept(root: Path) -> None:
    index = FtsIndex(root.parent / "index.db", scope_id="s", busy_seconds=1)
    index.add([Unit(number, "the hot kiln", None) for number in (5, 3, 9, 1)])
    assert found(index, "kiln", limit=3) == [9, 5, 3]
    assert index.before('"kiln"', 9, limit=2, project=None) == [5, 3]
    assert found(index, "") == []
    assert index.before("", 9, limit=2, project=None) == []
    index.close()


def test_a_project_is_a_wall_in_the_index_and_no_word(root: Path) -> None:
    index = FtsIndex(root.parent / "index.db", scope_id="s", busy_seconds=1)
    names = (None, "acme", "Acme", "acme corp", "窑", "kiln", 'a"b')
    index.add([Unit(number, "the hot kiln", name) for number, name in enumerate(names, start=1)])
    for number, name in enumerate(names, start=1):
        assert found(index, "kiln", name) == [number], name
        assert index.before('"kiln"', 99, limit=9, project=name) == [number]
    assert found(index, "kiln", None, "acme") == [2, 1]
    assert found(index, "acme") == []
    assert found(index, "corp") == []
    index.close()


def test_the_index_holds_no_text_of_the_events_whole(library: Place) -> None:
    with sqlite3.connect(library.folder / "index.db") as db:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
    db.close()
    assert "unit_content" not in tables


def test_damage_of_the_log_is_not_taken_for_damage_of_the_index(place: Place) -> None:
    with place.open() as memory:
        memory.add("The red kiln burns hot.", id="a")
        memory.add("The barge is blue.")
        memory.search("kiln")
    with place.sql() as db:
        db.execute("DROP TRIGGER payload_stays")
        db.execute("UPDATE payload SET body = '{' WHERE position = 1")
        db.commit()
    memory = place.open()
    assert "The barge is blue." in {text for _, _, text in shown(memory, "barge")}
    assert "The red kiln burns hot." in {text for _, _, text in shown(memory, "kiln")}
    assert not list(place.folder.glob("index.db.damaged*"))


def test_a_search_by_another_does_not_disturb_routing(library: Place) -> None:
    """Routing reads the index, then tries changes out: nobody may change it in between."""
    memory, other = library.open(), library.open()
    index = home(memory).with_index(lambda index: index)
    other.add("The goat of the harbour is loose.")
    searching = threading.Thread(target=other.search, args=("goat",))
    with index.postings.tentative():
        index.postings.nearest({"kiln": 1.0}, None, 3)
        searching.start()
        searching.join(0.3)
        index.postings.add("d999", None, {"kiln": 1})
    searching.join()
    assert index.postings.counts("d999") == {}
    assert "The goat of the harbour is loose." in {text for _, _, text in shown(other, "goat")}


def test_an_index_that_another_handle_made_anew_is_taken_up(place: Place) -> None:
    memory, other = place.open(), place.open()
    memory.add("The kiln is cold.")
    other.search("kiln")
    memory.rebuild()
    other.add("The ferry is late.")
    assert other.search("ferry").evidence
    with closing(sqlite3.connect(place.folder / "index.db")) as db:
        (held,) = db.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()
    assert int(held) == home(other).log.position()


def test_a_reader_sees_one_state_while_others_add(place: Place) -> None:
    reader, writer = place.open(), place.open()
    writer.add("The kiln is hot.")

    def read(index: FtsIndex) -> tuple[int, int]:
        before = index.size()
        writer.add("The kiln is cold.")
        writer.search("kiln")  # brings the index on, from another connection
        return before, index.size()

    assert home(reader).reading(read) == (1, 1)
    assert home(reader).with_index(lambda index: index.size()) == 2
