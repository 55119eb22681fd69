"""Commands that inspect: log, diff, blame, doctor, lint; and export, import-archive."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda.cli.failures import FAILED, NEEDS_REVIEW, OK
from memoranda.cli.pages import cut, many, record_line
from memoranda.cli.place import Place, at_place, with_model
from memoranda.cli.progress import progress
from memoranda.cli.shown import Paint, one_line, runs
from memoranda.cli.streams import UTF8, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.inspections import Blamed, BlameLine, DocumentDiff, Examined, Finding, Untidy

TEXT_WIDTH: Final = 72


def _paint() -> Paint:
    return Paint.of(sys.stdout, os.environ)


@click.command()
@click.option(
    "--after", type=click.IntRange(min=0), default=0, metavar="N", help="Start behind position N."
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N records.")
@click.option("--kind", type=UTF8, help="Records of this kind only: event, plan, forget ...")
@click.option("--since", type=UTF8, metavar="TIME", help="Recorded from this time on.")
@click.option("--until", type=UTF8, metavar="TIME", help="Recorded up to the end of this time.")
@click.option("--actor", type=UTF8, metavar="NAME", help="Of this program, person or model.")
@click.option("--about", "document", type=UTF8, metavar="DOC", help="That name this document.")
@click.option("--entry", type=click.IntRange(min=1), metavar="N", help="That are about entry N.")
@click.option("--plan", type=UTF8, metavar="ID", help="This plan, and what came of it.")
@at_place
def log(place: Place, /, *, after: int, limit: int | None, **only: Any) -> int:  # noqa: ANN401
    """Print the log's records in order.

    Each with who is behind it. With --json one JSON object a line.
    """
    with place.open() as memory:
        for record in memory.log(after=after, limit=limit, **only):
            if place.as_json:
                say_json(record.to_dict(), lines=True)
            else:
                say(record_line(record, _paint()))
    return OK


@click.command()
@click.argument("document", metavar="DOC", type=UTF8)
@click.argument("versions", metavar="[A..B]", type=UTF8, required=False)
@at_place
def diff(place: Place, *, document: str, versions: str | None) -> int:
    """Show what changed in a document.

    DOC is its id, title or file name. A..B are log positions, as `history` and `log` print them;
    B alone shows what the change at B made; without them the last change is shown.
    """
    with place.open() as memory:
        found = memory.diff(document, versions)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in _diff_lines(found, _paint()):
            say(line)
    return OK


def _diff_lines(found: DocumentDiff, paint: Paint) -> Iterator[str]:
    from memoranda.cli.diffs import diff_lines  # noqa: PLC0415 - start-up time

    older = f"version {found.older}" if found.older else "nothing"
    head = f"{found.document_id} {found.title}: {older} -> version {found.newer}"
    yield paint.strong(one_line(head))
    if found.before == found.after:
        yield "no difference"
    else:
        yield from diff_lines(found.before, found.after, paint)


@click.command()
@click.argument("document", metavar="DOC", type=UTF8)
@click.option(
    "--all", "whole", is_flag=True, help="Also the figures of the header, and blank lines."
)
@at_place
def blame(place: Place, *, document: str, whole: bool) -> int:
    """Tell where each line of a document is from.

    The lines, the entries, the plan that placed them, when and by whom, who worded it, and the
    events that it rests on.
    """
    with place.open() as memory:
        found = memory.blame(document)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in _blame_lines(found, _paint(), whole=whole):
            say(line)
    return OK


def _blame_lines(found: Blamed, paint: Paint, *, whole: bool) -> Iterator[str]:
    if found.note:
        note(one_line(found.note))
    yield paint.strong(one_line(f"{found.document_id} {found.title}, version {found.version}"))
    for line in found.lines:
        if whole or line.seqs:
            yield from _blame_line(line, paint)


def _blame_line(line: BlameLine, paint: Paint) -> Iterator[str]:
    first, last = line.lines
    span = f"{first}" if first == last else f"{first}-{last}"
    who = " ".join(filter(None, (line.source, line.speaker, *line.actors)))
    words = "" if line.worded_by in {"", line.by} else f", worded by {line.worded_by}"
    moved = f", moved by {line.moved_by}" if line.moved_by else ""
    by = f"{line.plan_id} at {line.position}, {line.recorded[:16]}Z by {line.by or 'user'}"
    yield f"{span:>7}  {cut(one_line(line.text), TEXT_WIDTH)}"
    if line.seqs:
        events = ", ".join(map(one_line, line.event_ids)) or "none"
        yield paint.faint(
            one_line(f"         seq {runs(line.seqs)}  {who}  {line.time or ''}".rstrip())
        )
        yield paint.faint(one_line(f"         placed by {by}{words}{moved}"))
        yield paint.faint(f"         events {events}")
    else:
        yield paint.faint(one_line(f"         {line.kind}, by {by}"))


@click.command()
@click.option("--model-call", is_flag=True, help="Also send the model a short question.")
@with_model
@at_place
def doctor(place: Place, *, model_call: bool) -> int:
    """Look for what keeps the memory from working.

    Place, rights, locks, versions, space, files, settings, model: each with what mends it. Changes
    nothing, and asks no model without --model-call. The exit code is 1 if something needs mending.
    """
    found = _examined(place, model_call=model_call)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for finding in found.findings:
            say(_finding_line(finding, _paint()))
    return OK if found.ok else FAILED


def _examined(place: Place, *, model_call: bool) -> Examined:
    """Examine; what keeps the memory from being opened at all is a finding too."""
    from memoranda.errors import InputError, MemorandaError  # noqa: PLC0415 - start-up time
    from memoranda.inspections import Examined, Finding  # noqa: PLC0415 - start-up time

    try:
        place.settings(os.environ)
    except InputError as error:
        fix = "mend the file, the variable or the flag that it names"
        return Examined(findings=(Finding(name="settings", state="bad", text=str(error), fix=fix),))
    try:
        with place.open(heal=False) as memory:
            found = memory.doctor(ask_model=model_call)
    except MemorandaError as error:
        fix = "do what it says; memoranda check tells more"
        return Examined(findings=(Finding(name="memory", state="bad", text=str(error), fix=fix),))
    settings = Finding(name="settings", state="ok", text="can be read")
    return Examined(findings=(settings, *found.findings))


def _finding_line(finding: Finding, paint: Paint) -> str:
    text = f"{finding.name:<10} {one_line(finding.text)}"
    fix = f"; to mend it: {one_line(finding.fix)}" if finding.fix else ""
    match finding.state:
        case "ok":
            return f"ok    {text}"
        case "note":
            return f"note  {text}{fix}"
        case _:
            return paint.warn(f"bad   {text}{fix}")


@click.command()
@at_place
def lint(place: Place) -> int:
    """Name what may want tidying.

    Documents that are nearly the same, too large, empty, of several matters, or at odds with each
    other; each with what can be done. Changes nothing. The exit code is 4 if there is any.
    """
    with place.open() as memory:
        found = memory.lint()
    if place.as_json:
        say_json([item.to_dict() for item in found])
    else:
        for item in found:
            for line in _untidy_lines(item, _paint()):
                say(line)
        if not found:
            note("nothing to tidy up")
    return NEEDS_REVIEW if found else OK


def _untidy_lines(item: Untidy, paint: Paint) -> Iterator[str]:
    yield f"{paint.warn(item.kind)}: {one_line(item.text)}"
    yield paint.faint(f"    {one_line(item.do)}")


@click.command()
@click.argument("target", type=click.Path())
@at_place
def export(place: Place, *, target: str) -> int:
    """Write the whole memory into one file.

    TARGET is the archive to make, outside the data folder. It is verified before it gets its name,
    and holds all texts as they are: keep it as you keep the memory. Take it in with import-archive.
    """
    with place.open() as memory, progress("exporting", "records") as tick:
        done = memory.export(target, progress=tick)
    if place.as_json:
        say_json(done.to_dict())
    else:
        kinds = ", ".join(many(number, kind) for kind, number in done.kinds.items())
        say(f"exported {many(done.records, 'record')} ({kinds}): {one_line(done.path)}")
    return OK


@click.command("import-archive")
@click.argument("archive", type=click.Path())
@at_place
def import_archive(place: Place, *, archive: str) -> int:
    """Take an export into an empty memory.

    Whole or not at all; the same archive again adds nothing.
    """
    with place.open(dry=True) as memory, progress("importing", "records") as tick:
        done = memory.import_archive(archive, progress=tick)
    if place.as_json:
        say_json(done.to_dict())
    elif done.added:
        again = f"; forgot {many(done.forgotten, 'event')} again" if done.forgotten else ""
        say(f"took in {many(done.added, 'record')}, up to position {done.position}{again}")
    else:
        say(f"nothing added: all {many(sum(done.kinds.values()), 'record')} are there already")
    return OK


COMMANDS: Final[tuple[click.Command, ...]] = (
    log,
    diff,
    blame,
    doctor,
    lint,
)
ARCHIVES: Final[tuple[click.Command, ...]] = (export, import_archive)
