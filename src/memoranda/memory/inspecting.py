"""The inspecting part of a memory: the log, differences, blame, doctor, lint."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from memoranda.errors import ForgottenError, InputError, NotFoundError
from memoranda.memory.handle import Handle
from memoranda.memory.making import new_id, now
from memoranda.read import catalog, records
from memoranda.read.filters import When
from memoranda.settings import Settings
from memoranda.store.files import look, real
from memoranda.store.home import DATABASE, Home
from memoranda.store.scope import Scope, data_root
from memoranda.store.scope import folder as scope_folder
from memoranda.values import RecordView

if TYPE_CHECKING:
    from memoranda.inspections import Blamed, DocumentDiff, Examined, Salvaged, Untidy

PAGE = 200
"""Log records read at once."""


class LogFilters(TypedDict, total=False):
    """What `log` can be narrowed to; None lets everything through."""

    kind: str | None
    """One of event, extraction, plan, receipt, retraction, forget, proposal, decision, call ..."""
    since: When | None
    """Recorded from the start of this time on."""
    until: When | None
    """Recorded up to the end of this time."""
    actor: str | None
    """The program, person, rules or model behind it, exactly."""
    document: str | None
    """Records that name this document: its id, title or file name; a retired one by its id."""
    entry: int | None
    """Records that are about this entry."""
    plan: str | None
    """The plan of this id, and what was decided on it and came of it."""


class Inspecting(Handle):
    """Looks at how memory came to be what it is, and whether all is well."""

    def log(
        self, *, after: int = 0, limit: int | None = None, **only: Unpack[LogFilters]
    ) -> Iterator[RecordView]:
        """Give the log's records after a position, oldest first, whole, each with its actor (R188).

        Args:
            after: the position to start behind.
            limit: at most so many.
            only: `kind`, `since`, `until`, `actor`, `document`, `entry`, `plan`; all must fit.

        Raises:
            InputError: a filter can't be used, or the handle is bound to a project: the log is the
                whole scope's.
            NotFoundError: there is no such document or entry.
        """
        self._may("log")
        self._log_whole()
        with self._using():
            until = self._home.log.position()
            wanted = self._wanted(only)
            sieve = records.Sieve(wanted, self._home.log)
        return self._pages(sieve, (after, until), limit, wanted.kind)

    def _wanted(self, only: LogFilters) -> records.Wanted:
        names = sorted(set(only) - set(LogFilters.__annotations__))
        if names:
            raise TypeError(f"log has no filter {names[0]!r}")
        document = only.get("document")
        wanted = records.Wanted(
            kind=only.get("kind"),
            since=only.get("since"),
            until=only.get("until"),
            actor=only.get("actor"),
            document=None if document is None else self._any_document(document),
            entry=only.get("entry"),
            plan=only.get("plan"),
        )
        if wanted.entry is not None:
            with suppress(ForgottenError):
                self._entry(wanted.entry)
        return wanted

    def _any_document(self, ref: str) -> str:
        """Give a document's id; a retired document goes by its id only, and stays itself."""
        home, reach = self._seen(), self._reach
        if catalog.was_readable(ref, home.log, reach):
            return ref
        return catalog.find(ref, home.view, reach).document_id

    def _pages(
        self, sieve: records.Sieve, span: tuple[int, int], limit: int | None, kind: str | None
    ) -> Iterator[RecordView]:
        """Read the log page by page, up to the position it had at the call."""
        given, (after, until) = 0, span
        while after < until and (limit is None or given < limit):
            upto = min(until, after + PAGE)
            with self._using():
                page = records.page(self._home.log, sieve, after=after, until=upto, kind=kind)
            for record in page:
                if limit is not None and given >= limit:
                    return
                given += 1
                yield record
            after = upto

    def diff(self, document: str, versions: str | None = None) -> DocumentDiff:
        """Give a document before and after, made again from the log (R188, R190).

        Takes the longer the longer the log is; nobody has to wait meanwhile. What was forgotten since
        stands as `[erased]`.

        Args:
            document: id, title or file name; a retired document goes by its id.
            versions: `A..B`: between these log positions; `A..`: from A to now; `B` or `..B`: what
                the change made that led to the version in force at B; None: the last change.

        Raises:
            NotFoundError: there is no such document, or there was none at that position.
            InputError: these are no versions.
        """
        self._may("diff")
        from memoranda.read import diffs  # noqa: PLC0415 - start-up time

        span = diffs.span(versions)
        with self._using():
            return diffs.diff(self._any_document(document), span, self._seen())

    def blame(self, document: str) -> Blamed:
        """Say of each line of a document what it rests on, which plan placed it, who and when (R188).

        Args:
            document: id, title or file name; a retired one's id stands for the one that took it in.

        Raises:
            NotFoundError: there is no such document; with near names.
        """
        self._may("blame")
        from memoranda.read.blame import blame  # noqa: PLC0415 - start-up time

        with self._looked_at() as home:
            info, note = catalog.resolve(document, home.view, home.log, self._reach)
            return blame(info.document_id, home.log, home.view, note=note)

    def doctor(self, *, ask_model: bool = False) -> Examined:
        """Look at everything around the memory: place, rights, locks, versions, space, settings.

        Changes nothing. Each finding that is `bad` says how to mend it.

        Args:
            ask_model: also send the model a short question; without it no model is asked.
        """
        self._may("doctor")
        from memoranda.memory.doctor import examine  # noqa: PLC0415 - start-up time

        model = self._engine.model() if ask_model else None
        with self._using():
            return examine(self._home, self._engine.name, model)

    def lint(self) -> tuple[Untidy, ...]:
        """Name documents that are nearly the same, too large, empty, of many matters, or at odds.

        Changes nothing; each says what can be done.
        """
        self._may("lint")
        from memoranda.read.lint import lint  # noqa: PLC0415 - start-up time

        with self._using():
            home = self._seen()
            return home.reading(lambda index: lint(home, index, self._reach))

    @classmethod
    def salvage(  # noqa: PLR0913 - names a scope, as `open` does
        cls,
        folder: str | Path,
        root: str | Path | None = None,
        *,
        user: str = "default",
        workspace: str | None = None,
        clock: Callable[[], datetime] | None = None,
        ids: Callable[[], str] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Salvaged:
        """Save what can be read of a damaged log into a new one, below an empty folder.

        For a log that is damaged and has no backup that is new enough; it need not open. It is only
        read: nothing of it is changed or deleted. Open the new memory with `folder` as its root.

        Args:
            folder: an empty folder outside the data root, or one that is yet to be made.
            root: the data root of the damaged one; default as `open` has it.
            user: whose memory.
            workspace: its workspace.
            clock: as `open` has it.
            ids: as `open` has it.
            progress: called with (records done, all records).

        Raises:
            InputError: the folder is not empty, or lies inside the data root.
            NotFoundError: there is no such memory.
            StoreError: nothing can be read; the error names the newest backup.
        """
        from memoranda.store import salvage  # noqa: PLC0415 - start-up time

        here, scope = (
            data_root(None if root is None else str(root), os.environ),
            Scope(user, workspace),
        )
        source = scope_folder(real(here), scope)
        if look(source / DATABASE) is None:
            raise NotFoundError("memory", str(source))
        target = salvage.empty(Path(folder), here)

        def make() -> Home:
            return Home(
                target,
                scope,
                Settings(),
                clock=clock or now,
                ids=ids or new_id,
                entropy=secrets.token_bytes,
            )

        return salvage.salvage(source, make, progress=progress)

    def _log_whole(self) -> None:
        if not self._reach.all_projects:
            raise InputError("the log spans all projects; open it with all_projects=True")
