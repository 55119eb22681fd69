"""Reading lines: entries, where they stand, what replaced them, and CURRENT."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.store.supersession import reached
from memoranda.text.same import same_form
from memoranda.values import CURRENT, LOG, Entry

PLACE = (
    "seq, line, document_id, block, superseded_by, final, retracted, "
    "project, source, moment, tokens, sensitivity, coalesce(place, seq)"
)
"""The columns of a `Place`, in its order."""
_HELD = (
    "parked.seq = entry.seq AND CASE parked.state "
    "WHEN 'pending' THEN 1 WHEN 'undone' THEN NOT ? ELSE ? END"
)
"""What holds an entry: a plan that waits; an undo, unless people ask; a shadow plan, if it counts."""
NEAR = 30
"""How many lines with one key are looked at, before and after a statement."""
CHUNK = 500
"""How many values go into one IN (...) list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an entry stands: its line's first seq, document, block, and whether it holds now.

    The line of an entry that was reworded is that of the entry made of it.
    """

    seq: int
    line: int
    document_id: str | None
    block: int | None
    superseded_by: int | None
    final: int | None
    retracted: bool
    project: str | None
    source: str
    moment: str
    tokens: int
    sensitivity: str = "internal"
    rank: int = 0
    """By which lines of one block are put in order: the seq, unless a person arranged them."""

    @property
    def topic(self) -> str | None:
        """The topic document in which it stands: None in CURRENT, and for what is in the log only."""
        return None if self.document_id == LOG else self.document_id

    @property
    def holds(self) -> bool:
        """Say whether nothing replaced it and nobody retracted it."""
        return self.superseded_by is None and not self.retracted


class Lines:
    """Reads the lines of a connection's view tables; changes nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    # --- counters -----------------------------------------------------------------------------

    def counter(self, name: str) -> int:
        """Read a counter of the fold: position, seq, document, block, epoch."""
        row = self._db.execute("SELECT value FROM counter WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def count(self, what: str) -> int:
        """Count events, entries, documents, superseded, retracted or forgotten entries."""
        sql = {
            "events": "SELECT count(*) FROM record WHERE kind = 'event'",
            "entries": "SELECT count(*) FROM entry WHERE erased IS NULL AND line > 0",
            "forgotten": "SELECT count(*) FROM entry WHERE erased IS NOT NULL",
            "documents": "SELECT count(*) FROM document WHERE retired IS NULL",
            "superseded": "SELECT count(*) FROM entry "
            "WHERE superseded_by IS NOT NULL AND erased IS NULL AND line <> 0",
            "retracted": "SELECT count(*) FROM entry "
            "WHERE retracted IS NOT NULL AND erased IS NULL AND line <> 0",
        }[what]
        return int(self._db.execute(sql).fetchone()[0])

    # --- entries ------------------------------------------------------------------------------

    def entries(self, lines: Iterable[int]) -> dict[int, Entry]:
        """Give the entries of lines, by the line's first seq; unknown ones are left out."""
        wanted = sorted(set(lines))
        rows = list(self._in("SELECT * FROM entry WHERE line IN ({}) ORDER BY seq", wanted))
        events = self._events([row["seq"] for row in rows])
        older = self._older(wanted)
        members: dict[int, list[int]] = {}
        for row in rows:
            members.setdefault(row["line"], []).append(row["seq"])
        found: dict[int, Entry] = {}
        for head in (row for row in rows if row["line"] == row["seq"]):
            seqs = tuple(members[head["seq"]])
            cited = sorted({event for seq in seqs for event in events.get(seq, ())})
            found[head["seq"]] = Entry(
                seqs=seqs,
                text=head["text"],
                source=head["source"],
                time=head["time"],
                recorded=head["recorded"],
                speaker=head["speaker"],
                session=head["session"],
                project=head["project"],
                sensitivity=head["sensitivity"],
                event_ids=tuple(event[1] for event in cited),
                external_ids=tuple(event[2] for event in cited if event[2]),
                supersedes=tuple(older.get(head["seq"], ())),
                superseded_by=head["superseded_by"],
                retracted=head["retracted"] is not None,
                document_id=head["document_id"] or CURRENT,
            )
        return found

    def _events(self, seqs: Sequence[int]) -> dict[int, list[tuple[int, str, str | None]]]:
        found: dict[int, list[tuple[int, str, str | None]]] = {}
        rows = self._in(
            "SELECT * FROM entry_event WHERE seq IN ({}) ORDER BY seq, event",
            seqs,
        )
        for row in rows:
            item = (row["event"], row["event_id"], row["external_id"])
            found.setdefault(row["seq"], []).append(item)
        return found

    def _older(self, lines: Sequence[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        rows = self._in(
            "SELECT superseded_by, seq FROM entry WHERE superseded_by IN ({}) ORDER BY seq", lines
        )
        for row in rows:
            found.setdefault(row[0], []).append(row[1])
        return found

    def _in(self, sql: str, values: Sequence[int]) -> Iterator[sqlite3.Row]:
        for start in range(0, len(values), CHUNK):
            part = values[start : start + CHUNK]
            yield from self._db.execute(sql.format(",".join("?" * len(part))), part)

    def line_of(self, seq: int) -> int | None:
        """Give the first seq of the line in which an entry stands; None if there is none, or no more."""
        row = self._db.execute("SELECT line FROM entry WHERE seq = ?", (seq,)).fetchone()
        return abs(row[0]) if row and row[0] else None

    def project_of(self, seq: int) -> str | None:
        """Give the project of an entry; None for one that has none, or is not there."""
        row = self._db.execute("SELECT project FROM entry WHERE seq = ?", (seq,)).fetchone()
        return row[0] if row else None

    def forgotten(self, seq: int) -> str | None:
        """Say when an entry was forgotten; None for one that was not."""
        row = self._db.execute(
            "SELECT record.recorded FROM entry JOIN record ON record.position = entry.erased "
            "WHERE seq = ?",
            (seq,),
        ).fetchone()
        return str(row[0]) if row else None

    def places(self, seqs: Iterable[int]) -> dict[int, Place]:
        """Say where entries stand."""
        rows = self._in(f"SELECT {PLACE} FROM entry WHERE seq IN ({{}})", sorted(set(seqs)))
        return {row["seq"]: _place(row) for row in rows}

    def chains(self, finals: Iterable[int]) -> dict[int, list[int]]:
        """Give all that entries replaced, directly or not, newest first; nothing for the others."""
        found: dict[int, list[int]] = {}
        rows = self._in(
            "SELECT final, seq FROM entry WHERE final IN ({}) AND line = seq "
            "AND retracted IS NULL "
            "ORDER BY moment DESC, seq DESC",
            sorted(set(finals)),
        )
        for row in rows:
            found.setdefault(row["final"], []).append(row["seq"])
        return found

    def holding(self, seq: int) -> list[int]:
        """Give what holds now in place of an entry that was replaced; nothing if it holds itself."""
        row = self._db.execute("SELECT final FROM entry WHERE seq = ?", (seq,)).fetchone()
        return [int(row[0])] if row and row[0] is not None else []

    def reached(self, seq: int) -> set[int]:
        """Give an entry and all that replaced it, directly or not."""
        return reached(self._db, seq)

    def with_keys(
        self, keys: Sequence[str], *, project: str | None, around: tuple[str, int], last: int
    ) -> list[int]:
        """Give the lines of one project that hold any of the keys, the nearest in time.

        Args:
            keys: of one statement.
            project: only its own project is looked at.
            around: the statement's moment and seq: as many lines before as after it, at most `NEAR`
                each; those that hold come first.
            last: lines above this seq are not looked at.
        """
        found: set[int] = set()
        for key in keys:
            for sign, order in (("<", "DESC"), (">", "ASC")):
                rows = self._db.execute(
                    "SELECT DISTINCT head.seq, head.superseded_by IS NOT NULL, head.moment "
                    "FROM entry_key JOIN entry USING (seq) JOIN entry AS head ON head.seq = entry.line "
                    "WHERE key = ? AND head.project IS ? AND head.retracted IS NULL "
                    f"AND head.seq <= ? AND (head.moment, head.seq) {sign} (?, ?) "
                    f"ORDER BY 2, head.moment {order}, head.seq {order} LIMIT ?",
                    (key, project, last, *around, NEAR),
                )
                found.update(row[0] for row in rows)
        return sorted(found)

    def said_by(self, seqs: Iterable[int]) -> dict[int, tuple[str, str | None, str]]:
        """Give (text, speaker, source) of the lines among seqs that were not retracted."""
        rows = self._in(
            "SELECT seq, text, speaker, source FROM entry "
            "WHERE seq IN ({}) AND line = seq AND retracted IS NULL",
            sorted(set(seqs)),
        )
        return {row["seq"]: (row["text"], row["speaker"], row["source"]) for row in rows}

    def otherwise(self, seqs: Sequence[int], text: str) -> set[int]:
        """Give those of some entries that say by themselves something else than a text."""
        rows = self._in(
            "SELECT seq, coalesce(own, text) AS said FROM entry LEFT JOIN joined ON joined.line = seq "
            "WHERE seq IN ({})",
            sorted(set(seqs)),
        )
        return {row["seq"] for row in rows if same_form(row["said"]) != same_form(text)}

    def keys_of(self, seqs: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Give the keys of entries, in order; entries without any are left out."""
        found: dict[int, tuple[str, ...]] = {}
        rows = self._in(
            "SELECT seq, key FROM entry_key WHERE seq IN ({}) ORDER BY seq, key", sorted(set(seqs))
        )
        for row in rows:
            found[row["seq"]] = (*found.get(row["seq"], ()), row["key"])
        return found

    def stated_keys(self, begin: str, *, limit: int) -> list[str]:
        """Give the keys that begin with a text, those of the newest entries first."""
        rows = self._db.execute(
            "SELECT key FROM entry_key WHERE key >= ? AND key < ? "
            "GROUP BY key ORDER BY max(seq) DESC LIMIT ?",
            (begin, begin + "\U0010ffff", limit),
        )
        return [row[0] for row in rows]

    def same(self, digest: bytes, before: int, *, leaving_out: AbstractSet[int]) -> int | None:
        """Give the newest line before a seq that says the same and still holds."""
        rows = self._db.execute(
            "SELECT seq FROM entry WHERE same = ? AND line = seq AND seq < ? "
            "AND superseded_by IS NULL AND retracted IS NULL ORDER BY seq DESC",
            (digest, before),
        )
        return next((int(row[0]) for row in rows if row[0] not in leaving_out), None)

    def says_the_same(self, seq: int, of: int) -> bool:
        """Say whether an entry repeats another one, as the fold's digests have it."""
        row = self._db.execute(
            "SELECT count(*) FROM entry AS one JOIN entry AS two ON one.same = two.same "
            "WHERE one.seq = ? AND two.seq = ?",
            (seq, of),
        ).fetchone()
        return bool(row[0])

    def uncited(self, positions: Sequence[int]) -> dict[int, str | None]:
        """Give the events among positions that no entry cites, with their project."""
        rows = self._in(
            "SELECT position, json_extract(body, '$.project') AS project "
            "FROM payload WHERE position IN ({}) AND json_valid(body) "
            "AND position NOT IN (SELECT event FROM entry_event)",
            sorted(positions),
        )
        return {row["position"]: row["project"] for row in rows}

    # --- CURRENT ------------------------------------------------------------------------------

    def current(self, *, limit: int | None = None) -> list[Place]:
        """Give the lines not yet placed in a document, oldest first."""
        rows = self._db.execute(
            f"SELECT {PLACE} FROM entry INDEXED BY entry_current "
            "WHERE document_id IS NULL AND line = seq ORDER BY seq LIMIT ?",
            (-1 if limit is None else limit,),
        )
        return [_place(row) for row in rows]

    def free(self, *, shadow: bool, undone: bool = False, limit: int | None = None) -> list[Place]:
        """Give the lines of CURRENT that no plan holds, oldest first.

        Args:
            shadow: leave out too what a shadow plan was made for; each window is planned once.
            undone: give too what an undo set free; without, it is left to people.
            limit: at most so many.
        """
        rows = self._db.execute(
            f"SELECT {PLACE} FROM entry INDEXED BY entry_current "
            "WHERE document_id IS NULL AND line = seq AND NOT EXISTS ("
            f"SELECT 1 FROM parked WHERE {_HELD}) ORDER BY seq LIMIT ?",
            (undone, shadow, -1 if limit is None else limit),
        )
        return [_place(row) for row in rows]

    def unread(
        self, *, shadow: bool, undone: bool = False, limit: int | None = None
    ) -> list[Place]:
        """Give the lines of CURRENT that no plan holds and no model was shown, oldest first.

        What replaced something, or is replaced or retracted, keeps its words: it is not among them.
        Arguments are those of `free`.
        """
        rows = self._db.execute(
            f"SELECT {PLACE} FROM entry INDEXED BY entry_current "
            "WHERE document_id IS NULL AND line = seq AND looked IS NULL "
            "AND superseded_by IS NULL AND retracted IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM supersession WHERE newer = entry.seq) AND NOT EXISTS ("
            f"SELECT 1 FROM parked WHERE {_HELD}) ORDER BY seq LIMIT ?",
            (undone, shadow, -1 if limit is None else limit),
        )
        return [_place(row) for row in rows]

    def as_said(self, seqs: Iterable[int]) -> list[int]:
        """Put entries in the order in which they were said: by their first event, then by seq."""
        wanted = sorted(set(seqs))
        rows = self._in(
            "SELECT seq, min(event) FROM entry_event WHERE seq IN ({}) GROUP BY seq", wanted
        )
        first = {row[0]: row[1] for row in rows}
        return sorted(wanted, key=lambda seq: (first.get(seq, 0), seq))

    def current_tokens(self) -> int:
        """Count the tokens of CURRENT."""
        return int(
            self._db.execute(
                "SELECT coalesce(sum(tokens), 0) FROM entry INDEXED BY entry_current "
                "WHERE document_id IS NULL AND line = seq"
            ).fetchone()[0]
        )

    def current_since(self) -> str | None:
        """Give the record time of the oldest entry in CURRENT."""
        row = self._db.execute(
            "SELECT recorded FROM entry INDEXED BY entry_current "
            "WHERE document_id IS NULL AND line = seq ORDER BY seq LIMIT 1"
        ).fetchone()
        return row[0] if row else None


def _place(row: sqlite3.Row) -> Place:
    (seq, line, document_id, block, by, final, retracted, *rest) = row
    project, source, moment, tokens, sensitivity, rank = rest
    return Place(
        seq=seq,
        line=abs(line),
        document_id=document_id,
        block=block,
        superseded_by=by,
        final=final,
        retracted=retracted is not None,
        project=project,
        source=source,
        moment=moment,
        tokens=tokens,
        sensitivity=sensitivity,
        rank=rank,
    )
