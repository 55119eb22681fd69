"""The command that measures: metrics."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from memoranda.cli.failures import NEEDS_REVIEW, OK
from memoranda.cli.place import Place, at_place
from memoranda.cli.shown import Paint, one_line
from memoranda.cli.streams import UTF8, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memoranda.measures import Metrics

POINTS: Final = 8
"""Positions in a picture, unless told otherwise."""


@click.command()
@click.option(
    "--min", "least", multiple=True, type=UTF8, metavar="NAME=X", help="The least that will do."
)
@click.option(
    "--max", "most", multiple=True, type=UTF8, metavar="NAME=X", help="The most that will do."
)
@click.option(
    "--over", type=click.IntRange(min=2), metavar="N", help="Measure N positions of the log too."
)
@click.option(
    "--svg", type=click.Path(dir_okay=False), metavar="FILE", help="Draw them into this new file."
)
@click.option(
    "--questions",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Labelled questions, one JSON object a line: question, evidence.",
)
@click.option("--label", type=UTF8, metavar="FIELD", help="Metadata that tells an event's topic.")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Lines, pairs and blocks to look at where a figure needs searches.",
)
@at_place
def metrics(place: Place, /, **asked: Any) -> int:  # fmt: skip # noqa: ANN401
    """Measure the memory: ten figures.

    coverage, revision, retention, purity, fragment, drift, cost, deletion, backlog and replay, from
    the log and its receipts; docs/metrics.md says what each means. Limits are given as
    --min coverage=0.9 and --max backlog=5, or in the setting metric_limits; the exit code is 4 when
    one is not kept. Nothing is changed, and no model is asked.
    """
    limits = ",".join(
        [
            *(_limit(text, ">=") for text in asked["least"]),
            *(_limit(text, "<=") for text in asked["most"]),
        ]
    )
    points = asked["over"] or (POINTS if asked["svg"] else 0)
    questions = _questions(asked["questions"]) if asked["questions"] else ()
    with place.open() as memory:
        found = memory.metrics(
            questions=questions,
            label=asked["label"],
            sample=asked["sample"],
            points=points,
            limits=limits,
        )
    if asked["svg"]:
        _draw(found, asked["svg"])
    if place.as_json:
        say_json(found.to_dict())
    else:
        for line in _lines(found, Paint.of(sys.stdout, os.environ)):
            say(line)
    for limit in found.missed:
        note(f"not kept: {limit}")
    return NEEDS_REVIEW if found.missed else OK


def _limit(text: str, sign: str) -> str:
    name, equals, bound = text.partition("=")
    return f"{name}{sign}{bound}" if equals else text


def _questions(file: str) -> list[Any]:
    """Read labelled questions.

    Raises:
        InputError: the file can't be read, or a line is no JSON object.
    """
    from memoranda.errors import InputError  # noqa: PLC0415 - start-up time
    from memoranda.store.files import Files, real  # noqa: PLC0415

    path = real(Path(file))
    data = Files(path.parent).read(path)
    if data is None:
        raise InputError(f"{path} is not there")
    found = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        try:
            item = json.loads(line) if line.strip() else None
        except ValueError:
            item = ""
        if item is not None and not isinstance(item, dict):
            raise InputError(f"{path}: line {number} is no JSON object")
        found += [item] if item is not None else []
    return found


def _draw(found: Metrics, file: str) -> None:
    from memoranda.cli.charts import svg  # noqa: PLC0415 - start-up time
    from memoranda.errors import InputError  # noqa: PLC0415
    from memoranda.store.files import Files, real  # noqa: PLC0415

    path = real(Path(file))
    if not Files(path.parent).create(path, svg(found).encode()):
        raise InputError(f"{path} is there already; name a new file")
    note(f"drawn into {path}")


def _lines(found: Metrics, paint: Paint) -> Iterator[str]:
    from memoranda.cli.charts import sparkline  # noqa: PLC0415 - start-up time
    from memoranda.measures import NAMES  # noqa: PLC0415

    for metric in found.metrics:
        value = "-" if metric.value is None else f"{metric.value:g}"
        line = f"{metric.name:10}{value:>9} {metric.unit:11}"
        if found.history:
            values = [point.values[metric.name] for point in found.history]
            line += f"{sparkline(values)}  "
        yield paint.strong(line.rstrip())
        yield paint.faint(f"  {NAMES[metric.name][0]}: {one_line(metric.text)}")
    if found.history:
        places = ", ".join(str(point.position) for point in found.history)
        yield paint.faint(f"over positions {places}")


COMMANDS: Final[tuple[click.Command, ...]] = (metrics,)
