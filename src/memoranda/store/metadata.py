"""The metadata of an entry: that of its events, put together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memoranda.store.log import Log
from memoranda.store.visible import ACCESS, labels_of


def together(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Put the metadata of several events together.

    A field has the one value that the events have; where they differ, the list of all. `access` has
    the labels that may see every one of them. Nothing is lost, and nothing is made up.
    """
    found: dict[str, list[Any]] = {}
    for part in parts:
        for name, value in part.items():
            values = found.setdefault(name, [])
            values += [item for item in _items(value) if item not in values]
    made: dict[str, Any] = {
        name: values[0] if len(values) == 1 and not _is_listed(name, parts) else values
        for name, values in found.items()
    }
    rules = [rule for part in parts if (rule := labels_of(part)) is not None]
    return made | ({ACCESS: sorted(frozenset.intersection(*rules))} if rules else {})


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_listed(name: str, parts: Sequence[Mapping[str, Any]]) -> bool:
    return any(isinstance(part.get(name), list) for part in parts)


def of_entries(seqs: Iterable[int], log: Log) -> dict[str, Any]:
    """Give the metadata of a line, by the entries that stand in it."""
    rows = log.connection.execute(
        "SELECT DISTINCT event FROM entry_event WHERE seq IN (SELECT value FROM json_each(?)) "
        "ORDER BY event",
        (json.dumps(sorted(seqs)),),
    ).fetchall()
    records = (log.record(row[0]) for row in rows)
    return together(
        [
            record.body["metadata"]
            for record in records
            if record is not None and record.body is not None and record.body["metadata"]
        ]
    )
