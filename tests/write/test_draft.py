"""The draft: a window in segments, repetitions named, nothing retyped."""

from __future__ import annotations

import pytest

from memoranda import Entry, Memory
from memoranda.write.draft import Draft, heading_of, rewrite
from scene import PHONE, Place, all_seqs, everywhere, holding, home

TIN = "The seed tin is under the stairs."


def draft(memory: Memory) -> Draft:
    return rewrite(list(memory.current()), home(memory).view, ())


def test_every_entry_is_in_one_segment_or_a_named_repetition(memory: Memory) -> None:
    for text in (TIN, "The goat is loose.", TIN, "The barge is blue.", TIN.upper()):
        memory.add(text)
    made = draft(memory)
    placed = [entry.seq for segment in made.segments for entry in segment]
    repeated = [item.seq for item in made.duplicates]
    assert sorted(placed + repeated) == list(made.window) == [1, 2, 3, 4, 5]
    assert [(item.seq, item.of) for item in made.duplicates] == [(3, 1), (5, 1)]


@pytest.mark.parametrize(
    "other",
    [
        "The seed tin is not under the stairs.",
        "The seed tin may be under the stairs.",
        "The seed tin is under the stairs?",
        "The seed tin is under the 2 stairs.",
        "The seed tins are under the stairs.",
        "Ines' seed tin is under the stairs.",
    ],
)
def test_other_words_are_no_repetition(memory: Memory, other: str) -> None:
    memory.add(TIN)
    memory.add(other)
    assert draft(memory).duplicates == ()


@pytest.mark.parametrize(
    "other", ["the seed tin is under the stairs", " The  seed tin is\nunder the stairs! ", TIN]
)
def test_case_blanks_and_full_stops_do_not_matter(memory: Memory, other: str) -> None:
    memory.add(TIN)
    memory.add(other)
    assert [(item.seq, item.of) for item in draft(memory).duplicates] == [(2, 1)]


def test_chinese_repetitions_are_found(memory: Memory) -> None:
    memory.add("种子铁盒在楼梯下面。")
    memory.add("种子铁盒在楼梯下面")
    assert [(item.seq, item.of) for item in draft(memory).duplicates] == [(2, 1)]


def test_a_short_reply_is_never_a_repetition(memory: Memory) -> None:
    for _ in range(2):
        memory.add("Yes, please.")
        memory.add("好的。")
    assert draft(memory).duplicates == ()


@pytest.mark.parametrize(
    "other", [{"source": "assistant"}, {"speaker": "Olek"}, {"source": "tool", "speaker": "Olek"}]
)
def test_the_same_words_of_another_voice_stand_for_themselves(
    memory: Memory, other: dict[str, str]
) -> None:
    memory.add(TIN)
    memory.add(TIN, **other)  # type: ignore[arg-type]
    assert draft(memory).duplicates == ()


def test_the_same_words_in_another_project_stand_for_themselves(place: Place) -> None:
    for project in ("acme", "zeta", None):
        place.open(project=project).add(TIN)
    memory = place.open()
    memory.consolidate()
    assert [memory.get(seq).seqs for seq in (1, 2, 3)] == [(1,), (2,), (3,)]  # type: ignore[union-attr]


def test_what_was_retracted_is_no_line_to_repeat(memory: Memory) -> None:
    memory.add(TIN)
    memory.consolidate()
    memory.retract(1)
    memory.add(TIN)
    memory.consolidate()
    assert holding(memory) == [TIN]
    assert memory.get(2).seqs == (2,)  # type: ignore[union-attr]


def test_a_repetition_of_a_placed_line_joins_it(memory: Memory) -> None:
    memory.add(TIN)
    memory.consolidate()
    memory.add("The goat is loose.")
    memory.add(TIN)
    memory.consolidate()
    assert memory.get(3).seqs == (1, 3)  # type: ignore[union-attr]
    assert everywhere(memory) == all_seqs(memory) == [1, 2, 3]


@pytest.mark.parametrize("each", [True, False])
@pytest.mark.parametrize(
    ("one", "two"),
    [
        (PHONE.format(1111), PHONE.format(2222)),
        ("I moved to Paris.", "I now live in Paris."),
        ("I no longer live in Berlin.", "I live in Berlin."),
        ("我的电话是1111。", "我的电话是2222。"),
        ("The meeting was moved to 4 pm.", "The meeting is at 3 pm."),
        ("The billing server is down.", "The billing server is back up."),
    ],
)
def test_to_and_fro_never_blocks_and_never_loses(
    memory: Memory, one: str, two: str, *, each: bool
) -> None:
    for text in (one, two, one, two, one):
        memory.add(text)
        if each:
            memory.consolidate()
    memory.consolidate()
    assert memory.current() == ()
    assert everywhere(memory) == all_seqs(memory) == [1, 2, 3, 4, 5]
    assert one in holding(memory)


def test_a_heading_is_the_day_it_was_said_else_recorded(memory: Memory) -> None:
    memory.add("The kiln is hot.", time="2026-03-01T23:30:00-05:00")
    memory.add("The kiln is hot.")
    said, unsaid = (memory.get(seq) for seq in (1, 2))
    assert isinstance(said, Entry)
    assert isinstance(unsaid, Entry)
    assert heading_of([said, unsaid]).text == "2026-03-02"
    assert heading_of([unsaid, said]).text == "recorded 2026-06-01"
    assert heading_of([unsaid]).made_from == (2,)
