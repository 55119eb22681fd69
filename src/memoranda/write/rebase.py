"""Bringing a plan that waited to the state as it is now, if nothing it touches has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from memoranda.errors import StalePlanError
from memoranda.store.operations import (
    Create,
    Merge,
    Operation,
    Plan,
    Split,
    Update,
    gathered_by,
)
from memoranda.store.view import View
from memoranda.write.admit import changed_documents, new_documents
from memoranda.write.propose import Proposer

Seen = Mapping[str, list[Any]]
"""Entry -> its line, what replaced it, whether it was retracted: as the plan saw them."""


def seen(plan: Plan, view: View) -> dict[str, list[Any]]:
    """Give the state of every line that a plan touches, in numbers."""
    return seen_of(_touched(plan), view)


def seen_of(seqs: Iterable[int], view: View) -> dict[str, list[Any]]:
    """Give the state of lines, in numbers."""
    return {
        str(seq): [place.line, place.superseded_by, place.retracted]
        for seq, place in sorted(view.places(seqs).items())
    }


def _touched(plan: Plan) -> set[int]:
    return {*plan.window, *(seq for op in plan.operations for seq in gathered_by(op))}


def rebase(plan: Plan, before: Seen, view: View, proposer: Proposer) -> Plan:
    """Give a plan as it is to be applied now: on the present versions, with fresh document ids.

    A document that moved on keeps what it got since: new blocks join it, and its summary is made
    anew, by rules. A split or merge of a document that moved on can't be saved.

    Args:
        plan: as it was proposed.
        before: the lines that it touches, as they were then.
        view: the state as it is.
        proposer: makes summaries.

    Raises:
        StalePlanError: a line that it touches has changed, or a document is gone.
    """
    _unchanged(plan, before, view)
    moved = _moved(plan, view)
    numbers = _fresh_ids(plan, view)
    versions: dict[str, int] = {}
    for name in plan.versions:
        info = view.document(name)
        versions[name] = info.version if info is not None else 0
    operations = [
        _anew(_renumbered(operation, numbers), moved, proposer) for operation in plan.operations
    ]
    later = plan.kind == "consolidate"
    return replace(
        plan,
        epoch=view.counter("epoch") + later,
        versions=versions,
        operations=tuple(operations),
    )


def _unchanged(plan: Plan, before: Seen, view: View) -> None:
    now = seen(plan, view)
    for seq in sorted({*before, *now}, key=int):
        if before.get(seq) != now.get(seq):
            raise StalePlanError(f"entry {seq}", 0, view.counter("position"))


def _moved(plan: Plan, view: View) -> set[str]:
    """Name the documents that have moved on since the plan was made."""
    shaped = {
        name
        for operation in plan.operations
        if isinstance(operation, Split | Merge)
        for name in changed_documents(operation)
    }
    found = set()
    for name, version in plan.versions.items():
        info = view.document(name)
        if info is None or (info.version != version and name in shaped):
            raise StalePlanError(name, version, info.version if info else 0)
        if info.version != version:
            found.add(name)
    return found


def _fresh_ids(plan: Plan, view: View) -> dict[str, str]:
    """Number the documents that the plan makes on from the last one that there is."""
    made = [name for operation in plan.operations for name in new_documents(operation)]
    first = view.counter("document") + 1
    ordered = sorted(made, key=lambda name: int(name.removeprefix("d")))
    return {name: f"d{first + at}" for at, name in enumerate(ordered)}


def _renumbered(operation: Operation, numbers: Mapping[str, str]) -> Operation:
    match operation:
        case Create(document_id=name):
            return replace(operation, document_id=numbers[name])
        case Split(parts=parts):
            fresh = [replace(part, document_id=numbers[part.document_id]) for part in parts]
            return replace(operation, parts=tuple(fresh))
        case _:
            return operation


def _anew(operation: Operation, moved: set[str], proposer: Proposer) -> Operation:
    """Summarise what a document holds now and will hold, if it has moved on."""
    if not isinstance(operation, Update) or operation.document_id not in moved:
        return operation
    new = [seq for block in operation.blocks for seq in block.seqs]
    summary = proposer.summary_with(operation.document_id, new)
    return replace(operation, title=None, summary=summary)
