"""Budgets of maintenance by a model: none is passed, nothing is lost at any, the next run goes on."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from failing import LONG
from racing import (
    SETTINGS,
    STEPS,
    Facts,
    Seen,
    holds,
    in_one_place,
    in_thread,
    library,
    nothing_lost,
    reply_to,
    thinking,
)

from memoranda import Memory, Settings
from memoranda.errors import BusyError, ModelUnavailableError, StoreError
from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.reports import Run
from scene import Place

PRICE = "1/10"
FREE = replace(SETTINGS, price=PRICE, reply_tokens=600)
Made = tuple[Path, Facts]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    place = Place(tmp_path_factory.mktemp("budgets") / "root", FREE, ids="m-")
    facts = library(place)
    place.clock.tick(86_400)  # what made the library counts for the day before
    return place.root, facts


def later(place: Place, days: int = 1) -> Place:
    place.clock.tick(86_400 * days)
    return place


def opened(made: Made, root: Path, ids: str = "b-") -> tuple[Place, Facts]:
    shutil.copytree(made[0], root)
    return later(Place(root, FREE, ids=ids)), Facts.from_json(made[1].to_json())


def run(place: Place, settings: Settings, model: Any = None) -> tuple[Run, list[str]]:
    """Let one run go, through a handle of its own; gives what it came to, and the steps it asked."""
    steps: list[str] = []
    model = model or thinking(lambda step, _: steps.append(step))
    with place.open(settings=settings, model=model) as memory:
        memory.consolidate()
        assert memory.last_run is not None
        return memory.last_run, steps


def run_stops(place: Place, settings: Settings) -> bool:
    told, steps = run(place, settings)
    assert len(steps) <= 1
    return bool(told.stopped)


def used_on(memory: Memory, day: str) -> tuple[int, int, float]:
    """What the records of calls of a day say."""
    calls = [call for call in memory.calls() if call.at.startswith(day)]
    return (
        sum(call.calls for call in calls),
        sum(call.usage.tokens for call in calls),
        sum(call.price or 0.0 for call in calls),
    )


def test_a_limit_of_calls_is_kept_at_every_point_and_the_next_run_resumes(
    made: Made, root: Path
) -> None:
    unlimited = run(opened(made, root / "whole")[0], FREE)[0].spent.calls
    assert unlimited >= 5
    for limit in range(unlimited + 1):
        place, facts = opened(made, root / str(limit))
        told, steps = run(place, replace(FREE, run_calls=limit))
        assert told.spent.calls == len(steps) <= limit
        assert bool(told.stopped) == (limit < unlimited)
        holds(place, facts, limit)


@pytest.mark.parametrize("what", ["run_calls", "day_calls"])
def test_runs_of_one_call_each_come_to_an_end(made: Made, root: Path, what: str) -> None:
    place, facts = opened(made, root)
    settings = replace(FREE, **{what: 1})
    stops = 0
    while run_stops(place, settings):
        stops += 1
        assert stops < 12
        later(place)
    assert stops >= 3
    with place.open() as memory:
        assert memory.current() == ()
        nothing_lost(memory, facts, what)


def test_runs_of_one_call_come_to_an_end_although_every_reply_would_need_a_repair(
    made: Made, root: Path
) -> None:
    place, _ = opened(made, root)
    for _ in range(12):
        told, _steps = run(place, replace(FREE, run_calls=1), ScriptedModel(lambda _: "no JSON"))
        assert told.spent.calls <= 1
        if not told.stopped:
            break
    with place.open() as memory:
        assert not told.stopped
        assert memory.current() == ()


@pytest.mark.parametrize("span", ["run", "day"])
@pytest.mark.parametrize("what", ["tokens", "money"])
def test_limits_of_tokens_and_money_are_kept_at_every_point(
    made: Made, root: Path, span: str, what: str
) -> None:
    told = run(opened(made, root / "whole")[0], FREE)[0].spent
    full = getattr(told, what)
    room = 600 * 10 / 1e6 if what == "money" else 600  # the last call's reply, as it is set aside
    ends = set()
    for part in range(13 if LONG else 7):
        limit = (full + room) * part / (11 if LONG else 5)
        limit = limit if what == "money" else int(limit)
        place, facts = opened(made, root / f"{part}")
        settings = replace(FREE, **{f"{span}_{what}": limit})
        run_told, _ = run(place, settings)
        assert getattr(run_told.spent, what) <= limit
        ends.add(bool(run_told.stopped))
        with place.open() as memory:
            nothing_lost(memory, facts, limit)
            in_one_place(memory, limit)
        if part % 3 == 0:
            holds(place, facts, limit)
    assert ends == {True, False}


def test_the_days_use_is_counted_over_handles_and_processes_from_the_log(
    made: Made, root: Path
) -> None:
    place, _ = opened(made, root)
    settings = replace(FREE, day_calls=3)
    first, _ = run(place, replace(settings, run_calls=2))
    second, steps = run(place, settings)
    assert (first.spent.calls, len(steps)) == (2, 1)
    assert "day" in second.stopped
    third, steps = run(place, settings)
    assert (third.spent.calls, steps) == (0, [])
    later(place)
    _, steps = run(place, settings)
    assert len(steps) >= 1
    with place.open() as memory:
        day = (place.clock.now - timedelta(days=1)).strftime("%Y-%m-%d")
        assert used_on(memory, day)[0] == 3


def test_what_others_use_while_a_run_goes_on_counts_against_its_day(made: Made, root: Path) -> None:
    place, facts = opened(made, root)
    settings = replace(FREE, day_calls=4)
    asked: list[str] = []

    def other() -> None:
        asks = replace(settings, run_calls=2)
        with place.open(settings=asks, model=ScriptedModel(lambda _: "nothing")) as memory:
            memory.ask("Where is the blue kiln?", reader="summary")

    def meanwhile(step: str, number: int) -> None:
        asked.append(step)
        if step == "extract":
            in_thread(other)

    told, _ = run(place, settings, thinking(meanwhile))
    assert "day" in told.stopped
    assert asked == ["extract", "rewrite"]
    with place.open() as memory:
        calls, *_ = used_on(memory, place.clock.now.strftime("%Y-%m-%d"))
        assert calls == 4
        nothing_lost(memory, facts, "day")


@pytest.mark.parametrize("at", STEPS)
def test_closing_during_a_run_ends_it_with_an_error_and_loses_nothing(
    made: Made, root: Path, at: str
) -> None:
    place, facts = opened(made, root)
    memory: Memory

    def meanwhile(step: str, _: int) -> None:
        if step == at:
            in_thread(memory.close)

    memory = place.open(model=thinking(meanwhile))
    with pytest.raises(StoreError, match="closed"):
        memory.consolidate()
    holds(place, facts, at)


def test_two_runs_on_one_scope_are_one_after_the_other(made: Made, root: Path) -> None:
    place, _ = opened(made, root)
    order: list[str] = []
    other_begun, waited = threading.Event(), threading.Event()

    def second() -> None:
        other_begun.set()
        with place.open(model=thinking(lambda step, _: order.append(f"2 {step}"))) as memory:
            memory.consolidate()
        waited.set()

    thread = threading.Thread(target=second)

    def meanwhile(step: str, _: int) -> None:
        if step == "extract":
            thread.start()
            assert other_begun.wait(60)
        order.append(f"1 {step}")

    with place.open(model=thinking(meanwhile)) as memory:
        memory.consolidate()
    thread.join(60)
    assert waited.is_set()
    assert order[:3] == ["1 extract", "1 rewrite", "1 route"]
    assert [step for step in order if step.startswith("2")] == []


def test_a_second_run_that_does_not_wait_is_told_who_is_at_it(made: Made, root: Path) -> None:
    place, _ = opened(made, root)
    said: list[BaseException] = []

    def second() -> None:
        settings = replace(FREE, busy_seconds=0.0)
        with place.open(settings=settings, model=thinking(lambda *_: None)) as memory:
            try:
                memory.consolidate()
            except BusyError as error:
                said.append(error)

    def meanwhile(step: str, _: int) -> None:
        if step == "extract":
            in_thread(second)

    run(place, FREE, thinking(meanwhile))
    assert len(said) == 1


@pytest.mark.parametrize("at", STEPS)
def test_an_outage_stops_the_run_and_the_next_resumes(made: Made, root: Path, at: str) -> None:
    place, facts = opened(made, root)

    def answer(request: Request) -> Any:
        if Seen(request).step == at:
            return ModelUnavailableError("scripted", "connection", "no route")
        return reply_to(request)

    told, _ = run(place, FREE, ScriptedModel(answer))
    assert bool(told.stopped) == (at in {"extract", "rewrite", "route"})
    holds(place, facts, at)
