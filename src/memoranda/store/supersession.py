"""Which entry holds now: the newest successor that was not retracted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable


def resolve(connection: sqlite3.Connection, changed: Iterable[int]) -> set[str]:
    """Work out again what replaces the changed entries and all that they replaced.

    An entry is superseded by its newest successor; a retracted successor is looked through, to its
    own successors. `final` is the end of that chain. Both stay NULL for an entry that holds now.

    Returns:
        The ids of the documents whose printed text this changed.
    """
    affected = _older_ones(connection, changed)
    touched: set[str] = set()
    before = {seq: _row(connection, seq) for seq in affected}
    for seq in affected:
        connection.execute(
            "UPDATE entry SET superseded_by = ? WHERE seq = ?", (_successor(connection, seq), seq)
        )
    for seq in affected:
        connection.execute(
            "UPDATE entry SET final = ? WHERE seq = ?", (_final(connection, seq), seq)
        )
    for seq in affected:
        old, new = before[seq], _row(connection, seq)
        if (old["superseded_by"], old["final"]) == (new["superseded_by"], new["final"]):
            continue
        for place in (seq, old["final"], new["final"]):
            row = _row(connection, place) if place is not None else None
            if row is not None and row["document_id"] is not None:
                touched.add(row["document_id"])
    return touched


def link_last(connection: sqlite3.Connection, older: int, newer: int) -> set[str] | None:
    """Resolve the plain case at once: what held is replaced by something that holds.

    Returns:
        As `resolve`; None when it is not the plain case, and nothing was done.
    """
    plain = connection.execute(
        "SELECT count(*) FROM entry WHERE seq IN (?, ?) AND superseded_by IS NULL "
        "AND retracted IS NULL",
        (older, newer),
    ).fetchone()[0]
    if plain != 2:
        return None
    touched = connection.execute(
        "SELECT DISTINCT document_id FROM entry WHERE final = ? OR seq IN (?, ?)",
        (older, older, newer),
    ).fetchall()
    connection.execute(
        "UPDATE entry SET superseded_by = ?, final = ? WHERE seq = ?", (newer, newer, older)
    )
    connection.execute("UPDATE entry SET final = ? WHERE final = ?", (newer, older))
    return {row[0] for row in touched if row[0] is not None}


def reaches(connection: sqlite3.Connection, start: int, goal: int) -> bool:
    """Say whether links lead from an entry to one that replaced it, directly or not."""
    return goal in reached(connection, start)


def reached(connection: sqlite3.Connection, start: int) -> set[int]:
    """Give an entry and all that replaced it, directly or not."""
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        seq = waiting.pop()
        if seq not in seen:
            seen.add(seq)
            rows = connection.execute("SELECT newer FROM supersession WHERE older = ?", (seq,))
            waiting.extend(row[0] for row in rows)
    return seen


def _row(connection: sqlite3.Connection, seq: int) -> sqlite3.Row:
    row: sqlite3.Row = connection.execute(
        "SELECT superseded_by, final, document_id FROM entry WHERE seq = ?", (seq,)
    ).fetchone()
    return row


def _older_ones(connection: sqlite3.Connection, changed: Iterable[int]) -> list[int]:
    """Give the changed entries and everything they replaced, directly or not, ascending."""
    found: set[int] = set()
    waiting = list(changed)
    while waiting:
        seq = waiting.pop()
        if seq not in found:
            found.add(seq)
            rows = connection.execute("SELECT older FROM supersession WHERE newer = ?", (seq,))
            waiting.extend(row[0] for row in rows)
    return sorted(found)


def _successor(connection: sqlite3.Connection, seq: int) -> int | None:
    """Give the newest successor, looking through retracted ones."""
    best: tuple[str, int] | None = None
    seen = {seq}
    waiting = [seq]
    while waiting:
        rows = connection.execute(
            "SELECT entry.seq, entry.moment, entry.retracted FROM supersession "
            "JOIN entry ON entry.seq = newer WHERE older = ?",
            (waiting.pop(),),
        ).fetchall()
        for row in rows:
            if row["seq"] in seen:
                continue
            seen.add(row["seq"])
            if row["retracted"] is not None:
                waiting.append(row["seq"])
            elif best is None or (row["moment"], row["seq"]) > best:
                best = (row["moment"], row["seq"])
    return best[1] if best else None


def _final(connection: sqlite3.Connection, seq: int) -> int | None:
    """Follow the successors to the one that holds now."""
    seen = {seq}
    final: int | None = None
    step = seq
    while True:
        row = connection.execute(
            "SELECT superseded_by FROM entry WHERE seq = ?", (step,)
        ).fetchone()
        if row is None or row[0] is None or row[0] in seen:
            return final
        step = final = row[0]
        seen.add(step)
