"""Commands that care for a memory: backup, check."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.pages import many
from memoranda.cli.place import Place, at_place
from memoranda.cli.progress import progress
from memoranda.cli.shown import Paint, one_line
from memoranda.cli.streams import say, say_json

if TYPE_CHECKING:
    from memoranda.reports import Checked


@click.command()
@click.argument("target", type=click.Path(), required=False)
@at_place
def backup(place: Place, *, target: str | None) -> int:
    """Copy the database into a new file.

    TARGET is the file to make; without it, backups/memory-POSITION.db in the memory's own folder.
    Nothing is ever replaced. Others may go on writing; the copy is verified before it is named.
    """
    with place.open() as memory, progress("backing up", "pages") as tick:
        done = memory.backup(target, progress=tick)
    if place.as_json:
        say_json(done.to_dict())
    else:
        say(f"backed up {many(done.events, 'event')} at position {done.position}: {done.path}")
    return OK


@click.command()
@click.option("--full", is_flag=True, help="Fold the whole log again and compare the views too.")
@at_place
def check(place: Place, *, full: bool) -> int:
    """Look whether everything is sound.

    Every record against its commitment, the chain of hashes, the views, the files. Names each that
    is not sound and changes nothing. The exit code is 4 if there is any.
    """
    with place.open(heal=False) as memory, progress("checking", "records") as tick:
        found = memory.check(full=full, progress=tick)
    if place.as_json:
        say_json(found.to_dict())
    else:
        _say(found)
    return OK if found.ok else NEEDS_REVIEW


def _say(found: Checked) -> None:
    paint = Paint.of(sys.stdout, os.environ)
    for flaw in found.flaws:
        say(f"{paint.warn(f'{flaw.part} {one_line(flaw.name)}')}: {one_line(flaw.text)}")
    seen = f"{many(found.records, 'record')}, {many(found.files, 'file')}"
    say(f"{'sound' if found.ok else many(len(found.flaws), 'flaw')}: {seen}")


COMMANDS: Final[tuple[click.Command, ...]] = (backup, check)
