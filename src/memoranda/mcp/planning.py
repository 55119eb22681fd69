"""The tool for plans that wait: anyone may look, a person decides, asked through the client."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Annotated, Final, Literal, assert_never

from pydantic import Field

from memoranda.errors import InputError
from memoranda.mcp.arguments import Arguments, Name
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.reports import Decided, PlanState, PlanView
from memoranda.text.visible import show

Decision = Literal["approve", "reject"]
Said = Literal["yes", "no", "not asked"]
"""What the person said to the question whether to decide so."""

CHANGES: Final = 6_000
"""Characters of a plan's changes that a question shows."""


class Plans(Arguments):
    """What `plans` takes."""

    plan_id: Annotated[Name | None, Field(description="Show this plan, or decide on it.")] = None
    decision: Annotated[
        Decision | None,
        Field(description="What the user wants; the user is asked again before it is done."),
    ] = None
    reason: Annotated[str, Field(max_length=2_000, description="Why; kept in the log.")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansShown(Recalled):
    """Plans, and what became of a decision on one."""

    plans: tuple[PlanView, ...]
    waiting: tuple[str, ...]
    """Ids of all plans that wait."""
    decided: Decided | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked before a plan is decided on."""

    plan_id: str
    decision: Decision
    text: str


def _plans(desk: Desk, given: Plans) -> Result:
    if given.decision is not None:
        return decided(desk, given, "not asked")
    if given.plan_id is not None:
        view = desk.memory.plan(given.plan_id)
        return _shown(desk, (view,), desk.seal.fence(_whole(view)))
    state: PlanState = "pending"
    views = desk.memory.plans(state)
    text = desk.seal.fence("\n".join(map(_head, views))) if views else "No plan waits."
    return _shown(desk, views, text)


def _shown(
    desk: Desk, views: tuple[PlanView, ...], text: str, done: Decided | None = None
) -> Result:
    waiting = desk.memory.waiting()
    return Result(PlansShown(notice=NOTICE, plans=views, waiting=waiting, decided=done), text)


def question(desk: Desk, given: Plans) -> Question:
    """Make the question to the person, who sees what the plan would change.

    Raises:
        InputError: no plan was named, or it does not wait.
        NotFoundError: there is no such plan.
    """
    if given.plan_id is None or given.decision is None:
        raise InputError("name the plan to decide on: plan_id; plans lists those that wait")
    view = desk.memory.plan(given.plan_id)
    if view.state != "pending":
        raise InputError(f"plan {given.plan_id} does not wait: it is {view.state}")
    match given.decision:
        case "approve":
            told = f"Apply plan {view.plan_id} to memory?"
        case "reject":
            told = f"Reject plan {view.plan_id}? Its entries are then placed word for word."
        case _:
            assert_never(given.decision)
    return Question(plan_id=view.plan_id, decision=given.decision, text=f"{told}\n{_whole(view)}")


def decided(desk: Desk, given: Plans, said: Said) -> Result:
    """Do what a person said, or leave the plan as it is and say how to decide on it."""
    asked = question(desk, given)
    if said == "yes":
        done = _decide(desk, asked, given.reason)
        return _shown(desk, (), f"Plan {done.plan_id} is {done.state}.", done)
    view = desk.memory.plan(asked.plan_id)
    why = (
        "The user said no."
        if said == "no"
        else "This client can't ask the user, and only a person decides on plans."
    )
    command = f"memoranda plan {asked.decision} {asked.plan_id}"
    how = f"Plan {asked.plan_id} still waits. A person decides with: {command}"
    return _shown(desk, (view,), f"{why} {how}")


def _decide(desk: Desk, asked: Question, reason: str) -> Decided:
    by = f"a person, through {desk.actor or 'an MCP client'}"
    if asked.decision == "approve":
        return desk.memory.approve(asked.plan_id, by=by, reason=reason)
    return desk.memory.reject(asked.plan_id, by=by, reason=reason)


def _head(view: PlanView) -> str:
    reasons = "; ".join(map(show, view.reasons)) or f"mode {view.mode}"
    return f"{view.plan_id} {view.kind}, {len(view.window)} entries: {reasons}"


def _whole(view: PlanView) -> str:
    lines = [_head(view), *map(show, view.operations), *map(show, view.warnings)]
    text = "\n".join([*lines, *_changes(view)])
    return text if len(text) <= CHANGES else f"{text[:CHANGES]}\n(cut here; the rest: plans)"


def _changes(view: PlanView) -> list[str]:
    found: list[str] = []
    for name in sorted({*view.before, *view.after}):
        before = view.before.get(name, "").splitlines()
        after = view.after.get(name, "").splitlines()
        found += [
            show(text) for text in difflib.unified_diff(before, after, name, name, lineterm="", n=1)
        ]
    return found


TOOLS: Final = (
    Tool(
        name="plans",
        title="Plans that wait",
        description=(
            "Changes of memory that wait for a person: without parameters a list, with plan_id what "
            "it would change, with decision a question to the user through the client. If the client "
            "can't ask, the plan stays as it is."
        ),
        arguments=Plans,
        output=PlansShown,
        work=_plans,
    ),
)
