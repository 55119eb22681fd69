"""The command that takes what has outlived its time: expire; and what others say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import OK
from memoranda.cli.pages import many
from memoranda.cli.place import Place, at_place, with_settings
from memoranda.cli.shown import one_line, runs
from memoranda.cli.streams import note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.lifetimes import Expired


@click.command()
@click.option("--dry-run", is_flag=True, help="Only say what would go; change nothing.")
@with_settings
@at_place
def expire(place: Place, *, dry_run: bool) -> int:
    """Take what has outlived its time.

    How long things are kept is said by the setting retention, and by an event's own (add --meta
    retention=30d). It is retracted, or forgotten where that is said. consolidate does it too.
    """
    with place.open() as memory:
        found = memory.expire(dry_run=dry_run)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in expired_lines(found):
            say(line)
    return OK


def expired_lines(found: Expired) -> Iterator[str]:
    """Give what retention took, or would take."""
    would = "would be " if found.dry_run else ""
    if found.retracted:
        yield f"expired: {would}retracted {many(len(found.retracted), 'entry')} ({runs(found.retracted)})"
    if found.events:
        what = f"{many(len(found.events), 'event')}, {many(len(found.forgotten), 'entry')}"
        yield f"expired: {would}forgotten {what}"
    if found.anew:
        yield f"entries that lose a source: {runs(found.anew)}"
    if found.is_empty:
        yield "nothing has outlived its time"
    if found.next:
        yield f"next due {one_line(found.next)}"


def note_expired(found: Expired | None) -> None:
    """Say on standard error what retention took in a consolidation, if it took anything."""
    for line in expired_lines(found) if found is not None else ():
        note(line)


COMMANDS: Final[tuple[click.Command, ...]] = (expire,)
"""Retention is a rule that was set before; what users ask for is `asked`."""
