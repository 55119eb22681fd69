"""What happened to an entry or a document, from the log (R82, R188-R191)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoranda.errors import NotFoundError
from memoranda.read import lineage
from memoranda.store.log import Log, Record
from memoranda.store.operations import (
    Arrange,
    Classify,
    Create,
    Duplicate,
    Join,
    Key,
    LeaveOut,
    Merge,
    Operation,
    Plan,
    Release,
    Replace,
    Reword,
    Split,
    Supersede,
    Update,
    Withdraw,
)
from memoranda.values import Change


def of_entry(seq: int, log: Log) -> tuple[Change, ...]:
    """Give the steps of an entry's life, oldest first.

    Raises:
        NotFoundError: there is no such entry.
    """
    row = log.connection.execute(
        "SELECT position, line, block FROM entry WHERE seq = ?", (seq,)
    ).fetchone()
    if row is None:
        raise NotFoundError("entry", seq)
    positions = [
        item[0]
        for item in log.connection.execute(
            "SELECT event FROM entry_event WHERE seq = ? ORDER BY event", (seq,)
        )
    ]
    changes = [_said(record, seq) for at in positions if (record := log.record(at)) is not None]
    sources = _worded_of(seq, log)
    changes += [_made(record, seq, sources) for record in _at(log, row["position"])]
    life = _Life(seq, row["block"], said_in=-row["line"])
    for record in log.marked(after=row["position"]):
        changes += life.in_record(record)
    return tuple(changes)


def of_document(document_id: str, log: Log) -> tuple[Change, ...]:
    """Give the plans that made and changed a document, oldest first.

    Raises:
        NotFoundError: there never was such a document.
    """
    changes = [change for record in log.marked() for change in _to(document_id, record, log)]
    if not changes:
        raise NotFoundError("document", document_id)
    return (*changes, *_heirs(document_id, log))


def _to(document_id: str, record: Record, log: Log) -> list[Change]:
    """Say what a record did to a document."""
    match record.kind:
        case "forget" if record.body is not None:
            return _without(record, document_id, log)
        case "undo" if record.body is not None and document_id in record.body["touched"]:
            return [_change(record, "undone", _undone(record.body), document_id)]
        case "plan" if record.body is not None:
            plan = Plan.from_json(record.record_id, record.body)
            found = [_on_document(operation, document_id) for operation in plan.operations]
            return [_change(record, *text, document_id) for text in found if text is not None]
        case _:
            return []


def _heirs(document_id: str, log: Log) -> list[Change]:
    """Say where a document lives on that was merged into one which was merged itself."""
    return [
        Change(
            position=heir.position,
            recorded=heir.recorded,
            kind="heir",
            text=f"{heir.of}, which took it in, was merged into {heir.document_id}",
            document_id=heir.document_id,
        )
        for heir in lineage.heirs(document_id, log.connection)[1:]
    ]


def _without(record: Record, document_id: str, log: Log) -> list[Change]:
    """Say what forgetting did to a document."""
    row = log.connection.execute(
        "SELECT retired FROM document WHERE id = ?", (document_id,)
    ).fetchone()
    if row is not None and row[0] == record.position:
        return [_change(record, "retired", "retired: its last line was forgotten", document_id)]
    body: Mapping[str, Any] = record.body or {}
    if document_id not in {item["document"] for item in body["documents"]}:
        return []
    text = "summarised anew, after something was forgotten"
    return [_change(record, "forgotten", text, document_id)]


def _at(log: Log, position: int) -> list[Record]:
    record = log.record(position)
    return [record] if record is not None else []


def _change(
    record: Record, kind: str, text: str, document_id: str | None = None, *seqs: int
) -> Change:
    return Change(
        position=record.position,
        recorded=record.recorded,
        kind=kind,
        text=text,
        document_id=document_id,
        seqs=seqs,
    )


def _said(record: Record, seq: int) -> Change:
    body: Mapping[str, Any] = record.body or {}
    who = body.get("speaker") or body.get("source") or "someone"
    when = f" at {body['time']}" if body.get("time") else ""
    return _change(record, "event", f"said by {who}{when}: event {record.record_id}", None, seq)


def _worded_of(seq: int, log: Log) -> tuple[int, ...]:
    """Give the entries of the same events that were said in other words before this one."""
    rows = log.connection.execute(
        "SELECT DISTINCT source.seq FROM entry_event own JOIN entry_event other USING (event) "
        "JOIN entry source ON source.seq = other.seq "
        "WHERE own.seq = ? AND source.seq < own.seq AND source.line <= 0 ORDER BY 1",
        (seq,),
    )
    return tuple(row[0] for row in rows)


def _made(record: Record, seq: int, sources: tuple[int, ...]) -> Change:
    by = (record.body or {}).get("by", "unknown")
    text = f"entry {seq} extracted by {by}"
    if record.kind == "plan" and sources:
        said = f"entry {sources[0]} says"
        if len(sources) > 1:
            said = f"entries {', '.join(map(str, sources))} say"
        text = f"entry {seq} says in other words, by {by}, what {said}"
    return _change(record, "extracted", text, None, seq)


def _undone(body: Mapping[str, Any]) -> str:
    by = f" by {body['by']}" if body["by"] else ""
    why = f": {body['why']['text']}" if body["why"]["text"] else ""
    return f"{body['undone']} undone{by}{why}"


def _gone(record: Record, seq: int) -> list[Change]:
    body: Mapping[str, Any] = record.body or {}
    if record.kind == "forget":
        text = f"entry {seq} forgotten"
        return [_change(record, "forgotten", text, None, seq)] if seq in body["seqs"] else []
    if body["seq"] != seq:
        return []
    reason = f": {body['reason']}" if body["reason"] else ""
    return [_change(record, "retracted", f"entry {seq} retracted{reason}", None, seq)]


def _waiting(record: Record, seq: int) -> list[Change]:
    """Say what a plan that was not applied at once, or a decision on one, was to an entry."""
    body: Mapping[str, Any] = record.body or {}
    name = body["plan_id"]
    if record.kind == "proposal":
        text = f"in plan {name} (mode {body['mode']})"
        return (
            [_change(record, "proposed", text, None, seq)] if seq in body["plan"]["window"] else []
        )
    if seq not in body["why"]["from"]:
        return []
    by = f" by {body['by']}" if body["by"] else ""
    why = f": {body['why']['text']}" if body["why"]["text"] else ""
    return [_change(record, body["state"], f"plan {name} {body['state']}{by}{why}", None, seq)]


_Step = tuple[str, str, str | None, tuple[int, ...]]


class _Life:
    """Follows one entry through the records: its block never changes, its document may."""

    def __init__(self, seq: int, block: int | None, *, said_in: int) -> None:
        self._seq = seq
        self._said_in = said_in
        self._block = block
        self._document: str | None = None
        self._before: dict[int, str | None] = {}

    def in_record(self, record: Record) -> list[Change]:
        """Give what a record did to the entry."""
        return [] if record.body is None else self._by(record, record.body)

    def _by(self, record: Record, body: Mapping[str, Any]) -> list[Change]:
        seq = self._seq
        match record.kind:
            case "plan":
                plan = Plan.from_json(record.record_id, body)
                self._before[record.position] = self._document
                steps = [
                    self._placing(op) or self._linking(op) or self._editing(op)
                    for op in plan.operations
                ]
                return [_change(record, *step[:3], *step[3]) for step in steps if step is not None]
            case "proposal" | "decision":
                return _waiting(record, seq)
            case "forget" | "retraction":
                return _gone(record, seq)
            case "undo":
                return self._undo(record)
            case "extraction":
                newer = [
                    item["seq"] for item in body["entries"] if seq in item.get("supersedes", ())
                ]
                return [
                    _change(record, "superseded", f"corrected by entry {item}", None, seq, item)
                    for item in newer
                ]
            case _:
                return []

    def _undo(self, record: Record) -> list[Change]:
        """Say that what was done to the entry is undone; a redo puts it where it had been."""
        body: Mapping[str, Any] = record.body or {}
        after = self._document
        for target in body["targets"]:
            after = self._before.get(target, after)
        about = self._seq in {*body["freed"], *body["why"]["from"]}
        moved = after != self._document
        self._before[record.position], self._document = self._document, after
        return (
            [_change(record, "undone", _undone(body), after, self._seq)] if about or moved else []
        )

    def _placing(self, operation: Operation) -> _Step | None:
        before = self._document
        match operation:
            case Create(document_id=name, blocks=blocks) | Update(document_id=name, blocks=blocks):
                if any(self._seq in block.seqs for block in blocks):
                    self._document = name
                    return ("placed", f"placed in {name}", name, (self._seq,))
            case Split(document_id=name, parts=parts) if name == before:
                for part in parts:
                    if self._block in part.blocks:
                        self._document = part.document_id
                        heir = part.document_id
                        return ("moved", f"moved to {heir} by a split", heir, ())
            case Merge(document_id=heir, absorbs=absorbs) if before in absorbs:
                self._document = heir
                return ("moved", f"{before} merged into {heir}", heir, ())
            case _:
                pass
        return None

    def _editing(self, operation: Operation) -> _Step | None:
        """Tell what a person did to the entry, in a file."""
        seq = self._seq
        match operation:
            case Arrange(document_id=name, blocks=blocks):
                before = self._document
                if before != name and any(seq in block.seqs for block in blocks):
                    self._document = name
                    return ("moved", f"placed in {name} by hand", name, (seq,))
            case Replace(old=old, new=new) if old == seq:
                return ("corrected", f"corrected by hand: see entry {new}", None, (old, new))
            case Replace(old=old, new=new) if new == seq:
                return ("corrects", f"corrects entry {old}, by hand", None, (old, new))
            case Withdraw(seq=own) if own == seq:
                self._document = None
                return ("retracted", "retracted: its line was removed by hand", None, (own,))
            case Release(seq=own) if own == seq:
                self._document = None
                return ("moved", "moved to CURRENT by hand", None, (own,))
            case _:
                pass
        return None

    def _linking(self, operation: Operation) -> _Step | None:
        match operation:
            case Join(seqs=seqs) if self._seq in seqs:
                first = seqs[0]
                return ("joined", f"stands in one line with others, as {first}", None, seqs)
            case Duplicate(seq=own, of=of) if own == self._seq:
                return ("duplicate", f"repeats entry {of} and stands in its line", None, (own, of))
            case Supersede(older=older, newer=newer) if older == self._seq:
                return ("superseded", f"replaced by entry {newer}", None, (older, newer))
            case Supersede(older=older, newer=newer) if newer == self._seq:
                return ("supersedes", f"replaces entry {older}", None, (older, newer))
            case _:
                return self._wording(operation)

    def _wording(self, operation: Operation) -> _Step | None:
        match operation:
            case Reword(seqs=seqs) if self._seq in seqs:
                where = f": see entry {self._said_in}" if self._said_in > 0 else ""
                text = f"said in other words by a model{where}"
                return ("reworded", text, None, seqs)
            case Key(seq=own, keys=keys) if own == self._seq:
                told = ", ".join(key.text for key in keys)
                return ("keyed", f"tells a state: {told}", None, (own,))
            case Classify(sensitivity=level, was=was, why=why) if self._seq in why.made_from:
                reason = f": {why.text}" if why.text else ""
                return ("marked", f"marked {level}, was {was}{reason}", None, (self._seq,))
            case LeaveOut(seq=own, reason=reason) if own == self._seq:
                return ("left_out", f"left out ({reason}): it stays in the log", None, (own,))
            case _:
                return None


def _on_document(operation: Operation, name: str) -> tuple[str, str] | None:
    match operation:
        case Create(document_id=own, title=title, blocks=blocks) if own == name:
            return ("created", f"created as {title.text!r} with {_size(blocks)}")
        case Update(document_id=own, title=title, blocks=blocks) if own == name:
            named = f", titled {title.text!r}" if title else ""
            return ("updated", f"{_size(blocks)} added{named}")
        case _:
            return _on_shape(operation, name)


def _on_shape(operation: Operation, name: str) -> tuple[str, str] | None:
    match operation:
        case Arrange(document_id=own, title=title) if own == name:
            named = f", titled {title.text!r}" if title else ""
            return ("edited", f"edited by hand{named}")
        case Split(document_id=own, parts=parts) if own == name:
            heirs = ", ".join(part.document_id for part in parts)
            return ("split", f"split; {heirs} took a part")
        case Split(document_id=own, parts=parts) if name in {p.document_id for p in parts}:
            return ("created", f"split off {own}")
        case Merge(document_id=heir, absorbs=absorbs) if heir == name:
            return ("merged", f"took in {', '.join(absorbs)}")
        case Merge(document_id=heir, absorbs=absorbs) if name in absorbs:
            return ("retired", f"merged into {heir}")
        case _:
            return None


def _size(blocks: tuple[Any, ...]) -> str:
    number = sum(len(block.seqs) for block in blocks)
    return "1 entry" if number == 1 else f"{number} entries"
