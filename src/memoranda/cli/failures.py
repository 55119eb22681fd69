"""Errors become one sentence and an exit code, here and nowhere else."""

from __future__ import annotations

from typing import Final

import click

from memoranda import errors
from memoranda.cli.shown import one_line

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
NOT_FOUND: Final = 3
NEEDS_REVIEW: Final = 4
INTERRUPTED: Final = 128 + 2
PIPE_CLOSED: Final = 128 + 13

CODES: Final[tuple[tuple[type[BaseException], int], ...]] = (
    (errors.InputError, USAGE),
    (click.UsageError, USAGE),
    (errors.NotFoundError, NOT_FOUND),
    (errors.ReviewNeededError, NEEDS_REVIEW),
    (click.Abort, INTERRUPTED),
    (KeyboardInterrupt, INTERRUPTED),
    (BrokenPipeError, PIPE_CLOSED),
    (errors.MemorandaError, FAILED),
    (click.ClickException, FAILED),
    (OSError, FAILED),
)
"""The first kind that fits gives the code; any other error is a fault of ours: a traceback."""

EXPECTED: Final = tuple(kind for kind, _ in CODES)


def code_of(error: BaseException) -> int:
    """Give the exit code of an expected error; FAILED for any other."""
    return next((code for kind, code in CODES if isinstance(error, kind)), FAILED)


def sentence(error: BaseException) -> str:
    """Give an expected error as one line that is safe to show; "" where silence is right."""
    match error:
        case BrokenPipeError():
            return ""
        case click.Abort() | KeyboardInterrupt():
            return "stopped"
        case click.UsageError():
            return one_line(error.format_message()) + _hint(error)
        case click.ClickException():
            return one_line(error.format_message())
        case OSError() if error.strerror:
            where = f"{error.filename}: " if error.filename else ""
            return one_line(f"{where}{error.strerror}")
        case _:
            return one_line(str(error))


def _hint(error: click.UsageError) -> str:
    if error.ctx is None or not error.ctx.command.get_help_option(error.ctx):
        return ""
    return f" (see '{error.ctx.command_path} --help')"
