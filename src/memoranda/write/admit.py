"""Whether a plan can be applied to the state as it is: names, versions, blocks, times."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from memoranda.errors import PlanError, StalePlanError
from memoranda.store.operations import (
    Arrange,
    Create,
    Duplicate,
    Gathers,
    Join,
    Key,
    LeaveOut,
    Merge,
    NewBlock,
    Operation,
    Plan,
    Reword,
    Split,
    Supersede,
    Text,
    Update,
    linked_by,
    number_of,
)
from memoranda.store.view import Place, View
from memoranda.write.titles import same_title


def admit(plan: Plan, view: View) -> None:
    """Check a plan against the state (law 7).

    Raises:
        StalePlanError: a document is not at the version that the plan was made on, or an entry of
            the window is placed already.
        PlanError: the plan names what does not exist, or would leave an empty document.
    """
    _versions(plan, view)
    if plan.kind == "edit":
        return
    faults = [
        *_names(plan, view),
        *_titles(plan, view),
        *_entries(plan, view),
        *_blocks(plan, view),
    ]
    if faults:
        raise PlanError("plan refused: " + "; ".join(faults))


def changed_documents(operation: Operation) -> tuple[str, ...]:
    """Name the standing documents that an operation changes."""
    match operation:
        case Update(document_id=name) | Split(document_id=name):
            return (name,)
        case Merge(document_id=name, absorbs=absorbs):
            return (name, *absorbs)
        case Arrange(document_id=name):
            return (name,)
        case _:
            return ()


def new_documents(operation: Operation) -> tuple[str, ...]:
    """Name the documents that an operation makes."""
    match operation:
        case Create(document_id=name):
            return (name,)
        case Split(parts=parts):
            return tuple(part.document_id for part in parts)
        case _:
            return ()


def _versions(plan: Plan, view: View) -> None:
    for document_id, version in plan.versions.items():
        info = view.document(document_id)
        if info is None or info.version != version:
            raise StalePlanError(document_id, version, info.version if info else 0)
    places = view.places(plan.window).values()
    moved = [place.seq for place in places if place.document_id or place.line != place.seq]
    if moved:
        raise StalePlanError(f"entry {moved[0]}", 0, view.counter("position"))


def _names(plan: Plan, view: View) -> Iterator[str]:
    changed = [name for operation in plan.operations for name in changed_documents(operation)]
    for name in changed:
        if name not in plan.versions:
            yield f"it changes {name} without naming the version it saw"
        if changed.count(name) > 1:
            yield f"it changes {name} in two operations"
    made = [name for operation in plan.operations for name in new_documents(operation)]
    first = view.counter("document") + 1
    wanted = [f"d{number}" for number in range(first, first + len(made))]
    if sorted(made, key=number_of) != wanted:
        yield f"new documents must be named {', '.join(wanted)}, not {', '.join(made)}"


def _titles(plan: Plan, view: View) -> Iterator[str]:
    """Find titles that two documents of the scope would have: a name finds one document."""
    given: dict[str, Text] = {}
    for operation in plan.operations:
        given |= {name: title for name, title in _titled(operation) if title is not None}
    if not given:
        return
    gone = {name for op in plan.operations if isinstance(op, Merge) for name in op.absorbs}
    titles = view.titles() | {name: title.text for name, title in given.items()}
    bearers: dict[str, list[str]] = {same_title(title.text): [] for title in given.values()}
    for name, known in titles.items():
        form = same_title(known)
        if form in bearers and name not in gone:
            bearers[form].append(name)
    for name, title in given.items():
        others = [other for other in bearers[same_title(title.text)] if other != name]
        if others:
            yield f"{name} would have the title that {others[0]} has"


def _titled(operation: Operation) -> Iterator[tuple[str, Text | None]]:
    """Give the documents that an operation may name, with their titles."""
    match operation:
        case Create(document_id=name, title=title) | Update(document_id=name, title=title):
            yield name, title
        case Merge(document_id=name, title=title):
            yield name, title
        case Split(document_id=name, title=title, parts=parts):
            yield name, title
            yield from ((part.document_id, part.title) for part in parts)
        case _:
            pass


def _entries(plan: Plan, view: View) -> Iterator[str]:
    known = view.places([*plan.window, *_linked(plan)])
    for seq in (*plan.window, *_linked(plan)):
        if seq not in known:
            yield f"there is no entry {seq}"
    if any(seq not in known for seq in _linked(plan)):
        return
    repeated = {operation.seq for operation in plan.operations if isinstance(operation, Duplicate)}
    for operation in plan.operations:
        match operation:
            case Supersede(older=older, newer=newer):
                yield from _fault_of_link(known[older], known[newer], repeated)
            case Duplicate() | Join() | Reword() | Key() | LeaveOut():
                yield from _fault_of_gathering(operation, plan, view)
            case _:
                pass


def _fault_of_gathering(operation: Gathers, plan: Plan, view: View) -> Iterator[str]:
    match operation:
        case Duplicate(seq=seq, of=of) if not view.says_the_same(seq, of):
            yield f"entry {seq} does not say the same as {of}"
        case Join(seqs=seqs):
            yield from _fault_of_join(seqs, plan, view)
        case Reword(seqs=seqs):
            yield from _fault_of_wording(seqs, plan, view)
        case LeaveOut(seq=seq) | Key(seq=seq):
            yield from _fault_of_wording((seq,), plan, view)
        case _:
            pass


def _fault_of_wording(seqs: tuple[int, ...], plan: Plan, view: View) -> Iterator[str]:
    """Free entries of one project, without a history of their own, may be said in other words."""
    places = [place for place in view.places(seqs).values() if place.seq in plan.window]
    if len(places) != len(seqs) or not seqs or list(seqs) != sorted(set(seqs)):
        yield f"entries {list(seqs)} are not of its window, in order"
        return
    if len({place.project for place in places}) > 1:
        yield f"entries {list(seqs)} have different projects and can't be one entry"
    older = any(entry.supersedes for entry in view.entries(seqs).values())
    if older or any(place.superseded_by or place.retracted for place in places):
        yield f"entries {list(seqs)} have a history of their own and keep their words"


def _fault_of_join(seqs: tuple[int, ...], plan: Plan, view: View) -> Iterator[str]:
    """Entries of one voice only, free and without a history of their own, may stand in one line."""
    places = [place for place in view.places(seqs).values() if place.seq in plan.window]
    if len(places) != len(seqs) or len(seqs) < 2 or list(seqs) != sorted(set(seqs)):
        yield f"entries {list(seqs)} are not two or more of its window, in order"
        return
    if len({(place.project, place.source) for place in places}) > 1:
        yield f"entries {list(seqs)} have different projects or sources and can't be one line"
    voices = {(entry.speaker, entry.sensitivity) for entry in view.entries(seqs).values()}
    if len(voices) > 1:
        yield f"entries {list(seqs)} have different speakers or sensitivity and can't be one line"
    held = [place.seq for place in places if place.superseded_by or place.retracted]
    linked = {seq for operation in plan.operations for seq in linked_by(operation)}
    if held or linked & set(seqs):
        yield f"entries {list(seqs)} replace, repeat or are replaced, and stay lines of their own"


def _fault_of_link(older: Place, newer: Place, repeated: AbstractSet[int]) -> Iterator[str]:
    if (older.moment, older.seq) >= (newer.moment, newer.seq):
        yield f"entry {newer.seq} was not said after {older.seq}, which it would replace"
    if {older.seq, newer.seq} & repeated:
        yield f"entry {older.seq} or {newer.seq} repeats another one and has no line"


def _linked(plan: Plan) -> list[int]:
    return [seq for operation in plan.operations for seq in linked_by(operation)]


def _blocks(plan: Plan, view: View) -> Iterator[str]:
    for operation in plan.operations:
        match operation:
            case Create(document_id=name, blocks=blocks) | Update(document_id=name, blocks=blocks):
                if not blocks and isinstance(operation, Create):
                    yield f"{name} would be empty"
                yield from (f"a block of {name} {what}" for what in _faults(blocks))
            case Merge(document_id=name, absorbs=()):
                yield f"the merge into {name} absorbs nothing"
            case Split(document_id=name, parts=parts):
                standing = {row.block_id for row in view.blocks(name)}
                moved = [block for part in parts for block in part.blocks]
                if not set(moved) <= standing:
                    yield f"the split moves blocks that {name} does not have"
                if not moved or set(moved) == standing or not all(part.blocks for part in parts):
                    yield f"the split of {name} would leave an empty document"
            case _:
                pass


def _faults(blocks: tuple[NewBlock, ...]) -> Iterator[str]:
    for block in blocks:
        if not block.seqs:
            yield "holds no entry"
        if not 1 <= len(block.headings) <= 5:
            yield "needs a heading path of 1 to 5 levels"
