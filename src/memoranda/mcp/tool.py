"""One tool: what it takes, what it gives, what it does to memory, and the work itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from memoranda.mcp.arguments import Arguments
from memoranda.mcp.seal import Seal
from memoranda.memory import Memory
from memoranda.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled(Value):
    """A result that holds stored text."""

    notice: str
    """Says that the text is data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where a call is worked on: one memory, for one caller."""

    memory: Memory
    seal: Seal
    actor: str | None = None
    """The program at the other end, as it named itself."""


class Result(NamedTuple):
    """What a tool gives: a value for programs and a text for a model."""

    value: Value
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as agents see it."""

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    output: type[Value]
    work: Callable[[Desk, Any], Result]
    """Runs in a thread; takes arguments of its own kind."""
    reads: bool = False
    """It changes nothing."""
    destroys: bool = False
    """It can take away what was there."""
    repeats: bool = False
    """Doing it twice is as doing it once."""
