"""The writing half of a memory: add, import, correct, retract, consolidate, rebuild."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoranda.errors import NotAllowedError
from memoranda.memory.importing import Importing, batches
from memoranda.read.unchanged import must_be_unchanged
from memoranda.store.visible import ACCESS
from memoranda.text.times import normalise
from memoranda.values import (
    Added,
    Entry,
    NewEvent,
    Rebuilt,
    Receipt,
    Sensitivity,
    Source,
)
from memoranda.write.intake import check
from memoranda.write.messages import from_messages
from memoranda.write.rebuild import rebuild
from memoranda.write.retract import retract


class Writing(Importing):
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
        sensitivity: Sensitivity | None = None,
        metadata: Mapping[str, Any] | None = None,
        actor: str | None = None,
        key: str | None = None,
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
            sensitivity: public, internal or private, up to the handle's clearance; default internal,
                or the clearance where that is lower.
            metadata: free JSON.
            actor: the program that adds it.
            key: names this call: the same call under the same key again adds nothing (idempotent).

        Raises:
            InputError: a value can't be used; nothing was stored.
            BusyError: another process held the database for too long; nothing was stored.
        """
        self._may("add")
        common = NewEvent(
            content=content if isinstance(content, str) else "",
            source=source,
            speaker=speaker,
            time=None if time is None else normalise(time),
            session=session,
            project=self._project,
            sensitivity=sensitivity or self._plain_sensitivity(),
            external_id=id,
            metadata=metadata or {},
            actor=actor,
        )
        return self.add_many(_keyed(from_messages(content, common), key))

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
        self._may("add_many")
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
            secrets: Counter[str] = Counter()
            echoes = 0
            due_since = None
            for batch in batches(self._own(event) for event in events):
                for taken in self._intake.take(batch):
                    ids.append(taken.event_id)
                    seqs += taken.seqs
                    echoes += taken.echoes
                    secrets.update(taken.secrets)
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
                receipts=self._told(receipts),
                due_since=self._due(due_since if ids else self._consolidator.due_since()),
                waiting=self._waiting(before),
                echoes=echoes,
                secrets=tuple(sorted(secrets.items())),
                asked=self._asked_since(before),
            )

    def correct(
        self,
        seq: int,
        text: str,
        *,
        time: str | datetime | None = None,
        seen: int | None = None,
    ) -> Added:
        """Record a correction of an entry by the user: the old wording is kept and superseded.

        Args:
            seq: the entry.
            text: how it is.
            time: when the user said so; as `add` takes it.
            seen: the log position of what was seen (`position` of a reply): only if the entry says
                now what it said then; None asks nothing.

        Raises:
            NotFoundError: there is no such entry here.
            InputError: the text can't be used, or is nothing but recalled memory.
            ChangedError: the entry has changed since it was seen; nothing was stored.
        """
        self._may("correct")
        return self._kept_up(self._correct(seq, text, time, seen))

    def _correct(self, seq: int, text: str, time: str | datetime | None, seen: int | None) -> Added:
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
                    metadata={"corrects": entry.seq, **self._rule_of(entry)},
                )
            )
            view = self._seen().view
            held = view.places(view.holding(entry.seq))
            replaced = {entry.seq, *(seq for seq, place in held.items() if place.line)}
            with self._home.log.transaction():
                must_be_unchanged(entry.seq, seen, self._home.log)
                taken = self._intake.take([self._allowed(event)], supersedes=sorted(replaced))[0]
            position = self._home.log.position()
            receipts, due_since = self._after_add()
            return Added(
                event_ids=(taken.event_id,),
                seqs=taken.seqs,
                position=position,
                receipts=self._told(receipts),
                due_since=self._due(due_since),
                waiting=self._waiting(position),
                echoes=taken.echoes,
                secrets=tuple(sorted(Counter(taken.secrets).items())),
                asked=self._asked_since(position),
            )

    @staticmethod
    def _rule_of(entry: Entry) -> dict[str, Any]:
        """Give the access rule that a correction takes over."""
        return {ACCESS: entry.metadata[ACCESS]} if ACCESS in entry.metadata else {}

    def retract(
        self, seq: int, *, reason: str = "", by: str | None = None, seen: int | None = None
    ) -> Receipt:
        """Mark an entry as not true, or no longer wanted: kept, not shown; what it replaced holds again.

        Args:
            seq: the entry.
            reason: why; it goes when the entry is forgotten.
            by: who asks for it; `log` tells it.
            seen: as `correct` takes it.

        Raises:
            NotFoundError: there is no such entry here.
            InputError: it is retracted already.
            ChangedError: the entry has changed since it was seen; nothing was done.
        """
        self._may("retract")
        with self._using():
            entry = self._entry(seq)
            if self._home.view.line_of(entry.seq) != entry.seq:
                raise NotAllowedError("retract", "sight of all that stands in the line")
            with self._home.locked():
                with self._home.log.transaction():
                    must_be_unchanged(entry.seq, seen, self._home.log)
                    said = self._intake.screen.text(reason, "reason")
                    receipt = retract(self._home, entry, said, by)
                    self._consolidator.refresh(receipt.updated)
                self._home.projection.sync()
            return receipt if self.sees_all else replace(receipt, updated=())

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Rebuilt:
        """Make everything derived again from the log: view tables, index, files (R202, R232).

        Args:
            progress: called with (records done, all records).
        """
        self._may("rebuild")
        with self._using(), self._home.locked():
            return rebuild(self._home, progress=progress)

    def _due(self, due_since: str | None) -> str | None:
        """Say since when consolidation is due, to a handle that sees all of CURRENT."""
        return due_since if self.sees_all else None


def _keyed(events: Sequence[NewEvent], key: str | None) -> Sequence[NewEvent]:
    """Give each event of a call the call's key, numbered for several."""
    if key is None:
        return events
    if len(events) == 1:
        return [replace(events[0], idempotency_key=key)]
    return [
        replace(event, idempotency_key=f"{key}/{number}")
        for number, event in enumerate(events, start=1)
    ]
