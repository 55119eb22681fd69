"""What a client receives: problems become the errors that they tell of, parts become one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2

from memoranda import errors
from memoranda.errors import MemorandaError, StoreError
from memoranda.gate.problems import MEMBERS, kinds
from memoranda.inspections import Exported
from memoranda.rest.ways import EXPORTED

T = TypeVar("T")
_DOORS: Final[Mapping[str, type[MemorandaError]]] = {
    **dict.fromkeys(("no-token", "role", "foreign-host", "foreign-origin"), errors.NotAllowedError),
    **dict.fromkeys(("too-many", "in-progress"), errors.BusyError),
    **dict.fromkeys(
        ("bad-header", "no-route", "no-method", "too-large", "media-type", "invalid", "key-used"),
        errors.InputError,
    ),
}
"""What the door itself refuses -> the kind of error that a program can act on."""


class UnreachableError(StoreError):
    """The server can't be reached, or did not answer in time."""


@contextmanager
def telling() -> Iterator[None]:
    """Say what faults of the connection mean.

    Raises:
        UnreachableError: the server can't be reached; a call that writes may have been done.
    """
    try:
        yield
    except httpx2.TransportError as error:
        text = f"the server can't be reached: {type(error).__name__}; is it running?"
        raise UnreachableError(text) from error


def check(reply: httpx2.Response) -> httpx2.Response:
    """Give a reply that is no problem.

    Raises:
        MemorandaError: the error that the library raised behind the server.
    """
    if not reply.is_error:
        return reply
    try:
        told = reply.json()
        told["detail"], told["type"]
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"the server answered with status {reply.status_code}") from None
    raise error(told)


def error(told: Mapping[str, Any]) -> MemorandaError:
    """Give the error that a problem tells of, with what it knows."""
    name = str(told["type"]).rpartition("/")[2]
    kind = kinds().get(name) or _DOORS.get(name) or StoreError
    found = kind.__new__(kind)
    found.args = (told["detail"],)
    for key, value in told.items():
        if key not in MEMBERS:
            fact = key.removesuffix("_")
            setattr(found, fact, _held(kind, fact, value))
    return found


def _held(kind: type[MemorandaError], name: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(value, list):
        return value
    hint = str(kind.__init__.__annotations__.get(name, "tuple"))
    return frozenset(value) if hint.startswith("frozenset") else tuple(value)


def after(done: T | None, part: T, lines: int) -> T:
    """Join what two calls did that were meant as one.

    Args:
        done: of the calls before; None before the first.
        part: of the next.
        lines: how many lines the calls before took: they are counted on.
    """
    if done is None:
        return part
    joined: dict[str, Any] = {}
    for item in fields(part):  # type: ignore[arg-type]  # a value of the library
        old, new = getattr(done, item.name), getattr(part, item.name)
        if item.name == "malformed":
            new = tuple((number + lines, why) for number, why in new)
        if isinstance(new, tuple) or (type(new) is int and item.name != "position"):
            joined[item.name] = old + new
        else:
            joined[item.name] = new
    return replace(part, **joined)  # type: ignore[type-var]


def exported(reply: httpx2.Response, path: Path) -> Exported:
    """Give what an archive that was received holds."""
    return Exported(**{**json.loads(reply.headers[EXPORTED]), "path": str(path.resolve())})
