"""Giving events another sensitivity: raised at once, lowered only when a person approves."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memoranda.errors import InputError
from memoranda.reports import Marked
from memoranda.store.home import Home
from memoranda.store.marking import Classify, highest, level_of
from memoranda.store.operations import Plan, Text
from memoranda.values import SENSITIVITIES, Sensitivity
from memoranda.write.apply import Applier


def mark(
    events: Sequence[str],
    sensitivity: Sensitivity,
    home: Home,
    applier: Applier,
    *,
    by: str | None,
    reason: str,
) -> Marked:
    """Mark events, and with them every entry that was made from one. Call it under the scope's lock.

    Args:
        events: ids of events that are there.
        sensitivity: what they are to have.
        home: the scope.
        applier: applies the plan that says so, or lets it wait.
        by: who says so.
        reason: why.

    Raises:
        InputError: they have it already, or were forgotten.
    """
    operation = _operation(events, sensitivity, home, reason)
    plan = Plan(
        plan_id=home.log.new_id("plan"),
        kind="mark",
        epoch=home.view.counter("epoch"),
        window=(),
        input_event_ids=tuple(events),
        versions={},
        operations=(operation,),
        warnings=(),
        by=by or "user",
    )
    if operation.lowers:
        applier.park(plan, "review")
    else:
        applier.apply(plan)
    return Marked(
        plan_id=plan.plan_id,
        position=home.log.position(),
        events=tuple(events),
        seqs=operation.why.made_from,
        sensitivity=sensitivity,
        was=operation.was,
        waits=operation.lowers,
    )


def _operation(
    events: Sequence[str], sensitivity: Sensitivity, home: Home, reason: str
) -> Classify:
    """Say which events change, and which entries were made from them."""
    db = home.log.connection
    rows = db.execute(
        "SELECT position FROM record WHERE kind = 'event' "
        "AND id IN (SELECT value FROM json_each(?)) ORDER BY position",
        (json.dumps(list(events)),),
    ).fetchall()
    levels = level_of(db, [row[0] for row in rows])
    changed = tuple(event for event, level in levels.items() if level != sensitivity)
    if not changed:
        raise InputError(f"it is {sensitivity} already")
    cited = db.execute(
        "SELECT DISTINCT seq FROM entry_event JOIN entry USING (seq) "
        "WHERE event IN (SELECT value FROM json_each(?)) AND erased IS NULL ORDER BY seq",
        (json.dumps(changed),),
    )
    seqs = tuple(row[0] for row in cited)
    top = highest(levels[at] for at in changed)
    return Classify(
        events=changed,
        sensitivity=sensitivity,
        was=next(name for name in SENSITIVITIES if name == top),
        why=Text(text=reason, made_from=seqs),
    )
