"""Commands that look things up: grep, read, facts, events, documents."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import NOT_FOUND, OK
from memoranda.cli.filters import filters, known_at, times
from memoranda.cli.pages import document_lines, entry_lines, many, place_of
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint, one_line, runs
from memoranda.cli.streams import UTF8, note, say, say_json, words
from memoranda.text.visible import show as safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memoranda.memory import Memory
    from memoranda.read.filters import Filters
    from memoranda.read.tools.results import EventHit, Fact, Found, Match
    from memoranda.values import Entry

limit = click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most N of them.")


def _paint() -> Paint:
    return Paint.of(sys.stdout, os.environ)


def _files(memory: Memory, place: Place, *when: str | None) -> dict[str, str]:
    """Name the files of documents; none for an earlier time: they tell of now."""
    if place.as_json or any(when):
        return {}
    return {document.document_id: document.file for document in memory.documents()}


def _end(found: Found, number: int) -> int:
    """Tell what was left out, or what to try; give the exit code."""
    if found.note:
        note(found.note)
    return OK if number else NOT_FOUND


@click.command()
@click.argument("pattern", type=UTF8)
@click.option(
    "--in-document",
    type=UTF8,
    metavar="DOC",
    help="In this document: id, title, file name, or CURRENT.",
)
@click.option("-i", "--ignore-case", is_flag=True, help="Upper and lower case are the same.")
@limit
@known_at
@at_place
def grep(
    place: Place,
    *,
    pattern: str,
    in_document: str | None,
    ignore_case: bool,
    limit: int | None,
    known_at: str | None,
) -> int:
    """Find every line that matches a pattern.

    PATTERN is a regular expression as RE2 has it, which needs the extra memoranda[grep]. What it
    can't read is searched as it is written. Replaced and retracted lines are marked. Exit code 3 if
    there is none.
    """
    with place.open() as memory:
        found = memory.grep(
            pattern,
            document=in_document,
            ignore_case=ignore_case,
            limit=limit,
            known_at=known_at,
        )
        files = _files(memory, place, known_at)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for match in found.matches:
            say(_match_line(match, files, _paint()))
    if found.why_literal:
        note(f"searched as it is written: {found.why_literal}")
    return _end(found, found.total)


def _match_line(match: Match, files: Mapping[str, str], paint: Paint) -> str:
    entry = match.entry
    at = place_of(match.document_id, files.get(match.document_id), entry.lines)
    who = entry.source + (f" {one_line(entry.speaker)}" if entry.speaker else "")
    signature = f"{runs(entry.seqs)}  {entry.time or 'undated'}  {who}"
    text = _painted(match, paint)
    return f"{paint.mark(at)}  {paint.faint(signature)}  {text}{paint.warn(_state(entry))}"


def _painted(match: Match, paint: Paint) -> str:
    """Give the snippet with the places that match painted, where it is the whole text."""
    text = match.entry.text
    if match.snippet != text:
        return one_line(match.snippet)
    parts, at = [], 0
    for start, end in match.spans:
        parts += [one_line(text[at:start]), paint.strong(one_line(text[start:end]))]
        at = end
    return "".join([*parts, one_line(text[at:])])


def _state(entry: Entry) -> str:
    told = []
    if entry.superseded_by is not None:
        told.append(f"outdated, replaced by {entry.superseded_by}")
    if entry.retracted:
        told.append("retracted")
    return f"  ({'; '.join(told)})" if told else ""


@click.command()
@click.argument("document", metavar="DOC", type=UTF8)
@click.argument("first", type=click.IntRange(min=1), default=1, required=False)
@click.argument("last", type=click.IntRange(min=1), required=False)
@known_at
@at_place
def read(place: Place, *, document: str, first: int, last: int | None, known_at: str | None) -> int:
    """Print lines of a document with numbers.

    DOC is its id, title or file name, or CURRENT. Without LAST, 200 lines from FIRST on.
    """
    with place.open() as memory:
        found = memory.read_lines(document, first, last, known_at=known_at)
    if place.as_json:
        say_json(found.to_dict())
    else:
        paint = _paint()
        for number, line in enumerate(found.lines, start=found.first):
            say(f"{paint.faint(f'{number:>5}')}  {safe(line)}")
    return _end(found, len(found.lines))


@click.command()
@words("subject")
@click.option("--attribute", type=UTF8, metavar="NAME", help="What of it, such as: port, lives in.")
@times
@at_place
def facts(
    place: Place,
    *,
    subject: str,
    attribute: str | None,
    known_at: str | None,
    true_at: str | None,
) -> int:
    """Show what holds now of a subject.

    What holds, since when, who said it, what it replaced, and what else claims to hold. Exit code 3
    if nothing is known.
    """
    with place.open() as memory:
        found = memory.facts(subject, attribute, known_at=known_at, true_at=true_at)
        files = _files(memory, place, known_at, true_at)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for fact in found.facts:
            for line in _fact_lines(fact, files, _paint()):
                say(line)
    return _end(found, found.total)


def _fact_lines(fact: Fact, files: Mapping[str, str], paint: Paint) -> Iterator[str]:
    entry = fact.entry
    name = entry.document_id or ""
    at = paint.mark(place_of(name, files.get(name), entry.lines))
    key = f"  {paint.faint(one_line(fact.key.removeprefix('- / ')))}" if fact.key else ""
    yield f"{paint.strong(one_line(fact.value))}  since {fact.since}  {at}{key}"
    yield from entry_lines(entry, paint)
    if fact.competing:
        yield "      " + paint.warn("holds as well; which is right is open:")
    for other in fact.competing:
        yield from entry_lines(other, paint, indent="      ")
    if fact.earlier:
        yield "      " + paint.faint("was:")
    for older in fact.earlier:
        yield from entry_lines(older, paint, indent="      ")


@click.command()
@words("query")
@limit
@known_at
@filters
@at_place
def events(
    place: Place, *, query: str, limit: int | None, known_at: str | None, only: Filters
) -> int:
    """Search the log, word for word.

    Also what no document holds. Exit code 3 if there is none.
    """
    with place.open() as memory:
        found = memory.events(query, limit=limit, known_at=known_at, **only)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for hit in found.hits:
            for line in _event_lines(hit, _paint()):
                say(line)
    return _end(found, found.total)


def _event_lines(hit: EventHit, paint: Paint) -> Iterator[str]:
    event = hit.event
    who = event.source + (f" {one_line(event.speaker)}" if event.speaker else "")
    parts = [f"event {one_line(event.event_id)}", event.time or f"recorded {event.recorded}", who]
    if event.project:
        parts.append(f"#{one_line(event.project)}")
    if hit.seqs:
        parts.append(f"entry {runs(hit.seqs)}")
    past = [
        f"{what} {runs(seqs)}"
        for what, seqs in (("outdated", hit.outdated), ("retracted", hit.retracted))
        if seqs
    ]
    told = paint.warn(f"  ({'; '.join(past)})") if past else ""
    yield paint.faint("  ".join(parts)) + told
    for line in safe(hit.snippet).split("\n"):
        yield "  " + line


@click.command()
@click.argument("query", nargs=-1, type=UTF8)
@click.option("--page", type=click.IntRange(min=1), default=1, help="The page, from 1 on.")
@click.option("--in-project", type=UTF8, metavar="NAME", help="Of this project alone.")
@known_at
@at_place
def documents(
    place: Place,
    *,
    query: tuple[str, ...],
    page: int,
    in_project: str | None,
    known_at: str | None,
) -> int:
    """Show a page of the catalog.

    With QUERY only the documents whose title or summary names a word of it. Exit code 3 if there is
    none.
    """
    with place.open() as memory:
        found = memory.list_documents(
            page=page, query=" ".join(query) or None, project=in_project, known_at=known_at
        )
    if place.as_json:
        say_json(found.to_dict())
    else:
        for info in found.documents:
            for line in document_lines(info, _paint()):
                say(line)
        if found.pages > 1:
            say(f"page {found.page} of {found.pages}, {many(found.total, 'document')}")
    return _end(found, found.total)


COMMANDS: Final[tuple[click.Command, ...]] = (grep, read, facts, events, documents)
