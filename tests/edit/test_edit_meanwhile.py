"""Edits of a print that is not the last one, edits while others write, and looks that cost little."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from editing_place import LINES, adopted, append, edit, lines, path_of, sound, text_of, without

from memoranda import Memory
from memoranda.errors import StalePlanError
from memoranda.memory.noticing import Noticing
from memoranda.store.noticing import Noticing as Looking
from scene import Place, home


def stale(place: Place, document_id: str, *pairs: tuple[str, str], more: str = "") -> str:
    """What an editor that opened a file now will save later."""
    text = text_of(place, document_id)
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text + more


def grown(memory: Memory) -> None:
    """Let documents get lines that an editor does not show."""
    for number in range(2):
        memory.add(f"The goats eat in the low barn of the orchard, {number}.", session="s1")
    memory.consolidate()


def test_an_edit_of_an_old_print_takes_out_nothing_that_came_since(shelf: Place) -> None:
    buffer = stale(shelf, "d2", ("low barn.", "high barn."), more="\nMine.\n")
    with shelf.open() as memory:
        grown(memory)
        assert len(lines(memory, "d2")) == 4
    path_of(shelf, "d2").write_text(buffer, "utf-8")
    with shelf.open() as memory:
        found = lines(memory, "d2")
        assert len(found) == 5
        assert found[0] == "The goats sleep in the high barn."
        assert "Mine." in found
        assert adopted(memory).removed == ()
        sound(shelf, memory)


def test_a_removal_in_an_old_print_takes_out_that_line_alone(shelf: Place) -> None:
    line = next(line for line in text_of(shelf, "d2").split("\n") if "> The goats" in line)
    buffer = stale(shelf, "d2", (f"{line}\n", ""))
    with shelf.open() as memory:
        grown(memory)
    path_of(shelf, "d2").write_text(buffer, "utf-8")
    with shelf.open() as memory:
        assert adopted(memory).removed == (3,)
        assert len(lines(memory, "d2")) == 3


def test_two_corrections_of_one_line_are_both_kept(shelf: Place) -> None:
    buffer = stale(shelf, "d2", ("low barn.", "third barn."))
    edit(shelf, "d2", ("low barn.", "second barn."))
    with shelf.open() as memory:
        second = adopted(memory).corrected[0][1]
    path_of(shelf, "d2").write_text(buffer, "utf-8")
    with shelf.open() as memory:
        assert lines(memory, "d2")[0] == "The goats sleep in the third barn."
        told = memory.history(second)
        assert any("corrected by hand" in change.text for change in told)
        events = [record.body for record in memory.log(kind="event")]
        assert any("second barn" in str(body) for body in events)
        sound(shelf, memory)


def test_a_line_removed_in_an_old_print_and_corrected_since_stays(shelf: Place) -> None:
    line = next(line for line in text_of(shelf, "d2").split("\n") if "> The goats" in line)
    buffer = stale(shelf, "d2", (f"{line}\n", ""))
    edit(shelf, "d2", ("low barn.", "second barn."))
    shelf.open().close()
    path_of(shelf, "d2").write_text(buffer, "utf-8")
    with shelf.open() as memory:
        assert "The goats sleep in the second barn." in lines(memory, "d2")


def test_an_old_print_without_an_edit_changes_nothing(shelf: Place) -> None:
    old = shelf.files()
    with shelf.open() as memory:
        memory.correct(3, "The goats sleep in the tower.")
        grown(memory)
        new = shelf.files()
        position = memory.status().position
    for name, data in old.items():
        if name in new:
            (shelf.folder / name).write_bytes(data)
    with shelf.open() as memory:
        assert shelf.files() == new
        assert memory.status().position == position


def test_an_edit_of_a_document_that_was_merged_goes_where_its_lines_went(shelf: Place) -> None:
    from memoranda.store.operations import Merge  # noqa: PLC0415
    from scene import applier, plan, said  # noqa: PLC0415

    memory = shelf.open()
    path = path_of(shelf, "d2")
    path.write_text(text_of(shelf, "d2").replace("low barn.", "high barn.") + "\nMine.\n", "utf-8")
    seen = {info.document_id: info.version for info in memory.documents()}
    merge = Merge(document_id="d1", absorbs=("d2",), title=said("Things"), summary=said("All."))
    wanted = {name: seen[name] for name in ("d1", "d2")}
    applier(memory).apply(plan(merge, versions=wanted, kind="reshape"))
    memory.state()
    memory.state()
    found = lines(memory, "d1")
    assert {"The goats sleep in the high barn.", "Mine.", LINES[3]} <= set(found)
    assert not path.exists()
    sound(shelf, memory)


def test_a_plan_that_waits_is_planned_anew_after_an_edit(place: Place) -> None:
    place.settings = replace(place.settings, auto=False, mode="review", structure="off")
    with place.open() as memory:
        memory.add("The rope is wet.")
        memory.add("The lamp is lit.")
        memory.consolidate()
        (plan_id,) = memory.waiting()
    edit(place, "CURRENT", ("The rope is wet.", "The rope is dry."))
    with place.open() as memory:
        with pytest.raises(StalePlanError) as caught:
            memory.approve(plan_id)
        assert caught.value.instead
        while memory.waiting():
            memory.approve(memory.waiting()[0])
        memory.consolidate()
        while memory.waiting():
            memory.approve(memory.waiting()[0])
        found = {text for info in memory.documents() for text in lines(memory, info.document_id)}
        assert found == {"The rope is dry.", "The lamp is lit."}


def test_an_open_handle_takes_an_edit_in_at_its_next_call(shelf: Place) -> None:
    memory = shelf.open()
    ticks = [0.0]
    found = memory._noticing
    assert isinstance(found, Noticing)
    found._ticks, found._next = (lambda: ticks[0]), 0.0
    append(shelf, "d2", "\nFirst.\n")
    assert lines(memory, "d2")[-1] == "First."
    append(shelf, "d2", "\nSecond.\n")
    assert lines(memory, "d2")[-1] == "First.", "the files are looked at once a second at most"
    ticks[0] += 1.5
    assert lines(memory, "d2")[-1] == "Second."
    append(shelf, "d2", "\nThird.\n")
    memory.consolidate()
    assert lines(memory, "d2")[-1] == "Third.", "and always before consolidation"


def test_a_look_at_untouched_files_reads_none(
    shelf: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = shelf.open()
    looking = home(memory).projection.noticing
    monkeypatch.setattr(Looking, "_read", lambda *_: pytest.fail("a file was read"))
    assert not looking.touched()
    os.utime(path_of(shelf, "d2"))
    assert looking.touched()


def test_with_adopt_off_an_edit_is_kept_as_a_copy(shelf: Place) -> None:
    shelf.settings = replace(shelf.settings, adopt=False)
    append(shelf, "d2", "\nMine.\n")
    with shelf.open() as memory:
        assert lines(memory, "d2") == [*LINES[2:4]]
        assert len(shelf.copies()) == 1


def test_a_preview_changes_nothing(shelf: Place) -> None:
    memory = shelf.open()
    edit(shelf, "d2", ("low barn.", "high barn."))
    without(shelf, "d3", "vault")
    files = shelf.files()
    found = memory.adopt(dry_run=True)
    assert found.dry_run
    assert found.adopted is not None
    assert found.adopted.plan_id == ""
    assert "low barn" in found.before["d2"]
    assert "high barn" in found.after["d2"]
    assert shelf.files() == files
    assert memory.adopt().adopted is not None
