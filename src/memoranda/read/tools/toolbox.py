"""The toolbox of a reader: tells a model what it may call, calls it, and renders what was found."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from memoranda.errors import InputError, MemorandaError, NotFoundError
from memoranda.llm.model import ToolSpec
from memoranda.read.filters import Filters
from memoranda.read.lexical import Source
from memoranda.read.reach import Permit
from memoranda.read.render import Counter
from memoranda.read.tools.arguments import checked
from memoranda.read.tools.builtin import builtin
from memoranda.read.tools.caps import Caps
from memoranda.read.tools.look import Look
from memoranda.read.tools.places import readable
from memoranda.read.tools.rendering import Piece, fence, pieces, plain, render, total
from memoranda.read.tools.results import (
    DocumentPage,
    Events,
    Facts,
    Grepped,
    LineRange,
    Searched,
    Timeline,
    ToolResult,
)
from memoranda.read.tools.tool import Made, Shown, Tool
from memoranda.text.tokens import count as count_tokens
from memoranda.values import Evidence, Value

T = TypeVar("T")
_FOUND = (Searched, Grepped, DocumentPage, LineRange, Facts, Timeline, Events)
_Looking = Callable[[Callable[[Look], Any]], Any]
_State = Callable[[Callable[[Source], Any]], Any]


class _ToolFaultError(Exception):
    """A tool of your own failed."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Tools over one memory, for one reader and one question.

    Each call reads one consistent state; calls may see different ones (`ToolResult.position`), so
    that a model that thinks for minutes holds nothing up. Make it with `open` or `on`.
    """

    _looking: _Looking
    _tools: Mapping[str, Tool]
    _caps: Caps
    _nonce: str
    _count: Counter

    @classmethod
    def over(  # noqa: PLR0913 - what a reader is made of
        cls,
        state: _State,
        *,
        filters: Filters | None = None,
        caps: Caps | None = None,
        nonce: str,
        count: Counter = count_tokens,
        extra: Sequence[Tool] = (),
        permits: Sequence[Permit] = (),
        only: Collection[str] | None = None,
    ) -> Toolbox:
        """Open a toolbox on whatever gives a state: the one that stands, or an earlier one.

        Args:
            state: calls what it is given with a state, once for each call of a tool.
            filters: as `Memory.search` takes them; they hold for every call.
            caps: the limits.
            nonce: 8 to 32 hexadecimal digits, new for each question: it fences what is found.
            count: counts tokens.
            extra: tools of your own; one with the name of a built-in tool takes its place.
            permits: permission checks of your own, besides those of the state's reach: what one
                refuses shows through no tool.
            only: the built-in tools that there are; None for all.

        Raises:
            InputError: two extra tools have one name.
        """

        def looking(work: Callable[[Look], T]) -> T:
            def inside(source: Source) -> T:
                whole = Look(source=source, caps=caps or Caps(), sieve=source.reach.sieve)
                look = whole.narrowed(**(filters or {}))
                return work(look.permitted((*source.reach.permits, *permits)))

            made: T = state(inside)
            return made

        tools = {
            name: tool
            for name, tool in _all(caps or Caps(), extra).items()
            if only is None or name in only or tool in extra
        }
        return cls(looking, tools, caps or Caps(), nonce, count)

    @property
    def nonce(self) -> str:
        """What fences the texts of this toolbox."""
        return self._nonce

    @property
    def caps(self) -> Caps:
        """The limits."""
        return self._caps

    def look(self, work: Callable[[Look], T]) -> T:
        """Use the typed tools in one state: `toolbox.look(lambda look: look.facts("Alma"))`."""
        made: T = self._looking(work)
        return made

    def specs(self) -> tuple[ToolSpec, ...]:
        """Give the tools as a model is told of them: closed JSON schemas."""
        return tuple(tool.spec for tool in self._tools.values())

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool. What is wrong with the call is a result too: `error` says what to do.

        Raises:
            StoreError: the memory itself can't be read.
        """
        given = dict(arguments) if isinstance(arguments, Mapping) else {}
        try:
            tool = self._named(name)
            given = checked(arguments, tool.spec.parameters)
            result: ToolResult = self._looking(lambda look: self._called(tool, given, look))
        except (InputError, NotFoundError, _ToolFaultError) as error:
            text = fence("error", str(error), self._nonce)
            return ToolResult(name=str(name), arguments=given, text=text, error=str(error))
        return result

    def _named(self, name: str) -> Tool:
        if name in self._tools:
            return self._tools[name]
        near = difflib.get_close_matches(str(name), list(self._tools), n=1)
        meant = f"; did you mean {near[0]}?" if near else ""
        raise InputError(
            f"there is no tool {str(name)[:40]!r}; there are {', '.join(self._tools)}{meant}"
        )

    def _called(self, tool: Tool, given: Mapping[str, Any], look: Look) -> ToolResult:
        made = _run(tool, given, look)
        parts, found, value = _parts(made, look)
        rendered = render(
            tool.name, parts, nonce=self._nonce, cap=self._caps.evidence, count=self._count
        )
        return ToolResult(
            name=tool.name,
            arguments=given,
            text=rendered.text,
            evidence=rendered.evidence,
            found=found,
            cut=rendered.cut or (isinstance(made, _FOUND) and bool(made.note) and found > 0),
            position=look.source.log.position(),
            value=value,
        )


def _all(caps: Caps, extra: Sequence[Tool]) -> dict[str, Tool]:
    names = [tool.name for tool in extra]
    if len(set(names)) < len(names):
        raise InputError(f"two tools have one name: {', '.join(sorted(names))}")
    return {tool.name: tool for tool in (*builtin(caps), *extra)}


def _run(tool: Tool, given: Mapping[str, Any], look: Look) -> Made:
    try:
        return tool.function(look, given)
    except (MemorandaError, sqlite3.Error):
        raise
    except Exception as error:
        said = f"tool {tool.name} failed ({type(error).__name__}: {error}); use another tool"
        raise _ToolFaultError(said) from error


def _parts(made: Made, look: Look) -> tuple[list[Piece], int, Mapping[str, Any]]:
    """Give the pieces of what a tool made, how much it found, and its value as JSON."""
    match made:
        case (
            Searched() | Grepped() | DocumentPage() | LineRange() | Facts() | Timeline() | Events()
        ):
            return pieces(made), total(made), made.to_dict()
        case Shown():
            allowed = _permitted(made.evidence, look)
            lines = made.text.split("\n")
            parts = [Piece(lines[0], allowed), *map(Piece, lines[1:])]
            return parts, made.found, {"text": made.text}
        case str():
            return [*map(Piece, made.split("\n"))], int(bool(made)), {"text": made}
        case Value():
            return [*map(Piece, plain(made.to_dict()).split("\n"))], 1, made.to_dict()
        case Mapping():
            return [*map(Piece, plain(made).split("\n"))], int(bool(made)), dict(made)
        case _:
            return [*map(Piece, plain(list(made)).split("\n"))], len(made), {"items": list(made)}


def _permitted(evidence: Sequence[Evidence], look: Look) -> tuple[Evidence, ...]:
    """Keep of evidence what may be read: a tool of one's own widens no reach."""
    found = []
    for item in evidence:
        kept = tuple(
            entry
            for entry in item.entries
            if (
                readable(entry, look.source)
                if entry.seqs
                else look.source.reach.allows(entry.project)
            )
        )
        if kept:
            found.append(replace(item, entries=kept))
    return tuple(found)
