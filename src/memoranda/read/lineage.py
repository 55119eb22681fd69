"""Lineage: which document a retired one lives on in, over any number of merges (R189)."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heir:
    """A document that took another one in."""

    document_id: str
    position: int
    recorded: str
    of: str
    """The retired document that it took in."""


def heirs(document_id: str, connection: sqlite3.Connection) -> tuple[Heir, ...]:
    """Give who took a document in, who took that one in, and so on; nothing for one that is there.

    A document that was retired because its last line was forgotten has no heir.
    """
    found: list[Heir] = []
    heir = _heir(document_id, connection)
    while heir is not None and heir not in found:
        found.append(heir)
        heir = _heir(heir.document_id, connection)
    return tuple(found)


def _heir(document_id: str, connection: sqlite3.Connection) -> Heir | None:
    row = connection.execute(
        "SELECT heir.id, gone.retired, record.recorded FROM document AS gone "
        "JOIN document AS heir, json_each(heir.merged_from) AS absorbed "
        "JOIN record ON record.position = gone.retired "
        "WHERE gone.id = ? AND gone.retired IS NOT NULL AND absorbed.value = gone.id",
        (document_id,),
    ).fetchone()
    return None if row is None else Heir(row[0], row[1], row[2], document_id)


def in_words(line: tuple[Heir, ...]) -> str:
    """Say where a document went; "" when it went nowhere."""
    return "; ".join(
        f"{heir.of} was merged into {heir.document_id} on {heir.recorded[:10]}" for heir in line
    )
