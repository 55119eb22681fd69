"""Standard streams: UTF-8 in and out, whatever locale the process was given."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from memoranda.cli.shown import one_line
from memoranda.errors import TextError

if TYPE_CHECKING:
    from collections.abc import Callable

    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType  # generic in newer versions only


def speak_utf8() -> None:
    """Make standard output and error print UTF-8; a lone surrogate (of a file name) is escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def let_go() -> None:
    """Point standard output at nothing, so that a closed pipe is not met again at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = io.StringIO()


def given_text(argument: str) -> str:
    """Give an argument's text, reading standard input to its end, byte for byte, for `-`.

    Raises:
        TextError: standard input is not UTF-8; the message gives the byte's offset.
    """
    if argument != "-":
        return argument
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"it is not UTF-8 (byte 0x{data[error.start]:02x} at byte offset {error.start})"
        raise TextError("standard input", reason) from error


def say(text: str = "") -> None:
    """Print one line, or several, on standard output."""
    click.echo(text, color=True)


def say_exactly(text: str) -> None:
    """Write a text byte for byte; only a terminal gets the line break that is missing."""
    data = text.encode("utf-8")
    if sys.stdout.isatty() and not data.endswith(b"\n"):
        data += b"\n"
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def say_json(value: object, *, lines: bool = False) -> None:
    """Print a value as JSON: one line, indented on a terminal unless `lines` is set."""
    indent = 2 if sys.stdout.isatty() and not lines else None
    say(json.dumps(value, ensure_ascii=False, indent=indent))


def note(text: str) -> None:
    """Print one line about the work on standard error; what it quotes is escaped."""
    click.echo(f"memoranda: {one_line(text)}", err=True)


class Utf8(_ParamType):
    """Text from the command line or the environment: UTF-8 even under the C locale."""

    name = "text"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Undo the escapes that an ASCII locale puts for bytes; refuse what is no UTF-8."""
        text = str(value)
        if not any("\ud800" <= character <= "\udfff" for character in text):
            return text
        try:
            return os.fsencode(text).decode("utf-8")
        except UnicodeError as error:
            offset = getattr(error, "start", 0)
            self.fail(f"the text is not UTF-8 (at byte offset {offset})", param, ctx)


UTF8 = Utf8()


def words(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make an argument that takes one text; several words are joined by single spaces."""

    def joined(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> str:
        return " ".join(given)

    return click.argument(name, nargs=-1, required=True, type=UTF8, callback=joined)
