"""Export and import: one file that holds everything, and nothing comes back that was forgotten."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli_command import Command
from memoranda import Memory, Settings, scan
from memoranda.errors import DamagedError, FormatError, InputError, StoreError
from memoranda.store.backup import known_backups
from scene import Place, home, log_bytes, rows


@pytest.fixture
def other(root: Path) -> Iterator[Place]:
    """An empty root beside the first."""
    found = Place(root.parent / "other", ids="other-")
    yield found
    found.close()


@pytest.fixture
def archive(root: Path) -> Path:
    return root.parent / "memory.zip"


def test_a_round_trip_gives_the_same_log_views_and_files(
    library: Place, other: Place, archive: Path
) -> None:
    with library.open() as memory:
        memory.forget(entry=9)
        done = memory.export(archive)
        before = (memory.state(), log_bytes(memory), rows(memory))
        assert done.kinds == Counter(record.kind for record in memory.log())
    memory = other.open()
    taken = memory.import_archive(archive)
    assert taken.added == done.records == taken.position
    assert (memory.state(), log_bytes(memory), rows(memory)) == before
    assert memory.check(full=True).flaws == ()
    assert memory.rebuild().state == before[0]


def test_what_was_taken_in_goes_on_as_it_would_have(
    library: Place, other: Place, archive: Path
) -> None:
    with library.open() as memory:
        memory.export(archive)
    memory = other.open()
    memory.import_archive(archive)
    known = memory.add("The choir meets on Thursdays in the rooms above the pharmacy. (8)", id="m8")
    assert known.known == known.event_ids
    memory.add("A new kiln was built in June.")
    memory.consolidate()
    assert memory.check(full=True).flaws == ()
    memory.close()
    with other.open() as memory:
        assert memory.search("new kiln june").evidence


def test_a_second_import_adds_nothing(library: Place, other: Place, archive: Path) -> None:
    with library.open() as memory:
        memory.export(archive)
    memory = other.open()
    memory.import_archive(archive)
    memory.add("And this was said later.")
    before = log_bytes(memory)
    assert memory.import_archive(archive).added == 0
    assert log_bytes(memory) == before


def test_a_scope_with_other_memories_takes_nothing_in(
    library: Place, other: Place, archive: Path
) -> None:
    with library.open() as memory:
        memory.export(archive)
    memory = other.open()
    memory.add("I was here first.")
    before = log_bytes(memory)
    with pytest.raises(InputError, match="holds other memories"):
        memory.import_archive(archive)
    assert log_bytes(memory) == before


def test_what_was_forgotten_is_not_in_the_archive_and_stays_forgotten(
    place: Place, other: Place, archive: Path
) -> None:
    told = "The safe opens with 48-17-93."
    with place.open() as memory:
        memory.add(told, id="s")
        memory.add("The safe is green.")
        memory.consolidate()
        memory.forget(external_id="s")
        memory.export(archive)
    with zipfile.ZipFile(archive) as packed:
        assert not any(b"48-17-93" in packed.read(name) for name in packed.namelist())
    memory = other.open()
    memory.import_archive(archive)
    assert memory.add(told, id="s").forgotten
    assert memory.import_lines([json.dumps({"content": told, "id": "s"}).encode()]).forgotten == 1
    assert memory.status().forgotten == 1
    assert (other.folder / "erased.jsonl").exists()


def test_an_old_archive_does_not_bring_back_what_this_folder_knows_to_be_forgotten(
    place: Place, archive: Path
) -> None:
    with place.open() as memory:
        memory.add("The safe opens with 48-17-93.", id="s")
        memory.add("The safe is green.")
        memory.export(archive)
        told = memory.forget(external_id="s")
    assert any(str(archive) in line for line in told.out_of_reach)
    ledger = (place.folder / "erased.jsonl").read_bytes()
    shutil.rmtree(place.folder)
    place.folder.mkdir(parents=True)
    (place.folder / "erased.jsonl").write_bytes(ledger)
    memory = place.open()
    assert memory.import_archive(archive).forgotten == 1
    assert memory.status().forgotten == 1
    assert "48-17-93" not in repr(memory.search("48-17-93"))
    assert memory.check(full=True).flaws == ()


def test_the_copy_is_known_where_it_was_made_and_where_it_was_taken_in(
    place: Place, other: Place, archive: Path
) -> None:
    with place.open() as memory:
        memory.add("One.")
        memory.export(archive)
        assert [item.path for item in known_backups(home(memory).log)] == [str(archive)]
    memory = other.open()
    memory.import_archive(archive)
    assert [item.path for item in known_backups(home(memory).log)] == [str(archive)]


def test_nothing_is_replaced_and_nothing_lies_in_the_data_folder(
    memory: Memory, root: Path
) -> None:
    taken = root.parent / "taken.zip"
    taken.write_bytes(b"mine")
    for target in (taken, root.parent, root / "users" / "x.zip", root.parent / "no" / "x.zip"):
        with pytest.raises(InputError):
            memory.export(target)
    assert taken.read_bytes() == b"mine"


def test_a_record_that_fails_its_check_makes_the_export_fail(place: Place, archive: Path) -> None:
    with place.open() as memory:
        memory.add("The keel is red.")
    data = place.database.read_bytes()
    place.database.write_bytes(data.replace(b'"The keel is red', b'"The heel is red'))
    memory = place.open(heal=False)
    with pytest.raises(DamagedError):
        memory.export(archive)
    assert not archive.exists()


def test_a_kind_that_is_not_known_makes_the_export_fail(memory: Memory, archive: Path) -> None:
    with home(memory).log.transaction():
        home(memory).log.append("riddle", {"what": 1})
    with pytest.raises(StoreError, match="'riddle', which can't be exported"):
        memory.export(archive)
    assert not archive.exists()


def rewritten(archive: Path, change: Any) -> Path:
    """The archive with its members changed, and the manifest as it was."""
    target = archive.with_name("changed.zip")
    with zipfile.ZipFile(archive) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w") as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return target


def _text(members: dict[str, bytes]) -> None:
    members["records.jsonl"] = members["records.jsonl"].replace(b"kiln", b"coal")


def _cut(members: dict[str, bytes]) -> None:
    members["records.jsonl"] = b"".join(members["records.jsonl"].splitlines(keepends=True)[:-1])


def _no_ledger(members: dict[str, bytes]) -> None:
    members.pop("erased.jsonl")


def _newer(members: dict[str, bytes]) -> None:
    manifest = json.loads(members["manifest.json"])
    members["manifest.json"] = json.dumps({**manifest, "memoranda_archive": 99}).encode()


def _no_manifest(members: dict[str, bytes]) -> None:
    members.pop("manifest.json")


def _key(members: dict[str, bytes]) -> None:
    members["scope.json"] = members["scope.json"].replace(b"a", b"b")


@pytest.mark.parametrize("change", [_text, _cut, _no_ledger, _newer, _no_manifest, _key])
def test_an_archive_that_was_changed_is_refused_whole(
    library: Place, other: Place, archive: Path, change: Any
) -> None:
    with library.open() as memory:
        memory.forget(entry=9)
        memory.export(archive)
    memory = other.open()
    with pytest.raises((FormatError, DamagedError)):
        memory.import_archive(rewritten(archive, change))
    assert log_bytes(memory) == []
    assert memory.import_archive(archive).added > 0


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(at=st.integers(min_value=0), bit=st.integers(0, 7))
def test_no_flipped_bit_is_taken_in(
    at: int, bit: int, packed: tuple[bytes, str], root: Path
) -> None:
    data, state = bytearray(packed[0]), packed[1]
    data[at % len(data)] ^= 1 << bit
    folder = root.parent / "flipped"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "x.zip").write_bytes(bytes(data))
    with Memory.open(folder / "root", settings=Settings(auto=False)) as memory:
        try:
            memory.import_archive(folder / "x.zip")
        except (FormatError, DamagedError):
            assert log_bytes(memory) == []
        else:
            assert memory.state() == state


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str]:
    folder = tmp_path_factory.mktemp("packed")
    with Place(folder / "root").open() as memory:
        memory.add("The kiln is red.", id="a")
        memory.add("窑是红色的。")
        memory.consolidate()
        return Path(memory.export(folder / "x.zip").path).read_bytes(), memory.state()


def test_another_process_that_has_the_empty_scope_open_goes_on(
    library: Place, other: Place, archive: Path
) -> None:
    with library.open() as memory:
        memory.export(archive)
    waiting, taking = other.open(), other.open()
    taking.import_archive(archive)
    waiting.add("Said through a handle that knew the scope while it was empty.")
    assert taking.check(full=True).flaws == ()


def test_a_handle_of_one_project_exports_nothing(place: Place, archive: Path) -> None:
    memory = place.open(project="harbour")
    with pytest.raises(InputError, match="all projects"):
        memory.export(archive)
    with pytest.raises(InputError, match="all projects"):
        memory.import_archive(archive)


def test_the_commands_say_what_they_did(library: Place, other: Place, archive: Path) -> None:
    assert "exported" in Command(library.root).ok("export", str(archive))
    command = Command(other.root)
    assert "took in" in command.ok("import-archive", str(archive), MEMORANDA_AUTO="off")
    assert "nothing added" in command.ok("import-archive", str(archive), MEMORANDA_AUTO="off")
    assert command("import-archive", str(archive) + "no").exit_code == 2


def test_a_scan_sees_into_an_archive(place: Place, archive: Path) -> None:
    text = "The safe opens with forty-eight turns and a knock."
    with place.open() as memory:
        memory.add(text)
        memory.export(archive)
    found = scan([archive.parent], [text])
    assert any(archive.name in hit.file for hit in found.hits)
    with place.open() as memory:
        done = memory.forget(entry=1)
        memory.export(archive.with_name("later.zip"))
    assert str(archive) in "".join(done.out_of_reach)
    assert not any("later.zip" in hit.file for hit in scan([archive.parent], [text]).hits)
