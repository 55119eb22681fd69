"""The views: entries, documents and CURRENT as they stand at one position."""

from __future__ import annotations

import pytest

from memoranda import Memory
from memoranda.store.documents import parse_document
from memoranda.store.operations import Duplicate, Merge, Supersede, Update
from scene import SENTENCES, Place, applier, block, create, home, plan, said, versions


def test_an_entry_is_what_was_said(memory: Memory) -> None:
    added = memory.add(
        "  The kiln\r\n\tis hot. 🔥 ",
        source="tool",
        speaker="Olek",
        time="2026-03-01T10:00:00+02:00",
        id="x1",
        session="night",
        sensitivity="private",
    )
    entry = memory.get(1)
    assert entry.to_dict() == {
        "seq": 1,
        "seqs": [1],
        "text": entry.text,  # type: ignore[union-attr]
        "source": "tool",
        "time": "2026-03-01T08:00Z",
        "recorded": "2026-06-01T09:00:00.000000Z",
        "speaker": "Olek",
        "session": "night",
        "project": None,
        "sensitivity": "private",
        "key": None,
        "event_ids": list(added.event_ids),
        "external_ids": ["x1"],
        "supersedes": [],
        "superseded_by": None,
        "possibly_replaced_by": None,
        "retracted": False,
        "document_id": entry.document_id,  # type: ignore[union-attr]
        "lines": None,
        "metadata": {},
    }
    assert entry.text.strip() == "The kiln\r\n\tis hot. 🔥"  # type: ignore[union-attr]


def test_a_merged_line_cites_all_its_events_in_order(memory: Memory) -> None:
    for name in ("b", "a", "c"):
        memory.add("The seed tin is under the stairs.", id=name)
    memory.consolidate()
    line = memory.get(2)
    assert line.seqs == (1, 2, 3)  # type: ignore[union-attr]
    assert line.external_ids == ("b", "a", "c")  # type: ignore[union-attr]
    assert "seq=1-3," in memory.document(memory.documents()[0].document_id).markdown


def test_a_printed_document_is_kept_until_its_version_moves(memory: Memory) -> None:
    memory.add("The kiln is hot.")
    memory.consolidate()
    view, name = home(memory).view, memory.documents()[0].document_id
    first = view.printed(name)
    assert view.printed(name) is first
    memory.correct(1, "The kiln is cold.")
    assert view.printed(name).text != first.text


def test_prints_equal_a_fresh_print_after_every_step(small: Place) -> None:
    memory = small.open()
    view = home(memory).view

    def all_true() -> None:
        kept = {
            info.document_id: view.printed(info.document_id).text for info in memory.documents()
        }
        view.forget_prints()
        for name, text in kept.items():
            assert view.printed(name).text == text

    for number, text in enumerate(SENTENCES):
        memory.add(text, session=f"s{number // 3}")
        if number % 4 == 3:
            memory.correct(number - 2, f"No: {text}")
            all_true()
        if number % 7 == 6:
            memory.retract(number - 3)
            all_true()
        memory.propose()
        all_true()
    memory.consolidate()
    all_true()


def test_a_superseded_line_stands_under_its_successor(memory: Memory) -> None:
    for text in ("The kiln is hot.", "The kiln is cold."):
        memory.add(text)
    applier(memory).apply(
        plan(create("d1", block(1), block(2)), Supersede(older=1, newer=2), window=(1, 2))
    )
    parsed = parse_document(memory.document("d1").markdown)
    (line,) = [line for item in parsed.blocks for line in item.lines]
    assert (line.seqs, [older.seqs for older in line.under]) == ((2,), [(1,)])


def test_a_line_superseded_from_elsewhere_stays_in_place_and_is_linked(memory: Memory) -> None:
    for text in ("The kiln is hot.", "The kiln is cold."):
        memory.add(text)
    applier(memory).apply(
        plan(
            create("d1", block(1)),
            create("d2", block(2), title="Cold things"),
            Supersede(older=1, newer=2),
            window=(1, 2),
        )
    )
    parsed = parse_document(memory.document("d1").markdown)
    (line,) = [line for item in parsed.blocks for line in item.lines]
    assert line.superseded_by == 2
    assert line.link is not None
    assert line.link.endswith("d2")


def test_a_link_follows_its_target_through_a_merge(memory: Memory) -> None:
    for text in ("The kiln is hot.", "The kiln is cold.", "The goat is loose."):
        memory.add(text)
    made = plan(
        create("d1", block(1)),
        create("d2", block(2), title="Cold things"),
        create("d3", block(3), title="Goats"),
        Supersede(older=1, newer=2),
        window=(1, 2, 3),
    )
    applier(memory).apply(made)
    before = memory.document("d1").header.version
    merge = Merge(document_id="d3", absorbs=("d2",), title=None, summary=said("x"))
    applier(memory).apply(plan(merge, versions=versions(memory), kind="reshape"))
    found = memory.document("d1")
    assert found.header.version > before
    (line,) = [line for item in parse_document(found.markdown).blocks for line in item.lines]
    assert line.link is not None
    assert line.link.endswith("d3")


def test_a_link_follows_its_target_out_of_current(memory: Memory, place: Place) -> None:
    memory.add("The kiln is hot.")
    applier(memory).apply(plan(create("d1", block(1)), window=(1,)))
    memory.correct(1, "The kiln is cold.")
    (line,) = parse_document(memory.document("d1").markdown).blocks[0].lines
    assert line.link == "CURRENT"
    memory.state()
    made = create("d2", block(2), title="Cold things")
    applier(memory).apply(plan(made, window=(2,), epoch=2))
    memory.state()
    (name,) = [name for name in place.files() if name.endswith("-d1.md")]
    for text in (memory.document("d1").markdown, place.files()[name].decode()):
        (line,) = parse_document(text).blocks[0].lines
        assert line.link is not None
        assert line.link.endswith("d2")


def test_blocks_are_in_order_of_when_they_were_said(memory: Memory) -> None:
    for text, day in (("Third.", "03"), ("First.", "01"), ("Second.", "02")):
        memory.add(text, time=f"2026-05-{day}")
    applier(memory).apply(plan(create("d1", block(1), block(2), block(3)), window=(1, 2, 3)))
    texts = [entry.text for item in memory.document("d1").blocks for entry in item.entries]
    assert texts == ["First.", "Second.", "Third."]


def test_the_lines_of_blocks_are_the_lines_of_the_file(memory: Memory) -> None:
    for text in SENTENCES[:6]:
        memory.add(text)
    memory.consolidate()
    for info in memory.documents():
        found = memory.document(info.document_id)
        printed = found.markdown.splitlines()
        for item in found.blocks:
            stretch = "\n".join(printed[item.lines[0] - 1 : item.lines[1]])
            assert all(entry.text in stretch for entry in item.entries)
            assert all(heading in stretch for heading in item.headings)


def test_current_is_printed_by_day_with_its_projects(place: Place) -> None:
    with place.open(project="acme") as memory:
        memory.add("The kiln is hot.", time="2026-05-01")
    with place.open() as memory:
        memory.add("The barge is blue.")
    text = place.files()["CURRENT.md"].decode()
    assert "## 2026-05-01" in text
    assert "project=acme" in text
    assert "## recorded 2026-06-01" in text


@pytest.mark.parametrize("ref", ["d9", "", "d0", "kiln"])
def test_unknown_documents_are_none(memory: Memory, ref: str) -> None:
    assert home(memory).view.document(ref) is None


def test_retracted_duplicates_and_updates_keep_the_count_of_lines(memory: Memory) -> None:
    for text in ("The kiln is hot now.", "The kiln is hot now.", "The goat is loose."):
        memory.add(text)
    applier(memory).apply(plan(create("d1", block(1)), Duplicate(seq=2, of=1), window=(1, 2)))
    more = Update(document_id="d1", title=None, summary=said("x"), blocks=(block(3),))
    applier(memory).apply(plan(more, window=(3,), versions=versions(memory), epoch=2))
    memory.retract(2)
    assert memory.document("d1").header.entry_count == 2
    assert memory.get(1).retracted  # type: ignore[union-attr]
    assert memory.get(2).retracted  # type: ignore[union-attr]
