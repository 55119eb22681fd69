"""A look at the memory at one log position: what every tool, built in or your own, is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Unpack

from memoranda.read.filters import Filters, narrow, read
from memoranda.read.lexical import Source
from memoranda.read.reach import Permit
from memoranda.read.tools.caps import Caps
from memoranda.read.tools.events import events
from memoranda.read.tools.facts import facts
from memoranda.read.tools.grepping import grep
from memoranda.read.tools.listing import find, list_docs
from memoranda.read.tools.permits import permitted
from memoranda.read.tools.printed import read_lines
from memoranda.read.tools.results import (
    DocumentPage,
    Events,
    Facts,
    Grepped,
    LineRange,
    Searched,
    Timeline,
)
from memoranda.read.tools.searching import search
from memoranda.read.tools.timeline import timeline
from memoranda.store.sift import Filter, Sieve
from memoranda.values import CURRENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The built-in tools over one state; nothing here writes, and nothing leaves the reach.

    Attributes:
        source: the log, the view and the index at one position, and what of them may be read.
        caps: the limits.
        wanted: the filters in force, for what is no line: events.
        permits: the permission checks in force, likewise.
        sieve: what else narrows the lines, where no filter is known for it: events obey it too.
    """

    source: Source
    caps: Caps = field(default_factory=Caps)
    wanted: tuple[Filter, ...] = ()
    permits: tuple[Permit, ...] = ()
    sieve: Sieve | None = None

    def narrowed(self, **filters: Unpack[Filters]) -> Look:
        """Give a look that filters narrow further; those in force stay in force.

        Raises:
            InputError, NotFoundError: as `Memory.search` does for its filters.
        """
        source = self.source
        wanted = read(filters)
        if wanted == Filter():
            return self
        if wanted.document_id not in {None, CURRENT}:
            found = find(str(wanted.document_id), source)
            wanted = replace(wanted, document_id=found.document_id)
        whole = replace(source.reach, sieve=None, permits=())
        reach = narrow(whole, wanted, source.log, source.view, source.index.said)
        if source.reach.sieve is not None and reach.sieve is not None:
            reach = replace(reach, sieve=_both(source.reach.sieve, reach.sieve))
        return replace(self, source=replace(source, reach=reach), wanted=(*self.wanted, wanted))

    def permitted(self, permits: Sequence[Permit]) -> Look:
        """Give a look at what permission checks let through; see `permits.permitted`."""
        source = self.source
        reach = permitted(source.reach, source.log, source.view, permits)
        return replace(
            self,
            source=replace(source, reach=reach),
            permits=(*self.permits, *permits),
        )

    def search(self, query: str, *, limit: int | None = None) -> Searched:
        """Search by words; see `searching.search`."""
        return search(query, self.source, limit=self._most(limit, self.caps.search))

    def grep(
        self,
        pattern: str,
        *,
        document: str | None = None,
        ignore_case: bool = False,
        limit: int | None = None,
    ) -> Grepped:
        """Search for a pattern; see `grepping.grep`."""
        return grep(
            pattern,
            self.source,
            document=document,
            ignore_case=ignore_case,
            limit=self._most(limit, self.caps.grep),
        )

    def list_docs(
        self, *, page: int = 1, query: str | None = None, project: str | None = None
    ) -> DocumentPage:
        """Give a page of the catalog; see `listing.list_docs`."""
        return list_docs(
            self.source, page=page, query=query, project=project, limit=self.caps.catalog
        )

    def read_lines(self, document: str, *, first: int = 1, last: int | None = None) -> LineRange:
        """Give lines as printed; see `printed.read_lines`."""
        return read_lines(document, self.source, first=first, last=last, limit=self.caps.read)

    def facts(
        self, subject: str, attribute: str | None = None, *, limit: int | None = None
    ) -> Facts:
        """Give the current state of a subject; see `facts.facts`."""
        most = self._most(limit, self.caps.search)
        return facts(subject, self.source, attribute=attribute, limit=most)

    def history(self, ref: str | int) -> Timeline:
        """Tell what happened to an entry or a key; see `timeline.timeline`."""
        return timeline(ref, self.source)

    def events(self, query: str, *, limit: int | None = None) -> Events:
        """Search the raw log; see `events.events`."""
        most = self._most(limit, self.caps.search)
        return events(
            query,
            self.source,
            wanted=self.wanted,
            permits=self.permits,
            sieve=self.sieve,
            limit=most,
        )

    @staticmethod
    def _most(limit: int | None, cap: int) -> int:
        return cap if limit is None else max(1, min(limit, cap))


def _both(one: Sieve, other: Sieve) -> Sieve:
    return Sieve(lines=one.lines & other.lines, units=one.units & other.units)
