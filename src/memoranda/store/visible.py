"""What of a scope a reader may see, decided event by event: clearance, projects, access labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.values import SENSITIVITIES, Sensitivity

ACCESS = "access"
"""The field of an event's metadata that names the labels which may see it; absent, all may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visible:
    """What may be seen. An entry may be seen when every event that it was made from may (R240)."""

    clearance: Sensitivity = "private"
    """The highest sensitivity that may be seen."""
    projects: frozenset[str] | None = None
    """Only these projects, and what has none; None stands for all."""
    labels: frozenset[str] | None = None
    """Of what names access labels, only what shares one with these; None stands for all."""

    @property
    def is_all(self) -> bool:
        """Say whether nothing is kept back."""
        return self == Visible()

    def admits(self, event: Mapping[str, Any]) -> bool:
        """Say whether an event may be seen, by its body; what can't be read is kept back."""
        return (
            self.reaches(event.get("sensitivity"))
            and self.holds(event.get("project"))
            and self.opens(event.get("metadata"))
        )

    def reaches(self, sensitivity: object) -> bool:
        """Say whether a sensitivity lies within the clearance."""
        if sensitivity not in SENSITIVITIES:
            return self.is_all
        return SENSITIVITIES.index(sensitivity) <= SENSITIVITIES.index(self.clearance)

    def holds(self, project: str | None) -> bool:
        """Say whether a project may be seen."""
        return self.projects is None or project is None or project in self.projects

    def opens(self, metadata: object) -> bool:
        """Say whether what names access labels may be seen."""
        named = labels_of(metadata)
        return self.labels is None or named is None or bool(self.labels & named)


def labels_of(metadata: object) -> frozenset[str] | None:
    """Give the labels that an event's metadata names; None where all may see it.

    A rule that can't be read names nobody.
    """
    if not isinstance(metadata, Mapping) or ACCESS not in metadata:
        return None
    named = metadata[ACCESS]
    named = [named] if isinstance(named, str) else named
    return frozenset(n for n in named if type(n) is str) if isinstance(named, list) else frozenset()
