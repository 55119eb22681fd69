"""Citations resolved: what stood there at that version, and what has become of it since."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.answers import CitedEntry, CitedPlace
from memoranda.errors import InputError, NotFoundError
from memoranda.read import lineage
from memoranda.read.reach import Reach
from memoranda.store import replay
from memoranda.store.erasure import ERASED
from memoranda.store.home import Home
from memoranda.store.log import Log
from memoranda.store.view import View
from memoranda.values import CURRENT, LOG, Entry

PLACES = (CURRENT, LOG)
"""What is cited beside documents: entries not yet placed, and events that no line cites."""
_FORM = re.compile(
    r"(?P<name>[A-Za-z][\w-]*)@(?P<version>\d{1,18})"
    r"(?::(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?)?"
    r"(?:\s+seqs? (?P<seqs>\d{1,18}(?:[,-]\d{1,18})*))?"
    r"(?:\s+events?(?: (?P<events>\S+))?)?"
)
_MARK = ERASED[:-1]
"""How the text begins that stands where another was forgotten."""
_WIDEST = 1000
"""Entries of one citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A citation, read."""

    text: str
    name: str
    version: int
    lines: tuple[int, int] | None
    seqs: tuple[int, ...]
    event_ids: tuple[str, ...]


def parse(text: str) -> Reference:
    """Read a citation: `d3@41:12-14`, and behind it, if given, `seq 4-6,9 event ID,ID`.

    Raises:
        InputError: it has not this form.
    """
    found = _FORM.fullmatch(" ".join(text.split()))
    if found is None:
        raise InputError(
            f"{text[:200]!r} is no citation; give one as answers do, such as d3@41:12-14 "
            "(document, version, lines), CURRENT@41 seq 7, or LOG@41 event ID"
        )
    lines = None
    if found["first"] is not None:
        first = int(found["first"])
        lines = (first, int(found["last"] or first))
        if not 0 < lines[0] <= lines[1]:
            raise InputError(f"{text!r} names no lines: they count from 1, the first comes first")
    name = found["name"].upper()
    return Reference(
        text=text,
        name=name if name in PLACES else found["name"].casefold(),
        version=int(found["version"]),
        lines=lines,
        seqs=_seqs(found["seqs"] or ""),
        event_ids=tuple(filter(None, (found["events"] or "").split(","))),
    )


def _seqs(text: str) -> tuple[int, ...]:
    seqs: dict[int, None] = {}
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        end = int(last or first)
        if end - int(first) >= _WIDEST:
            raise InputError(f"a citation names at most {_WIDEST} entries, not {part}")
        seqs |= dict.fromkeys(range(int(first), end + 1))
    return tuple(seqs)


def resolve(ref: Reference, home: Home, reach: Reach) -> CitedPlace:
    """Give what a citation names, as it was printed at that version, and what has become of it.

    Text that was forgotten since reads `[erased DATE]`, over as many lines as it had. Takes as long
    as a rebuild: the log is folded anew up to the version.

    Raises:
        NotFoundError: there is no such document, version, line, entry or event, or it may not be read.
    """
    if ref.version > home.log.position():
        raise NotFoundError("version", f"{ref.name}@{ref.version}")
    if ref.name == LOG:
        return _of_log(ref, home.log, reach)
    with replay.at(home, ref.version) as then:
        return _of_library(ref, then.view, home, reach)


def _of_library(ref: Reference, view: View, home: Home, reach: Reach) -> CitedPlace:
    info = None if ref.name in PLACES else view.document(ref.name)
    if ref.name not in PLACES and (info is None or not reach.allows(info.project)):
        raise NotFoundError("document", f"{ref.name} at {ref.version}")
    printed = view.printed(ref.name) if info else None
    ranges = printed.ranges if printed else {}
    text = printed.text.splitlines() if printed else []
    first, last = ref.lines or (1, 0)
    if ref.lines and last > len(text):
        raise NotFoundError("line", f"{last} of {ref.name}@{ref.version}, which has {len(text)}")
    named = [line for seq in ref.seqs if (line := view.line_of(seq)) is not None]
    within = [seq for seq, (start, end) in ranges.items() if start <= last and end >= first]
    wanted = sorted(dict.fromkeys((*within, *named)), key=lambda seq: ranges.get(seq, (0, 0)))
    entries = view.entries(wanted)
    _check(ref, [entries[seq] for seq in wanted if seq in entries], reach)
    heirs = lineage.heirs(ref.name, home.log.connection)
    return CitedPlace(
        citation=ref.text,
        document_id=ref.name,
        title=info.title if info else ref.name,
        version=info.version if info else ref.version,
        lines=ref.lines,
        text=tuple(text[first - 1 : last]),
        entries=tuple(
            _since(entries[seq], ranges.get(seq), home.view) for seq in wanted if seq in entries
        ),
        heir=heirs[-1].document_id if heirs else "",
        note=lineage.in_words(heirs),
    )


def _check(ref: Reference, entries: Sequence[Entry], reach: Reach) -> None:
    """Refuse a citation of which nothing is there, or something may not be read."""
    missing = set(ref.seqs) - {seq for entry in entries for seq in entry.seqs}
    if missing:
        raise NotFoundError("entry", f"{min(missing)} at {ref.version}")
    for entry in entries:
        if not reach.allows(entry.project) or not reach.lets(entry):
            raise NotFoundError("citation", ref.text)


def _since(entry: Entry, lines: tuple[int, int] | None, now: View) -> CitedEntry:
    """Tell of an entry of then what is known of it now."""
    gone = [when for seq in entry.seqs if (when := now.forgotten(seq))]
    blank = len(gone) == len(entry.seqs) or entry.text.startswith(_MARK)
    line = next((at for seq in entry.seqs if (at := now.line_of(seq)) is not None), None)
    current = None if line is None else now.entries([line]).get(line)
    return CitedEntry(
        seqs=entry.seqs,
        text=entry.text,
        lines=lines,
        event_ids=entry.event_ids,
        erased=max(gone) if gone and blank else None,
        retracted=current is not None and current.retracted,
        superseded_by=current.superseded_by if current else None,
        now=_place(current, now),
    )


def _place(entry: Entry | None, view: View) -> str:
    """Say where a line stands now, as a citation; "" for one that stands nowhere."""
    if entry is None:
        return ""
    located = view.located(entry)
    name = located.document_id or CURRENT
    info = view.document(name)
    version = info.version if info else view.counter("position")
    lines = f":{located.lines[0]}-{located.lines[1]}" if located.lines else ""
    return f"{name}@{version}{lines} seq {','.join(map(str, located.seqs))}"


def _of_log(ref: Reference, log: Log, reach: Reach) -> CitedPlace:
    """Give events that no line cited: what they said, or when that was forgotten."""
    entries: list[CitedEntry] = []
    for name in ref.event_ids:
        record = log.by_id(name)
        if record is None or record.body is None or not reach.allows(record.body.get("project")):
            raise NotFoundError("event", name)
        whole = bool(record.body["content"])
        erased = None if whole else log.erased_at(record.position)
        text = record.body["content"] if whole else f"[erased {str(erased)[:10]}]"
        entries.append(CitedEntry(text=text, event_ids=(name,), erased=erased))
    return CitedPlace(
        citation=ref.text,
        document_id=ref.name,
        title="Log",
        version=ref.version,
        entries=tuple(entries),
    )
