"""Blocks that are to be placed, what they are offered, and where they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memoranda.store.operations import Supersede, Text
from memoranda.values import Entry, Value
from memoranda.write.by_model.asking import Report
from memoranda.write.by_model.links import Pair
from memoranda.write.route import Route


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Value):
    """A document that is offered to a block."""

    document_id: str
    project: str | None
    title: str
    summary: Text
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Value):
    """What is routed: the entries of one block, what they are offered, and where rules put them."""

    entries: tuple[Entry, ...]
    by_rules: Route
    """Its number of a new document is the window's, as `write.route.route` gives it."""
    candidates: tuple[Candidate, ...] = ()
    older: tuple[Entry, ...] = ()
    """Older entries of the library that it may replace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument(Value):
    """A document that is to be made; None leaves title or summary to the rules."""

    project: str | None
    title: Text | None = None
    summary: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing(Value):
    """Where the blocks of a window go.

    `targets` has one for each block, in order: a known document's id, or the number of one of `new`.
    """

    targets: tuple[Route, ...]
    new: tuple[NewDocument, ...] = ()
    summaries: Mapping[str, Text] = field(default_factory=dict)
    """Document id -> its summary anew, where the model gave one that passed."""
    possible: tuple[Supersede, ...] = ()
    """What may replace what, said later second; code decides."""
    report: Report = field(default_factory=Report)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Where a reply sends some blocks: one of a known document's id, a title, a missing name."""

    blocks: tuple[int, ...]
    document_id: str | None = None
    title: str = ""
    missing: str = ""
    summary: str = ""
    shown: frozenset[str] = frozenset()
    """The documents that were offered in the call."""


@dataclass(frozen=True, slots=True)
class Planned:
    """What one call gave."""

    choices: tuple[Choice, ...] = ()
    pairs: tuple[Pair, ...] = ()
    report: Report = field(default_factory=Report)
