"""Names of what memory holds, as ids to fetch and as resource URIs."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from memoranda.values import CURRENT, LOG, Entry, Evidence

SCHEME: Final = "memory://"
CURRENT_URI: Final = "memory://current"
STATUS_URI: Final = "memory://status"
TOPIC: Final = "memory://topics/{document}"
ENTRY: Final = "memory://entries/{seq}"

_PARTS: Final = re.compile(r"memory://(topics|entries)/([^/?#]+)(?:#[A-Za-z0-9-]*)?")


def topic_uri(document_id: str) -> str:
    """Give the URI of a topic document."""
    return f"memory://topics/{quote(document_id, safe='')}"


def entry_uri(seq: int) -> str:
    """Give the URI of an entry."""
    return f"memory://entries/{seq}"


def parts(uri: str) -> tuple[str, str] | None:
    """Give (`topics` or `entries`, the name) of a URI; None if it is no such URI."""
    found = _PARTS.fullmatch(uri)
    return (found[1], unquote(found[2])) if found else None


def bare(name: str) -> str:
    """Give the name in a URI of ours, or the name itself."""
    if name == CURRENT_URI:
        return CURRENT
    found = parts(name.strip())
    return found[1] if found else name.strip()


def fetch_name(found: Evidence) -> str:
    """Give the id by which `fetch` brings the whole of what some evidence stands in."""
    if found.document_id not in {CURRENT, LOG}:
        return found.document_id
    return _line_name(found.entries[0]) if found.entries else CURRENT


def block_url(found: Evidence) -> str:
    """Give the URI of some evidence, with its lines."""
    if found.document_id in {CURRENT, LOG}:
        lead = found.entries[0] if found.entries else None
        return entry_uri(lead.seq) if lead is not None and lead.seq else CURRENT_URI
    lines = f"#L{found.lines[0]}-L{found.lines[1]}" if found.lines else ""
    return topic_uri(found.document_id) + lines


def _line_name(entry: Entry) -> str:
    if entry.seq:
        return str(entry.seq)
    return entry.event_ids[0] if entry.event_ids else CURRENT
