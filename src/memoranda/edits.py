"""What a look at the files reports: edits taken in, edits that wait, files that are not ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memoranda.values import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Adopted(Value):
    """What was taken in of hand edits: one plan, undone as one."""

    plan_id: str
    """`undo` takes all of it back; "" of a preview."""
    position: int
    documents: tuple[str, ...]
    """Documents that are printed otherwise since; CURRENT among them."""
    added: tuple[int, ...] = ()
    """New lines."""
    corrected: tuple[tuple[int, int], ...] = ()
    """Pairs (line, the one that stands in its place now)."""
    removed: tuple[int, ...] = ()
    """Lines that are retracted now: `forget` erases them, `undo` brings them back."""
    moved: tuple[int, ...] = ()
    """Lines that stand in another document now, or wait in CURRENT again."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldEdit(Value):
    """An edit that was not taken in by itself: its bytes are kept, the file is printed as it was."""

    document_id: str
    plan_id: str
    """`approve` takes it in, `reject` leaves it."""
    reason: str
    copy: str = ""
    """The kept copy, below the scope's folder; "" when the file was taken away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits(Value):
    """What a look at the files came to."""

    adopted: Adopted | None = None
    held: tuple[HeldEdit, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    """Pairs (file, why it was left as it lies)."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Of a preview: document id -> its Markdown as it is."""
    after: Mapping[str, str] = field(default_factory=dict)
    """Of a preview: document id -> its Markdown as it would be."""
    dry_run: bool = False
