"""What a person's edit of a file does, as operations of a plan of kind `edit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store.texts import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """One block as it is to be."""

    block: int
    """Its id; 0 makes a new one."""
    headings: tuple[Text, ...] = ()
    """Its heading path; () leaves it as it is."""
    seqs: tuple[int, ...] = ()
    """All its lines in reading order, those included that come from elsewhere; () leaves them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrange:
    """Change the header of a document, its blocks and their lines; None and () leave as it is."""

    document_id: str
    title: Text | None = None
    summary: Text | None = None
    extra: Text | None = None
    """Front matter that is not ours, as `extras` holds it."""
    blocks: tuple[Arranged, ...] = ()
    order: tuple[int, ...] = ()
    """The blocks in reading order, by id; a new one has the next free id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace:
    """Let a new entry stand in the place of one that a person corrected.

    The old wording is printed no more; who asks for it is led to the new one.
    """

    old: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """Retract an entry whose line a person removed: it is in no document, and stays in the log."""

    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """Let an entry wait in CURRENT again."""

    seq: int


Edit = Arrange | Replace | Withdraw | Release
DONE = "edited"
"""Name of the note in the database that tells of the last edit: numbers and ids only."""
NAMES = frozenset({"arrange", "replace", "withdraw", "release"})
"""What they are called in a plan record."""


def edited_by(operation: Edit) -> tuple[int, ...]:
    """Name the entries that an operation of an edit moves, replaces or takes away."""
    match operation:
        case Arrange(blocks=blocks):
            return tuple(seq for block in blocks for seq in block.seqs)
        case Replace(old=old, new=new):
            return (old, new)
        case Withdraw(seq=seq) | Release(seq=seq):
            return (seq,)


def texts_of(operation: Edit) -> tuple[Text, ...]:
    """Give the texts that a person typed in place of ours."""
    if not isinstance(operation, Arrange):
        return ()
    head = (operation.title, operation.summary, operation.extra)
    headings = (text for block in operation.blocks for text in block.headings)
    return (*(text for text in head if text is not None), *headings)


def to_json(operation: Edit) -> dict[str, Any]:
    """Give an operation as a plan record holds it."""
    match operation:
        case Arrange(document_id=name, blocks=blocks, order=order):
            head = {
                part: text and text.to_json()
                for part in ("title", "summary", "extra")
                for text in (getattr(operation, part),)
            }
            return {
                "op": "arrange",
                "document": name,
                **head,
                "blocks": [_block_to_json(block) for block in blocks],
                "order": list(order),
            }
        case Replace(old=old, new=new):
            return {"op": "replace", "old": [old], "new": [new]}
        case Withdraw(seq=seq):
            return {"op": "withdraw", "seq": seq}
        case Release(seq=seq):
            return {"op": "release", "seq": seq}


def _block_to_json(block: Arranged) -> dict[str, Any]:
    headings = [text.to_json() for text in block.headings]
    return {"block": block.block, "headings": headings, "seqs": list(block.seqs)}


def from_json(data: Mapping[str, Any]) -> Edit:
    """Read an operation of a plan record.

    Raises:
        ValueError: there is no such operation.
    """
    match data["op"]:
        case "arrange":
            return _arrange(data)
        case "replace":
            return Replace(old=data["old"][0], new=data["new"][0])
        case "withdraw":
            return Withdraw(seq=data["seq"])
        case "release":
            return Release(seq=data["seq"])
        case other:
            raise ValueError(f"unknown operation {other!r}")


def _arrange(data: Mapping[str, Any]) -> Arrange:
    title, summary, extra = (
        None if data[part] is None else Text.from_json(data[part])
        for part in ("title", "summary", "extra")
    )
    blocks = tuple(
        Arranged(
            block=block["block"],
            headings=tuple(Text.from_json(text) for text in block["headings"]),
            seqs=tuple(block["seqs"]),
        )
        for block in data["blocks"]
    )
    return Arrange(
        document_id=data["document"],
        title=title,
        summary=summary,
        extra=extra,
        blocks=blocks,
        order=tuple(data["order"]),
    )
