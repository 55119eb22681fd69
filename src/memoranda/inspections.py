"""What inspecting reports: differences, blame, archives, what was salvaged, what doctor and lint find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memoranda.values import Value

LineKind = Literal["entry", "heading", "title", "summary", "figure", "blank"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentDiff(Value):
    """A document at two of its versions (R188, R190)."""

    document_id: str
    title: str
    older: int
    """Log position of the version before; 0 when it was not there yet."""
    newer: int
    before: str
    """Its Markdown; "" when it was not there yet."""
    after: str
    """Its Markdown; "" when it is retired."""
    versions: tuple[int, ...]
    """Every version that it has had, oldest first."""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlameLine(Value):
    """Where a line of a document comes from, or several lines of one entry (R188)."""

    lines: tuple[int, int]
    """First and last 1-based line."""
    kind: LineKind
    text: str
    seqs: tuple[int, ...]
    """The entries that it says, or that a heading, title or summary was made from."""
    event_ids: tuple[str, ...]
    source: str | None
    """Of the events; None when they differ."""
    speaker: str | None
    time: str | None
    """When it was said: of several events the latest."""
    actors: tuple[str, ...]
    """The programs that added the events."""
    plan_id: str
    """The plan, or another record, that put it where it stands."""
    position: int
    recorded: str
    by: str
    """Who proposed that plan: `rules/1`, or a model's name."""
    worded_by: str
    """Who typed the words: the extraction by rules, which copies, or a model."""
    moved_by: str
    """The split or merge that brought it into this document; "" when it was placed here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blamed(Value):
    """A document with the origin of each of its lines."""

    document_id: str
    title: str
    version: int
    lines: tuple[BlameLine, ...]
    note: str = ""
    """Set when a retired document was asked for: this one took it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported(Value):
    """An archive that was made, and verified before it got its name."""

    path: str
    position: int
    records: int
    kinds: Mapping[str, int]
    """How many records of each kind."""
    bytes: int
    chain: str
    """The log's hash at that position, in hexadecimal; of an empty log ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked(Value):
    """What importing an archive did."""

    path: str
    added: int
    """Records; 0 when all of them were there already."""
    position: int
    kinds: Mapping[str, int]
    """How many records of each kind the archive holds."""
    chain: str
    forgotten: int = 0
    """Events of the archive that the ledger knew to be forgotten, and that were forgotten again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged(Value):
    """What could be saved of a damaged log into a new one."""

    path: str
    """The new root: open the memory there."""
    records: int
    """Records that were taken over as they were."""
    lost: tuple[int, ...]
    """Positions whose record could not be read: a stand-in says so in its place."""
    set_aside: tuple[int, ...]
    """Positions of records that rest on lost ones and no longer apply; their entries wait in CURRENT."""
    doubtful: tuple[int, ...]
    """Positions of records of which only the payload was left: nothing vouches for its words."""
    events: int
    entries: int
    documents: int
    last_backup: str
    """The newest backup that is known; "" if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Value):
    """One thing that the doctor looked at."""

    name: str
    state: Literal["ok", "note", "bad"]
    text: str
    fix: str = ""
    """What to do, when something is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined(Value):
    """What the doctor found; nothing was changed."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Say whether nothing needs fixing."""
        return all(finding.state != "bad" for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Give the value as JSON, with `ok` beside its fields."""
        return {"ok": self.ok, **Value.to_dict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Untidy(Value):
    """One thing about the library that a person may want to tidy up."""

    kind: Literal["near-duplicate", "oversize", "empty", "impure", "conflict"]
    documents: tuple[str, ...]
    seqs: tuple[int, ...]
    text: str
    """What is so, in a sentence."""
    do: str
    """What can be done about it."""
