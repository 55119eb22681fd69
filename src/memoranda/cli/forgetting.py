"""The commands that forget, list the receipts, and look whether they hold."""

from __future__ import annotations

import functools
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.pages import entry_lines, forgotten_lines, many
from memoranda.cli.place import Decorator, Place, at_place
from memoranda.cli.receipts import receipt_rows, verified_lines, wiped_lines
from memoranda.cli.shown import Paint
from memoranda.cli.streams import UTF8, given_text, say, say_json
from memoranda.cli.writing import SOURCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memoranda.memory import Memory
    from memoranda.selections import Selected

_SHOWN: Final = 20
"""So many lines are shown before it is asked; `--dry-run` shows more."""
_PARTS: Final[tuple[Decorator, ...]] = (
    click.option("--event", type=UTF8, help="Id of an event: it goes, with every entry from it."),
    click.option("--entry", type=click.IntRange(min=1), help="Number of an entry: its line goes."),
    click.option("--seq", type=UTF8, metavar="RUNS", help="Numbers of entries, as 12-20,31."),
    click.option(
        "--document", "--in-document", "document", type=UTF8, metavar="DOC",
        help="All entries of a document: id, title, file name, or CURRENT.",
    ),
    click.option("--external-id", type=UTF8, help="Your id of an event, as it was given to add."),
    click.option("--source", type=click.Choice(SOURCES), help="From this source."),
    click.option("--speaker", type=UTF8, metavar="NAME", help="Said by this speaker."),
    click.option("--in-project", "project_", type=UTF8, metavar="NAME", help="Of this project alone."),
    click.option("--session", type=UTF8, metavar="NAME", help="Of this session."),
    click.option(
        "--since", type=UTF8, metavar="TIME",
        help="From this time on: when it was said, else recorded; also a day, month or year.",
    ),
    click.option("--until", type=UTF8, metavar="TIME", help="Up to the end of this time."),
    click.option("--query", type=UTF8, metavar="TEXT", help="Holds this text; case does not matter."),
    click.option("--all", "all_", is_flag=True, help="Everything in the scope; it stays usable."),
)  # fmt: skip
_NAMES: Final = (
    "event", "entry", "seq", "document", "external_id", "source", "speaker", "project", "session",
    "since", "until", "query", "all",
)  # fmt: skip
_OWN: Final = {"project": "project_", "all": "all_"}


def _parts(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the parts of a selector; they arrive as one mapping, `parts`."""

    @functools.wraps(function)
    def command(*args: Any, **given: Any) -> int:  # noqa: ANN401 - as click calls it
        found = {name: given.pop(_OWN.get(name, name)) for name in _NAMES}
        parts = {name: value for name, value in found.items() if value not in {None, False}}
        return function(*args, parts=parts, **given)

    made: Callable[..., int] = command
    for option in reversed(_PARTS):
        made = option(made)
    return made


@click.command()
@_parts
@click.option("--whole-user", is_flag=True, help="The whole folder of --user, all workspaces.")
@click.option("--dry-run", is_flag=True, help="Show what would go; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask; needed where no terminal is.")
@click.option(
    "--expect", type=UTF8, metavar="TOKEN", help="Only what the dry run with this token showed."
)
@click.option("--by", type=UTF8, metavar="NAME", help="Who asks for it; the receipt tells it.")
@click.option(
    "--receipt",
    "target",
    type=click.Path(),
    metavar="FILE",
    help="Write the receipt there too, as JSON.",
)
@click.option(
    "--verify",
    type=UTF8,
    metavar="RECEIPT",
    help="Look whether a receipt holds: its id, or a file.",
)
@click.option(
    "--text", type=UTF8, help="With --verify: search every file for this text too; - reads it."
)
@at_place
def forget(
    place: Place,
    /,
    *,
    verify: str | None,
    text: str | None,
    **given: Any,  # noqa: ANN401 - options
) -> int:
    """Forget for good what fits every option.

    Its text goes from the log, the documents, the index, every file and name below the data
    folder, and no rebuild, import or restored backup brings it back. It can't be undone: it lists
    what would go and asks first. A scan looks for pieces that are left; it ends with 4 when it
    finds some in files that are not ours.
    """
    if verify is not None:
        if given["parts"] or given["whole_user"]:
            raise click.UsageError("--verify looks at a receipt alone: leave the other options out")
        return _verify(place, verify, text)
    if text is not None:
        raise click.UsageError("--text goes with --verify; to forget by text take --query")
    if given.pop("whole_user"):
        return _wipe(place, given)
    if not given["parts"]:
        raise click.UsageError(
            "say what is to be forgotten: --entry, --event, --query ... (--project only chooses the "
            "memory; --in-project names what to forget)"
        )
    return _forget(place, given)


def _forget(place: Place, given: dict[str, Any]) -> int:
    parts, dry_run, expect, by = (given[name] for name in ("parts", "dry_run", "expect", "by"))
    paint = Paint.of(sys.stdout, os.environ)
    with place.open(dry=dry_run) as memory:
        if dry_run:
            shown = memory.selected(**parts)
            done = shown.preview
            for line in () if place.as_json else _page(shown, paint):
                say(line)
        else:
            if not given["yes"]:
                expect = _agreed(memory, parts, expect)
            done = memory.forget(expect=expect, by=by, **parts)
    _keep(given["target"], done.to_dict())
    if place.as_json:
        say_json(done.to_dict())
    else:
        for line in forgotten_lines(done, paint):
            say(line)
    return NEEDS_REVIEW if done.left else OK


def _page(shown: Selected, paint: Paint) -> Iterator[str]:
    for entry in shown.entries:
        place = entry.document_id or ""
        first, *more = entry_lines(entry, paint)
        yield f"{first}  {paint.faint(place)}"
        yield from more
    if shown.more:
        yield f"  ... and {many(shown.more, 'line')} more"


def _agreed(memory: Memory, parts: dict[str, Any], expect: str | None) -> str:
    """List what would go, and ask; gives the token of what was shown."""
    if not _is_terminal():
        raise click.UsageError(
            "nothing was forgotten: there is no terminal to ask on; look with --dry-run, then give --yes"
        )
    shown = memory.selected(limit=_SHOWN, **parts)
    paint = Paint.of(sys.stderr, os.environ)
    for line in _page(shown, paint):
        click.echo(line, err=True)
    preview = shown.preview
    what = f"{many(len(preview.seqs), 'entry')} of {many(len(preview.events), 'event')}"
    click.confirm(f"Forget {what} for good?", err=True, abort=True)
    return expect or preview.token


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _keep(target: str | None, receipt: dict[str, Any]) -> None:
    """Write a receipt where it is asked for; nothing is ever replaced."""
    if target is not None:
        from memoranda.store.files import Files  # noqa: PLC0415 - start-up time

        path = Path(target).absolute()
        data = json.dumps(receipt, ensure_ascii=False, indent=2).encode() + b"\n"
        if not Files(path.parent).create(path, data):
            raise click.UsageError(f"{target} exists already; the receipt is printed, not written")


def _verify(place: Place, receipt: str, text: str | None) -> int:
    given = _read(receipt) if receipt.endswith(".json") else receipt
    with place.open(dry=True) as memory:
        found = memory.verify_forgotten(given, text=None if text is None else given_text(text))
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in verified_lines(found, Paint.of(sys.stdout, os.environ)):
            say(line)
    return OK if found.ok else NEEDS_REVIEW


def _read(name: str) -> Any:  # noqa: ANN401 - parsed JSON
    from memoranda.store.files import Files  # noqa: PLC0415 - start-up time

    path = Path(name).absolute()
    data = Files(path.parent).read(path)
    try:
        found = json.loads(data or b"")
        if "forget_id" in found:
            return found
    except (ValueError, TypeError):
        pass
    raise click.UsageError(f"{name} is no receipt of a forgetting")


def _wipe(place: Place, given: dict[str, Any]) -> int:
    from memoranda.memory.wiping import forget_user  # noqa: PLC0415 - start-up time

    source = click.get_current_context().get_parameter_source("user")
    if given["parts"] or source is not ParameterSource.COMMANDLINE:
        raise click.UsageError(
            "--whole-user takes --user NAME on the command line, and nothing else"
        )
    look = forget_user(place.root, user=place.user, dry_run=True, by=given["by"])
    if not given["dry_run"] and not given["yes"]:
        if not _is_terminal():
            raise click.UsageError("nothing was forgotten: give --yes where no terminal is")
        for line in wiped_lines(look):
            click.echo(line, err=True)
        click.confirm(f"Take away all of {place.user!r} for good?", err=True, abort=True)
    done = look if given["dry_run"] else forget_user(place.root, user=place.user, by=given["by"])
    _keep(given["target"], done.to_dict())
    if place.as_json:
        say_json(done.to_dict())
    else:
        for line in wiped_lines(done):
            say(line)
    return NEEDS_REVIEW if done.left else OK


@click.command()
@at_place
def receipts(place: Place) -> int:
    """List receipts of forgetting, newest first.

    They hold numbers and times, and no word of what is gone.
    """
    with place.open(dry=True) as memory:
        found = memory.receipts()
    if place.as_json:
        say_json([receipt.to_dict() for receipt in found])
    else:
        for line in receipt_rows(found):
            say(line)
    return OK


COMMANDS: Final[tuple[click.Command, ...]] = (forget, receipts)
