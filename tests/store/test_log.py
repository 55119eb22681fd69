"""The log: envelope and payload apart, chained, committed, only growing, shared by processes."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
import subprocess
import sys
import threading
from datetime import datetime
from pathlib import Path

import pytest

from memoranda import Memory, Settings
from memoranda.errors import BusyError, DamagedError, FormatError, InputError, TextError
from memoranda.store import schema
from memoranda.store.connection import connect
from memoranda.store.log import Log, encode, link
from scene import Place, home, log_bytes

ENVELOPE = ("position", "kind", "id", "recorded", "size", "commitment", "chain")
WRITER = """
import sys
import threading
from memoranda import Memory, Settings
with Memory.open(sys.argv[1], settings=Settings(auto=False)) as memory:
    for number in range(200):
        memory.add(f"Worker {sys.argv[2]} counted barge {number} at the lock.",
                   id=f"{sys.argv[2]}-{number}")
"""


def test_envelope_and_payload_lie_apart(memory: Memory, place: Place) -> None:
    memory.add(
        "秘密的话", id="wx-17", speaker="梅", session="夜", metadata={"tag": "zzq"}, actor="bot"
    )
    with place.sql() as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(record)")]
        envelope = repr(db.execute("SELECT * FROM record").fetchall())
        found = repr(db.execute("SELECT * FROM digest").fetchall())
    assert tuple(columns) == ENVELOPE
    for secret in ("秘密的话", "wx-17", "梅", "夜", "zzq", "bot"):
        assert secret not in envelope
        assert secret not in found


def test_a_keyed_digest_finds_an_event_and_does_not_name_it(memory: Memory) -> None:
    event = memory.add("The kiln is red.", id="wx-17").event_ids[0]
    log = home(memory).log
    assert log.find("external_id", "wx-17") == [log.by_id(event).position]
    assert log.digest("external_id", "wx-17") != hashlib.sha256(b"external_id\0wx-17").digest()
    assert log.find("external_id", "wx-18") == []


def test_the_chain_covers_every_envelope(memory: Memory) -> None:
    for number in range(5):
        memory.add(f"Line {number} of the ship's book.")
    memory.consolidate()
    log = home(memory).log
    chain = b""
    rows = {row[0]: row for row in log_bytes(memory)}
    for record in log.records():
        commitment = bytes(rows[record.position][5])
        chain = link(chain, record, commitment, log.scope_id)
        assert bytes(rows[record.position][6]) == chain
    assert record.position == log.position()


def test_each_commitment_is_keyed_by_its_own_record(memory: Memory) -> None:
    memory.add("The same words.")
    memory.add("The same words.")
    rows = [row for row in log_bytes(memory) if row[1] == "event"]
    keys = {bytes(row[7]) for row in rows}
    assert len(keys) == len(rows) == 2
    for row in rows:
        assert hmac.digest(row[7], row[8].encode(), "sha256") == bytes(row[5])
        assert row[4] == len(row[8].encode())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE record SET recorded = '2020-01-01T00:00:00Z' WHERE position = 1",
        "DELETE FROM record WHERE position = 2",
        "DELETE FROM record",
        "UPDATE payload SET body = '{}' WHERE position = 1",
        "DELETE FROM payload WHERE position = 1",
        (
            "INSERT OR REPLACE INTO record SELECT position, kind, id, recorded, 1, commitment, "
            "chain FROM record WHERE position = 1"
        ),
        "INSERT OR REPLACE INTO payload SELECT position, key, '{}' FROM payload WHERE position = 1",
        "UPDATE OR REPLACE record SET position = 1 WHERE position = 2",
    ],
)
def test_the_database_refuses_to_change_the_past(memory: Memory, statement: str) -> None:
    memory.add("It was so.")
    before = log_bytes(memory)
    with pytest.raises(sqlite3.IntegrityError, match="the log only grows"):
        home(memory).log.connection.execute(statement)
    assert log_bytes(memory) == before


def test_a_payload_goes_once_its_tombstone_stands(memory: Memory) -> None:
    memory.add("Forget me.")
    db = home(memory).log.connection
    db.execute("INSERT INTO erased VALUES (1, 1, '2026-06-01T09:00:00Z', NULL)")
    db.execute("DELETE FROM payload WHERE position = 1")
    assert home(memory).log.record(1).body is None


def _damage(place: Place, find: bytes, put: bytes) -> None:
    """Change bytes of the database file itself, as a bad disk would."""
    data = place.database.read_bytes()
    assert find in data
    place.database.write_bytes(data.replace(find, put))


@pytest.mark.parametrize("put", [b"hot keel", b"\xff\xfekiln!!", b'hot"kiln', b"hot\nkiln"])
def test_a_damaged_payload_is_named_by_its_position(place: Place, put: bytes) -> None:
    with place.open() as memory:
        memory.add("Wait until the hot kiln cools.", id="a")
        memory.add("The barge is blue.")
    _damage(place, b"hot kiln", put)
    memory = place.open()
    assert [record.position for record in memory.log() if record.damaged] == [1]
    for attempt in (lambda: memory.get("a"), memory.rebuild):
        with pytest.raises(DamagedError) as caught:
            attempt()
        assert caught.value.position == 1


@pytest.mark.parametrize("name", ["memory.db", "index.db"])
def test_every_connection_is_durable_and_overwrites_what_it_deletes(
    tmp_path: Path, name: str
) -> None:
    connection = connect(tmp_path / name, busy_seconds=3)
    values = {
        pragma: connection.execute(f"PRAGMA {pragma}").fetchone()[0]
        for pragma in (
            "journal_mode",
            "synchronous",
            "secure_delete",
            "busy_timeout",
            "foreign_keys",
        )
    }
    connection.close()
    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "busy_timeout": 3000,
        "foreign_keys": 1,
    }


def test_the_log_of_a_handle_is_durable(memory: Memory) -> None:
    db = home(memory).log.connection
    assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert db.execute("PRAGMA secure_delete").fetchone()[0] == 1


def test_two_processes_add_two_hundred_each(place: Place) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place.root), name], stderr=subprocess.PIPE
        )
        for name in ("one", "two")
    ]
    for worker in workers:
        assert worker.communicate()[1] == b""
        assert worker.returncode == 0
    memory = place.open()
    records = list(memory.log())
    assert [record.position for record in records] == list(range(1, 801))
    assert len({record.record_id for record in records}) == 800
    texts = sorted(entry.text for entry in memory.current())
    assert texts == sorted(
        f"Worker {name} counted barge {number} at the lock."
        for name in ("one", "two")
        for number in range(200)
    )
    assert [entry.seq for entry in memory.current()] == list(range(1, 401))


OPENER = """
import sys
import threading
from memoranda import Memory
with Memory.open(sys.argv[1]) as memory:
    memory.add(f"Hello from {sys.argv[2]}.")
    assert memory.search("hello").evidence
"""


def test_many_processes_may_make_a_scope_at_once(place: Place) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER, str(place.root), str(n)], stderr=subprocess.PIPE
        )
        for n in range(4)
    ]
    assert [worker.communicate()[1] for worker in workers] == [b""] * 4
    assert place.open().status().events == 4


def test_a_known_id_adds_nothing(memory: Memory) -> None:
    first = memory.add("The kiln is red.", id="a")
    again = memory.add("The kiln is red.", id="a")
    assert again.event_ids == first.event_ids
    assert again.seqs == first.seqs
    assert again.known == first.event_ids
    assert again.position == first.position == home(memory).log.position()


def test_a_known_id_with_another_text_is_refused(memory: Memory) -> None:
    memory.add("The kiln is red.", id="a")
    before = log_bytes(memory)
    with pytest.raises(InputError, match="'a' is in the log with another text"):
        memory.add("The kiln is blue.", id="a")
    assert log_bytes(memory) == before


def _tree(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _foreign(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE shop (item TEXT)")
    db.execute("INSERT INTO shop VALUES ('kiln')")
    db.commit()
    db.close()


def _foreign_with_version(path: Path) -> None:
    _foreign(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()


def _newer(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {schema.FORMAT + 1}")
    db.execute("CREATE TABLE record (position INTEGER)")
    db.commit()
    db.close()


def _newer_in_wal(path: Path) -> None:
    _newer(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def _text(path: Path) -> None:
    path.write_bytes(b"Dear diary, this is no database at all.\n" * 40)


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(8192))


@pytest.mark.parametrize(
    "make", [_foreign, _foreign_with_version, _newer, _newer_in_wal, _text, _zeros]
)
def test_a_file_that_is_not_ours_is_refused_unchanged(place: Place, make: object) -> None:
    place.folder.mkdir(parents=True)
    assert callable(make)
    make(place.database)
    before = _tree(place.folder)
    with pytest.raises(FormatError) as caught:
        place.open()
    assert caught.value.path == str(place.database)
    assert _tree(place.folder) == before


def test_a_newer_format_says_what_to_do(place: Place) -> None:
    place.folder.mkdir(parents=True)
    _newer(place.database)
    with pytest.raises(FormatError, match="upgrade memoranda"):
        place.open()


def test_a_transaction_that_fails_leaves_nothing(memory: Memory) -> None:
    before = log_bytes(memory)
    with pytest.raises(TextError), home(memory).log.transaction():  # noqa: PT012
        home(memory).log.append("event", {"content": "x"})
        home(memory).log.append("event", {"content": "\ud800"})
    assert log_bytes(memory) == before


def test_a_trial_is_seen_inside_and_gone_outside(memory: Memory) -> None:
    log = home(memory).log
    with log.trial():
        log.append("event", {"content": "x"})
        assert log.position() == 1
    assert log.position() == 0


def test_a_snapshot_does_not_move(place: Place) -> None:
    one, two = place.open(), place.open()
    one.add("First.")
    with home(one).log.snapshot() as position:
        two.add("Second.")
        assert home(one).log.position() == position == 2
    assert home(one).log.position() == 4


def test_a_log_held_by_another_is_busy_and_nothing_is_stored(place: Place) -> None:
    one, two = place.open(), place.open(settings=Settings(auto=False, busy_seconds=0.05))
    with home(one).log.transaction(), pytest.raises(BusyError):
        two.add("Too late.")
    assert two.status().events == 0


def test_canonical_json_refuses_what_json_has_not() -> None:
    assert encode({"b": "é", "a": 1}) == '{"a":1,"b":"é"}'.encode()
    for value in (float("nan"), {1, 2}, b"x", "\ud800"):
        with pytest.raises(TextError):
            encode({"x": value})


def test_a_clock_without_a_zone_is_refused(place: Place) -> None:
    memory = place.open(clock=lambda: datetime(2026, 6, 1))  # noqa: DTZ001 - the point of it
    with pytest.raises(FormatError, match="without a zone"):
        memory.add("When?")
    assert list(memory.log()) == []


def test_record_times_are_utc_microseconds(memory: Memory) -> None:
    memory.add("Now.")
    assert {record.recorded for record in memory.log()} == {"2026-06-01T09:00:00.000000Z"}


def test_an_old_file_is_migrated_step_by_step(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = home(memory).log
    monkeypatch.setattr(schema, "FORMAT", schema.FORMAT + 1)
    monkeypatch.setitem(
        schema.MIGRATIONS, schema.FORMAT - 1, "CREATE TABLE extra (x TEXT) STRICT;\n"
    )
    again = Log(
        source.connection,
        source.path,
        clock=source._clock,
        ids=source._ids,
        entropy=source._entropy,
    )
    assert again.connection.execute("PRAGMA user_version").fetchone()[0] == schema.FORMAT
    assert again.connection.execute("SELECT count(*) FROM extra").fetchone()[0] == 0


TO_FORMAT_1 = """
DROP TABLE joined;
DROP TABLE proposal;
DROP TABLE parked;
DROP TRIGGER tombstone_remains;
DROP INDEX record_upkeep;
ALTER TABLE erased DROP COLUMN commitment;
ALTER TABLE entry DROP COLUMN erased;
ALTER TABLE entry DROP COLUMN looked;
ALTER TABLE entry DROP COLUMN place;
ALTER TABLE block DROP COLUMN place;
ALTER TABLE document DROP COLUMN extra;
ALTER TABLE document DROP COLUMN extra_from;
DROP TABLE layout;
DROP TABLE marked;
PRAGMA user_version = 1;
"""


def test_a_file_of_format_1_opens_and_can_forget(place: Place) -> None:
    with place.open() as memory:
        memory.add("The kiln is cold.")
        memory.add("The ferry is late.")
        memory.consolidate()
        tables = schema_of(memory)
    with place.sql() as db:
        db.executescript(TO_FORMAT_1)
    with place.open() as memory:
        assert memory.status().format == schema.FORMAT
        assert schema_of(memory) == tables
        memory.forget(entry=1)
        assert [found.content for found in [memory.get(memory.get(2).event_ids[0])]] == [  # type: ignore[union-attr]
            "The ferry is late."
        ]


def test_two_who_open_an_old_file_at_once_migrate_it_once(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.open() as memory:
        memory.add("The kiln is cold.")
    script = "ALTER TABLE projected ADD COLUMN extra TEXT"
    monkeypatch.setitem(schema.MIGRATIONS, schema.FORMAT, f"{script};\n")
    monkeypatch.setattr(schema, "FORMAT", schema.FORMAT + 1)
    opened: list[int] = []
    second = threading.Thread(target=lambda: opened.append(place.open().status().format))
    with place.sql() as db:
        db.isolation_level = None
        db.execute("BEGIN IMMEDIATE")  # the first one is at it
        second.start()
        second.join(0.5)
        db.execute(script)
        db.execute(f"PRAGMA user_version = {schema.FORMAT}")
        db.execute("COMMIT")
    second.join()
    assert opened == [schema.FORMAT]


def schema_of(memory: Memory) -> set[tuple[str, str, str]]:
    """Every column and every trigger and index, by name."""
    db = home(memory).log.connection
    columns = db.execute(
        "SELECT m.name, c.name, c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
    )
    others = db.execute("SELECT name, type, '' FROM sqlite_master WHERE type <> 'table'")
    return {tuple(row) for row in [*columns, *others]}
