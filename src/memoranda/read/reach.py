"""What of a scope may be read."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from memoranda.store.sift import Sieve
from memoranda.values import Entry

Permit = Callable[[Entry], bool]
"""Says whether a line may be seen; of an event that no entry cites, its text as a line of `LOG`."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """A permit that keeps back some lines: what is asked to be forgotten, until that is decided."""

    lines: frozenset[int]
    """Their first seqs."""

    def __call__(self, entry: Entry) -> bool:
        """Say whether a line may be seen."""
        return entry.seq not in self.lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a search may read: one project and what has none, or everything in the scope; filtered or not."""

    project: str | None
    all_projects: bool
    sieve: Sieve | None = None
    """What the filters of one search let through; None without filters."""
    then: bool = False
    """An earlier time is meant: what is not let through counts as not said yet."""
    hides: bool = False
    """What is not let through is forbidden: no title, heading or summary made from it shows either."""
    permits: tuple[Permit, ...] = ()
    """Permission checks that settings name; `narrow` puts them in force."""

    @property
    def projects(self) -> tuple[str | None, ...] | None:
        """The projects that may be read; None for all."""
        return None if self.all_projects else (None, self.project)

    def allows(self, project: str | None) -> bool:
        """Say whether an entry of a project may be read."""
        return self.all_projects or project is None or project == self.project

    @property
    def units(self) -> AbstractSet[int] | None:
        """The units of the index that may be found; None for all."""
        return None if self.sieve is None else self.sieve.units

    def holds(self, line: int | None) -> bool:
        """Say whether a line that was replaced by this one (None: by none) still holds for the reader."""
        return line is None or (self.then and not self.admits(line))

    def lets(self, entry: Entry) -> bool:
        """Say whether every permission check lets a line through."""
        return all(permit(entry) for permit in self.permits)

    def admits(self, line: int) -> bool:
        """Say whether a line, by its first seq, fits the filters."""
        return self.sieve is None or line in self.sieve.lines
