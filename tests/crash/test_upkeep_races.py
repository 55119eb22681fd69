"""Others change a scope while a model thinks about it: whatever they did holds, and nothing is lost."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise, product
from pathlib import Path

import pytest
from failing import LONG
from racing import (
    DEEDS,
    SETTINGS,
    STEPS,
    Facts,
    Helper,
    approves,
    do,
    elsewhere,
    holds,
    in_thread,
    library,
    thinking,
)

from memoranda import Memory
from scene import Place

WHERE = ("same", "other", "process")
"""Through the handle of the run, another one, or another process."""
ABROAD = frozenset({"rules", "second"})
"""What consolidates has a handle of its own."""
Case = tuple[str, tuple[tuple[str, str], ...]]
"""A step, and what is done while the model thinks about it, each with its place."""


def cases() -> list[Case]:
    """Every deed at every step in every place, and every pair of deeds, in turn of places."""
    alone: list[Case] = [
        (step, ((deed, where),))
        for step, deed, where in product(STEPS, DEEDS, WHERE)
        if where != "same" or deed not in ABROAD
    ]
    pairs: list[Case] = []
    for number, (step, one, two) in enumerate(product(STEPS, DEEDS, DEEDS)):
        where = (WHERE[number % 3], WHERE[number // 3 % 3])
        pairs.append(
            (
                step,
                tuple(
                    (deed, "other" if deed in ABROAD and at == "same" else at)
                    for deed, at in zip((one, two), where, strict=True)
                ),
            )
        )
    apart: list[Case] = [
        (f"{first} {second}", ((one, "other"), (two, "same")))
        for (first, second), one, two in product(
            pairwise(STEPS),
            ("retract old", "forget part", "correct new", "rules", "second", "forget new"),
            ("add", "forget new", "retract new", "correct old", "state"),
        )
    ]
    return [*alone, *pairs, *apart]


EVERY = cases()
CHOSEN = EVERY if LONG else EVERY[3 :: len(EVERY) // 54]
"""More than a thousand, or a sample of them."""
PARTS = 20 if LONG else 4


@pytest.fixture(scope="module")
def helper() -> Iterator[Helper]:
    found = Helper()
    yield found
    found.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Facts]:
    place = Place(tmp_path_factory.mktemp("races") / "root", SETTINGS, ids="m-")
    return place.root, library(place)


def race(root: Path, facts: Facts, helper: Helper, case: Case) -> None:
    """Run the model over a copy; do what the case says while it thinks; look at what is left."""
    steps, deeds = case
    wanted = list(zip(steps.split() * (2 // len(steps.split())), deeds, strict=False))
    place = Place(root, SETTINGS, ids="r-")
    memory: Memory

    def meanwhile(step: str, number: int) -> None:
        while number == 1 and wanted and wanted[0][0] == step:
            _, (deed, where) = wanted.pop(0)
            if where == "process":
                helper.do(root, deed, facts)
            elif where == "other":
                in_thread(partial(elsewhere, place, deed, facts))
            else:
                in_thread(partial(do, memory, deed, facts))

    with place.open(model=thinking(meanwhile)) as memory:
        memory.consolidate()
        assert memory.last_run is not None
        assert memory.last_run.stopped == "", case
    holds(place, facts, case)
    place.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_others_do_while_the_model_thinks_holds(
    made: tuple[Path, Facts], helper: Helper, root: Path, part: int
) -> None:
    model, facts = made
    for number, case in enumerate(CHOSEN[part::PARTS]):
        own = root / str(number)
        shutil.copytree(model, own)
        race(own, Facts.from_json(facts.to_json()), helper, case)
        shutil.rmtree(own)


@pytest.mark.parametrize("step", STEPS)
def test_what_others_do_holds_too_where_all_plans_wait_for_a_person(
    made: tuple[Path, Facts], root: Path, step: str
) -> None:
    some = ("retract old", "forget part", "correct new")
    for number, deed in enumerate((*DEEDS, "approve") if LONG else (*some, "approve")):
        own = root / str(number)
        shutil.copytree(made[0], own)
        review(own, Facts.from_json(made[1].to_json()), step, deed)


def review(root: Path, facts: Facts, step: str, deed: str) -> None:
    """Run the model over a scope in which all plans wait, with something done at a step."""
    place = Place(root, replace(SETTINGS, mode="review"), ids="v-")
    wanted = [deed]

    def meanwhile(now: str, _: int) -> None:
        if now == step and wanted:
            in_thread(partial(reviewed, place, wanted.pop(), facts))

    with place.open(model=thinking(meanwhile)) as memory:
        for _ in range(5):
            memory.consolidate()
            approves(memory, facts)
    assert not wanted, (step, deed)
    place.settings = SETTINGS
    holds(place, facts, (step, deed))
    place.close()


def reviewed(place: Place, deed: str, facts: Facts) -> None:
    if deed != "approve":
        elsewhere(place, deed, facts)
        return
    with place.open() as memory:
        approves(memory, facts)


def test_there_are_more_than_a_thousand_races_and_the_sample_has_every_deed_and_step() -> None:
    assert len(EVERY) >= 1000
    deeds = {deed for _, done in CHOSEN for deed, _ in done}
    assert deeds == DEEDS.keys()
    assert {step for steps, _ in CHOSEN for step in steps.split()} == set(STEPS)
    assert {where for _, done in CHOSEN for _, where in done} == set(WHERE)


def test_adding_and_searching_through_the_same_handle_go_on_while_the_model_thinks(
    made: tuple[Path, Facts], root: Path
) -> None:
    shutil.copytree(made[0], root)
    place = Place(root, SETTINGS, ids="r-")
    thinks, goes_on = threading.Event(), threading.Event()
    order: list[str] = []

    def meanwhile(step: str, number: int) -> None:
        thinks.set()
        assert goes_on.wait(60)
        order.append(step)

    with place.open(model=thinking(meanwhile)) as memory:
        run = threading.Thread(target=memory.consolidate)
        run.start()
        assert thinks.wait(60)
        assert memory.add("Barge one came with hay.", id="during").seqs
        assert memory.search("boathouse").evidence
        assert memory.status().events
        order.append("added and searched")
        goes_on.set()
        run.join(60)
        assert not run.is_alive()
        assert order[:2] == ["added and searched", "extract"]
        assert memory.last_run is not None
        assert [entry.text for entry in memory.current()] == ["Barge one came with hay."]
    place.close()
