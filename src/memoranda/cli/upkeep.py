"""Commands around a model at work: watch, calls; and what other commands say of a run."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.editing import edit_line
from memoranda.cli.failures import NOT_FOUND, OK
from memoranda.cli.pages import cost, many, receipt_line, run_lines
from memoranda.cli.place import Place, at_place, with_budget, with_mode, with_settings
from memoranda.cli.shown import Paint, one_line
from memoranda.cli.streams import note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.llm.model import Call
    from memoranda.memory import Memory
    from memoranda.reports import Estimate, Run


LONGEST: Final = 600.0
"""Seconds that a watcher waits at most where a run could do nothing."""


@click.command()
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Look every S seconds.",
)
@click.option("--times", type=click.IntRange(min=1), metavar="N", help="Look N times, then end.")
@with_mode
@with_budget
@with_settings
@at_place
def watch(place: Place, *, every: float, times: int | None) -> int:
    """Consolidate when it is due; take in edits.

    Edits are what people write into the files.

    By rules or by the model that is set; this is how a model is let work in the background. Limits
    hold for each run. A model that is away is left alone for longer each time, up to ten minutes.
    Ends on Ctrl-C; what was applied stays.
    """
    with place.open(dry=True) as memory:
        note(f"watching {memory.status().folder}; Ctrl-C ends it")
        looked, pause = 0, every
        while True:
            pause = every if _look(memory, place) else min(2 * pause, max(every, LONGEST))
            looked += 1
            if times is not None and looked >= times:
                return OK
            if pause > every:
                note(f"will look again in {pause:g} s")
            time.sleep(pause)


def _look(memory: Memory, place: Place) -> bool:
    """Consolidate if that is due; False if the run was stopped before it did anything."""
    before, receipts = memory.last_run, memory.run_due()
    _edited(memory, place)
    for receipt in receipts:
        if place.as_json:
            say_json(receipt.to_dict())
        else:
            say(receipt_line(receipt))
    run = memory.last_run
    if run is before or run is None:
        return True
    note_run(run)
    return bool(receipts) or not run.stopped


def _edited(memory: Memory, place: Place) -> None:
    """Take in what people wrote into the files meanwhile, and say so."""
    if not place.settings(os.environ).adopt:
        return
    found = memory.adopt(new=False)
    if place.as_json and (found.adopted or found.held):
        say_json(found.to_dict())
    elif found.adopted is not None:
        say(edit_line(found.adopted))
    for held in found.held:
        note(f"plan {held.plan_id} waits: {one_line(held.reason)}")


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N")
@at_place
def calls(place: Place, *, limit: int) -> int:
    """List the calls to models, newest first.

    When, what for, which model, tokens, seconds, price, outcome, and the plan it was made for.
    """
    with place.open(heal=False) as memory:
        found = memory.calls(limit=limit)
    if place.as_json:
        say_json([call.to_dict() for call in found])
        return OK
    paint = Paint.of(sys.stdout, os.environ)
    for call in found:
        say(call_line(call, paint))
    if not found:
        say("no calls to a model")
    return OK if found else NOT_FOUND


def call_line(call: Call, paint: Paint) -> str:
    """Give one call in a line."""
    usage = call.usage
    about = "about " if usage.estimated else ""
    tokens = f"{about}{usage.input_tokens:,} in, {usage.output_tokens:,} out"
    money = cost(call.price, usage.tokens)
    plan = f", plan {one_line(call.plan_id)}" if call.plan_id else ""
    outcome = call.outcome if call.outcome == "ok" else paint.warn(call.outcome)
    head = f"{paint.faint(call.at)}  {call.purpose:<12} {one_line(call.model)}"
    return f"{head}  {outcome}  {tokens}, {call.seconds:g} s{money}{plan}"


def note_run(run: Run | None) -> None:
    """Say on standard error what became of a run by a model."""
    if run is None:
        return
    paint = Paint.of(sys.stderr, os.environ)
    money = cost(run.spent.money, run.spent.tokens)
    note(f"{many(run.spent.calls, 'call')}, {many(run.spent.tokens, 'token')}{money}")
    for line in run_lines(run.to_dict(), paint):
        note(line)


def estimate_lines(estimate: Estimate, model: str) -> Iterator[str]:
    """Say what a run is expected to use."""
    money = "price not known" if estimate.money is None else f"about ${estimate.money:.4f}"
    yield (
        f"by {one_line(model)} this would take about {many(estimate.calls, 'call')}, "
        f"{estimate.input_tokens:,} tokens of prompts and {estimate.output_tokens:,} of replies, "
        f"{money}; the plan below is the rules'"
    )


COMMANDS: Final[tuple[click.Command, ...]] = (watch, calls)
