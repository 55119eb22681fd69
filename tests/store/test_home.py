"""A scope, opened: walls between users, one lock, everything closed again."""

from __future__ import annotations

import gc
import warnings
from pathlib import Path

import pytest

from memoranda import Settings
from memoranda.errors import BusyError, FormatError, InputError, StoreError, UnsafePathError
from scene import Place, home

CANARY = "zephyrine-kappa-77"


def test_users_and_workspaces_do_not_see_each_other(place: Place) -> None:
    for user, workspace in (("ana", None), ("ana", "lab"), ("ben", None)):
        memory = place.open(user=user, workspace=workspace)
        memory.add(f"{CANARY} belongs to {user} {workspace}.", id="same-id", session="s")
        memory.consolidate()
    for user, workspace in (("ana", None), ("ana", "lab"), ("ben", None)):
        memory = place.open(user=user, workspace=workspace)
        own = f"{CANARY} belongs to {user} {workspace}."
        assert [e.text for v in memory.search(CANARY).evidence for e in v.entries] == [own]
        assert memory.status().events == 1
        assert memory.get("same-id").content == own  # type: ignore[union-attr]


def test_the_folder_of_a_long_name_belongs_to_that_name_only(place: Place) -> None:
    one = place.open(user="名" * 60)
    folder = home(one).folder
    other = place.open(user="名" * 59 + "字")
    assert home(other).folder != folder
    one.close()
    theirs = place.root / "users" / "theirs" / "_"
    theirs.mkdir(parents=True)
    (theirs / "memory.db").write_bytes((folder / "memory.db").read_bytes())
    with pytest.raises(FormatError, match="another user"):
        place.open(user="theirs")


@pytest.mark.parametrize("name", ["memory.db", "index.db", "topics", "scope.lock"])
def test_no_link_is_followed(place: Place, tmp_path: Path, name: str) -> None:
    place.open().close()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_bytes(b"keep me")
    path = place.folder / name
    if path.is_dir():
        for item in path.iterdir():
            item.unlink()
        path.rmdir()
    else:
        path.unlink(missing_ok=True)
    path.symlink_to(outside if name == "topics" else outside / "file")

    def use() -> None:
        memory = place.open()
        memory.add("The kiln is hot.")
        memory.search("kiln")
        memory.consolidate()

    with pytest.raises(UnsafePathError):
        use()
    assert (outside / "file").read_bytes() == b"keep me"
    assert [item.name for item in outside.iterdir()] == ["file"]


def test_files_are_for_their_owner_alone(place: Place) -> None:
    with place.open() as memory:
        memory.add("The kiln is hot.")
        memory.search("kiln")
        for path in place.folder.rglob("*"):
            assert path.stat().st_mode & 0o077 == 0, path


def test_the_lock_is_held_by_one(place: Place) -> None:
    one = place.open()
    two = place.open(settings=Settings(auto=False, busy_seconds=0.05))
    with home(one).locked():
        for work in (two.consolidate, two.rebuild, two.state, two.propose):
            with pytest.raises(BusyError):
                work()
        two.add("Adding needs no lock.")
        assert two.search("lock").evidence
        assert two.get(1)
    assert two.consolidate()


def test_a_closed_handle_leaves_no_file_open(place: Place) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        memory = place.open()
        memory.add("The kiln is hot.")
        memory.search("kiln")
        memory.close()
        del memory
        gc.collect()
    assert sorted(path.name for path in place.folder.glob("*-wal")) == []


def test_closing_twice_is_no_error(place: Place) -> None:
    memory = place.open()
    memory.close()
    with pytest.raises(StoreError, match="closed"):
        memory.add("Too late.")


def test_a_refused_scope_leaves_no_connection_behind(place: Place) -> None:
    place.folder.mkdir(parents=True)
    place.database.write_bytes(b"no database " * 100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(FormatError):
            place.open()
        gc.collect()


def test_a_model_of_no_kind_that_there_is_is_refused_at_once(place: Place) -> None:
    with pytest.raises(InputError, match="openai:NAME"):
        place.open(model="big-model")


def test_status_says_how_the_scope_stands(place: Place) -> None:
    memory = place.open(project="acme")
    memory.add("The kiln is hot.")
    memory.correct(1, "The kiln is cold.")
    memory.retract(2)
    status = memory.status()
    assert (status.events, status.entries, status.superseded, status.retracted) == (2, 2, 0, 1)
    assert (status.position, status.documents, status.current_entries) == (5, 0, 2)
    assert status.project == "acme"
    for path in (status.root, status.folder, status.database, status.documents_folder):
        assert Path(path).is_absolute()
    assert status.root == str(place.root)
    assert status.folder == str(place.folder)
