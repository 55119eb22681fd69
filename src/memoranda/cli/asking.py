"""Commands that answer, and show what an answer stands on: ask, cite."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import NOT_FOUND, OK
from memoranda.cli.filters import filters, times
from memoranda.cli.pages import answer_lines
from memoranda.cli.place import Place, at_place, with_model
from memoranda.cli.shown import Paint
from memoranda.cli.streams import note, say, say_json, words
from memoranda.cli.traces import cited_lines, end_lines, hop_lines, round_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.answers import Answer, ReaderName, Round
    from memoranda.read.filters import Filters

READERS: Final = ("lexical", "summary", "hybrid", "agentic")


@click.command()
@words("question")
@click.option(
    "--reader",
    type=click.Choice(READERS),
    help="Who reads; default agentic with a model, lexical without.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="At most so many tokens of evidence.",
)
@click.option(
    "--deadline",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Answer in so many seconds with what there is.",
)
@click.option("--trace", is_flag=True, help="Show each round of the reader as it comes.")
@with_model
@times
@filters
@at_place
def ask(  # noqa: PLR0913 - one flag each
    place: Place,
    *,
    question: str,
    reader: ReaderName | None,
    budget: int,
    deadline: float | None,
    known_at: str | None,
    true_at: str | None,
    trace: bool,
    only: Filters,
) -> int:
    """Answer with quotes and citations.

    With a model it reads and answers; what it says is checked against the lines that it cites. Exit
    code 3 if the answer is not known.
    """
    live = Paint.of(sys.stdout, os.environ) if trace and not place.as_json else None
    with place.open() as memory:
        answer = _asked(
            memory.ask_events(
                question,
                reader=reader,
                budget=budget,
                deadline=deadline,
                known_at=known_at,
                true_at=true_at,
                **only,
            ),
            live,
        )
        files = {document.document_id: document.file for document in memory.documents()}
    if place.as_json:
        say_json(answer.to_dict())
    else:
        _say(answer, files, trace=trace)
    return OK if answer.known else NOT_FOUND


def _asked(events: Iterator[Round | Answer], live: Paint | None) -> Answer:
    """Wait for the answer; show the rounds as they come, if they are wanted."""
    from memoranda.answers import Answer  # noqa: PLC0415 - start-up time

    for item in events:
        if isinstance(item, Answer):
            return item
        for line in round_lines(item, live) if live else ():
            say(line)
        sys.stdout.flush()
    raise AssertionError("the last event is the answer")


def _say(answer: Answer, files: dict[str, str], *, trace: bool) -> None:
    paint = Paint.of(sys.stdout, os.environ)
    if trace and answer.trace is not None:
        for line in (*end_lines(answer, paint), ""):
            say(line)
    for line in answer_lines(answer, files, paint):
        say(line)
    if answer.hops:
        for line in ("", *hop_lines(answer.hops, paint)):
            say(line)
    if answer.verify:
        say(paint.warn(f"Verify at the source before use: {', '.join(answer.verify)}."))
    if answer.partial:
        note("the result is partial")


@click.command()
@words("citation")
@at_place
def cite(place: Place, *, citation: str) -> int:
    """Show what a citation names.

    As it stood there then, and what has become of it: CITATION is that of an answer, such as
    d3@41:12-14. Exit code 3 if there is no such thing.
    """
    with place.open() as memory:
        found = memory.resolve(citation)
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in cited_lines(found, Paint.of(sys.stdout, os.environ)):
            say(line)
    return OK


COMMANDS: Final[tuple[click.Command, ...]] = (ask, cite)
