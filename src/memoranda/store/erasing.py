"""What a forget record does to the views: its entries keep a number, and nothing else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from memoranda.store.erasure import ERASED, Erasure
from memoranda.store.heads import Heads
from memoranda.store.log import read_record
from memoranda.store.marking import as_marked
from memoranda.store.saying import moment, voice_of
from memoranda.values import LOG

_OWN = (
    "text = '', speaker = NULL, session = NULL, same = NULL, tokens = 0, "
    "line = 0, document_id = NULL, block = NULL, place = NULL"
)
"""What a forgotten entry loses. Time, source, project and its links to other entries stay."""

_AMONG = "seq IN (SELECT value FROM json_each(?))"


def erase(connection: sqlite3.Connection, erasure: Erasure, position: int) -> None:
    """Bring the views to what they are without some entries, inside the caller's transaction.

    A line that others repeat goes on under the first of them. What a forgotten entry replaced
    stays replaced. A document without lines is retired.
    """
    _Erasing(connection, position).run(erasure)


class _Erasing:
    def __init__(self, connection: sqlite3.Connection, position: int) -> None:
        self._db = connection
        self._heads = Heads(connection)
        self._position = position

    def run(self, erasure: Erasure) -> None:
        lost = self._losses(erasure.seqs)
        touched, gone = set(lost), set(erasure.seqs)
        linked = self._linked(erasure.seqs)
        for seq in erasure.seqs:
            if seq in linked:
                self._part(seq)
                touched |= self._showing(seq)
                self._pass_on(seq, gone)
        self._blank(erasure.seqs)
        touched |= self._rewrite(erasure)
        for block in erasure.blocks:
            self._heads.rehead(block.block, block.headings)
        touched |= self._rename(erasure, lost)
        self._heads.touch(touched, self._position)
        self._retire(touched)
        self._forget_names({*erasure.seqs, *(item.seq for item in erasure.entries)})

    def _losses(self, seqs: Sequence[int]) -> dict[str, int]:
        """Give how many entries each document loses."""
        rows = self._db.execute(
            "SELECT document_id, count(*) FROM entry WHERE document_id IS NOT NULL "
            f"AND document_id <> ? AND {_AMONG} GROUP BY document_id ORDER BY document_id",
            (LOG, json.dumps(seqs)),
        )
        return {row[0]: row[1] for row in rows}

    def _linked(self, seqs: Sequence[int]) -> frozenset[int]:
        """Name the entries among some that stand in a line with others, or have replaced one."""
        listed = json.dumps(seqs)
        rows = self._db.execute(
            "SELECT seq FROM entry WHERE line <> seq AND line <> 0 "
            f"AND {_AMONG} UNION SELECT line FROM entry WHERE line <> seq "
            "AND line IN (SELECT value FROM json_each(?)) "
            "UNION SELECT line FROM joined WHERE line IN (SELECT value FROM json_each(?)) "
            "UNION SELECT final FROM entry WHERE final IN (SELECT value FROM json_each(?)) "
            "UNION SELECT superseded_by FROM entry "
            "WHERE superseded_by IN (SELECT value FROM json_each(?))",
            (listed,) * 5,
        )
        return frozenset(row[0] for row in rows)

    def _showing(self, seq: int) -> set[str]:
        """Name the documents whose print names an entry: what it replaced says so."""
        rows = self._db.execute(
            "SELECT DISTINCT document_id FROM entry "
            "WHERE (final = ? OR superseded_by = ?) AND document_id IS NOT NULL",
            (seq, seq),
        )
        return {row[0] for row in rows}

    def _part(self, seq: int) -> None:
        """Let the entries of a joined line stand by themselves again, each in its own words."""
        line = self._db.execute("SELECT line FROM entry WHERE seq = ?", (seq,)).fetchone()[0]
        joined = self._db.execute("SELECT * FROM joined WHERE line = ?", (line,)).fetchone()
        if joined is None:
            return
        self._db.execute(
            "UPDATE entry SET text = ?, tokens = ?, moment = ? WHERE seq = ?",
            (joined["own"], joined["tokens"], joined["moment"], line),
        )
        self._db.execute(
            "UPDATE entry SET (superseded_by, final, retracted) = (SELECT superseded_by, final, "
            "retracted FROM entry AS head WHERE head.seq = entry.line), line = seq "
            "WHERE line = ? AND seq <> line",
            (line,),
        )
        self._db.execute("DELETE FROM joined WHERE line = ?", (line,))

    def _pass_on(self, seq: int, gone: set[int]) -> None:
        """Let the first entry that repeats a line, and is kept, stand for it."""
        rows = self._db.execute(
            "SELECT seq, moment FROM entry WHERE line = ? ORDER BY seq", (seq,)
        ).fetchall()
        kept = [row for row in rows if row["seq"] not in gone]
        if not kept:
            return
        heir = kept[0]["seq"]
        self._db.execute("UPDATE entry SET line = ? WHERE line = ? AND seq <> ?", (heir, seq, seq))
        self._db.execute(
            "UPDATE entry SET (superseded_by, final, retracted, place) = "
            "(SELECT superseded_by, final, retracted, place FROM entry WHERE seq = ?), moment = ? "
            "WHERE seq = ?",
            (seq, max(row["moment"] for row in kept), heir),
        )
        for column in ("superseded_by", "final"):
            self._db.execute(f"UPDATE entry SET {column} = ? WHERE {column} = ?", (heir, seq))
        for column in ("older", "newer"):
            self._db.execute(
                f"UPDATE OR REPLACE supersession SET {column} = ? WHERE {column} = ?", (heir, seq)
            )
        self._db.execute(
            "UPDATE entry SET superseded_by = NULL, final = NULL WHERE seq = ?", (seq,)
        )

    def _rewrite(self, erasure: Erasure) -> set[str]:
        """Let entries of several events say what the events say that are left; name their documents."""
        touched: set[str] = set()
        for item in erasure.entries:
            self._part(item.seq)
            self._db.execute(
                "UPDATE entry SET text = ?, tokens = ?, same = NULL WHERE seq = ?",
                (item.text.text, item.tokens, item.seq),
            )
            self._db.execute("DELETE FROM entry_key WHERE seq = ?", (item.seq,))
            self._db.execute(
                "DELETE FROM entry_event WHERE seq = ? AND event IN (SELECT value FROM json_each(?))",
                (item.seq, json.dumps(erasure.events)),
            )
            self._revoice(item.seq)
            rows = self._db.execute("SELECT document_id FROM entry WHERE seq = ?", (item.seq,))
            touched |= {row[0] for row in rows if row[0] is not None}
        return touched

    def _revoice(self, seq: int) -> None:
        """Copy the signature of an entry from the events that are left of it."""
        found = self._db.execute("SELECT event FROM entry_event WHERE seq = ?", (seq,)).fetchall()
        records = [read_record(self._db, row[0]) for row in found]
        events = [
            {
                **as_marked(self._db, record.position, record.body),
                "recorded": record.recorded,
            }
            for record in records
            if record is not None and record.body is not None
        ]
        if not events:
            return
        voice = voice_of(events)
        self._db.execute(
            "UPDATE entry SET time = ?, recorded = ?, moment = ?, source = ?, speaker = ?, "
            "session = ?, sensitivity = ? WHERE seq = ?",
            (
                voice.time,
                voice.recorded,
                moment(voice.time, voice.recorded),
                voice.source,
                voice.speaker,
                voice.session,
                voice.sensitivity,
                seq,
            ),
        )

    def _blank(self, seqs: Sequence[int]) -> None:
        listed = json.dumps(seqs)
        self._db.execute(
            f"UPDATE entry SET {_OWN}, erased = ? WHERE {_AMONG}", (self._position, listed)
        )
        self._db.execute(f"DELETE FROM entry_key WHERE {_AMONG}", (listed,))
        self._db.execute(f"UPDATE entry_event SET external_id = NULL WHERE {_AMONG}", (listed,))

    def _rename(self, erasure: Erasure, lost: dict[str, int]) -> set[str]:
        row = self._db.execute("SELECT value FROM counter WHERE name = 'epoch'").fetchone()
        epoch = int(row[0]) if row else 0
        for name, number in sorted(lost.items()):
            what = "1 entry" if number == 1 else f"{number} entries"
            self._heads.note(name, epoch, f"{what} forgotten")
        for item in erasure.documents:
            if item.document_id not in lost:
                self._heads.note(item.document_id, epoch, "summarised anew")
            self._heads.retitle(item.document_id, item.title, item.summary)
        return {item.document_id for item in erasure.documents}

    def _retire(self, documents: set[str]) -> None:
        for name in sorted(documents):
            self._db.execute(
                "UPDATE document SET retired = ?, version = ?, title = ?, summary = ? "
                "WHERE id = ? AND retired IS NULL AND entries = 0",
                (self._position, self._position, ERASED, ERASED, name),
            )
        self._db.execute(
            "UPDATE block SET headings = ?, headings_from = '[]' "
            f"WHERE document_id IN ({','.join('?' * len(documents))}) "
            "AND NOT EXISTS (SELECT 1 FROM entry "
            "WHERE entry.document_id = block.document_id AND entry.block = block.id)",
            (json.dumps([ERASED]), *sorted(documents)),
        )

    def _forget_names(self, gone: set[int]) -> None:
        """Take away what retired documents were called, if that came from what is gone.

        Of all documents goes what people wrote into the front matter and that told of it.
        """
        for row in self._db.execute(
            "SELECT id, extra_from FROM document WHERE extra <> ''"
        ).fetchall():
            if gone & set(json.loads(row["extra_from"])):
                self._db.execute(
                    "UPDATE document SET extra = '', extra_from = '[]', version = ? WHERE id = ?",
                    (self._position, row["id"]),
                )
        for row in self._db.execute(
            "SELECT id, title_from, summary_from FROM document WHERE retired IS NOT NULL"
        ).fetchall():
            for column in ("title", "summary"):
                if gone & set(json.loads(row[f"{column}_from"])):
                    self._db.execute(
                        f"UPDATE document SET {column} = ? WHERE id = ?", (ERASED, row["id"])
                    )
