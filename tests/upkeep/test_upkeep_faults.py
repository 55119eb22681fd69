"""However replies are spoiled, through the whole path: nothing lost, nothing invented, all of it told."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from upkeep_laws import Heard, WatchedApplier, documents, laws, watch
from upkeep_model import honest, step_of, talk

from memoranda import Memory, NewEvent
from memoranda.errors import PlanError
from memoranda.llm.doubles import FAMILIES, FaultyModel
from memoranda.llm.doubles.faulty import HARMLESS
from memoranda.llm.model import Model, Reply, Request
from memoranda.store.operations import Plan
from memoranda.write.intake import BY
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


OWN = frozenset({"changed_meanwhile", "refused_plan", "budget"})
"""Reasons of code: the reply was used, and its plan was not; or nothing was asked."""


def opened(
    place: Place, faulty: Model, kind: type[WatchedApplier] = WatchedApplier
) -> tuple[Memory, Heard]:
    heard = Heard(faulty)
    memory = place.open(model=heard)
    watch(memory, kind)
    return memory, heard


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_replies_spoiled_in_one_way_lose_nothing_and_are_told(kept: Place, family: str) -> None:
    chance = Random(f"spoil {family}")  # noqa: S311 - no secret
    faulty = FaultyModel(honest(), seed=1, family=family)
    striking = Striking(faulty, STEPS)
    memory, heard = opened(kept, striking)
    told = told_of(memory)
    turns = 0
    while len(faulty.struck) < EACH:
        events = portion(chance, 2 + turns, 9)
        told |= dict(
            zip(memory.add_many(events).event_ids, [e.content for e in events], strict=True)
        )
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


@pytest.mark.parametrize("seed", range(24 if LONG else 6))
def test_replies_spoiled_by_chance_lose_nothing_in_any_mode(kept: Place, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    kept.settings = replace(
        kept.settings,
        mode=("auto", "review", "shadow")[seed % 3],
        trust=chance.choice(("rules", "model")),
        current_tokens=chance.choice((90, 260)),
    )
    faulty = FaultyModel(honest(), seed=seed, rate=0.4)
    memory, heard = opened(kept, faulty)
    told = told_of(memory)
    before = documents(memory)
    for turn in range(3):
        events = portion(chance, 2 + turn, 12)
        ids = memory.add_many(events).event_ids
        told |= dict(zip(ids, [event.content for event in events], strict=True))
        run(memory, heard, told)
        if kept.settings.mode != "auto":
            assert documents(memory) == before, "what waits changes nothing"
    laws(memory, told, heard)
    assert heard.requests


class Stubborn(WatchedApplier):
    """Refuses every plan of a model."""

    def verdict(self, plan: Plan) -> Any:
        if plan.by != BY:
            raise PlanError("plan refused: it is of a model")
        return super().verdict(plan)


def test_where_every_plan_of_the_model_is_refused_rules_keep_all_and_it_is_told(
    kept: Place,
) -> None:
    memory, heard = opened(kept, honest(), Stubborn)
    told = told_of(memory)
    events = talk(9)
    ids = memory.add_many(events).event_ids
    told |= dict(zip(ids, [event.content for event in events], strict=True))
    run(memory, heard, told)
    assert memory.last_run is not None
    refused = {item.step for item in memory.last_run.left_to_rules if item.reason == "refused_plan"}
    assert refused >= {"extract", "rewrite"}
    placed = {seq for receipt in memory.last_run.receipts for seq in receipt.placed}
    assert placed
    laws(memory, told, heard)


def test_what_waits_of_a_window_is_a_plan_of_its_own_and_can_be_approved(kept: Place) -> None:
    memory, heard = opened(kept, honest())
    told = told_of(memory)
    events = talk(9)
    ids = memory.add_many(events).event_ids
    told |= dict(zip(ids, [event.content for event in events], strict=True))
    run(memory, heard, told)
    assert memory.last_run is not None
    applied = {receipt.plan_id for receipt in memory.last_run.receipts if receipt.placed}
    waiting = memory.waiting()
    assert applied
    assert waiting
    assert not applied & {*waiting}
    decided = memory.approve(waiting[-1])
    assert decided.receipts
    laws(memory, told, heard)
