"""The fold: live and replayed, the log gives the same views."""

from __future__ import annotations

import pytest

from memoranda import Memory, NewEvent
from memoranda.errors import ConservationError
from memoranda.store.gathering import moment, same_digest
from memoranda.store.operations import Duplicate, Merge, Part, Split, Supersede, Update
from scene import PHONE, Place, all_seqs, applier, block, create, everything, home, plan, rows, said


@pytest.fixture
def four(memory: Memory) -> Memory:
    """Four entries in CURRENT."""
    for text in ("The kiln is hot.", "The barge is blue.", "The goat is loose.", "The tin is red."):
        memory.add(text)
    return memory


def apply(
    memory: Memory, *operations: object, window: tuple[int, ...] = (), epoch: int = 1
) -> None:
    versions = {info.document_id: info.version for info in memory.documents()}
    made = plan(*operations, window=window, versions=versions, epoch=epoch)  # type: ignore[arg-type]
    applier(memory).apply(made)


def replayed(memory: Memory) -> dict[str, list[tuple[object, ...]]]:
    """The view tables as a fold over the whole log makes them, undone afterwards."""
    log, fold = home(memory).log, home(memory).fold
    with log.trial():
        for name in rows(memory):
            log.connection.execute(f"DELETE FROM {name}")
        for record in log.records():
            fold.apply(record)
        return rows(memory)


def test_seqs_count_on_without_gaps_over_batches_and_handles(place: Place) -> None:
    one, two = place.open(), place.open(project="acme")
    one.add("First.")
    two.add("Second.")
    one.add_many([NewEvent(content="Third."), NewEvent(content="Fourth.")])
    assert all_seqs(one) == [1, 2, 3, 4]


def test_a_long_text_becomes_several_entries_of_one_event(small: Place) -> None:
    memory = small.open()
    text = "\n\n".join(f"Paragraph {n}: " + "the kiln burns all night. " * 12 for n in range(4))
    added = memory.add(text)
    parts = [memory.get(seq) for seq in added.seqs]
    assert len(parts) > 1
    assert {part.event_ids for part in parts} == {added.event_ids}  # type: ignore[union-attr]
    joined = "".join(part.text for part in parts)  # type: ignore[union-attr]
    assert "".join(joined.split()) == "".join(text.split())


def test_creating_places_every_entry_with_its_block(four: Memory) -> None:
    apply(four, create("d1", block(1, 2), block(3, 4)), window=(1, 2, 3, 4))
    found = four.document("d1")
    assert [tuple(entry.seq for entry in item.entries) for item in found.blocks] == [(1, 2), (3, 4)]
    assert found.header.entry_count == 4
    assert four.current() == ()


def test_updating_adds_blocks_and_counts_the_change(four: Memory) -> None:
    apply(four, create("d1", block(1)), window=(1,))
    change = Update(
        document_id="d1", title=said("Hot things"), summary=said("About heat."), blocks=(block(2),)
    )
    apply(four, change, window=(2,), epoch=2)
    info = four.document("d1").header
    assert (info.title, info.summary, info.update_count, info.current_epoch) == (
        "Hot things",
        "About heat.",
        2,
        2,
    )


def test_the_update_log_keeps_the_last_five_changes(four: Memory) -> None:
    for number in range(5, 9):
        four.add(f"Line {number} of the ship's book.")
    apply(four, create("d1", block(1)), window=(1,))
    for seq in range(2, 9):
        change = Update(document_id="d1", title=None, summary=said("x"), blocks=(block(seq),))
        apply(four, change, window=(seq,), epoch=seq)
    view = four.document("d1")
    assert view.update_log == tuple(f"epoch {epoch}: 1 entry placed" for epoch in range(4, 9))
    assert view.header.update_count == 8


def test_splitting_moves_blocks_and_names_the_parent(four: Memory) -> None:
    apply(four, create("d1", block(1, 2), block(3, 4)), window=(1, 2, 3, 4))
    part = Part(document_id="d2", title=said("Goats", 3), summary=said("x", 3), blocks=(2,))
    split = Split(document_id="d1", title=None, summary=said("y"), parts=(part,))
    apply(four, split, epoch=1)
    assert [info.document_id for info in four.documents()] == ["d1", "d2"]
    assert four.document("d2").header.parent_id == "d1"
    assert [entry.seq for entry in four.document("d2").blocks[0].entries] == [3, 4]
    assert four.document("d1").header.entry_count == four.document("d2").header.entry_count == 2


def test_merging_retires_the_absorbed_and_keeps_every_entry(four: Memory) -> None:
    apply(
        four,
        create("d1", block(1, 2)),
        create("d2", block(3, 4), title="Goats"),
        window=(1, 2, 3, 4),
    )
    apply(four, Merge(document_id="d1", absorbs=("d2",), title=None, summary=said("All.")))
    assert [info.document_id for info in four.documents()] == ["d1"]
    assert four.document("d1").header.merged_from == ("d2",)
    assert four.document("d1").header.entry_count == 4


def test_a_duplicate_joins_the_line_it_repeats_and_names_both_only(memory: Memory) -> None:
    for number in range(1, 20):
        repeated = (
            "The seed tin is under the stairs." if number in {12, 19} else f"Line {number} it is."
        )
        memory.add(repeated)
    rest = tuple(seq for seq in range(1, 20) if seq != 19)
    apply(memory, create("d1", block(*rest)), Duplicate(seq=19, of=12), window=tuple(range(1, 20)))
    line = memory.get(19)
    assert line == memory.get(12)
    assert line.seqs == (12, 19)  # type: ignore[union-attr]
    assert "<seq=12,19, " in memory.document("d1").markdown
    assert sum("stairs" in text for text in memory.document("d1").markdown.splitlines()) == 1


def test_placing_what_is_placed_already_is_refused(four: Memory) -> None:
    apply(four, create("d1", block(1)), window=(1,))
    log, fold = home(four).log, home(four).fold
    before = everything(four)
    bad = plan(create("d2", block(1)), window=(1,), epoch=2)
    with pytest.raises(ConservationError), log.transaction():
        fold.apply(log.append("plan", bad.to_json(), bad.plan_id))
    assert everything(four) == before


def test_header_times_are_when_it_was_said_else_recorded(memory: Memory) -> None:
    memory.add("The kiln is hot.", time="2026-03-04T05:06:07.5Z")
    memory.add("The barge is blue.", time="2025-12-31")
    memory.add("The goat is loose.")
    apply(memory, create("d1", block(1, 2, 3)), window=(1, 2, 3))
    info = memory.document("d1").header
    assert (info.created_time, info.updated_time) == ("2025-12-31", "2026-06-01T09:00Z")


def test_superseded_and_retracted_lines_do_not_count_as_tokens(four: Memory) -> None:
    apply(four, create("d1", block(1, 2, 3, 4)), window=(1, 2, 3, 4))
    whole = four.document("d1").header.token_count
    four.retract(4)
    less = four.document("d1").header.token_count
    four.correct(1, "The kiln is cold.")
    assert four.document("d1").header.token_count < less < whole


def test_replay_gives_the_rows_that_live_use_gave(memory: Memory) -> None:
    for number in (1, 2, 1, 3, 4):
        memory.add(PHONE.format(1000 + number), time=f"2026-0{number}-01", id=f"i{number}")
    for text in ("The old tin is under the stairs.",) * 2 + ("我的钥匙在蓝色的铁盒里。",) * 2:
        memory.add(text, session="s")
    memory.correct(2, "No number at all.")
    memory.consolidate()
    memory.correct(3, "One more number.")
    memory.retract(1)
    memory.consolidate()
    assert replayed(memory) == rows(memory)


def test_the_order_of_moments_is_by_time_not_by_text() -> None:
    ordered = ["2026-03-01", "2026-03-01T00:00:01Z", "2026-03-01T09:30Z", "2026-03-01T09:30:00.5Z"]
    assert sorted(ordered, key=lambda time: moment(time, "2020-01-01")) == ordered
    assert moment(None, "2026-03-01T09:30:00.000000Z") == moment("2026-03-01T09:30Z", "2020-01-01")


def test_the_same_words_of_another_are_not_the_same() -> None:
    one = same_digest("The kiln is hot today.", "user", "Mia", "acme")
    assert one == same_digest("the  KILN is hot today", "user", "Mia", "acme")
    assert one is not None
    for other in (("assistant", "Mia", "acme"), ("user", "Tom", "acme"), ("user", "Mia", None)):
        assert same_digest("The kiln is hot today.", *other) != one
    assert same_digest("Yes, sure.", "user", None, None) is None


def test_a_supersession_of_a_duplicate_falls_on_its_line(memory: Memory) -> None:
    for text in ("The kiln is hot now.", "The kiln is hot now.", "The kiln is cold now."):
        memory.add(text)
    apply(memory, create("d1", block(1, 3)), Duplicate(seq=2, of=1), window=(1, 2, 3))
    memory.correct(2, "The kiln is gone.")
    line = memory.get(1)
    assert line.seqs == (1, 2)  # type: ignore[union-attr]
    assert line.superseded_by == 4  # type: ignore[union-attr]


def test_a_supersession_marks_both_and_changes_neither_text(four: Memory) -> None:
    apply(four, create("d1", block(1, 2, 3, 4)), Supersede(older=1, newer=2), window=(1, 2, 3, 4))
    older, newer = four.get(1), four.get(2)
    assert (older.text, older.superseded_by) == ("The kiln is hot.", 2)  # type: ignore[union-attr]
    assert (newer.text, newer.supersedes) == ("The barge is blue.", (1,))  # type: ignore[union-attr]
