"""What care for a scope reports: plans and decisions, what was forgotten, backups, what a check found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from memoranda.values import Entry, Receipt, Sensitivity, Value

Part = Literal["database", "record", "chain", "views", "files", "index", "digests", "backups"]


PlanState = Literal["pending", "approved", "rejected", "superseded", "shadow", "applied", "undone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView(Value):
    """A plan as people look at it (R216-R224)."""

    plan_id: str
    state: PlanState
    """`pending` waits; `superseded` was planned anew; `shadow` is only to be looked at; `applied` was
    applied at once; `undone` was applied, and is out of force."""
    kind: Literal["consolidate", "reshape", "extract", "edit", "mark"]
    mode: str
    by: str
    """Who proposed it, such as `rules/1`."""
    position: int
    recorded: str
    window: tuple[int, ...]
    """The entries of CURRENT that it places."""
    input_event_ids: tuple[str, ...]
    versions: Mapping[str, int]
    """Document id -> the version that it was made on."""
    operations: tuple[str, ...]
    """What it would do, a sentence each."""
    verdict: Literal["allowed", "needs approval"]
    reasons: tuple[str, ...] = ()
    """Why policy wants a person to look."""
    warnings: tuple[str, ...] = ()
    decided: str | None = None
    """When it was decided on."""
    decided_by: str | None = None
    decision: str = ""
    """The reason that was given."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Document id -> Markdown before it; empty in lists of plans."""
    after: Mapping[str, str] = field(default_factory=dict)
    """Document id -> Markdown after it; empty in lists of plans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftToRules(Value):
    """Questions of one step that rules answered in place of the model."""

    step: str
    """`extract`, `rewrite`, `route`, `split`, `merge` or `summarize`."""
    reason: str
    """Why: `timeout`, `refused`, `cut`, `unknown_alias`, `refused_plan`, `changed_meanwhile` ..."""
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Value):
    """What calls to a model have used together, or would use."""

    calls: int = 0
    tokens: int = 0
    """Of prompts and replies."""
    money: float | None = 0.0
    """US dollars; None when any of it is not known."""

    def plus(self, other: Spent) -> Spent:
        """Add two; money is known only where both are."""
        known = self.money is not None and other.money is not None
        return Spent(
            calls=self.calls + other.calls,
            tokens=self.tokens + other.tokens,
            money=(self.money or 0.0) + (other.money or 0.0) if known else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Value):
    """What one run of maintenance by a model came to."""

    at: str
    receipts: tuple[Receipt, ...] = ()
    used: int = 0
    """Replies that could be used as they came."""
    repaired: int = 0
    """Replies that could be used after one repair."""
    halved: int = 0
    """Questions that were too much for one call, and were asked again in halves."""
    reworded: int = 0
    """Wordings that the guard, or a rule, did not let pass: the sources stand verbatim."""
    left_to_rules: tuple[LeftToRules, ...] = ()
    spent: Spent = Spent()
    stopped: str = ""
    """Why it ended before all was done; "" if it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Value):
    """What a run of maintenance by a model is expected to use."""

    calls: int
    input_tokens: int
    """Of the prompts that would be sent, counted by our own counter."""
    output_tokens: int
    """About; replies may be longer, up to `reply_tokens` each."""
    money: float | None
    """US dollars; None when the price is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided(Value):
    """A decision on a plan, and what followed from it in the same step."""

    plan_id: str
    state: Literal["approved", "rejected"]
    position: int
    by: str | None
    receipts: tuple[Receipt, ...]
    """Of the plan, or of placing its entries by rules; then of splits and merges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Value):
    """What marking events with another sensitivity did (R240)."""

    plan_id: str
    """Undo it to have the sensitivity from before; or approve it, if it waits."""
    position: int
    events: tuple[str, ...]
    """Ids of the events."""
    seqs: tuple[int, ...]
    """The entries that were made from them."""
    sensitivity: Sensitivity
    was: Sensitivity
    """The highest that they had."""
    waits: bool = False
    """It would let more readers see them, and waits for a person who may approve."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Value):
    """What an undo did (R233)."""

    undo_id: str
    """Id of the undo record: undo that to have it again."""
    undone: str
    """Id of what was undone."""
    what: Literal["plan", "retraction", "undo"]
    position: int
    by: str | None
    updated: tuple[str, ...] = ()
    """Documents that are printed otherwise now."""
    restored: tuple[str, ...] = ()
    """Documents that are there again."""
    retired: tuple[str, ...] = ()
    """Documents that are there no more."""
    freed: tuple[int, ...] = ()
    """Entries that wait in CURRENT again, until somebody consolidates by hand."""
    anew: tuple[str, ...] = ()
    """Documents that were named or summarised anew: their text told of what left them."""
    carried: tuple[int, ...] = ()
    """Entries that stand by themselves again, and keep what was said of their line since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed(Value):
    """The library as it was (R235)."""

    folder: str
    """Where its files were written; "" when they were not."""
    position: int
    recorded: str
    """When that record was written; "" before the first."""
    files: tuple[str, ...]
    """Names below the folder."""
    state: str
    """Hash over the bytes of the files, names included, as `rebuild` gives it."""
    erased: int
    """Entries that were there, and were forgotten since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift(Value):
    """How a library made again from the raw events differs from the one that stands (R202)."""

    by: str
    """Who made it again: `rules`, or a model's name."""
    events: int
    agreement: float
    """0 to 1: of the pairs of events that stand in one document, in one or the other, how many do in both."""
    documents: tuple[int, int]
    """How many: as it stands, and made again."""
    entries: tuple[int, int]
    """Lines that hold now."""
    gained: tuple[tuple[str, str], ...]
    """Supersessions that only the new one has, as (older, newer) event ids."""
    lost: tuple[tuple[str, str], ...]
    """Supersessions that only the standing one has."""
    diff: str
    """The catalogs compared, line by line; "" when they are the same."""
    waiting: int = 0
    """Plans of the new one that would wait for a person: their entries stand in CURRENT."""
    spent: Spent = Spent()
    """What the model used."""
    stopped: str = ""
    """Why the model was stopped before all was done; "" if it was not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp(Value):
    """A backup that was made, and verified before it got its name."""

    path: str
    """Absolute path of the copy: one SQLite file."""
    position: int
    """The log position of the state that it holds."""
    events: int
    bytes: int
    chain: str
    """The log's hash at that position, in hexadecimal; of an empty log ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownBackup(Value):
    """A backup that this scope has made, or has begun to make, outside its own folder."""

    path: str
    time: str
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten(Value):
    """What forgetting did, or would do (R232): its receipt, which holds no word of what is gone."""

    forget_id: str
    """Id of the forget record; "" of a preview."""
    position: int
    events: tuple[str, ...]
    """Ids of the events that were forgotten, whole or in part."""
    seqs: tuple[int, ...]
    """The forgotten entries."""
    anew: tuple[int, ...]
    """Entries that were also made from other events: they say now what these say."""
    records: int
    """Log records whose payload was redacted: events, extractions, plans, retractions."""
    updated: tuple[str, ...]
    """Documents that lost a line, or were named or summarised anew."""
    retired: tuple[str, ...]
    """Documents that had no other line."""
    scanned_files: int = 0
    scanned_bytes: int = 0
    forms: tuple[str, ...] = ()
    """The forms in which the scan looked for pieces of what is gone."""
    left: tuple[str, ...] = ()
    """Files, below the data root, that still hold a piece of it: not ours, or in use. Look at them."""
    out_of_reach: tuple[str, ...] = ()
    """Copies that were made elsewhere, with their dates: they still hold what they held."""
    dry_run: bool = False
    receipt_id: str = ""
    """Id of the log's record of this receipt."""
    time: str = ""
    """When it was forgotten; of a preview, when it was looked at."""
    by: str | None = None
    """Who asked for it."""
    selector: str = ""
    """A keyed digest of what was asked for: it shows that two asked for the same, and no word of it."""
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Place -> how much of it there was before, and is after: payloads, entries, plans, files ..."""
    chain: tuple[str, str] = ("", "")
    """The log's hash before the forget record, and with it, in hexadecimal."""
    token: str = ""
    """Of a preview: give it back as `expect` to forget exactly what was shown."""
    since: int = 0
    """Events and entries that came to fit after the preview, and were not taken."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Forgotten:
        """Read a receipt: as `to_dict` gave it, or as the log holds it (with the number of files left)."""
        given: dict[str, Any] = {f.name: data[f.name] for f in fields(cls) if f.name in data}
        left = given.get("left", ())
        given["left"] = ("a file",) * left if isinstance(left, int) else tuple(left)
        given["counts"] = {place: tuple(pair) for place, pair in given.get("counts", {}).items()}
        whole: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in given.items()
        }
        return cls(**whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Value):
    """What somebody asked to be forgotten, and what became of it (R229)."""

    request_id: str
    position: int
    recorded: str
    state: Literal["waiting", "done", "rejected", "gone"]
    found: Literal["clear", "unclear", "nothing"]
    """`clear`: exactly this is named, and readers keep it back; `unclear`: it may be any of these."""
    text: str
    """The sentence that asks; "" once it is forgotten."""
    event_id: str
    seq: int
    """The entry that holds the sentence."""
    entries: tuple[Entry, ...] = ()
    """What it names, or may name, while it waits."""
    by: str = ""
    """Who understood it so."""
    decided: str | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw(Value):
    """One thing that a check found wrong."""

    part: Part
    name: str
    """A record's position, a table, a file."""
    text: str
    """What is wrong and what to do, in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Value):
    """What a check looked at and found; it changed nothing."""

    records: int
    position: int
    full: bool
    files: int
    """Files that were compared with what was written last."""
    flaws: tuple[Flaw, ...]
    subset: str = ""
    """`n/t` when only a part was looked at."""

    @property
    def ok(self) -> bool:
        """Say whether nothing was found wrong."""
        return not self.flaws

    def to_dict(self) -> dict[str, Any]:
        """Give the value as JSON, with `ok` beside its fields."""
        return {"ok": self.ok, **Value.to_dict(self)}
