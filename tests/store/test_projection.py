"""The files: equal to the log whatever befell them, and never over what is not ours."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memoranda import Memory, Settings
from memoranda.errors import StoreError
from memoranda.store.documents import parse_current, parse_document
from scene import Place, everything, home, log_bytes

Harm = Callable[[Path], None]


def names(place: Place) -> list[str]:
    return sorted(place.files())


def _missing(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _cut(part: float) -> Harm:
    def cut(path: Path) -> None:
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * part)])

    return cut


def _tail_of_zeros(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2] + bytes(len(data) - len(data) // 2))


HARMS: dict[str, Harm] = {
    "missing": _missing,
    "empty": _empty,
    "zero-filled": _zeros,
    "cut to 1 %": _cut(0.01),
    "cut to 30 %": _cut(0.3),
    "cut to 97 %": _cut(0.97),
    "half of it zeros": _tail_of_zeros,
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_each_harmed_file_comes_back_and_no_record_is_written(library: Place, harm: Harm) -> None:
    """But for a document's file that was taken away by itself: its end waits for a decision."""
    before = library.files()
    with library.open() as memory:
        records = log_bytes(memory)
    for name in before:
        harm(library.folder / name)
        with library.open() as memory:
            assert library.files() == before, name
            found = log_bytes(memory)
        added = [record[1] for record in found[len(records) :]]
        assert found[: len(records)] == records
        assert added == (["proposal"] if harm is _missing and name.startswith("topics") else [])
        records = found
    assert library.copies() == []


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_all_files_harmed_at_once_come_back(library: Place, harm: Harm) -> None:
    before = library.files()
    for name in before:
        harm(library.folder / name)
    library.open()
    assert library.files() == before


def test_a_file_one_version_old_is_ours_and_is_brought_up_to_date(library: Place) -> None:
    old = library.files()
    with library.open() as memory:
        for seq in range(1, 20, 3):
            memory.correct(seq, f"Corrected line {seq} of the ship's book.")
    new = library.files()
    changed = [name for name in old if name in new and old[name] != new[name]]
    assert len(changed) >= 2
    for name in changed:
        (library.folder / name).write_bytes(old[name])
        with library.open() as memory:
            assert library.files() == new
            assert memory.status().conflicts == ()


def test_a_file_written_anew_with_the_same_bytes_is_left_alone(library: Place) -> None:
    path = library.folder / names(library)[-1]
    path.write_bytes(path.read_bytes())
    before = path.stat().st_mtime_ns
    library.open()
    assert path.stat().st_mtime_ns == before


@pytest.mark.parametrize("which", ["CURRENT.md", "topics"])
def test_a_hand_edit_is_kept_as_a_copy_where_none_are_taken_in(library: Place, which: str) -> None:
    library.settings = replace(library.settings, adopt=False)
    before = library.files()
    name = next(name for name in before if name.startswith(which))
    edited = before[name] + "- 我亲手写的一行。\n".encode()
    (library.folder / name).write_bytes(edited)
    with library.open() as memory:
        assert library.files() == before
        conflicts = memory.status().conflicts
    assert len(conflicts) == 1
    assert (library.folder / conflicts[0]).read_bytes() == edited
    assert conflicts[0].startswith("conflicts/")


def test_an_edit_made_while_a_handle_is_open_is_not_lost(library: Place) -> None:
    memory = library.open()
    name = next(name for name in library.files() if name.startswith("topics"))
    edited = b"My own words.\n"
    (library.folder / name).write_bytes(edited)
    memory.consolidate()
    assert [(library.folder / item).read_bytes() for item in memory.status().conflicts] == [edited]


def test_two_different_edits_leave_two_copies(library: Place) -> None:
    name = names(library)[-1]
    for words in (b"First words.\n", b"Second words.\n", b"First words.\n"):
        (library.folder / name).write_bytes(words)
        library.open().close()
    kept = {(library.folder / "conflicts" / item).read_bytes() for item in library.copies()}
    assert kept == {b"First words.\n", b"Second words.\n"}


def test_an_edited_file_of_a_document_that_moves_is_kept(memory: Memory, place: Place) -> None:
    """A retired or renamed document's file goes, unless a person wrote in it."""
    from memoranda.store.operations import Merge  # noqa: PLC0415
    from scene import applier, block, create, plan, said  # noqa: PLC0415

    memory.add("The kiln is hot.")
    memory.add("The barge is blue.")
    made = plan(create("d1", block(1)), create("d2", block(2), title="Barges"), window=(1, 2))
    applier(memory).apply(made)
    memory.state()
    name = next(name for name in place.files() if "barges" in name)
    (place.folder / name).write_bytes(b"My barge notes.\n")
    seen = {info.document_id: info.version for info in memory.documents()}
    merge = Merge(document_id="d1", absorbs=("d2",), title=said("Things"), summary=said("All."))
    applier(memory).apply(plan(merge, versions=seen, kind="reshape"))
    memory.state()
    assert sorted(place.files()) == ["CURRENT.md", "topics/things-d1.md"]
    kept = [(place.folder / item).read_bytes() for item in memory.status().conflicts]
    assert kept == [b"My barge notes.\n"]


def test_a_foreign_file_in_topics_is_named_and_left_alone(library: Place) -> None:
    mine = library.folder / "topics" / "shopping.md"
    mine.write_text("- flour\n", encoding="utf-8")
    with library.open() as memory:
        assert memory.status().conflicts == ("topics/shopping.md",)
        memory.rebuild()
    assert mine.read_text(encoding="utf-8") == "- flour\n"


def test_the_whole_topics_folder_may_be_deleted(library: Place) -> None:
    before = library.files()
    shutil.rmtree(library.folder / "topics")
    library.open()
    assert library.files() == before


@pytest.mark.parametrize("data", [b"", b"\0" * 33])
def test_a_damaged_marker_is_written_again(library: Place, data: bytes) -> None:
    marker = library.folder / ".memoranda"
    before = marker.read_bytes()
    marker.write_bytes(data)
    library.open()
    assert marker.read_bytes() == before


def test_leftovers_of_killed_writes_are_swept(library: Place) -> None:
    left = [library.folder / folder / f".memoranda-{'0a' * 16}.tmp" for folder in ("", "topics")]
    for path in left:
        path.write_bytes(b"half a doc")
    library.open()
    assert [path for path in left if path.exists()] == []


def test_a_link_in_place_of_a_file_is_not_followed(library: Place, tmp_path: Path) -> None:
    outside = tmp_path / "diary.md"
    outside.write_text("private", encoding="utf-8")
    path = library.folder / names(library)[-1]
    path.unlink()
    path.symlink_to(outside)
    memory = library.open()
    assert [path.name in fault for fault in memory.status().failed] == [True]
    memory.add("The kiln is hot.")
    memory.consolidate()
    memory.close()
    assert path.is_symlink()
    assert outside.read_text(encoding="utf-8") == "private"


def test_every_file_reads_back_as_what_the_log_says(library: Place) -> None:
    memory = library.open()
    view = home(memory).view
    for info in memory.documents():
        data = library.files()[info.file].decode()
        assert parse_document(data) == view.topic_document(info.document_id)
    assert parse_current(library.files()["CURRENT.md"].decode()) == view.current_blocks()


def test_every_live_document_has_one_file_and_nothing_else_has(library: Place) -> None:
    memory = library.open()
    wanted = {info.file for info in memory.documents()} | {"CURRENT.md"}
    assert set(library.files()) == wanted


def test_current_is_written_when_the_handle_closes(place: Place) -> None:
    with place.open() as memory:
        memory.add("船屋后面的旧窑。")
    assert "船屋后面的旧窑。" in place.files()["CURRENT.md"].decode()


def test_looking_changes_nothing(library: Place) -> None:
    memory = library.open()
    before, files = everything(memory), library.files()
    memory.search("kiln")
    memory.context("渡轮")
    memory.status()
    memory.propose()
    memory.documents()
    assert everything(memory) == before
    assert library.files() == files


def test_the_state_names_names_and_bytes(library: Place) -> None:
    memory = library.open()
    first = memory.state()
    assert memory.state() == first
    memory.add("One more line.")
    assert memory.state() != first


def test_the_documents_may_live_elsewhere(place: Place, tmp_path: Path) -> None:
    shelf = tmp_path / "notes"
    elsewhere = Settings(auto=False, documents=str(shelf))
    with place.open(settings=elsewhere) as memory:
        memory.add("The kiln is hot.")
        memory.consolidate()
        assert memory.status().documents_folder == str(shelf)
    assert [path.name for path in (shelf / "topics").iterdir()]
    assert not (place.folder / "topics").exists()
    with place.open() as memory:
        assert memory.status().documents_folder == str(shelf)


def test_a_shelf_of_another_scope_is_refused(place: Place, tmp_path: Path) -> None:
    elsewhere = Settings(auto=False, documents=str(tmp_path / "notes"))
    place.open(settings=elsewhere, user="ana").close()
    with pytest.raises(StoreError, match="another scope"):
        place.open(settings=elsewhere, user="ben")


def test_a_missing_file_of_an_empty_memory_is_made_again(place: Place) -> None:
    with place.open():
        pass
    before = place.files()
    place.drop()
    with place.open() as memory:
        memory.rebuild()
        assert place.files() == before != {}


def test_a_file_in_place_of_a_folder_is_named_by_status(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is hot.")
    (place.folder / "conflicts").write_text("not a folder", "utf-8")
    assert memory.status().conflicts == ("conflicts",)
