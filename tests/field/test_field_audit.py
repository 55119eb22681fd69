"""Field cases: files that go away or are edited, names that are nearly right, an export that is whole."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from cli_command import Command
from memoranda import Memory
from memoranda.errors import NotFoundError
from memoranda.store.log import LETTERS, LOST
from memoranda.store.operations import Key, LeaveOut, Reword, Text
from scene import BY_HAND, Place, applier, block, create, everything, home, plan, rows

NOTES = [f"Note {number:02} of the harbour: pier {number * 3} is repaired." for number in range(10)]
BY_ME = "\n\nA line of my own, 手写的一行。\n"


def texts(folder: Path) -> str:
    """Everything that can be read below a folder, as one text."""
    return "\n".join(
        path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md")) if path.is_file()
    )


@pytest.fixture
def noted(place: Place) -> Place:
    """A closed scope of ten notes in documents."""
    with place.open() as memory:
        for number, text in enumerate(NOTES):
            memory.add(text, id=f"n{number}", session=f"s{number // 3}")
        memory.consolidate()
    return place


def kinds(memory: Memory) -> Counter[str]:
    return Counter(record.kind for record in memory.log())


def test_a_folder_that_is_away_for_a_while_takes_nothing_with_it(noted: Place) -> None:  # fc-006
    topics, away = noted.folder / "topics", noted.root.parent / "unmounted"
    for path in topics.glob("*.md"):
        path.write_bytes(path.read_bytes() + BY_ME.encode())
    before = {path.name: path.read_bytes() for path in topics.glob("*.md")}
    with noted.open(heal=False) as memory:
        counted = kinds(memory)
    topics.rename(away)
    with noted.open() as memory:
        assert memory.search("pier 27").evidence
        memory.consolidate()
        found = kinds(memory)
        assert {kind: found[kind] for kind in ("event", "retraction", "forget")} == {
            kind: counted[kind] for kind in ("event", "retraction", "forget")
        }
        assert sorted(text for text in NOTES if memory.search(text).evidence) == sorted(NOTES)
    shutil.rmtree(topics, ignore_errors=True)
    away.rename(topics)
    assert {path.name: path.read_bytes() for path in topics.glob("*.md")} == before
    with noted.open() as memory:
        memory.consolidate()
        found = kinds(memory)
        assert (found["retraction"], found["forget"]) == (0, 0)
        assert sorted(text for text in NOTES if memory.search(text).evidence) == sorted(NOTES)
        assert memory.search("手写的一行").evidence[0].entries
        assert len((memory.status().edited or {})["added"]) == len(before)
        assert memory.waiting() == ()
    assert "手写的一行" in texts(noted.folder)


def test_what_another_program_wrote_into_a_document_is_not_lost(noted: Place) -> None:  # fc-008
    memory = noted.open()
    first = memory.documents()[0]
    memory.document(first.document_id)
    path = noted.folder / first.file
    grown = path.read_bytes() + b"\n## Added outside\n\nThe crane was sold to Skarholm.\n"
    path.write_bytes(grown)
    seq = memory.document(first.document_id).blocks[0].entries[0].seq
    memory.correct(seq, "Note 00 of the harbour: pier 0 is closed.")
    memory.consolidate()
    memory.close()
    assert "The crane was sold to Skarholm." in texts(noted.folder)
    with noted.open() as memory:
        assert memory.search("pier 0 is closed").evidence
        found = memory.search("crane Skarholm").evidence[0]
        assert found.document_id == first.document_id
        assert found.headings == ("Added outside",)
        assert memory.status().conflicts == ()
        plan_id = (memory.status().edited or {})["plan_id"]
        memory.undo(plan_id)
        assert "The crane was sold to Skarholm." not in memory.document(first.document_id).markdown


def test_an_edited_document_is_found_by_id_title_and_text(noted: Place) -> None:  # fc-019
    edits = (
        lambda text: text + "\n- The gulls are back.\n",
        lambda text: text.replace("format: 1", "format: 1\ntags: [harbour, piers]"),
        None,
    )
    for edit in edits:
        with noted.open() as memory:
            info = memory.documents()[0]
        path = noted.folder / info.file
        if edit is None:
            path.rename(path.with_name(f"renamed-{info.document_id}.md"))
        else:
            path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
        with noted.open() as memory:
            known = memory.documents()[0]
            for name in (info.document_id, known.title):
                assert memory.document(name).header.document_id == info.document_id
            text = memory.document(info.document_id).blocks[0].entries[0].text
            assert info.document_id in {item.document_id for item in memory.search(text).evidence}
            before = (rows(memory), memory.state())
            home(memory).drop_index()
            memory.rebuild()
            assert (rows(memory), memory.state()) == before
            assert memory.search("gulls back").evidence[0].document_id == info.document_id
            markdown = memory.document(info.document_id).markdown
            assert ("tags: [harbour, piers]" in markdown) == (edit is not edits[0])
            assert (noted.folder / info.file).exists()


def test_a_name_that_is_nearly_right_changes_nothing(place: Place) -> None:  # fc-026
    memory = place.open()
    for number, title in ((1, "Garden Plan A"), (2, "Garden Plan B")):
        memory.add(f"The bed number {number} holds beans.")
        made = create(f"d{number}", block(number), title=title)
        applier(memory).apply(plan(made, window=(number,)), approved=True)
    before = everything(memory)
    for attempt in (memory.document, memory.blame, memory.diff, memory.history):
        with pytest.raises(NotFoundError) as caught:
            attempt("Garden Plan C")
        assert set(caught.value.near) == {"Garden Plan A", "Garden Plan B"}
    for missing in ({"entry": 3}, {"event": "Garden Plan C"}, {"external_id": "Garden Plan C"}):
        with pytest.raises(NotFoundError):
            memory.forget(**missing)  # type: ignore[arg-type]
    for change in (lambda: memory.correct(3, "No."), lambda: memory.retract(3)):
        with pytest.raises(NotFoundError):
            change()
    assert everything(memory) == before
    memory.close()
    files = {path: path.read_bytes() for path in place.root.rglob("*.md")}
    command = Command(place.root)
    for words in (["show"], ["blame"], ["diff"], ["history"], ["log", "--about"]):
        done = command(*words, "Garden Plan C", MEMORANDA_AUTO="off")
        assert done.exit_code == 3
        assert "Garden Plan A" in done.stderr
    assert {path: path.read_bytes() for path in place.root.rglob("*.md")} == files


def every_kind(place: Place) -> Memory:
    """A memory that holds a record of every kind there is, but the one that only salvage makes."""
    memory = place.open()
    for number, text in enumerate(NOTES):
        memory.add(text, id=f"n{number}", actor="bot", session=f"s{number // 3}")
    words = (
        Reword(seqs=(1,), text=Text(text="Pier 0 is repaired.", made_from=(1,)), tokens=5),
        Key(seq=2, keys=(Text(text="key: pier 3 / state", made_from=(2,)),)),
        LeaveOut(seq=3, reason="chatter"),
    )
    applier(memory).apply(plan(*words, window=(1, 2, 3), kind="extract"), approved=True)
    memory.consolidate()
    memory.correct(4, "Note 03 of the harbour: pier 9 is closed.")
    memory.retract(5, reason="not so", by="Ines")
    memory.forget(entry=6)
    review = place.open(settings=type(BY_HAND)(auto=False, mode="review"))
    for number in range(3):
        review.add(f"The crane number {number} is for sale.", session=f"c{number}")
        review.consolidate()
    waiting = review.waiting()
    review.approve(waiting[0], by="Ines")
    review.reject(waiting[1], reason="no")
    for record in list(memory.log(kind="plan"))[::-1]:
        if "undo" in LETTERS and hasattr(memory, "undo") and record.body["kind"] == "consolidate":  # type: ignore[index]
            memory.undo(record.record_id)
            break
    asking = memory.add("Please forget that crane 7 is for sale.")
    memory.decline(asking.asked[0], by="Ines")
    with home(memory).log.transaction():
        body = {"model": "doubles", "purpose": "route@1", "at": "2026-06-01T09:00:00Z"}
        home(memory).fold.apply(home(memory).log.append("call", body))
    return memory


def test_an_export_leaves_out_no_kind_of_record(place: Place, root: Path) -> None:  # fc-062
    memory = every_kind(place)
    counted = kinds(memory)
    made_elsewhere = {LOST, "edit"}
    assert set(counted) >= set(LETTERS) - made_elsewhere
    done = memory.export(root.parent / "all.zip")
    assert done.kinds == counted
    other = Place(root.parent / "other")
    with other.open() as taken:
        assert taken.import_archive(done.path).added == sum(counted.values())
        assert kinds(taken) == counted
        assert taken.state() == memory.state()
        assert rows(taken) == rows(memory)
        assert [r.to_dict() for r in taken.log()] == [r.to_dict() for r in memory.log()]
        assert taken.import_archive(done.path).added == 0
        assert taken.check(full=True).flaws == ()
