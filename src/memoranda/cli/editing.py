"""The command that takes in hand edits, or shows what it would take in."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.diffs import diff_lines
from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.pages import many
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint, one_line, runs
from memoranda.cli.streams import note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.edits import Adopted, Edits


@click.command()
@click.option("--dry-run", is_flag=True, help="Only show what would be taken in.")
@click.option("--known", is_flag=True, help="Leave new files in topics/ alone.")
@at_place
def adopt(place: Place, *, dry_run: bool, known: bool) -> int:
    """Take in what you wrote into the files.

    New lines become entries, corrected ones take the place of the old, removed ones are retracted:
    'memoranda undo' takes all of it back, 'memoranda forget' erases. A new file in topics/ becomes a
    document. Edits are taken in by every other command too; new files only by this one.

    What is unsafe to take in (most lines gone, front matter broken, marks of a merge) waits: see
    'memoranda plans'. Exit code 4 says that something waits.
    """
    with place.open(heal=not dry_run) as memory:
        found = memory.adopt(new=not known, dry_run=dry_run)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in edits_lines(found, Paint.of(sys.stdout, os.environ)):
            say(line)
        for held in found.held:
            note(f"plan {held.plan_id or 'to be'}: {one_line(held.reason)}; approve or reject it")
    return NEEDS_REVIEW if found.held else OK


def edits_lines(found: Edits, paint: Paint) -> Iterator[str]:
    """Give what a look at the files came to; of a preview, the difference it would make."""
    if found.adopted is None and not found.held:
        yield "no edits to take in"
    if found.adopted is not None:
        yield edit_line(found.adopted, dry_run=found.dry_run)
        yield from (f"  {one_line(warning)}" for warning in found.adopted.warnings)
    for document_id in sorted({*found.before, *found.after}):
        yield paint.strong(f"=== {document_id}")
        before, after = found.before.get(document_id, ""), found.after.get(document_id, "")
        yield from diff_lines(before, after, paint)
    for file, why in found.left:
        yield f"left {one_line(file)}: {one_line(why)}"


def edit_line(done: Adopted, *, dry_run: bool = False) -> str:
    """Say in a line what was taken in."""
    parts = [
        f"{len(numbers)} {what}"
        for what, numbers in (
            ("added", done.added),
            ("corrected", done.corrected),
            ("removed", done.removed),
            ("moved", done.moved),
        )
        if numbers
    ]
    told = ", ".join(parts) or "headers and headings"
    names = ", ".join(done.documents)
    head = "would take in" if dry_run else f"took in plan {done.plan_id}:"
    removed = f"; {runs(done.removed)} retracted, not erased: see forget" if done.removed else ""
    return f"{head} {told}, in {many(len(done.documents), 'file')} ({names}){removed}"


COMMANDS: Final[tuple[click.Command, ...]] = (adopt,)
