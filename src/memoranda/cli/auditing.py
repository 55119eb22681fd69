"""Commands that undo, replay, and make the library again to see how it drifts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import OK
from memoranda.cli.pages import many
from memoranda.cli.place import Place, at_place, with_model
from memoranda.cli.progress import progress
from memoranda.cli.shown import one_line, runs
from memoranda.cli.streams import UTF8, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.reports import Drift, Replayed, Undone


@click.command()
@click.argument("plan_id", metavar="PLAN", type=UTF8)
@click.option("--by", type=UTF8, help="Who wants it.")
@click.option("--reason", type=UTF8, default="", help="Why; kept in the log.")
@at_place
def undo(place: Place, *, plan_id: str, by: str | None, reason: str) -> int:
    """Take a plan out of force.

    PLAN is the id of an applied plan, of a retraction, or of an undo, which brings back what it
    took. The documents get the bytes they had before, as far as nothing later changed them; later
    changes stay. Its entries wait in CURRENT until somebody runs 'memoranda consolidate'. What was
    forgotten stays forgotten. If something later needs the plan, that is named and nothing changes.
    """
    with place.open() as memory:
        done = memory.undo(plan_id, by=by, reason=reason)
    if place.as_json:
        say_json(done.to_dict())
        return OK
    for line in undone_lines(done):
        say(line)
    if done.freed:
        note(
            f"left alone until you run 'memoranda consolidate': "
            f"{many(len(done.freed), 'entry')} of CURRENT"
        )
    return OK


def undone_lines(done: Undone) -> Iterator[str]:
    """Say what an undo did."""
    yield f"undid {done.what} {one_line(done.undone)} by {done.undo_id}"
    for verb, names in (
        ("changed", done.updated),
        ("there again", done.restored),
        ("there no more", done.retired),
        ("named or summarised anew", done.anew),
    ):
        if names:
            yield f"  {verb}: {', '.join(names)}"
    if done.freed:
        yield f"  back in CURRENT: {runs(done.freed)}"
    if done.carried:
        yield f"  still replaced or retracted: {runs(done.carried)}"


@click.command()
@click.option(
    "--known-at",
    type=UTF8,
    required=True,
    metavar="TIME|POSITION",
    help="A day, month or moment: its end; a plain number is a log position.",
)
@click.option("--to", type=click.Path(), metavar="DIR", help="Write the files there: a new folder.")
@at_place
def replay(place: Place, *, known_at: str, to: str | None) -> int:
    """Show the library as it was then.

    Made from the log alone, without a model. With --to the files are written into a folder that is
    new or empty; without, only their names are told. What was forgotten since stands as
    '[erased DATE]', over as many lines as it had.
    """
    when = int(known_at) if known_at.isascii() and known_at.isdecimal() else known_at
    with place.open() as memory:
        found = memory.replay(when, to)
    if place.as_json:
        say_json(found.to_dict())
    else:
        _say_replayed(found)
    return OK


def _say_replayed(found: Replayed) -> None:
    for name in found.files:
        say(one_line(name))
    at = f" of {found.recorded}" if found.recorded else ""
    say(f"{many(len(found.files), 'file')} as at position {found.position}{at}: {found.state}")
    if found.erased:
        note(f"{many(found.erased, 'entry')} were forgotten since")
    if found.folder:
        note(f"written into {one_line(found.folder)}")


@click.command()
@with_model
@at_place
def remaintain(place: Place) -> int:
    """Compare the library with one made anew.

    By rules, or by the model that --model names. It happens in a temporary folder that is removed
    afterwards: nothing in this memory changes. The agreement is 1 when the same events stand
    together in both.
    """
    with place.open() as memory, progress("telling", "events") as tick:
        found = memory.remaintain(progress=tick)
    if place.as_json:
        say_json(found.to_dict())
        return OK
    for line in _drift_lines(found):
        say(line)
    return OK


def _drift_lines(found: Drift) -> Iterator[str]:
    yield from map(one_line, found.diff.splitlines())
    yield f"agreement {found.agreement:.4f} over {many(found.events, 'event')}, made by {found.by}"
    yield f"documents {found.documents[0]} -> {found.documents[1]}"
    yield f"entries {found.entries[0]} -> {found.entries[1]}"
    yield f"supersessions gained {len(found.gained)}, lost {len(found.lost)}"
    for sign, pairs in (("+", found.gained), ("-", found.lost)):
        for older, newer in pairs:
            yield f"  {sign} {one_line(older)} replaced by {one_line(newer)}"
    if found.waiting:
        yield f"{many(found.waiting, 'plan')} would wait for a person"
    if found.stopped:
        yield f"the model was stopped: {one_line(found.stopped)}"


COMMANDS: Final[tuple[click.Command, ...]] = (undo, replay, remaintain)
