"""A text of a plan, with the entries it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text of a plan and the entries it was made from, so that forgetting can follow it."""

    text: str
    made_from: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the text as a plan record holds it."""
        return {"text": self.text, "from": list(self.made_from)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Text:
        """Read the text of a plan record."""
        return cls(text=data["text"], made_from=tuple(data["from"]))
