"""What people asked to be forgotten: requests that wait, and the lines kept back meanwhile."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from memoranda.store.log import Log, Record

ASK = "ask"
"""Kind of the record of a request. It holds numbers, no words."""
ANSWER = "answer"
"""Kind of the record of what became of one."""
UNHEARD = "asked"
"""The database's own note of events that ask, and whose targets were not looked for yet."""
_OURS = "kind IN (?, ?) AND kind NOT IN ('event', 'extraction')"
"""So that the index of rare kinds serves."""
Found = Literal["clear", "unclear", "nothing"]
State = Literal["waiting", "done", "rejected", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request to forget."""

    request_id: str
    position: int
    recorded: str
    event: int
    """Position of the event in which it was said."""
    seq: int
    """The entry that holds its sentence."""
    found: Found
    targets: tuple[int, ...]
    """Entries that it names, or may name."""
    by: str
    """Who understood it so: the rules, or a model's name."""
    state: State
    answered: str = ""
    """When it was decided on."""
    answered_by: str | None = None


def note(log: Log, event: int, seq: int, reach: str, *, by: str, what: str = "") -> None:
    """Note that an event asks; its targets are looked for once it is on disk. In a transaction.

    Args:
        log: the log.
        event: its position.
        seq: the entry that holds the sentence.
        reach: how far it goes, as `text.asks` says.
        by: who understood it so.
        what: the words that name the target, if these are not to be read off the sentence.
    """
    held = json.loads(log.meta(UNHEARD) or b"[]")
    item = {"event": event, "seq": seq, "reach": reach, "by": by} | ({"what": what} if what else {})
    log.set_meta(UNHEARD, json.dumps([*held, item], ensure_ascii=False).encode())


def unheard(log: Log) -> list[dict[str, Any]]:
    """Give the notes of requests whose targets were not looked for yet."""
    noted: list[dict[str, Any]] = json.loads(log.meta(UNHEARD) or b"[]")
    return noted


def requests(log: Log, state: State | None = None) -> tuple[Asked, ...]:
    """Give the requests, oldest first; of one state if it is given."""
    rows = log.connection.execute(
        f"SELECT position FROM record WHERE {_OURS} ORDER BY position", (ASK, ANSWER)
    )
    records = [found for (at,) in rows.fetchall() if (found := log.record(at)) is not None]
    answers = {
        record.body["ask"]: record
        for record in records
        if record.kind == ANSWER and record.body is not None
    }
    made = (
        _asked(record, answers.get(record.record_id), log)
        for record in records
        if record.kind == ASK and record.body is not None
    )
    return tuple(item for item in made if state is None or item.state == state)


def _asked(record: Record, answer: Record | None, log: Log) -> Asked:
    body, told = record.body or {}, (answer.body or {}) if answer is not None else {}
    gone = not told and not _stand([body["seq"]], log)
    return Asked(
        request_id=record.record_id,
        position=record.position,
        recorded=record.recorded,
        event=body["event"],
        seq=body["seq"],
        found=body["found"],
        targets=tuple(body["targets"]),
        by=body["by"],
        state="gone" if gone else told.get("state", "waiting"),
        answered=answer.recorded if answer is not None else "",
        answered_by=told.get("by"),
    )


def _stand(seqs: Iterable[int], log: Log) -> bool:
    """Say whether any of some entries was not forgotten."""
    row = log.connection.execute(
        "SELECT 1 FROM entry WHERE seq IN (SELECT value FROM json_each(?)) AND erased IS NULL",
        (json.dumps(list(seqs)),),
    ).fetchone()
    return row is not None


def kept_back(log: Log) -> frozenset[int]:
    """Name the lines that readers keep back while a request waits, its own sentence among them.

    Only what is named clearly is kept back: of what may be meant, nothing disappears unasked.
    """
    return lines_of(named(log), log)


def named(log: Log) -> frozenset[int]:
    """Name the entries that requests which wait name clearly, and those that hold their sentences."""
    return frozenset(
        seq
        for item in requests(log, "waiting")
        for seq in (item.seq, *(item.targets if item.found == "clear" else ()))
    )


def newest(log: Log) -> int:
    """Give the position of the newest request or answer; 0 before the first."""
    row = log.connection.execute(
        f"SELECT coalesce(max(position), 0) FROM record WHERE {_OURS}",
        (ASK, ANSWER),
    ).fetchone()
    return int(row[0])


def lines_of(seqs: Iterable[int], log: Log) -> frozenset[int]:
    """Name the lines in which entries stand now, by their first numbers."""
    rows = log.connection.execute(
        "SELECT DISTINCT abs(line) FROM entry "
        "WHERE seq IN (SELECT value FROM json_each(?)) AND erased IS NULL AND line <> 0",
        (json.dumps(sorted(seqs)),),
    )
    return frozenset(row[0] for row in rows)
