"""Copies of a text that lie outside the log and the views: kept files, backups, the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from memoranda.store import ledger
from memoranda.store.calls import RUN
from memoranda.store.erasure import ERASED, is_forgotten
from memoranda.store.erasure import KEPT as SIGNATURE
from memoranda.store.home import INDEX, Home
from memoranda.store.kept import kept_in
from memoranda.store.ledger import LEDGER
from memoranda.store.nearby import VECTORS
from memoranda.store.needles import needles
from memoranda.store.projection import CONFLICTS, CURRENT_FILE, TOPICS
from memoranda.store.scan import scan
from memoranda.text.pieces import Kept
from memoranda.values import CURRENT
from memoranda.write.elsewhere import in_packs

MOST = 16 * 1024
"""So many characters of what goes are looked for, in all forms."""
LINE = 200
"""A longer line is looked for in parts of so many characters."""
_ITEM = re.compile(rb"\s*- <seq=([0-9]{1,18}(?:[,-][0-9]{1,18})*)")
_HEAD = re.compile(rb"title: |summary: |# ")
AGREED = "ledger"
"""Name of the note in the database that says which ledger it agrees with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What the scan saw."""

    files: int
    bytes: int
    forms: tuple[str, ...]
    left: tuple[str, ...]
    """Files that hold a piece, below the data root."""


def payload(event: Mapping[str, Any]) -> Iterator[str]:
    """Give every text of an event that goes with it, those of its metadata included."""
    for name, value in event.items():
        if name not in SIGNATURE:
            yield from _strings(value)


def sampled(texts: Sequence[str]) -> tuple[str, ...]:
    """Give texts as the scan looks for them: of very long ones, lines spread evenly.

    A copy of a long text holds these lines too; each costs the scan some hundred patterns.
    """
    whole = dict.fromkeys(texts)
    if sum(map(len, whole)) <= MOST:
        return tuple(whole)
    lines = dict.fromkeys(
        line[at : at + LINE]
        for text in whole
        for line in text.splitlines()
        for at in range(0, len(line), LINE)
    )
    step = -(-sum(map(len, lines)) // MOST)
    return tuple(lines)[::step]


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, inner in value.items():
                yield str(name)
                yield from _strings(inner)
        case list() | tuple():
            for inner in value:
                yield from _strings(inner)
        case _:
            pass


# --- what stays -------------------------------------------------------------------------------


def kept(home: Home, texts: Sequence[str], gone: Iterable[int], left: Mapping[int, Any]) -> Kept:
    """Say which pieces of texts also stand in what stays: they can't be told apart.

    Args:
        home: the scope, before anything is erased.
        texts: what goes.
        gone: positions of the records that hold it.
        left: what is left of them.
    """
    return kept_in(texts, _staying(home, set(gone), left))


def kept_since(home: Home, texts: Sequence[str], before: Kept, position: int) -> Kept:
    """Add to what stays the events that came after a position."""
    db = home.log.connection
    rows = db.execute(
        "SELECT body FROM record JOIN payload USING (position) "
        "WHERE position > ? AND kind = 'event' UNION ALL "
        "SELECT key FROM entry_key JOIN entry USING (seq) WHERE position > ?",
        (position, position),
    )
    after = kept_in(texts, (row[0] for row in rows))
    return lambda piece: before(piece) or after(piece)


def _staying(home: Home, gone: AbstractSet[int], left: Mapping[int, Any]) -> Iterator[str]:
    yield from (json.dumps(body, ensure_ascii=False) for body in left.values())
    yield home.log.meta(RUN).decode()  # numbers, and codes of ours
    db = home.log.connection
    rows = db.execute(
        "SELECT position, body FROM record JOIN payload USING (position) WHERE kind <> 'extraction'"
    )
    yield from (body for position, body in rows if position not in gone)
    keys = db.execute(
        "SELECT DISTINCT key FROM entry_key JOIN entry USING (seq) "
        "WHERE position NOT IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(gone)),),
    )
    yield from (row[0] for row in keys)


# --- copies -----------------------------------------------------------------------------------


def redact_copies(
    home: Home, texts: Sequence[str], stays: Kept, seqs: AbstractSet[int] = frozenset()
) -> int:
    """Take what goes out of the kept copies of edited files; gives how many held it.

    A line goes that holds a piece of some texts, or that bears the number of an entry that goes,
    whatever it was edited to; with it the copy's title, summary and name.
    """
    folder = home.folder / CONFLICTS
    copies = [item for item in home.files.names(folder) if item.kind == "file"]
    search = needles(texts if copies else (), kept=stays).searcher()
    found = 0
    for item in copies:
        data = home.files.read(folder / item.name) or b""
        lines = data.splitlines(keepends=True)
        cited = _cited(lines, seqs)
        left = b"".join(
            ERASED.encode() + b"\n" if number in cited or search(line, 0) else line
            for number, line in enumerate(lines)
        )
        if search(left, 0):
            left = b""  # a piece over two lines: nothing of the copy can be told from it
        if cited or search(item.name.encode("utf-8", "surrogateescape"), 0):
            digest = home.log.digest("file", left.decode("latin-1")).hex()[:8]
            home.files.write(folder / f"erased.{digest}.md", left)
            home.files.remove(folder / item.name)
            found += 1
        elif left != data:
            home.files.write(folder / item.name, left)
            found += 1
    return found


def copies_citing(home: Home, seqs: AbstractSet[int]) -> int:
    """Count the kept copies of edited files that print one of some entries."""
    folder = home.folder / CONFLICTS
    files = [item.name for item in home.files.names(folder) if item.kind == "file"]
    return sum(_prints(home.files.read(folder / name) or b"", seqs) for name in files)


def files_citing(home: Home, seqs: AbstractSet[int], documents: Iterable[str] | None) -> int:
    """Count our files that print one of some entries: those of some documents and CURRENT, or all."""
    wanted = None if documents is None else {*documents, CURRENT}
    rows = home.log.connection.execute("SELECT file, document_id FROM projection").fetchall()
    files = [file for file, document in rows if wanted is None or document in wanted]
    return sum(_prints(home.shelf.read(home.shelf.root / name) or b"", seqs) for name in files)


def _prints(data: bytes, seqs: AbstractSet[int]) -> bool:
    """Say whether a document prints one of some entries."""
    if not seqs:
        return False
    return any(
        _holds(run, seqs)
        for line in data.splitlines()
        if (item := _ITEM.match(line)) is not None
        for run in item[1].split(b",")
    )


def _cited(lines: Sequence[bytes], seqs: AbstractSet[int]) -> set[int]:
    """Name the lines of a document that print some entries; with any, those of its head too."""
    found: set[int] = set()
    inside = False
    for number, line in enumerate(lines):
        item = _ITEM.match(line)
        if item is not None:
            inside = any(_holds(run, seqs) for run in item[1].split(b","))
        elif line.strip():
            inside = inside and line[:1].isspace()  # it goes on indented
        if inside and line.strip():
            found.add(number)
    head: dict[bytes, int] = {}
    for number, line in enumerate(lines):
        if part := _HEAD.match(line):
            head.setdefault(part[0], number)
    return found.union(head.values()) if found else found


def _holds(run: bytes, seqs: AbstractSet[int]) -> bool:
    """Say whether a printed run of numbers, `12` or `12-14`, holds one of some."""
    first, _, last = run.partition(b"-")
    if not first:
        return False
    start, end = int(first), int(last or first)
    if end - start > len(seqs):
        return any(start <= seq <= end for seq in seqs)
    return any(seq in seqs for seq in range(start, end + 1))


def drop_damaged(home: Home) -> None:
    """Remove damaged indexes and vectors that were moved aside: they are derived."""
    for item in home.files.names(home.folder):
        if item.name.startswith((f"{INDEX}.damaged-", f"{VECTORS}.damaged-")):
            home.files.remove(home.folder / item.name)


def look(home: Home, texts: Sequence[str], stays: Kept) -> Looked:
    """Look for pieces of texts in everything below the scope's folders."""
    roots = [home.folder]
    if home.shelf.root != home.folder:
        roots += [home.shelf.root / TOPICS, home.shelf.root / CURRENT_FILE]
    found = scan(roots, texts, kept=stays)
    packed = in_packs(home, texts, stays)
    return Looked(
        files=found.files,
        bytes=found.bytes,
        forms=found.forms,
        left=(*dict.fromkeys(hit.file for hit in found.hits), *found.unread, *packed),
    )


# --- ledger -----------------------------------------------------------------------------------


def write_ledger(home: Home) -> None:
    """Bring the ledger to what the database knows; what only the ledger knows stays in it."""
    path = home.folder / LEDGER
    data = home.files.read(path) or b""
    items = {**ledger.parse(data), **ledger.known(home.log)}
    wanted = ledger.print_items(items.values())
    if wanted and wanted != data:
        home.files.write(path, wanted)
    _agree(home, wanted)


def remember(home: Home, events: Sequence[int]) -> None:
    """Keep a keyed digest of each event, so that an import does not bring it back."""
    for position in events:
        record = home.log.record(position)
        if record is not None and record.body is not None and not is_forgotten(record.body):
            home.log.note("forgotten", ledger.identity(record.body), position)


def _agree(home: Home, data: bytes) -> None:
    with home.log.transaction():
        home.log.set_meta(AGREED, home.log.digest("file", data.decode("latin-1")))


def returned(home: Home) -> tuple[ledger.Item, ...]:
    """Give what the ledger says was forgotten and the database does not know to be."""
    data = home.files.read(home.folder / LEDGER) or b""
    agreed = home.log.meta(AGREED)
    if (not data and not agreed) or agreed == home.log.digest("file", data.decode("latin-1")):
        return ()
    known = ledger.known(home.log)
    found = tuple(
        item
        for name, item in ledger.parse(data).items()
        if (name not in known or not set(item.seqs) <= set(known[name].seqs))
        and (record := home.log.by_id(name)) is not None
        and record.kind == "event"
    )
    if not found:
        write_ledger(home)
    return found
