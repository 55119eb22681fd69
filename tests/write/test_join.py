"""Entries may stand in one line, in words of their own; each stays what it was, and can go alone."""

from __future__ import annotations

import pytest

from memoranda import Entry, Memory
from memoranda.errors import ConservationError, PlanError
from memoranda.store.operations import Join, Supersede, Text
from scene import (
    QUIET,
    Place,
    applier,
    block,
    create,
    everything,
    everywhere,
    home,
    index_rows,
    plan,
    rows,
    shown,
    versions,
)

PARTS = ("米拉在五月要刷篱笆。", "她想在山羊回来之前刷完。", "油漆放在船屋里。")
WHOLE = "米拉想在五月山羊回来之前刷完篱笆，油漆放在船屋里。"


def join(*seqs: int, text: str = WHOLE) -> Join:
    return Join(seqs=seqs, text=Text(text=text, made_from=seqs), tokens=21)


def told(place: Place) -> Memory:
    memory = place.open(settings=QUIET)
    for number, text in enumerate(PARTS, start=1):
        memory.add(text, id=f"n{number}", speaker="Mira", time=f"2026-05-0{number}")
    memory.add("The ferry is late.", id="n4", time="2026-05-09")
    return memory


def joined(place: Place) -> Memory:
    memory = told(place)
    made = plan(join(1, 2, 3), create("d1", block(1, 4)), window=(1, 2, 3, 4))
    receipt = applier(memory).apply(made)
    assert receipt.joined == ((1, 2, 3),)
    return memory


def entry_of(memory: Memory, seq: int) -> Entry:
    entry = memory.get(seq)
    assert isinstance(entry, Entry)
    return entry


def same_after_rebuild(memory: Memory, place: Place) -> None:
    memory.state()
    before = (place.files(), rows(memory), index_rows(memory))
    memory.rebuild()
    assert (place.files(), rows(memory), index_rows(memory)) == before


def test_a_line_names_the_exact_set_and_every_event(place: Place) -> None:
    memory = joined(place)
    entry = entry_of(memory, 2)
    assert (entry.seqs, entry.text, len(entry.event_ids)) == ((1, 2, 3), WHOLE, 3)
    memory.state()
    (text,) = (text for name, text in place.files().items() if name != "CURRENT.md")
    assert f"- <seq=1-3, time=2026-05-01, source=user, speaker=Mira> {WHOLE}".encode() in text
    assert everywhere(memory) == [1, 2, 3, 4]
    assert memory.documents()[0].token_count == 21 + home(memory).view.places([4])[4].tokens
    same_after_rebuild(memory, place)


def test_each_part_is_still_found_by_its_own_words(place: Place) -> None:
    memory = joined(place)
    for words in ("要刷篱笆", "想在山羊", "油漆放在"):
        assert shown(memory, words)[0][0] == 1


def test_it_can_be_forgotten_in_parts_and_the_others_say_what_they_said(place: Place) -> None:
    memory = joined(place)
    assert memory.forget(external_id="n2").seqs == (2,)
    assert [entry_of(memory, seq).text for seq in (1, 3)] == [PARTS[0], PARTS[2]]
    assert [entry_of(memory, seq).seqs for seq in (1, 3)] == [(1,), (3,)]
    assert {entry_of(memory, seq).document_id for seq in (1, 3, 4)} == {"d1"}
    same_after_rebuild(memory, place)
    memory.forget(external_id="n1")
    assert entry_of(memory, 3).text == PARTS[2]
    same_after_rebuild(memory, place)
    memory.close()
    for path in place.root.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert "山羊".encode() not in data, path


def test_the_whole_line_goes_by_its_number(place: Place) -> None:
    memory = joined(place)
    assert memory.forget(entry=3).seqs == (1, 2, 3)
    assert everywhere(memory) == [4]
    same_after_rebuild(memory, place)


def test_its_history_tells_that_it_stands_with_others(place: Place) -> None:
    memory = joined(place)
    assert "joined" in [change.kind for change in memory.history(2)]


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ((join(1, 2), create("d1", block(1, 2, 3, 4))), "placed twice"),
        ((join(1, 2), create("d1", block(2, 3, 4))), "lost|twice"),
        ((join(2, 1), create("d1", block(2, 3, 4))), "in order"),
        ((join(1, 9), create("d1", block(1, 2, 3, 4))), "not of this plan"),
        ((join(1), create("d1", block(1, 2, 3, 4))), "two or more"),
        ((join(3, 4), create("d1", block(1, 2, 3))), "different speakers"),
        (
            (join(1, 2), create("d1", block(1, 3, 4)), Supersede(older=2, newer=3)),
            "lines of their own",
        ),
    ],
)
def test_what_can_not_be_one_line_is_refused_and_changes_nothing(
    place: Place, operations: tuple[object, ...], reason: str
) -> None:
    memory = told(place)
    before = everything(memory)
    with pytest.raises((PlanError, ConservationError), match=reason):
        applier(memory).apply(plan(*operations, window=(1, 2, 3, 4)))  # type: ignore[arg-type]
    assert everything(memory) == before
    assert versions(memory) == {}
