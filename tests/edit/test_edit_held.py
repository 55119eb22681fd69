"""Edits that are not taken in by themselves: they wait, their bytes kept, the library as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editing_place import LINES, append, edit, lines, path_of, sound, text_of, without

from memoranda.errors import InputError
from scene import Place

Harm = Callable[[str], bytes]


def _headless(text: str) -> bytes:
    return (text.split("---\n", 2)[2] + "\nMy own word.\n").encode()


def _broken(text: str) -> bytes:
    return (text.replace("title:", "title: [", 1) + "\nMy own word.\n").encode()


def _doubled(text: str) -> bytes:
    return (text.replace("title:", "title: x\ntitle:", 1) + "\nMy own word.\n").encode()


def _merge(text: str) -> bytes:
    return (text + "<<<<<<< HEAD\n- My own word.\n=======\n- theirs\n>>>>>>> other\n").encode()


def _sixteen(text: str) -> bytes:
    return b"\xff\xfe" + (text + "\nMy own word.\n").encode("utf-16-le")


def _binary(text: str) -> bytes:
    return text.encode() + b"\0\1\2 My own word.\n"


def _latin(text: str) -> bytes:
    return text.encode() + "\nMy own wörd.\n".encode("latin-1")


def _emptied(text: str) -> bytes:
    return (text.split("\n\n## ", maxsplit=1)[0] + "\n\nMy own word.\n").encode()


def _another_id(text: str) -> bytes:
    return (text.replace("id: d2", "id: d77", 1) + "\nMy own word.\n").encode()


HARMS: dict[str, Harm] = {
    "headless": _headless,
    "broken front matter": _broken,
    "doubled key": _doubled,
    "merge marks": _merge,
    "UTF-16": _sixteen,
    "binary": _binary,
    "Latin-1": _latin,
    "without its lines": _emptied,
    "another id": _another_id,
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_what_is_unsafe_waits_and_the_rest_works(shelf: Place, harm: Harm) -> None:
    before = shelf.files()
    data = harm(text_of(shelf, "d2"))
    path_of(shelf, "d2").write_bytes(data)
    append(shelf, "d3", "\nAnother word of mine.\n")
    with shelf.open() as memory:
        (plan_id,) = memory.waiting()
        assert lines(memory, "d2") == [*LINES[2:4]]
        assert lines(memory, "d3")[-1] == "Another word of mine."
        (copy,) = shelf.copies()
        assert (shelf.folder / "conflicts" / copy).read_bytes() == data
        assert any(plan_id in item for item in memory.status().pending)
        view = memory.plan(plan_id)
        assert view.kind == "edit"
        assert "d2" in view.reasons[0]
        assert "word" not in view.reasons[0]
        sound(shelf, memory)
        memory.reject(plan_id)
        assert memory.waiting() == ()
    now = shelf.files()
    assert {name: now[name] for name in before if "d3" not in name} == {
        name: before[name] for name in before if "d3" not in name
    }


@pytest.mark.parametrize("harm", [_headless, _broken, _doubled, _emptied, _another_id])
def test_an_edit_that_waited_is_taken_in_when_approved(shelf: Place, harm: Harm) -> None:
    path_of(shelf, "d2").write_bytes(harm(text_of(shelf, "d2")))
    with shelf.open() as memory:
        (plan_id,) = memory.waiting()
        done = memory.approve(plan_id, by="Mira")
        assert lines(memory, "d2")[-1] == "My own word."
        assert (LINES[2] in lines(memory, "d2")) == (harm is not _emptied)
        assert done.receipts[0].kind == "edit"
        assert memory.plan(plan_id).state == "approved"
        sound(shelf, memory)
        memory.undo(plan_id)
        assert lines(memory, "d2") == [*LINES[2:4]]
        sound(shelf, memory)


def test_a_copy_with_marks_of_a_merge_is_mended_and_then_approved(shelf: Place) -> None:
    path_of(shelf, "d2").write_bytes(_merge(text_of(shelf, "d2")))
    with shelf.open() as memory:
        (plan_id,) = memory.waiting()
        with pytest.raises(InputError, match="merge"):
            memory.approve(plan_id)
        copy = next((shelf.folder / "conflicts").iterdir())
        text = copy.read_text("utf-8")
        kept = [
            line for line in text.split("\n") if line[:7] not in {"<<<<<<<", "=======", ">>>>>>>"}
        ]
        copy.write_text("\n".join(kept), "utf-8")
        memory.approve(plan_id)
        assert lines(memory, "d2")[-2:] == ["My own word.", "theirs"]


def test_a_file_that_is_taken_away_comes_back_and_its_end_waits(shelf: Place) -> None:
    path = path_of(shelf, "d2")
    data = path.read_bytes()
    path.unlink()
    with shelf.open() as memory:
        assert path.read_bytes() == data
        (plan_id,) = memory.waiting()
        assert "taken away" in memory.plan(plan_id).reasons[0]
        memory.approve(plan_id)
        assert "d2" not in [info.document_id for info in memory.documents()]
        assert not path.exists()
        sound(shelf, memory)
        memory.undo(plan_id)
        assert lines(memory, "d2") == [*LINES[2:4]]
        assert path.read_bytes() == data


def test_a_folder_that_is_away_is_no_wish(shelf: Place) -> None:
    for path in (shelf.folder / "topics").iterdir():
        path.unlink()
    with shelf.open() as memory:
        assert memory.waiting() == ()
        assert len(memory.documents()) == 4


def test_more_than_a_fifth_of_the_lines_waits(shelf: Place) -> None:
    with shelf.open() as memory:
        for number in range(8):
            memory.add(f"Crate {number} of the deployment limit of pods.", session="s3")
        memory.consolidate()
        document = memory.get(7).document_id  # type: ignore[union-attr]
        total = len(lines(memory, str(document)))
    for number in range(3):
        without(shelf, str(document), f"Crate {number} ")
    with shelf.open() as memory:
        assert total // 5 < 3
        (plan_id,) = memory.waiting()
        assert len(lines(memory, str(document))) == total
        memory.approve(plan_id)
        assert len(lines(memory, str(document))) == total - 3


def test_the_same_bytes_wait_once(shelf: Place) -> None:
    data = _broken(text_of(shelf, "d2"))
    for _ in range(3):
        path_of(shelf, "d2").write_bytes(data)
        shelf.open().close()
    with shelf.open() as memory:
        assert len(memory.waiting()) <= 1


def test_a_file_of_a_later_state_is_kept_and_not_taken_in(shelf: Place) -> None:
    with shelf.open() as memory:
        backup = memory.backup().path
    data = Path(backup).read_bytes()
    edit(shelf, "d2", ("low barn", "high barn"))
    with shelf.open() as memory:
        memory.consolidate()
    shelf.close()
    shelf.database.write_bytes(data)
    for side in ("-wal", "-shm"):
        (shelf.folder / f"memory.db{side}").unlink(missing_ok=True)
    with shelf.open() as memory:
        assert lines(memory, "d2") == [*LINES[2:4]]
        assert memory.status().conflicts
