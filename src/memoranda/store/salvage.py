"""Salvage: what can be read of a damaged log, saved into a new one; nothing of the old is touched."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memoranda.errors import InputError, MemorandaError, StoreError
from memoranda.inspections import Salvaged
from memoranda.store.erasure import Erasure
from memoranda.store.files import Files, look, real
from memoranda.store.home import Home
from memoranda.store.ledger import LEDGER
from memoranda.store.log import LETTERS, LOST, link
from memoranda.store.soundness import ids_of
from memoranda.store.wreck import Piece, Wreck, looking
from memoranda.text.tokens import count

TEXT = "[lost: this record was damaged]"
"""What an event says whose own words could not be read."""
EVERY = 500
BY = "salvage"
"""Who is behind the records that stand in for lost ones."""
_UNFIT = (MemorandaError, LookupError, ValueError, TypeError, AttributeError, sqlite3.Error)
"""What folding a record may raise that rests on one that is lost."""

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class _Course:
    """What has become of the records so far."""

    lost: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    doubtful: list[int] = field(default_factory=list)
    taken: int = 0
    no_plans: bool = False
    """A plan is lost: later ones number their blocks by it, and no longer apply."""


def salvage(
    source: Path, make: Callable[[], Home], *, progress: Progress | None = None
) -> Salvaged:
    """Save what can be read of a log into a new, empty one.

    Every record that can be read, and vouched for, is taken over under its id and position. Where
    one is lost, a stand-in says so. A plan that rests on lost ones is set aside: its entries wait in
    CURRENT. Chain, views, files and index are made anew.

    Args:
        source: the folder of the damaged scope; it is only read, and need not open.
        make: makes the new scope; called once it is known that there is something to save.
        progress: called with (records done, all records).

    Raises:
        StoreError: nothing can be read; the error names the newest backup.
    """
    with looking(source) as old, closing(make()) as new:
        course = _Rescue(old, new, progress).run()
        ledger = Files(source).read(source / LEDGER)
        if ledger:
            new.files.write(new.folder / LEDGER, ledger)
        new.projection.sync(check=True)
        return _told(old, new, course)


def _told(old: Wreck, new: Home, course: _Course) -> Salvaged:
    return Salvaged(
        path=str(new.folder.parents[2]),
        records=course.taken,
        lost=tuple(course.lost),
        set_aside=tuple(course.aside),
        doubtful=tuple(course.doubtful),
        events=new.view.count("events"),
        entries=new.view.count("entries"),
        documents=new.view.count("documents"),
        last_backup=old.backup,
    )


def empty(folder: Path, root: Path) -> Path:
    """Give the absolute path of a folder that is empty, or yet to be made, and outside a data root.

    Raises:
        InputError: it is not.
    """
    path = real(folder.absolute())
    if path.is_relative_to(real(root)):
        raise InputError(f"{path} is inside the data folder; choose an empty folder elsewhere")
    if look(path) not in {None, "folder"} or Files(path).names(path):
        raise InputError(f"{path} is not an empty folder; choose another one")
    return path


# --- the new log ----------------------------------------------------------------------------------


class _Rescue:
    """Writes the pieces into a new log, in order, and folds them."""

    def __init__(self, old: Wreck, new: Home, progress: Progress | None) -> None:
        self._old = old
        self._new = new
        self._db = new.log.connection
        self._pieces = pieces = old.pieces
        self._progress = progress
        self._fold = new.fold
        self._chain = b""
        self._course = _Course()
        self._events = {
            position
            for piece in pieces
            if piece.kind == "extraction" and piece.sound and piece.body
            for position in piece.body["events"]
        }
        self._forgets = {
            piece.erased[0]: piece.erased[1]
            for piece in pieces
            if piece.erased and not pieces[piece.erased[0] - 1].whole
        }

    def run(self) -> _Course:
        """Take all over, in one transaction; the last record says what became of it."""
        log, total = self._new.log, len(self._pieces)
        with log.transaction():
            log.adopt(self._old.scope)
            for piece in self._pieces:
                self._take(piece)
                if self._progress is not None and piece.position % EVERY in {0, total % EVERY}:
                    self._progress(piece.position, total)
            course = self._course
            told = {"lost": course.lost, "set_aside": course.aside, "doubtful": course.doubtful}
            self._new.fold.apply(log.append("receipt", {"kind": "salvage", "by": BY, **told}))
        self._new.view.forget_prints()
        return self._course

    def _take(self, piece: Piece) -> None:
        barred = piece.kind == "plan" and self._course.no_plans
        if piece.whole and not barred and self._tried(piece):
            self._course.taken += 1
            return
        kind, body = _guessed(piece)
        usable = kind and not (kind == "plan" and self._course.no_plans)
        if usable and self._tried(self._made(piece, kind, body)):
            self._course.doubtful.append(piece.position)
            return
        (self._course.aside if piece.whole else self._course.lost).append(piece.position)
        known = {*self._events, *self._forgets}
        self._course.no_plans |= piece.kind in {"plan", ""} and piece.position not in known
        for stand_in in self._stand_ins(piece):
            if self._tried(stand_in):
                return
        raise StoreError(f"record {piece.position} can't be replaced; restore a backup")

    def _tried(self, piece: Piece) -> bool:
        """Write a record and fold it; undo both if it rests on what is lost."""
        self._db.execute("SAVEPOINT piece")
        try:
            chain = self._write(piece)
            self._new.fold.apply(replace(piece.envelope, body=piece.body))
        except _UNFIT:
            self._db.execute("ROLLBACK TO piece")
            self._db.execute("RELEASE piece")
            return False
        self._db.execute("RELEASE piece")
        self._chain = chain
        return True

    def _write(self, piece: Piece) -> bytes:
        chain = link(self._chain, piece.envelope, piece.commitment, self._new.log.scope_id)
        self._db.execute(
            "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                piece.position,
                piece.kind,
                piece.record_id,
                piece.recorded,
                piece.size,
                piece.commitment,
                chain,
            ),
        )
        if piece.erased is not None:
            self._db.execute(
                "INSERT INTO erased VALUES (?, ?, ?, ?)", (piece.position, *piece.erased)
            )
        if piece.data is not None:
            self._db.execute(
                "INSERT INTO payload VALUES (?, ?, ?)",
                (piece.position, piece.key, piece.data.decode()),
            )
        for kind, digest in self._digests(piece):
            self._db.execute(
                "INSERT OR IGNORE INTO digest VALUES (?, ?, ?)", (kind, digest, piece.position)
            )
        return chain

    def _digests(self, piece: Piece) -> Iterator[tuple[str, bytes]]:
        """Give the digests by which a record is found: what was forgotten has no other words left."""
        if piece.kind != "event" or piece.data is None:
            return
        if piece.erased is None:
            for kind, value in ids_of(json.loads(piece.data)):
                yield kind, self._new.log.digest(kind, value)
            return
        with suppress(sqlite3.Error):
            rows = self._old.connection.execute(
                "SELECT kind, digest FROM digest WHERE position = ?", (piece.position,)
            ).fetchall()
            yield from ((row[0], bytes(row[1])) for row in rows)

    # --- in place of what is lost -----------------------------------------------------------------

    def _stand_ins(self, piece: Piece) -> Iterator[Piece]:
        """Give what may stand where a record is lost, the best first."""
        if piece.position in self._events or piece.kind == "event":
            yield self._made(piece, "event", _event(piece.position))
        elif piece.kind == "extraction" and not piece.whole:
            body = self._extraction(piece.position)
            if body is not None:
                yield self._made(piece, "extraction", body)
        elif piece.kind == "forget" and piece.whole:  # what it named anew is not there
            yield self._made(piece, "forget", {**(piece.body or {}), "documents": [], "blocks": []})
        elif piece.position in self._forgets:
            yield self._made(piece, "forget", self._forget(piece.position))
        yield self._made(piece, LOST, {"was": piece.kind if piece.kind in LETTERS else ""})

    def _made(self, piece: Piece, kind: str, body: Mapping[str, Any]) -> Piece:
        said = self._new.log.remains(piece.position, body)
        known = piece.sound and piece.record_id
        return Piece(
            position=piece.position,
            kind=kind,
            record_id=piece.record_id if known else self._new.log.new_id(kind),
            recorded=self._recorded(piece.position) if not known else piece.recorded,
            size=len(said.data),
            commitment=said.commitment,
            key=said.key,
            data=said.data,
        )

    def _recorded(self, position: int) -> str:
        """Give the time of the last sound record before a position, else of the next one."""
        if position in self._forgets:
            return self._forgets[position]
        sound = [item for item in self._pieces if item.sound and item.recorded]
        before = [item.recorded for item in sound if item.position < position]
        return before[-1] if before else sound[0].recorded if sound else self._new.log.now()

    def _extraction(self, position: int) -> dict[str, Any] | None:
        """Make the entries of a lost extraction again, if their numbers are known.

        Where as many numbers are missing as extractions, each event says the one that is its own. Where
        that can't be told, the entries keep their numbers only.
        """
        event = position - 1
        first, after = self._fold.counter("seq") + 1, self._next_seq(position)
        if event < 1 or self._pieces[event - 1].kind not in {"event", ""} or after <= first:
            return None
        lost = self._lost_beside(position)
        numbers = range(first, after if lost == 1 else first + 1)
        certain = after - first == lost
        entries = [_entry(seq, self._pieces[event - 1], certain=certain) for seq in numbers]
        return {"by": BY, "events": [event], "entries": entries}

    def _next_seq(self, position: int) -> int:
        """Give the number of the first entry after a lost extraction, and others that follow it."""
        words = 0
        for item in self._pieces[position:]:
            if not item.sound or item.data is None:
                continue
            body = json.loads(item.data)
            if item.kind == "plan":
                words += sum(op["op"] == "reword" for op in body["operations"])
            if item.kind == "extraction" and body["entries"]:
                return int(body["entries"][0]["seq"]) - words
        return self._fold.counter("seq") + 1 + self._lost_beside(position)

    def _lost_beside(self, position: int) -> int:
        """Count the extractions that are lost from a position on, up to the next one that is not."""
        number = 0
        for item in self._pieces[position - 1 :]:
            if item.kind == "extraction" and item.whole:
                break
            number += item.kind == "extraction"
        return number

    def _forget(self, position: int) -> dict[str, Any]:
        """Make a lost forget record again of the tombstones that it left."""
        marked = [item for item in self._pieces if item.erased and item.erased[0] == position]
        events = [item for item in marked if item.kind == "event"]
        seqs = {int(seq) for item in events for seq in (item.body or {}).get("erased", {})}
        left = {
            item.position: item.erased[2].hex() if item.erased and item.erased[2] else None
            for item in marked
        }
        at = tuple(item.position for item in events)
        return Erasure(events=at, seqs=tuple(sorted(seqs)), records=left).to_json()


def _event(position: int) -> dict[str, Any]:
    names = ("speaker", "time", "session", "project", "external_id", "idempotency_key", "actor")
    told = {"content": TEXT, "source": "external", "sensitivity": "private"}
    return {**dict.fromkeys(names), **told, "metadata": {"lost": position}}


def _entry(seq: int, piece: Piece, *, certain: bool) -> dict[str, Any]:
    """Make an entry that says all of its event, or nothing of it when it is not certain that it did."""
    if not certain:
        return {"seq": seq, "event": 0, "said": TEXT, "tokens": count(TEXT), "keys": []}
    content = (piece.body or {}).get("content", TEXT)
    return {"seq": seq, "event": 0, "span": [0, len(content)], "keys": []}


_SHAPES: tuple[tuple[str, frozenset[str]], ...] = (
    ("event", frozenset({"content", "source", "sensitivity", "metadata"})),
    ("extraction", frozenset({"events", "entries"})),
    ("plan", frozenset({"operations", "window", "versions"})),
    ("undo", frozenset({"targets", "undone"})),
    ("retraction", frozenset({"seq", "reason"})),
)
"""What tells the kind of a record whose envelope is gone."""


def _guessed(piece: Piece) -> tuple[str, Mapping[str, Any]]:
    """Give kind and body of a record of which only the payload is left; "" when that can't be told."""
    if piece.spare is None:
        return "", {}
    try:
        body = json.loads(piece.spare)
    except (ValueError, RecursionError):
        return "", {}
    names = set(body) if isinstance(body, dict) else set()
    return next(((kind, body) for kind, shape in _SHAPES if shape <= names), ("", {}))
