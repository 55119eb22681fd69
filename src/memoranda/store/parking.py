"""Plans that wait for a decision, or were only shown, and the entries of CURRENT that they hold."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memoranda.store.edits import texts_of
from memoranda.store.erasure import Erasure
from memoranda.store.operations import (
    Arrange,
    Classify,
    Create,
    Join,
    Merge,
    Plan,
    PlanKind,
    Reword,
    Split,
    Update,
    gathered_by,
)

State = Literal["pending", "approved", "rejected", "superseded", "shadow"]
_COLUMNS = "plan_id, position, state, mode, kind, decided, seqs"


@dataclass(frozen=True, slots=True)
class Parked:
    """One plan that was proposed and not applied at once."""

    plan_id: str
    position: int
    """Of its proposal."""
    state: State
    mode: str
    kind: PlanKind
    decided: int | None
    """Position of the decision, or of the forget record that made it stale."""
    seqs: tuple[int, ...]
    """Every entry that it names."""


# --- the fold -----------------------------------------------------------------------------------


def propose(connection: sqlite3.Connection, position: int, body: Mapping[str, Any]) -> None:
    """Keep a proposal, and hold the entries of its window."""
    plan = Plan.from_json(body["plan_id"], body["plan"])
    state = "shadow" if body["mode"] == "shadow" else "pending"
    connection.execute(
        "INSERT INTO proposal VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            plan.plan_id,
            position,
            state,
            body["mode"],
            plan.kind,
            basis(plan),
            json.dumps(sorted(named(plan))),
        ),
    )
    connection.executemany(
        "INSERT OR REPLACE INTO parked VALUES (?, ?, ?)",
        [(seq, plan.plan_id, state) for seq in plan.window],
    )


def decide(connection: sqlite3.Connection, position: int, body: Mapping[str, Any]) -> None:
    """Keep a decision, and let go the entries that the plan held."""
    _end(connection, body["plan_id"], body["state"], position)


def placed(connection: sqlite3.Connection, window: Iterable[int]) -> None:
    """Let go entries that a plan has placed."""
    connection.executemany("DELETE FROM parked WHERE seq = ?", [(seq,) for seq in window])


def erased(connection: sqlite3.Connection, erasure: Erasure, position: int) -> None:
    """End the pending plans that name something that was forgotten: they are to be made anew."""
    gone = {*erasure.seqs, *(item.seq for item in erasure.entries)}
    rows = connection.execute("SELECT plan_id, seqs FROM proposal WHERE state = 'pending'")
    for plan_id, seqs in rows.fetchall():
        if gone & set(json.loads(seqs)):
            _end(connection, plan_id, "superseded", position)
    placed(connection, gone)


def _end(connection: sqlite3.Connection, plan_id: str, state: str, position: int) -> None:
    connection.execute(
        "UPDATE proposal SET state = ?, decided = ? WHERE plan_id = ?", (state, position, plan_id)
    )
    connection.execute("DELETE FROM parked WHERE plan_id = ?", (plan_id,))


# --- reading ------------------------------------------------------------------------------------


def plans(connection: sqlite3.Connection, state: str | None = None) -> tuple[Parked, ...]:
    """Give the plans that were proposed, oldest first; of one state if it is given."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM proposal WHERE ?1 IS NULL OR state = ?1 ORDER BY position",
        (state,),
    )
    return tuple(_parked(row) for row in rows)


def plan(connection: sqlite3.Connection, plan_id: str) -> Parked | None:
    """Give one plan that was proposed, or None."""
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM proposal WHERE plan_id = ?", (plan_id,)
    ).fetchone()
    return None if row is None else _parked(row)


def _parked(row: sqlite3.Row) -> Parked:
    plan_id, position, state, mode, kind, decided, seqs = row
    return Parked(plan_id, position, state, mode, kind, decided, tuple(json.loads(seqs)))


def held(connection: sqlite3.Connection, plan_id: str) -> tuple[int, ...]:
    """Give the entries that a plan holds, and that still wait in CURRENT as lines of their own."""
    rows = connection.execute(
        "SELECT seq FROM parked JOIN entry USING (seq) "
        "WHERE plan_id = ? AND document_id IS NULL AND line = seq ORDER BY seq",
        (plan_id,),
    )
    return tuple(row[0] for row in rows)


def is_known(connection: sqlite3.Connection, wanted: Plan) -> bool:
    """Say whether a plan of the same kind was proposed for the same state, and not made anew since."""
    row = connection.execute(
        "SELECT 1 FROM proposal WHERE basis = ? AND state <> 'superseded' LIMIT 1",
        (basis(wanted),),
    ).fetchone()
    return row is not None


# --- plans --------------------------------------------------------------------------------------


def basis(wanted: Plan) -> str:
    """Give what a plan was made on: its kind, window and versions, in one text."""
    versions = sorted(wanted.versions.items())
    return json.dumps([wanted.kind, list(wanted.window), versions], separators=(",", ":"))


def named(wanted: Plan) -> frozenset[int]:
    """Give every entry that a plan names, those that its texts were made from included."""
    found = set(wanted.window)
    for operation in wanted.operations:
        found.update(gathered_by(operation))
        match operation:
            case Join(text=text) | Reword(text=text):
                found.update(text.made_from)
            case Classify(why=why):
                found.update(why.made_from)
            case Create() | Update() | Split() | Merge():
                found |= _sources(operation)
            case Arrange():
                found.update(seq for text in texts_of(operation) for seq in text.made_from)
            case _:
                pass
    return frozenset(found)


def _sources(operation: Create | Update | Split | Merge) -> set[int]:
    texts = [operation.title, operation.summary]
    if isinstance(operation, Split):
        texts += [text for part in operation.parts for text in (part.title, part.summary)]
    if isinstance(operation, Create | Update):
        texts += [text for block in operation.blocks for text in block.headings]
    return {seq for text in texts if text is not None for seq in text.made_from}
