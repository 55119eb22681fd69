"""Conservation: every entry that a plan takes in ends in exactly one place, or the plan is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from memoranda.errors import ConservationError, PlanError
from memoranda.store.operations import (
    Create,
    Duplicate,
    Join,
    Key,
    LeaveOut,
    Merge,
    NewBlock,
    Operation,
    Plan,
    Reword,
    Split,
    Update,
)


def placed(plan: Plan) -> Iterator[int]:
    """Give every seq that the plan puts somewhere, once for each time it does."""
    for operation in plan.operations:
        match operation:
            case Create(blocks=blocks) | Update(blocks=blocks):
                for block in blocks:
                    yield from block.seqs
            case Duplicate(seq=seq):
                yield seq
            case Join(seqs=seqs):
                yield from seqs[1:]
            case Reword() | Key() | LeaveOut():  # no business of a plan that places
                yield from (0, 0)
            case _:
                pass


def check(plan: Plan, *, lines: AbstractSet[int]) -> None:
    """Check law 4 on a plan.

    Args:
        plan: the plan.
        lines: lines of the library that a duplicate may name, beside those the plan places.

    Raises:
        ConservationError: an entry of the window is placed nowhere or twice, or an entry that is
            not of the window is placed, or a duplicate names no line, or blocks are moved twice.
    """
    if plan.kind == "edit":  # what a person did: nothing of it places entries of a window
        return
    if plan.kind == "extract":
        _check_wordings(plan)
        return
    counts = Counter(placed(plan))
    window = set(plan.window)
    lost = frozenset(window - counts.keys())
    doubled = frozenset(seq for seq, times in counts.items() if times > 1)
    duplicates = {op.seq: op.of for op in plan.operations if isinstance(op, Duplicate)}
    standing = (window - duplicates.keys()) | lines
    foreign = frozenset(counts.keys() - window) | frozenset(
        of for of in duplicates.values() if of not in standing
    )
    if lost or doubled or foreign:
        raise ConservationError(lost, doubled, foreign)
    _check_moves(plan)


def _check_wordings(plan: Plan) -> None:
    """Check a plan that words entries anew: what it neither rewords nor leaves out is kept as it is."""
    reworded: set[int] = set()
    left_out: list[int] = []
    keyed: list[int] = []
    odd = False
    for operation in plan.operations:
        match operation:
            case Reword(seqs=seqs):
                reworded.update(seqs)
            case LeaveOut(seq=seq):
                left_out.append(seq)
            case Key(seq=seq):
                keyed.append(seq)
            case _:
                odd = True
    counts = Counter((*left_out, *keyed, *reworded))
    doubled = {seq for seq, times in counts.items() if times > 1}
    foreign = counts.keys() - set(plan.window)
    if doubled or foreign:
        raise ConservationError(frozenset(), frozenset(doubled), frozenset(foreign))
    if odd:
        raise PlanError("plan refused: a plan of kind extract only rewords and leaves out")


def _check_moves(plan: Plan) -> None:
    moved = Counter(
        block
        for operation in plan.operations
        if isinstance(operation, Split)
        for part in operation.parts
        for block in part.blocks
    )
    absorbed = Counter(
        document
        for operation in plan.operations
        if isinstance(operation, Merge)
        for document in (*operation.absorbs, operation.document_id)
    )
    twice = [block for block, times in moved.items() if times > 1]
    twice += [int(name.removeprefix("d")) for name, times in absorbed.items() if times > 1]
    if twice:
        raise ConservationError(frozenset(), frozenset(twice), frozenset())


def repair(plan: Plan) -> Plan:
    """Place what a plan forgot: verbatim, beside the entry that came before it.

    Only lost entries can be repaired; a plan that places an entry twice stays wrong and is refused.
    """
    lost = sorted(set(plan.window) - set(placed(plan)))
    if not lost or plan.kind == "extract":
        return plan
    operations = list(plan.operations)
    for seq in lost:
        number = _neighbour(operations, seq)
        if number is None:
            return plan
        target = operations[number]
        if isinstance(target, Create | Update):
            operations[number] = replace(target, blocks=_with(target.blocks, seq))
    warning = f"entries {lost} were left out by the proposal and were placed verbatim"
    return replace(plan, operations=tuple(operations), warnings=(*plan.warnings, warning))


def _neighbour(operations: Sequence[Operation], seq: int) -> int | None:
    """Find the operation that holds the nearest earlier entry, else the first that holds any."""
    best: tuple[int, int] | None = None
    first: int | None = None
    for number, operation in enumerate(operations):
        if not isinstance(operation, Create | Update):
            continue
        seqs = [item for block in operation.blocks for item in block.seqs]
        if seqs and first is None:
            first = number
        earlier = [item for item in seqs if item < seq]
        if earlier and (best is None or max(earlier) > best[0]):
            best = (max(earlier), number)
    return best[1] if best else first


def _with(blocks: tuple[NewBlock, ...], seq: int) -> tuple[NewBlock, ...]:
    """Put an entry into the block that holds the nearest earlier one, in order."""
    nearest = max(
        range(len(blocks)),
        key=lambda number: max((item for item in blocks[number].seqs if item < seq), default=-1),
    )
    block = blocks[nearest]
    grown = replace(block, seqs=tuple(sorted((*block.seqs, seq))))
    return (*blocks[:nearest], grown, *blocks[nearest + 1 :])
