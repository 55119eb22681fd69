"""Commands that write: init, add, import, correct, retract, consolidate, rebuild."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypedDict, Unpack

import click

from memoranda.cli.expiring import note_expired
from memoranda.cli.failures import FAILED, NEEDS_REVIEW, OK
from memoranda.cli.pages import (
    added_lines,
    echoes_line,
    many,
    receipt_line,
    receipts_line,
    secrets_line,
)
from memoranda.cli.place import Place, at_place, with_budget, with_mode, with_settings
from memoranda.cli.planning import note_waiting
from memoranda.cli.progress import progress
from memoranda.cli.shown import Paint
from memoranda.cli.streams import UTF8, given_text, note, say, say_json, words
from memoranda.cli.upkeep import estimate_lines, note_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memoranda.memory import Memory
    from memoranda.reports import Request
    from memoranda.values import Added, Proposal, Receipt

SOURCES: Final = ("user", "assistant", "tool", "external")
SENSITIVITIES: Final = ("public", "internal", "private")
SHOWN_MALFORMED: Final = 20
SHOWN_RECEIPTS: Final = 3
_CHUNK: Final = 1 << 20


class About(TypedDict):
    """What may be said of an event beside its text."""

    source: Any
    speaker: str | None
    time: str | None
    id: str | None
    session: str | None
    sensitivity: Any


def note_receipts(receipts: Sequence[Receipt]) -> None:
    """Say on standard error which consolidations ran by themselves; many of them in one line."""
    if len(receipts) > SHOWN_RECEIPTS:
        note(f"{receipts_line(receipts)}; see 'memoranda log --kind plan'")
        return
    for receipt in receipts:
        note(receipt_line(receipt))


def asked_of(memory: Memory, ids: Sequence[str]) -> tuple[Request, ...]:
    """Give the requests to forget that came with what was added."""
    found = memory.asked() if ids and memory.sees_all else ()
    return tuple(item for item in found if item.request_id in ids)


def note_asked(asked: tuple[Request, ...]) -> None:
    """Say on standard error what came of requests to forget, if any came."""
    from memoranda.cli.asked import asked_lines  # noqa: PLC0415 - start-up time

    for line in asked_lines(asked):
        note(line)


def note_secrets(secrets: Sequence[tuple[str, int]]) -> None:
    """Say on standard error which secrets were not stored, if any was given."""
    if secrets:
        note(secrets_line(secrets))


@click.command()
@at_place
def init(place: Place) -> int:
    """Create a memory.

    Makes its folder and database; an existing one is left as it is.
    """
    with place.open() as memory:
        status = memory.status()
    if place.as_json:
        say_json(status.to_dict())
    else:
        say(f"ready: {status.folder}")
    return OK


def _metadata(ctx: click.Context, param: click.Parameter, pairs: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise click.BadParameter(f"{pair!r} is not KEY=VALUE", ctx, param)
        if key in found:
            raise click.BadParameter(f"{key!r} is given twice", ctx, param)
        found[key] = value
    return found


@click.command()
@words("text")
@click.option("--source", type=click.Choice(SOURCES), default="user", show_default=True)
@click.option("--speaker", type=UTF8, help="Who said it.")
@click.option("--time", type=UTF8, help="When it was said: ISO 8601 with an offset, or a date.")
@click.option("--id", type=UTF8, help="Your id; adding it again changes nothing.")
@click.option("--session", type=UTF8, help="The conversation it belongs to.")
@click.option(
    "--sensitivity",
    type=click.Choice(SENSITIVITIES),
    help="Default internal, or the clearance where that is lower.",
)
@click.option(
    "--meta", "metadata", type=UTF8, multiple=True, metavar="KEY=VALUE", callback=_metadata
)
@with_settings
@at_place
def add(place: Place, *, text: str, metadata: dict[str, str], **about: Unpack[About]) -> int:
    """Add one event.

    TEXT is its content; several words are joined by single spaces. `-` reads standard input to
    its end: UTF-8, kept byte for byte. A text that begins with a hyphen goes after `--`.
    Prints the numbers of the new entries and the event's id, once it is on disk.
    """
    content = given_text(text)
    with place.open() as memory:
        added = memory.add(content, metadata=metadata, **about)
        asked = asked_of(memory, added.asked)
    return _report_added(place, added, asked)


def _report_added(place: Place, added: Added, asked: tuple[Request, ...] = ()) -> int:
    if place.as_json:
        say_json(added.to_dict())
    else:
        for line in added_lines(added):
            say(line)
    note_secrets(added.secrets)
    note_asked(asked)
    note_receipts(added.receipts)
    note_waiting(added.waiting)
    return NEEDS_REVIEW if any(item.state == "waiting" for item in asked) else OK


@contextmanager
def _lines_of(file: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """Open a file, or standard input for `-`; give it and its number of lines, if known."""
    if file == "-":
        yield sys.stdin.buffer, None
        return
    from memoranda.store.files import opened  # noqa: PLC0415 - loads the store

    with opened(Path(file)) as stream:
        total = None
        if stream.seekable():
            total = _count_lines(stream)
            stream.seek(0)
        yield stream, total


def _count_lines(stream: BinaryIO) -> int:
    lines, last = 0, b"\n"
    while chunk := stream.read(_CHUNK):
        lines += chunk.count(b"\n")
        last = chunk[-1:]
    return lines + (last != b"\n")


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--format", "form", type=click.Choice(["jsonl"]), default="jsonl", show_default=True)
@with_settings
@at_place
def import_(place: Place, *, file: str, form: str) -> int:  # noqa: ARG001 - one format so far
    """Import events from a file.

    FILE (`-` for standard input) holds one JSON object a line: content, and if known id (which
    makes a second import harmless), source, speaker, time, session, project, sensitivity, meta.
    Malformed lines are named by number and skipped; the exit code is 1 if there was any.
    """
    with (
        place.open() as memory,
        _lines_of(file) as (lines, total),
        progress("importing", "lines") as tick,
    ):
        done = memory.import_lines(lines, progress=lambda count: tick(count, total))
        asked = asked_of(memory, done.asked)
    for number, reason in done.malformed[:SHOWN_MALFORMED]:
        note(f"line {number}: {reason}")
    if (more := len(done.malformed) - SHOWN_MALFORMED) > 0:
        note(f"and {more:,} more malformed lines")
    if place.as_json:
        say_json(done.to_dict())
    else:
        bad = len(done.malformed)
        say(
            f"imported {many(done.added, 'event')}; {done.known:,} known already; {bad:,} malformed"
        )
        if done.forgotten:
            say(f"{many(done.forgotten, 'event')} forgotten before, not stored again")
        if done.echoes:
            say(echoes_line(done.echoes))
    note_secrets(done.secrets)
    note_asked(asked)
    note_receipts(done.receipts)
    note_waiting(done.waiting)
    if done.malformed:
        return FAILED
    return NEEDS_REVIEW if any(item.state == "waiting" for item in asked) else OK


@click.command()
@click.argument("seq", type=click.IntRange(min=1))
@words("text")
@click.option("--time", type=UTF8, help="When it was said: ISO 8601 with an offset, or a date.")
@with_settings
@at_place
def correct(place: Place, *, seq: int, text: str, time: str | None) -> int:
    """Replace an entry by a new one.

    TEXT (`-` for standard input) is what holds now; the wording of SEQ is kept and linked.
    """
    content = given_text(text)
    with place.open() as memory:
        added = memory.correct(seq, content, time=time)
        asked = asked_of(memory, added.asked)
    return _report_added(place, added, asked)


@click.command()
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--reason", type=UTF8, default="", help="Why; kept in the log.")
@click.option("--by", type=UTF8, metavar="NAME", help="Who asks for it; the log tells it.")
@at_place
def retract(place: Place, *, seq: int, reason: str, by: str | None) -> int:
    """Withdraw an entry.

    SEQ is no longer shown as holding; what it replaced is current again.
    """
    with place.open() as memory:
        receipt = memory.retract(seq, reason=reason, by=by)
    if place.as_json:
        say_json(receipt.to_dict())
    else:
        say(f"retracted seq {seq}")
        say(receipt_line(receipt))
    return OK


@click.command()
@click.option(
    "--dry-run", is_flag=True, help="Show the draft and the next plan as a diff; change nothing."
)
@click.option("--diff", is_flag=True, help="Show each plan as a diff as it is applied.")
@with_mode
@with_budget
@with_settings
@at_place
def consolidate(place: Place, *, dry_run: bool, diff: bool) -> int:
    """Place CURRENT in topic documents.

    The exit code is 4 when plans wait for a decision afterwards: see `memoranda plan`.
    """
    if diff and place.as_json:
        raise click.UsageError("--diff is for people; take it or --json")
    with place.open(dry=dry_run) as memory:
        if dry_run:
            return _dry_run(place, memory)
        receipts = _consolidate_shown(memory) if diff else _consolidate(memory)
        waiting, run, gone = memory.waiting(), memory.last_run, memory.last_expiry
    if place.as_json:
        say_json([receipt.to_dict() for receipt in receipts])
    elif not receipts:
        say(_nothing(place, left=bool(waiting) or bool(run and run.stopped)))
    for receipt in () if place.as_json or diff else receipts:
        say(receipt_line(receipt))
    note_expired(gone)
    note_run(run)
    note_waiting(waiting)
    if run is not None and run.stopped:
        return FAILED
    return NEEDS_REVIEW if waiting else OK


def _nothing(place: Place, *, left: bool) -> str:
    if place.settings(os.environ).mode == "shadow":
        return "nothing was changed; see 'memoranda plan list --state shadow'"
    return "nothing was placed" if left else "nothing to consolidate: CURRENT is empty"


def _dry_run(place: Place, memory: Memory) -> int:
    proposal, estimate = memory.propose(), memory.estimate()
    if estimate is not None:
        for line in estimate_lines(estimate, memory.status().model):
            note(line)
    if place.as_json:
        say_json(proposal.to_dict() if proposal else None)
    elif proposal is None:
        say("nothing to consolidate: no plan is to be made of CURRENT")
    else:
        _show(proposal)
    return OK


def _consolidate(memory: Memory) -> tuple[Receipt, ...]:
    with progress("consolidating", "entries") as tick:
        return memory.consolidate(progress=tick)


def _consolidate_shown(memory: Memory) -> tuple[Receipt, ...]:
    return memory.consolidate(watch=_show)


def _show(proposal: Proposal) -> None:
    from memoranda.cli.diffs import proposal_lines  # noqa: PLC0415 - start-up time

    for line in proposal_lines(proposal, Paint.of(sys.stdout, os.environ)):
        say(line)
    say()


@click.command()
@at_place
def rebuild(place: Place) -> int:
    """Make everything derived anew from the log.

    Deletes views, index and Markdown files, makes them again, and prints their state hash.
    """
    with place.open() as memory, progress("rebuilding", "records") as tick:
        done = memory.rebuild(progress=tick)
    if place.as_json:
        say_json(done.to_dict())
    else:
        say(
            f"rebuilt {many(done.documents, 'document')} with {many(done.entries, 'entry')}"
            f" from {many(done.records, 'record')}"
        )
        say(f"state {done.state}")
    return OK


COMMANDS: Final[tuple[click.Command, ...]] = (
    init,
    add,
    import_,
    correct,
    retract,
    consolidate,
    rebuild,
)
