"""However a reply is spoiled: no crash, nothing lost, nothing invented, and the failure is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from librarian import NONCE, Answer, Shown, librarian
from steps_in_use import EVENTS, STEPS, WHOLES, report_of

from memoranda.errors import BudgetError
from memoranda.llm.budget import Budget, Limits
from memoranda.llm.doubles import FAMILIES, FaultyModel, ScriptedModel
from memoranda.llm.doubles.faulty import HARMLESS
from memoranda.llm.metered import Meter
from memoranda.llm.model import Call
from memoranda.write.by_model import Maintainer

SEEDS = 3
CHANGED = frozenset(
    {"doubled_item", "dropped_item", "missing_field", "swapped_fields", "empty", "wrong_type"}
)
"""Families that may leave a reply of the right form."""
LENIENT = {"route": frozenset({"wrong_id"}), "extract": frozenset({"wrong_id"})}
"""A document's name that is not offered stands for a new document; an empty one of a key for none."""
QUESTIONS = {"route": 3}


@pytest.mark.parametrize("step", STEPS)
def test_a_right_reply_is_used_whole(step: str) -> None:
    made = STEPS[step].run(librarian(STEPS[step].right))
    STEPS[step].holds(made)
    report = report_of(made)
    assert (report.repaired, report.fallbacks, report.reworded) == (0, (), 0)
    assert made != STEPS[step].run(ScriptedModel(lambda _: "?"))


def in_halves(answer: Answer) -> Answer:
    """Let a model that knows the whole say nothing where it is shown a half of it."""

    def said(shown: Shown) -> Mapping[str, Any]:
        try:
            return answer(shown)
        except AssertionError:
            return {}

    return said


@pytest.mark.parametrize("family", sorted(FAMILIES))
@pytest.mark.parametrize("step", STEPS)
def test_a_spoiled_reply_loses_nothing_and_is_told(step: str, family: str) -> None:
    for seed in range(SEEDS):
        model = FaultyModel(librarian(in_halves(STEPS[step].right)), seed=seed, family=family)
        made = STEPS[step].run(model)
        STEPS[step].holds(made)
        report = report_of(made)
        answered = report.used + report.repaired + len(report.fallbacks)
        assert answered == QUESTIONS.get(step, 1) + report.halved
        if family not in HARMLESS | CHANGED | LENIENT.get(step, frozenset()):
            assert report.used == 0
        if family in {"slow", "outage", "refusal", "cut_marked", "html", "prose_before"}:
            assert {fallback.step for fallback in report.fallbacks} == {step}
            assert report.used == 0


@pytest.mark.parametrize("step", STEPS)
def test_replies_spoiled_by_chance_lose_nothing(step: str) -> None:
    for seed in range(12):
        model = FaultyModel(librarian(STEPS[step].right), seed=100 + seed, rate=0.7)
        STEPS[step].holds(STEPS[step].run(model))


def test_what_went_wrong_is_told_without_anybodys_words() -> None:
    maintainer = Maintainer(
        ScriptedModel(lambda _: '{"facts": "my number is 555-1234"}'),
        nonce=lambda: NONCE,
        entry_tokens=120,
    )
    maintainer.extract(EVENTS)
    maintainer.summarize(WHOLES)
    assert [fallback.step for fallback in maintainer.report.fallbacks] == ["extract", "summarize"]
    assert "555" not in str(maintainer.report)


def test_every_call_is_recorded_under_its_prompt_and_a_reached_budget_passes() -> None:
    calls: list[Call] = []
    maintainer = Maintainer(
        librarian(STEPS["summarize"].right),
        nonce=lambda: NONCE,
        meter=Meter(budget=Budget(run=Limits(calls=1)), record=calls.append),
        plan_id="p1",
        entry_tokens=120,
    )
    maintainer.summarize(WHOLES)
    with pytest.raises(BudgetError):
        maintainer.summarize(WHOLES)
    assert [(call.purpose, call.plan_id) for call in calls] == [("summarize@2", "p1")]
    assert maintainer.report.fallbacks == ()


@pytest.mark.parametrize("step", STEPS)
def test_a_reached_budget_is_raised_by_every_step(step: str) -> None:
    with pytest.raises(BudgetError):
        STEPS[step].run(ScriptedModel(lambda _: BudgetError("run", "calls", "none left")))
