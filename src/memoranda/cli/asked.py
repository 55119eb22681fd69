"""Commands for what users asked to be forgotten: list, grant, decline."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.pages import entry_lines, forgotten_lines, many
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint, one_line
from memoranda.cli.streams import UTF8, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.reports import Request

STATES: Final = ("waiting", "done", "rejected", "gone")
_FOUND: Final = {
    "clear": "names this, which readers keep back meanwhile:",
    "unclear": "may mean any of these:",
    "nothing": "names nothing that was found",
}


@click.group()
def asked() -> None:
    """Requests to forget: look at them, decide.

    A sentence such as "please forget my address" waits here, unless the setting asked_to_forget says
    otherwise. What it names clearly is not shown by readers while it waits.
    """


@asked.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only requests in this state.")
@at_place
def list_(place: Place, *, state: Any) -> int:  # noqa: ANN401 - one of STATES, as click checked
    """List the requests, oldest first.

    The exit code is 4 when one waits.
    """
    with place.open() as memory:
        found = memory.asked(state)
    if place.as_json:
        say_json([item.to_dict() for item in found])
    else:
        paint = Paint.of(sys.stdout, os.environ)
        for item in found:
            for line in request_lines(item, paint):
                say(line)
        if not found:
            say("no requests" if state is None else f"no requests in state {state}")
    return NEEDS_REVIEW if any(item.state == "waiting" for item in found) else OK


@asked.command()
@click.argument("request_id", metavar="REQUEST", type=UTF8)
@click.option(
    "--entry", "entries", type=int, multiple=True, help="Forget this one; may be repeated."
)
@click.option("--by", type=UTF8, help="Who decides.")
@at_place
def grant(place: Place, *, request_id: str, entries: tuple[int, ...], by: str | None) -> int:
    """Forget what a request names, for good.

    The request's own sentence goes too. Where it is not clear what is meant, name the entries.
    """
    with place.open() as memory:
        done = memory.grant(request_id, entries=entries or None, by=by)
    if place.as_json:
        say_json(done.to_dict())
    else:
        for line in forgotten_lines(done, Paint.of(sys.stdout, os.environ)):
            say(line)
    return OK


@asked.command()
@click.argument("request_id", metavar="REQUEST", type=UTF8)
@click.option("--by", type=UTF8, help="Who decides.")
@at_place
def decline(place: Place, *, request_id: str, by: str | None) -> int:
    """Refuse a request: nothing is forgotten."""
    with place.open() as memory:
        done = memory.decline(request_id, by=by)
    if place.as_json:
        say_json(done.to_dict())
    else:
        say(f"declined request {one_line(done.request_id)}")
    return OK


def request_lines(item: Request, paint: Paint) -> Iterator[str]:
    """Give a request: its sentence, and what it names or may name."""
    head = f"{paint.strong(one_line(item.request_id))}  {item.state}"
    yield f"{head}  {paint.faint(f'understood by {one_line(item.by)}, {item.recorded}')}"
    if item.text:
        yield f"  {one_line(item.text)}"
    if item.state != "waiting":
        by = f" by {one_line(item.decided_by)}" if item.decided_by else ""
        if item.decided:
            yield paint.faint(f"  {item.state}{by} at {item.decided}")
        return
    yield paint.warn(f"  {_FOUND[item.found]}")
    for entry in item.entries:
        yield from entry_lines(entry, paint, "    ")


def asked_lines(found: tuple[Request, ...]) -> Iterator[str]:
    """Say what came of the requests in what was just added."""
    for item in found:
        name = one_line(item.request_id)
        if item.state == "waiting":
            what = many(len(item.entries), "entry") if item.entries else "nothing that was found"
            sure = "" if item.found == "clear" else "perhaps "
            yield f"asked to forget {sure}{what}: request {name} waits; see 'memoranda asked list'"
        elif item.state in {"done", "gone"}:
            yield f"asked to forget, and forgotten: request {name}; see 'memoranda log --kind forget'"


COMMANDS: Final[tuple[click.Command, ...]] = (asked,)
"""Requests are what users said; plans, which wait too, are what maintenance wants to do."""
