"""What comes of a question: claims with their citations, the chain of hops, and the trace of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memoranda.values import Evidence, Source, Value

Authority = Literal["said by the user", "verified by a tool", "reported", "inferred"]
AUTHORITY: Mapping[Source, Authority] = {
    "user": "said by the user",
    "tool": "verified by a tool",
    "external": "reported",
    "assistant": "inferred",
}
"""What a source is worth, the weightiest first (R27, R243)."""

ReaderName = Literal["lexical", "summary", "hybrid", "agentic"]
READERS: tuple[ReaderName, ...] = ("lexical", "summary", "hybrid", "agentic")

Stop = Literal[
    "complete", "decided", "unread", "rounds", "evidence", "deadline", "nothing_new", "repeated",
    "failed", "spent",
]  # fmt: skip
"""Why a reader ended.

`complete`: it did all that it does. Of the agentic reader: `decided` by the model, `unread` (decided
without having found anything), `rounds` used up, `evidence` fills its limit, `nothing_new` was found,
a round held only calls that were `repeated`. Of every reader with a model: the `deadline` passed, the
model `failed`, the model's budget is `spent`.
"""
DONE: frozenset[Stop] = frozenset({"complete", "decided", "evidence"})
"""Ends of a reader that was done; after any other the result is marked as partial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Value):
    """One quoted statement of an answer with its citation (R234)."""

    quote: str
    """Verbatim: these characters stand in the cited lines."""
    document_id: str
    title: str
    version: int
    lines: tuple[int, int] | None
    seqs: tuple[int, ...]
    event_ids: tuple[str, ...]
    external_ids: tuple[str, ...]
    time: str | None
    source: Source
    speaker: str | None
    superseded_by: int | None
    possibly_replaced_by: int | None = None
    says: str = ""
    """What a model takes from the quote, in its own words; "" without one."""

    @property
    def authority(self) -> Authority:
        """Tell what the user said from what a tool verified, what was reported, what was inferred."""
        return AUTHORITY[self.source]

    @property
    def citation(self) -> str:
        """Give the citation in one line: `d3@12:5-7 seq 4 event 0191ab`."""
        lines = f":{self.lines[0]}-{self.lines[1]}" if self.lines else ""
        seqs = f" seq {','.join(map(str, self.seqs))}" if self.seqs else ""
        return f"{self.document_id}@{self.version}{lines}{seqs} event {','.join(self.event_ids)}"

    def to_dict(self) -> dict[str, Any]:
        """Give the claim as JSON, with its `authority` and `citation`."""
        return {**Value.to_dict(self), "authority": self.authority, "citation": self.citation}


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedEntry(Value):
    """One line of a citation: as it was at that version, and what has become of it."""

    text: str
    """Verbatim; `[erased DATE]` if it was forgotten since."""
    event_ids: tuple[str, ...]
    seqs: tuple[int, ...] = ()
    lines: tuple[int, int] | None = None
    """Where it stood in the document at that version."""
    erased: str | None = None
    """When it was forgotten."""
    retracted: bool = False
    superseded_by: int | None = None
    """What replaced it by now."""
    now: str = ""
    """Where it stands now, as a citation; "" for a line that stands nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace(Value):
    """What a citation names: the lines of a document at a version (R234)."""

    citation: str
    document_id: str
    title: str
    """As it was then."""
    version: int
    """The version in force at the position that was named."""
    lines: tuple[int, int] | None = None
    text: tuple[str, ...] = ()
    """The cited lines as they were printed; empty without lines."""
    entries: tuple[CitedEntry, ...] = ()
    heir: str = ""
    """The document in which a retired one lives on; "" for one that is there."""
    note: str = ""
    """Where a retired document went, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop(Value):
    """One step of a question that hangs on several facts, resolved against the current state."""

    question: str
    """What this step asks, what came before filled in."""
    value: str | None
    """What holds now; None when the step could not be resolved."""
    claim: Claim | None
    """The line that says so."""
    replaced: tuple[int, ...] = ()
    """Entries with an older value of the same state, newest first."""
    how: str = ""
    """`frame` or `model`: who found the value in the line; freshness is always decided by code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse(Value):
    """One call of a tool, and what it brought."""

    name: str
    arguments: Mapping[str, Any]
    found: int
    """How much there is, beyond the tool's limits too."""
    fresh: int
    """Lines that no earlier call had shown."""
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Value):
    """One turn of a model while reading."""

    number: int
    """From 1 on."""
    purpose: str
    """`plan`, `select`, `tools`, `name` or `value`."""
    calls: tuple[ToolUse, ...] = ()
    chosen: tuple[str, ...] = ()
    """What the model named: documents, lines, hops."""
    note: str = ""
    """What went wrong, or what was left out."""
    tokens: int = 0
    """Of prompt and reply, repairs included."""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending(Value):
    """What calls of a model took."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    price: float | None = None
    """US dollars; None when it is not known."""

    @property
    def tokens(self) -> int:
        """Tokens of prompts and replies together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Value):
    """How a reader came to its evidence, and what it took (R156-R175)."""

    reader: ReaderName
    stop: Stop
    rounds: tuple[Round, ...] = ()
    guard: int = 0
    """Lines that the lexical recall guard added (R181-R183)."""
    fallback: str = ""
    """Why the lexical reader answered in place of the one that was asked for; "" if it did not."""
    model: str = "rules"
    calling: Literal["native", "typed", ""] = ""
    """How the model called tools in the end; "" where it called none."""
    retrieval: Spending = field(default_factory=Spending)
    answering: Spending = field(default_factory=Spending)
    seconds: float = 0.0

    @property
    def partial(self) -> bool:
        """Say whether the reader ended before it was done."""
        return self.stop not in DONE

    def to_dict(self) -> dict[str, Any]:
        """Give the trace as JSON, with `partial`."""
        return {**Value.to_dict(self), "partial": self.partial}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Value):
    """Cited claims, or a stated "not known" (`known` is False)."""

    question: str
    known: bool
    text: str | None
    """Prose by a model; None without one."""
    claims: tuple[Claim, ...]
    note: str
    """What else to know; for what is not known, why."""
    tokens: int
    """Of the evidence."""
    position: int
    evidence: tuple[Evidence, ...] = ()
    """All that the answer was made from."""
    hops: tuple[Hop, ...] = ()
    trace: Trace | None = None
    verify: tuple[str, ...] = ()
    """Kinds of cited statements that are to be verified at their source before they are used."""
    dropped: int = 0
    """Claims of the model that memory does not support; they are left out."""

    @property
    def partial(self) -> bool:
        """Say whether the reader ended before it was done."""
        return self.trace is not None and self.trace.partial

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as JSON: its fields, and the names under which doors look for them."""
        trace = self.trace
        return {
            **Value.to_dict(self),
            "answer": self.text,
            "not_known": None if self.known else self.note,
            "citations": [claim.citation for claim in self.claims],
            "usage": None
            if trace is None
            else {"retrieval": trace.retrieval.to_dict(), "answering": trace.answering.to_dict()},
            "stop": None if trace is None else trace.stop,
            "partial": self.partial,
        }
