"""What can be read as resources: topic documents, what is not yet placed, how memory stands."""

from __future__ import annotations

import json
from typing import Final

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from memoranda.errors import NotFoundError
from memoranda.mcp.names import CURRENT_URI, ENTRY, STATUS_URI, TOPIC, parts, topic_uri
from memoranda.mcp.shapes import plain
from memoranda.memory import Memory
from memoranda.read.render import line
from memoranda.values import DocumentInfo, Entry

PAGE: Final = 200
"""Resources that one list gives."""
MARKDOWN: Final = "text/markdown"
TEXT: Final = "text/plain"
JSON: Final = "application/json"

_FIXED: Final = (
    Resource(
        uri=CURRENT_URI,
        name="current",
        title="Not yet placed",
        description="The entries that are not yet in a topic document.",
        mime_type=TEXT,
    ),
    Resource(
        uri=STATUS_URI,
        name="status",
        title="How memory stands",
        description="Counts, places, what is due and what waits.",
        mime_type=JSON,
    ),
)
TEMPLATES: Final = ListResourceTemplatesResult(
    resource_templates=[
        ResourceTemplate(
            uri_template=TOPIC,
            name="topic",
            title="A topic document",
            description="By its id or title, as Markdown.",
            mime_type=MARKDOWN,
        ),
        ResourceTemplate(
            uri_template=ENTRY,
            name="entry",
            title="One entry",
            description="By its number.",
            mime_type=TEXT,
        ),
    ]
)


def listed(memory: Memory, cursor: str | None) -> ListResourcesResult:
    """List the resources, 200 a page.

    Raises:
        MCPError: the cursor is none of ours.
    """
    start = _start(cursor)
    found = memory.documents()
    cards = [_card(info) for info in found[start : start + PAGE]]
    more = start + PAGE < len(found)
    return ListResourcesResult(
        resources=[*(_FIXED if start == 0 else ()), *cards],
        next_cursor=str(start + PAGE) if more else None,
    )


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if cursor.isascii() and cursor.isdecimal() and len(cursor) < 12:
        return int(cursor)
    raise MCPError(code=INVALID_PARAMS, message="unknown cursor; list again without one")


def _card(info: DocumentInfo) -> Resource:
    return Resource(
        uri=topic_uri(info.document_id),
        name=info.document_id,
        title=info.title,
        description=info.summary,
        mime_type=MARKDOWN,
    )


def read(memory: Memory, uri: str) -> ReadResourceResult:
    """Give a resource.

    Raises:
        MCPError: there is none of that URI.
    """
    try:
        text, kind = _text(memory, uri)
    except NotFoundError as error:
        raise MCPError(code=INVALID_PARAMS, message=str(error), data={"uri": uri}) from error
    return ReadResourceResult(contents=[TextResourceContents(uri=uri, text=text, mime_type=kind)])


def _text(memory: Memory, uri: str) -> tuple[str, str]:
    if uri == CURRENT_URI:
        return "\n".join(map(line, memory.current())), TEXT
    if uri == STATUS_URI:
        return json.dumps(plain(memory.status()), ensure_ascii=False, indent=1), JSON
    found = parts(uri)
    if found is None:
        raise NotFoundError("resource", uri[:200])
    kind, name = found
    if kind == "topics":
        return memory.document(name).markdown, MARKDOWN
    entry = memory.get(int(name)) if name.isdecimal() and len(name) < 20 else None
    if not isinstance(entry, Entry):
        raise NotFoundError("entry", name[:200])
    return line(entry), TEXT
