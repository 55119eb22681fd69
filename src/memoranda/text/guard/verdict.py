"""What the wording guard is given and what it says: sources, verdicts and losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memoranda.values import Source

Kind = Literal["fact", "merged", "title", "summary"]
"""What a model typed: a fact of an event, a line made of several, a title, a summary."""
LossKind = Literal[
    "number", "date", "unit", "money", "percentage", "name", "link", "negation", "hedge",
    "modality", "quantifier", "speaker", "word", "place",
]  # fmt: skip
"""`link` is a URL, path, address, version or code; `word` a content word; `place` a telling word
that stands beside others than in its source."""

_NAMES = {"link": "URL, path or code", "word": "word", "place": "connection"}


@dataclass(frozen=True, slots=True)
class Said:
    """One source: what was said, of which kind, by whom, and when (as `text.times` prints it)."""

    text: str
    source: Source = "user"
    speaker: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """One telling thing that is gone from the sources, or that they do not hold."""

    kind: LossKind
    words: str
    added: bool = False

    def __str__(self) -> str:
        """Say it in one sentence."""
        kind = _NAMES.get(self.kind, self.kind)
        if self.added:
            return f"The {kind} {self.words!r} is not in the sources so."
        return f"The {kind} {self.words!r} of the sources is lost."


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a wording is kept; if not, what was lost and what was added."""

    ok: bool
    lost: tuple[Loss, ...] = ()
    added: tuple[Loss, ...] = ()

    def __str__(self) -> str:
        """Say it in sentences."""
        return " ".join(map(str, (*self.lost, *self.added))) or "The wording is kept."
