"""Arguments of a tool call, checked against its JSON schema: a fault is told so that a model can mend it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from memoranda.errors import InputError

_KINDS: Mapping[str, tuple[str, type | tuple[type, ...]]] = {
    "string": ("a text", str),
    "integer": ("a whole number", int),
    "number": ("a number", (int, float)),
    "boolean": ("true or false", bool),
    "array": ("a list", (list, tuple)),
    "object": ("an object", Mapping),
}


def checked(given: object, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments of a call as its schema has them; null stands for one left out.

    A whole number in quotes is taken as the number: small models write so.

    Raises:
        InputError: they don't fit; the message names the argument and says what is wanted.
    """
    if not isinstance(given, Mapping):
        raise InputError(f"arguments are an object, not {type(given).__name__}")
    known: Mapping[str, Any] = schema.get("properties", {})
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), list(known), n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InputError(
                f"there is no argument {str(name)[:40]!r}; there are {', '.join(known)}{meant}"
            )
    made = {
        name: _read(name, value, known[name]) for name, value in given.items() if value is not None
    }
    missing = [name for name in schema.get("required", ()) if name not in made]
    if missing:
        raise InputError(f"argument {missing[0]} is missing: {_wanted(known[missing[0]])}")
    return made


def _read(name: str, value: object, schema: Mapping[str, Any]) -> object:
    kind = schema.get("type")
    if kind == "integer" and isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        value = int(value)
    if kind == "integer" and isinstance(value, float) and value.is_integer():
        value = int(value)
    _, wanted = _KINDS.get(str(kind), ("", object))
    fits = isinstance(value, wanted) and (kind == "boolean" or not isinstance(value, bool))
    if not fits or ("enum" in schema and value not in schema["enum"]):
        raise InputError(f"argument {name} is {_wanted(schema)}, not {str(value)[:60]!r}")
    if isinstance(value, (int, float)):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and value < low) or (high is not None and value > high):
            raise InputError(f"argument {name} is {_wanted(schema)}, not {value}")
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(f"argument {name} holds half a character (a lone surrogate)")
    if kind == "array" and isinstance(value, (list, tuple)):
        return [_read(name, item, schema.get("items", {})) for item in value]
    return value


def _wanted(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    said = _KINDS.get(str(schema.get("type")), ("a value", object))[0]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{said} from {low} to {high}"
    return f"{said} from {low} on" if low is not None else said
