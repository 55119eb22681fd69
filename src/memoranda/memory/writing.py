"""The writing half of a memory: add, import, correct, retract, consolidate, rebuild."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from memoranda.errors import InputError
from memoranda.memory.upkeeping import Upkeeping
from memoranda.text.times import normalise
from memoranda.values import (
    Added,
    Imported,
    NewEvent,
    Rebuilt,
    Receipt,
    Sensitivity,
    Source,
)
from memoranda.write.intake import Taken, check, from_messages, read_line
from memoranda.write.rebuild import rebuild
from memoranda.write.retract import retract

BATCH = 200
"""Events that one transaction takes in."""

T = TypeVar("T")


class Writing(Upkeeping):
    """Records events and maintains documents."""

    def add(  # noqa: PLR0913 - the public signature
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
            content=content if isinstance(content, str) else "",
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
        return self._kept_up(self._add_many(events, progress))

    def _add_many(
        self, events: Iterable[NewEvent], progress: Callable[[int], None] | None
    ) -> Added:
        with self._using():
            before = self._home.log.position()
            ids: list[str] = []
            seqs: list[int] = []
            known: list[str] = []
            forgotten: list[str] = []
            receipts: list[Receipt] = []
            echoes = 0
            due_since = None
            for batch in _batches(self._own(event) for event in events):
                for taken in self._intake.take(batch):
                    ids.append(taken.event_id)
                    seqs += taken.seqs
                    echoes += taken.echoes
                    if taken.forgotten:
                        forgotten.append(taken.event_id)
                    elif taken.known:
                        known.append(taken.event_id)
                done, due_since = self._after_add()
                receipts += done
                if progress is not None:
                    progress(len(ids))
            return Added(
                event_ids=tuple(ids),
                seqs=tuple(seqs),
                position=self._home.log.position(),
                known=tuple(known),
                forgotten=tuple(forgotten),
                receipts=tuple(receipts),
                due_since=due_since if ids else self._consolidator.due_since(),
                waiting=self._waiting(before),
                echoes=echoes,
            )

    def _own(self, event: NewEvent) -> NewEvent:
        """Check an event and bind it to the handle's project."""
        if not isinstance(event, NewEvent):
            raise InputError(f"an event is a NewEvent, not {type(event).__name__}")
        checked = check(event)
        if self._project is None or checked.project == self._project:
            return checked
        if checked.project is not None:
            raise InputError(
                f"an event of project {checked.project!r} can't be added through a handle bound to "
                f"{self._project!r}"
            )
        return check(replace(checked, project=self._project))

    def import_lines(
        self, lines: Iterable[bytes | str], *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Import JSON Lines: one event a line, fields as in `docs/import.md`.

        A malformed line is skipped and reported by number; all others are stored. Importing the same
        file again adds nothing, as far as its lines have an `id`.

        Args:
            lines: lines in UTF-8, or as text; blank ones are skipped.
            progress: called with the number of lines done.

        Raises:
            InputError: something given is no line; what came before it may be stored.
        """
        if isinstance(lines, bytes | str):
            raise InputError("import_lines takes lines, not one text; give text.splitlines()")
        return self._kept_up_after(self._import_lines(lines, progress))

    def _import_lines(
        self, lines: Iterable[bytes | str], progress: Callable[[int], None] | None
    ) -> Imported:
        with self._using():
            before = self._home.log.position()
            bad: list[tuple[int, str]] = []
            added = known = forgotten = echoes = done = 0
            receipts: list[Receipt] = []
            for batch in _batches(self._readable(lines, bad)):
                done = batch[-1][0]
                for number, taken in self._take_each(batch, bad):
                    added += not taken.known
                    known += taken.known and not taken.forgotten
                    forgotten += taken.forgotten
                    echoes += taken.echoes
                    done = number
                receipts += self._after_add()[0]
                if progress is not None:
                    progress(done)
            return Imported(
                added=added,
                known=known,
                forgotten=forgotten,
                malformed=tuple(sorted(bad)),
                position=self._home.log.position(),
                receipts=tuple(receipts),
                waiting=self._waiting(before),
                echoes=echoes,
            )

    def _readable(
        self, lines: Iterable[bytes | str], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, NewEvent]]:
        for number, line in enumerate(lines, start=1):
            raw = _raw(line, number)
            text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
            if not text.strip():
                continue
            try:
                yield number, self._own(read_line(text))
            except InputError as error:
                bad.append((number, str(error)))

    def _take_each(
        self, batch: Sequence[tuple[int, NewEvent]], bad: list[tuple[int, str]]
    ) -> Iterator[tuple[int, Taken]]:
        """Take a batch at once; when one line is refused, line by line. Gives (number, taken)."""
        try:
            taken = self._intake.take([event for _, event in batch], again=True)
        except InputError:
            for number, event in batch:
                try:
                    yield number, self._intake.take([event], again=True)[0]
                except InputError as error:
                    bad.append((number, str(error)))
        else:
            for (number, _), item in zip(batch, taken, strict=True):
                yield number, item

    def correct(self, seq: int, text: str, *, time: str | datetime | None = None) -> Added:
        """Record a correction of an entry by the user: the old wording is kept and superseded.

        Raises:
            NotFoundError: there is no such entry here.
            InputError: the text can't be used, or is nothing but recalled memory.
        """
        return self._kept_up(self._correct(seq, text, time))

    def _correct(self, seq: int, text: str, time: str | datetime | None) -> Added:
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
            position = self._home.log.position()
            receipts, due_since = self._after_add()
            return Added(
                event_ids=(taken.event_id,),
                seqs=taken.seqs,
                position=position,
                receipts=tuple(receipts),
                due_since=due_since,
                waiting=self._waiting(position),
                echoes=taken.echoes,
            )

    def retract(self, seq: int, *, reason: str = "", by: str | None = None) -> Receipt:
        """Mark an entry as not true, or no longer wanted: kept, not shown; what it replaced holds again.

        Args:
            seq: the entry.
            reason: why; it goes when the entry is forgotten.
            by: who asks for it; `log` tells it.

        Raises:
            NotFoundError: there is no such entry here.
            InputError: it is retracted already.
        """
        with self._using():
            entry = self._entry(seq)
            with self._home.locked():
                with self._home.log.transaction():
                    receipt = retract(self._home, entry, reason, by)
                    self._consolidator.refresh(receipt.updated)
                self._home.projection.sync()
            return receipt

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
        """Make everything derived again from the log: view tables, index, files (R202, R232).

        Args:
            progress: called with (records done, all records).
        """
        with self._using(), self._home.locked():
            return rebuild(self._home, progress=progress)

    def _after_add(self) -> tuple[list[Receipt], str | None]:
        """Consolidate by rules if that is due and nobody else is at it; say what is still due."""
        due_since = self._consolidator.due_since()
        if due_since is None or not self.runs_by_itself or not self._engine.by_rules:
            return [], due_since
        with self._home.try_locked() as held:
            receipts = self._due_now() if held else []
        return receipts, self._consolidator.due_since()


def _raw(line: object, number: int) -> bytes:
    """Give the bytes of a line; half of a surrogate pair makes it malformed, like any bad byte."""
    if isinstance(line, str):
        return line.encode("utf-8", "surrogatepass")
    if not isinstance(line, bytes):
        raise InputError(
            f"line {number} is a text or bytes, not {type(line).__name__}; for events take add_many"
        )
    return line


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
