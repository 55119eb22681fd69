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
from memoranda.cli.shown import Paint, one_line, runs
from memoranda.cli.streams import UTF8, say, say_json

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
@click.option(
    "--full", is_flag=True, help="Fold the whole log again; compare views, files and index too."
)
@click.option(
    "--subset", type=UTF8, metavar="N/T", help="Only the N-th of T parts; T checks look at all."
)
@click.option(
    "--salvage",
    type=click.Path(),
    metavar="DIR",
    help="Save what can be read of a damaged log into a new one below this empty folder.",
)
@at_place
def check(place: Place, *, full: bool, subset: str | None, salvage: str | None) -> int:
    """Look whether everything is sound.

    Every record against its commitment, the chain of hashes, the views, the files. Names each that
    is not sound and changes nothing. The exit code is 4 if there is any.
    """
    if salvage is not None:
        return _salvage(place, salvage)
    part = None if subset is None else _part(subset)
    with place.open(heal=False) as memory, progress("checking", "records") as tick:
        found = memory.check(full=full, subset=part, progress=tick)
    if place.as_json:
        say_json(found.to_dict())
    else:
        _say(found)
    return OK if found.ok else NEEDS_REVIEW


def _part(text: str) -> tuple[int, int]:
    from memoranda.store.check import Subset  # noqa: PLC0415 - start-up time

    found = Subset.of(text)
    return found.part, found.parts


def _salvage(place: Place, folder: str) -> int:
    """Save what can be read; the exit code is 4 unless all of it could be."""
    from memoranda.memory import Memory  # noqa: PLC0415 - start-up time

    with progress("salvaging", "records") as tick:
        done = Memory.salvage(
            folder, place.root, user=place.user, workspace=place.workspace, progress=tick
        )
    whole = not (done.lost or done.set_aside or done.doubtful)
    if place.as_json:
        say_json(done.to_dict())
        return OK if whole else NEEDS_REVIEW
    say(f"saved {many(done.records, 'record')} into {one_line(done.path)}")
    for text, positions in (
        ("lost", done.lost),
        ("set aside, since they rest on lost ones", done.set_aside),
        ("saved without anything that vouches for them", done.doubtful),
    ):
        if positions:
            say(f"{text}: {many(len(positions), 'record')} ({runs(positions)})")
    if done.last_backup:
        say(f"the newest backup that is known: {one_line(done.last_backup)}")
    return OK if whole else NEEDS_REVIEW


def _say(found: Checked) -> None:
    paint = Paint.of(sys.stdout, os.environ)
    for flaw in found.flaws:
        say(f"{paint.warn(f'{flaw.part} {one_line(flaw.name)}')}: {one_line(flaw.text)}")
    seen = f"{many(found.records, 'record')}, {many(found.files, 'file')}"
    say(f"{'sound' if found.ok else many(len(found.flaws), 'flaw')}: {seen}")


COMMANDS: Final[tuple[click.Command, ...]] = (backup, check)
