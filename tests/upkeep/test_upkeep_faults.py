"""However replies are spoiled, through the whole path: nothing lost, nothing invented, all of it told."""

from __future__ import annotations

import os
from random import Random

import pytest
from upkeep_laws import Heard, documents, laws, watch
from upkeep_model import honest, step_of, talk

from memoranda import Memory, NewEvent
from memoranda.llm.doubles import FAMILIES, FaultyModel
from memoranda.llm.doubles.faulty import HARMLESS
from memoranda.llm.model import Model, Reply, Request
from scene import Place

LONG = bool(os.environ.get("MEMORANDA_LONG"))
EACH = 50 if LONG else 13
"""Replies that are spoiled in each family: 2,000 in all, 500 by default."""
STEPS = ("extract", "rewrite", "route", "split", "merge")
CHANGED = frozenset(
    {"doubled_item", "dropped_item", "missing_field", "swapped_fields", "empty", "wrong_type"}
)
"""Families that may leave a reply of the right form."""
LENIENT = frozenset({"wrong_id"})
"""Families whose replies some steps may use: an unknown document's name stands for a new document."""
AWAY = frozenset({"outage"})


class Striking:
    """Spoils the replies of some steps only."""

    def __init__(self, faulty: FaultyModel, steps: tuple[str, ...]) -> None:
        self.faulty = faulty
        self.steps = steps
        self.name = faulty.name

    def ask(self, request: Request) -> Reply:
        return (self.faulty if step_of(request) in self.steps else self.faulty.right).ask(request)


def portion(chance: Random, number: int, most: int) -> list[NewEvent]:
    """Some events of a talk, in order."""
    whole = talk(number)
    chosen = sorted(chance.sample(range(len(whole)), min(most, len(whole))))
    return [whole[at] for at in chosen]


def told_of(memory: Memory) -> dict[str, str]:
    return {
        record.record_id: record.body["content"]
        for record in memory._home.log.records(kind="event")
        if record.body is not None
    }


def run(memory: Memory, model: Heard, told: dict[str, str]) -> None:
    """Consolidate once, and see that the run tells what became of every question."""
    asked, calls = model.questions(), len(memory.calls())
    position = memory.status().position
    before = documents(memory)
    memory.consolidate()
    last = memory.last_run
    assert last is not None
    left = sum(item.times for item in last.left_to_rules if item.reason not in OWN)
    assert last.used + last.repaired + last.halved + left == model.questions() - asked
    assert memory.status().last_run == {
        name: value for name, value in last.to_dict().items() if name != "receipts"
    }
    assert last.spent.calls == sum(
        call.calls for call in memory.calls(limit=len(memory.calls()) - calls)
    )
    if last.stopped:
        assert "stays in CURRENT" in last.stopped
    if memory.status().position == position:
        assert documents(memory) == before


OWN = frozenset({"changed_meanwhile", "refused_plan"})
"""Reasons of code: the reply was used, and its plan was not."""


def opened(place: Place, faulty: Model) -> tuple[Memory, Heard]:
    heard = Heard(faulty)
    memory = place.open(model=heard)
    watch(memory)
    return memory, heard


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_replies_spoiled_in_one_way_lose_nothing_and_are_told(kept: Place, family: str) -> None:
    chance = Random(f"spoil {family}")
    faulty = FaultyModel(honest(), seed=1, family=family)
    striking = Striking(faulty, STEPS)
    memory, heard = opened(kept, striking)
    told = told_of(memory)
    turns = 0
    while len(faulty.struck) < EACH:
        events = portion(chance, 2 + turns, 9)
        told |= dict(zip(memory.add_many(events).event_ids, [e.content for e in events], strict=True))
        if family in AWAY:
            striking.steps = (STEPS[turns % 3],)
        run(memory, heard, told)
        assert memory.last_run is not None
        if family not in HARMLESS | CHANGED | LENIENT | AWAY:
            assert memory.last_run.used == 0
        if family in AWAY:
            assert memory.last_run.stopped
        turns += 1
    laws(memory, told, heard)
    kinds = {step_of(request) for request in heard.requests}
    assert kinds >= {"extract", "rewrite", "route"}
