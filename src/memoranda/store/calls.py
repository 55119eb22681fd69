"""Reading what the log says of calls to models."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from memoranda.reports import Spent

KEEPER = "keeper"
"""Name of the note in the database that says who maintained last on demand: `model`, else rules."""
RUN = "run"
"""Name of the note in the database that tells of the last run."""


def spent_on(connection: sqlite3.Connection, day: str) -> Spent:
    """Sum up the calls that were recorded on a day, `YYYY-MM-DD` in UTC."""
    calls, tokens, money, known = 0, 0, 0.0, True
    for body in bodies(connection, since=day):
        if not body["at"].startswith(day):
            continue
        calls += body["calls"]
        tokens += body["usage"]["input_tokens"] + body["usage"]["output_tokens"]
        known = known and (body["price"] is not None or not body["usage"]["output_tokens"])
        money += body["price"] or 0.0
    return Spent(calls=calls, tokens=tokens, money=money if known else None)


def forgot_since(connection: sqlite3.Connection, position: int) -> bool:
    """Say whether something was forgotten after a position."""
    row = connection.execute(
        "SELECT 1 FROM record WHERE position > ? AND kind = 'forget' LIMIT 1", (position,)
    ).fetchone()
    return row is not None


def bodies(connection: sqlite3.Connection, *, since: str = "") -> Iterator[Mapping[str, Any]]:
    """Give what the records of calls say, newest first; those of a day and after it if one is given."""
    rows = connection.execute(
        "SELECT recorded, body FROM record JOIN payload USING (position) WHERE kind = 'call' "
        "ORDER BY position DESC"
    )
    for recorded, body in rows:
        if recorded[:10] < since:
            return
        yield json.loads(body)


def with_text(connection: sqlite3.Connection) -> dict[int, Mapping[str, Any]]:
    """Give, by position, the records of calls that keep the text of prompt or reply."""
    rows = connection.execute(
        "SELECT position, body FROM record JOIN payload USING (position) WHERE kind = 'call' "
        "AND json_valid(body) AND (json_extract(body, '$.prompt') IS NOT NULL "
        "OR json_extract(body, '$.reply') IS NOT NULL) ORDER BY position"
    )
    return {row[0]: json.loads(row[1]) for row in rows}
