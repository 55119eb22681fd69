"""What an undo record says, and which records are out of force because of it (R233)."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.errors import ConservationError, PlanError
from memoranda.store.edits import Arrange, Arranged
from memoranda.store.erasure import Reheaded, Renamed
from memoranda.store.log import Record, read_record
from memoranda.store.operations import Create, NewBlock, Operation, Plan, Split, Text, Update

HELD = "undone"
"""State under which `parked` keeps what an undo set free: rules and models leave it to people."""


class OutOfForceError(Exception):
    """A record needs what is out of force; caught before it leaves the engine."""

    def __init__(self, record: Record, why: str) -> None:
        super().__init__(why)
        self.record = record
        self.why = why


def reason(error: PlanError) -> str:
    """Say what a record would miss."""
    if not isinstance(error, ConservationError):
        return str(error)
    seqs = ", ".join(map(str, sorted(error.foreign | error.lost)))
    return f"it found entries {seqs} otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The body of an undo record.

    What it undoes is folded no more; the rest of it keeps what came later true.
    """

    targets: tuple[int, ...]
    """Positions of the records that it takes out of force."""
    undone: str
    """Id of the first of them, as it was asked for."""
    by: str | None
    why: Text
    touched: tuple[str, ...] = ()
    """The documents that are printed otherwise since."""
    freed: tuple[int, ...] = ()
    """Entries of CURRENT that wait again, until somebody consolidates by hand."""
    documents: tuple[Renamed, ...] = ()
    """Names and summaries that told of what left the document, made anew by rules."""
    blocks: tuple[Reheaded, ...] = ()
    replaced: tuple[tuple[int, int], ...] = ()
    """(older, newer): what later replaced a line replaces each entry that had stood in it."""
    retracted: tuple[tuple[int, int], ...] = ()
    """(entry, position of the retraction), likewise."""

    def to_json(self) -> dict[str, Any]:
        """Give the body of the log record."""
        return {
            "targets": list(self.targets),
            "undone": self.undone,
            "by": self.by,
            "why": self.why.to_json(),
            "touched": list(self.touched),
            "freed": list(self.freed),
            "documents": [_renamed_to_json(item) for item in self.documents],
            "blocks": [
                {"block": item.block, "headings": [text.to_json() for text in item.headings]}
                for item in self.blocks
            ],
            "replaced": [list(pair) for pair in self.replaced],
            "retracted": [list(pair) for pair in self.retracted],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Undo:
        """Read the body of the log record."""
        return cls(
            targets=tuple(data["targets"]),
            undone=data["undone"],
            by=data["by"],
            why=Text.from_json(data["why"]),
            touched=tuple(data["touched"]),
            freed=tuple(data["freed"]),
            documents=tuple(_renamed_from_json(item) for item in data["documents"]),
            blocks=tuple(
                Reheaded(
                    block=item["block"],
                    headings=tuple(Text.from_json(text) for text in item["headings"]),
                )
                for item in data["blocks"]
            ),
            replaced=tuple((older, newer) for older, newer in data["replaced"]),
            retracted=tuple((seq, at) for seq, at in data["retracted"]),
        )


def _renamed_to_json(item: Renamed) -> dict[str, Any]:
    title = None if item.title is None else item.title.to_json()
    return {"document": item.document_id, "title": title, "summary": item.summary.to_json()}


def _renamed_from_json(item: Mapping[str, Any]) -> Renamed:
    title = None if item["title"] is None else Text.from_json(item["title"])
    return Renamed(
        document_id=item["document"], title=title, summary=Text.from_json(item["summary"])
    )


# --- in force -----------------------------------------------------------------------------------


def out_of_force(
    connection: sqlite3.Connection, until: int | None = None, *, then: Iterable[int] = ()
) -> dict[int, int]:
    """Give the positions of the records that are undone, each with that of the undo in force.

    An undo that is itself undone by a later one has no effect.

    Args:
        connection: the database.
        until: undo records after this position are not looked at.
        then: what one more undo, at the end, would take out of force.
    """
    last = (1 << 62) if until is None else until
    gone = dict.fromkeys(then, last)
    for record in reversed(undos(connection, last)):
        if record.position not in gone and record.body is not None:
            for target in record.body["targets"]:
                gone.setdefault(target, record.position)
    return gone


def undos(connection: sqlite3.Connection, until: int | None = None) -> list[Record]:
    """Give the undo records up to a position, oldest first."""
    rows = connection.execute(
        "SELECT position FROM record WHERE kind NOT IN ('event', 'extraction') AND kind = 'undo' "
        "AND position <= ? ORDER BY position",
        ((1 << 62) if until is None else until,),
    ).fetchall()
    found = (read_record(connection, row[0]) for row in rows)
    return [record for record in found if record is not None]


def is_ghost(connection: sqlite3.Connection, seq: int) -> bool:
    """Say whether an entry exists by number only: the plan that worded it is undone."""
    row = connection.execute(
        "SELECT 1 FROM entry WHERE seq = ? AND line = 0 AND erased IS NULL", (seq,)
    ).fetchone()
    return row is not None


# --- what an undone plan leaves -----------------------------------------------------------------


def named_by(plan: Plan) -> Iterable[tuple[str, Any, str | None, str | None]]:
    """Give the documents that a plan made: (id, what names it, project, parent)."""
    for operation in plan.operations:
        match operation:
            case Create(document_id=name, project=project):
                yield name, operation, project, None
            case Split(document_id=parent, parts=parts):
                for part in parts:
                    yield part.document_id, part, None, parent
            case _:
                pass


def blocks_of(operation: Operation) -> Sequence[NewBlock | Arranged]:
    """Give the blocks that an operation makes: their numbers are not given again."""
    match operation:
        case Arrange(blocks=arranged):
            return [block for block in arranged if not block.block]
        case Create(blocks=blocks) | Update(blocks=blocks):
            return blocks
        case _:
            return ()


def park(connection: sqlite3.Connection, record_id: str, seqs: Sequence[int]) -> None:
    """Hold what an undo set free, as far as it waits in CURRENT and no plan holds it."""
    connection.execute(
        "INSERT OR IGNORE INTO parked SELECT seq, ?, ? FROM entry "
        "WHERE document_id IS NULL AND line = seq AND seq IN (SELECT value FROM json_each(?))",
        (record_id, HELD, json.dumps(list(seqs))),
    )
