"""Tools and permission checks of your own, by name: `module:function`, or what a package offers."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from memoranda.errors import InputError
from memoranda.read.reach import Permit
from memoranda.read.tools.tool import Tool

GROUP = "memoranda.tools"
"""The entry point group: each entry names a `Tool`, or a function without arguments that makes one."""
PERMITS = "memoranda.permits"
"""The entry point group of permission checks: each entry names a function of a line."""


def load(names: Iterable[str]) -> tuple[Tool, ...]:
    """Load the tools that settings name. Nothing is loaded that is not named.

    Args:
        names: `module:attribute`, or the name of an installed entry point of `memoranda.tools`.

    Raises:
        InputError: there is no such thing, it can't be loaded, or it is no tool.
    """
    return tuple(_made(name, _load(name, GROUP, "tool")) for name in _names(names))


def load_permits(names: Iterable[str]) -> tuple[Permit, ...]:
    """Load the permission checks that settings name: functions of a line that give True or False.

    Args:
        names: `module:attribute`, or the name of an installed entry point of `memoranda.permits`.

    Raises:
        InputError: there is no such thing, it can't be loaded, or it is no function.
    """
    found = {name: _load(name, PERMITS, "permission check") for name in _names(names)}
    for name, permit in found.items():
        if not callable(permit):
            raise InputError(f"{name!r} is no permission check: it is to be a function of a line")
    return tuple(found.values())


def offered(group: str = GROUP) -> tuple[str, ...]:
    """Name what installed packages offer, sorted, tools as a rule; none of them is loaded."""
    return tuple(sorted({point.name for point in entry_points(group=group)}))


def _names(names: Iterable[str]) -> list[str]:
    return [name.strip() for name in names if name.strip()]


def _load(name: str, group: str, what: str) -> Any:  # noqa: ANN401 - looked at by the caller
    module, colon, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute) if colon else _point(name, group).load()
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"{what} {name!r} can't be loaded: {error}") from error


def _point(name: str, group: str) -> EntryPoint:
    for point in entry_points(group=group, name=name):
        return point
    near = difflib.get_close_matches(name, offered(group), n=3)
    known = f"; offered: {', '.join(near or offered(group))}" if offered(group) else ""
    what = "tool" if group == GROUP else "permission check"
    raise InputError(
        f"no installed package offers a {what} {name!r}{known}; or name module:function"
    )


def _made(name: str, found: Tool | Callable[[], Any]) -> Tool:
    if isinstance(found, Tool):
        return found
    made = found() if callable(found) else None
    if not isinstance(made, Tool):
        raise InputError(f"{name!r} is no tool: it is to be a Tool, or a function that makes one")
    return made
