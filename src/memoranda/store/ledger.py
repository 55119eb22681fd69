"""The ledger of what was forgotten: ids and times beside the database, so that no restore undoes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store.log import Log

LEDGER = "erased.jsonl"
"""The file in the scope's folder. It holds no text."""

PENDING = "forgetting"
"""Name of the note in the database that says what is being forgotten, until it is gone everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One forgotten event."""

    event_id: str
    seqs: tuple[int, ...]
    """The entries of it that were forgotten."""
    whole: bool
    at: str


def parse(data: bytes) -> dict[str, Item]:
    """Read a ledger file, by event id; a line that can't be read is left out (it may be cut)."""
    found: dict[str, Item] = {}
    for line in data.splitlines():
        try:
            given = json.loads(line)
            item = Item(
                event_id=str(given["event"]),
                seqs=tuple(int(seq) for seq in given["seqs"]),
                whole=bool(given["whole"]),
                at=str(given["at"]),
            )
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        found[item.event_id] = item
    return found


def print_items(items: Iterable[Item]) -> bytes:
    """Write a ledger file, oldest first."""
    lines = [
        json.dumps(
            {"event": item.event_id, "seqs": list(item.seqs), "whole": item.whole, "at": item.at}
        )
        for item in sorted(items, key=lambda item: (item.at, item.event_id))
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def known(log: Log) -> dict[str, Item]:
    """Give what the database knows to be forgotten, by event id."""
    rows = log.connection.execute(
        "SELECT id, at, CAST(body AS BLOB) AS body FROM erased JOIN record USING (position) "
        "LEFT JOIN payload USING (position) WHERE kind = 'event' ORDER BY position"
    )
    found: dict[str, Item] = {}
    for row in rows:
        body: Mapping[str, Any] = json.loads(row["body"]) if row["body"] is not None else {}
        found[row["id"]] = Item(
            event_id=row["id"],
            seqs=tuple(sorted(int(seq) for seq in body.get("erased", {}))),
            whole=not body.get("content"),
            at=row["at"],
        )
    return found


def identity(event: Mapping[str, Any]) -> str:
    """Give the form in which an event that comes again is known, whatever id it has."""
    names = ("project", "source", "speaker", "session", "time", "content")
    return json.dumps([event[name] for name in names], ensure_ascii=False)
