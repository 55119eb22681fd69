"""Plans as data: the closed set of operations that may change documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memoranda.store import edits, gathers, marking
from memoranda.store.edits import Arrange, Edit, Release, Replace, Withdraw, edited_by
from memoranda.store.gathers import Duplicate, Gathers, Join, Key, LeaveOut, Reword
from memoranda.store.marking import Classify, Withhold
from memoranda.store.texts import Text

__all__ = [
    "Arrange",
    "Classify",
    "Create",
    "Duplicate",
    "Edit",
    "Gathers",
    "Join",
    "Key",
    "LeaveOut",
    "Merge",
    "NewBlock",
    "Operation",
    "Part",
    "Plan",
    "PlanKind",
    "Release",
    "Replace",
    "Reword",
    "Split",
    "Supersede",
    "Text",
    "Update",
    "Withdraw",
    "Withhold",
    "gathered_by",
    "linked_by",
    "number_of",
]

PlanKind = Literal["consolidate", "reshape", "extract", "edit", "mark"]


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


Operation = Create | Update | Split | Merge | Supersede | Gathers | Edit | Classify | Withhold


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
    """Name the entries that an operation links, joins, rewords, keys, leaves out, or edits."""
    match operation:
        case Join(seqs=seqs) | Reword(seqs=seqs):
            return seqs
        case LeaveOut(seq=seq) | Key(seq=seq):
            return (seq,)
        case Arrange() | Replace() | Withdraw() | Release():
            return edited_by(operation)
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
        case Arrange() | Replace() | Withdraw() | Release() | Classify() | Withhold():
            return (
                marking.to_json(operation)
                if isinstance(operation, Classify | Withhold)
                else edits.to_json(operation)
            )
        case _:
            return gathers.to_json(operation)


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
        case op if op in edits.NAMES | marking.NAMES:
            return edits.from_json(data) if op in edits.NAMES else marking.from_json(data)
        case _:
            return gathers.from_json(data)


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
