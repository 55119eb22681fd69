"""Who may do what: roles, and what each operation of a memory needs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from memoranda.errors import InputError, NotAllowedError
from memoranda.settings import Settings
from memoranda.store.scope import check_project
from memoranda.store.visible import Visible
from memoranda.values import SENSITIVITIES, Sensitivity

Role = Literal["reader", "writer", "maintainer", "owner"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""From the least to the most; each may do what those before it may."""


@dataclass(frozen=True, slots=True)
class Need:
    """What an operation needs."""

    role: Role
    all: bool = False
    """It touches the whole scope: no clearance, project or label may limit the handle."""
    tells: bool = False
    """It shows what any line says: no permission check may be in force either."""


_READ: Final = Need("reader")
_WRITE: Final = Need("writer")
_KEEP: Final = Need("maintainer", all=True)
_TELL: Final = Need("maintainer", all=True, tells=True)
_OWN: Final = Need("owner", all=True)
NEEDS: Final[Mapping[str, Need]] = {
    **dict.fromkeys(
        (
            "ask", "ask_events", "blame", "context", "current", "diff", "document", "documents",
            "events", "facts", "get", "grep", "history", "lint", "list_documents", "read_lines",
            "resolve", "search", "status", "timeline", "toolbox", "waiting",
        ),
        _READ,
    ),
    **dict.fromkeys(("add", "add_many", "import_lines", "correct", "retract", "mark"), _WRITE),
    **dict.fromkeys(
        (
            "approve", "consolidate", "doctor", "estimate", "metrics", "rebuild", "reject",
            "adopt", "remaintain", "run_due", "state", "undo",
        ),
        _KEEP,
    ),
    **dict.fromkeys(
        ("asked", "calls", "log", "plan", "plans", "propose", "replay", "sample_plans"), _TELL
    ),
    **dict.fromkeys(
        (
            "backup", "check", "forget", "grant", "decline",
            "expire", "import_archive", "receipts", "selected", "verify_forgotten",
        ),
        _OWN,
    ),
    "export": Need("owner", all=True, tells=True),
}  # fmt: skip
"""Operation of `Memory` -> what it needs. `docs/permissions.md` shows it as a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clearance:
    """What a handle may see, and what it may do."""

    visible: Visible = field(default_factory=Visible)
    role: Role = "owner"

    @classmethod
    def read(
        cls,
        clearance: Sensitivity,
        role: Role,
        projects: Collection[str] | None,
        labels: Collection[str] | None,
    ) -> Clearance:
        """Check what a handle is opened with.

        Raises:
            InputError: there is no such sensitivity or role, or a name can't be used.
        """
        if clearance not in SENSITIVITIES:
            raise InputError(f"clearance is one of {', '.join(SENSITIVITIES)}, not {clearance!r}")
        if role not in ROLES:
            raise InputError(f"role is one of {', '.join(ROLES)}, not {role!r}")
        named = None if projects is None else [check_project(name) for name in _names(projects)]
        return cls(
            visible=Visible(
                clearance=clearance,
                projects=None if named is None else frozenset(named),
                labels=None if labels is None else frozenset(_names(labels)),
            ),
            role=role,
        )

    def within(self, settings: Settings, project: str | None) -> Clearance:
        """Narrow it to what settings allow at most, for a handle that is bound to a project or none.

        Raises:
            NotAllowedError: the project is not among those that may be seen.
        """
        own = self.visible
        visible = Visible(
            clearance=min(own.clearance, settings.clearance, key=SENSITIVITIES.index),
            projects=_common(own.projects, settings.only_projects),
            labels=_common(own.labels, settings.labels),
        )
        if not visible.holds(project):
            raise NotAllowedError("open", f"a handle whose projects name {project!r}")
        return Clearance(visible=visible, role=min(self.role, settings.role, key=ROLES.index))

    def check(self, what: str, *, permits: bool) -> None:
        """Refuse an operation that the handle may not do.

        Args:
            what: its name, as `NEEDS` has it.
            permits: permission checks are in force.

        Raises:
            NotAllowedError: it needs another role, or sight of everything.
        """
        need = NEEDS[what]
        if ROLES.index(self.role) < ROLES.index(need.role):
            raise NotAllowedError(what, f"the role {need.role}; this handle is a {self.role}")
        if (need.all and not self.visible.is_all) or (need.tells and permits):
            raise NotAllowedError(
                what, "a handle from which nothing is kept back; this one is limited"
            )


def _common(own: frozenset[str] | None, listed: str | None) -> frozenset[str] | None:
    """Give the names of both; None stands for all."""
    if listed is None:
        return own
    named = frozenset(filter(None, map(str.strip, listed.split(","))))
    return named if own is None else own & named


def _names(given: Collection[str]) -> Collection[str]:
    if isinstance(given, str) or not all(isinstance(name, str) and name for name in given):
        raise InputError(f"give names as a list of texts, not {given!r}")
    return given
