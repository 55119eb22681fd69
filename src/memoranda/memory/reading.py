"""The reading half of a memory: search, ask, look up."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar, Unpack

from memoranda.errors import ForgottenError, NotFoundError
from memoranda.lifetimes import KEEPS, rules
from memoranda.memory.handle import Handle
from memoranda.read import catalog, history, lexical
from memoranda.read.filters import Filters, narrow, read
from memoranda.read.ranking import Ranked
from memoranda.read.render import context as render
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.values import (
    Change,
    DocumentInfo,
    DocumentView,
    Entry,
    Event,
    Found,
    Status,
)
from memoranda.write.rebuild import state
from memoranda.write.retention import Retention

T = TypeVar("T")


class Reading(Handle):
    """Answers questions and shows what there is."""

    def search(self, query: str, *, budget: int = 2000, **filters: Unpack[Filters]) -> Found:
        """Find evidence for a query, best first, within a budget of tokens.

        Every hit comes dated and sourced, newest state first, with all it replaced. With filters,
        every line shown fits all of them; one whose successor does not fit is marked as replaced.

        Args:
            query: any text.
            budget: at most so many tokens.
            filters: `on`, `since`, `until`: a date (a UTC day), a month ("2026-03"), a year ("2026")
                or a time with an offset; a line fits by when it was said, else recorded, or by a date
                that its text names. `source` and `sensitivity`: one or several. `document`: id,
                title, file name or CURRENT. `project`, `speaker`, `session`: exactly.

        Raises:
            InputError: the budget is not positive, or a filter can't be used.
            NotFoundError: no document, speaker, session or project has that name; with near names.
        """
        self._may("search")
        return self._look(query, budget, filters, lambda found, _: found)

    def _look(
        self, query: str, budget: int, filters: Filters, made: Callable[[Found, Ranked], T]
    ) -> T:
        """Search, and make something of what was found, at one log position."""
        wanted = read(filters)

        def work(index: FtsIndex) -> T:
            with home.log.snapshot():
                source = lexical.Source(
                    log=home.log,
                    view=home.view,
                    index=index,
                    reach=narrow(self._reach, wanted, home.log, home.view, index.said),
                    count=self._count,
                )
                return made(*lexical.look(query, source, budget=budget))

        with self._using():
            home = self._seen()
            return home.reading(work)

    def context(self, query: str, budget: int = 2000, **filters: Unpack[Filters]) -> str:
        """Give evidence as one fenced, dated text, ready for a prompt; "" when nothing is found.

        Filters and errors are those of `search`.
        """
        self._may("context")
        return self._rendered(query, self.search(query, budget=budget, **filters))

    def _rendered(self, query: str, found: Found) -> str:
        if not found.evidence:
            return ""
        secret = self._home.log.digest("nonce", f"{found.position}\0{query}")
        nonce = f"{int.from_bytes(secret) % 10**12:012d}"
        return render(found.evidence, nonce)

    def get(self, ref: int | str) -> Entry | Event:
        """Give an entry by seq (a number, or its digits), or an event by its id or your id.

        Raises:
            NotFoundError: there is nothing of that name here.
        """
        self._may("get")
        with self._using():
            if isinstance(ref, int):
                return self._entry(ref)
            if not ref.isdecimal():
                return catalog.event(ref, self._seen().log, self._reach)
            try:
                return self._entry(int(ref))
            except NotFoundError as error:  # it may be an id of the caller's that is all digits
                with suppress(NotFoundError):
                    return catalog.event(ref, self._seen().log, self._reach)
                if isinstance(error, ForgottenError):
                    raise
                raise NotFoundError("event", ref) from error

    def current(self) -> tuple[Entry, ...]:
        """Give the entries not yet placed in a document, oldest first."""
        self._may("current")
        with self._looked_at() as home:
            return catalog.current(home.view, self._reach)

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Give the catalog, in the order in which the documents were made."""
        self._may("documents")
        with self._looked_at() as home:
            return catalog.documents(home.view, self._reach)

    def document(self, ref: str) -> DocumentView:
        """Give a document by id, title or file name; a retired one, by id, as the one that took it in.

        Raises:
            NotFoundError: there is none; the error lists near names. The nearest is never taken.
        """
        self._may("document")
        with self._looked_at() as home:
            return catalog.document(ref, home.view, home.log, self._reach)

    def history(self, ref: int | str) -> tuple[Change, ...]:
        """Give what happened to an entry (by seq) or a document (by id), oldest first.

        Raises:
            NotFoundError: there never was such a thing here.
        """
        self._may("history")
        with self._looked_at() as home:
            if isinstance(ref, int) or ref.isdecimal():
                with suppress(ForgottenError):  # that it was there, and went, may be told
                    self._entry(int(ref))
                return history.of_entry(int(ref), home.log)
            return history.of_document(self._named(ref, home), home.log)

    def _named(self, ref: str, home: Home) -> str:
        """Give a document's id; a retired document goes by its id only."""
        try:
            return catalog.find(ref, home.view, self._reach).document_id
        except NotFoundError:
            if not catalog.was_readable(ref, home.log, self._reach):
                raise
            return ref

    def state(self) -> str:
        """Give a hash over the names and bytes of all projected files, brought up to date first."""
        self._may("state")
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            return state(self._home.projection.contents())

    def status(self) -> Status:
        """Say how the scope stands, with absolute paths."""
        self._may("status")
        with self._using():
            found = catalog.status(
                self._seen(),
                project=self._project,
                due_since=self._consolidator.due_since() if self.sees_all else None,
                model=self._engine.name,
            )
            return replace(found, next_expiry=self._next_expiry()) if self.sees_all else found

    def _next_expiry(self) -> str | None:
        kept = self._home.settings.retention
        return (
            Retention(self._home, rules(kept)).next()
            if kept or self._home.log.meta(KEEPS)
            else None
        )
