"""The command that says who may see what: mark."""

from __future__ import annotations

from typing import Any, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.place import Place, at_place
from memoranda.cli.streams import UTF8, note, say, say_json


@click.command()
@click.argument("ref", type=UTF8)
@click.argument("sensitivity", type=click.Choice(["public", "internal", "private"]))
@click.option("--by", type=UTF8, help="Who says so; the log tells it.")
@click.option("--reason", type=UTF8, default="", help="Why; kept in the log.")
@at_place
def mark(place: Place, *, ref: str, sensitivity: Any, by: str | None, reason: str) -> int:  # noqa: ANN401
    """Say how sensitive something is.

    REF is an entry's number, an event's id or your id. A higher SENSITIVITY holds at once; a lower
    one lets more readers see it: it waits as a plan, and the exit code is 4.
    """
    named = int(ref) if ref.isascii() and ref.isdecimal() else ref
    with place.open() as memory:
        done = memory.mark(named, sensitivity, by=by, reason=reason)
    if place.as_json:
        say_json(done.to_dict())
    elif done.waits:
        say(f"plan {done.plan_id} waits")
    else:
        say(f"marked {sensitivity}: {len(done.events)} events, {len(done.seqs)} entries")
        say(f"plan {done.plan_id}")
    if done.waits:
        note(f"more readers would see it: 'memoranda plans approve {done.plan_id}'")
        return NEEDS_REVIEW
    return OK


COMMANDS: Final = (mark,)
