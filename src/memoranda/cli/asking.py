"""The command that answers: ask."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import NOT_FOUND, OK
from memoranda.cli.filters import filters
from memoranda.cli.pages import answer_lines
from memoranda.cli.place import Place, at_place, with_model
from memoranda.cli.shown import Paint
from memoranda.cli.streams import UTF8, note, say, say_json, words
from memoranda.cli.traces import hop_lines, trace_lines

if TYPE_CHECKING:
    from memoranda.answers import Answer, ReaderName
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
@click.option("--known-at", type=UTF8, metavar="TIME", help="From what the log held at this time.")
@click.option(
    "--true-at", type=UTF8, metavar="TIME", help="From what was said to hold at this time."
)
@click.option("--trace", is_flag=True, help="Show how the answer came about.")
@with_model
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
    with place.open() as memory:
        answer = memory.ask(
            question,
            reader=reader,
            budget=budget,
            deadline=deadline,
            known_at=known_at,
            true_at=true_at,
            **only,
        )
        files = {document.document_id: document.file for document in memory.documents()}
    if place.as_json:
        say_json(answer.to_dict())
    else:
        _say(answer, files, trace=trace)
    return OK if answer.known else NOT_FOUND


def _say(answer: Answer, files: dict[str, str], *, trace: bool) -> None:
    paint = Paint.of(sys.stdout, os.environ)
    for line in answer_lines(answer, files, paint):
        say(line)
    if answer.hops:
        for line in ("", *hop_lines(answer.hops, paint)):
            say(line)
    if answer.verify:
        say(paint.warn(f"Verify at the source before use: {', '.join(answer.verify)}."))
    for line in ("", *trace_lines(answer, paint)) if trace else ():
        say(line)
    if answer.partial:
        note("the result is partial")


COMMANDS: Final[tuple[click.Command, ...]] = (ask,)
