"""A backup is whole, verified, under a new name, and opens as the scope it was made of."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memoranda import Memory, errors
from memoranda.store import backup
from memoranda.store.backup import UNDERWAY, known_backups
from memoranda.store.home import Home
from memoranda.write import traces
from scene import BY_HAND, SMALL, Place, home, log_bytes, rows, shown

QUERY = "night ferry"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def restored(copy: Path, root: Path) -> Place:
    """A new root with the copy in the place of its database."""
    place = Place(root, SMALL, ids="restored-")
    place.folder.mkdir(parents=True)
    shutil.copyfile(copy, place.database)
    return place


def test_a_backup_without_a_target_lies_in_the_scope_under_its_position(library: Place) -> None:
    with library.open() as memory:
        done = memory.backup()
        position = memory.status().position
    assert done.path == str(library.folder / "backups" / f"memory-{position}.db")
    assert (done.position, done.events) == (position, 42)
    assert done.bytes == Path(done.path).stat().st_size
    assert names(library.folder / "backups") == [f"memory-{position}.db"]
    if os.name == "posix":
        assert stat.S_IMODE(Path(done.path).stat().st_mode) == 0o600


def test_a_restored_backup_gives_the_same_state_and_answers(library: Place, root: Path) -> None:
    target = root.parent / "copy.db"
    with library.open() as memory:
        memory.backup(target)
        wanted = (log_bytes(memory), rows(memory), memory.state(), shown(memory, QUERY))
        memory.add("This came after the backup.")
    with closing(sqlite3.connect(target)) as copy:
        assert copy.execute("SELECT 1 FROM meta WHERE name = ?", (UNDERWAY,)).fetchone() is None
    place = restored(target, root.parent / "new")
    with place.open() as memory:
        rebuilt = memory.rebuild().state
        found = (log_bytes(memory), rows(memory), memory.state(), shown(memory, QUERY))
    assert found == wanted
    assert rebuilt == wanted[2]
    assert place.files()["CURRENT.md"] != library.files()["CURRENT.md"]


def test_a_restored_backup_needs_no_rebuild(library: Place, root: Path) -> None:
    target = root.parent / "copy.db"
    with library.open() as memory:
        memory.backup(target)
        wanted = memory.state(), shown(memory, QUERY)
    with restored(target, root.parent / "new").open() as memory:
        assert (memory.state(), shown(memory, QUERY)) == wanted
        assert memory.check(full=True).flaws == ()


def test_a_backup_of_another_user_is_not_taken_for_ones_own(library: Place, root: Path) -> None:
    target = root.parent / "copy.db"
    with library.open() as memory:
        memory.backup(target)
    place = Place(root.parent / "new", BY_HAND)
    folder = place.root / "users" / "someone" / "_"
    folder.mkdir(parents=True)
    shutil.copyfile(target, folder / "memory.db")
    with pytest.raises(errors.FormatError, match="belongs to another user"):
        place.open(user="someone")


def test_the_same_state_again_is_the_same_backup(library: Place) -> None:
    with library.open() as memory:
        done = memory.backup()
        before = Path(done.path).stat()
        assert memory.backup() == done
    assert Path(done.path).stat().st_mtime_ns == before.st_mtime_ns


def test_a_file_that_only_has_the_name_of_a_backup_is_no_backup(library: Place) -> None:
    with library.open() as memory:
        done = Path(memory.backup().path)
        with sqlite3.connect(done) as other:
            other.executescript("DROP TRIGGER record_remains; DELETE FROM record;")
        other.close()
        spoilt = done.read_bytes()
        with pytest.raises(errors.StoreError, match="move it away"):
            memory.backup()
    assert done.read_bytes() == spoilt
    assert names(done.parent) == [done.name]


def test_nothing_is_ever_replaced(library: Place, root: Path) -> None:
    there, folder = root.parent / "there.db", root.parent / "folder"
    there.write_bytes(b"mine")
    folder.mkdir()
    with library.open() as memory:
        position = memory.status().position
        for target in (
            there,
            folder,
            folder / "missing" / "a.db",
            library.database,
            library.folder / "memory.db-wal",
            library.folder / "index.db",
            library.folder / "new.db",
            library.root / "users" / "new.db",
        ):
            with pytest.raises(errors.InputError):
                memory.backup(target)
        assert memory.status().position == position
        assert known_backups(home(memory).log) == []
    assert there.read_bytes() == b"mine"
    assert names(root.parent) == ["folder", "root", "there.db"]
    assert names(folder) == []


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_link_is_never_written_through(library: Place, root: Path) -> None:
    victim, link = root.parent / "victim.db", root.parent / "link.db"
    victim.write_bytes(b"mine")
    link.symlink_to(victim)
    dangling = root.parent / "dangling.db"
    dangling.symlink_to(root.parent / "nowhere.db")
    outside = root.parent / "outside"
    outside.mkdir()
    (library.folder / "backups").symlink_to(outside)
    with library.open() as memory:
        for target in (link, dangling, None):
            with pytest.raises(errors.UnsafePathError):
                memory.backup(target)
    assert victim.read_bytes() == b"mine"
    assert not (root.parent / "nowhere.db").exists()
    assert names(outside) == []


def test_a_backup_outside_the_scope_is_known_to_it(library: Place, root: Path) -> None:
    target = root.parent / "copy.db"
    with library.open() as memory:
        memory.backup()
        done = memory.backup(target)
    with library.open() as memory:
        (known,) = known_backups(home(memory).log)
    assert (known.path, known.position) == (str(target), done.position)
    assert known.time.startswith("2026-06-01T09:00")


def test_a_backup_that_fails_leaves_no_file_and_no_note(library: Place, root: Path) -> None:
    target = root.parent / "copy.db"

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with library.open() as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.backup(target, progress=stop)
        assert known_backups(home(memory).log) == []
        assert home(memory).log.meta(UNDERWAY) == b""
        memory.add("The memory goes on.")
        memory.backup(target)
    assert names(root.parent) == ["copy.db", "root"]


def test_a_copy_holds_one_position_while_others_write(
    library: Place, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "PAGES", 4)  # so that the copy takes more than one step
    writer, reader = library.open(settings=BY_HAND), library.open(settings=BY_HAND)
    before = writer.status().position
    wrote = threading.Event()

    def write(done: int, total: int) -> None:
        if done < total and not wrote.is_set():
            writer.add("This was said while the copy was made.")
            wrote.set()

    done = reader.backup(root.parent / "copy.db", progress=write)
    assert wrote.is_set()
    assert done.position == before
    assert writer.status().position > before
    with restored(root.parent / "copy.db", root.parent / "new").open() as memory:
        assert memory.check(full=True).flaws == ()
        assert memory.status().position == before


def test_two_backups_at_once_wait_for_each_other(library: Place, root: Path) -> None:
    one, two = library.open(), library.open()
    done = []

    def make(memory: Memory, name: str) -> None:
        done.append(memory.backup(root.parent / name))

    threads = [
        threading.Thread(target=make, args=(one, "one.db")),
        threading.Thread(target=make, args=(two, "two.db")),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(Path(item.path).name for item in done) == ["one.db", "two.db"]
    assert [item.path for item in known_backups(home(one).log)] == sorted(i.path for i in done)
    one.close()
    two.close()


def test_a_backup_in_the_making_does_not_bring_back_what_is_forgotten_meanwhile(
    library: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = library.open(), library.open()
    (seq,) = memory.add("Quenwick hid the flimbart at Wrothgard.").seqs
    thread = threading.Thread(target=lambda: other.forget(entry=seq))
    verified = backup._verified

    def meanwhile(copy: sqlite3.Connection) -> tuple[int, int, str] | None:
        if not thread.ident:
            thread.start()
            thread.join(0.5)
        return verified(copy)

    monkeypatch.setattr(backup, "_verified", meanwhile)
    memory.backup()
    thread.join()
    made = [path.read_bytes() for path in (library.folder / "backups").iterdir()]
    assert made
    assert not any(b"Quenwick" in data for data in made)


def test_a_backup_between_two_steps_of_forgetting_holds_no_name_of_it(
    library: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, other = library.open(), library.open()
    (seq,) = memory.add("Quenwick hid the flimbart at Wrothgard.").seqs
    memory.consolidate()
    write = traces.write_ledger

    def meanwhile(home: Home) -> None:
        other.backup()
        write(home)

    monkeypatch.setattr(traces, "write_ledger", meanwhile)
    assert memory.forget(entry=seq).left == ()
    (made,) = (library.folder / "backups").iterdir()
    assert b"quenwick" not in made.read_bytes().lower()


KILLED = """
import os, signal, sys
from memoranda import Memory, Settings
from memoranda.store.files import Files
def kill(*given):
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[3] == "copying":
    named = {"progress": kill}
else:
    named = {}
    Files.rename = kill
with Memory.open(sys.argv[1], settings=Settings(auto=False)) as memory:
    memory.backup(sys.argv[2], **named)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.parametrize("when", ["copying", "naming"])
def test_a_killed_backup_leaves_no_half_file_and_is_swept(
    library: Place, root: Path, when: str
) -> None:
    target = root.parent / "copy.db"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(library.root), str(target), when], check=False
    )
    assert done.returncode == -9
    left = names(root.parent)
    assert left[0].startswith(".memoranda-")
    assert "copy.db" not in left
    with library.open() as memory:
        assert names(root.parent) == ["root"]
        assert known_backups(home(memory).log) == []
        memory.backup(target)
        assert [item.path for item in known_backups(home(memory).log)] == [str(target)]
    assert names(root.parent) == ["copy.db", "root"]


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_the_remains_of_a_killed_backup_in_the_scope_are_swept(library: Place) -> None:
    target = library.folder / "backups" / "mine.db"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(library.root), str(target), "copying"], check=False
    )
    assert done.returncode == -9
    assert names(target.parent) != []
    with library.open():
        assert names(target.parent) == []


def test_what_sqlite_leaves_beside_a_temporary_file_is_swept_with_it(library: Place) -> None:
    """Found by a kill: an empty file on its way to WAL has a rollback journal."""
    folder = library.folder / "backups"
    folder.mkdir()
    for side in ("", "-wal", "-shm", "-journal"):
        (folder / f".memoranda-{'0' * 32}.tmp{side}").write_bytes(b"left")
    with library.open() as memory:
        done = memory.backup()
        assert names(folder) == [Path(done.path).name]


def test_a_journal_of_an_index_that_is_dropped_goes_with_it(library: Place) -> None:
    """Or SQLite would play it back into the new index."""
    journal = library.folder / "index.db-journal"
    with library.open() as memory:
        home(memory).close_index()
        journal.write_bytes(b"left by a kill")
        memory.rebuild()
        assert not journal.exists()
        assert shown(memory, QUERY) != []
