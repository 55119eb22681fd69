"""Documents and blocks in the view tables: made, filled, moved; and the counters of what was numbered."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from memoranda.errors import ConservationError, PlanError
from memoranda.store.operations import NewBlock, Split, Text


class Shelves:
    """Changes the document and block tables of a connection, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def counter(self, name: str) -> int:
        """Read a counter: position, seq, document, block, epoch."""
        row = self._db.execute("SELECT value FROM counter WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def count_on(self, name: str, value: int) -> None:
        """Set a counter."""
        self._db.execute(
            "INSERT INTO counter VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (name, value),
        )

    def insert(
        self,
        document_id: str,
        texts: Any,  # noqa: ANN401 - Create or Part: title and summary
        project: str | None,
        parent_id: str | None,
        position: int,
    ) -> None:
        """Make a document without blocks."""
        title: Text = texts.title
        summary: Text = texts.summary
        number = int(document_id.removeprefix("d"))
        self._db.execute(
            "INSERT INTO document VALUES (?,?,?,?,0,?,?,?,'','',0,0,?,'[]','[]',0,0,?,NULL,'','[]')",
            (
                document_id,
                number,
                title.text,
                json.dumps(title.made_from),
                summary.text,
                json.dumps(summary.made_from),
                project,
                parent_id,
                position,
            ),
        )
        self.count_on("document", max(number, self.counter("document")))

    def project(self, document_id: str) -> str | None:
        """Give the project of a document."""
        row = self._db.execute("SELECT project FROM document WHERE id = ?", (document_id,))
        return next((found[0] for found in row), None)

    def is_live(self, document_id: str) -> bool:
        """Say whether a document is there, and not retired."""
        row = self._db.execute(
            "SELECT 1 FROM document WHERE id = ? AND retired IS NULL", (document_id,)
        ).fetchone()
        return row is not None

    def live(self, document_id: str, position: int, *, filled: bool = False) -> None:
        """Make sure that a document stands; one that an undone plan made comes back when it is filled."""
        if self.is_live(document_id):
            return
        if not filled:
            raise PlanError(f"{document_id} is not there")
        found = self._db.execute(
            "UPDATE document SET retired = NULL, version = ? WHERE id = ?", (position, document_id)
        )
        if not found.rowcount:
            raise PlanError(f"{document_id} is not there")

    def keeps_some(self, document_id: str) -> None:
        """Make sure that a split has left blocks in its document."""
        left = self._db.execute(
            "SELECT 1 FROM block WHERE document_id = ? LIMIT 1", (document_id,)
        ).fetchone()
        if left is None:
            raise PlanError(f"nothing would be left in {document_id}")

    def place(self, document_id: str, blocks: Sequence[NewBlock]) -> set[str]:
        """Put lines of CURRENT into new blocks; name the documents that are printed otherwise."""
        touched = {document_id}
        block_id = self.counter("block")
        for block in blocks:
            block_id += 1
            for seq in block.seqs:
                done = self._db.execute(
                    "UPDATE entry SET document_id = ?, block = ? "
                    "WHERE line = ? AND document_id IS NULL",
                    (document_id, block_id, seq),
                )
                if not done.rowcount:
                    raise ConservationError(frozenset(), frozenset(), frozenset({seq}))
            self._db.execute(
                "INSERT INTO block (id, document_id, headings, headings_from, moment) "
                "SELECT ?, ?, ?, ?, coalesce(min(moment), '') FROM entry "
                "WHERE document_id = ? AND block = ?",
                (
                    block_id,
                    document_id,
                    json.dumps([heading.text for heading in block.headings], ensure_ascii=False),
                    json.dumps([list(heading.made_from) for heading in block.headings]),
                    document_id,
                    block_id,
                ),
            )
            touched |= self._linking(document_id, block_id)
        self.count_on("block", block_id)
        return touched

    def move(self, blocks: Iterable[int], document_id: str) -> set[str]:
        """Move blocks to a document; name the documents whose links this changed."""
        touched: set[str] = set()
        for block in blocks:
            self._db.execute(
                "UPDATE entry SET document_id = ? "
                "WHERE document_id = (SELECT document_id FROM block WHERE id = ?) AND block = ?",
                (document_id, block, block),
            )
            self._db.execute("UPDATE block SET document_id = ? WHERE id = ?", (document_id, block))
            touched |= self._linking(document_id, block)
        return touched

    def _linking(self, document_id: str, block: int) -> set[str]:
        """Name the documents with a line that was replaced by one of this block."""
        rows = self._db.execute(
            "SELECT DISTINCT older.document_id FROM entry AS newer "
            "JOIN entry AS older ON older.final = newer.seq "
            "WHERE newer.document_id = ? AND newer.block = ? AND older.document_id IS NOT NULL",
            (document_id, block),
        )
        return {row[0] for row in rows}

    def standing(self, blocks: Sequence[int], operation: Split) -> list[int]:
        """Give those of the blocks of a split that the document has; an undo may have taken others."""
        rows = self._db.execute(
            "SELECT id FROM block WHERE document_id = ? AND id IN (SELECT value FROM json_each(?))",
            (operation.document_id, json.dumps(blocks)),
        )
        found = {row[0] for row in rows}
        if not found:
            raise PlanError(f"nothing of {operation.document_id} is left to be split off")
        return [block for block in blocks if block in found]
