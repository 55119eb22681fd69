"""Our entry in a TOML file: its tables put in and taken out, all other bytes as they were."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

_HEADER: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BY_HAND: Final = "the entry can't be changed without touching the rest; change it by hand"


class TomlError(ValueError):
    """The text is not TOML, or our entry stands in it in a form that we don't change."""


def found(text: str, section: str, name: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Give the entry that stands there; None if there is none.

    Raises:
        TomlError: the text is not TOML.
    """
    return _section(_read(text), section).get(name)


def put(text: str, section: str, name: str, entry: Mapping[str, Any]) -> str:
    """Put an entry in, at the end of the file, or in the place of the one that is there.

    Raises:
        TomlError: the text is not TOML, or has the section in a form that can't be added to.
    """
    before = _read(text)
    made = _table(section, name, entry, _newline(text))
    span = _span(text, section, name)
    if span is None:
        gap = "" if not text else _newline(text) if text.endswith("\n") else _newline(text) * 2
        new = text + gap + made
    else:
        new = text[: span[0]] + made + text[span[1] :]
    wanted = {**before, section: {**_section(before, section), name: dict(entry)}}
    return _checked(new, wanted)


def without(text: str, section: str, name: str) -> str:
    """Take an entry out.

    Raises:
        TomlError: the text is not TOML, or has the entry in a form that can't be taken out.
    """
    before = _read(text)
    rest = {key: value for key, value in _section(before, section).items() if key != name}
    if rest == _section(before, section):
        return text
    span = _span(text, section, name)
    if span is None:
        raise TomlError(_BY_HAND)
    head = text[: span[0]]
    newline = _newline(text)
    if not text[span[1] :].strip() and head.endswith(newline * 2):
        head = head.removesuffix(newline)
    wanted = {**before, section: rest}
    if not rest:
        del wanted[section]
    return _checked(head + text[span[1] :], wanted)


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from error


def _section(whole: Mapping[str, Any], section: str) -> dict[str, Any]:
    part = whole.get(section, {})
    if not isinstance(part, dict):
        raise TomlError(f"{section} has to be a table")
    return part


def _checked(made: str, wanted: Mapping[str, Any]) -> str:
    """Read what was made, and let it pass only if exactly that has changed."""
    try:
        same = tomllib.loads(made) == wanted
    except tomllib.TOMLDecodeError as error:
        raise TomlError(_BY_HAND) from error
    if not same:
        raise TomlError(_BY_HAND)
    return made


def _span(text: str, section: str, name: str) -> tuple[int, int] | None:
    """Find our table, with its parts behind it, up to the next table or the blanks before it."""
    quoted = re.escape(json.dumps(name))
    own = rf"(?:{re.escape(name)}|{quoted})"
    ours = re.compile(rf"^[ \t]*\[{re.escape(section)}\.{own}(?:\.[^\]\r\n]+)?\]", re.MULTILINE)
    first = ours.search(text)
    if first is None:
        return None
    end = len(text)
    for header in _HEADER.finditer(text, first.end()):
        if ours.match(text, header.start()) is None:
            end = header.start()
            break
    lines = text[first.start() : end].splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        end -= len(lines.pop())  # blanks and comments before the next table are its own
    return first.start(), end


def _table(section: str, name: str, entry: Mapping[str, Any], newline: str) -> str:
    key = name if _BARE.fullmatch(name) else json.dumps(name)
    lines = [f"[{section}.{key}]"]
    lines += [f"{field} = {_value(value)}" for field, value in entry.items()]
    return newline.join(lines) + newline


def _value(value: object) -> str:
    """Write a text, or a list of texts: a TOML text is a JSON text, but for DEL."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"no value of an entry: {value!r}")


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
