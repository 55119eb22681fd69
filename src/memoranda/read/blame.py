"""Blame: for each line of a document what it rests on, which plan placed it, and who it was (R188)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoranda.inspections import Blamed, BlameLine, LineKind
from memoranda.store.documents import Printed
from memoranda.store.log import Log, Record
from memoranda.store.operations import (
    Arrange,
    Create,
    Duplicate,
    Join,
    Merge,
    Operation,
    Plan,
    Replace,
    Reword,
    Split,
    Update,
)
from memoranda.store.undoing import out_of_force
from memoranda.store.view import View

MARK = "#"


@dataclass(slots=True)
class _Deeds:
    """Which record did what: by seq, and for the document as a whole."""

    placed: dict[int, Record] = field(default_factory=dict)
    moved: dict[int, Record] = field(default_factory=dict)
    worded: dict[int, Record] = field(default_factory=dict)
    named: dict[str, Record] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Owner:
    """What a run of lines is, and the entries that it was made from."""

    kind: LineKind
    lines: tuple[int, int]
    seqs: tuple[int, ...] = ()
    part: str = ""


def blame(document_id: str, log: Log, view: View, *, note: str = "") -> Blamed:
    """Say of each line of a document where it comes from. Call it inside a snapshot.

    Lines that hold words (entries, headings, title, summary) name the entries and events that they
    were made from; the figures of the header name the record that changed the document last.

    Args:
        document_id: a document that is there.
        log: the log.
        view: the views of the same state.
        note: what is to be told besides, such as that another name was asked for.
    """
    printed, info = view.printed(document_id), view.document(document_id)
    owners = _owners(document_id, printed, view)
    seqs = sorted({seq for owner in owners for seq in owner.seqs})
    facts = _Facts(document_id, seqs, log, version=info.version if info else 0)
    texts = printed.text.split("\n")
    lines = tuple(
        facts.line(owner, "\n".join(texts[owner.lines[0] - 1 : owner.lines[1]])) for owner in owners
    )
    return Blamed(
        document_id=document_id,
        title=info.title if info else "",
        version=info.version if info else 0,
        lines=lines,
        note=note,
    )


# --- lines ----------------------------------------------------------------------------------------


def _owners(document_id: str, printed: Printed, view: View) -> list[_Owner]:
    """Cut the printed document into runs of lines, each of one kind, none left out."""
    lines = printed.text.removesuffix("\n").split("\n")
    found = _entries(printed)
    taken = {number for owner in found for number in range(owner.lines[0], owner.lines[1] + 1)}
    found += _headings(document_id, printed, view, lines)
    taken |= {owner.lines[0] for owner in found if owner.kind == "heading"}
    first = min((start for start, _ in printed.blocks), default=len(lines) + 1)
    for number, line in enumerate(lines, start=1):
        if number not in taken:
            found.append(_top(number, line, document_id, view, head=number < first))
    return sorted(found, key=lambda owner: owner.lines)


def _entries(printed: Printed) -> list[_Owner]:
    spans: dict[tuple[int, int], list[int]] = {}
    for seq, lines in printed.ranges.items():
        spans.setdefault(lines, []).append(seq)
    return [_Owner("entry", lines, tuple(sorted(seqs))) for lines, seqs in spans.items()]


def _headings(document_id: str, printed: Printed, view: View, lines: Sequence[str]) -> list[_Owner]:
    sources = _made_from(document_id, view)
    found = []
    for (start, end), made in zip(printed.blocks, sources, strict=True):
        for number in range(start, end + 1):
            line = lines[number - 1]
            if not line:
                continue
            if not line.startswith(MARK):
                break
            level = len(line) - len(line.lstrip(MARK)) - 2
            found.append(_Owner("heading", (number, number), tuple(made[level])))
    return found


def _made_from(document_id: str, view: View) -> list[list[list[int]]]:
    """Give, for each block that is printed, the entries that each of its headings was made from."""
    firsts = [block.lines[0].seqs[0] for block in view.topic_document(document_id).blocks]
    places = view.places(firsts)
    return [view.headings_from(places[seq].block) for seq in firsts]


def _top(number: int, line: str, document_id: str, view: View, *, head: bool) -> _Owner:
    at = (number, number)
    if not line.strip():
        return _Owner("blank", at)
    if head and line.startswith(("title:", "# ")):
        return _Owner("title", at, view.title_text(document_id).made_from, "title")
    if head and line.startswith("summary:"):
        return _Owner("summary", at, view.summary_text(document_id).made_from, "summary")
    return _Owner("figure", at, (), "figure")


# --- what the log says ----------------------------------------------------------------------------


class _Facts:
    """The records behind the lines of one document."""

    def __init__(self, document_id: str, seqs: Sequence[int], log: Log, *, version: int) -> None:
        self._log = log
        self._last = log.record(version)
        self._rows = _rows(log, "SELECT seq, position, block FROM entry", "seq", seqs)
        self._cited: dict[int, list[tuple[int, str]]] = {}
        for row in _rows(log, "SELECT seq, event, event_id FROM entry_event", "seq", seqs).values():
            for item in row:
                self._cited.setdefault(item["seq"], []).append((item["event"], item["event_id"]))
        self._events: dict[int, Mapping[str, Any]] = {}
        self._deeds = _deeds(document_id, self._rows, log)
        self._made: dict[int, Record | None] = {}

    def line(self, owner: _Owner, text: str) -> BlameLine:
        """Tell of one run of lines."""
        events = sorted({event for seq in owner.seqs for event in self._cited.get(seq, ())})
        said = [self._event(position) for position, _ in events]
        record, moved = self._record(owner), self._of(self._deeds.moved, owner.seqs)
        return BlameLine(
            lines=owner.lines,
            kind=owner.kind,
            text=text,
            seqs=owner.seqs,
            event_ids=tuple(event_id for _, event_id in events),
            source=_one(event.get("source") for event in said),
            speaker=_one(event.get("speaker") for event in said),
            time=max((event["time"] for event in said if event.get("time")), default=None),
            actors=tuple(dict.fromkeys(actor for event in said if (actor := event.get("actor")))),
            plan_id=record.record_id if record else "",
            position=record.position if record else 0,
            recorded=record.recorded if record else "",
            by=by_whom(record),
            worded_by=self._worded(owner),
            moved_by=moved.record_id if moved else "",
        )

    def _record(self, owner: _Owner) -> Record | None:
        """Give the record that put the words where they stand."""
        if owner.kind == "entry":
            return self._of(self._deeds.placed, owner.seqs) or self._last
        if owner.kind == "heading":
            return self._of(self._deeds.placed, owner.seqs) or self._last
        return self._deeds.named.get(owner.part) or self._last

    def _worded(self, owner: _Owner) -> str:
        """Say who typed the words: the program that extracted them, or a plan that joined them."""
        if owner.kind != "entry" or not owner.seqs:
            return by_whom(self._record(owner)) if owner.seqs else ""
        typed = self._of(self._deeds.worded, owner.seqs)
        if typed is not None:
            return by_whom(typed)
        first = self._rows.get(owner.seqs[0])
        return by_whom(self._extraction(first[0]["position"])) if first else ""

    def _extraction(self, position: int) -> Record | None:
        if position not in self._made:
            self._made[position] = next(
                iter(self._log.marked(after=position - 1, until=position)), None
            )
        return self._made[position]

    def _event(self, position: int) -> Mapping[str, Any]:
        if position not in self._events:
            found = next(iter(self._log.marked(after=position - 1, until=position)), None)
            self._events[position] = (found.body if found else None) or {}
        return self._events[position]

    @staticmethod
    def _of(deeds: Mapping[int, Record], seqs: Iterable[int]) -> Record | None:
        found = [deeds[seq] for seq in seqs if seq in deeds]
        return max(found, key=lambda record: record.position, default=None)


def by_whom(record: Record | None) -> str:
    """Say who is behind a record: the program or model, or the person who decided."""
    body: Mapping[str, Any] = (record.body if record else None) or {}
    return str(body.get("by") or body.get("actor") or "")


def _one(values: Iterable[Any]) -> str | None:
    """Give what all values are; None when they differ, or there are none."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _rows(log: Log, sql: str, column: str, seqs: Sequence[int]) -> dict[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    rows = log.connection.execute(
        f"{sql} WHERE {column} IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(list(seqs)),),
    )
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found


def _deeds(document_id: str, rows: Mapping[int, list[Any]], log: Log) -> _Deeds:
    """Go through the plans, oldest first: the last one that did something counts."""
    deeds = _Deeds()
    walk = _Walk(document_id, {seq: found[0]["block"] for seq, found in rows.items()}, deeds)
    undone = out_of_force(log.connection)
    for record in log.marked(kind="plan"):
        if record.body is not None and record.position not in undone:
            for operation in Plan.from_json(record.record_id, record.body).operations:
                walk.step(operation, record)
    return deeds


class _Walk:
    """Follows some entries through the plans: a block never changes, its document may."""

    def __init__(self, document_id: str, blocks: Mapping[int, int | None], deeds: _Deeds) -> None:
        self._document = document_id
        self._of_block: dict[int, list[int]] = {}
        for seq, block in blocks.items():
            if block is not None:
                self._of_block.setdefault(block, []).append(seq)
        self._wanted = set(blocks)
        self._at: dict[int, str] = {}
        self._deeds = deeds

    def step(self, operation: Operation, record: Record) -> None:
        """Note what an operation did."""
        match operation:
            case Create() | Update():
                self._place(operation, record)
            case Split() | Merge():
                self._shape(operation, record)
            case Join(seqs=seqs) | Reword(seqs=seqs):
                for seq in self._wanted & set(seqs):
                    self._deeds.worded[seq] = record
            case Replace(old=old, new=new) if new in self._wanted:
                self._deeds.placed[new] = self._deeds.placed.get(old, record)
                self._deeds.worded[new] = record
            case Arrange():
                self._arrange(operation, record)
            case Duplicate(seq=seq) if seq in self._wanted:
                self._deeds.placed[seq] = record
            case _:
                pass

    def _place(self, operation: Create | Update, record: Record) -> None:
        name = operation.document_id
        for seq in self._wanted & {s for block in operation.blocks for s in block.seqs}:
            self._deeds.placed[seq], self._at[seq] = record, name
            self._deeds.moved.pop(seq, None)
        self._name(operation, name, record)

    def _arrange(self, operation: Arrange, record: Record) -> None:
        name = operation.document_id
        for seq in {s for block in operation.blocks for s in block.seqs} & self._wanted:
            if seq not in self._deeds.placed:
                self._deeds.placed[seq] = record
            elif self._at.get(seq, name) != name:
                self._deeds.moved[seq] = record
            self._at[seq] = name
        if name == self._document:
            for part in ("title", "summary"):
                if getattr(operation, part) is not None:
                    self._deeds.named[part] = record

    def _shape(self, operation: Split | Merge, record: Record) -> None:
        name = operation.document_id
        self._name(operation, name, record)
        if isinstance(operation, Merge):
            moved = [seq for seq, at in self._at.items() if at in operation.absorbs]
            self._move(moved, name, record)
            return
        for part in operation.parts:
            self._name(part, part.document_id, record)
            for block in part.blocks:
                self._move(self._of_block.get(block, ()), part.document_id, record)

    def _name(self, texts: Any, name: str, record: Record) -> None:  # noqa: ANN401 - has both texts
        if name == self._document:
            self._deeds.named["summary"] = record
            if texts.title is not None:
                self._deeds.named["title"] = record

    def _move(self, seqs: Iterable[int], name: str, record: Record) -> None:
        for seq in seqs:
            self._deeds.moved[seq], self._at[seq] = record, name
