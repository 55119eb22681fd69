"""Headers, headings, names and encodings as people and their programs leave them."""

from __future__ import annotations

import codecs

import pytest
from editing_place import LINES, adopted, append, edit, lines, path_of, printed, sound, text_of

from memoranda import Memory
from scene import Place, home


def heading(memory: Memory, document_id: str) -> list[tuple[str, ...]]:
    return [block.headings for block in memory.document(document_id).blocks]


def test_a_title_typed_anew_names_the_document_and_its_file(shelf: Place) -> None:
    title = text_of(shelf, "d2").split("# ")[1].split("\n")[0]
    path = path_of(shelf, "d2")
    text = path.read_text("utf-8").replace(f"# {title}", "# Goats and Trees")
    path.write_text(text, "utf-8")
    with shelf.open() as memory:
        assert memory.document("Goats and Trees").header.document_id == "d2"
        assert path_of(shelf, "d2").name == "goats-and-trees-d2.md"
        assert not path.exists()
        sound(shelf, memory)


def test_a_title_that_another_document_bears_is_not_taken(shelf: Place) -> None:
    with shelf.open() as memory:
        other = memory.document("d1").header.title
        mine = memory.document("d2").header.title
    edit(shelf, "d2", (f"# {mine}", f"# {other}"))
    with shelf.open() as memory:
        assert memory.document("d2").header.title == mine
        assert memory.status().edited is None or "bears that title" in str(memory.status().edited)
        assert f"# {mine}" in text_of(shelf, "d2")


def test_summary_tags_and_keys_of_others_stay(shelf: Place) -> None:
    text = text_of(shelf, "d3")
    summary = next(line for line in text.split("\n") if line.startswith("summary:"))
    extra = "tags: [ferry, key]\n# mine\ncssclass: wide\naux:\n  owner: Mira"
    edit(shelf, "d3", (summary, "summary: My own words."), ("counter: m1", f"counter: m1\n{extra}"))
    with shelf.open() as memory:
        assert memory.document("d3").header.summary == "My own words."
        after = text_of(shelf, "d3")
        for line in extra.split("\n"):
            assert line in after
        sound(shelf, memory)
        for text in LINES[:2]:
            memory.add(f"{text} And more of the key under the stairs.", session="s2")
        memory.consolidate()
        assert "cssclass: wide" in text_of(shelf, "d3")
        spots = memory.document("d3").blocks[0].entries[0].lines
        assert spots is not None
        assert LINES[4] in text_of(shelf, "d3").split("\n")[spots[0] - 1]
        sound(shelf, memory)


def test_figures_that_are_ours_are_printed_as_they_were(shelf: Place) -> None:
    before = edit(shelf, "d2", ("token_count:", "token_count: 1"), ("created_time:", "x_time:"))
    with shelf.open() as memory:
        memory.adopt()
        assert "token_count: 1" not in text_of(shelf, "d2") or "token_count: 1" in before
        assert "created_time:" in text_of(shelf, "d2")
        sound(shelf, memory)


def test_headings_are_renamed_added_and_put_in_order(shelf: Place) -> None:
    three, four = printed(shelf, "d2", "goats"), printed(shelf, "d2", "orchard")
    head = text_of(shelf, "d2").split("\n\n## ")[0]
    path_of(shelf, "d2").write_text(
        f"{head}\n\n## Trees\n\n{four}\n- A pear tree too.\n\n### Deep\n\n- In the dell.\n\n"
        f"## Beasts\n\n{three}\n",
        "utf-8",
    )
    with shelf.open() as memory:
        assert heading(memory, "d2") == [("Trees",), ("Trees", "Deep"), ("Beasts",)]
        assert lines(memory, "d2") == [LINES[3], "A pear tree too.", "In the dell.", LINES[2]]
        assert [found.lines for found in memory.document("d2").blocks]
        sound(shelf, memory)
        found = memory.search("pear tree").evidence[0]
        assert found.headings == ("Trees",)


def test_an_empty_heading_is_not_lost(shelf: Place) -> None:
    append(shelf, "d2", "\n## Bees, one day\n")
    with shelf.open() as memory:
        assert "Bees, one day" in text_of(shelf, "d2")
        sound(shelf, memory)


def test_a_renamed_file_is_the_same_document(shelf: Place) -> None:
    path = path_of(shelf, "d2")
    edit(shelf, "d2", ("low barn", "high barn"))
    path.rename(path.with_name("My Goats.md"))
    with shelf.open() as memory:
        assert lines(memory, "d2")[0] == "The goats sleep in the high barn."
        assert path.exists()
        assert not path.with_name("My Goats.md").exists()
        assert memory.status().conflicts == ()


def test_a_copy_of_a_document_beside_it_is_named_and_left(shelf: Place) -> None:
    path = path_of(shelf, "d2")
    copy = path.with_name("goats (conflicted copy).md")
    copy.write_bytes(path.read_bytes() + b"\nNot mine.\n")
    with shelf.open() as memory:
        assert memory.status().conflicts == (f"topics/{copy.name}",)
        assert "Not mine." not in lines(memory, "d2")
    assert copy.exists()


def test_a_new_file_waits_until_somebody_asks(shelf: Place) -> None:
    mine = shelf.folder / "topics" / "Shopping.md"
    mine.write_text("# To buy\n\n- flour\n- oats\n\n## Later\n\nA lamp for the pier.\n", "utf-8")
    with shelf.open() as memory:
        assert memory.status().conflicts == ("topics/Shopping.md",)
        assert memory.adopt(new=False).left[0][0] == "topics/Shopping.md"
        done = memory.adopt()
        assert done.adopted is not None
        assert len(done.adopted.added) == 3
        info = memory.document("To buy").header
        assert lines(memory, info.document_id) == ["flour", "oats", "A lamp for the pier."]
        assert heading(memory, info.document_id)[1] == ("Later",)
        assert not mine.exists()
        assert memory.status().conflicts == ()
        sound(shelf, memory)
        memory.undo(done.adopted.plan_id)
        assert "To buy" not in [item.title for item in memory.documents()]
        assert memory.current(), "what waited still waits"
        sound(shelf, memory)


@pytest.mark.parametrize("form", ["crlf", "bom", "both", "no end"])
def test_line_ends_and_marks_of_other_systems_are_no_edit(shelf: Place, form: str) -> None:
    path = path_of(shelf, "d2")
    data = path.read_bytes()
    if form in {"crlf", "both"}:
        data = data.replace(b"\n", b"\r\n")
    if form in {"bom", "both"}:
        data = codecs.BOM_UTF8 + data
    if form == "no end":
        data = data.rstrip(b"\n")
    with shelf.open() as memory:
        position = memory.status().position
    path.write_bytes(data)
    with shelf.open() as memory:
        assert memory.status().position == position
        assert memory.status().conflicts == ()
        sound(shelf, memory)


def test_crlf_with_an_edit_is_the_edit_alone(shelf: Place) -> None:
    edit(shelf, "d2", ("low barn", "high barn"))
    path_of(shelf, "d2").write_bytes(path_of(shelf, "d2").read_bytes().replace(b"\n", b"\r\n"))
    with shelf.open() as memory:
        assert len(adopted(memory).corrected) == 1
        assert b"\r" not in path_of(shelf, "d2").read_bytes()


def test_blanks_at_the_ends_of_lines_are_no_edit(shelf: Place) -> None:
    with shelf.open() as memory:
        position = memory.status().position
    path = path_of(shelf, "d2")
    path.write_text("\n".join(f"{line}  " for line in text_of(shelf, "d2").split("\n")), "utf-8")
    with shelf.open() as memory:
        memory.adopt()
        assert memory.status().position == position


def test_lines_of_another_project_stay_in_it(place: Place) -> None:
    with place.open(project="farm") as memory:
        memory.add("The goats are out.")
        memory.consolidate()
    with place.open(project="boat") as memory:
        memory.add("The keel is dry.")
        memory.consolidate()
    append(place, "d2", printed(place, "d1", "goats") + "\n")
    with place.open() as memory:
        assert memory.document("d2").header.project == "boat"
        assert lines(memory, "d2") == ["The keel is dry."]
        assert lines(memory, "d1") == ["The goats are out."]
    append(place, "d2", "\nThe mast is up.\n")
    with place.open() as memory:
        assert memory.get(adopted(memory).added[0]).project == "boat"  # type: ignore[union-attr]


def test_edits_are_left_alone_where_nothing_may_be_written(shelf: Place) -> None:
    append(shelf, "d2", "\nMine.\n")
    with shelf.open(heal=False) as memory:
        position = memory.status().position
        assert "Mine." not in str(memory.search("mine").evidence)
    with shelf.open() as memory:
        assert memory.status().position > position
        assert home(memory).log.position() > position
