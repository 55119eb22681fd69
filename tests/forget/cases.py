"""One case: something comes in by one way in one encoding, is lived with, forgotten, and looked for."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dens import Den, at_home, den
from doomed import ENCODINGS, Doom, doom
from hunting import hunting
from lives import lived
from ways import FIRST, RULES, WAYS, Planted

from memoranda import Memory
from memoranda.errors import ForgottenError
from memoranda.reports import Forgotten
from memoranda.store.ledger import LEDGER
from memoranda.store.scan import scan
from scene import home


@dataclass(frozen=True, slots=True)
class Case:
    """What is drawn."""

    number: int
    way: str
    encoding: str

    @property
    def name(self) -> str:
        return f"{self.number}-{self.way}-{self.encoding}"

    def rng(self) -> random.Random:
        return random.Random(self.name)  # noqa: S311 - the same each time, on purpose


def drawn(count: int, seed: int = 0) -> list[Case]:
    """Draw cases: each way and each encoding come up as often as others."""
    rng = random.Random(f"cases {seed}")  # noqa: S311
    found: list[tuple[str, str]] = []
    while len(found) < count:
        pairs = [(way, encoding) for way in WAYS for encoding in ENCODINGS]
        rng.shuffle(pairs)
        found += pairs
    return [Case(seed * 1000 + number, *pair) for number, pair in enumerate(found[:count])]


@dataclass(slots=True)
class Lived:
    """A memory in which something is to be forgotten."""

    den: Den
    doom: Doom
    planted: Planted
    steps: list[str]

    @property
    def texts(self) -> tuple[str, ...]:
        """All that may be found nowhere."""
        return (*self.doom.secrets, *self.doom.planted)


def live(case: Case, folder: Path) -> Lived:
    """Open a memory, use it, bring in what is to be forgotten, and use it again."""
    rng = case.rng()
    doomed = doom(rng, case.encoding)
    held = den(folder, rng, by_rules=case.way in RULES)
    steps: list[str] = []
    if case.way not in FIRST:
        steps += lived(held, doomed, rng.randrange(4))
    planted = WAYS[case.way](held, doomed)
    held.reopened()  # what other processes did shows
    steps += [case.way, *lived(held, doomed, rng.randrange(2, 7))]
    return Lived(held, doomed, planted, steps)


def choose(life: Lived) -> tuple[str, list[Any]]:
    """Choose by chance how it is named: by its events, or by its entries, where it has some."""
    seqs = life.planted.parts or _entries(life.den.memory, life.planted.events)
    if life.planted.parts or (seqs and life.den.rng.random() < 0.4):
        return "entry", list(seqs)
    return "event", list(life.planted.events)


def forget(life: Lived, way: str, names: list[Any]) -> list[Forgotten]:
    """Forget it; what went with another is named once more in vain."""
    done: list[Forgotten] = []
    for name in [*names, *(life.planted.events if not life.planted.parts else ())]:
        given = {way if name in names else "event": name}
        with suppress(ForgottenError):
            done.append(life.den.memory.forget(**given))
    return done


def _entries(memory: Memory, events: tuple[str, ...]) -> tuple[int, ...]:
    marks = ",".join("?" * len(events))
    rows = home(memory).log.connection.execute(
        "SELECT DISTINCT seq FROM entry_event JOIN entry USING (seq) "
        f"WHERE event_id IN ({marks}) AND erased IS NULL AND line > 0 ORDER BY seq",
        events,
    )
    return tuple(row[0] for row in rows)


# --- what is left -------------------------------------------------------------------------------


def pieces(life: Lived) -> list[str]:
    """Name all places that hold a piece of it: by the hunt, and by the product's own scan."""
    roots = life.den.searched
    found = [f"hunt: {one}" for one in hunting(roots, life.texts)]
    seen = scan(roots, life.texts)
    found += [f"scan: {hit.file} {hit.form} {hit.where}" for hit in seen.hits]
    return [*found, *(f"scan: {one}" for one in seen.unread)]


# --- what stays ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """What is so of an entry: it may be in another line afterwards, and is the same for the rest."""

    line: int
    events: tuple[str, ...]
    said: tuple[Any, ...]


def standing(memory: Memory) -> dict[int, Row]:
    """What is so of every entry: text, number, times, source, links, keys, events, place."""
    db = home(memory).log.connection
    rows = db.execute(
        "SELECT entry.seq, entry.line, (SELECT json_group_array(event_id) FROM (SELECT event_id FROM "
        "entry_event AS e WHERE e.seq = entry.seq ORDER BY event)), coalesce(own, entry.text), "
        "entry.time, entry.recorded, entry.source, entry.speaker, entry.session, entry.project, "
        "entry.sensitivity, "
        "head.superseded_by, head.retracted, entry.document_id, "
        "(SELECT group_concat(key) FROM (SELECT key FROM entry_key AS k "
        "WHERE k.seq = entry.seq ORDER BY key)) "
        "FROM entry JOIN entry AS head ON head.seq = abs(entry.line) OR "
        "(entry.line = 0 AND head.seq = entry.seq) LEFT JOIN joined ON joined.line = entry.seq "
        "WHERE entry.erased IS NULL"
    )
    return {row[0]: Row(row[1], tuple(json.loads(row[2])), tuple(row[3:])) for row in rows}


def contents(memory: Memory) -> dict[str, Any]:
    """What every event says, by its id."""
    return {one.record_id: one.body for one in memory.log(kind="event")}


def placed(memory: Memory) -> dict[str, list[tuple[int, ...]]]:
    """Which lines stand in each document, each with its entries."""
    return {
        info.document_id: [
            entry.seqs
            for block in memory.document(info.document_id).blocks
            for entry in block.entries
        ]
        for info in memory.documents()
    }


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before, of what is not to be forgotten."""

    entries: dict[int, Row]
    events: dict[str, Any]
    placed: dict[str, list[tuple[int, ...]]]
    doomed: frozenset[int]
    """Entries."""
    events_of_it: frozenset[str]


def before(life: Lived, way: str, names: list[Any]) -> Before:
    """Look at it, and say what is doomed: what came from it, and the whole lines of named entries."""
    memory = life.den.memory
    entries, events, seqs = standing(memory), set(life.planted.events), set(life.planted.parts)
    if way == "entry":
        lines = {entries[seq].line for seq in names}
        seqs |= {seq for seq, row in entries.items() if row.line in lines}
        if not life.planted.parts:
            events |= {event for seq in seqs for event in entries[seq].events}
    if not life.planted.parts:
        seqs |= {seq for seq, row in entries.items() if events & set(row.events)}
    return Before(entries, contents(memory), placed(memory), frozenset(seqs), frozenset(events))


def lost(life: Lived, was: Before) -> list[str]:
    """Name what is missing, or otherwise than it was, of what was not to be forgotten."""
    memory = life.den.memory
    now, found = standing(memory), []
    for seq, row in was.entries.items():
        here = now.get(seq)
        if seq not in was.doomed and (
            here is None or (here.events, here.said) != (row.events, row.said)
        ):
            found.append(f"entry {seq}: {row} -> {here}")
    said = contents(memory)
    for event, body in was.events.items():
        echo = "<memory-" in str(body)
        if event not in was.events_of_it and said[event] != body and not echo:
            found.append(f"event {event}: {body} -> {said[event]}")
    shown = placed(memory)
    for name, lines in was.placed.items():
        apart = {seq for line in lines if set(line) & was.doomed for seq in line}
        left = sorted(line for line in lines if not set(line) & apart)
        here = sorted(line for line in shown.get(name, []) if not set(line) & apart)
        if left != here:
            found.append(f"document {name}: {left} -> {here}")
    return found


# --- old copies come back -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Copies:
    """What was saved while it lived, and is put back when it is forgotten."""

    database: Path
    archive: Path
    lines: list[bytes]


def saved(life: Lived) -> Copies:
    """Copy the database, export an archive, keep the lines that were imported."""
    out = life.den.out
    archive = out / "saved.zip"
    life.den.memory.export(archive)
    return Copies(
        life.den.memory.backup(out / "saved.db").path and out / "saved.db", archive, life.den.lines
    )


def returned(life: Lived, copies: Copies) -> list[str]:
    """Let them come back, one after the other; name what of it is there afterwards."""
    den = life.den
    found: list[str] = []
    if copies.lines:
        den.memory.import_lines(copies.lines)
        found += [f"imported again: {one}" for one in _closed(life)]
    for way in den.rng.choice((("restored",), ("taken in",), ("restored", "taken in"))):
        den.close()
        for path in den.place.folder.glob("memory.db*"):
            path.unlink()
        if way == "restored":
            shutil.copy(copies.database, den.place.database)
            den.open()
        else:
            _emptied(den)
            den.open().import_archive(copies.archive)
        found += [f"{way}: {one}" for one in _closed(life)]
    return found


def _emptied(den: Den) -> None:
    """Take all away but the ledger of what was forgotten, as after the loss of a disk."""
    shutil.rmtree(den.folder / "elsewhere", ignore_errors=True)
    for path in den.place.folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != LEDGER:
            path.unlink()


def _closed(life: Lived) -> list[str]:
    """Close the memory, and hunt through every byte."""
    life.den.close()
    found = list(hunting(life.den.searched, life.texts))
    life.den.open()
    return found


# --- a case -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """What a case came to."""

    case: Case
    steps: list[str]
    planted: bool
    """Pieces were found before: else nothing was shown."""
    pieces: list[str]
    lost: list[str]

    @property
    def fine(self) -> bool:
        return self.planted and not self.pieces and not self.lost


def run(case: Case, folder: Path) -> Told:
    """Live a case, forget, look everywhere; then let old copies come back, and look again."""
    with at_home(folder):
        life = live(case, folder)
        planted = any(hunting(life.den.searched, life.texts))
        copies = saved(life)
        chosen = choose(life)
        was = before(life, *chosen)
        receipts = forget(life, *chosen)
        missing = lost(life, was)
        life.den.close()
        left = [*pieces(life), *receipts[-1].left]
        life.den.open()
        life.den.memory.search(life.doom.text[:400])
        left += returned(life, copies)
        life.den.close()
    return Told(case, life.steps, planted, left, missing)
