"""Tools of your own, by name: `module:function`, or what a package offers as `memoranda.tools`."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from memoranda.errors import InputError
from memoranda.read.tools.tool import Tool

GROUP = "memoranda.tools"
"""The entry point group: each entry names a `Tool`, or a function without arguments that makes one."""


def load(names: Iterable[str]) -> tuple[Tool, ...]:
    """Load the tools that settings name. Nothing is loaded that is not named.

    Args:
        names: `module:attribute`, or the name of an installed entry point of `memoranda.tools`.

    Raises:
        InputError: there is no such thing, it can't be loaded, or it is no tool.
    """
    return tuple(_load(name.strip()) for name in names if name.strip())


def offered() -> tuple[str, ...]:
    """Name the tools that installed packages offer, sorted; none of them is loaded."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def _load(name: str) -> Tool:
    module, colon, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute) if colon else _point(name).load()
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"tool {name!r} can't be loaded: {error}") from error
    return _made(name, found)


def _point(name: str) -> EntryPoint:
    for point in entry_points(group=GROUP, name=name):
        return point
    near = difflib.get_close_matches(name, offered(), n=3)
    known = f"; offered: {', '.join(near or offered())}" if offered() else ""
    raise InputError(f"no installed package offers a tool {name!r}{known}; or name module:function")


def _made(name: str, found: Tool | Callable[[], Any]) -> Tool:
    if isinstance(found, Tool):
        return found
    made = found() if callable(found) else None
    if not isinstance(made, Tool):
        raise InputError(f"{name!r} is no tool: it is to be a Tool, or a function that makes one")
    return made
