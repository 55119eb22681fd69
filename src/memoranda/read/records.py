"""The log's records, each with its actor, narrowed to a kind, a time, an actor or what they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.errors import InputError
from memoranda.read.filters import When
from memoranda.store.log import LETTERS, Log, Record
from memoranda.text.days import period
from memoranda.text.times import instant
from memoranda.values import RecordView

ENGINE = "memoranda"
"""Who is behind a record that nobody asked for: the engine's own account of what it did."""
_LISTS = ("seqs", "window", "left_out", "kept", "placed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a record must be to be shown; None lets everything through."""

    kind: str | None = None
    since: When | None = None
    until: When | None = None
    actor: str | None = None
    document: str | None = None
    entry: int | None = None
    plan: str | None = None

    def __post_init__(self) -> None:
        """Refuse a kind that no record has.

        Raises:
            InputError: there is no such kind.
        """
        if self.kind is not None and self.kind not in LETTERS:
            raise InputError(f"no record is of kind {self.kind!r}; there are {', '.join(LETTERS)}")


class Sieve:
    """Lets the records of one log through that fit."""

    def __init__(self, wanted: Wanted, log: Log) -> None:
        self._wanted = wanted
        self._start = None if wanted.since is None else period(wanted.since).start
        self._end = None if wanted.until is None else period(wanted.until).end
        self._own: frozenset[int] = frozenset()
        if wanted.entry is not None:
            rows = log.connection.execute(
                "SELECT event FROM entry_event WHERE seq = ?1 "
                "UNION SELECT position FROM entry WHERE seq = ?1",
                (wanted.entry,),
            )
            self._own = frozenset(row[0] for row in rows)

    def fits(self, record: Record) -> bool:
        """Say whether a record is to be shown."""
        wanted = self._wanted
        return (
            self._in_time(record)
            and (wanted.actor is None or wanted.actor in actors(record))
            and (wanted.document is None or _names(record, wanted.document))
            and (wanted.plan is None or _of_plan(record, wanted.plan))
            and (wanted.entry is None or self._of_entry(record, wanted.entry))
        )

    def _in_time(self, record: Record) -> bool:
        if self._start is None and self._end is None:
            return True
        at = instant(record.recorded)
        return (self._start is None or at >= self._start) and (self._end is None or at < self._end)

    def _of_entry(self, record: Record, seq: int) -> bool:
        if record.position in self._own:
            return True
        return record.kind != "event" and seq in set(_seqs(record.body))


def actors(record: Record) -> tuple[str, ...]:
    """Say who is behind a record, the most telling name first; never nothing.

    Of an event: the program that added it, its speaker, its source. Of a plan or a call: the rules
    or the model. Of a decision, a retraction, a forgetting: who asked for it, else `user`.
    """
    body: Mapping[str, Any] = record.body or {}
    match record.kind:
        case "event":
            names = (body.get("actor"), body.get("speaker"), body.get("source"))
        case "proposal":
            names = (body.get("plan", {}).get("by"), None, None)
        case "call":
            names = (body.get("model"), body.get("by"), None)
        case "receipt":
            names = (body.get("by"), ENGINE, None)
        case "plan" | "extraction":
            names = (body.get("by"), ENGINE, None)
        case _:
            names = (body.get("by") or "user", body.get("actor"), None)
    found = tuple(dict.fromkeys(str(name) for name in names if name))
    return found or (ENGINE,)


def _names(record: Record, document_id: str) -> bool:
    """Say whether a record names a document; what events say does not count."""
    if record.kind == "event" or record.body is None:
        return False
    return document_id in set(_strings(record.body))


def _strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - parsed JSON
    """Give all names in a body, texts left out: those stand under `text`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield name
            if name not in {"text", "reason", "said"}:
                yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _of_plan(record: Record, plan_id: str) -> bool:
    body: Mapping[str, Any] = record.body or {}
    return plan_id in (record.record_id, body.get("plan_id"), body.get("plan"))  # or a whole plan


def _seqs(value: Any) -> Iterator[int]:  # noqa: ANN401 - parsed JSON
    """Give the numbers of the entries that a body is about."""
    if isinstance(value, list):
        for item in value:
            yield from _seqs(item)
    if not isinstance(value, dict):
        return
    for name, item in value.items():
        if name in {"seq", "of", "older", "newer", "line"} and isinstance(item, int):
            yield item
        elif name in {*_LISTS, "from", "supersedes", "superseded", "duplicates", "joined"}:
            yield from _flat(item)
        elif name not in {"versions", "events"}:
            yield from _seqs(item)


def _flat(value: Any) -> Iterator[int]:  # noqa: ANN401 - parsed JSON
    if isinstance(value, int):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _flat(item)


def page(log: Log, sieve: Sieve, *, after: int, until: int, kind: str | None) -> list[RecordView]:
    """Give the records between two positions (after, until] that fit, as they can be shown."""
    return [
        shown(record)
        for record in log.marked(after=after, until=until, kind=kind)
        if sieve.fits(record)
    ]


def shown(record: Record) -> RecordView:
    """Give a record as it can be shown."""
    return RecordView(
        position=record.position,
        kind=record.kind,
        record_id=record.record_id,
        recorded=record.recorded,
        size=record.size,
        body=record.body,
        damaged=record.damaged,
        actor=actors(record)[0],
    )
