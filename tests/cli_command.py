"""Runs the command inside this process, on a real store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner, Result

from memoranda.cli import program

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Command:
    """Runs `memoranda` inside this process, on one root."""

    root: Path

    def __call__(self, *args: str, given: bytes | str | None = None, **env: str) -> Result:
        """Run one command line; `given` is its standard input."""
        result = CliRunner().invoke(
            program, [*args], input=given, env={"MEMORANDA_ROOT": str(self.root), **env}
        )
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def ok(self, *args: str, given: bytes | str | None = None, **env: str) -> str:
        """Run a command that must succeed; give its standard output."""
        result = self(*args, given=given, **env)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *args: str, given: bytes | str | None = None, **env: str) -> Any:
        """Run a command with --json that must succeed; give what it printed, read."""
        return json.loads(self.ok(*args, "--json", given=given, **env))
