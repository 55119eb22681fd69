"""An edit is one plan: undone as one, replayed, blamed, exported, forgotten without a piece left."""

from __future__ import annotations

from pathlib import Path

import pytest
from editing_place import (
    LINES,
    adopted,
    append,
    edit,
    lines,
    path_of,
    printed,
    sound,
    text_of,
    without,
)

from memoranda import Memory
from memoranda.errors import UndoError
from memoranda.store.scan import scan
from scene import Place, rows

CANARY = "Flimbart quorzel vintrap snorvik."


def much(place: Place) -> None:
    """An edit of every kind, over several files."""
    title = text_of(place, "d3").split("# ")[1].split("\n")[0]
    edit(place, "d2", ("low barn.", "high barn."), ("counter: m1", "counter: m1\ntags: [goats]"))
    append(place, "d2", f"\n## By me\n\nA new line.\n\n{printed(place, 'd1', 'ferry')}\n")
    without(place, "d1", "ferry")
    edit(place, "d3", (f"# {title}", "# Keys and Rain"))
    without(place, "d3", "vault")
    edit(place, "CURRENT", ("the shed", "the boathouse"))
    append(place, "CURRENT", "- And one more.\n")


def test_undo_gives_every_byte_back_and_its_undo_the_edit(shelf: Place) -> None:
    before = shelf.files()
    much(shelf)
    with shelf.open() as memory:
        done = adopted(memory)
        assert len(done.documents) == 4
        after, known = shelf.files(), rows(memory)
        undone = memory.undo(done.plan_id)
        assert shelf.files() == before
        sound(shelf, memory)
        memory.undo(undone.undo_id)
        assert shelf.files() == after
        assert {name: part for name, part in rows(memory).items() if name == "block"} == {
            name: part for name, part in known.items() if name == "block"
        }
        sound(shelf, memory)


def test_what_came_later_is_kept_by_an_undo(shelf: Place) -> None:
    append(shelf, "d2", "\nMine.\n")
    with shelf.open() as memory:
        plan_id = adopted(memory).plan_id
        memory.add("The goats like the low barn in winter.", session="s1")
        memory.consolidate()
        memory.undo(plan_id)
        assert lines(memory, "d2") == [*LINES[2:4], "The goats like the low barn in winter."]
        sound(shelf, memory)


def test_what_later_needs_the_edit_is_named(shelf: Place) -> None:
    edit(shelf, "d2", ("low barn.", "high barn."))
    with shelf.open() as memory:
        first = adopted(memory)
        memory.retract(first.corrected[0][1])
        with pytest.raises(UndoError) as caught:
            memory.undo(first.plan_id)
        assert caught.value.first


def test_each_position_replays_to_the_files_that_were(shelf: Place, tmp_path: Path) -> None:
    then: dict[int, dict[str, bytes]] = {}

    def note(memory: Memory) -> None:
        memory.state()
        then[memory.status().position] = shelf.files()

    with shelf.open() as memory:
        note(memory)
    much(shelf)
    with shelf.open() as memory:
        note(memory)
        memory.add("The goats like rain.", session="s1")
        memory.consolidate()
        note(memory)
    edit(shelf, "d2", ("A new line.", "A newer line."))
    with shelf.open() as memory:
        note(memory)
        for position, files in then.items():
            target = tmp_path / str(position)
            memory.replay(position, to=target)
            found = {
                str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*.md")
            }
            assert found == files


def test_blame_and_log_name_the_person(shelf: Place) -> None:
    much(shelf)
    with shelf.open() as memory:
        done = adopted(memory)
        told = memory.blame("d2")
        own = [line for line in told.lines if set(line.seqs) & {*done.added, done.corrected[0][1]}]
        assert own
        assert all(line.plan_id for line in told.lines if line.kind == "entry")
        assert all("hand edit" in line.actors for line in own if set(line.seqs) & {*done.added})
        assert "edited by hand" in " ".join(change.text for change in memory.history("d2"))
        record = memory.log(kind="plan")
        assert next(r for r in record if r.record_id == done.plan_id).actor == "hand"
        view = memory.plan(done.plan_id)
        assert view.kind == "edit"
        assert "low barn" in view.before["d2"]
        assert "high barn" in view.after["d2"]
        assert all(view.operations)


def test_a_diff_and_an_archive_know_the_edit(shelf: Place, tmp_path: Path) -> None:
    with shelf.open() as memory:
        version = memory.document("d2").header.version
    much(shelf)
    with shelf.open() as memory:
        now = memory.document("d2").header.version
        assert "high barn" in str(memory.diff("d2", f"{version}..{now}"))
        state = memory.state()
        memory.export(tmp_path / "whole.zip")
    other = Place(tmp_path / "other", shelf.settings, ids="o-")
    with other.open() as memory:
        memory.import_archive(tmp_path / "whole.zip")
        assert memory.state() == state
    other.close()


@pytest.mark.parametrize("how", ["line", "old", "event", "undone"])
def test_a_forgotten_edit_leaves_no_piece(shelf: Place, how: str) -> None:
    edit(shelf, "d2", ("The goats sleep in the low barn.\n", f"{CANARY}\n"), ("# ", f"# {CANARY} "))
    append(shelf, "d2", f"\n## {CANARY}\n\nAnother flimbart quorzel line.\n")
    with shelf.open() as memory:
        done = adopted(memory)
        ((old, new),) = done.corrected
        event = memory.get(new).event_ids[0]  # type: ignore[union-attr]
        others = [memory.get(seq).event_ids[0] for seq in done.added]  # type: ignore[union-attr]
        if how == "undone":
            memory.undo(done.plan_id)
        match how:
            case "line":
                memory.forget(entry=new)
            case "event":
                memory.forget(event=event)
            case _:
                memory.forget(entry=old)
        for other in others:
            memory.forget(event=other)
        memory.rebuild()
    shelf.close()
    texts = (CANARY,) if how == "undone" else (CANARY, LINES[2])
    found = scan([shelf.root], texts)
    assert [hit.file for hit in found.hits] == []


def test_a_forgotten_line_does_not_come_back_by_an_old_print(shelf: Place) -> None:
    edit(shelf, "d2", ("low barn.", f"low barn. {CANARY}"))
    shelf.open().close()
    buffer = text_of(shelf, "d2")
    with shelf.open() as memory:
        memory.forget(entry=adopted(memory).corrected[0][1])
    assert CANARY not in text_of(shelf, "d2")
    path_of(shelf, "d2").write_text(f"{buffer}\nMine.\n", "utf-8")
    with shelf.open() as memory:
        assert "Mine." in lines(memory, "d2")
        assert CANARY not in str(lines(memory, "d2"))
    shelf.close()
    assert scan([shelf.root], [CANARY]).hits == ()
