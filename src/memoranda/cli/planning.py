"""Commands for plans that wait: list, show, approve, reject."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda.cli.failures import OK
from memoranda.cli.pages import many, receipt_line
from memoranda.cli.place import Place, at_place, with_settings
from memoranda.cli.shown import Paint, one_line, runs
from memoranda.cli.streams import UTF8, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memoranda.memory import Memory
    from memoranda.reports import Decided, PlanView

STATES: Final = ("pending", "approved", "rejected", "superseded", "shadow")


@click.group()
def plan() -> None:
    """Look at plans that wait, and decide on them.

    In mode auto only what policy holds back waits, in mode review every plan does. The entries of a
    plan that waits stay in CURRENT, where they can be read and found.
    """


@plan.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only plans in this state.")
@at_place
def list_(place: Place, *, state: Any) -> int:  # noqa: ANN401 - one of STATES, as click checked
    """List the plans that were not applied at once.

    Oldest first: id, state, kind, mode, entries, and why it waits.
    """
    with place.open() as memory:
        views = memory.plans(state)
    if place.as_json:
        say_json([view.to_dict() for view in views])
        return OK
    paint = Paint.of(sys.stdout, os.environ)
    for view in views:
        for line in plan_lines(view, paint):
            say(line)
    if not views:
        say("no plans" if state is None else f"no plans in state {state}")
    return OK


@plan.command()
@click.argument("plan_id", metavar="PLAN", type=UTF8)
@at_place
def show(place: Place, *, plan_id: str) -> int:
    """Show a plan, each document as a diff."""
    with place.open() as memory:
        view = memory.plan(plan_id)
    if place.as_json:
        say_json(view.to_dict())
        return OK
    from memoranda.cli.diffs import change_lines  # noqa: PLC0415 - start-up time

    paint = Paint.of(sys.stdout, os.environ)
    for line in (*plan_lines(view, paint), *_whole(view, paint)):
        say(line)
    for line in change_lines(view, paint):
        say(line)
    return OK


@plan.command()
@click.argument("plan_id", metavar="PLAN", type=UTF8)
@click.option("--by", type=UTF8, help="Who approves.")
@click.option("--reason", type=UTF8, default="", help="Why; kept in the log.")
@with_settings
@at_place
def approve(place: Place, *, plan_id: str, by: str | None, reason: str) -> int:
    """Apply a plan that waits.

    It is checked anew. If what it touches has changed since, it is planned anew and waits again.
    """
    return _decide(place, lambda memory: memory.approve(plan_id, by=by, reason=reason))


@plan.command()
@click.argument("plan_id", metavar="PLAN", type=UTF8)
@click.option("--by", type=UTF8, help="Who rejects.")
@click.option("--reason", type=UTF8, default="", help="Why; kept in the log.")
@with_settings
@at_place
def reject(place: Place, *, plan_id: str, by: str | None, reason: str) -> int:
    """Refuse a plan that waits.

    Its entries are placed word for word, by rules, and are not planned again.
    """
    return _decide(place, lambda memory: memory.reject(plan_id, by=by, reason=reason))


@plan.command()
@click.argument("number", metavar="N", type=click.IntRange(min=1))
@click.option("--seed", type=int, default=1, show_default=True, help="Another one draws others.")
@click.option(
    "--after", type=click.IntRange(min=0), default=0, metavar="P", help="Applied after position P."
)
@at_place
def sample(place: Place, *, number: int, seed: int, after: int) -> int:
    """Draw N applied plans to look at.

    The same seed draws the same plans, each shown with its diffs. Look for topics wrongly merged,
    sources lost, inference written as fact; 'memoranda undo PLAN' takes a wrong one out of force.
    """
    with place.open() as memory:
        views = memory.sample_plans(number, seed=seed, after=after)
    if place.as_json:
        say_json([view.to_dict() for view in views])
        return OK
    from memoranda.cli.diffs import change_lines  # noqa: PLC0415 - start-up time

    paint = Paint.of(sys.stdout, os.environ)
    for view in views:
        for line in (*plan_lines(view, paint), *_whole(view, paint), *change_lines(view, paint)):
            say(line)
    if not views:
        say("no plan was applied")
    return OK


def _decide(place: Place, decide: Callable[[Memory], Decided]) -> int:
    with place.open() as memory:
        done = decide(memory)
    if place.as_json:
        say_json(done.to_dict())
        return OK
    say(f"{done.state} plan {one_line(done.plan_id)}")
    for receipt in done.receipts:
        say(receipt_line(receipt))
    return OK


def plan_lines(view: PlanView, paint: Paint) -> Iterator[str]:
    """Give a plan in short: what it is, and why it waits."""
    what = f" {many(len(view.window), 'entry')} ({runs(view.window)})" if view.window else ""
    head = f"{paint.strong(one_line(view.plan_id))}  {view.state}  {view.kind}{what}"
    yield f"{head}  {paint.faint(f'mode {view.mode}, by {one_line(view.by)}, {view.recorded}')}"
    for reason in view.reasons:
        yield "  " + paint.warn(one_line(reason))


def _whole(view: PlanView, paint: Paint) -> Iterator[str]:
    for warning in view.warnings:
        yield "  " + paint.warn(one_line(warning))
    if view.decided:
        by = f" by {one_line(view.decided_by)}" if view.decided_by else ""
        why = f": {one_line(view.decision)}" if view.decision else ""
        yield f"  {view.state}{by} at {view.decided}{why}"
    for operation in view.operations:
        yield "  " + one_line(operation)


def note_waiting(waiting: Sequence[str]) -> None:
    """Say on standard error which plans wait for a decision, if any does."""
    if not waiting:
        return
    names = ", ".join(map(one_line, waiting))
    said = "a plan waits" if len(waiting) == 1 else f"{len(waiting)} plans wait"
    note(f"{said} for a decision: {names}; see 'memoranda plan list'")


COMMANDS: Final[tuple[click.Command, ...]] = (plan,)
