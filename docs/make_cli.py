"""Write cli.md anew, from the commands themselves.

Run `python docs/make_cli.py` to write it, with `--check` to learn only whether it is current
(exit code 1 if it is not).
"""  # noqa: INP001 - a script, not a package

from __future__ import annotations

import sys
from pathlib import Path

import click

from memoranda.cli.program import program

PAGE = Path(__file__).resolve().parent / "cli.md"
HEAD = """# The command line

Made from the commands by `docs/make_cli.py`; `memoranda COMMAND --help` says the same. Data goes to
stdout, all else to stderr. Exit codes: 0 ok, 1 failed, 2 usage, 3 nothing found, 4 needs review.
"""


def section(name: str, command: click.Command) -> str:
    """Make the section of one command."""
    own = click.Context(command, info_name=f"memoranda {name}", parent=None, terminal_width=96)
    return f"## {name}\n\n```text\n{command.get_help(own)}\n```\n"


def page() -> str:
    """Make the page: one section a command, its usage, help and options."""
    context = click.Context(program, info_name="memoranda")
    parts = [HEAD]
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        if command is None:
            continue
        parts.append(section(name, command))
        for under, part in getattr(command, "commands", {}).items():
            parts.append(section(f"{name} {under}", part))
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` only compare it."""
    made = page()
    if arguments == ["--check"]:
        return 0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == made else 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
