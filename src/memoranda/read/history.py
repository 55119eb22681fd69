"""What happened to an entry or a document, from the log (R82, R188-R191)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoranda.errors import NotFoundError
from memoranda.store.log import Log, Record
from memoranda.store.operations import (
    Create,
    Duplicate,
    Merge,
    Operation,
    Plan,
    Split,
    Supersede,
    Update,
)
from memoranda.values import Change, RecordView


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
    changes += [_made(record, seq) for record in _at(log, row["position"])]
    for record in log.records(after=row["position"]):
        changes += _in_record(record, seq, log)
    return tuple(changes)


def of_document(document_id: str, log: Log) -> tuple[Change, ...]:
    """Give the plans that made and changed a document, oldest first.

    Raises:
        NotFoundError: there never was such a document.
    """
    changes: list[Change] = []
    for record in log.records(kind="plan"):
        if record.body is None:
            continue
        for operation in Plan.from_json(record.record_id, record.body).operations:
            text = _on_document(operation, document_id)
            if text is not None:
                changes.append(_change(record, *text, document_id))
    if not changes:
        raise NotFoundError("document", document_id)
    return tuple(changes)


def records(log: Log, *, after: int, until: int, kind: str | None) -> list[RecordView]:
    """Give the log records between two positions (after, until] as they can be shown."""
    return [
        RecordView(
            position=record.position,
            kind=record.kind,
            record_id=record.record_id,
            recorded=record.recorded,
            size=record.size,
            body=record.body,
        )
        for record in log.records(after=after, until=until, kind=kind)
    ]


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


def _made(record: Record, seq: int) -> Change:
    by = (record.body or {}).get("by", "unknown")
    return _change(record, "extracted", f"entry {seq} extracted by {by}", None, seq)


def _in_record(record: Record, seq: int, log: Log) -> list[Change]:
    if record.body is None:
        return []
    match record.kind:
        case "plan":
            plan = Plan.from_json(record.record_id, record.body)
            found = [_on_entry(operation, seq, log) for operation in plan.operations]
            return [_change(record, *item[:3], *item[3]) for item in found if item is not None]
        case "retraction" if record.body["seq"] == seq:
            reason = f": {record.body['reason']}" if record.body["reason"] else ""
            return [_change(record, "retracted", f"entry {seq} retracted{reason}", None, seq)]
        case "extraction":
            newer = [
                item["seq"] for item in record.body["entries"] if seq in item.get("supersedes", ())
            ]
            return [
                _change(record, "superseded", f"corrected by entry {item}", None, seq, item)
                for item in newer
            ]
        case _:
            return []


_Step = tuple[str, str, str | None, tuple[int, ...]]


def _on_entry(operation: Operation, seq: int, log: Log) -> _Step | None:
    match operation:
        case Create(document_id=name, blocks=blocks) | Update(document_id=name, blocks=blocks):
            if any(seq in block.seqs for block in blocks):
                return ("placed", f"placed in {name}", name, (seq,))
        case Duplicate(seq=own, of=of) if own == seq:
            return ("duplicate", f"repeats entry {of} and stands in its line", None, (seq, of))
        case Supersede(older=older, newer=newer) if older == seq:
            return ("superseded", f"replaced by entry {newer}", None, (older, newer))
        case Supersede(older=older, newer=newer) if newer == seq:
            return ("supersedes", f"replaces entry {older}", None, (older, newer))
        case Split(parts=parts):
            block = _block(seq, log)
            for part in parts:
                if block in part.blocks:
                    return (
                        "moved",
                        f"moved to {part.document_id} by a split",
                        part.document_id,
                        (),
                    )
        case Merge(document_id=heir, absorbs=absorbs) if _document(seq, log) == heir:
            return ("moved", f"{', '.join(absorbs)} merged into {heir}", heir, ())
        case _:
            pass
    return None


def _block(seq: int, log: Log) -> int | None:
    row = log.connection.execute("SELECT block FROM entry WHERE seq = ?", (seq,)).fetchone()
    return row[0] if row else None


def _document(seq: int, log: Log) -> str | None:
    row = log.connection.execute("SELECT document_id FROM entry WHERE seq = ?", (seq,)).fetchone()
    return row[0] if row else None


def _on_document(operation: Operation, name: str) -> tuple[str, str] | None:
    match operation:
        case Create(document_id=own, title=title, blocks=blocks) if own == name:
            return ("created", f"created as {title.text!r} with {_size(blocks)}")
        case Update(document_id=own, title=title, blocks=blocks) if own == name:
            named = f", titled {title.text!r}" if title else ""
            return ("updated", f"{_size(blocks)} added{named}")
        case Split(document_id=own, parts=parts):
            heirs = [part.document_id for part in parts]
            if own == name:
                return ("split", f"split; {', '.join(heirs)} took a part")
            if name in heirs:
                return ("created", f"split off {own}")
        case Merge(document_id=heir, absorbs=absorbs):
            if heir == name:
                return ("merged", f"took in {', '.join(absorbs)}")
            if name in absorbs:
                return ("retired", f"merged into {heir}")
        case _:
            pass
    return None


def _size(blocks: tuple[Any, ...]) -> str:
    number = sum(len(block.seqs) for block in blocks)
    return "1 entry" if number == 1 else f"{number} entries"
