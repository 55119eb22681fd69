"""Permission checks of your own: what a reader may see, line by line, before anything is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.read.evidence import event_entry
from memoranda.read.reach import Permit, Reach, Withheld
from memoranda.read.tools.places import in_reach
from memoranda.store.log import Log
from memoranda.store.sift import Sieve
from memoranda.store.view import View

_EVENTS = (
    "SELECT position FROM record WHERE kind = 'event' "
    "AND NOT EXISTS (SELECT 1 FROM entry_event WHERE event = record.position)"
)


def permitted(reach: Reach, log: Log, view: View, permits: Sequence[Permit]) -> Reach:
    """Narrow a reach to what every check lets through: a filter that no tool gets around (R196).

    Every line of the scope is shown to the checks, so a call takes time with their number. The words
    of a line that may not be seen lead to nothing, not even to what replaced it; a title, heading or
    summary that was made from one is not shown.

    Args:
        reach: what may be read otherwise; it stays in force.
        log: the log at one position.
        view: its lines.
        permits: the checks.
    """
    if not permits:
        return reach
    db = log.connection
    rows = db.execute(
        "SELECT seq, project FROM entry WHERE line = seq AND erased IS NULL ORDER BY seq"
    ).fetchall()
    inside = [seq for seq, project in rows if in_reach(seq, project, reach)]
    gone = frozenset().union(*(each.lines for each in permits if isinstance(each, Withheld)))
    checks = [permit for permit in permits if not isinstance(permit, Withheld)]
    known = view.entries(inside) if checks else dict.fromkeys(inside)
    lines = {
        seq
        for seq, entry in known.items()
        if seq not in gone and (entry is None or all(permit(entry) for permit in checks))
    }
    twins = db.execute("SELECT seq, line FROM entry WHERE erased IS NULL")
    units = {seq for seq, line in twins if abs(line) in lines}
    units |= {-row[0] for row in db.execute(_EVENTS) if may_see(row[0], log, permits)}
    if reach.sieve is not None:
        units &= reach.sieve.units
    return replace(reach, sieve=Sieve(lines=frozenset(lines), units=frozenset(units)), hides=True)


def may_see(position: int, log: Log, permits: Sequence[Permit]) -> bool:
    """Say whether every check lets an event through."""
    if not permits:
        return True
    record = log.record(position)
    if record is None or record.body is None:
        return False
    entry = event_entry(record)
    return all(permit(entry) for permit in permits)
