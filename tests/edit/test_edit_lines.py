"""Lines that a person adds, corrects, removes, moves and puts in order, in the files."""

from __future__ import annotations

import pytest
from editing_place import LINES, adopted, append, edit, lines, printed, sound, text_of, without

from memoranda import Entry
from scene import Place


def test_a_new_line_becomes_an_entry_of_the_user_by_hand(shelf: Place) -> None:
    append(shelf, "d2", "\nThe gulls are back, and nest on the roof.\n")
    with shelf.open() as memory:
        (seq,) = adopted(memory).added
        entry = memory.get(seq)
        assert isinstance(entry, Entry)
        assert (entry.text, entry.source) == ("The gulls are back, and nest on the roof.", "user")
        event = memory.get(entry.event_ids[0])
        assert event.actor == "hand edit"  # type: ignore[union-attr]
        assert lines(memory, "d2")[-1] == entry.text
        assert memory.search("gulls nest").evidence[0].entries[0].seq == seq
        sound(shelf, memory)


def test_a_corrected_line_keeps_its_place_and_what_it_is_of(shelf: Place) -> None:
    edit(shelf, "d2", ("low barn", "high barn"))
    with shelf.open() as memory:
        ((old, new),) = adopted(memory).corrected
        assert lines(memory, "d2") == ["The goats sleep in the high barn.", LINES[3]]
        entry = memory.get(new)
        assert isinstance(entry, Entry)
        assert (entry.time, entry.session, entry.seqs) == ("2026-05-03", "s1", (new,))
        assert "low barn" not in text_of(shelf, "d2")
        told = " ".join(change.text for change in memory.history(old))
        assert f"corrected by hand: see entry {new}" in told
        assert f"corrects entry {old}" in " ".join(c.text for c in memory.history(new))
        assert memory.get(old) == entry
        assert "barn" in memory.search("where do the goats sleep").evidence[0].entries[0].text
        sound(shelf, memory)


def test_a_removed_line_is_retracted_and_status_names_forget(shelf: Place) -> None:
    without(shelf, "d2", "goats")
    with shelf.open() as memory:
        (seq,) = adopted(memory).removed
        assert lines(memory, "d2") == [LINES[3]]
        assert "goats" not in text_of(shelf, "d2").split("---", 2)[2].split("\n\n", 2)[2]
        assert memory.search("goats low barn").evidence == () or all(
            "goats" not in entry.text
            for found in memory.search("goats low barn").evidence
            for entry in found.entries
        )
        assert any("removed by hand" in change.text for change in memory.history(seq))
        sound(shelf, memory)


@pytest.mark.parametrize("end", ["\n", ""])
def test_the_last_line_may_be_removed_too(shelf: Place, end: str) -> None:
    without(shelf, "d3", "vault")
    path = next((shelf.folder / "topics").glob("*-d3.md"))
    path.write_text(path.read_text("utf-8").rstrip("\n") + end, encoding="utf-8")
    with shelf.open() as memory:
        assert len(adopted(memory).removed) == 1
        assert lines(memory, "d3") == [LINES[4]]


def test_lines_put_in_another_order_stay_so(shelf: Place) -> None:
    text = text_of(shelf, "d2").rstrip("\n").split("\n")
    text[-2], text[-1] = text[-1], text[-2]
    next((shelf.folder / "topics").glob("*-d2.md")).write_text("\n".join(text) + "\n", "utf-8")
    with shelf.open() as memory:
        assert lines(memory, "d2") == [LINES[3], LINES[2]]
        memory.add("The goats like apples from the orchard.", session="s1")
        memory.consolidate()
        assert lines(memory, "d2")[:2] == [LINES[3], LINES[2]]
        sound(shelf, memory)


@pytest.mark.parametrize("first", ["cut", "paste", "both"])
def test_a_line_moved_to_another_file_keeps_its_number(shelf: Place, first: str) -> None:
    line = printed(shelf, "d2", "goats")
    cut, paste = first != "paste", first != "cut"
    if cut:
        without(shelf, "d2", "goats")
    if paste:
        append(shelf, "d3", f"{line}\n")
    stale = None
    if first != "both":
        stale = text_of(shelf, "d2")
        shelf.open().close()
        if cut:
            append(shelf, "d3", f"{line}\n")
        else:
            kept = stale.replace(f"{line}\n", "")
            next((shelf.folder / "topics").glob("*-d2.md")).write_text(kept, "utf-8")
    with shelf.open() as memory:
        entry = memory.get(3)
        assert isinstance(entry, Entry)
        assert (entry.document_id, entry.retracted) == ("d3", False)
        assert lines(memory, "d3")[-1] == LINES[2]
        assert lines(memory, "d2") == [LINES[3]]
        sound(shelf, memory)


def test_a_line_goes_to_current_and_back(shelf: Place) -> None:
    line = printed(shelf, "d2", "goats")
    without(shelf, "d2", "goats")
    append(shelf, "CURRENT", f"{line}\n")
    with shelf.open() as memory:
        assert LINES[2] in lines(memory, "CURRENT")
        assert adopted(memory).moved == (3,)
        memory.consolidate()
        assert memory.get(3).document_id != "CURRENT"  # type: ignore[union-attr]
        sound(shelf, memory)


def test_current_is_edited_as_documents_are(shelf: Place) -> None:
    edit(shelf, "CURRENT", ("the shed", "the boathouse"))
    without(shelf, "CURRENT", "lamp")
    append(shelf, "CURRENT", "\nA word of my own.\n")
    with shelf.open() as memory:
        done = adopted(memory)
        assert (len(done.corrected), len(done.removed), len(done.added)) == (1, 1, 1)
        shown = [
            line.split("> ")[1] for line in text_of(shelf, "CURRENT").split("\n") if "seq" in line
        ]
        assert shown == [
            "The rope waits in the boathouse.",
            "The oars wait outside.",
            "A word of my own.",
        ]
        sound(shelf, memory)
        memory.consolidate()
        sound(shelf, memory)


def test_the_newest_line_of_current_may_be_removed(shelf: Place) -> None:
    without(shelf, "CURRENT", "oars")
    with shelf.open() as memory:
        assert len(adopted(memory).removed) == 1
        assert lines(memory, "CURRENT")[-1] == "The lamp waits on the pier."


def test_a_signature_that_was_mangled_changes_no_truth(shelf: Place) -> None:
    text = text_of(shelf, "d2")
    three, four = (line for line in text.split("\n") if line.startswith("- <seq="))
    mangled = three.replace("time=2026-05-03, source=user", "time=1999-01-01, source=assistant")
    again = text.replace(three, f"{mangled}\n{three}").replace(four, "- The orchard needs lime.")
    next((shelf.folder / "topics").glob("*-d2.md")).write_text(
        f"{again}\n- <seq=4711, source=tool> A number of my own.\n", "utf-8"
    )
    with shelf.open() as memory:
        assert lines(memory, "d2") == [LINES[2], LINES[3], "A number of my own."]
        assert (memory.get(3).time, memory.get(3).source) == ("2026-05-03", "user")  # type: ignore[union-attr]
        told = " ".join(adopted(memory).warnings)
        assert "no line 4711" in told
        assert "lost its signature" in told
        assert memory.get(adopted(memory).added[0]).source == "user"  # type: ignore[union-attr]
        sound(shelf, memory)


def test_a_paragraph_a_list_and_a_box_are_lines_of_their_own(shelf: Place) -> None:
    more = "\nA paragraph\nof two lines.\n\n* starred\n1. counted\n- [ ] to do #garden [[d1]]\n  - inside\n"
    append(shelf, "d4", more)
    with shelf.open() as memory:
        assert lines(memory, "d4")[2:] == [
            "A paragraph\nof two lines.",
            "starred\n1. counted",
            "[ ] to do #garden [[d1]]\n- inside",
        ]
        printed = text_of(shelf, "d4")
        memory.adopt()
        assert text_of(shelf, "d4") == printed
        sound(shelf, memory)


def test_what_looks_like_an_entry_inside_a_text_is_text(shelf: Place) -> None:
    append(shelf, "d4", "\n- quoted:\n    - <sequence=1> no entry\n")
    with shelf.open() as memory:
        assert "<sequence=1> no entry" in lines(memory, "d4")[-1]
        assert lines(memory, "d4")[:2] == [LINES[6], LINES[7]]


def test_new_lines_are_as_sensitive_as_their_document(shelf: Place) -> None:
    with shelf.open() as memory:
        memory.add("My salary is 4,000.", sensitivity="private", session="p")
        memory.consolidate()
        info = next(
            i for i in memory.documents() if "salary" in memory.document(i.document_id).markdown
        )
    edit(shelf, info.document_id, ("> My salary is 4,000", "> My salary is 5,000"))
    append(shelf, info.document_id, "\nIt is paid in May.\n")
    with shelf.open() as memory:
        done = adopted(memory)
        seqs = (*done.added, done.corrected[0][1])
        assert {memory.get(seq).sensitivity for seq in seqs} == {"private"}  # type: ignore[union-attr]
