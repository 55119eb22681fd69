"""Events come in: checked, logged, extracted by rules, all in one durable transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoranda.errors import InputError, NotFoundError, TextError
from memoranda.lifetimes import FIELD, KEEPS, lifetime
from memoranda.store import requests
from memoranda.store.erasure import is_forgotten
from memoranda.store.fold import Fold
from memoranda.store.ledger import identity
from memoranda.store.log import Log, Record, encode
from memoranda.store.scope import check_project
from memoranda.text.asks import Ask, asks
from memoranda.text.fences import echoes, outside
from memoranda.text.frames import Statement, keys
from memoranda.text.sentences import Span, cut
from memoranda.text.times import normalise
from memoranda.text.tokens import count
from memoranda.values import SENSITIVITIES, SOURCES, NewEvent
from memoranda.write.recalled import without_forgotten
from memoranda.write.screening import Screen, Screened, Secrets

BY = "rules/1"
LARGEST = 64 * 1024 * 1024
"""Bytes of UTF-8 that one event may hold."""
LONGEST = 512
"""Characters that an id, a speaker or a session may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one event."""

    event_id: str
    seqs: tuple[int, ...]
    known: bool
    forgotten: bool = False
    """It was forgotten before: it does not come back."""
    echoes: int = 0
    """So much in it was recalled from a memory, and is not taken for new."""
    secrets: tuple[str, ...] = ()
    """The kinds of the secrets that it held: marks stand in their places."""


def check(event: NewEvent) -> NewEvent:
    """Check an event and bring its time and project into normal form.

    Raises:
        TextError: the content is blank, too large, or no valid Unicode.
        InputError, ScopeNameError, TimeError: another field can't be used.
    """
    _check_text("content", event.content, LARGEST)
    if not event.content.strip():
        raise TextError("content", "it is blank; send some text")
    if event.source not in SOURCES:
        raise InputError(f"source is one of {', '.join(SOURCES)}, not {event.source!r}")
    if event.sensitivity not in SENSITIVITIES:
        raise InputError(
            f"sensitivity is one of {', '.join(SENSITIVITIES)}, not {event.sensitivity!r}"
        )
    _check_names(event)
    if not isinstance(event.metadata, Mapping):
        raise InputError(f"metadata is a mapping, not {type(event.metadata).__name__}")
    if event.metadata:
        encode(event.metadata)
        if (kept := event.metadata.get(FIELD)) is not None:
            lifetime(kept)
    if event.time is None and event.project is None:
        return event
    return replace(
        event,
        time=None if event.time is None else normalise(event.time),
        project=None if event.project is None else check_project(event.project),
    )


def _check_names(event: NewEvent) -> None:
    for name in ("speaker", "session", "external_id", "idempotency_key", "actor", "project"):
        value = getattr(event, name)
        if value is not None:
            _check_text(name, value, LONGEST)
            if not value.strip():
                raise TextError(name, "it is blank; leave it out instead")


def _check_text(field: str, value: object, largest: int) -> None:
    if not isinstance(value, str):
        raise TextError(field, f"it must be text, not {type(value).__name__}")
    if "\0" in value:
        raise TextError(field, "it holds a NUL character; remove it")
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        raise TextError(field, "it holds half of a surrogate pair; send valid Unicode") from error
    if size > largest:
        raise TextError(field, f"it has {size} bytes, the limit is {largest}; send it in parts")


def extract(event: NewEvent, *, limit: int, heeds: bool = False) -> list[dict[str, Any]]:
    """Extract entries by rules: the text verbatim, cut only where it is longer than `limit` tokens.

    What was recalled from a memory, and stands in a fence of ours, is not taken for new.

    Args:
        event: checked.
        limit: tokens of one entry.
        heeds: make an entry of its own of each sentence in which the user asks to forget something.

    Returns:
        One mapping an entry: `span` (start, end) in the content, `keys` of its state, if any, and of
        a request to forget how far it `asks` to go.
    """
    found: list[dict[str, Any]] = []
    for start, end, ask in _parts(event, limit, heeds=heeds):
        statement = Statement(
            text=event.content[start:end],
            speaker=event.speaker,
            source=event.source,
            project=event.project,
            time=event.time,
        )
        told = list(keys(statement)) if ask is None else []
        wish = {} if ask is None else {"asks": ask.reach}
        found.append({"event": 0, "span": [start, end], "keys": told, **wish})
    return found


def _parts(event: NewEvent, limit: int, *, heeds: bool) -> Iterator[tuple[int, int, Ask | None]]:
    """Give the parts of a content; a request to forget is a part by itself, so that it can go by itself."""
    wishes = asks(event.content) if heeds and event.source == "user" else ()
    for start, end in _spans(event.content, limit):
        at = start
        for ask in wishes:
            if at <= ask.start and ask.end <= end:
                yield from _trimmed(event.content, at, ask.start, None)
                yield from _trimmed(event.content, ask.start, ask.end, ask)
                at = ask.end
        yield from _trimmed(event.content, at, end, None) if at > start else ((start, end, None),)


def _trimmed(
    content: str, start: int, end: int, ask: Ask | None
) -> Iterator[tuple[int, int, Ask | None]]:
    piece = content[start:end]
    if piece.strip():
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()), ask


def _spans(content: str, limit: int) -> Iterator[Span]:
    for first, last in outside(content):
        for start, end in cut(content[first:last], limit, count):
            yield first + start, first + end


class Intake:
    """Takes events into the log.

    Args:
        log: the log.
        fold: brings each record into the views, in the same transaction.
        entry_tokens: a message above this many tokens is cut into several entries.
        secrets: `redact` puts a mark in the place of every secret, `refuse` takes no event that
            holds one, `keep` does not look.
        heeds: notes requests to forget, for `write.asked`.
    """

    def __init__(
        self,
        log: Log,
        fold: Fold,
        *,
        entry_tokens: int,
        secrets: Secrets = "redact",
        heeds: bool = False,
    ) -> None:
        self._log = log
        self._fold = fold
        self._limit = entry_tokens
        self.screen = Screen(secrets)
        self._heeds = heeds

    def take(
        self, events: Sequence[NewEvent], *, supersedes: Sequence[int] = (), again: bool = False
    ) -> list[Taken]:
        """Log checked events and their entries: all of them, or none on an error.

        Args:
            events: checked by `check`.
            supersedes: entries that the first entry of the first event replaces.
            again: the events may have been here before (an import): one that was forgotten stays
                so, even without an id. The same words said again live are a new event.

        Raises:
            InputError: an id is known with another content, or what replaces entries says nothing new.
            SecretError: an event holds a secret, and the setting `secrets` refuses it.
        """
        screened = [self.screen.event(event) for event in events]
        prepared = [
            (item, extract(item.event, limit=self._limit, heeds=self._heeds)) for item in screened
        ]
        if supersedes and not prepared[0][1]:
            raise InputError(
                "the new text is nothing but recalled memory: give it without the fence"
            )
        with self._log.transaction():
            for seq in supersedes:
                self._must_exist(seq)
            return [
                (self._forgotten(item) if again else None)
                or self._take(self._unforgotten(item), entries, supersedes if number == 0 else ())
                for number, (item, entries) in enumerate(prepared)
            ]

    def _unforgotten(self, item: Screened) -> Screened:
        """Give an event without what it recalls of forgotten entries; every place in it stays."""
        content = without_forgotten(item.event.content, self._log)
        if content == item.event.content:
            return item
        return replace(item, event=replace(item.event, content=content))

    def _must_exist(self, seq: int) -> None:
        found = self._log.connection.execute("SELECT 1 FROM entry WHERE seq = ?", (seq,)).fetchone()
        if found is None:
            raise NotFoundError("entry", seq)

    def _take(
        self, item: Screened, entries: list[dict[str, Any]], supersedes: Sequence[int]
    ) -> Taken:
        event = item.event
        own = dict.fromkeys(key for key in (event.idempotency_key, event.external_id) if key)
        for key in own:
            known = self._known(key, event)
            if known is not None:
                return known
        record = self._log.append("event", _body(event))
        self._fold.apply(record)
        if FIELD in event.metadata:
            self._log.set_meta(KEEPS, b"1")
        for key in own:
            self._log.note("idempotency", _in_project(key, event.project), record.position)
        if event.external_id:
            self._log.note("external_id", event.external_id, record.position)
        seqs = self._record_entries(record, entries, supersedes)
        number = len(echoes(event.content))
        return Taken(
            event_id=record.record_id, seqs=seqs, known=False, echoes=number, secrets=item.kinds
        )

    def _record_entries(
        self, event: Record, entries: list[dict[str, Any]], supersedes: Sequence[int]
    ) -> tuple[int, ...]:
        first = self._fold.counter("seq") + 1
        for number, entry in enumerate(entries):
            entry["seq"] = first + number
        if supersedes and entries:
            entries[0]["supersedes"] = list(supersedes)
        body = {"by": BY, "events": [event.position], "entries": entries}
        self._fold.apply(self._log.append("extraction", body))
        for entry in entries:
            if "asks" in entry:
                requests.note(self._log, event.position, entry["seq"], entry["asks"], by=BY)
        return tuple(entry["seq"] for entry in entries)

    def _forgotten(self, item: Screened) -> Taken | None:
        """Give the event that was forgotten and was this one in every respect, secrets kept or not."""
        found = [
            position
            for event in dict.fromkeys((identity(_body(item.event)), identity(_body(item.given))))
            for position in self._log.find("forgotten", event)
        ]
        record = self._log.record(found[0]) if found else None
        if record is None:
            return None
        return Taken(event_id=record.record_id, seqs=(), known=True, forgotten=True)

    def _known(self, key: str, event: NewEvent) -> Taken | None:
        """Give the event that was logged under the same key before, if it says the same."""
        for position in self._log.find("idempotency", _in_project(key, event.project)):
            record = self._log.record(position)
            if record is None:
                continue
            if record.body is None or is_forgotten(record.body):
                return Taken(event_id=record.record_id, seqs=(), known=True, forgotten=True)
            if record.body["content"] != event.content and not self.screen.same(
                record.body["content"], event.content
            ):
                raise InputError(
                    f"id {key!r} is in the log with another text; send the new text under a new id, "
                    "or use correct"
                )
            seqs = self._log.connection.execute(
                "SELECT seq FROM entry_event WHERE event = ? ORDER BY seq", (position,)
            )
            return Taken(event_id=record.record_id, seqs=tuple(row[0] for row in seqs), known=True)
        return None


def _in_project(key: str, project: str | None) -> str:
    """Keep the ids of one project apart from another's."""
    return f"{project or ''}\0{key}"


def _body(event: NewEvent) -> dict[str, Any]:
    return {
        "content": event.content,
        "source": event.source,
        "speaker": event.speaker,
        "time": event.time,
        "session": event.session,
        "project": event.project,
        "sensitivity": event.sensitivity,
        "external_id": event.external_id,
        "idempotency_key": event.idempotency_key,
        "metadata": dict(event.metadata),
        "actor": event.actor,
    }


# --- import -----------------------------------------------------------------------------------

FIELDS = {
    "id", "source", "speaker", "time", "content", "session", "project", "sensitivity", "meta",
}  # fmt: skip


def read_line(line: bytes) -> NewEvent:
    """Read one line of a JSON Lines import.

    The object holds `content`, and may hold `id` (external id, also the idempotency key), `source`,
    `speaker`, `time` (ISO 8601), `session`, `project`, `sensitivity`, `meta` (an object).

    Raises:
        InputError: the line can't be used; the message says why.
    """
    try:
        data = json.loads(line.decode(), object_pairs_hook=_no_twins)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}") from error
    if not isinstance(data, dict):
        raise InputError("not a JSON object")
    unknown = sorted(set(data) - FIELDS)
    if unknown:
        raise InputError(f"unknown fields {', '.join(unknown)}; put them into meta")
    if "content" not in data:
        raise InputError("no content")
    meta = data.get("meta", {})
    meta = {} if meta is None else meta
    if not isinstance(meta, dict):
        raise InputError("meta must be an object")
    encode(meta)
    return check(
        NewEvent(
            content=data["content"],
            source=_given(data, "source", "user"),
            speaker=data.get("speaker"),
            time=data.get("time"),
            session=data.get("session"),
            project=data.get("project"),
            sensitivity=_given(data, "sensitivity", "internal"),
            external_id=data.get("id"),
            metadata=meta,
        )
    )


def _given(data: Mapping[str, Any], name: str, default: str) -> Any:  # noqa: ANN401
    """Give a field; only a missing one, or null, takes the default."""
    value = data.get(name)
    return default if value is None else value


def _no_twins(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"field {name!r} stands twice")
        found[name] = value
    return found
