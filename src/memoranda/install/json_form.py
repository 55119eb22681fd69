"""Our entry in a JSON file: put in, taken out, all other bytes as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from memoranda.install.jsonc import JsonError, Member, Node, parse

_UNIT: Final = "  "
_SPACE: Final = " \t\r\n"

Entry = Mapping[str, Any]


def found(text: str, section: str, name: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Give the entry that stands there; None if there is none.

    Raises:
        JsonError: the text is not JSON, or its parts are no objects.
    """
    return _section(text, section).get(name)


def put(text: str, section: str, name: str, entry: Entry) -> str:
    """Put an entry in, or in the place of the one that is there.

    Raises:
        JsonError: the text is not JSON, or its parts are no objects.
    """
    old = _section(text, section)
    if not text.strip(_SPACE + "\ufeff"):
        text += "{}\n"
    root = parse(text)
    part = root.member(section)
    if part is None:
        made = _insert(text, root, section, {name: entry})
    elif (there := part.node.member(name)) is not None:
        made = _replaced(text, there, entry)
    else:
        made = _insert(text, part.node, name, entry)
    return _checked(made, section, {**old, name: dict(entry)}, text)


def without(text: str, section: str, name: str) -> str:
    """Take an entry out; the section stays, be it empty.

    Raises:
        JsonError: the text is not JSON, or the entry can't be taken out without touching others.
    """
    old = _section(text, section)
    part = parse(text).member(section) if old else None
    there = None if part is None else part.node.member(name)
    if part is None or there is None:
        return text
    rest = {key: value for key, value in old.items() if key != name}
    return _checked(_removed(text, part.node, there), section, rest, text)


def _section(text: str, section: str) -> dict[str, Any]:
    """Give the entries of a section, which may be missing."""
    if not text.strip(_SPACE + "\ufeff"):
        return {}
    root = parse(text)
    if not isinstance(root.value, dict):
        raise JsonError(text, root.start, "the file has to hold an object")
    part = root.member(section)
    if part is None:
        return {}
    if not isinstance(part.node.value, dict):
        raise JsonError(text, part.node.start, f"{section} has to be an object")
    return dict(part.node.value)


def _checked(made: str, section: str, wanted: Mapping[str, Any], text: str) -> str:
    """Read what was made, and let it pass only if exactly that has changed."""
    before = parse(text).value
    if parse(made).value != {**before, section: wanted}:
        raise JsonError(text, 0, "the entry stands there twice; change it by hand")
    return made


def _insert(text: str, node: Node, name: str, value: Any) -> str:  # noqa: ANN401
    inner, lines = _indent(text, node)
    body = f"{json.dumps(name)}: {_dump(text, value, inner if lines else None)}"
    lead = _newline(text) + inner if lines else ""
    if not node.members:
        bare = not text[node.start + 1 : node.end - 1].strip(_SPACE)
        close = _newline(text) + _margin(text, node.start) if bare else ""
        tail = text[node.end - 1 :] if bare else text[node.start + 1 :]
        return text[: node.start + 1] + lead + body + close + tail
    last = node.members[-1]
    if last.comma is not None:
        at = _line_end(text, last.comma + 1)
        return f"{text[:at]}{lead or ' '}{body},{text[at:]}"
    at = _line_end(text, last.node.end)
    return f"{text[: last.node.end]},{text[last.node.end : at]}{lead or ' '}{body}{text[at:]}"


def _line_end(text: str, at: int) -> int:
    """Pass a comment that ends the line: it belongs to what stands before it."""
    end = min((found for mark in "\r\n" if (found := text.find(mark, at)) >= 0), default=len(text))
    rest = text[at:end].strip(" \t")
    return end if rest.startswith("//") else at


def _indent(text: str, node: Node) -> tuple[str, bool]:
    """Give the indent of a node's members, and whether they stand on lines of their own."""
    if node.members:
        first = node.members[0].start
        start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
        lead = text[start:first]
        return lead, start > node.start and not lead.strip(" \t")
    return _margin(text, node.start) + _step(text), True


def _margin(text: str, at: int) -> str:
    """Give the blanks at the beginning of a line."""
    line = text[max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1 : at].lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """Give the indent of one level, as the file has it."""
    root = parse(text)
    lead, lines = _indent(text, root) if root.members else (_UNIT, True)
    return lead if lines and lead else _UNIT


def _dump(text: str, value: Any, indent: str | None) -> str:  # noqa: ANN401
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    made = json.dumps(value, ensure_ascii=False, indent=_step(text))
    return made.replace("\n", _newline(text) + indent)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _replaced(text: str, there: Member, entry: Entry) -> str:
    node = there.node
    lines = "\n" in text[node.start : node.end]
    made = _dump(text, dict(entry), _margin(text, there.start) if lines else None)
    return text[: node.start] + made + text[node.end :]


def _removed(text: str, section: Node, there: Member) -> str:
    place = section.members.index(there)
    start = len(text[: there.start].rstrip(_SPACE))
    end = there.node.end if there.comma is None else there.comma + 1
    if there.comma is None and place:
        comma = section.members[place - 1].comma
        if comma is not None:  # always: something stands behind that member
            return text[:comma] + text[comma + 1 : start] + text[end:]
    if len(section.members) == 1 and not text[end : section.end - 1].strip(_SPACE):
        end = section.end - 1
    return text[:start] + text[end:]
