"""No undo brings back what was forgotten, and what is forgotten goes from undone plans too."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from undoing_laws import Life, plans, printed, random_history, random_sizes, seeds, sound

from canaries import leaks, plain
from memoranda import Memory
from memoranda.errors import ForgottenError, NotFoundError, UndoError
from memoranda.store.operations import Join, Reword
from memoranda.write.consolidate import Consolidator
from scene import Place, applier, block, create, fast, home, plan, said

CANARY = plain()


def planned(memory: Memory) -> str:
    """A plan whose title, summary and headings say what is to be forgotten."""
    memory.add(CANARY.text)
    memory.add("The choir meets on Thursdays.")
    made = create("d1", block(1, 2, heading=CANARY.secret), title=CANARY.secret)
    applied = plan(made, window=(1, 2))
    applier(memory).apply(applied)
    return applied.plan_id


@pytest.mark.parametrize("order", ["forget, undo", "undo, forget", "undo, forget, redo"])
def test_what_is_forgotten_stays_gone(place: Place, order: str) -> None:
    memory = place.open()
    plan_id = planned(memory)
    undo_id = ""
    for deed in order.split(", "):
        match deed:
            case "undo":
                why = f"no {CANARY.text}" if order.startswith("undo") else ""
                undo_id = memory.undo(plan_id, by="Ines", reason=why).undo_id
            case "redo":
                memory.undo(undo_id)
            case _:
                assert memory.forget(entry=1).left == ()
    assert leaks(place.root, canaries=[CANARY]) == ()
    with pytest.raises(ForgottenError):
        memory.get(1)
    sound(memory)
    memory.close()
    assert leaks(place.root, canaries=[CANARY]) == ()


def test_a_document_that_comes_back_is_named_after_what_is_left(place: Place) -> None:
    memory = place.open()
    undo = memory.undo(planned(memory))
    memory.forget(entry=1)
    done = memory.undo(undo.undo_id)
    assert done.anew == ("d1",)
    assert "[erased]" not in printed(memory)["d1"]
    assert "choir" in printed(memory)["d1"]


# --- words of a model -------------------------------------------------------------------------------


KILN = "The old kiln cracks above 1100 degrees. It stands behind the boat shed."
SHED = "The old kiln stands behind the boat shed."
"""One of two facts that a model makes of it."""


def reworded(memory: Memory) -> tuple[str, str]:
    """Put an entry into other words, so that it becomes two, and place them; give the plans."""
    memory.add(KILN)
    words = (SHED, "The old kiln cracks above 1100 degrees.")
    worded = plan(
        *(Reword(seqs=(1,), text=said(text), tokens=9) for text in words),
        window=(1,),
        kind="extract",
        epoch=0,
    )
    applier(memory).apply(worded)
    memory.consolidate()
    return worded.plan_id, plans(memory)[-1]


def test_the_words_of_an_undone_plan_are_seen_nowhere(place: Place) -> None:
    memory = place.open()
    worded, placed = reworded(memory)
    assert memory.get(2).text == SHED  # type: ignore[union-attr]
    with pytest.raises(UndoError) as error:
        memory.undo(worded)
    assert error.value.first == (placed,)
    memory.undo(placed)
    memory.undo(worded)
    (entry,) = memory.current()
    assert (entry.seq, entry.text) == (1, KILN)
    with pytest.raises(NotFoundError):
        memory.get(2)
    assert [e.text for i in memory.search("kiln").evidence for e in i.entries] == [KILN]
    sound(memory)


def test_forgetting_an_entry_takes_the_words_of_an_undone_plan_along(place: Place) -> None:
    memory = place.open()
    worded, placed = reworded(memory)
    memory.undo(placed)
    undo = memory.undo(worded)
    assert SHED in str(home(memory).log.by_id(worded).body)
    assert memory.forget(entry=1).left == ()
    assert "kiln" not in str(home(memory).log.by_id(worded).body)
    with pytest.raises(UndoError, match="forgotten since"):
        memory.undo(undo.undo_id)


# --- any history ------------------------------------------------------------------------------------


def test_forgotten_lines_never_come_back_whatever_is_undone() -> None:
    for seed in seeds(3, 60):
        random = Random(2000 + seed)  # noqa: S311 - no secret
        with tempfile.TemporaryDirectory(dir=fast()) as folder:
            life = Life(folder, random_sizes(random, auto=False))
            canaries = [plain(f"{seed} {number}") for number in range(4)]
            for number, step in enumerate(random_history(random, without=("mode", "reopen"))):
                if number % 4 == 0 and number // 4 < len(canaries):
                    life.memory.add(canaries[number // 4].text)
                life.do(step)
            gone = []
            for canary in canaries:
                for item in life.memory.events(canary.secret).hits:
                    if item.event.content == canary.text and canary not in gone:
                        with suppress(NotFoundError):
                            life.memory.forget(event=item.event.event_id)
                            gone.append(canary)
            for number in range(6):
                life.undo(random.randint(0, 99) + number)
            life.memory.rebuild()
            assert leaks(life.place.root, canaries=gone) == ()
            life.place.close()


def test_a_summary_of_a_joined_line_names_all_that_stands_in_it(place: Place) -> None:
    memory = place.open()
    memory.add("The ferry stops on Tuesdays.")
    memory.add("The quarry closes at noon.")
    text = said("The ferry stops on Tuesdays. The quarry closes at noon.")
    joined = Join(seqs=(1, 2), text=replace(text, made_from=(1, 2)), tokens=12)
    applier(memory).apply(plan(joined, create("d1", block(1)), window=(1, 2)))
    Consolidator(home(memory)).refresh(["d1"])
    assert "quarry" in str(home(memory).log.by_id(plans(memory)[-1]).body)
    memory.forget(event=memory.get(2).event_ids[1])  # type: ignore[union-attr]
    bodies = [str(record.body) for record in memory.log()]
    assert [body for body in bodies if "quarry" in body] == []
