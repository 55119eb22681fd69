"""The command line: parse, open the memory, print, and map errors to exit codes."""

from __future__ import annotations

from memoranda.cli.program import main, program

__all__ = ["main", "program"]
