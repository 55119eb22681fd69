"""Tools that look one thing up by its name: fetch, history."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from pydantic import Field

from memoranda.errors import NotFoundError
from memoranda.mcp.arguments import Arguments, Name
from memoranda.mcp.names import CURRENT_URI, bare, entry_uri, topic_uri
from memoranda.mcp.seal import NOTICE
from memoranda.mcp.shapes import plain
from memoranda.mcp.tool import Desk, Recalled, Result, Tool
from memoranda.read.render import line
from memoranda.values import CURRENT, Change, DocumentView, Entry, Event

PAGE: Final = 60_000
"""Characters that one fetch gives."""
_TITLE: Final = 60


class Fetch(Arguments):
    """What `fetch` takes."""

    id: Annotated[
        Name,
        Field(
            description="A document's id or title, an entry's number, an event's id, your own id of "
            "an event, CURRENT, or a URI of a result."
        ),
    ]
    offset: Annotated[
        int, Field(ge=0, lt=1 << 40, description="Start at this character, for long texts.")
    ] = 0


class History(Arguments):
    """What `history` takes."""

    ref: Annotated[
        Name, Field(description="An entry's number, a document's id, or a key as facts gives it.")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched(Recalled):
    """One document, entry or event, from a character on."""

    id: str
    title: str
    text: str
    url: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    next_offset: int | None = None
    """Where the rest starts; absent when this is all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Recalled):
    """What happened to something, oldest first."""

    changes: tuple[Change, ...]


def _fetch(desk: Desk, given: Fetch) -> Result:
    whole = _whole(desk, bare(given.id))
    end = given.offset + PAGE
    value = Fetched(
        notice=NOTICE,
        id=whole.id,
        title=whole.title,
        text=whole.text[given.offset : end],
        url=whole.url,
        metadata=whole.metadata,
        next_offset=end if end < len(whole.text) else None,
    )
    return Result(value, json.dumps(plain(value), ensure_ascii=False))


def _whole(desk: Desk, name: str) -> Fetched:
    if name == CURRENT:
        return _current(desk)
    if not name.isdecimal():
        with suppress(NotFoundError):
            return _document(desk.memory.document(name))
    found = desk.memory.get(name)
    return _entry(found) if isinstance(found, Entry) else _event(found)


def _current(desk: Desk) -> Fetched:
    entries = desk.memory.current()
    text = "\n".join(map(line, entries))
    return Fetched(
        notice=NOTICE,
        id=CURRENT,
        title="Not yet placed in a document",
        text=text,
        url=CURRENT_URI,
        metadata={"entry_count": len(entries)},
    )


def _document(view: DocumentView) -> Fetched:
    head = view.header
    return Fetched(
        notice=NOTICE,
        id=head.document_id,
        title=head.title,
        text=view.markdown,
        url=topic_uri(head.document_id),
        metadata=_told(head, ("version", "project", "updated_time", "entry_count", "file")),
    )


def _entry(entry: Entry) -> Fetched:
    names = (
        "time", "recorded", "source", "speaker", "session", "project", "document_id", "lines",
        "supersedes", "superseded_by", "retracted", "event_ids", "external_ids",
    )  # fmt: skip
    return Fetched(
        notice=NOTICE,
        id=str(entry.seq),
        title=_title(entry.text),
        text=entry.text,
        url=entry_uri(entry.seq),
        metadata=_told(entry, names),
    )


def _event(event: Event) -> Fetched:
    names = ("time", "recorded", "source", "speaker", "session", "project", "external_id")
    return Fetched(
        notice=NOTICE,
        id=event.event_id,
        title=_title(event.content),
        text=event.content,
        url=f"memory://events/{event.event_id}",
        metadata=_told(event, names),
    )


def _told(value: Any, names: tuple[str, ...]) -> dict[str, Any]:  # noqa: ANN401 - of several kinds
    found = {name: getattr(value, name) for name in names}
    return {name: plain(item) for name, item in found.items() if item not in (None, (), "", False)}


def _title(text: str) -> str:
    first = text.strip().partition("\n")[0]
    return first if len(first) <= _TITLE else first[: _TITLE - 3] + "..."


def _history(desk: Desk, given: History) -> Result:
    changes = desk.memory.history(bare(given.ref))
    lines = [f"{change.recorded} {change.kind}: {change.text}" for change in changes]
    return Result(Changes(notice=NOTICE, changes=changes), desk.seal.fence("\n".join(lines)))


TOOLS: Final = (
    Tool(
        name="fetch",
        title="Fetch from memory",
        description=(
            "Give one thing whole, by its id: a topic document as Markdown, an entry, or an event as "
            "it was said. Long texts come in parts: go on at next_offset."
        ),
        arguments=Fetch,
        output=Fetched,
        work=_fetch,
        reads=True,
        repeats=True,
    ),
    Tool(
        name="history",
        title="History of an entry or document",
        description=(
            "Tell what happened to an entry or a document, oldest first: said, placed, replaced, "
            "split, merged."
        ),
        arguments=History,
        output=Changes,
        work=_history,
        reads=True,
        repeats=True,
    ),
)
