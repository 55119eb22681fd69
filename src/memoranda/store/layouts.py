"""What stood where in the files as they were printed, in numbers: so that an edit is told from a lag."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.store.log import Log
from memoranda.values import CURRENT

KEPT = 6
"""How many prints of a file are remembered."""
_ROWS = (
    "SELECT entry.seq, entry.block, CASE WHEN above.seq IS NULL THEN 0 ELSE 1 END AS under "
    "FROM entry LEFT JOIN entry AS above ON above.seq = entry.final AND above.erased IS NULL "
    "AND above.document_id IS entry.document_id "
    "WHERE entry.document_id IS ? AND entry.line = entry.seq "
    "ORDER BY coalesce(entry.place, entry.seq), entry.seq"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One block as a file shows it."""

    block: int
    heads: tuple[int, ...]
    """Lines that stand by themselves, in reading order."""
    under: tuple[int, ...] = ()
    """Lines of this block that are printed under what replaced them, wherever that is."""
    headings: tuple[str, ...] = ()
    mark: str = ""
    """A keyed digest of the heading path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One print of a file: numbers, and keyed digests of what people may type anew."""

    blocks: tuple[Shown, ...]
    marks: Mapping[str, str]
    """Digests of `title`, `summary` and `extra`."""

    @property
    def lines(self) -> frozenset[int]:
        """Give every line that the file shows."""
        return frozenset(seq for block in self.blocks for seq in (*block.heads, *block.under))

    def to_json(self) -> str:
        """Write it as it is kept: no text is in it."""
        blocks = [[b.block, b.mark, list(b.heads), list(b.under)] for b in self.blocks]
        return json.dumps([dict(self.marks), blocks], separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Layout:
        """Read what is kept."""
        marks, blocks = json.loads(text)
        return cls(
            marks=marks,
            blocks=tuple(
                Shown(block=number, mark=mark, heads=tuple(heads), under=tuple(under))
                for number, mark, heads, under in blocks
            ),
        )


class Layouts:
    """Makes and keeps the layouts of one scope's files. Call it under the scope's lock."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._db: sqlite3.Connection = log.connection

    def mark(self, text: str) -> str:
        """Give the digest under which a text is known again."""
        return self._log.digest("layout", text).hex()[:16]

    def now(self, document_id: str) -> Layout:
        """Give the layout of a document, or of CURRENT, as it would be printed now."""
        if document_id == CURRENT:
            rows = self._db.execute(_ROWS, (None,)).fetchall()
            heads = tuple(row[0] for row in rows if not row[2])
            under = tuple(row[0] for row in rows if row[2])
            return Layout(blocks=(Shown(block=0, heads=heads, under=under),), marks={})
        found: dict[int, tuple[list[int], list[int]]] = {}
        for seq, block, below in self._db.execute(_ROWS, (document_id,)).fetchall():
            found.setdefault(block, ([], []))[below].append(seq)
        rows = self._db.execute(
            "SELECT id, headings FROM block WHERE document_id = ? "
            "ORDER BY place IS NULL, place, moment, id",
            (document_id,),
        ).fetchall()
        texts = self._db.execute(
            "SELECT title, summary, extra FROM document WHERE id = ?", (document_id,)
        ).fetchone() or ("", "", "")
        return Layout(
            blocks=tuple(
                Shown(
                    block=number,
                    heads=tuple(found.get(number, ((), ()))[0]),
                    under=tuple(found.get(number, ((), ()))[1]),
                    headings=tuple(json.loads(headings)),
                    mark=self.mark("\n".join(json.loads(headings))),
                )
                for number, headings in rows
            ),
            marks={
                name: self.mark(text)
                for name, text in zip(("title", "summary", "extra"), texts, strict=True)
            },
        )

    def changes(self, document_id: str) -> int:
        """Give the number by which a print is known: a document prints how often it was changed."""
        row = self._db.execute(
            "SELECT update_count FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        return int(row[0]) if row else 0

    def keep(self, document_id: str) -> None:
        """Remember what is printed now, inside the caller's transaction."""
        body = self.now(document_id).to_json()
        row = self._db.execute(
            "SELECT number, body FROM layout WHERE document_id = ? ORDER BY number DESC LIMIT 1",
            (document_id,),
        ).fetchone()
        if row is not None and row[1] == body:
            return
        number = row[0] + 1 if row is not None else 1
        self._db.execute(
            "INSERT INTO layout VALUES (?, ?, ?, ?)",
            (document_id, number, self.changes(document_id), body),
        )
        self._db.execute(
            "DELETE FROM layout WHERE document_id = ? AND number <= ?",
            (document_id, number - KEPT),
        )

    def last(self, document_id: str) -> Layout | None:
        """Give the last print of a file; None before the first."""
        row = self._db.execute(
            "SELECT body FROM layout WHERE document_id = ? ORDER BY number DESC LIMIT 1",
            (document_id,),
        ).fetchone()
        return None if row is None else Layout.from_json(row[0])

    def base(self, document_id: str, changes: int | None, seen: frozenset[int]) -> Layout:
        """Give the print that an edited file was made from.

        Of several that it may be, the oldest: what came after that one is not missed in the file.

        Args:
            document_id: a document, or CURRENT.
            changes: how often it had been changed, as the file says; None if it does not say.
            seen: the lines that the file shows.
        """
        rows = self._db.execute(
            "SELECT changes, body FROM layout WHERE document_id = ? ORDER BY number", (document_id,)
        ).fetchall()
        known = [(row[0], Layout.from_json(row[1])) for row in rows]
        if not known:
            return self.now(document_id)
        last = known[-1][1]
        if document_id != CURRENT:
            return next((layout for number, layout in known if number == changes), last)
        mine = seen & frozenset(seq for _, layout in known for seq in layout.lines)
        return next((layout for _, layout in known if mine <= layout.lines), last)
