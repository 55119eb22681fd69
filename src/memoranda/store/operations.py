"""Plans as data: the closed set of operations that may change documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

PlanKind = Literal["consolidate", "reshape", "extract"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text of a plan and the entries it was made from, so that forgetting can follow it."""

    text: str
    made_from: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the text as a plan record holds it."""
        return {"text": self.text, "from": list(self.made_from)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Text:
        """Read the text of a plan record."""
        return cls(text=data["text"], made_from=tuple(data["from"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBlock:
    """Entries that are placed together under a heading path."""

    headings: tuple[Text, ...]
    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Make a document of new blocks."""

    document_id: str
    project: str | None
    title: Text
    summary: Text
    blocks: tuple[NewBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Add blocks to a document; None leaves its title as it is."""

    document_id: str
    title: Text | None
    summary: Text
    blocks: tuple[NewBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a split takes out of a document: a new document of existing blocks."""

    document_id: str
    title: Text
    summary: Text
    blocks: tuple[int, ...]
    """Block ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Move blocks of a document into new documents; the rest stays where it is."""

    document_id: str
    title: Text | None
    summary: Text
    parts: tuple[Part, ...]
    reason: str = ""
    """Why, in figures: it holds no word of any entry (R221)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Move all blocks of some documents into one; the emptied ones are retired."""

    document_id: str
    absorbs: tuple[str, ...]
    title: Text | None
    summary: Text
    reason: str = ""
    """Why, in figures: it holds no word of any entry (R222)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """Mark an entry as replaced by a newer one; both are kept."""

    older: int
    newer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Let an entry stand in the line of the entry that it repeats."""

    seq: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Let adjacent entries stand in one line, in words that a guard has compared with theirs."""

    seqs: tuple[int, ...]
    """The exact set, ascending; the first is the line's name."""
    text: Text
    tokens: int
    """Of the text: a replay counts them still when the text itself was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reword:
    """Make a new entry of what some entries of CURRENT say, in words that a guard has compared.

    It cites the events of all of them. Who asks for an entry that was reworded is led to the first
    entry that was made of it.
    """

    seqs: tuple[int, ...]
    """Whose events it cites, ascending."""
    text: Text
    tokens: int
    """Of the text: a replay counts them still when the text itself was forgotten."""
    keys: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Give an entry, which stays as it is, keys of the state that it tells."""

    seq: int
    keys: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOut:
    """Keep an entry out of all documents: it stays in the log, where it is found."""

    seq: int
    reason: str
    """A word of a closed list; it holds nothing of the entry."""


Operation = Create | Update | Split | Merge | Supersede | Duplicate | Join | Reword | Key | LeaveOut
Gathers = Duplicate | Join | Reword | Key | LeaveOut
"""What is about entries of CURRENT, before they are placed."""


def number_of(document_id: str) -> int:
    """Give the number of a document: 7 of `d7`; 0 for what is no document's id."""
    digits = document_id.removeprefix("d")
    return int(digits) if digits.isdecimal() else 0


def linked_by(operation: Operation) -> tuple[int, ...]:
    """Name the entries that an operation links, one replaced or repeated by the other."""
    match operation:
        case Supersede(older=older, newer=newer):
            return (older, newer)
        case Duplicate(seq=seq, of=of):
            return (seq, of)
        case _:
            return ()


def gathered_by(operation: Operation) -> tuple[int, ...]:
    """Name the entries that an operation links, joins in one line, rewords, keys or leaves out."""
    match operation:
        case Join(seqs=seqs) | Reword(seqs=seqs):
            return seqs
        case LeaveOut(seq=seq) | Key(seq=seq):
            return (seq,)
        case _:
            return linked_by(operation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A proposed change: all of it is applied, or nothing (R217-R223)."""

    plan_id: str
    kind: PlanKind
    epoch: int
    """The CURRENT interval that it consolidates, counted from 1."""
    window: tuple[int, ...]
    """The entries of CURRENT that it must account for."""
    input_event_ids: tuple[str, ...]
    versions: Mapping[str, int]
    """Document id -> the version the plan was made on."""
    operations: tuple[Operation, ...]
    warnings: tuple[str, ...]
    by: str
    """Who proposed it, such as `rules/1`."""

    def to_json(self) -> dict[str, Any]:
        """Give the body of the plan's log record."""
        return {
            "kind": self.kind,
            "epoch": self.epoch,
            "window": list(self.window),
            "input_event_ids": list(self.input_event_ids),
            "versions": dict(self.versions),
            "operations": [_operation_to_json(operation) for operation in self.operations],
            "warnings": list(self.warnings),
            "by": self.by,
        }

    @classmethod
    def from_json(cls, plan_id: str, data: Mapping[str, Any]) -> Plan:
        """Read a plan record."""
        return cls(
            plan_id=plan_id,
            kind=data["kind"],
            epoch=data["epoch"],
            window=tuple(data["window"]),
            input_event_ids=tuple(data["input_event_ids"]),
            versions=data["versions"],
            operations=tuple(_operation_from_json(item) for item in data["operations"]),
            warnings=tuple(data["warnings"]),
            by=data["by"],
        )


def _operation_to_json(operation: Operation) -> dict[str, Any]:
    match operation:
        case Create():
            return {
                "op": "create",
                "document": operation.document_id,
                "project": operation.project,
                "title": operation.title.to_json(),
                "summary": operation.summary.to_json(),
                "blocks": _blocks_to_json(operation.blocks),
            }
        case Update():
            return {
                "op": "update",
                "document": operation.document_id,
                "title": operation.title and operation.title.to_json(),
                "summary": operation.summary.to_json(),
                "blocks": _blocks_to_json(operation.blocks),
            }
        case Split() | Merge():
            return _shape_to_json(operation)
        case Supersede():
            return {"op": "supersede", "older": operation.older, "newer": operation.newer}
        case _:
            return _gathers_to_json(operation)


def _gathers_to_json(operation: Gathers) -> dict[str, Any]:
    match operation:
        case Duplicate():
            return {"op": "duplicate", "seq": operation.seq, "of": operation.of}
        case Join(seqs=seqs, text=text, tokens=tokens):
            return {"op": "join", "seqs": list(seqs), "text": text.to_json(), "tokens": tokens}
        case Reword(seqs=seqs, text=text, tokens=tokens, keys=keys):
            told = {"op": "reword", "seqs": list(seqs), "text": text.to_json(), "tokens": tokens}
            return {**told, "keys": [key.to_json() for key in keys]}
        case Key(seq=seq, keys=keys):
            return {"op": "key", "seq": seq, "keys": [key.to_json() for key in keys]}
        case LeaveOut(seq=seq, reason=reason):
            return {"op": "leave_out", "seq": seq, "why": reason}


def _shape_to_json(operation: Split | Merge) -> dict[str, Any]:
    common = {
        "document": operation.document_id,
        "title": operation.title and operation.title.to_json(),
        "summary": operation.summary.to_json(),
        "why": operation.reason,
    }
    if isinstance(operation, Merge):
        return {"op": "merge", "absorbs": list(operation.absorbs), **common}
    parts = [
        {
            "document": part.document_id,
            "title": part.title.to_json(),
            "summary": part.summary.to_json(),
            "blocks": list(part.blocks),
        }
        for part in operation.parts
    ]
    return {"op": "split", "parts": parts, **common}


def _operation_from_json(data: Mapping[str, Any]) -> Operation:
    match data["op"]:
        case "create":
            return Create(
                document_id=data["document"],
                project=data["project"],
                title=Text.from_json(data["title"]),
                summary=Text.from_json(data["summary"]),
                blocks=_blocks_from_json(data["blocks"]),
            )
        case "update":
            return Update(
                document_id=data["document"],
                title=_optional(data["title"]),
                summary=Text.from_json(data["summary"]),
                blocks=_blocks_from_json(data["blocks"]),
            )
        case "split" | "merge":
            return _shape_from_json(data)
        case "supersede":
            return Supersede(older=data["older"], newer=data["newer"])
        case _:
            return _gathers_from_json(data)


def _gathers_from_json(data: Mapping[str, Any]) -> Gathers:
    match data["op"]:
        case "duplicate":
            return Duplicate(seq=data["seq"], of=data["of"])
        case "join":
            text = Text.from_json(data["text"])
            return Join(seqs=tuple(data["seqs"]), text=text, tokens=data["tokens"])
        case "reword":
            return Reword(
                seqs=tuple(data["seqs"]),
                text=Text.from_json(data["text"]),
                tokens=data["tokens"],
                keys=_keys(data),
            )
        case "key":
            return Key(seq=data["seq"], keys=_keys(data))
        case "leave_out":
            return LeaveOut(seq=data["seq"], reason=data["why"])
        case other:
            raise ValueError(f"unknown operation {other!r}")


def _shape_from_json(data: Mapping[str, Any]) -> Split | Merge:
    title, summary = _optional(data["title"]), Text.from_json(data["summary"])
    if data["op"] == "merge":
        return Merge(
            document_id=data["document"],
            absorbs=tuple(data["absorbs"]),
            title=title,
            summary=summary,
            reason=data.get("why", ""),
        )
    parts = tuple(
        Part(
            document_id=part["document"],
            title=Text.from_json(part["title"]),
            summary=Text.from_json(part["summary"]),
            blocks=tuple(part["blocks"]),
        )
        for part in data["parts"]
    )
    return Split(
        document_id=data["document"],
        title=title,
        summary=summary,
        parts=parts,
        reason=data.get("why", ""),
    )


def _keys(data: Mapping[str, Any]) -> tuple[Text, ...]:
    return tuple(Text.from_json(key) for key in data["keys"])


def _optional(data: Mapping[str, Any] | None) -> Text | None:
    return Text.from_json(data) if data is not None else None


def _blocks_to_json(blocks: tuple[NewBlock, ...]) -> list[dict[str, Any]]:
    return [
        {"headings": [heading.to_json() for heading in block.headings], "seqs": list(block.seqs)}
        for block in blocks
    ]


def _blocks_from_json(data: list[Mapping[str, Any]]) -> tuple[NewBlock, ...]:
    return tuple(
        NewBlock(
            headings=tuple(Text.from_json(heading) for heading in block["headings"]),
            seqs=tuple(block["seqs"]),
        )
        for block in data
    )
