"""What is left of the log's records for a reader who may not see all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from memoranda.store.erasure import HOLE
from memoranda.store.log import Log, Record
from memoranda.store.marking import as_marked
from memoranda.store.visible import Visible

UNNAMED = "[not shown]"
"""Stands for a title, summary or heading that may have been made from what is kept back."""
KINDS = frozenset({"event", "extraction", "plan", "retraction", "forget", "undo"})
"""The records that make a library. All others tell of the engine's work: they are its owner's."""
Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """Entries that permission checks refuse, and where their words stand in the events."""

    seqs: frozenset[int] = frozenset()
    events: frozenset[int] = frozenset()
    """Positions of events that are kept back whole."""
    spans: Mapping[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    """Position of an event of which some entries may be seen -> the parts of it that may not."""


class Screen:
    """Takes out of records, one after the other and in order, what a reader may not see.

    An entry is kept back when one of its events is; of such an entry a number and a time are left,
    so that what it replaced shows as replaced. Every text that was made from one is left out: a
    joined line falls apart into what may be seen of it, and waits in CURRENT again.
    """

    def __init__(self, visible: Visible, log: Log, refused: Refused) -> None:
        self._visible = visible
        self._log = log
        self.refused = refused
        self.events: set[int] = set()
        """Positions of the events that are kept back."""
        self.seqs: set[int] = set()
        """The entries that are kept back."""
        self._ids: set[str] = set()

    def left(self, record: Record) -> Body | None:
        """Give what is left of a record; None when nothing of it is."""
        if record.body is None or record.kind not in KINDS:
            return None
        work: dict[str, Callable[[Record, Mapping[str, Any]], Body | None]] = {
            "event": self._event,
            "extraction": self._extraction,
            "plan": self._plan,
            "retraction": self._retraction,
            "forget": self._forget,
            "undo": self._undo,
        }
        return work[record.kind](record, record.body)

    # --- events and entries -------------------------------------------------------------------

    def _event(self, record: Record, body: Mapping[str, Any]) -> Body | None:
        body = as_marked(self._log.connection, record.position, body)
        if not self._visible.admits(body) or record.position in self.refused.events:
            self.events.add(record.position)
            self._ids.add(record.record_id)
            return None
        content = body["content"]
        for start, end in self.refused.spans.get(record.position, ()):
            content = content[:start] + HOLE * (end - start) + content[end:]
        return {**body, "content": content}

    def _extraction(self, _: Record, body: Mapping[str, Any]) -> Body:
        items = []
        for item in body["entries"]:
            numbers = item.get("events", [item.get("event")])
            if self._kept_back(item["seq"], (body["events"][number] for number in numbers)):
                linked = {"supersedes": item["supersedes"]} if item.get("supersedes") else {}
                items.append(self._withheld(item["seq"]) | linked)
            else:
                items.append(item)
        return {"by": body.get("by"), "events": body["events"], "entries": items}

    def _kept_back(self, seq: int, events: Iterable[int]) -> bool:
        hidden = seq in self.refused.seqs or any(at in self.events for at in events)
        if hidden:
            self.seqs.add(seq)
        return hidden

    def _withheld(self, seq: int) -> Body:
        """Give what is left of an entry: its number, and when it was said."""
        row = self._log.connection.execute(
            "SELECT time, recorded FROM entry WHERE seq = ?", (seq,)
        ).fetchone()
        return {"seq": seq, "withheld": [row[0], row[1]] if row else [None, "1970-01-01T00:00:00Z"]}

    def _retraction(self, _: Record, body: Mapping[str, Any]) -> Body:
        if body["seq"] not in self.seqs:
            return dict(body)
        return {**body, "reason": "", "by": None}

    # --- plans --------------------------------------------------------------------------------

    def _plan(self, record: Record, body: Mapping[str, Any]) -> Body:
        made = iter(self._made(record.position))
        left = [
            found
            for operation in body["operations"]
            if (found := self._operation(operation, made)) is not None
        ]
        return {
            "kind": body["kind"],
            "epoch": body["epoch"],
            "window": self._seen(body["window"]),
            "input_event_ids": [name for name in body["input_event_ids"] if name not in self._ids],
            "versions": {},
            "operations": left,
            "warnings": [],
            "by": body["by"],
        }

    def _made(self, position: int) -> list[int]:
        """Give the entries that a plan worded, in the order of its operations."""
        rows = self._log.connection.execute(
            "SELECT seq FROM entry WHERE position = ? ORDER BY seq", (position,)
        )
        return [row[0] for row in rows]

    def _operation(self, operation: Mapping[str, Any], made: Iterator[int]) -> Body | None:
        """Give what is left of an operation; what is not known may tell of anything, and goes."""
        kind = operation["op"]
        if kind == "supersede":
            return dict(operation)
        if kind == "reword":
            return self._reword(operation, next(made, 0))
        work: dict[str, Callable[[Mapping[str, Any]], Body | None]] = {
            **dict.fromkeys(("create", "update", "split", "merge"), self._on_document),
            **dict.fromkeys(("join", "key", "leave_out", "withdraw", "release"), self._gathering),
            "duplicate": self._duplicate,
            "arrange": self._arrange,
            "replace": self._replace,
        }
        return work[kind](operation) if kind in work else None

    def _duplicate(self, operation: Mapping[str, Any]) -> Body | None:
        hidden = {operation["seq"], operation["of"]} & self.seqs
        return None if hidden else dict(operation)

    def _reword(self, operation: Mapping[str, Any], seq: int) -> Body:
        told = {*operation["seqs"], *operation["text"]["from"]}
        if told & self.seqs or seq in self.refused.seqs:
            self.seqs.add(seq)
            return {"op": "withhold", **self._withheld(seq)}
        return {**operation, "keys": self._keys(operation)}

    def _gathering(self, operation: Mapping[str, Any]) -> Body | None:
        own = set(operation.get("seqs", [operation.get("seq")]))
        told = set(operation["text"]["from"]) if "text" in operation else set()
        if (own | told) & self.seqs:
            return None
        return (
            {**operation, "keys": self._keys(operation)} if "keys" in operation else {**operation}
        )

    def _keys(self, operation: Mapping[str, Any]) -> list[Any]:
        return [key for key in operation["keys"] if not set(key["from"]) & self.seqs]

    def _on_document(self, operation: Mapping[str, Any]) -> Body:
        left = {**operation, **self._names(operation)}
        if "blocks" in operation:
            left["blocks"] = [
                {
                    "headings": [self._text(heading) for heading in block["headings"]],
                    "seqs": self._seen(block["seqs"]),
                }
                for block in operation["blocks"]
            ]
        if "parts" in operation:
            left["parts"] = [{**part, **self._names(part)} for part in operation["parts"]]
        return left

    def _arrange(self, operation: Mapping[str, Any]) -> Body:
        extra = self._text(operation["extra"])
        return {
            **operation,
            **self._names(operation),
            "extra": None if extra is None or extra["text"] == UNNAMED else extra,
            "blocks": [
                {
                    **block,
                    "headings": [self._text(heading) for heading in block["headings"]],
                    "seqs": self._seen(block["seqs"]),
                }
                for block in operation["blocks"]
            ],
        }

    def _replace(self, operation: Mapping[str, Any]) -> Body | None:
        """A wording that may be seen is outdated where the one in its place may not."""
        (old,), (new,) = operation["old"], operation["new"]
        if old in self.seqs:
            return None
        if new in self.seqs:
            return {"op": "supersede", "older": old, "newer": new}
        return dict(operation)

    def _names(self, named: Mapping[str, Any]) -> Body:
        return {name: self._text(named[name]) for name in ("title", "summary")}

    def _text(self, text: Mapping[str, Any] | None) -> Body | None:
        """Leave out a text that may tell of what is kept back: one without sources may."""
        if text is None:
            return None
        sources = set(text["from"])
        if sources and not sources & self.seqs:
            return dict(text)
        return {"text": UNNAMED, "from": []}

    def _seen(self, seqs: Sequence[int]) -> list[int]:
        return [seq for seq in seqs if seq not in self.seqs]

    # --- what was taken back ------------------------------------------------------------------

    def _forget(self, _: Record, body: Mapping[str, Any]) -> Body:
        return {
            "by": None,
            "events": [at for at in body["events"] if at not in self.events],
            "seqs": self._seen(body["seqs"]),
            "records": {},
            "documents": [{**item, **self._names(item)} for item in body["documents"]],
            "blocks": self._heads(body),
            "entries": [item for item in body["entries"] if item["line"] not in self.seqs],
        }

    def _undo(self, _: Record, body: Mapping[str, Any]) -> Body:
        why = self._text(body["why"]) if body["why"]["text"] else body["why"]
        return {
            **body,
            "why": why,
            "freed": self._seen(body["freed"]),
            "documents": [{**item, **self._names(item)} for item in body["documents"]],
            "blocks": self._heads(body),
        }

    def _heads(self, body: Mapping[str, Any]) -> list[Body]:
        return [
            {**item, "headings": [self._text(heading) for heading in item["headings"]]}
            for item in body["blocks"]
        ]


def refused_by(lines: AbstractSet[int], whole: AbstractSet[int], log: Log) -> Refused:
    """Say what goes with some lines that permission checks refuse.

    Args:
        lines: their first seqs; all that stands in them goes, and what they were worded from.
        whole: positions of events that no entry cites and that are refused themselves.
        log: the log, with its views.
    """
    db = log.connection
    rows = db.execute(
        "SELECT seq, position FROM entry WHERE abs(line) IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(lines)),),
    ).fetchall()
    seqs = frozenset(row[0] for row in rows)
    spans: dict[int, list[tuple[int, int]]] = {}
    for seq, position in rows:
        for event, span in _spans(seq, position, log):
            spans.setdefault(event, []).append(span)
    told = db.execute(
        "SELECT DISTINCT event FROM entry_event WHERE seq NOT IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(seqs)),),
    )
    kept = {row[0] for row in told}
    return Refused(
        seqs,
        frozenset({*(at for at in spans if at not in kept), *whole}),
        {at: tuple(found) for at, found in spans.items() if at in kept},
    )


def _spans(seq: int, position: int, log: Log) -> list[tuple[int, tuple[int, int]]]:
    """Give the events of an entry, each with the part that it says: all of it for words of its own."""
    rows = log.connection.execute("SELECT event FROM entry_event WHERE seq = ?", (seq,)).fetchall()
    made = log.record(position)
    items = (made.body or {}).get("entries", ()) if made is not None else ()
    span = next((item.get("span") for item in items if item["seq"] == seq), None)
    found = []
    for (event,) in rows:
        record = log.record(event)
        content = (record.body or {}).get("content", "") if record is not None else ""
        found.append((event, (span[0], span[1]) if span else (0, len(content))))
    return found
