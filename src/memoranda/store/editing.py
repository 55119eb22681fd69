"""What hand edits do to the view tables: lines corrected, removed, moved; headers and headings typed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence

from memoranda.errors import PlanError
from memoranda.store.edits import Arranged
from memoranda.store.heads import LOG_LENGTH, Heads
from memoranda.store.operations import Arrange, Edit, Plan, Release, Replace, Withdraw
from memoranda.store.shelving import Shelves
from memoranda.store.supersession import resolve
from memoranda.store.texts import Text
from memoranda.values import LOG

_FOR_GOOD = 1 << 40
"""More tokens than a document can have: it is not named anew for having grown."""


class Editing:
    """Changes the view tables of a connection, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._heads = Heads(connection)
        self._shelves = Shelves(connection)
        self.strict = False
        """Refuse what can't be done as it was meant, in place of doing what is left of it."""

    def edit(self, operation: Edit, position: int) -> set[str]:
        """Apply one operation; name the documents that are printed otherwise."""
        match operation:
            case Arrange():
                return self._arrange(operation)
            case Replace(old=old, new=new):
                return self._replace(old, new)
            case Withdraw(seq=seq):
                return self._withdraw(seq, position)
            case Release(seq=seq):
                return self._release(seq)

    def settle(self, documents: Iterable[str], position: int) -> None:
        """Note in the headers that a person edited them; retire what holds no line any more."""
        for name in sorted(documents):
            row = self._db.execute(
                "SELECT update_log, EXISTS (SELECT 1 FROM entry WHERE document_id = document.id), "
                "titled_tokens FROM document WHERE id = ?",
                (name,),
            ).fetchone()
            if row is None:
                continue
            changes = [*json.loads(row[0]), "edited by hand"][-LOG_LENGTH:]
            if row[2] == 0:  # made by this very plan
                self._keep_title(name)
            self._db.execute(
                "UPDATE document SET update_log = ?, update_count = update_count + 1 WHERE id = ?",
                (json.dumps(changes), name),
            )
            if not row[1]:
                self._heads.refresh(name)
                self._db.execute(
                    "UPDATE document SET retired = ?, version = ? WHERE id = ?",
                    (position, position, name),
                )

    # --- lines ----------------------------------------------------------------------------------

    def _row(self, seq: int) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self._db.execute(
            "SELECT * FROM entry WHERE seq = ?", (seq,)
        ).fetchone()
        return row

    def _line(self, seq: int) -> sqlite3.Row | None:
        """Give an entry that stands as a line of its own; None, or a refusal, if it does not."""
        row = self._row(seq)
        if row is not None and row["line"] == seq:
            return row
        if self.strict:
            raise PlanError(f"entry {seq} is no line of its own")
        return None

    def _replace(self, old: int, new: int) -> set[str]:
        """Let a new line take the place of an old one, with all that replaced it or was replaced by it."""
        before, after = self._line(old), self._line(new)
        if before is None or after is None:
            return set()
        touched = self._showing(old)
        self._part(old)
        self._db.execute(
            "UPDATE entry SET document_id = ?, block = ?, place = ?, superseded_by = ?, final = ?, "
            "retracted = ?, moment = ? WHERE seq = ?",
            (
                before["document_id"],
                before["block"],
                before["place"] if before["place"] is not None else old,
                before["superseded_by"],
                before["final"],
                before["retracted"],
                before["moment"],
                new,
            ),
        )
        for column in ("superseded_by", "final"):
            self._db.execute(f"UPDATE entry SET {column} = ? WHERE {column} = ?", (new, old))
        for column in ("older", "newer"):
            self._db.execute(
                f"UPDATE OR REPLACE supersession SET {column} = ? WHERE {column} = ?", (new, old)
            )
        self._db.execute(
            "UPDATE entry SET line = ?, document_id = NULL, block = NULL, superseded_by = NULL, "
            "final = NULL, retracted = NULL WHERE line IN (?, ?)",
            (-new, old, -old),
        )
        self._db.execute("DELETE FROM parked WHERE seq = ?", (old,))
        return touched | _named(before["document_id"])

    def _showing(self, seq: int) -> set[str]:
        """Name the documents whose print names a line: what it replaced says so."""
        rows = self._db.execute(
            "SELECT DISTINCT document_id FROM entry "
            "WHERE (final = ?1 OR superseded_by = ?1) AND document_id IS NOT NULL AND line > 0",
            (seq,),
        )
        return {name for row in rows for name in _named(row[0])}

    def _part(self, seq: int) -> None:
        """Give the first entry of a joined line its own words back: the line's are no longer said."""
        row = self._db.execute("SELECT * FROM joined WHERE line = ?", (seq,)).fetchone()
        if row is not None:
            self._db.execute(
                "UPDATE entry SET text = ?, tokens = ?, moment = ? WHERE seq = ?",
                (row["own"], row["tokens"], row["moment"], seq),
            )
            self._db.execute("DELETE FROM joined WHERE line = ?", (seq,))

    def _withdraw(self, seq: int, position: int) -> set[str]:
        """Retract a line, and take it out of its document."""
        row = self._line(seq)
        if row is None:
            return set()
        touched = self._showing(seq) | _named(row["document_id"])
        self._db.execute(
            "UPDATE entry SET document_id = ?, block = NULL, place = NULL WHERE line = ?",
            (LOG, seq),
        )
        self._db.execute(
            "UPDATE entry SET retracted = coalesce(retracted, ?) WHERE seq = ?", (position, seq)
        )
        self._db.execute("DELETE FROM parked WHERE seq = ?", (seq,))
        return touched | resolve(self._db, [seq])

    def _revive(self, row: sqlite3.Row) -> set[str]:
        """Let a line hold again that was taken out by hand, and was put back by hand."""
        if row["document_id"] != LOG or row["retracted"] is None:
            return set()
        self._db.execute("UPDATE entry SET retracted = NULL WHERE seq = ?", (row["seq"],))
        return resolve(self._db, [row["seq"]])

    def _release(self, seq: int) -> set[str]:
        row = self._line(seq)
        if row is None:
            return set()
        touched = self._revive(row) | self._showing(seq) | _named(row["document_id"])
        self._db.execute(
            "UPDATE entry SET document_id = NULL, block = NULL, place = NULL WHERE line = ?", (seq,)
        )
        return touched

    # --- documents ------------------------------------------------------------------------------

    def _arrange(self, operation: Arrange) -> set[str]:
        name = operation.document_id
        if not self._shelves.is_live(name):
            if self.strict:
                raise PlanError(f"{name} is not there")
            new = sum(not block.block for block in operation.blocks)
            self._shelves.count_on("block", self._shelves.counter("block") + new)
            return set()
        touched = {name}
        for block in operation.blocks:
            touched |= self._block(name, block)
        for at, number in enumerate(operation.order):
            self._db.execute(
                "UPDATE block SET place = ? WHERE id = ? AND document_id = ?", (at, number, name)
            )
        self._name(operation)
        return touched

    def _block(self, name: str, block: Arranged) -> set[str]:
        number = block.block or self._new_block(name, block.headings)
        there = self._db.execute(
            "SELECT 1 FROM block WHERE id = ? AND document_id = ?", (number, name)
        ).fetchone()
        if there is None:
            if self.strict:
                raise PlanError(f"block {number} is not in {name}")
            return set()
        if block.headings:
            self._heads.rehead(number, block.headings)
        touched: set[str] = set()
        for at, seq in enumerate(block.seqs):
            touched |= self._put(seq, name, number, at)
        self._db.execute(
            "UPDATE block SET moment = coalesce((SELECT min(moment) FROM entry "
            "WHERE document_id = block.document_id AND block = block.id), moment) WHERE id = ?",
            (number,),
        )
        return touched

    def _new_block(self, name: str, headings: Sequence[Text]) -> int:
        number = self._shelves.counter("block") + 1
        self._db.execute(
            "INSERT INTO block (id, document_id, headings, headings_from, moment) "
            "VALUES (?, ?, '[]', '[]', '')",
            (number, name),
        )
        self._heads.rehead(number, headings)
        self._shelves.count_on("block", number)
        return number

    def _put(self, seq: int, name: str, block: int, at: int) -> set[str]:
        """Put a line where it is to stand."""
        row = self._line(seq)
        if row is None:
            return set()
        touched = self._revive(row) | self._showing(seq) | _named(row["document_id"])
        self._db.execute(
            "UPDATE entry SET document_id = ?, block = ? WHERE line = ?", (name, block, seq)
        )
        self._db.execute("UPDATE entry SET place = ? WHERE seq = ?", (at, seq))
        self._db.execute("DELETE FROM parked WHERE seq = ?", (seq,))
        return touched

    def _name(self, operation: Arrange) -> None:
        name = operation.document_id
        for column in ("title", "summary", "extra"):
            text: Text | None = getattr(operation, column)
            if text is not None:
                self._db.execute(
                    f"UPDATE document SET {column} = ?, {column}_from = ? WHERE id = ?",
                    (text.text, json.dumps(text.made_from), name),
                )
        if operation.title is not None:
            self._keep_title(name)

    def _keep_title(self, name: str) -> None:
        """Let a title that a person gave stand, however much the document grows."""
        self._db.execute("UPDATE document SET titled_tokens = ? WHERE id = ?", (_FOR_GOOD, name))


def _named(document_id: str | None) -> set[str]:
    return {document_id} if document_id is not None and document_id != LOG else set()


def ghosts(connection: sqlite3.Connection, plan: Plan) -> None:
    """Remember of an undone edit which line each of its entries had stood for: forgetting asks."""
    for operation in plan.operations:
        if isinstance(operation, Replace):
            connection.execute(
                "UPDATE entry SET place = ? WHERE seq = ? AND line = 0",
                (operation.old, operation.new),
            )


_OTHERS = (
    "WITH own AS (SELECT seq, line, place, position FROM entry WHERE erased IS NULL "
    "AND seq IN (SELECT value FROM json_each(?))), pair AS ("
    "SELECT own.seq AS one, -own.line AS two FROM own WHERE line < 0 UNION "
    "SELECT own.seq, entry.seq FROM own CROSS JOIN entry ON entry.line = -own.seq UNION "
    "SELECT own.seq, own.place FROM own WHERE line = 0 AND place IS NOT NULL UNION "
    "SELECT own.seq, entry.seq FROM entry JOIN own ON entry.place = own.seq WHERE entry.line = 0) "
    "SELECT DISTINCT two FROM pair JOIN entry AS first ON first.seq = one "
    "JOIN entry AS second ON second.seq = two "
    "JOIN record ON record.position = max(first.position, second.position) "
    "WHERE record.kind = 'extraction' AND second.erased IS NULL"
)


def wordings(connection: sqlite3.Connection, seqs: Iterable[int]) -> set[int]:
    """Give the other wordings, by people, of some lines: those that they replaced, and undone ones.

    They are one memory in several wordings: who forgets one, forgets all.
    """
    given = set(seqs)
    found, waiting = set(given), given
    while waiting:
        rows = connection.execute(_OTHERS, (json.dumps(sorted(waiting)),)).fetchall()
        waiting = {row[0] for row in rows} - found
        found |= waiting
    return found - given
