"""Golden logs: a log of every released format opens in every later version, and says what it said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memoranda.store import schema
from scene import SENTENCES, Place, home

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
LOGS = sorted(GOLDEN.glob("format-*.db"))
_FIVE = (
    "DROP TABLE marked; DROP TABLE layout; ALTER TABLE entry DROP COLUMN place; "
    "ALTER TABLE block DROP COLUMN place; ALTER TABLE document DROP COLUMN extra; "
    "ALTER TABLE document DROP COLUMN extra_from; "
)
TO_FORMAT = {
    1: f"{_FIVE}DROP TABLE joined; DROP TABLE proposal; DROP TABLE parked; "
    "DROP TRIGGER tombstone_remains; DROP INDEX record_upkeep; "
    "ALTER TABLE erased DROP COLUMN commitment; ALTER TABLE entry DROP COLUMN erased; "
    "ALTER TABLE entry DROP COLUMN looked; PRAGMA user_version = 1;",
    2: f"{_FIVE}DROP TABLE joined; DROP TABLE proposal; DROP TABLE parked; "
    "ALTER TABLE entry DROP COLUMN looked; PRAGMA user_version = 2;",
    3: f"{_FIVE}ALTER TABLE entry DROP COLUMN looked; PRAGMA user_version = 3;",
}


def put(golden: Path, place: Place) -> dict[str, object]:
    """Lay a golden log where the scope's log belongs; gives what it must say."""
    place.folder.mkdir(parents=True)
    shutil.copyfile(golden, place.database)
    told: dict[str, object] = json.loads(golden.with_suffix(".json").read_text(encoding="utf-8"))
    return told


def test_there_is_a_golden_log_of_every_format_since_the_first_that_was_kept() -> None:
    assert [path.stem for path in LOGS] == [f"format-{n}" for n in range(4, schema.FORMAT + 1)]


@pytest.mark.parametrize("golden", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_opens_and_says_what_it_said(golden: Path, place: Place) -> None:
    told = put(golden, place)
    with place.open() as memory:
        status = memory.status()
        found = {
            "position": status.position,
            "chain": memory.backup().chain,
            "entries": status.entries,
            "forgotten": status.forgotten,
            "kinds": [record.kind for record in memory.log()],
            "bodies": [dict(record.body or {}) for record in memory.log()],
        }
        assert found == told
        memory.rebuild()
        assert memory.check(full=True).flaws == ()
        assert memory.search("kiln boat shed").evidence
        assert status.format == schema.FORMAT


@pytest.mark.parametrize("older", sorted(TO_FORMAT))
def test_a_log_of_an_older_format_opens_and_goes_on(older: int, place: Place) -> None:
    with place.open() as memory:
        for text in SENTENCES[:6]:
            memory.add(text)
        memory.consolidate()
        kinds = [record.kind for record in memory.log()]
    with place.sql() as db:
        db.executescript(TO_FORMAT[older])
    with place.open() as memory:
        memory.rebuild()
        assert [record.kind for record in memory.log()] == kinds
        memory.add("And this was added by a later version.")
        memory.consolidate()
        memory.forget(entry=2)
        assert memory.check(full=True).flaws == ()
        db = home(memory).log.connection
        assert db.execute("PRAGMA user_version").fetchone()[0] == schema.FORMAT


@pytest.mark.parametrize("golden", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_goes_on(golden: Path, place: Place) -> None:
    put(golden, place)
    later = Place(place.root, ids="later-")
    with later.open() as memory:
        memory.add("And this was added by a later version.")
        memory.consolidate()
        assert memory.check(full=True).flaws == ()


@pytest.mark.parametrize("golden", LOGS, ids=lambda path: path.stem)
def test_an_archive_of_a_golden_log_goes_round(golden: Path, place: Place, root: Path) -> None:
    put(golden, place)
    with place.open() as memory:
        memory.rebuild()
        state = memory.state()
        archive = memory.export(root.parent / "golden.zip").path
    other = Place(root.parent / "other")
    with other.open() as memory:
        memory.import_archive(archive)
        assert memory.state() == state
