"""The command that forgets."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.pages import entry_lines, forgotten_lines
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint
from memoranda.cli.streams import UTF8, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.memory import Memory
    from memoranda.reports import Forgotten


@click.command()
@click.option("--event", type=UTF8, help="Id of an event: it goes, with every entry from it.")
@click.option("--entry", type=click.IntRange(min=1), help="Number of an entry: its line goes.")
@click.option("--external-id", type=UTF8, help="Your id of an event, as it was given to add.")
@click.option("--dry-run", is_flag=True, help="Show what would go; change nothing.")
@at_place
def forget(
    place: Place, *, event: str | None, entry: int | None, external_id: str | None, dry_run: bool
) -> int:
    """Forget an event or an entry, for good.

    Its text goes from the log, the documents, the index, every file and name below the data
    folder, and no rebuild, import or restored backup brings it back. It can't be undone: look with
    --dry-run first. A scan looks for pieces that are left; it ends with 4 when it finds some in
    files that are not ours.
    """
    if sum(given is not None for given in (event, entry, external_id)) != 1:
        raise click.UsageError("name one of --event, --entry and --external-id")
    with place.open(dry=dry_run) as memory:
        done = memory.forget(event=event, entry=entry, external_id=external_id, dry_run=dry_run)
        shown = list(_doomed(memory, done)) if dry_run and not place.as_json else []
    if place.as_json:
        say_json(done.to_dict())
    else:
        _tell(done, shown)
    return NEEDS_REVIEW if done.left else OK


def _doomed(memory: Memory, preview: Forgotten) -> Iterator[str]:
    """Show the lines that would go."""
    paint = Paint.of(sys.stdout, os.environ)
    for line in dict.fromkeys(memory.get(seq) for seq in preview.seqs):
        yield from entry_lines(line, paint)  # type: ignore[arg-type]  # numbers give entries


def _tell(done: Forgotten, shown: list[str]) -> None:
    for line in (*shown, *forgotten_lines(done, Paint.of(sys.stdout, os.environ))):
        say(line)


COMMANDS: Final[tuple[click.Command, ...]] = (forget,)
