"""Memory: the one facade; all that a door may call."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memoranda.memory import extending
from memoranda.memory.auditing import Auditing
from memoranda.memory.care import Care
from memoranda.memory.clearance import Clearance, Role
from memoranda.memory.editing import Editing
from memoranda.memory.engine import Engine
from memoranda.memory.inspecting import Inspecting
from memoranda.memory.making import new_id, now
from memoranda.memory.marking import Marking
from memoranda.memory.metering import Metering
from memoranda.memory.planning import Planning
from memoranda.memory.writing import Writing
from memoranda.settings import Settings
from memoranda.store.home import Home
from memoranda.store.scope import Scope, check_project, data_root
from memoranda.store.vectors import Embedder
from memoranda.text.tokens import count
from memoranda.values import Sensitivity
from memoranda.write.policy import Rule

if TYPE_CHECKING:
    from memoranda.llm.model import Model

__all__ = ["Memory"]


def _home(
    root: str | Path | None,
    scope: Scope,
    settings: Settings,
    clock: Callable[[], datetime],
    ids: Callable[[], str],
) -> Home:
    """Open a scope below its data root."""
    folder = data_root(None if root is None else str(root), os.environ)
    return Home(folder, scope, settings, clock=clock, ids=ids, entropy=secrets.token_bytes)


class Memory(Writing, Planning, Metering, Care, Inspecting, Auditing, Editing, Marking):
    """Long-term memory of one scope (a user, optionally a workspace), for one agent or person.

    Open it with `Memory.open`; use it as a context manager, or close it. One handle may be used from
    several threads: calls wait for each other. Several processes may have the same scope open.
    """

    @classmethod
    def open(  # noqa: PLR0913 - the public signature
        cls,
        root: str | Path | None = None,
        *,
        user: str = "default",
        workspace: str | None = None,
        project: str | None = None,
        all_projects: bool = False,
        model: str | Model | None = None,
        settings: Settings | None = None,
        rules: Sequence[Rule] = (),
        heal: bool = True,
        clock: Callable[[], datetime] | None = None,
        ids: Callable[[], str] | None = None,
        counter: Callable[[str], int] | None = None,
        embedder: Embedder | None = None,
        clearance: Sensitivity = "private",
        role: Role = "owner",
        projects: Collection[str] | None = None,
        labels: Collection[str] | None = None,
    ) -> Memory:
        """Open a scope; it is made when it does not exist.

        Args:
            root: the data root; default `MEMORANDA_ROOT`, else the platform's user data folder.
            user: whose memory; nothing ever crosses to another user.
            workspace: an optional second wall inside the user.
            project: bind the handle to one project: it writes there, and reads that project and what
                has none. Without a project the handle reads the whole scope.
            all_projects: read every project although one is bound for writing.
            model: who maintains and answers: a `Model`, `openai:NAME`, `anthropic:NAME`,
                `command:PROGRAM ARGUMENTS` or `rules`; default the setting `model`. One that is
                named is made on first use, with keys and addresses of the environment.
            settings: thresholds and waiting times.
            rules: rules of your own: each is a function of (plan, catalog) that gives the reasons why
                the plan must wait for a person; none lets it pass. See `docs/python.md`.
            heal: bring the files in order and do what is due, at opening and at closing; False leaves
                everything as it lies, for `check`.
            clock: gives aware times; default the system's, in UTC.
            ids: gives ids that never repeat; default 24 hexadecimal digits, 12 of the time and 12 random.
            counter: counts the tokens of a text, for budgets only; default the built-in counter.
            embedder: makes vectors where the setting `vectors` is `on`: it has a `name` and
                `embed(texts)`; default the model of the extra `vectors`, loaded at the first search.
            clearance: the highest sensitivity that the handle sees and may add: public, internal or
                private. What is above it is not there for this handle: `docs/permissions.md`.
            role: what the handle may do: reader, writer, maintainer or owner.
            projects: only these projects, and what has none; None stands for all.
            labels: of what names access labels (`metadata["access"]`), only what shares one with
                these; None stands for all.

        Raises:
            ScopeNameError: a name can't be used.
            NotAllowedError: the project is not among the projects.
            InputError: the root or the model can't be used, or a permission check can't be loaded.
            FormatError, UnsafePathError: the folder holds something else.
        """
        settings = settings or Settings()
        engine = Engine(settings.model if model is None else model)
        extending.permits(settings)  # one that can't be loaded opens nothing
        bound = None if project is None else check_project(project)
        cleared = Clearance.read(clearance, role, projects, labels).within(settings, bound)
        home = _home(root, Scope(user, workspace), settings, clock or now, ids or new_id)
        home.vectors.embedder = extending.embedder if embedder is None else lambda: embedder
        memory = cls(
            home,
            project=bound,
            all_projects=all_projects,
            count=counter or count,
            rules=rules,
            engine=engine,
            clearance=cleared,
        )
        memory._begin(heal=heal)
        return memory

    def __enter__(self) -> Self:
        """Give the memory itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()
