"""The public values: frozen, and the same in Python, in `--json` and over the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

Source = Literal["user", "assistant", "tool", "external"]
Sensitivity = Literal["public", "internal", "private"]
CURRENT = "CURRENT"
"""Stands for a document where entries wait that are in none yet."""
LOG = "LOG"
"""Stands for a document where something is in none: it is found in the log only."""
SOURCES: tuple[Source, ...] = ("user", "assistant", "tool", "external")
SENSITIVITIES: tuple[Sensitivity, ...] = ("public", "internal", "private")


def plain(value: object) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Turn a value into what JSON can hold: mappings, lists, strings, numbers, null."""
    if is_dataclass(value) and not isinstance(value, type):
        to_dict = getattr(value, "to_dict", None)
        return (
            to_dict() if to_dict else {f.name: plain(getattr(value, f.name)) for f in fields(value)}
        )
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (tuple, list, frozenset, set)):
        items = sorted(value) if isinstance(value, (frozenset, set)) else value
        return [plain(item) for item in items]
    return value


class Value:
    """Base of the public values: `to_dict()` equals what `--json` prints."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Give the value as JSON can hold it."""
        return {f.name: plain(getattr(self, f.name)) for f in fields(self)}  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent(Value):
    """One observation, as a caller hands it over (R208-R215)."""

    content: str
    source: Source = "user"
    speaker: str | None = None
    time: str | None = None
    """When it was said or observed: ISO 8601, normalised by `text.times.normalise`."""
    session: str | None = None
    project: str | None = None
    sensitivity: Sensitivity = "internal"
    external_id: str | None = None
    idempotency_key: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Value):
    """One observation as it came, once it is in the log."""

    event_id: str
    position: int
    recorded: str
    content: str
    source: Source
    speaker: str | None
    time: str | None
    session: str | None
    project: str | None
    sensitivity: Sensitivity
    external_id: str | None
    metadata: Mapping[str, Any]
    actor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Value):
    """One memory line: text with a signature that code copies and never generates (R53-R61).

    `seqs` is the exact set of sequence numbers, ascending; a line that stands for one entry has one.
    """

    seqs: tuple[int, ...]
    text: str
    source: Source
    time: str | None = None
    recorded: str = ""
    speaker: str | None = None
    session: str | None = None
    project: str | None = None
    sensitivity: Sensitivity = "internal"
    key: str | None = None
    event_ids: tuple[str, ...] = ()
    external_ids: tuple[str, ...] = ()
    supersedes: tuple[int, ...] = ()
    superseded_by: int | None = None
    possibly_replaced_by: int | None = None
    """Set at reading only: a newer statement of the same frame stands above."""
    retracted: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Of its events, put together; set only where one entry is asked for."""
    document_id: str | None = None
    """Where it stands: a document's id, `CURRENT`, or `LOG` for an event that no entry cites."""
    lines: tuple[int, int] | None = None
    """Its own first and last 1-based lines in that document; None outside documents."""

    @property
    def seq(self) -> int:
        """The first sequence number: the line's name; 0 for an event that no entry cites."""
        return self.seqs[0] if self.seqs else 0

    def to_dict(self) -> dict[str, Any]:
        """Give the entry as JSON, with `seq` beside the exact set `seqs`."""
        return {"seq": self.seq, **Value.to_dict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """Entries of one block with the lines where they stand (R14, R177-R179).

    `document_id` is a document's id, or `CURRENT` (not yet placed) or `LOG` (an event that no entry cites).
    `lines` are the first and last 1-based lines in the printed document at `version`, None outside documents.
    """

    document_id: str
    title: str
    headings: tuple[str, ...]
    lines: tuple[int, int] | None
    version: int
    score: float
    entries: tuple[Entry, ...]
    """In reading order, but a best line that tells a state by itself leads; each is followed by what
    it replaced, newest first, wherever that stands."""
    left_out: int = 0
    """Replaced versions that did not fit the budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Value):
    """What a search found, best first, within a budget of tokens."""

    tokens: int
    position: int
    """The log position of the state that was read."""
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Value):
    """What applying a plan, or retracting, did."""

    plan_id: str
    kind: Literal["consolidate", "reshape", "extract", "retract", "edit", "mark"]
    position: int
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    placed: tuple[int, ...] = ()
    duplicates: tuple[tuple[int, int], ...] = ()
    """Pairs (seq, the seq it repeats)."""
    joined: tuple[tuple[int, ...], ...] = ()
    """Sets of entries that now stand in one line."""
    superseded: tuple[tuple[int, int], ...] = ()
    """Pairs (older seq, newer seq)."""
    reworded: tuple[tuple[int, ...], ...] = ()
    """Of a plan of kind `extract`: the entries that each new entry was made of."""
    left_out: tuple[int, ...] = ()
    """Entries that stay in the log and enter no document."""
    kept: tuple[int, ...] = ()
    """Of a plan of kind `extract`: entries that stay in CURRENT word for word."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Added(Value):
    """What an add did: on disk when it is returned (law 1)."""

    event_ids: tuple[str, ...]
    """One id an event, in order; of a known event its first id."""
    seqs: tuple[int, ...]
    position: int
    known: tuple[str, ...] = ()
    """Ids of events that were in the log already (same idempotency key); nothing was written for them."""
    receipts: tuple[Receipt, ...] = ()
    """Consolidations that became due and ran."""
    due_since: str | None = None
    """Set when consolidation is due and did not run."""
    forgotten: tuple[str, ...] = ()
    """Ids of events that were forgotten before: they were not stored again."""
    waiting: tuple[str, ...] = ()
    """Plans that were made on the way and wait for a decision."""
    echoes: int = 0
    """So many fenced pieces of recalled memory came back in the events; they made no entries."""
    secrets: tuple[tuple[str, int], ...] = ()
    """Pairs (kind, how many): secrets that were not stored; a mark stands in the place of each."""
    asked: tuple[str, ...] = ()
    """Ids of requests to forget something that came with the events; `asked()` says what became of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Value):
    """What an import did."""

    added: int
    known: int
    malformed: tuple[tuple[int, str], ...]
    """Pairs (line number, what is wrong)."""
    position: int
    receipts: tuple[Receipt, ...] = ()
    forgotten: int = 0
    """Lines whose event was forgotten before: they were not stored again."""
    waiting: tuple[str, ...] = ()
    """Plans that were made on the way and wait for a decision."""
    echoes: int = 0
    """So many fenced pieces of recalled memory came back in the events; they made no entries."""
    secrets: tuple[tuple[str, int], ...] = ()
    """Pairs (kind, how many): secrets that were not stored; a mark stands in the place of each."""
    asked: tuple[str, ...] = ()
    """Ids of requests to forget something that came with the events; `asked()` says what became of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo(Value):
    """The catalog's line for one topic document (R44-R50, R67-R73, R79, R162)."""

    document_id: str
    title: str
    summary: str
    project: str | None
    token_count: int
    entry_count: int
    created_time: str
    updated_time: str
    update_count: int
    current_epoch: int
    parent_id: str | None
    merged_from: tuple[str, ...]
    version: int
    file: str
    """The file below the documents folder: `topics/NAME.md`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockView(Value):
    """One block of a document: its heading path, its lines, its entries."""

    headings: tuple[str, ...]
    lines: tuple[int, int]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentView(Value):
    """A whole document: the catalog's line, the last changes, the blocks, the Markdown as on disk."""

    header: DocumentInfo
    update_log: tuple[str, ...]
    blocks: tuple[BlockView, ...]
    markdown: str
    note: str = ""
    """Set when a retired document was asked for by its id: this one took it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Value):
    """One step in the history of an entry or a document."""

    position: int
    recorded: str
    kind: str
    """event, placed, duplicate, supersedes, superseded, retracted, created, updated, split, merged ..."""
    text: str
    """One readable sentence."""
    document_id: str | None = None
    seqs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView(Value):
    """One log record as `log` shows it."""

    position: int
    kind: str
    record_id: str
    recorded: str
    size: int
    body: Mapping[str, Any] | None
    """None when the payload was erased, or is damaged."""
    damaged: bool = False
    """The payload does not match the record's commitment."""
    actor: str = ""
    """Who is behind it: a program, a person, the rules or a model; never empty in what `log` gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(Value):
    """A plan before it is applied: the draft it came from and each document before and after."""

    plan_id: str
    kind: Literal["consolidate", "reshape", "extract", "edit", "mark"]
    epoch: int
    window: tuple[int, ...]
    draft: tuple[tuple[str, tuple[Entry, ...]], ...]
    """Segments of the rewritten CURRENT: heading and entries (REWRITE_CURRENT, R106-R107)."""
    before: Mapping[str, str]
    """Document id -> Markdown as it is; a new document is missing."""
    after: Mapping[str, str]
    """Document id -> Markdown as it will be; a retired document is missing."""
    receipt: Receipt
    """What applying it would do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt(Value):
    """What a rebuild did."""

    records: int
    documents: int
    entries: int
    state: str
    """Hash over the bytes of every projected file, names included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Value):
    """How the scope stands, with absolute paths."""

    root: str
    folder: str
    database: str
    documents_folder: str
    """The folder that holds CURRENT.md and topics/; by default the scope's own, beside memory.db."""
    user: str
    workspace: str | None
    project: str | None
    model: str
    format: int
    position: int
    events: int
    entries: int
    documents: int
    current_entries: int
    current_tokens: int
    due_since: str | None
    oldest_unplaced: str | None
    superseded: int
    retracted: int
    forgotten: int
    pending: tuple[str, ...]
    """Work begun and not finished; the next consolidation finishes it."""
    failed: tuple[str, ...]
    index_lag: int
    """Records the index has not seen; searched all the same, since it is caught up first."""
    conflicts: tuple[str, ...]
    """Files that were not ours or were edited, kept as copies."""
    warnings: tuple[str, ...]
    edited: Mapping[str, Any] | None = None
    """The last edit of a file that was taken in, as `edits.Adopted`; None before one."""
    last_run: Mapping[str, Any] | None = None
    """What the last run of maintenance by a model came to, as `reports.Run` without receipts."""
    next_expiry: str | None = None
    """When the next thing outlives its time of retention; None when nothing will."""
    last_expiry: Mapping[str, Any] | None = None
    """What retention took last: when, and how much."""
    used_today: Mapping[str, Any] | None = None
    """Calls, tokens and money (None: not known) that models have used on this UTC day."""
