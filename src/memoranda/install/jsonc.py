"""JSON with comments, read with the place of every member, so that one can change and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD: Final = re.compile(r"[-+.\w]+")
_DEPTH: Final = 200
_MARK: Final = "\ufeff"


class JsonError(ValueError):
    """The text is not JSON, with or without comments."""

    def __init__(self, text: str, at: int, what: str) -> None:
        line = text.count("\n", 0, at) + 1
        column = at - (text.rfind("\n", 0, at) + 1) + 1
        super().__init__(f"line {line}, column {column}: {what}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A value and where it stands: `text[start:end]`."""

    value: Any
    start: int
    end: int
    members: tuple[Member, ...] = ()
    """Of an object, in order."""

    def member(self, name: str) -> Member | None:
        """Give the last member of a name: the one that counts."""
        return next((item for item in reversed(self.members) if item.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A name and its value in an object."""

    name: str
    start: int
    node: Node
    comma: int | None
    """Where the comma behind it stands, if there is one."""


def parse(text: str) -> Node:
    """Read a text; comments and a comma behind the last member are let pass.

    Raises:
        JsonError: it is not JSON.
    """
    reader = _Reader(text)
    reader.at = len(_MARK) if text.startswith(_MARK) else 0
    reader.skip()
    node = reader.value(0)
    reader.skip()
    if reader.at != len(text):
        reader.fail("there is more behind the end")
    return node


class _Reader:
    """Reads values one after the other."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, what: str) -> NoReturn:
        raise JsonError(self.text, self.at, what)

    def skip(self) -> None:
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.text.startswith("/*", self.at):
            self.fail("a comment does not end")

    def value(self, depth: int) -> Node:
        if depth > _DEPTH:
            self.fail("it is too deeply nested")
        start = self.at
        match self._next():
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"':
                return Node(value=self._string(), start=start, end=self.at)
            case _:
                return Node(value=self._word(), start=start, end=self.at)

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _object(self, depth: int) -> Node:
        start = self._open()
        members: list[Member] = []
        while self._next() != "}":
            begun = self.at
            name = self._string()
            self.skip()
            if self._next() != ":":
                self.fail("a colon is expected")
            self._open()
            node = self.value(depth + 1)
            members.append(Member(name=name, start=begun, node=node, comma=self._comma("}")))
        self.at += 1
        value = {item.name: item.node.value for item in members}
        return Node(value=value, start=start, end=self.at, members=tuple(members))

    def _array(self, depth: int) -> Node:
        start = self._open()
        items: list[Any] = []
        while self._next() != "]":
            items.append(self.value(depth + 1).value)
            self._comma("]")
        self.at += 1
        return Node(value=items, start=start, end=self.at)

    def _open(self) -> int:
        """Pass one character and what is blank behind it; give where it stood."""
        start = self.at
        self.at += 1
        self.skip()
        return start

    def _comma(self, close: str) -> int | None:
        self.skip()
        if self._next() == ",":
            return self._open()
        if self._next() != close:
            self.fail(f"a comma or {close} is expected")
        return None

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            self.fail("a text in double quotes is expected, and it has to end")
        try:
            value: str = json.loads(found[0])
        except ValueError:
            self.fail("a text with an escape that JSON does not know")
        self.at = found.end()
        return value

    def _word(self) -> Any:  # noqa: ANN401 - JSON has no narrower type
        found = _WORD.match(self.text, self.at)
        if found is None:
            self.fail("a value is expected")
        try:
            value = json.loads(found[0], parse_constant=_refuse)
        except ValueError:
            self.fail("a value is expected")
        self.at = found.end()
        return value


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
