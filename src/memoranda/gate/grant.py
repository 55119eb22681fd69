"""What a token lets its bearer do: whose memory, which project, in which role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoranda.memory.clearance import NEEDS, ROLES, Role
from memoranda.values import Sensitivity, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Value):
    """What the bearer of one token may do; the token itself is in no field."""

    token_id: str
    name: str
    """Who or what bears it, as it was named; records say so as their actor."""
    user: str = "default"
    workspace: str | None = None
    project: str | None = None
    all_projects: bool = False
    role: Role = "reader"
    clearance: Sensitivity = "private"
    """The highest sensitivity that it sees and may add."""
    projects: tuple[str, ...] | None = None
    """Only these, and what has none; None: all."""
    labels: tuple[str, ...] | None = None
    """Of what has labels only what shares one of these; None: all."""
    created: str = ""
    expires: str | None = None
    """UTC; None: it holds until it is revoked."""

    def may(self, role: Role) -> bool:
        """Say whether the bearer has at least this role."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def may_call(self, method: str) -> bool:
        """Say whether the bearer may call a method of the facade; never one that has no need told."""
        need = NEEDS.get(method)
        return need is not None and self.may(need.role) and not (need.all and self.is_limited)

    @property
    def is_limited(self) -> bool:
        """Say whether something of the scope is kept back from it."""
        return self.clearance != "private" or self.projects is not None or self.labels is not None

    def opening(self) -> dict[str, Any]:
        """Give what `Memory.open` is told for it."""
        names = "user workspace project all_projects role clearance projects labels"
        return {name: getattr(self, name) for name in names.split()}

    @property
    def wall(self) -> tuple[object, ...]:
        """What decides which handle it gets: those with equal walls share one."""
        return tuple(self.opening().values())
