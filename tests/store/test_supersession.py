"""Supersession: the newest state holds, the older is kept, a retraction gives it back."""

from __future__ import annotations

import itertools

import pytest

from memoranda import Memory
from scene import CHINESE_PHONE, LIMIT, PHONE, Place, all_seqs, holding, home, rows, shown


def states(memory: Memory) -> dict[int, int | None]:
    return {seq: memory.get(seq).superseded_by for seq in all_seqs(memory)}  # type: ignore[union-attr]


@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
@pytest.mark.parametrize("form", [PHONE, LIMIT, CHINESE_PHONE])
@pytest.mark.parametrize("together", [True, False])
def test_what_was_said_last_holds_in_whatever_order_it_arrives(
    memory: Memory, order: tuple[int, ...], form: str, *, together: bool
) -> None:
    for month in order:
        memory.add(form.format(5550 + month), time=f"2026-0{month}-01")
        if not together:
            memory.consolidate()
    memory.consolidate()
    assert holding(memory) == [form.format(5553)]
    assert {text for _, _, text in shown(memory, form.format("?"))} == {
        form.format(5550 + month) for month in order
    }


@pytest.mark.parametrize("gone", [1, 2, 3])
@pytest.mark.parametrize("order", list(itertools.permutations((1, 2, 3))))
def test_a_retraction_leaves_the_newest_that_is_left(
    memory: Memory, order: tuple[int, ...], gone: int
) -> None:
    for month in order:
        memory.add(PHONE.format(5550 + month), time=f"2026-0{month}-01")
        memory.consolidate()
    memory.retract(order.index(gone) + 1)
    left = max(month for month in order if month != gone)
    assert holding(memory) == [PHONE.format(5550 + left)]


def test_each_names_its_newest_successor(memory: Memory) -> None:
    memory.add(PHONE.format(1111), time="2026-01-01")
    memory.consolidate()
    for month, number in ((3, 3333), (2, 2222)):
        memory.add(PHONE.format(number), time=f"2026-0{month}-01")
        memory.consolidate()
    assert states(memory) == {1: 2, 2: None, 3: 2}
    memory.retract(2)
    assert states(memory) == {1: 3, 2: None, 3: None}


def test_a_chain_of_ten_corrections_holds_its_end_only(memory: Memory) -> None:
    memory.add("The kiln burns at 900 degrees.")
    for step in range(1, 11):
        memory.correct(step, f"The kiln burns at {900 + step} degrees.")
        if step % 3 == 0:
            memory.consolidate()
    memory.consolidate()
    assert holding(memory) == ["The kiln burns at 910 degrees."]
    assert states(memory) == {**{seq: seq + 1 for seq in range(1, 11)}, 11: None}
    finals = {row[0] for row in home(memory).log.connection.execute("SELECT final FROM entry")}
    assert finals == {11, None}
    assert home(memory).view.chains([11]) == {11: list(range(10, 0, -1))}


def test_the_middle_of_a_chain_is_looked_through_when_it_is_retracted(memory: Memory) -> None:
    memory.add("The kiln is in Leeds.")
    for seq, town in enumerate(("York", "Hull", "Bath"), start=1):
        memory.correct(seq, f"The kiln is in {town}.")
    memory.consolidate()
    memory.retract(3)
    assert states(memory) == {1: 2, 2: 4, 3: 4, 4: None}
    memory.retract(2)
    assert states(memory) == {1: 4, 2: 4, 3: 4, 4: None}
    memory.retract(4)
    assert holding(memory) == ["The kiln is in Leeds."]
    memory.retract(1)
    assert holding(memory) == []


def test_retracting_a_correction_gives_the_old_wording_back(memory: Memory) -> None:
    memory.add("The kiln is in Leeds.")
    memory.consolidate()
    memory.correct(1, "The kiln is in York.")
    assert holding(memory) == ["The kiln is in York."]
    memory.retract(2)
    assert holding(memory) == ["The kiln is in Leeds."]
    assert "The kiln is in Leeds." in memory.context("Where is the kiln?")
    assert "York" not in memory.context("Where is the kiln?")


def test_correcting_an_old_wording_again_leaves_one_state(memory: Memory) -> None:
    memory.add("The kiln is in Leeds.")
    memory.correct(1, "The kiln is in York.")
    memory.correct(1, "The kiln is in Hull.")
    assert holding(memory) == ["The kiln is in Hull."]


@pytest.mark.parametrize("consolidated", [True, False])
def test_a_state_that_returns_holds_again(memory: Memory, *, consolidated: bool) -> None:
    for month, number in ((1, 1111), (2, 2222), (3, 1111)):
        memory.add(PHONE.format(number), time=f"2026-0{month}-01")
        if consolidated:
            memory.consolidate()
    memory.add("The weather is fine and sunny today.", time="2026-03-02")
    memory.consolidate()
    assert holding(memory) == [PHONE.format(1111), "The weather is fine and sunny today."]
    found = shown(memory, "phone number")
    assert [text for _, by, text in found if by is None and "phone" in text] == [PHONE.format(1111)]
    markdown = "".join(memory.document(info.document_id).markdown for info in memory.documents())
    assert "1111" in markdown
    assert "2222" in markdown


def test_a_correction_said_earlier_than_the_mistake_still_corrects_it(memory: Memory) -> None:
    memory.add(PHONE.format(1111), time="2026-05-01")
    memory.correct(1, PHONE.format(2222), time="2026-01-01")
    memory.consolidate()
    assert len(holding(memory)) == 1
    assert [text for _, by, text in shown(memory, "phone") if by is None] == holding(memory)


def test_an_assistant_never_replaces_a_user(memory: Memory) -> None:
    memory.add(PHONE.format(1111), time="2026-01-01")
    memory.add(PHONE.format(2222), time="2026-02-01", source="assistant")
    memory.consolidate()
    assert PHONE.format(1111) in holding(memory)


def test_projects_do_not_replace_each_other(place: Place) -> None:
    for project, number in (("acme", 10), ("zeta", 20), (None, 30)):
        with place.open(project=project) as memory:
            memory.add(LIMIT.format(number), time=f"2026-01-{number}")
    memory = place.open()
    memory.consolidate()
    assert holding(memory) == [LIMIT.format(number) for number in (10, 20, 30)]


def test_liking_one_thing_does_not_end_the_liking_of_another(memory: Memory) -> None:
    for text in ("I like green tea.", "I like black coffee.", "I visited Hull.", "I visited York."):
        memory.add(text)
    memory.consolidate()
    assert len(holding(memory)) == 4


def test_no_supersession_ever_hides_all_versions(memory: Memory) -> None:
    for month in (5, 1, 3):
        memory.add(PHONE.format(5550 + month), time=f"2026-0{month}-01")
    memory.correct(1, PHONE.format(7777), time="2026-02-01")
    memory.correct(3, PHONE.format(8888), time="2026-01-15")
    memory.consolidate()
    assert len(holding(memory)) >= 1
    assert rows(memory)["supersession"]
