"""What a person meant by an edit: a file compared with the print it was made from, and with today."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Literal

from memoranda.store import extras
from memoranda.store.handwritten import Hand, Section, Written, has_words
from memoranda.store.home import Home
from memoranda.store.layouts import Layout
from memoranda.values import CURRENT, LOG

_SIGNATURE = re.compile(r"<[^<>\n]{0,400}>[ ]?")
State = Literal["unknown", "erased", "gone", "line"]


def plainly(text: str) -> str:
    """Give a text as it is compared: blanks at the ends of lines tell nothing, nor does its form."""
    lines = (line.rstrip() for line in unicodedata.normalize("NFC", text).split("\n"))
    return "\n".join(lines).strip()


@dataclass(slots=True)
class Slot:
    """One item of an edited file."""

    head: int | None = None
    """The line that it is; None for a new one."""
    text: str | None = None
    """The new words; None leaves the line as it is."""
    put: bool = True
    """It is to stand in this document; else it stands elsewhere, and stays there."""
    seqs: tuple[int, ...] = ()
    """What it is called at last; for new words once they are in the log."""


@dataclass(slots=True)
class Part:
    """What stands under one heading path."""

    headings: tuple[str, ...]
    slots: list[Slot] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Wish:
    """What a person wants of one document."""

    file: str
    document_id: str
    base: Layout
    parts: list[Part] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    title: str | None = None
    summary: str | None = None
    extra: str | None = None
    warnings: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    """The lines that the file shows."""

    @property
    def slots(self) -> Iterator[Slot]:
        """Give all items in order."""
        return (slot for part in self.parts for slot in part.slots)


class Known:
    """What the library knows of the numbers that stand in a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def find(self, seq: int) -> tuple[State, int]:
        """Say what a number stands for: its line today, if there is one."""
        seen: set[int] = set()
        while seq not in seen and 0 < seq < 1 << 63:
            seen.add(seq)
            row = self._db.execute(
                "SELECT line, erased FROM entry WHERE seq = ?", (seq,)
            ).fetchone()
            if row is None:
                return "unknown", 0
            if row["erased"] is not None:
                return "erased", 0
            if row["line"] == 0:
                return "gone", 0
            if row["line"] == seq:
                return "line", seq
            seq = abs(row["line"])
        return "unknown", 0

    def is_of(self, seq: int, head: int) -> bool:
        """Say whether a line is an entry, in this wording or a later one, and not one that repeats it."""
        row = self._db.execute("SELECT line FROM entry WHERE seq = ?", (seq,)).fetchone()
        return row is not None and (seq == head or row[0] < 0)

    def wordings(self, seq: int) -> set[str]:
        """Give all that an entry says, or said in its line."""
        rows = self._db.execute(
            "SELECT text FROM entry WHERE seq = ?1 UNION SELECT own FROM joined WHERE line = ?1 "
            "UNION SELECT head.text FROM entry JOIN entry AS head ON head.seq = entry.line "
            "WHERE entry.seq = ?1",
            (seq,),
        )
        return {plainly(row[0]) for row in rows}

    def place(self, seq: int) -> tuple[str | None, str | None, bool]:
        """Give where a line stands, its project, and whether it is retracted."""
        row = self._db.execute(
            "SELECT document_id, project, retracted FROM entry WHERE seq = ?", (seq,)
        ).fetchone()
        return row[0], row[1], row[2] is not None


class Differ:
    """Compares one file at a time."""

    def __init__(self, home: Home) -> None:
        self._view = home.view
        self._known = Known(home.log.connection)
        self._layouts = home.projection.layouts

    def wish(self, file: str, document_id: str, hand: Hand, base: Layout | None) -> Wish:
        """Say what a person wants of a document.

        Args:
            file: its name, for warnings.
            document_id: the document that the file is of, or CURRENT.
            hand: the file.
            base: the print that it was made from; None finds it.
        """
        if base is None:
            seqs = frozenset(seq for item in hand.items for seq in item.seqs)
            base = self._layouts.base(document_id, hand.header.changes, seqs)
        wish = Wish(file=file, document_id=document_id, base=base)
        texts = self._texts(base) | self._texts(self._layouts.now(document_id))
        reading = _Reading(self._known, wish, self._project(document_id), texts)
        for section in hand.sections:
            wish.parts.append(Part(section.headings, reading.slots(section)))
        self._remember_words(hand, wish)
        if document_id != CURRENT and not hand.headless:
            self._head(hand, wish)
        elif hand.headless and document_id != CURRENT and hand.title:
            self._title(hand.title, wish)
        return wish

    def remove(self, wish: Wish, elsewhere: AbstractSet[int]) -> None:
        """Find the lines that a person took out: the print had them, and no file has them now."""
        for seq in sorted(wish.base.lines):
            state, head = self._known.find(seq)
            if state != "line" or head in wish.shown or head in elsewhere:
                continue
            where, _, _ = self._known.place(head)
            if head != seq and self._known.is_of(seq, head):
                wish.warnings.append(f"line {seq} was corrected meanwhile, as {head}: it stays")
            elif head == seq and (where or CURRENT) == wish.document_id:
                wish.removed.append(seq)
            elif head == seq and where != LOG:
                wish.warnings.append(f"line {seq} stands in {where or CURRENT} now: it stays there")

    def _project(self, document_id: str) -> str | None:
        info = None if document_id == CURRENT else self._view.document(document_id)
        return None if info is None else info.project

    def _texts(self, base: Layout) -> dict[str, int]:
        """Give the lines of a print by what they say, for items whose signature was deleted."""
        found: dict[str, int] = {}
        for seq in sorted(base.lines, reverse=True):
            state, head = self._known.find(seq)
            if state == "line":
                for text in self._known.wordings(seq):
                    found[text] = head
        return found

    def _remember_words(self, hand: Hand, wish: Wish) -> None:
        """Let a heading that holds nothing, and is new, be a line: its words are a person's."""
        known = {block.mark for block in wish.base.blocks}
        for section, part in zip(hand.sections, wish.parts, strict=True):
            if part.slots or not part.headings or section.step:
                continue
            mark = self._layouts.mark("\n".join(part.headings))
            if mark not in known and has_words(part.headings[-1]):
                part.slots.append(Slot(text=part.headings[-1]))

    def _head(self, hand: Hand, wish: Wish) -> None:
        """Find what a person typed anew in the header."""
        marks, header = wish.base.marks, hand.header
        for title in (hand.title, header.title):
            if title is not None and self._layouts.mark(title) != marks.get("title"):
                self._title(title, wish)
                break
        if header.summary is not None and self._is_new(header.summary, "summary", wish):
            wish.summary = header.summary
        own = extras.own(wish.document_id)
        extra = extras.write(header.aux, [chunk for chunk in header.unknown if chunk != own])
        if self._is_new(extra, "extra", wish):
            wish.extra = extra

    def _title(self, title: str, wish: Wish) -> None:
        title = " ".join(title.split())
        if has_words(title) and self._is_new(title, "title", wish):
            wish.title = title

    def _is_new(self, text: str, name: str, wish: Wish) -> bool:
        """Say whether a text is neither that of the print nor today's."""
        mark = self._layouts.mark(text)
        now = self._layouts.now(wish.document_id).marks if wish.document_id != CURRENT else {}
        return mark not in {wish.base.marks.get(name), now.get(name)}


class _Reading:
    """Goes through the items of a file."""

    def __init__(
        self, known: Known, wish: Wish, project: str | None, texts: dict[str, int]
    ) -> None:
        self._known = known
        self._wish = wish
        self._project = project
        self._texts = texts

    def slots(self, section: Section) -> list[Slot]:
        """Give the items of a section that are to stay or to come."""
        found = (self._slot(item) for item in section.items)
        return [slot for slot in found if slot is not None]

    def _slot(self, item: Written) -> Slot | None:
        text = plainly(item.text)
        if not item.seqs:
            return self._unsigned(text)
        seq = next((one for one in item.seqs if self._known.find(one)[0] == "line"), item.seqs[0])
        state, head = self._known.find(seq)
        if state == "line":
            return self._line(item, seq, head, text)
        if state == "erased":
            self._wish.warnings.append(f"line {seq} was forgotten, and does not come back")
            return None
        if state == "gone":
            if text in self._known.wordings(seq):
                self._wish.warnings.append(
                    f"line {seq} was undone meanwhile, and does not come back"
                )
                return None
        else:
            self._wish.warnings.append(f"there is no line {seq}: its words are a new line")
        return self._new(text)

    def _unsigned(self, text: str) -> Slot | None:
        for said in (text, plainly(_SIGNATURE.sub("", text, count=1))):
            head = self._texts.get(said)
            if head is not None and head not in self._wish.shown and has_words(said):
                self._wish.warnings.append(f"line {head} has lost its signature, and gets it back")
                return self._kept(head, in_base=True)
        return self._new(text)

    def _new(self, text: str) -> Slot | None:
        return Slot(text=text) if has_words(text) else None

    def _line(self, item: Written, seq: int, head: int, text: str) -> Slot | None:
        same = text in self._known.wordings(seq) | self._known.wordings(head)
        in_base = bool({*item.seqs, head} & self._wish.base.lines)
        if head in self._wish.shown:
            if not same:
                self._wish.warnings.append(f"line {seq} stands here twice: the other is a new line")
            return None if same else self._new(text)
        if not has_words(text) and not same:
            return None  # its words were deleted, and its signature left: it is removed
        slot = self._kept(head, in_base=in_base)
        if not same and self._known.is_of(seq, head):
            slot.text = text
        elif not same:  # it repeats another line: in other words it is one of its own
            self._wish.warnings.append(
                f"line {seq} repeats {head}: in other words it is a new line"
            )
            return Slot(text=text)
        return slot

    def _kept(self, head: int, *, in_base: bool) -> Slot:
        """Take a line that is known: it stays where others put it, or comes where a person put it."""
        self._wish.shown.add(head)
        where, project, _ = self._known.place(head)
        here = (where or CURRENT) == self._wish.document_id
        if here or in_base:
            return Slot(head=head, put=here)
        if self._wish.document_id != CURRENT and project != self._project:
            self._wish.warnings.append(f"line {head} is of another project, and stays where it is")
            return Slot(head=head, put=False)
        return Slot(head=head)


def too_much(wish: Wish) -> bool:
    """Say whether a file lacks so much that a person must say that it is meant."""
    lines = len(wish.base.lines)
    left = len(wish.base.lines & wish.shown)
    return bool(wish.removed) and (left == 0 or len(wish.removed) > max(1, lines // 5))
