"""The command that searches bytes: scan."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from memoranda.cli.failures import FAILED, NOT_FOUND, OK
from memoranda.cli.pages import many
from memoranda.cli.shown import one_line
from memoranda.cli.streams import UTF8, given_text, note, say, say_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memoranda.store.scan import ScanHit, Scanned

_HEAD: Final = ("FILE", "WHERE", "FORM", "COUNT", "PIECE")


@click.command()
@click.argument("text", nargs=-1, type=UTF8)
@click.option(
    "--whole", is_flag=True, help="Look for whole lines only: common words are everywhere."
)
@click.option(
    "--root",
    envvar="MEMORANDA_ROOT",
    show_envvar=True,
    type=click.Path(),
    help="Folder of all memories.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def scan(*, text: tuple[str, ...], whole: bool, root: str | None, as_json: bool) -> int:
    r"""Look for a text in every byte.

    Searches every file and name of all memories below the root, and documents kept elsewhere, for
    the lines of TEXT, its words and parts of its words, in every form they may have: encodings,
    escapes, base64, packed, in the vocabulary of an index. Several words are joined by blanks.
    Without TEXT, or with `-`, the text comes from standard input. Prefer that: a text given as an
    argument stays in the history of the shell. Opens no memory and writes nothing.

    \b
    Exit codes: 0 found, 3 found nowhere, 1 found nowhere, but
    something could not be read.
    """
    from memoranda.store.kept import kept_in  # noqa: PLC0415 - start-up time
    from memoranda.store.scan import everywhere  #  noqa: PLC0415 - start-up time
    from memoranda.store.scan import scan as search  # noqa: PLC0415 - start-up time
    from memoranda.store.scope import data_root  # noqa: PLC0415 - start-up time

    wanted = given_text(" ".join(text) or "-")
    roots, unknown = everywhere(data_root(root, os.environ))
    found = search(roots, [wanted], whole=whole, kept=kept_in([wanted], ()))
    if not found.forms:
        raise click.UsageError(
            "the text holds no line of eight letters, or only words that our own files are full of"
        )
    found = replace(found, unread=(*unknown, *found.unread))
    if as_json:
        say_json(found.to_dict())
    else:
        _show(found)
    _tell(found)
    if found.hits:
        return OK
    return FAILED if found.unread else NOT_FOUND


def _show(found: Scanned) -> None:
    rows = [_HEAD, *map(_row, found.hits)] if found.hits else []
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _row(hit: ScanHit) -> Sequence[str]:
    return (one_line(hit.file), hit.where, hit.form, str(hit.count), one_line(hit.piece))


def _tell(found: Scanned) -> None:
    looked = f"{many(found.files, 'file')} and {many(found.bytes, 'byte')} searched"
    places = len({hit.file for hit in found.hits})
    note(f"{looked}; found in {many(places, 'file')}" if places else f"{looked}; found nowhere")
    for line in found.not_searched:
        note(f"too short to be looked for: {line}")
    for link in found.links:
        note(f"a link was not followed: {link}")
    for unread in found.unread:
        note(f"could not be read: {unread}")


COMMANDS: Final = (scan,)
