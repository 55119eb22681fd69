"""A statement and a search hit, as the rules of supersession see them."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.values import Source

RANK: dict[Source, int] = {"user": 3, "tool": 2, "external": 1, "assistant": 0}
"""Authority: a lower rank never replaces a higher one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What was said, by whom, where and when; the text is verbatim."""

    text: str
    speaker: str | None = None
    source: Source = "user"
    project: str | None = None
    time: str | None = None
    """As `text.times.normalise` gives it; the caller decides which of two statements is newer."""

    @property
    def who(self) -> str:
        """The speaker's name, else the source, casefolded."""
        return " ".join((self.speaker or self.source).casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One found entry: `order` is (time or "", seq), `score` is higher for better."""

    seq: int
    text: str
    order: tuple[str, int]
    score: float = 0.0
    project: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A hit in its new place; `replaced_by` is the seq of a newer version of the same state."""

    hit: Hit
    replaced_by: int | None = None
