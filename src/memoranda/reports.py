"""What care for a scope reports: what was forgotten, backups made, what a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from memoranda.values import Value

Part = Literal["database", "record", "chain", "views", "files"]


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

    @property
    def ok(self) -> bool:
        """Say whether nothing was found wrong."""
        return not self.flaws

    def to_dict(self) -> dict[str, Any]:
        """Give the value as JSON, with `ok` beside its fields."""
        return {"ok": self.ok, **Value.to_dict(self)}
