"""What a call gives: values as JSON, lists in pages, and back again to the same values."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final, get_args

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from memoranda.rest.asked import told
from memoranda.rest.ways import BY_METHOD, Cursor, Way
from memoranda.values import plain

NEXT: Final = "next"
ITEMS: Final = "items"


def page(items: Sequence[Any], cursor: Cursor, after: int, limit: int) -> dict[str, Any]:
    """Give the part of a list behind a cursor, and the cursor of what follows; None at the end."""
    keys = [_key(item, cursor, place) for place, item in enumerate(items, start=1)]
    behind = [(key, item) for key, item in zip(keys, items, strict=True) if key > after]
    part = behind[:limit]
    more = len(behind) > limit
    return {ITEMS: [plain(item) for _, item in part], NEXT: str(part[-1][0]) if more else None}


def _key(item: Any, cursor: Cursor, place: int) -> int:  # noqa: ANN401 - any value of the library
    match cursor:
        case "seq":
            return int(item.seqs[-1])
        case "position":
            return int(item.position)
        case "document":
            return int(item.document_id[1:])
        case _:
            return place


def version(value: object) -> int | None:
    """Give the log position that a reply was made at; a document's version is one."""
    header = getattr(value, "header", None)
    found = (
        getattr(header, "version", None) if header is not None else getattr(value, "position", None)
    )
    return found if isinstance(found, int) else None


def one(hint: Any) -> Any:  # noqa: ANN401 - an annotation
    """Give the annotation of an item of a list, or of what comes one by one."""
    return get_args(hint)[0]


def shape(way: Way) -> Any:  # noqa: ANN401 - an annotation
    """Give the annotation of a reply's JSON."""
    hint = told(way.method)
    if way.cursor:
        name = f"{way.method.title().replace('_', '')}Page"
        return TypedDict(name, {ITEMS: list[one(hint)], NEXT: str | None})  # type: ignore[misc, operator]
    return hint


@functools.cache
def reader(method: str) -> TypeAdapter[Any]:
    """Give what makes values of the JSON of a reply, or of one item of a page or a stream."""
    way = BY_METHOD[method]
    hint = told(method)
    return TypeAdapter(one(hint) if way.cursor else hint)


@functools.cache
def of_kind(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - an annotation
    """Give what makes a value of a kind of its JSON."""
    return TypeAdapter(kind)
