"""The looking part of a memory: the tools of a reader, for people and programs too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeVar, Unpack

from memoranda.errors import InputError, NotFoundError
from memoranda.memory import extending
from memoranda.memory.earlier import Earlier

if TYPE_CHECKING:
    from memoranda.read.filters import Filters, Known, When
    from memoranda.read.tools import Caps, Look, Tool, Toolbox
    from memoranda.read.tools.results import (
        DocumentPage,
        Events,
        Facts,
        Grepped,
        LineRange,
        Timeline,
    )
    from memoranda.values import Change, Entry

T = TypeVar("T")
_OF_LINES: Final = frozenset({"search", "grep", "grep_doc", "facts"})
"""Tools that show single lines only: a document as it stands now tells of later."""


class Looking(Earlier):
    """Looks things up, precisely: by pattern, by line, by key, in the log.

    With `known_at` a call looks at what the log held then, and gives what it gave then, but for what
    was forgotten since, which is not known at any time.
    """

    def grep(
        self,
        pattern: str,
        *,
        document: str | None = None,
        ignore_case: bool = False,
        limit: int | None = None,
        known_at: Known | None = None,
    ) -> Grepped:
        """Find every line whose text matches a pattern; outdated and retracted ones are marked.

        Args:
            pattern: a regular expression as RE2 has it (the extra `grep`). What RE2 can't read, and
                everything without the extra, is searched as it is written: `why_literal` says so.
            document: a document's id, title or file name, or CURRENT; None looks everywhere.
            ignore_case: take upper and lower case as the same.
            limit: at most so many lines; default 50. All are counted.
            known_at: look at what the log held then: a time, which means its end, or a log position.

        Raises:
            InputError: the pattern is empty or too long, the limit is not positive, or the time or the
                position can't be used.
            NotFoundError: there is no such document; with near names.
        """
        self._may("grep")
        return self._through(
            lambda look: look.grep(pattern, document=document, ignore_case=ignore_case),
            known_at=known_at,
            grep=limit,
        )

    def read_lines(
        self,
        document: str,
        first: int = 1,
        last: int | None = None,
        *,
        known_at: Known | None = None,
    ) -> LineRange:
        """Give lines of a document as they are printed, at the version it has now, or had then.

        Args:
            document: id, title or file name; CURRENT gives the entries not yet placed.
            first: the first line, from 1 on.
            last: the last line; None reads 200 lines.
            known_at: look at what the log held then: a time, which means its end, or a log position.

        Raises:
            InputError: these are no lines, or the time or the position can't be used.
            NotFoundError: there is no such document; with near names.
        """
        self._may("read_lines")
        most = None if last is None else max(1, last - first + 1)
        return self._through(
            lambda look: look.read_lines(document, first=first, last=last),
            known_at=known_at,
            read=most,
        )

    def facts(
        self,
        subject: str,
        attribute: str | None = None,
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
    ) -> Facts:
        """Give the current state of a subject: what holds now, since when, by whom; what competes.

        Args:
            subject: a person, a thing, a speaker.
            attribute: what of it; None gives all that has a key.
            known_at: look at what the log held then: a time, which means its end, or a log position.
            true_at: what was said, up to then, to hold then; what that had replaced is not told.

        Raises:
            InputError: the subject is empty, or a time or a position can't be used.
        """
        self._may("facts")
        return self._through(
            lambda look: look.facts(subject, attribute), known_at=known_at, true_at=true_at
        )

    def history(self, ref: int | str) -> tuple[Change, ...]:
        """Give what happened to an entry (by seq), a document (by id) or a key, oldest first.

        Raises:
            NotFoundError: there never was such a thing here.
        """
        self._may("history")
        try:
            return super().history(ref)
        except NotFoundError:
            if isinstance(ref, int) or " / " not in ref:
                raise
        return self.timeline(ref).changes

    def timeline(self, ref: int | str, *, known_at: Known | None = None) -> Timeline:
        """Give all versions of an entry (by seq) or a key, and what was done to them, when and why.

        Args:
            ref: an entry's number, or a key as `facts` gives it.
            known_at: look at what the log held then: a time, which means its end, or a log position.

        Raises:
            InputError: the time or the position can't be used.
            NotFoundError: there is no such entry or key here; with near names.
        """
        self._may("timeline")
        return self._through(lambda look: look.history(ref), known_at=known_at)

    def events(
        self,
        query: str,
        *,
        limit: int | None = None,
        known_at: Known | None = None,
        **filters: Unpack[Filters],
    ) -> Events:
        """Search the raw log: events as they came, word for word, cited by an entry or not.

        Args:
            query: words, or a piece of what was said; "" gives the newest.
            limit: at most so many events; default 20. All are counted.
            known_at: look at what the log held then: a time, which means its end, or a log position.
            filters: as `search` takes them; a document means that an entry in it cites the event.

        Raises:
            InputError: a filter, the time or the position can't be used, or the limit is not positive.
            NotFoundError: no document, speaker, session or project has that name.
        """
        self._may("events")
        return self._through(
            lambda look: look.narrowed(**filters).events(query), known_at=known_at, search=limit
        )

    def list_documents(
        self,
        *,
        page: int = 1,
        query: str | None = None,
        project: str | None = None,
        known_at: Known | None = None,
    ) -> DocumentPage:
        """Give a page of the catalog, 50 documents long.

        Args:
            page: from 1 on.
            query: words of titles and summaries; documents that name most of them come first.
            project: documents of this project alone.
            known_at: look at what the log held then: a time, which means its end, or a log position.

        Raises:
            InputError: there is no such page, the project can't be read here, or the time or the
                position can't be used.
        """
        self._may("list_documents")
        return self._through(
            lambda look: look.list_docs(page=page, query=query, project=project), known_at=known_at
        )

    def toolbox(
        self,
        *,
        nonce: str | None = None,
        caps: Caps | None = None,
        extra: Sequence[Tool] = (),
        permits: Sequence[Callable[[Entry], bool]] = (),
        known_at: Known | None = None,
        true_at: When | None = None,
        **filters: Unpack[Filters],
    ) -> Toolbox:
        """Give the tools for a model that drives them: their schemas, and calls by name.

        Args:
            nonce: 8 to 32 hexadecimal digits that fence what is found; default made of the scope's
                secret and the log position.
            caps: the limits; default as the settings say.
            extra: tools of your own, beside those that the settings name.
            permits: permission checks of your own, beside those of the settings: each says
                of a line whether it may be seen; what one refuses shows through no tool, and is not
                counted.
            known_at: the tools look at what the log held then: a time, which means its end, or a log
                position.
            true_at: they look at what was said, up to then, to hold then: `search`, `grep`, `grep_doc`
                and `facts`, and tools that `extra` gives; no other is there.
            filters: as `search` takes them; they hold for every call.

        Raises:
            InputError: two tools have one name, one that the settings name can't be loaded, or a time
                or a position can't be used.
        """
        self._may("toolbox")
        from memoranda.read.tools import Toolbox  # noqa: PLC0415 - start-up time

        state = self._bare(known_at, true_at)
        if nonce is None:
            position = state(lambda source: source.log.position())
            nonce = self._home.log.digest("nonce", f"{position}\0tools").hex()[:16]
        own = extending.tools(self._home.settings) if true_at is None else ()
        return Toolbox.over(
            state,
            filters=filters,
            caps=caps or extending.caps(self._home.settings),
            nonce=nonce,
            count=self._count,
            extra=(*own, *extra),
            permits=permits,
            only=None if true_at is None else _OF_LINES,
        )

    def _through(
        self,
        work: Callable[[Look], T],
        *,
        known_at: Known | None = None,
        true_at: When | None = None,
        **limits: int | None,
    ) -> T:
        """Look at one state, with other limits than the default."""
        from dataclasses import replace  # noqa: PLC0415 - start-up time

        given: dict[str, int] = {name: limit for name, limit in limits.items() if limit is not None}
        if any(type(limit) is not int or limit < 1 for limit in given.values()):
            raise InputError("a limit is a whole number from 1 on")
        caps = extending.caps(self._home.settings)
        box = self.toolbox(
            nonce="0" * 8, caps=replace(caps, **given), known_at=known_at, true_at=true_at
        )
        return box.look(work)
