"""A tool: a name, a schema, and a function of a look at the memory; a toolbox calls it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.errors import InputError
from memoranda.llm.model import ToolSpec
from memoranda.read.tools.look import Look
from memoranda.read.tools.results import Found
from memoranda.values import Evidence, Value

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Value):
    """What a tool of your own found: a text for the model, and the lines behind it."""

    text: str
    evidence: tuple[Evidence, ...] = ()
    """Lines that an answer may cite. What lies beyond the reader's reach is taken out."""
    found: int = 1


Made = Found | Shown | Value | str | Mapping[str, Any] | Sequence[Any]
"""What a tool may give: a result of the built-in tools, `Shown`, or anything that JSON can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool (R193-R198).

    Attributes:
        name: lower case letters, digits and `_`.
        description: for the model: what it finds, and when to use it.
        parameters: JSON schema of the arguments, an object; it is closed if it does not say so.
        function: called with a look at the memory and the checked arguments. It must not write.

    Raises:
        InputError: the name or the schema can't be used.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    function: Callable[[Look, Mapping[str, Any]], Made]

    def __post_init__(self) -> None:
        """Refuse what no model could call."""
        if not _NAME.fullmatch(self.name):
            raise InputError(f"a tool's name has small letters, digits and _, not {self.name!r}")
        if self.parameters.get("type") != "object":
            raise InputError(f"tool {self.name}: its parameters are a JSON schema of an object")
        if not self.description.strip():
            raise InputError(f"tool {self.name} has no description")

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model is told of it; no other argument is taken."""
        closed = {"properties": {}, **self.parameters, "additionalProperties": False}
        return ToolSpec(name=self.name, description=self.description, parameters=closed)
