"""Reading the views: lines, documents and blocks as they stand at one position."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from memoranda.store import extras
from memoranda.store.documents import (
    Block,
    Header,
    Printed,
    TopicDocument,
    file_name,
    print_document,
)
from memoranda.store.entries import Line
from memoranda.store.lines import Lines, Place
from memoranda.store.operations import Text
from memoranda.text.times import normalise
from memoranda.text.tokens import COUNTER
from memoranda.values import CURRENT, LOG, DocumentInfo, Entry

__all__ = ["BlockRow", "Place", "View"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRow:
    """One block: its place and its live entries, in reading order."""

    block_id: int
    document_id: str
    headings: tuple[str, ...]
    moment: str
    seqs: tuple[int, ...]


class View(Lines):
    """Reads the view tables of a connection; changes nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._prints: dict[tuple[str, int], Printed] = {}

    # --- documents ----------------------------------------------------------------------------

    def documents(self) -> list[DocumentInfo]:
        """Give the catalog, in order of document number."""
        rows = self._db.execute("SELECT * FROM document WHERE retired IS NULL ORDER BY number")
        return [_info(row) for row in rows]

    def document(self, document_id: str) -> DocumentInfo | None:
        """Give the catalog's line for a document; None if there is none or it is retired."""
        row = self._db.execute(
            "SELECT * FROM document WHERE id = ? AND retired IS NULL", (document_id,)
        ).fetchone()
        return _info(row) if row else None

    def summary_text(self, document_id: str) -> Text:
        """Give the summary of a document with the entries it was made from."""
        return self._named(document_id, "summary")

    def title_text(self, document_id: str) -> Text:
        """Give the title of a document with the entries it was made from."""
        return self._named(document_id, "title")

    def _named(self, document_id: str, part: str) -> Text:
        row = self._db.execute(
            f"SELECT {part}, {part}_from FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        return Text(text=row[0], made_from=tuple(json.loads(row[1])))

    def titled_tokens(self, document_id: str) -> int:
        """Say how many tokens a document had when its title was chosen."""
        row = self._db.execute(
            "SELECT titled_tokens FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        return int(row[0])

    def ids(self) -> list[str]:
        """Give the ids of the documents, in order of number."""
        rows = self._db.execute("SELECT id FROM document WHERE retired IS NULL ORDER BY number")
        return [row[0] for row in rows]

    def titles(self) -> dict[str, str]:
        """Give the titles in use, by document id."""
        rows = self._db.execute("SELECT id, title FROM document WHERE retired IS NULL")
        return {row[0]: row[1] for row in rows}

    def of_epoch(self, epoch: int) -> dict[str, int]:
        """Give the documents that plans of an epoch changed, with their tokens, by number.

        What an undo changed last is left as somebody wanted it, until something is placed in it.
        """
        rows = self._db.execute(
            "SELECT id, tokens FROM document WHERE epoch = ? AND retired IS NULL "
            "AND version NOT IN (SELECT position FROM record "
            "WHERE kind NOT IN ('event', 'extraction') AND kind = 'undo') ORDER BY number",
            (epoch,),
        )
        return {row[0]: row[1] for row in rows}

    def tokens_of(self, document_id: str) -> int:
        """Count the tokens of a document's lines that hold now."""
        row = self._db.execute(
            "SELECT tokens FROM document WHERE id = ?", (document_id,)
        ).fetchone()
        return int(row[0])

    def last_documents(
        self, sessions: Iterable[tuple[str | None, str | None]]
    ) -> dict[tuple[str | None, str], str]:
        """Give, for (project, session), the document that holds the newest placed entry of it."""
        found: dict[tuple[str | None, str], str] = {}
        for project, session in sessions:
            row = self._db.execute(
                "SELECT document_id FROM entry WHERE session = ? AND project IS ? "
                "AND document_id IS NOT NULL AND document_id <> ? ORDER BY seq DESC LIMIT 1",
                (session, project, LOG),
            ).fetchone()
            if row is not None and session is not None:
                found[project, session] = row[0]
        return found

    def changed(self, after: int) -> list[tuple[str, int, bool]]:
        """Name the documents changed after a position: (id, version, retired), by version."""
        rows = self._db.execute(
            "SELECT id, version, retired FROM document WHERE version > ? ORDER BY version, number",
            (after,),
        )
        return [(row[0], row[1], row[2] is not None) for row in rows]

    def blocks(self, document_id: str) -> list[BlockRow]:
        """Give the blocks of a document in reading order, with their lines' first seqs."""
        rows = self._db.execute(
            "SELECT * FROM block WHERE document_id = ? ORDER BY place IS NULL, place, moment, id",
            (document_id,),
        ).fetchall()
        seqs: dict[int, list[int]] = {}
        placed = self._db.execute(
            "SELECT block, seq FROM entry WHERE document_id = ? AND line = seq "
            "ORDER BY block, coalesce(place, seq), seq",
            (document_id,),
        )
        for block, seq in placed:
            seqs.setdefault(block, []).append(seq)
        return [
            BlockRow(
                block_id=row["id"],
                document_id=document_id,
                headings=tuple(json.loads(row["headings"])),
                moment=row["moment"],
                seqs=tuple(seqs.get(row["id"], ())),
            )
            for row in rows
        ]

    def block_lines(self, blocks: Iterable[int]) -> dict[int, list[int]]:
        """Give the lines of blocks that hold now, in reading order."""
        found: dict[int, list[int]] = {}
        rows = self._in(
            "SELECT entry.block, seq FROM block CROSS JOIN entry "
            "ON entry.document_id = block.document_id AND entry.block = block.id "
            "WHERE block.id IN ({}) AND line = seq "
            "AND superseded_by IS NULL AND retracted IS NULL "
            "ORDER BY entry.block, coalesce(entry.place, seq), seq",
            sorted(set(blocks)),
        )
        for row in rows:
            found.setdefault(row["block"], []).append(row["seq"])
        return found

    def headings(self, block: int) -> tuple[str, ...]:
        """Give the heading path of a block."""
        row = self._db.execute("SELECT headings FROM block WHERE id = ?", (block,)).fetchone()
        return tuple(json.loads(row[0])) if row else ()

    def headings_from(self, block: int | None) -> list[list[int]]:
        """Give, for each heading of a block's path, the entries that it was made from."""
        row = self._db.execute("SELECT headings_from FROM block WHERE id = ?", (block,)).fetchone()
        return [list(map(int, seqs)) for seqs in json.loads(row[0])] if row else []

    def topic_document(self, document_id: str) -> TopicDocument:
        """Build a document as it is printed: superseded lines under what replaced them."""
        row = self._db.execute("SELECT * FROM document WHERE id = ?", (document_id,)).fetchone()
        heads, under = self._lines(document_id)
        blocks = tuple(
            Block(headings=block.headings, lines=lines)
            for block in self.blocks(document_id)
            if (
                lines := tuple(
                    _line(heads[seq], under=tuple(_line(item) for item in under.get(seq, ())))
                    for seq in block.seqs
                    if seq in heads
                )
            )
        )
        return TopicDocument(header=_header(row), blocks=blocks)

    def current_blocks(self) -> tuple[Block, ...]:
        """Build CURRENT as it is printed: one block for each run of entries of one day."""
        heads, under = self._lines(None)
        runs: list[tuple[str, list[Line]]] = []
        for seq in sorted(heads, key=lambda seq: (heads[seq]["place"] or seq, seq)):
            item = heads[seq]
            heading = item["time"][:10] if item["time"] else f"recorded {item['recorded'][:10]}"
            line = _line(item, tuple(_line(older) for older in under.get(seq, ())), project=True)
            if not runs or runs[-1][0] != heading:
                runs.append((heading, []))
            runs[-1][1].append(line)
        return tuple(Block(headings=(heading,), lines=tuple(lines)) for heading, lines in runs)

    def _lines(
        self, document_id: str | None
    ) -> tuple[dict[int, dict[str, Any]], dict[int, list[dict[str, Any]]]]:
        """Give the lines that stand by themselves, and those printed under their successor."""
        rows = self._db.execute(
            "SELECT entry.*, successor.document_id AS successor_document,"
            " successor.erased AS successor_erased,"
            " (SELECT erased FROM entry AS next WHERE next.seq = entry.superseded_by) AS unnamed,"
            " (SELECT group_concat(seq) FROM entry AS twin WHERE twin.line = entry.seq) AS seqs "
            "FROM entry LEFT JOIN entry AS successor ON successor.seq = entry.final "
            "WHERE entry.document_id IS ? AND entry.line = entry.seq "
            "ORDER BY entry.moment DESC, entry.seq DESC",
            (document_id,),
        ).fetchall()
        heads: dict[int, dict[str, Any]] = {}
        under: dict[int, list[dict[str, Any]]] = {}
        for row in rows:
            item = dict(row)
            ends = row["final"] is not None and row["successor_erased"] is None
            if ends and row["successor_document"] == document_id:
                under.setdefault(row["final"], []).append(item)
            else:
                if ends and row["unnamed"] is None:
                    item["link"] = row["successor_document"] or CURRENT
                heads[row["seq"]] = item
        return heads, under

    def printed(self, document_id: str) -> Printed:
        """Give a document as Markdown with its line numbers; kept until its version moves on."""
        version = self._db.execute(
            "SELECT version FROM document WHERE id = ?", (document_id,)
        ).fetchone()[0]
        known = self._prints.get((document_id, version))
        if known is None:
            known = print_document(self.topic_document(document_id))
            if len(self._prints) >= 64:
                self._prints.pop(next(iter(self._prints)))
            self._prints[document_id, version] = known
        return known

    def located(self, entry: Entry) -> Entry:
        """Give an entry with its own lines in the document where it stands."""
        if entry.document_id is None or self.document(entry.document_id) is None:
            return entry
        return replace(entry, lines=self.printed(entry.document_id).ranges.get(entry.seq))

    def forget_prints(self) -> None:
        """Drop what `printed` keeps: after a trial that was rolled back, or a rebuild."""
        self._prints.clear()


def _info(row: sqlite3.Row) -> DocumentInfo:
    return DocumentInfo(
        document_id=row["id"],
        title=row["title"],
        summary=row["summary"],
        project=row["project"],
        token_count=row["tokens"],
        entry_count=row["entries"],
        created_time=_minute(row["created_time"]),
        updated_time=_minute(row["updated_time"]),
        update_count=row["update_count"],
        current_epoch=row["epoch"],
        parent_id=row["parent_id"],
        merged_from=tuple(json.loads(row["merged_from"])),
        version=row["version"],
        file=f"topics/{file_name(row['title'], row['id'])}",
    )


def _minute(time: str) -> str:
    """Cut a header time to the minute; a date stays a date."""
    return normalise(time[:16] + "Z" if len(time) > 16 else time) if time else ""


def _header(row: sqlite3.Row) -> Header:
    info = _info(row)
    return Header(
        id=info.document_id,
        title=info.title,
        summary=info.summary,
        project=info.project,
        token_count=info.token_count,
        created_time=info.created_time,
        updated_time=info.updated_time,
        update_count=info.update_count,
        current_epoch=info.current_epoch,
        update_log=tuple(json.loads(row["update_log"])),
        parent_id=info.parent_id,
        merged_from=info.merged_from,
        aux=extras.read(row["extra"])[0],
        counter=COUNTER,
        unknown=extras.chunks(info.document_id, row["extra"]),
    )


def _line(item: dict[str, Any], under: tuple[Line, ...] = (), *, project: bool = False) -> Line:
    return Line(
        seqs=tuple(sorted(int(seq) for seq in item["seqs"].split(","))),
        text=item["text"],
        time=item["time"],
        source=item["source"],
        speaker=item["speaker"],
        project=item["project"] if project else None,
        sensitivity=item["sensitivity"],
        superseded_by=item["superseded_by"] if item["unnamed"] is None else 0,
        link=item.get("link"),
        retracted=item["retracted"] is not None,
        under=under,
    )
