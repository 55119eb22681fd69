"""Memory: the one facade; all that a door may call."""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from memoranda.errors import BusyError, InputError, MemorandaError, NotFoundError, StoreError
from memoranda.read import catalog, history, lexical
from memoranda.read.ranking import Ranked, Reach
from memoranda.read.render import context as render
from memoranda.settings import Settings
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.scope import Scope, check_project, data_root
from memoranda.text.times import normalise
from memoranda.values import (
    Added,
    Answer,
    Change,
    DocumentInfo,
    DocumentView,
    Entry,
    Event,
    Found,
    Imported,
    NewEvent,
    Proposal,
    Rebuilt,
    Receipt,
    RecordView,
    Sensitivity,
    Source,
    Status,
)
from memoranda.write.consolidate import Consolidator
from memoranda.write.intake import Intake, check, from_messages, read_line
from memoranda.write.rebuild import rebuild, state
from memoranda.write.retract import retract

BATCH = 200
"""Events that one transaction takes in."""


class Memory:
    """Long-term memory of one scope (a user, optionally a workspace), for one agent or person.

    Open it with `Memory.open`; use it as a context manager, or close it. One handle may be used from
    several threads: calls wait for each other. Several processes may have the same scope open.
    """

    def __init__(self, home: Home, *, project: str | None, all_projects: bool) -> None:
        self._home = home
        self._mutex = threading.RLock()
        self._closed = False
        self._project = project
        self._reach = Reach(project=project, all_projects=all_projects or project is None)
        self._intake = Intake(home.log, home.fold, entry_tokens=home.settings.entry_tokens)
        self._consolidator = Consolidator(home)

    @classmethod
    def open(
        cls,
        root: str | Path | None = None,
        *,
        user: str = "default",
        workspace: str | None = None,
        project: str | None = None,
        all_projects: bool = False,
        model: str = "rules",
        settings: Settings | None = None,
        clock: Callable[[], datetime] | None = None,
        ids: Callable[[], str] | None = None,
    ) -> Memory:
        """Open a scope; it is made when it does not exist.

        Args:
            root: the data root; default `MEMORANDA_ROOT`, else the platform's user data folder.
            user: whose memory; nothing ever crosses to another user.
            workspace: an optional second wall inside the user.
            project: bind the handle to one project: it writes there, and reads that project and what
                has none. Without a project the handle reads the whole scope.
            all_projects: read every project although one is bound for writing.
            model: who maintains; only `rules` (no model) so far.
            settings: thresholds and waiting times.
            clock: gives aware times; default the system's, in UTC.
            ids: gives ids that never repeat; default 24 random hexadecimal digits.

        Raises:
            ScopeNameError: a name can't be used.
            InputError: the root or the model can't be used.
            FormatError, UnsafePathError: the folder holds something else.
        """
        if model != "rules":
            raise InputError(f"model {model!r} is not available; only 'rules' is, so far")
        home = Home(
            data_root(None if root is None else str(root), os.environ),
            Scope(user, workspace),
            settings or Settings(),
            clock=clock or _now,
            ids=ids or _id,
            entropy=secrets.token_bytes,
        )
        memory = cls(
            home,
            project=None if project is None else check_project(project),
            all_projects=all_projects,
        )
        memory._begin()
        return memory

    def _begin(self) -> None:
        """Heal the files, and consolidate what became due while nothing ran."""
        with self._home.try_locked() as held:
            if held:
                self._home.projection.sync(check=True)
                self._due_now()

    def __enter__(self) -> Memory:
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

    def close(self) -> None:
        """Bring CURRENT.md up to date and close every file. Closing again does nothing."""
        with self._mutex:
            if self._closed:
                return
            self._closed = True
            try:
                with self._home.locked():
                    self._home.projection.sync()
            finally:
                self._home.close()

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Let one call in at a time; refuse a closed memory; say what SQLite's faults mean."""
        with self._mutex:
            if self._closed:
                raise StoreError("this memory is closed; open it again")
            try:
                yield
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise BusyError(
                        str(self._home.database), self._home.settings.busy_seconds
                    ) from error
                raise StoreError(
                    f"{self._home.database}: SQLite says {error}; run rebuild, or restore a backup"
                ) from error
            except sqlite3.DatabaseError as error:
                raise StoreError(
                    f"{self._home.database}: SQLite says {error}; run rebuild, or restore a backup"
                ) from error

    # --- writing ------------------------------------------------------------------------------

    def add(
        self,
        content: str | Sequence[Mapping[str, Any]],
        *,
        source: Source = "user",
        speaker: str | None = None,
        time: str | datetime | None = None,
        id: str | None = None,  # noqa: A002 - the name users know
        session: str | None = None,
        sensitivity: Sensitivity = "internal",
        metadata: Mapping[str, Any] | None = None,
        actor: str | None = None,
    ) -> Added:
        """Record one text, or the messages of a conversation. It is on disk when this returns.

        Args:
            content: a text, or messages `{"role": ..., "content": ..., "name"?, "time"?, "id"?}`.
            source: user, assistant, tool or external; of messages the role says it.
            speaker: who said it, by name.
            time: when it was said: ISO 8601 with an offset, a date, or an aware datetime; absent
                when it is not known. The record time is kept besides.
            id: your id; the same id again adds nothing (idempotent).
            session: the conversation it belongs to.
            sensitivity: public, internal or private.
            metadata: free JSON.
            actor: the program that adds it.

        Raises:
            InputError: a value can't be used; nothing was stored.
            BusyError: another process held the database for too long; nothing was stored.
        """
        common = NewEvent(
            content="",
            source=source,
            speaker=speaker,
            time=None if time is None else normalise(time),
            session=session,
            project=self._project,
            sensitivity=sensitivity,
            external_id=id,
            metadata=metadata or {},
            actor=actor,
        )
        return self.add_many(from_messages(content, common))

    def add_many(
        self, events: Iterable[NewEvent], *, progress: Callable[[int], None] | None = None
    ) -> Added:
        """Record events in order, some hundred a transaction; see `add`.

        Args:
            events: as made by the caller; those without a project get the handle's.
            progress: called with the number of events done.

        Raises:
            InputError: an event can't be used; the batches before it are stored, its own is not.
        """
        with self._using():
            ids: list[str] = []
            seqs: list[int] = []
            known: list[str] = []
            receipts: list[Receipt] = []
            for batch in _batches(self._own(event) for event in events):
                for taken in self._intake.take(batch):
                    ids.append(taken.event_id)
                    seqs += taken.seqs
                    if taken.known:
                        known.append(taken.event_id)
                receipts += self._after_add()
                if progress is not None:
                    progress(len(ids))
            return Added(
                event_ids=tuple(ids),
                seqs=tuple(seqs),
                position=self._home.log.position(),
                known=tuple(known),
                receipts=tuple(receipts),
                due_since=self._consolidator.due_since(),
            )

    def _own(self, event: NewEvent) -> NewEvent:
        """Check an event and bind it to the handle's project."""
        checked = check(event)
        if self._project is None or checked.project == self._project:
            return checked
        if checked.project is not None:
            raise InputError(
                f"an event of project {checked.project!r} can't be added through a handle bound to "
                f"{self._project!r}"
            )
        return check(_with_project(checked, self._project))

    def import_lines(
        self, lines: Iterable[bytes], *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Import JSON Lines: one event a line, fields as in `docs/import.md`.

        A malformed line is skipped and reported by number; all others are stored. Importing the same
        file again adds nothing, as far as its lines have an `id`.

        Args:
            lines: raw lines in UTF-8; blank ones are skipped.
            progress: called with the number of lines done.
        """
        with self._using():
            bad: list[tuple[int, str]] = []
            added = known = done = 0
            receipts: list[Receipt] = []
            for batch in _batches(self._readable(lines, bad)):
                for number, event in batch:
                    done = number
                for number, taken in self._take_each(batch, bad):
                    added += not taken
                    known += taken
                    done = number
                receipts += self._after_add()
                if progress is not None:
                    progress(done)
            return Imported(
                added=added,
                known=known,
                malformed=tuple(sorted(bad)),
                position=self._home.log.position(),
                receipts=tuple(receipts),
            )

    def _readable(
        self, lines: Iterable[bytes], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, NewEvent]]:
        for number, line in enumerate(lines, start=1):
            text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
            if not text.strip():
                continue
            try:
                yield number, self._own(read_line(text))
            except InputError as error:
                bad.append((number, str(error)))

    def _take_each(
        self, batch: Sequence[tuple[int, NewEvent]], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, bool]]:
        """Take a batch at once; when one line is refused, line by line. Gives (number, known)."""
        try:
            taken = self._intake.take([event for _, event in batch])
        except InputError:
            for number, event in batch:
                try:
                    yield number, self._intake.take([event])[0].known
                except InputError as error:
                    bad.append((number, str(error)))
        else:
            for (number, _), item in zip(batch, taken, strict=True):
                yield number, item.known

    def correct(self, seq: int, text: str, *, time: str | datetime | None = None) -> Added:
        """Record a correction of an entry by the user: the old wording is kept and superseded.

        Raises:
            NotFoundError: there is no such entry here.
        """
        with self._using():
            entry = self._entry(seq)
            event = check(
                NewEvent(
                    content=text,
                    source="user",
                    speaker=entry.speaker if entry.source == "user" else None,
                    time=None if time is None else normalise(time),
                    session=entry.session,
                    project=entry.project,
                    sensitivity=entry.sensitivity,
                    metadata={"corrects": entry.seq},
                )
            )
            replaced = {entry.seq, *self._home.view.holding(entry.seq)}
            taken = self._intake.take([event], supersedes=sorted(replaced))[0]
            return Added(
                event_ids=(taken.event_id,),
                seqs=taken.seqs,
                position=self._home.log.position(),
                receipts=tuple(self._after_add()),
                due_since=self._consolidator.due_since(),
            )

    def retract(self, seq: int, *, reason: str = "") -> Receipt:
        """Mark an entry as not true, or no longer wanted: kept, not shown; what it replaced holds again.

        Raises:
            NotFoundError: there is no such entry here.
            InputError: it is retracted already.
        """
        with self._using():
            entry = self._entry(seq)
            with self._home.locked():
                receipt = retract(self._home, entry, reason)
                self._home.projection.sync()
            return receipt

    def _after_add(self) -> list[Receipt]:
        """Consolidate by rules if that is due and nobody else is at it."""
        if not self._home.settings.auto or not self._consolidator.is_due():
            return []
        with self._home.try_locked() as held:
            return self._due_now() if held else []

    def _due_now(self) -> list[Receipt]:
        """Run what is due. What goes wrong shows in status: the add before it stands."""
        if not self._home.settings.auto or not self._consolidator.is_due():
            return []
        try:
            receipts = self._consolidator.run_due()
            self._home.projection.sync()
        except MemorandaError as error:
            self._consolidator.failed(str(error))
            return []
        return receipts

    def propose(self) -> Proposal | None:
        """Show what the next window's plan would do; None when CURRENT is empty. Changes nothing."""
        with self._using(), self._home.locked():
            return self._consolidator.propose()

    def consolidate(
        self,
        *,
        watch: Callable[[Proposal], None] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> tuple[Receipt, ...]:
        """Place all of CURRENT in topic documents, by rules; then split and merge where due.

        Args:
            watch: sees each plan, with documents before and after, before it is applied.
            progress: called with (entries placed, entries in all).

        Raises:
            BusyError: another process is consolidating for too long.
        """
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            receipts = self._consolidator.run_all(watch=watch, progress=progress)
            self._home.projection.sync()
            return tuple(receipts)

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
        """Make everything derived again from the log: view tables, index, files (R202, R232).

        Args:
            progress: called with (records done, all records).
        """
        with self._using(), self._home.locked():
            return rebuild(self._home, progress=progress)

    # --- reading ------------------------------------------------------------------------------

    def search(self, query: str, *, budget: int = 2000) -> Found:
        """Find evidence for a query, best first, within a budget of tokens.

        Every hit comes dated and sourced, newest state first, with all it replaced.

        Raises:
            InputError: the budget is not positive.
        """
        return self._look(query, budget)[0]

    def _look(self, query: str, budget: int) -> tuple[Found, Ranked]:
        home = self._home

        def work(index: FtsIndex) -> tuple[Found, Ranked]:
            with home.log.snapshot():
                return lexical.look(
                    query,
                    log=home.log,
                    view=home.view,
                    index=index,
                    reach=self._reach,
                    budget=budget,
                )

        with self._using():
            return home.with_index(work)

    def ask(self, question: str, *, budget: int = 2000) -> Answer:
        """Answer with cited quotes, or say that nothing is known. Without a model: the best quotes."""
        return lexical.answer(question, *self._look(question, budget))

    def context(self, query: str, budget: int = 2000) -> str:
        """Give evidence as one fenced, dated text, ready for a prompt; "" when nothing is found."""
        found = self.search(query, budget=budget)
        if not found.evidence:
            return ""
        nonce = self._home.log.digest("nonce", f"{found.position}\0{query}").hex()[:12]
        return render(found.evidence, nonce)

    def get(self, ref: int | str) -> Entry | Event:
        """Give an entry by seq (a number, or its digits), or an event by its id or your id.

        Raises:
            NotFoundError: there is nothing of that name here.
        """
        with self._using():
            if isinstance(ref, int) or ref.isdecimal():
                return self._entry(int(ref))
            return catalog.event(ref, self._home.log, self._reach)

    def _entry(self, seq: int) -> Entry:
        line = self._home.view.line_of(seq) if 0 < seq < 1 << 63 else None
        found = None if line is None else self._home.view.entries([line]).get(line)
        if found is None or not self._reach.allows(found.project):
            raise NotFoundError("entry", seq)
        return found

    def current(self) -> tuple[Entry, ...]:
        """Give the entries not yet placed in a document, oldest first."""
        with self._using(), self._home.log.snapshot():
            return catalog.current(self._home.view, self._reach)

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Give the catalog, in the order in which the documents were made."""
        with self._using(), self._home.log.snapshot():
            return catalog.documents(self._home.view, self._reach)

    def document(self, ref: str) -> DocumentView:
        """Give a document by id, title or file name.

        Raises:
            NotFoundError: there is none; the error lists near names. The nearest is never taken.
        """
        with self._using(), self._home.log.snapshot():
            return catalog.document(ref, self._home.view, self._reach)

    def history(self, ref: int | str) -> tuple[Change, ...]:
        """Give what happened to an entry (by seq) or a document (by id), oldest first.

        Raises:
            NotFoundError: there never was such a thing here.
        """
        with self._using(), self._home.log.snapshot():
            if isinstance(ref, int) or ref.isdecimal():
                self._entry(int(ref))
                return history.of_entry(int(ref), self._home.log)
            return history.of_document(self._named(ref), self._home.log)

    def _named(self, ref: str) -> str:
        """Give a document's id; a retired document goes by its id only."""
        try:
            return catalog.find(ref, self._home.view, self._reach).document_id
        except NotFoundError:
            if not catalog.was_readable(ref, self._home.log, self._reach):
                raise
            return ref

    def log(
        self, *, after: int = 0, limit: int | None = None, kind: str | None = None
    ) -> Iterator[RecordView]:
        """Give the log's records after a position, oldest first, whole.

        Raises:
            InputError: the handle is bound to a project: the log is the whole scope's.
        """
        if not self._reach.all_projects:
            raise InputError("the log spans all projects; open it with all_projects=True")
        with self._using():
            until = self._home.log.position()
        return self._pages(after, until, limit, kind)

    def _pages(
        self, after: int, until: int, limit: int | None, kind: str | None
    ) -> Iterator[RecordView]:
        """Read the log page by page, up to the position it had at the call."""
        given = 0
        while after < until and (limit is None or given < limit):
            upto = min(until, after + BATCH)
            with self._using():
                page = history.records(self._home.log, after=after, until=upto, kind=kind)
            for record in page:
                if limit is not None and given >= limit:
                    return
                given += 1
                yield record
            after = upto

    def state(self) -> str:
        """Give a hash over the names and bytes of all projected files, brought up to date first."""
        with self._using(), self._home.locked():
            self._home.projection.sync(check=True)
            return state(self._home.projection.contents())

    def status(self) -> Status:
        """Say how the scope stands, with absolute paths."""
        with self._using():
            return catalog.status(
                self._home, project=self._project, due_since=self._consolidator.due_since()
            )


def _now() -> datetime:
    return datetime.now(UTC)


def _id() -> str:
    return secrets.token_hex(12)


def _with_project(event: NewEvent, project: str) -> NewEvent:
    return replace(event, project=project)


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
