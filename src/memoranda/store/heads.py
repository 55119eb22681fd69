"""The headers of documents in the view tables: titles, summaries, figures, the last changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from memoranda.store.operations import Text

LOG_LENGTH = 5
"""How many changes a document's update_log keeps."""


class Heads:
    """Keeps the headers of documents, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def retitle(self, document_id: str, title: Text | None, summary: Text) -> None:
        """Set the summary, and with it a new title."""
        self._db.execute(
            "UPDATE document SET summary = ?, summary_from = ? WHERE id = ?",
            (summary.text, json.dumps(summary.made_from), document_id),
        )
        if title is not None:
            self._db.execute(
                "UPDATE document SET title = ?, title_from = ? WHERE id = ?",
                (title.text, json.dumps(title.made_from), document_id),
            )
            self.titled(document_id)

    def rehead(self, block: int, headings: Sequence[Text]) -> None:
        """Set the heading path of a block."""
        self._db.execute(
            "UPDATE block SET headings = ?, headings_from = ? WHERE id = ?",
            (
                json.dumps([text.text for text in headings], ensure_ascii=False),
                json.dumps([list(text.made_from) for text in headings]),
                block,
            ),
        )

    def titled(self, document_id: str) -> None:
        """Remember how large the document was when its title was chosen."""
        self.refresh(document_id)
        self._db.execute("UPDATE document SET titled_tokens = tokens WHERE id = ?", (document_id,))

    def note(self, document_id: str, epoch: int, change: str) -> None:
        """Add a line to the update_log, and count the change."""
        row = self._db.execute(
            "SELECT update_log FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        changes = [*json.loads(row[0]), f"epoch {epoch}: {change}"][-LOG_LENGTH:]
        self._db.execute(
            "UPDATE document SET update_log = ?, update_count = update_count + 1, epoch = ? "
            "WHERE id = ?",
            (json.dumps(changes), epoch, document_id),
        )

    def refresh(self, document_id: str) -> None:
        """Make the header's figures from the entries that stand in the document."""
        self._db.execute(
            "UPDATE document SET (tokens, entries, created_time, updated_time) = ("
            " SELECT coalesce(sum(CASE WHEN superseded_by IS NULL AND retracted IS NULL"
            "   AND line = seq THEN tokens END), 0), count(CASE WHEN line = seq THEN 1 END),"
            "  coalesce((SELECT coalesce(time, recorded) FROM entry WHERE document_id = document.id"
            "   ORDER BY moment, seq LIMIT 1), ''),"
            "  coalesce((SELECT coalesce(time, recorded) FROM entry WHERE document_id = document.id"
            "   ORDER BY moment DESC, seq DESC LIMIT 1), '')"
            " FROM entry WHERE document_id = document.id) WHERE id = ?",
            (document_id,),
        )

    def touch(self, documents: Iterable[str], position: int) -> None:
        """Make the figures of documents anew, and move their version on."""
        for document_id in sorted(documents):
            self.refresh(document_id)
            self._db.execute(
                "UPDATE document SET version = ? WHERE id = ? AND retired IS NULL",
                (position, document_id),
            )
