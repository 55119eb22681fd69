"""The tools that are always there, with their schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoranda.read.tools.caps import Caps
from memoranda.read.tools.look import Look
from memoranda.read.tools.results import Found
from memoranda.read.tools.tool import Tool
from memoranda.values import SOURCES

_TIME = "a day (2026-03-01), a month (2026-03), a year, or a time with an offset"
_DOCUMENT = "a document's id, title or file name; CURRENT for what is in no document yet"


def builtin(caps: Caps) -> tuple[Tool, ...]:
    """Give the built-in tools, in the order in which they are best tried (R185)."""
    return (*_finding(caps), *_browsing(caps), *_of_states(caps))


def _finding(caps: Caps) -> tuple[Tool, ...]:
    """Give the tools that find lines by what they say."""
    return (
        _tool(
            "search",
            "Find blocks of memory by words, best first, newest state first. Gives the matching "
            "lines with document, line range, date and source. Start here.",
            _search,
            query=_text("the words to look for, in any language"),
            document=_text(_DOCUMENT, optional=True),
            since=_text(f"said from this time on: {_TIME}", optional=True),
            until=_text(f"said up to the end of this time: {_TIME}", optional=True),
            limit=_number(caps.search),
        ),
        _tool(
            "grep",
            "Find every line, in all documents and CURRENT, that matches a regular expression "
            "(RE2: no look-around, no back references). For exact names, numbers, dates.",
            _grep,
            pattern=_text("an expression, or a text as it stands"),
            ignore_case={"type": "boolean", "description": "upper and lower case are the same"},
            limit=_number(caps.grep),
        ),
        _tool(
            "grep_doc",
            "Find the lines of one document that match a regular expression (RE2).",
            _grep_doc,
            document=_text(_DOCUMENT),
            pattern=_text("an expression, or a text as it stands"),
            ignore_case={"type": "boolean", "description": "upper and lower case are the same"},
            limit=_number(caps.grep),
        ),
    )


def _browsing(caps: Caps) -> tuple[Tool, ...]:
    """Give the tools that look through documents."""
    return (
        _tool(
            "list_docs",
            "Look through the catalog of documents: ids, titles, summaries, page by page.",
            _list_docs,
            page={"type": "integer", "minimum": 1, "description": "the page, from 1 on"},
            query=_text("words that titles or summaries name", optional=True),
        ),
        _tool(
            "read_lines",
            f"Read lines of a document as they are printed, at most {caps.read} at once.",
            _read_lines,
            document=_text(_DOCUMENT),
            first={"type": "integer", "minimum": 1, "description": "the first line; 1 if left out"},
            last={"type": "integer", "minimum": 1, "description": "the last line"},
        ),
    )


def _of_states(caps: Caps) -> tuple[Tool, ...]:
    """Give the tools for what holds, what held, and what was said."""
    return (
        _tool(
            "facts",
            "Ask for the current state of a thing or person: what holds now, since when, who said "
            "it, what it replaced, and whether other values compete. One hop of a question each.",
            _facts,
            subject=_text("whose or what's state, such as a name"),
            attribute=_text("which state of it, such as: port, lives in, author", optional=True),
        ),
        _tool(
            "history",
            "Tell what happened to an entry, or to all entries of a key: what it replaced, when, why.",
            _history,
            ref=_text("an entry's number, or a key as facts gives it"),
        ),
        _tool(
            "events",
            "Search the raw log for what was said, word for word, whether or not a document has it.",
            _events,
            query=_text("words, or a piece of what was said"),
            since=_text(f"said from this time on: {_TIME}", optional=True),
            until=_text(f"said up to the end of this time: {_TIME}", optional=True),
            source={"type": "string", "enum": list(SOURCES), "description": "who said it"},
            speaker=_text("said by this speaker, by name", optional=True),
            limit=_number(caps.search),
        ),
    )


def _text(says: str, *, optional: bool = False) -> dict[str, Any]:
    return {"type": "string", "description": says, "x-optional": optional}


def _number(most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 1, "maximum": most, "description": "at most so many"}


def _tool(name: str, description: str, function: Any, **arguments: dict[str, Any]) -> Tool:  # noqa: ANN401
    needed = [name for name, says in arguments.items() if says.get("x-optional") is False]
    told = {
        name: {field: value for field, value in says.items() if field != "x-optional"}
        for name, says in arguments.items()
    }
    schema = {
        "type": "object",
        "properties": told,
        "required": needed,
        "additionalProperties": False,
    }
    return Tool(name=name, description=description, parameters=schema, function=function)


def _search(look: Look, given: Mapping[str, Any]) -> Found:
    filters = {name: given[name] for name in ("document", "since", "until") if name in given}
    return look.narrowed(**filters).search(given["query"], limit=given.get("limit"))


def _grep(look: Look, given: Mapping[str, Any]) -> Found:
    return look.grep(
        given["pattern"], ignore_case=given.get("ignore_case", False), limit=given.get("limit")
    )


def _grep_doc(look: Look, given: Mapping[str, Any]) -> Found:
    return look.grep(
        given["pattern"],
        document=given["document"],
        ignore_case=given.get("ignore_case", False),
        limit=given.get("limit"),
    )


def _list_docs(look: Look, given: Mapping[str, Any]) -> Found:
    return look.list_docs(page=given.get("page", 1), query=given.get("query"))


def _read_lines(look: Look, given: Mapping[str, Any]) -> Found:
    return look.read_lines(given["document"], first=given.get("first", 1), last=given.get("last"))


def _facts(look: Look, given: Mapping[str, Any]) -> Found:
    return look.facts(given["subject"], given.get("attribute"))


def _history(look: Look, given: Mapping[str, Any]) -> Found:
    return look.history(given["ref"])


def _events(look: Look, given: Mapping[str, Any]) -> Found:
    names = ("since", "until", "source", "speaker")
    filters = {name: given[name] for name in names if name in given}
    return look.narrowed(**filters).events(given["query"], limit=given.get("limit"))
