"""What the tools find: frozen values, dated and sourced, the same at every door."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memoranda.values import Change, DocumentInfo, Entry, Event, Evidence, Source, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit(Value):
    """One block that holds lines which match a search."""

    document_id: str
    """A document's id, `CURRENT`, or `LOG` for an event that no entry cites."""
    title: str
    headings: tuple[str, ...]
    lines: tuple[int, int] | None
    """From the first to the last matching line in the printed document; None outside documents."""
    version: int
    score: float
    snippet: str
    """The best matching line, cut around the words of the query."""
    dates: tuple[str, ...]
    """The days on which the matching lines were said, else recorded; ascending."""
    sources: tuple[Source, ...]
    entries: tuple[Entry, ...]
    """The matching lines, best first; what was replaced or may be is marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched(Value):
    """What a search over blocks found, best first."""

    query: str
    hits: tuple[SearchHit, ...]
    total: int
    """Blocks that match among the lines that were looked at; those beyond the limit included."""
    note: str
    """What was left out, or what to try when nothing was found."""
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(Value):
    """One line that holds a pattern."""

    document_id: str
    title: str
    version: int
    entry: Entry
    """The whole line, with its lines in the document; `superseded_by` and `retracted` tell its state."""
    snippet: str
    """The part of its text around the first place that matches."""
    spans: tuple[tuple[int, int], ...]
    """The places that match, as offsets in the entry's text: at most 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grepped(Value):
    """What a search for a pattern found, in the order of documents, CURRENT last."""

    pattern: str
    literal: bool
    """The pattern was searched for as it is written."""
    why_literal: str
    """Why, when a regular expression was meant; else ""."""
    ignore_case: bool
    document_id: str | None
    matches: tuple[Match, ...]
    total: int
    """Lines that match, those beyond the limit included."""
    documents: Mapping[str, int]
    """Document id -> how many of its lines match."""
    searched: int
    """Lines that were looked at."""
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPage(Value):
    """One page of the catalog."""

    documents: tuple[DocumentInfo, ...]
    page: int
    pages: int
    total: int
    """Documents that fit, on all pages."""
    query: str | None
    current_entries: int
    """Entries that are in no document yet."""
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRange(Value):
    """Some lines of a document as it is printed at one version."""

    document_id: str
    title: str
    version: int
    first: int
    """The first line shown, from 1 on; 0 when there is none."""
    last: int
    total: int
    """Lines of the whole document."""
    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    """The entries that stand in these lines, in their order."""
    starts: tuple[int, ...]
    """The line in which each of these entries begins; before `first` for one that goes on from there."""
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Value):
    """The current state of one subject in one respect (R188)."""

    key: str | None
    """`project / subject / attribute`; None for a line found by its words, which has no key."""
    subject: str
    attribute: str
    value: str
    """What is said of it: the value by the frame that gives the key, else the line itself."""
    since: str
    """When it was said, else recorded."""
    source: Source
    entry: Entry
    """The line that holds now: the newest, decided by code."""
    title: str
    version: int
    competing: tuple[Entry, ...] = ()
    """Other lines of this key that hold as well, newest first: nothing says which is right."""
    earlier: tuple[Entry, ...] = ()
    """What it replaced, or may have replaced, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(Value):
    """The current state of a subject, fact by fact; those by key come first."""

    subject: str
    attribute: str | None
    facts: tuple[Fact, ...]
    total: int
    near: tuple[str, ...]
    """Subjects with near names, when nothing was found."""
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline(Value):
    """What happened to an entry, or to all entries of a key."""

    ref: str
    keys: tuple[str, ...]
    versions: tuple[Entry, ...]
    """The lines, newest first, with those that they replaced or that replaced them."""
    changes: tuple[Change, ...]
    """What was done to them, when and why; oldest first."""
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHit(Value):
    """One event of the log that matches, as it came."""

    event: Event
    snippet: str
    score: float
    seqs: tuple[int, ...]
    """The entries that cite it; empty if none does."""
    outdated: tuple[int, ...]
    """Those of them that were replaced."""
    retracted: tuple[int, ...]
    """Those of them that were retracted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Events(Value):
    """What a search of the raw log found: the verbatim evidence, cited or not."""

    query: str
    hits: tuple[EventHit, ...]
    total: int
    note: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult(Value):
    """What one tool call gave."""

    name: str
    arguments: Mapping[str, Any]
    text: str
    """For a model: fenced as data, dated and sourced, within the cap of tokens."""
    evidence: tuple[Evidence, ...] = ()
    """The lines that the text shows, as evidence of an answer."""
    found: int = 0
    """How much there is, beyond the limits too."""
    error: str | None = None
    """What was wrong with the call and what to do; None when it ran."""
    cut: bool = False
    """The text does not show all that was found."""
    position: int = 0
    """The log position that was read."""
    value: Mapping[str, Any] = field(default_factory=dict)
    """The typed result as JSON can hold it."""


Found = Searched | Grepped | DocumentPage | LineRange | Facts | Timeline | Events
"""What a built-in tool finds."""
ToolName = Literal[
    "search", "grep", "grep_doc", "list_docs", "read_lines", "facts", "history", "events"
]
