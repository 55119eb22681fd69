"""Front matter that is not ours: what people and their programs keep in a document's header."""

from __future__ import annotations

import json
from collections.abc import Sequence

Pairs = tuple[tuple[str, str], ...]
ALIASES = "aliases:"
"""How the front matter begins that we print for Obsidian; a person's own stands in its place."""


def write(aux: Pairs, unknown: Sequence[str]) -> str:
    """Write free fields and unknown chunks in one text; "" when there are none."""
    if not aux and not unknown:
        return ""
    return json.dumps([[list(pair) for pair in aux], list(unknown)], ensure_ascii=False)


def read(text: str) -> tuple[Pairs, tuple[str, ...]]:
    """Give free fields and unknown chunks back; none of what was forgotten."""
    if not text.startswith("["):
        return (), ()
    try:
        aux, unknown = json.loads(text)
    except ValueError:  # `[erased]`
        return (), ()
    return tuple((name, value) for name, value in aux), tuple(unknown)


def chunks(document_id: str, text: str) -> tuple[str, ...]:
    """Give the unknown chunks as they are printed: with our alias, so that `[[d7]]` finds the file."""
    unknown = read(text)[1]
    if any(chunk.startswith(ALIASES) for chunk in unknown):
        return unknown
    return (own(document_id), *unknown)


def own(document_id: str) -> str:
    """Give the chunk that we print ourselves."""
    return f"{ALIASES} [{document_id}]"


def height(document_id: str, text: str) -> int:
    """Say how many lines it takes in print beyond our own alias."""
    aux = read(text)[0]
    lines = sum(chunk.count("\n") + 1 for chunk in chunks(document_id, text)) - 1
    return lines + (1 + len(aux) if aux else 0)
