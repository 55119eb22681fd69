"""The command `memoranda`: its commands in the order of their use, and how it ends."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from memoranda import __version__
from memoranda.cli import (
    asked,
    asking,
    auditing,
    care,
    editing,
    expiring,
    failures,
    forgetting,
    hosting,
    inspecting,
    looking,
    marking,
    metrics,
    planning,
    reading,
    scanning,
    serving,
    upkeep,
    writing,
)
from memoranda.cli.streams import let_go, note, speak_utf8

if TYPE_CHECKING:
    from collections.abc import Sequence

_EPILOG = """\
\b
Each command takes its options after its name; many can come from the
environment (MEMORANDA_ROOT, MEMORANDA_USER, MEMORANDA_PROJECT ...), as can
every setting (MEMORANDA_CURRENT_TOKENS, MEMORANDA_AUTO ...). Settings can
also stand in a file, memoranda.toml, in the folder of all memories.

\b
Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 nothing found,
4 needs review.

\b
Completion: eval "$(_MEMORANDA_COMPLETE=bash_source memoranda)"
(zsh_source, fish_source likewise).
"""


class Program(click.Group):
    """A group whose commands return their exit code, and whose errors are one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Keep the order of use."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> int:
        """Run a command; a reader that leaves early ends it quietly."""
        try:
            code = super().invoke(ctx)
        except BrokenPipeError:
            let_go()
            return failures.PIPE_CLOSED
        return code if isinstance(code, int) else failures.OK

    def main(  # type: ignore[override]
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        **extra: Any,  # noqa: ANN401 - as click has it
    ) -> NoReturn:
        """Run the command line and leave with its exit code; text arguments are never globbed."""
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        extra |= {"standalone_mode": False, "windows_expand_args": False}
        speak_utf8()
        try:
            code = super().main(given, prog_name or "memoranda", **extra)
            sys.stdout.flush()
        except failures.EXPECTED as error:
            code = failures.code_of(error)
            _report(error)
        sys.exit(code)


def _report(error: BaseException) -> None:
    if isinstance(error, BrokenPipeError):
        let_go()
    said = failures.sentence(error)
    with contextlib.suppress(BrokenPipeError):
        if said:
            note(said)


@click.group(cls=Program, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="memoranda %(version)s", help="Print the version.")
def program() -> None:
    """Long-term memory as readable topic documents over an append-only log."""


for _command in (
    *writing.COMMANDS,
    *marking.COMMANDS,
    *planning.COMMANDS,
    *upkeep.COMMANDS,
    *forgetting.COMMANDS,
    *asked.COMMANDS,
    *expiring.COMMANDS,
    *asking.COMMANDS,
    *reading.COMMANDS,
    *looking.COMMANDS,
    *inspecting.COMMANDS,
    *scanning.COMMANDS,
    *auditing.COMMANDS,
    *editing.COMMANDS,
    *metrics.COMMANDS,
    *care.COMMANDS,
    *inspecting.ARCHIVES,
    *serving.COMMANDS,
    *hosting.COMMANDS,
):
    program.add_command(_command)


def main() -> NoReturn:
    """Run `memoranda` on the arguments of the process."""
    program.main()
