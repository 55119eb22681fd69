"""How much of what is forgotten stands where: before, after, and whenever a receipt is verified."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memoranda.store.calls import with_text
from memoranda.store.erasure import ERASED, is_forgotten, is_whole
from memoranda.store.home import INDEX, Home
from memoranda.values import CURRENT
from memoranda.write import elsewhere, redact, traces
from memoranda.write.choose import Chosen

PLACES: Final = (
    "events", "extractions", "plans", "calls", "current", "documents", "keys", "joined", "names",
    "index", "vectors", "files", "copies", "backups", "commits",
)  # fmt: skip
"""Payloads of events, records that made entries, plans and the like, texts of calls to models; entries
in CURRENT and in documents, keys, joined lines, titles and headings; rows of index and vectors; files,
kept copies, backups and git's commits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What is counted: numbers of events and entries, no text."""

    events: tuple[int, ...]
    seqs: tuple[int, ...]
    shared: tuple[int, ...] = ()
    upto: int = 0
    """The forget record: what came after it can't hold any of it; 0 before there is one."""
    documents: tuple[str, ...] | None = None
    """The documents whose files are looked at; None for all."""
    known: Mapping[str, int] = field(default_factory=dict)
    """Places that were counted elsewhere; with `plans` all kinds of records."""

    def chosen(self) -> Chosen:
        """Give it as what a call to forget names."""
        return Chosen(events=self.events, seqs=self.seqs, shared=self.shared)


def tally(home: Home, sought: Sought) -> dict[str, int]:
    """Count, by place, what there is of some events and entries.

    Args:
        home: the scope.
        sought: what is counted.
    """
    gone = {*sought.seqs, *sought.shared}
    found = {
        "events": _events(home, sought),
        **(_records(home, sought) if "plans" not in sought.known else {}),
        **_entries(home, sought.seqs),
        "names": _names(home, {*sought.seqs} if sought.upto else gone),
        **_units(home, sought),
        "files": _files(home, sought),
        "copies": traces.copies_citing(home, gone),
        "backups": len(elsewhere.own_backups(home, sought.events, sought.upto)),
        "commits": 0,
        **sought.known,
    }
    return {place: found.get(place, 0) for place in PLACES}


def _events(home: Home, sought: Sought) -> int:
    """Count the events that still say it."""
    log, gone = home.log, {*sought.seqs, *sought.shared}
    own: dict[int, set[int]] = {}
    for event, seq in log.connection.execute(
        "SELECT event, seq FROM entry_event WHERE event IN (SELECT value FROM json_each(?))",
        (json.dumps(sought.events),),
    ):
        own.setdefault(event, set()).add(seq)
    return sum(
        _says(record.body, own.get(position, set()) & gone)
        for position in sought.events
        if (record := log.record(position)) is not None and record.body is not None
    )


def _says(body: Mapping[str, Any], seqs: set[int]) -> bool:
    if is_whole(body):
        return False
    if not seqs:  # it goes whole, or what was recalled in it goes
        return not is_forgotten(body)
    return not {str(seq) for seq in seqs} <= {*body.get("erased", {})}


def _records(home: Home, sought: Sought) -> dict[str, int]:
    chosen, last = sought.chosen(), sought.upto or (1 << 62)
    made = redact.extractions(chosen, home.log)
    kept = {at for at in redact.plans(chosen, home.log) if at < last}
    calls = {at for at in with_text(home.log.connection) if at < last}
    return {
        "extractions": sum(at < last for at in made),
        "plans": len(kept - set(made)),
        "calls": len(calls),
    }


def _entries(home: Home, seqs: Sequence[int]) -> dict[str, int]:
    db, listed = home.log.connection, json.dumps(list(seqs))
    among = "seq IN (SELECT value FROM json_each(?))"

    def number(sql: str) -> int:
        return int(db.execute(sql, (listed,)).fetchone()[0])

    return {
        "current": number(
            f"SELECT count(*) FROM entry WHERE {among} AND erased IS NULL AND document_id IS NULL"
        ),
        "documents": number(
            f"SELECT count(*) FROM entry WHERE {among} AND erased IS NULL "
            "AND document_id IS NOT NULL"
        ),
        "keys": number(f"SELECT count(*) FROM entry_key WHERE {among}"),
        "joined": number(
            f"SELECT count(*) FROM joined WHERE line IN (SELECT line FROM entry WHERE {among})"
        ),
    }


def _names(home: Home, gone: set[int]) -> int:
    """Count titles, summaries and headings that were made of it."""
    db, listed = home.log.connection, json.dumps(sorted(gone))
    found = 0
    for table, text, made_from in (
        ("document", "title", "title_from"),
        ("document", "summary", "summary_from"),
        ("block", "headings", "headings_from"),
    ):
        row = db.execute(
            f"SELECT count(*) FROM {table} WHERE {text} NOT IN ('', ?, ?) "
            f"AND EXISTS (SELECT 1 FROM json_tree({made_from}) AS part WHERE part.type = 'integer' "
            "AND part.value IN (SELECT value FROM json_each(?)))",
            (ERASED, json.dumps([ERASED]), listed),
        ).fetchone()
        found += int(row[0])
    return found


def _units(home: Home, sought: Sought) -> dict[str, int]:
    """Count rows of index and vectors, where these files are."""
    units = [*sought.seqs, *(-position for position in sought.events)]
    there = home.files.stat(home.folder / INDEX) is not None
    return {
        "index": home.with_index(lambda index: index.holding(units)) if there else 0,
        "vectors": home.vectors.holding(units),
    }


def _files(home: Home, sought: Sought) -> int:
    """Count our files that print one of the entries; before it is forgotten the views know."""
    if sought.upto:
        return traces.files_citing(home, {*sought.seqs}, sought.documents)
    row = home.log.connection.execute(
        "SELECT count(DISTINCT coalesce(document_id, ?)) FROM entry WHERE erased IS NULL "
        "AND document_id IS NOT 'LOG' "
        "AND line > 0 AND seq IN (SELECT value FROM json_each(?))",
        (CURRENT, json.dumps(sought.seqs)),
    ).fetchone()
    return int(row[0])
