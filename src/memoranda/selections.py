"""What is asked to be forgotten, and what a later look finds of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

from memoranda.errors import InputError
from memoranda.reports import Forgotten
from memoranda.values import SOURCES, Entry, Value

_RUN = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
LIMIT = 50
"""So many lines of a preview are shown at once."""


class Parts(TypedDict, total=False):
    """The parts of a selector, as keyword arguments."""

    event: str | None
    entry: int | None
    seq: str
    document: str | None
    external_id: str | None
    source: str | None
    speaker: str | None
    project: str | None
    session: str | None
    since: str | None
    until: str | None
    query: str | None
    all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector(Value):
    """What is to be forgotten: all that fits every part that is given (R66, R232, R237).

    Raises:
        InputError: a part is not of its kind, or none is given.
    """

    event: str | None = None
    """Id of an event: it goes with every entry from it."""
    entry: int | None = None
    """Number of an entry: its whole line goes, with every event that says it."""
    seq: str = ""
    """Numbers of entries: `12-20,31`."""
    document: str | None = None
    """A document by id, title or file name, or CURRENT: all its entries."""
    external_id: str | None = None
    """Your id of an event."""
    source: str | None = None
    """user, assistant, tool or external."""
    speaker: str | None = None
    project: str | None = None
    """Of this project alone."""
    session: str | None = None
    since: str | None = None
    """From the start of this time on: when it was said, else recorded."""
    until: str | None = None
    """Up to the end of this time."""
    query: str | None = None
    """Text that an entry, or the content of an event, holds; case does not matter."""
    all: bool = False
    """Everything in the scope, as far as the handle reaches."""

    def __post_init__(self) -> None:
        """Check the parts."""
        if not self.given():
            raise InputError(
                "say what is to be forgotten: event, entry, seq, document, external_id, source, "
                "speaker, project, session, since, until, query or all"
            )
        for name in _TEXTS:
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or not value.strip()):
                raise InputError(f"{name} is a text, not {value!r}")
        if self.entry is not None and (type(self.entry) is not int or self.entry < 1):
            raise InputError(f"entry is the number of an entry, not {self.entry!r}")
        if self.source is not None and self.source not in SOURCES:
            raise InputError(f"source is one of {', '.join(SOURCES)}, not {self.source!r}")
        self.runs()

    def given(self) -> tuple[str, ...]:
        """Name the parts that are given."""
        found = ((item.name, getattr(self, item.name)) for item in fields(self))
        return tuple(
            name for name, value in found if value is not None and value not in ("", False)
        )

    def runs(self) -> tuple[tuple[int, int], ...]:
        """Give the numbers of `seq` as pairs (first, last)."""
        if not isinstance(self.seq, str):
            raise InputError(f"seq is a text such as 12-20,31, not {self.seq!r}")
        found = []
        for part in self.seq.split(",") if self.seq else ():
            run = _RUN.fullmatch(part.strip())
            first, last = (int(run[1]), int(run[2] or run[1])) if run else (0, 0)
            if not 0 < first <= last:
                raise InputError(f"seq is a text such as 12-20,31, not {self.seq!r}")
            found.append((first, last))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Give the parts that are given. It holds the caller's words: no log keeps it."""
        return {name: getattr(self, name) for name in self.given()}


_TEXTS = (
    "event", "document", "external_id", "source", "speaker", "project", "session", "since", "until",
    "query",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected(Value):
    """What forgetting would take: how much, and a page of it to be read."""

    preview: Forgotten
    """With the token that forgets exactly this."""
    entries: tuple[Entry, ...] = ()
    """Lines by number; then, as lines of LOG, the events that no entry cites, oldest first."""
    after: int = 0
    """So many stand before this page."""
    more: int = 0
    """So many come after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified(Value):
    """What a later look found of what a receipt says is gone (R242)."""

    forget_id: str
    time: str
    """When it was looked."""
    places: Mapping[str, int] = field(default_factory=dict)
    """Place -> how much of it is there still."""
    left: tuple[str, ...] = ()
    """Where something is left, or does not agree: a sentence each."""
    chain: bool = True
    """The log goes on from the receipt's head: nothing before it was changed but by forgetting."""
    scanned_files: int = 0
    """With a text to look for: files that were searched."""
    scanned_bytes: int = 0
    forms: tuple[str, ...] = ()
    out_of_reach: tuple[str, ...] = ()
    """As the receipt has it: copies that no look here can see."""

    @property
    def ok(self) -> bool:
        """Say whether nothing is left."""
        return not self.left and self.chain and not any(self.places.values())

    def to_dict(self) -> dict[str, Any]:
        """Give the value as JSON, with `ok` beside its fields."""
        return {"ok": self.ok, **Value.to_dict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace(Value):
    """What one workspace of a user held before it was taken away."""

    workspace: str | None
    events: int
    entries: int
    documents: int
    position: int
    chain: str
    """The log's hash at its end, in hexadecimal."""
    out_of_reach: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiped(Value):
    """A user's whole folder that was taken away, or would be: keep it, nothing of it is in the folder."""

    user: str
    time: str
    by: str | None
    workspaces: tuple[Workspace, ...]
    files: int
    bytes: int
    left: tuple[str, ...] = ()
    """Files of ours elsewhere that could not be taken away."""
    dry_run: bool = False
