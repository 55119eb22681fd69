"""Commands that read: search, context, list, show, get, history, status."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, NOT_FOUND, OK
from memoranda.cli.filters import filters, times
from memoranda.cli.pages import (
    block_lines,
    change_line,
    document_lines,
    found_lines,
    many,
    status_lines,
)
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint, one_line
from memoranda.cli.streams import UTF8, note, say, say_exactly, say_json, words
from memoranda.text.visible import show as safe

if TYPE_CHECKING:
    from memoranda.memory import Memory
    from memoranda.read.filters import Filters

CURRENT: Final = "CURRENT"
budget = click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="At most so many tokens.",
)


def paint() -> Paint:
    """Give the colours of standard output."""
    return Paint.of(sys.stdout, os.environ)


def _files(memory: Memory) -> dict[str, str]:
    return {document.document_id: document.file for document in memory.documents()}


@click.command()
@words("query")
@budget
@times
@filters
@at_place
def search(
    place: Place,
    *,
    query: str,
    budget: int,
    known_at: str | None,
    true_at: str | None,
    only: Filters,
) -> int:
    """Find evidence, best first.

    Exit code 3 if there is none.
    """
    with place.open() as memory:
        found = memory.search(query, budget=budget, known_at=known_at, true_at=true_at, **only)
        files = {} if place.as_json else _files(memory)
    if place.as_json:
        say_json(found.to_dict())
    for line in () if place.as_json else found_lines(found, files, paint()):
        say(line)
    if not found.evidence:
        note("nothing found")
        return NOT_FOUND
    return OK


@click.command()
@words("query")
@budget
@times
@filters
@at_place
def context(
    place: Place,
    *,
    query: str,
    budget: int,
    known_at: str | None,
    true_at: str | None,
    only: Filters,
) -> int:
    """Print evidence as text for a prompt.

    Plain, fenced and dated; empty if there is none.
    """
    with place.open() as memory:
        text = memory.context(query, budget, known_at=known_at, true_at=true_at, **only)
    if place.as_json:
        say_json({"query": query, "budget": budget, "text": text})
    else:
        _say_text(text)
    return OK


def _say_text(text: str) -> None:
    """Write a text as it is; on a terminal without what could steer it."""
    say_exactly(safe(text) if sys.stdout.isatty() else text)


@click.command("list")
@at_place
def list_(place: Place) -> int:
    """List the topic documents."""
    with place.open() as memory:
        documents = memory.documents()
    if place.as_json:
        say_json([document.to_dict() for document in documents])
    else:
        for document in documents:
            for line in document_lines(document, paint()):
                say(line)
        if not documents:
            note("no documents yet")
    return OK


@click.command()
@click.argument("document", metavar="DOC", type=UTF8)
@at_place
def show(place: Place, *, document: str) -> int:
    """Print a document as it is on disk.

    DOC is its id, title or file name, or CURRENT for the entries not yet placed.
    """
    with place.open() as memory:
        if document == CURRENT:
            return _show_current(place, memory)
        view = memory.document(document)
    if place.as_json:
        say_json(view.to_dict())
    else:
        if view.note:
            note(one_line(view.note))
        _say_text(view.markdown)
    return OK


def _show_current(place: Place, memory: Memory) -> int:
    entries = memory.current()
    if place.as_json:
        rows = [entry.to_dict() for entry in entries]
        info: dict[str, Any] = {"document_id": CURRENT, "title": CURRENT, "entry_count": len(rows)}
        block = {"headings": [], "lines": None, "entries": rows}
        say_json({"header": info, "update_log": [], "blocks": [block] if rows else []})
    else:
        say(paint().strong(f"{CURRENT}: {many(len(entries), 'entry')} not yet placed"))
        for line in block_lines(entries, paint()):
            say(line)
    return OK


@click.command()
@click.argument("ref", type=UTF8)
@at_place
def get(place: Place, *, ref: str) -> int:
    """Print a text, byte for byte.

    REF is an entry's number, or an event's id, or your own id for it.
    """
    from memoranda.values import Entry  # noqa: PLC0415 - start-up time

    with place.open() as memory:
        found = memory.get(ref)
    if place.as_json:
        say_json(found.to_dict())
    else:
        if isinstance(found, Entry) and ref.isdecimal() and int(ref) != found.seq:
            note(f"entry {int(ref)} stands in the line of entry {found.seq}")
        say_exactly(found.text if isinstance(found, Entry) else found.content)
    return OK


class _KeyLast(click.Command):
    """Takes a key that begins with a dash as what it is, and not as an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        keys = [arg for arg in args if arg.startswith("- ")]
        if keys and "--" not in args:
            args = [*(arg for arg in args if arg not in keys), "--", *keys]
        return super().parse_args(ctx, args)


@click.command(cls=_KeyLast)
@click.argument("ref", type=UTF8)
@at_place
def history(place: Place, *, ref: str) -> int:
    """Tell the life of an entry, document or key.

    REF is an entry's number, a document's id, or a key as `facts` shows it.
    """
    with place.open() as memory:
        changes = memory.history(ref)
    if place.as_json:
        say_json([change.to_dict() for change in changes])
    else:
        for change in changes:
            say(change_line(change, paint()))
    return OK


@click.command()
@click.option("--check", is_flag=True, help="Exit with code 4 if a person must look at something.")
@at_place
def status(place: Place, *, check: bool) -> int:
    """Show how the memory stands.

    Counts, places, settings, and what is due, pending, failed or in conflict.
    """
    with place.open() as memory:
        found, waiting = memory.status(), memory.waiting()
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in status_lines(found, place.settings(os.environ), paint()):
            say(line)
    wanted = found.conflicts or found.failed or waiting
    return NEEDS_REVIEW if check and wanted else OK


COMMANDS: Final[tuple[click.Command, ...]] = (
    search,
    context,
    list_,
    show,
    get,
    history,
    status,
)
