"""Ranking: what matches first, what holds now in place of what it replaced, walls kept."""

from __future__ import annotations

import pytest

from memoranda import Memory, NewEvent
from memoranda.read.ranking import Ranked, rank
from memoranda.read.reach import Reach
from memoranda.store.operations import Join, Reword, Text
from scene import PHONE, SENTENCES, Place, applier, block, create, home, plan


def ranked(memory: Memory, question: str, reach: Reach | None = None) -> Ranked:
    reach = reach or Reach(project=None, all_projects=True)
    found: Ranked = home(memory).with_index(
        lambda index: rank(question, home(memory).view, index, reach)
    )
    return found


def seqs(found: Ranked) -> list[int]:
    return [seq for seq, _ in found.lines]


@pytest.fixture
def stocked(memory: Memory) -> Memory:
    for text in SENTENCES:
        memory.add(text)
    memory.consolidate()
    return memory


@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_a_sentence_finds_itself_first(stocked: Memory, number: int) -> None:
    assert seqs(ranked(stocked, SENTENCES[number]))[0] == number + 1


def test_scores_go_down(stocked: Memory) -> None:
    scores = [score for _, score in ranked(stocked, "the kiln and the blue tin").lines]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0


def test_all_the_words_come_before_any_of_them(memory: Memory) -> None:
    for text in ("The kiln is hot.", "The barge is hot.", "The kiln and the barge are hot."):
        memory.add(text, session=text)
    assert seqs(ranked(memory, "kiln barge"))[0] == 3


def test_a_hit_on_an_old_wording_is_lifted_to_what_holds(memory: Memory) -> None:
    memory.add("The zephyrine kiln is in Leeds.")
    memory.correct(1, "It is in York now.")
    memory.correct(2, "It is in Hull now.")
    assert seqs(ranked(memory, "zephyrine")) == [3]


def test_a_hit_on_a_repetition_is_lifted_to_its_line(memory: Memory) -> None:
    for _ in range(3):
        memory.add("The seed tin is under the stairs.")
    memory.consolidate()
    assert seqs(ranked(memory, "seed tin")) == [1]


def test_a_retracted_line_is_not_ranked(memory: Memory) -> None:
    memory.add("The zephyrine kiln is hot.")
    memory.add("The zephyrine barge is blue.")
    memory.retract(1)
    assert seqs(ranked(memory, "zephyrine")) == [2]


@pytest.mark.parametrize(
    ("reach", "seen"),
    [
        (Reach(project="acme", all_projects=False), {1, 3}),
        (Reach(project="zeta", all_projects=False), {2, 3}),
        (Reach(project="ypsi", all_projects=False), {3}),
        (Reach(project="acme", all_projects=True), {1, 2, 3}),
        (Reach(project=None, all_projects=True), {1, 2, 3}),
    ],
)
def test_a_reach_is_a_wall(place: Place, reach: Reach, seen: set[int]) -> None:
    for project in ("acme", "zeta", None):
        place.open(project=project).add("The zephyrine bill is due.")
    memory = place.open()
    assert set(seqs(ranked(memory, "zephyrine bill", reach))) == seen
    memory.consolidate()
    assert set(seqs(ranked(memory, "zephyrine bill", reach))) == seen


def test_a_neighbour_in_the_block_is_helped(memory: Memory) -> None:
    memory.add("Is the zephyrine kiln safe?", session="s", time="2026-05-01")
    memory.add("No.", source="assistant", session="s", time="2026-05-01")
    memory.consolidate()
    assert seqs(ranked(memory, "zephyrine kiln")) == [1, 2]


@pytest.mark.parametrize("months", [(1, 2), (2, 1)])
def test_the_newest_of_a_state_comes_first_and_the_older_is_marked(
    memory: Memory, months: tuple[int, int]
) -> None:
    for month in months:
        memory.add(PHONE.format(1110 + month), time=f"2026-0{month}-01")
    newest = months.index(2) + 1
    found = ranked(memory, "phone number")
    assert seqs(found) == [newest, 3 - newest]
    assert found.possibly_replaced == {3 - newest: newest}


def test_a_speaker_is_found_by_name(memory: Memory) -> None:
    memory.add("The goat is loose.", speaker="Olek")
    memory.add("The barge is blue.", speaker="米拉")
    assert seqs(ranked(memory, "Olek")) == [1]
    assert seqs(ranked(memory, "米拉")) == [2]


def test_nothing_matches_nothing(stocked: Memory) -> None:
    for question in ("", "  ", "zzqx", "¿?"):
        assert ranked(stocked, question).lines == ()


def test_a_hit_on_a_repetition_of_a_replaced_line_is_lifted_to_what_holds(memory: Memory) -> None:
    for _ in range(3):
        memory.add("The zephyrine tin is under the stairs.")
    memory.consolidate()
    memory.correct(2, "It is in the shed.")
    assert seqs(ranked(memory, "zephyrine tin stairs")) == [4]
    memory.retract(4)
    assert seqs(ranked(memory, "zephyrine tin stairs")) == [1]
    memory.retract(3)
    assert seqs(ranked(memory, "zephyrine tin stairs")) == []


def test_another_projects_flood_drowns_nothing(place: Place) -> None:
    place.open(project="acme").add_many(
        [NewEvent(content=f"Invoice {number} invoice.") for number in range(450)]
    )
    memory = place.open(project="zeta")
    memory.add("In the long meeting somebody said that the invoice of the harbour is late again.")
    found = ranked(memory, "invoice", Reach(project="zeta", all_projects=False))
    assert seqs(found) == [451]


def test_what_was_retracted_drowns_nothing(memory: Memory) -> None:
    memory.add("In the long meeting somebody said that the invoice of the harbour is late again.")
    memory.add_many([NewEvent(content=f"Invoice {number} invoice.") for number in range(420)])
    home(memory).log.connection.execute("UPDATE entry SET retracted = 1 WHERE seq > 1")
    assert seqs(ranked(memory, "invoice")) == [1]


def test_what_the_named_one_said_comes_before_what_was_said_to_them(memory: Memory) -> None:
    memory.add("Mira, the zephyrine kiln and the barge are both blue.", speaker="Olek")
    memory.add("Nothing else to tell today.", speaker="Olek")
    memory.add("My new kiln is in the shed beside the water, and it is green now.", speaker="Mira")
    assert seqs(ranked(memory, "What did Mira tell of a zephyrine kiln or of sheds?"))[0] == 3
    assert seqs(ranked(memory, "What did anybody tell of a zephyrine kiln or of sheds?"))[0] == 1


def test_a_title_of_common_words_is_told_from_the_same_words_elsewhere(memory: Memory) -> None:
    for text in (
        "It was Ines who sang From Here to There.",
        "It was Olek who sang There and Back.",
        "It was Mira who sang to all from there.",
        "It was Lars who sang Here We Are.",
    ):
        memory.add(text)
    assert seqs(ranked(memory, "Who sang From Here to There?"))[0] == 1
    assert seqs(ranked(memory, "Who sang Here We Are?"))[0] == 4


def test_the_words_of_the_best_lines_find_more(memory: Memory) -> None:
    memory.add("The zephyrine kiln burns peat from Skarholm.", session="a")
    memory.add("Peat from Skarholm is dear this year.", session="b")
    memory.add("The goat is loose.", session="c")
    assert seqs(ranked(memory, "zephyrine kiln")) == [1, 2]


def test_a_larger_budget_looks_at_more_hits(memory: Memory) -> None:
    memory.add_many([NewEvent(content=f"Barge {number} is in.") for number in range(300)])
    view, reach = home(memory).view, Reach(project=None, all_projects=True)

    def lines(budget: int) -> int:
        found: Ranked = home(memory).with_index(
            lambda index: rank("barge", view, index, reach, budget=budget)
        )
        return len(found.lines)

    assert lines(1000) < 300 == lines(4000)


def test_what_was_worded_anew_and_then_joined_is_found_as_the_line_that_holds_now(
    memory: Memory,
) -> None:
    memory.add("The zephyrine kiln is warm.")
    memory.add("Peat burns in the zephyrine kiln since spring.")
    worded = Reword(
        seqs=(2,), text=Text(text="The zephyrine kiln burns peat.", made_from=(2,)), tokens=7
    )
    applier(memory).apply(plan(worded, window=(2,), kind="extract"), approved=True)
    both = Text(text="The zephyrine kiln is warm and burns peat.", made_from=(1, 3))
    made = plan(Join(seqs=(1, 3), text=both, tokens=10), create("d1", block(1)), window=(1, 3))
    applier(memory).apply(made, approved=True)
    assert seqs(ranked(memory, "Does peat burn since spring?")) == [1]
