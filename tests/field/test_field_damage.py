"""Field cases: damage costs what it hit and is named; nothing is deleted or mended in silence."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import SOURCE, bytes_below, environment, installed, python

from cli_command import Command
from memoranda import Memory
from memoranda.errors import DamagedError, FormatError
from scene import Place, home, index_rows, shown

HUNDRED = [
    f"Crate {number:03} of the warehouse holds {number * 7919} pears." for number in range(100)
]
FIFTIETH = HUNDRED[49]


def flip(place: Place, text: str) -> tuple[int, bytes]:
    """Flip 3 bytes of a text in the log, as a failing medium does; gives the position and the file."""
    with place.sql() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (position,) = db.execute(
            "SELECT position FROM payload WHERE instr(body, ?)", (text,)
        ).fetchone()
    data = bytearray(place.database.read_bytes())
    at = data.index(b'"content":"' + text.encode()) + 20
    for offset in range(3):
        data[at + offset] ^= 0x81
    place.database.write_bytes(data)
    return position, bytes(data)


@pytest.fixture
def damaged(place: Place) -> int:
    """A log of 100 events whose fiftieth is damaged; gives its position."""
    with place.open() as memory:
        for number, text in enumerate(HUNDRED, start=1):
            memory.add(text, id=f"c{number}")
        memory.search("crate")
    return flip(place, FIFTIETH)[0]


def served(memory: Memory) -> list[str]:
    """Every event that can be had by its id."""
    found = []
    for number in range(1, 101):
        try:
            found.append(memory.get(f"c{number}").content)  # type: ignore[union-attr]
        except DamagedError:
            continue
    return found


def test_one_damaged_record_costs_that_record_only(place: Place, damaged: int) -> None:  # fc-010
    memory = place.open()
    rest = [text for text in HUNDRED if text != FIFTIETH]
    assert served(memory) == rest
    found = [text for _, _, text in shown(memory, "crate warehouse pears", budget=50_000)]
    assert set(rest) <= set(found)
    with pytest.raises(DamagedError, match=f"record {damaged} is damaged"):
        memory.get("c50")
    assert memory.add("Crate 100 of the warehouse is empty.").seqs == (101,)
    memory.consolidate()
    assert 101 in [seq for seq, _, _ in shown(memory, "crate 100 empty")]
    assert [change.kind for change in memory.history(49)][:2] == ["event", "extracted"]
    assert memory.history(51)[-1].kind == "placed"
    assert memory.history("d1")


def test_the_log_is_listed_past_a_damaged_record_and_says_which(
    place: Place, memoranda: Command, damaged: int
) -> None:  # fc-010
    records = list(place.open().log(kind="event"))
    assert len(records) == 100
    assert [record.position for record in records if record.damaged] == [damaged]
    assert [record.position for record in records if record.body is None] == [damaged]
    lines = memoranda.ok("log", MEMORANDA_AUTO="off").splitlines()
    assert [line.split()[0] for line in lines if "damaged" in line] == [str(damaged)]
    assert len(lines) == 200


@pytest.mark.parametrize("form", [[], ["--full"]], ids=["check", "check --full"])
def test_a_check_names_the_damaged_record_and_ends_with_an_error(
    place: Place, memoranda: Command, damaged: int, form: list[str]
) -> None:  # fc-010
    before = bytes_below(place.root)
    done = memoranda("check", *form)
    assert done.exit_code == 4
    assert f"record {damaged}" in done.stdout
    found = json.loads(memoranda("check", *form, "--json").stdout)
    assert not found["ok"]
    assert [flaw["name"] for flaw in found["flaws"] if flaw["part"] == "record"] == [str(damaged)]
    after = bytes_below(place.root)
    assert {name: after[name] for name in before if not name.endswith("-shm")} == {
        name: data for name, data in before.items() if not name.endswith("-shm")
    }


def test_damage_is_neither_deleted_nor_rewritten_by_itself(
    place: Place, memoranda: Command, damaged: int
) -> None:  # fc-010
    def payload() -> bytes:
        with place.sql() as db:
            return bytes(db.execute(
                "SELECT CAST(body AS BLOB) FROM payload WHERE position = ?", (damaged,)
            ).fetchone()[0])  # fmt: skip

    before = payload()
    memory = place.open()
    memory.search("crate")
    memory.add("Crate 100 of the warehouse is empty.")
    memory.consolidate()
    files = place.files()
    refused = memoranda("rebuild")
    assert refused.exit_code == 1
    assert f"record {damaged} is damaged" in refused.stderr
    assert "nothing was changed" in refused.stderr
    memory.close()
    assert place.open().search("crate 7").evidence
    assert place.files() == files
    assert payload() == before


# --- killed, and another version -------------------------------------------------------------

WRITING = """
import sys
from pathlib import Path
from memoranda import Memory, Settings
memory = Memory.open(sys.argv[1], settings=Settings(auto=False))
memory.search("hop")
number = 0
while True:
    number += 1
    print(memory.add(f"Sack {number} of hops went to the brewery.").event_ids[0], flush=True)
    if number % 10 == 0:
        memory.search("hop")
"""
LOOKING = """
import json, sys
gone = []
def hook(name, arguments):
    if name in {"os.remove", "os.rename", "os.rmdir", "os.truncate"}:
        gone.append([name, *(str(item) for item in arguments[:2])])
sys.addaudithook(hook)
from memoranda import Memory, Settings
from memoranda.store import index
with Memory.open(sys.argv[1], settings=Settings(auto=False)) as memory:
    found = memory.search(f"sack {sys.argv[2]} went to the brewery")
    texts = [entry.text for item in found.evidence for entry in item.entries]
    print(json.dumps({"analyser": index.ANALYSER, "found": texts, "gone": gone,
                      "events": [r.record_id for r in memory.log(kind="event")]}))
"""


def killed_in_a_write(root: Path) -> list[str]:
    """Fill a scope, then kill a process that is adding; gives the acknowledged ids."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, str(root)], env=environment(), stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().decode().strip() for _ in range(60)]
        os.kill(child.pid, signal.SIGKILL)
        told += child.stdout.read().decode().split()
    assert child.returncode == -signal.SIGKILL
    return [line for line in told if len(line) == 25]


def log_hash(place: Place) -> str:
    """A hash over every log record and its payload."""
    with place.sql() as db:
        rows = db.execute("SELECT * FROM record LEFT JOIN payload USING (position)").fetchall()
    return hashlib.sha256(repr(rows).encode()).hexdigest()


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_after_a_kill_any_version_opens_and_makes_a_bad_index_anew(
    place: Place, root: Path
) -> None:  # fc-012
    with place.open() as memory:
        memory.import_lines(
            b'{"content": "Sack of hops number %d, dried in the kiln."}' % number
            for number in range(1000)
        )
    acknowledged = killed_in_a_write(root)
    assert len(acknowledged) >= 60
    assert {"index.db-shm", "index.db-wal"} <= {path.name for path in place.folder.iterdir()}
    index = place.folder / "index.db"
    with index.open("r+b") as stream:
        stream.truncate(index.stat().st_size // 2 + 17)
    other = installed(root.parent / "other")
    module = other / "memoranda" / "store" / "index.py"
    text = module.read_text(encoding="utf-8")
    module.write_text(text.replace('ANALYSER = "', 'ANALYSER = "other-'), encoding="utf-8")
    shutil.copytree(root, root.parent / "twin")
    for at, source in ((place, other), (Place(root.parent / "twin"), SOURCE)):
        before = log_hash(at)
        seen = json.loads(python(LOOKING, at.root, str(len(acknowledged)), paths=(source,)))
        assert seen["analyser"].startswith("other-") == (source == other)
        assert seen["events"][1000 : 1000 + len(acknowledged)] == acknowledged
        assert f"Sack {len(acknowledged)} of hops went to the brewery." in seen["found"]
        assert [what for what in seen["gone"] if "memory.db" in " ".join(what)] == []
        assert log_hash(at) == before
    for at in (place, Place(root.parent / "twin")):
        with at.open() as memory:
            made = index_rows(memory)
            home(memory).drop_index()
            assert index_rows(memory) == made


@pytest.mark.parametrize(
    "data", [b"", b"\0" * 8192, b"not a database at all", b"SQLite format 3\0"]
)
def test_a_bad_index_is_moved_aside_and_made_again(place: Place, data: bytes) -> None:  # fc-012
    with place.open() as memory:
        for text in HUNDRED[:20]:
            memory.add(text)
        answer = shown(memory, "crate 007")
    index = place.folder / "index.db"
    index.write_bytes(data)
    with place.open() as memory:
        assert shown(memory, "crate 007") == answer
    aside = list(place.folder.glob("index.db.damaged-*"))
    assert [path.read_bytes() for path in aside] == ([data] if data else [])


@pytest.mark.parametrize(
    "data",
    [b"no database", b"\x00" * 4096, b"SQLite format 3\x00" + b"\x07" * 84],
    ids=["text", "zeros", "a header"],
)
def test_a_database_that_cannot_be_read_is_refused_and_left_as_it_is(
    place: Place, memoranda: Command, data: bytes
) -> None:  # fc-012
    place.open().close()
    place.database.write_bytes(data)
    with pytest.raises(FormatError):
        Memory.open(place.root)
    done = memoranda("search", "crate")
    assert done.exit_code == 1
    assert str(place.database) in done.stderr
    assert place.database.read_bytes() == data
