"""The filters of search, ask and context as flags; they arrive as one mapping."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import click

from memoranda.cli.place import Decorator
from memoranda.cli.streams import UTF8
from memoranda.cli.writing import SENSITIVITIES, SOURCES


def _where(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> object:
    """Read metadata fields with their values; nothing stays nothing."""
    for item in given:
        if "=" not in item:
            raise click.BadParameter(f"{item!r} has no =; give KEY=VALUE", ctx, param)
    return dict(item.split("=", 1) for item in given) or None


_FILTERS: Final[tuple[Decorator, ...]] = (
    click.option(
        "--on", "only_on", type=UTF8, metavar="TIME",
        help="Said on this day, or a date in the text is; also a month or a year.",
    ),
    click.option("--since", "only_since", type=UTF8, metavar="TIME", help="From this time on."),
    click.option("--until", "only_until", type=UTF8, metavar="TIME", help="Up to the end of this time."),
    click.option(
        "--source", "only_source", type=click.Choice(SOURCES), multiple=True,
        help="From this source; may be repeated.",
    ),
    click.option(
        "--sensitivity", "only_sensitivity", type=click.Choice(SENSITIVITIES), multiple=True,
        help="Of this sensitivity; may be repeated.",
    ),
    click.option("--speaker", "only_speaker", type=UTF8, metavar="NAME", help="Said by this speaker."),
    click.option("--session", "only_session", type=UTF8, metavar="NAME", help="Of this session."),
    click.option(
        "--in-document", "only_document", type=UTF8, metavar="DOC",
        help="In this document: id, title, file name, or CURRENT.",
    ),
    click.option(
        "--in-project", "only_project", type=UTF8, metavar="NAME", help="Of this project alone.",
    ),
    click.option(
        "--where", "only_where", type=UTF8, multiple=True, metavar="KEY=VALUE", callback=_where,
        help="With this metadata; may be repeated.",
    ),
)  # fmt: skip
_FILTER_NAMES: Final = (
    "on", "since", "until", "source", "sensitivity", "speaker", "session", "document", "project",
    "where",
)  # fmt: skip


known_at: Final[Decorator] = click.option(
    "--known-at", type=UTF8, metavar="TIME", help="From what the log held at this time."
)
"""Gives a command the time at which the log is looked at."""
_TRUE_AT: Final[Decorator] = click.option(
    "--true-at", type=UTF8, metavar="TIME", help="From what was said to hold at this time."
)


def times(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the two times of a search: `known_at` and `true_at`."""
    return known_at(_TRUE_AT(function))


def filters(function: Callable[..., int]) -> Callable[..., int]:
    """Give a command the filters of a search; they arrive as one mapping, `only`."""

    @functools.wraps(function)
    def command(*args: Any, **given: Any) -> int:  # noqa: ANN401 - as click calls it
        only = {name: given.pop(f"only_{name}") for name in _FILTER_NAMES}
        return function(
            *args, only={k: v for k, v in only.items() if v is not None and v != ()}, **given
        )

    found: Callable[..., int] = command
    for option in reversed(_FILTERS):
        found = option(found)
    return found
