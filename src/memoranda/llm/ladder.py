"""What an endpoint can do: the ladder of ways to a structured reply, and how far down it has to go."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

Rung = Literal["schema", "tool", "json", "plain"]
"""Held to a JSON schema; a forced tool call; JSON of any shape; the schema only told."""
RUNGS: tuple[Rung, ...] = ("schema", "tool", "json", "plain")

REFUSING = frozenset({400, 404, 415, 422, 500, 501})
"""States by which endpoints say that they don't know a way; 404 only where they speak of it."""
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|too (?:long|many tokens)"
    r"|exceeds? the (?:available )?context"
    r"|token limit",
    re.IGNORECASE,
)
_WAY = re.compile(r"response_format|json|schema|tool|structured", re.IGNORECASE)
_NARROW = re.compile(
    r"\b(?:pattern|regex(?:p|es)?|regular expressions?|max_?items|max_?length)\b", re.IGNORECASE
)
_NARROWING = {"pattern": str, "maxItems": int, "maxLength": int}
_MODEL = re.compile(r"model\W.{0,80}(?:not (?:exist|found)|unknown|does not exist)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one endpoint is spoken to."""

    rung: Rung = "schema"
    probed: bool = False
    """A reply has come from this rung that could be read."""
    long_name: bool = False
    """The limit of tokens is `max_completion_tokens`, not `max_tokens`."""
    renamed: bool = False
    """That name was changed already."""
    temperature: bool = True
    """It takes a temperature."""
    narrow: bool = True
    """It takes regular expressions and bounds in schemas."""

    def lower(self, rungs: tuple[Rung, ...]) -> Dialect | None:
        """Go one rung down; None at the foot."""
        at = rungs.index(self.rung) if self.rung in rungs else 0
        below = rungs[at + 1 : at + 2]
        return replace(self, rung=below[0], probed=False) if below else None

    def after(self, status: int, said: str, *, rungs: tuple[Rung, ...]) -> Dialect | None:
        """Give how to ask after a refusal; None when asking in another way is of no use.

        Args:
            status: of the answer.
            said: what it complains about, in its words.
            rungs: the ladder; empty when no structured reply is wanted.
        """
        if status not in REFUSING or is_too_long(said) or _MODEL.search(said):
            return None
        if self.temperature and "temperature" in said:
            return replace(self, temperature=False)
        if self.narrow and _NARROW.search(said):
            return replace(self, narrow=False)
        if not self.renamed and re.search(r"\bmax_(?:completion_)?tokens\b", said):
            return replace(self, long_name=not self.long_name, renamed=True)
        if (status == 404 and not _WAY.search(said)) or (status == 500 and self.probed):
            return None
        return self.lower(rungs) if rungs else None


def bare(schema: Any) -> Any:  # noqa: ANN401 - any JSON
    """Give a schema without regular expressions and bounds; a property may have any name."""
    match schema:
        case dict():
            kept = {k: v for k, v in schema.items() if not _narrows(k, v)}
            return {name: bare(part) for name, part in kept.items()}
        case list():
            return [bare(part) for part in schema]
        case _:
            return schema


def _narrows(name: str, part: object) -> bool:
    return name in _NARROWING and isinstance(part, _NARROWING[name])


def is_too_long(said: str) -> bool:
    """Say whether an endpoint complains about the length of a request."""
    return bool(_TOO_LONG.search(said))
