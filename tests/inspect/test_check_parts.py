"""check: in parts that together see all; tombstones, digests, index and lost ends included."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from cli_command import Command
from memoranda.errors import InputError
from memoranda.store.check import Subset
from memoranda.store.log import encode
from scene import Place, home


def spoil(place: Place, *statements: str) -> None:
    """Change the closed database as no program of ours would."""
    db = sqlite3.connect(place.database, isolation_level=None)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.close()


def flaws(place: Place, **given: object) -> list[tuple[str, str]]:
    with place.open(heal=False) as memory:
        return [(flaw.part, flaw.name) for flaw in memory.check(**given).flaws]  # type: ignore[arg-type]


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 200])
def test_the_parts_see_every_record_and_file_once(library: Place, parts: int) -> None:
    with library.open(heal=False) as memory:
        whole = memory.check()
        found = [memory.check(subset=(part, parts)) for part in range(1, parts + 1)]
    assert sum(item.records for item in found) == whole.records
    assert sum(item.files for item in found) == whole.files
    assert all(item.ok for item in found)
    assert [item.subset for item in found] == [f"{n}/{parts}" for n in range(1, parts + 1)]


def test_a_flaw_is_told_by_the_part_that_holds_it(library: Place) -> None:
    spoil(library, "UPDATE record SET recorded = '2001' WHERE position = 40")
    told = {part: flaws(library, subset=(part, 5)) for part in range(1, 6)}
    assert [part for part, found in told.items() if ("chain", "40") in found] == [
        next(n for n in range(1, 6) if Subset(n, 5).of_numbers(last_position(library))[1] >= 40)
    ]


def last_position(place: Place) -> int:
    with place.open(heal=False) as memory:
        return int(home(memory).log.position())


def test_a_break_between_two_parts_is_told(library: Place) -> None:
    edge = Subset(1, 4).of_numbers(last_position(library))[1]
    spoil(library, f"UPDATE record SET chain = zeroblob(32) WHERE position = {edge}")
    assert ("chain", str(edge)) in flaws(library, subset=(1, 4))
    assert ("chain", str(edge + 1)) in flaws(library, subset=(2, 4))


def test_the_last_part_compares_what_is_derived(library: Place) -> None:
    spoil(library, "UPDATE entry SET text = 'Something else.' WHERE seq = 4")
    assert flaws(library, full=True, subset=(1, 3)) == []
    assert ("views", "entry") in flaws(library, full=True, subset=(3, 3))


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/0", "a/b", "1/2/3", "-1/3", "/"])
def test_what_is_no_part_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Subset.of(text)


SPOILS: dict[str, tuple[str, tuple[str, str]]] = {
    "a digest is gone": ("DELETE FROM digest WHERE position = 3", ("digests", "3")),
    "a digest points elsewhere": (
        "UPDATE OR REPLACE digest SET position = 5 WHERE position = 3 AND kind = 'external_id'",
        ("digests", "3"),
    ),
    "a tombstone's time was changed": ("UPDATE erased SET at = '2001'", ("record", "17")),
    "a tombstone names another record": ("UPDATE erased SET by = 1", ("record", "17")),
    "a tombstone vouches for something else": (
        "UPDATE erased SET commitment = zeroblob(32) WHERE position = 17",
        ("record", "17"),
    ),
    "a tombstone is gone": ("DELETE FROM erased WHERE position = 17", ("record", "17")),
    "a payload has no record": (
        "INSERT INTO payload VALUES (99999, x'00', '{}')",
        ("record", "99999"),
    ),
    "the log lost its end": (
        "DELETE FROM record WHERE position = (SELECT max(position) FROM record)",
        ("files", "topics"),
    ),
}


@pytest.mark.parametrize("spoilt", SPOILS.values(), ids=SPOILS)
def test_a_full_check_sees(library: Place, spoilt: tuple[str, tuple[str, str]]) -> None:
    with library.open() as memory:
        memory.forget(entry=9)
        assert memory.check(full=True).flaws == ()
    spoil(library, spoilt[0])
    assert spoilt[1] in flaws(library, full=True)


def forge(place: Place) -> None:
    """Say something else under the same number, in the payload alone."""
    body = encode({"content": "Another text."}).decode()
    spoil(place, f"UPDATE payload SET body = '{body}' WHERE position = 3")


def lose_a_backup(place: Place) -> None:
    with place.open() as memory:
        memory.backup(place.root.parent / "b.db")
    with place.open() as memory:
        last = home(memory).log.position()
    spoil(place, f"DELETE FROM record WHERE position > {last - 4}",
          f"DELETE FROM payload WHERE position > {last - 4}",
          f"UPDATE counter SET value = {last - 4} WHERE name = 'position'",
          f"UPDATE meta SET value = CAST('{last - 4}' AS BLOB) WHERE name = 'projected'")  # fmt: skip


@pytest.mark.parametrize(
    ("work", "part"), [(forge, "record"), (lose_a_backup, "backups")], ids=["forged", "cut"]
)
def test_a_plain_check_sees(library: Place, work: Callable[[Place], None], part: str) -> None:
    work(library)
    assert part in {found for found, _ in flaws(library)}


def test_a_full_check_sees_that_the_index_holds_something_else(library: Place) -> None:
    with library.open() as memory:
        memory.search("kiln")
    db = sqlite3.connect(library.folder / "index.db", isolation_level=None)
    db.execute("UPDATE route_posting SET count = count + 1")
    db.close()
    before = (library.folder / "index.db").read_bytes()
    assert flaws(library, full=True) == [("index", "index.db")]
    assert (library.folder / "index.db").read_bytes() == before
    with library.open() as memory:
        memory.rebuild()
    assert flaws(library, full=True) == []


def test_an_index_that_lags_or_is_missing_is_no_flaw(library: Place) -> None:
    with library.open() as memory:
        memory.search("kiln")
        memory.add("The index has not seen this.")
    assert flaws(library, full=True) == []
    library.drop(topics=False, current=False)
    assert flaws(library, full=True) == []


def test_the_command_walks_through_in_parts(library: Place) -> None:
    command = Command(library.root)
    for part in (1, 2, 3):
        assert command.ok("check", "--full", "--subset", f"{part}/3", MEMORANDA_AUTO="off")
    assert command("check", "--subset", "4/3").exit_code == 2
    spoil(library, "UPDATE record SET recorded = '2001' WHERE position = 2")
    assert command("check", "--subset", "1/3").exit_code == 4
    assert command("check", "--subset", "3/3").exit_code == 0
