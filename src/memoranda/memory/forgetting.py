"""The forgetting part of a memory: what is forgotten is gone, with a receipt."""

from __future__ import annotations

from memoranda.errors import ForgottenError, InputError
from memoranda.memory.handle import Handle
from memoranda.reports import Forgotten
from memoranda.write.choose import Chosen, by_event, by_external_id, by_line
from memoranda.write.forget import Forgetter


class Forgetting(Handle):
    """Forgets events and entries."""

    def forget(
        self,
        *,
        event: str | None = None,
        entry: int | None = None,
        external_id: str | None = None,
        dry_run: bool = False,
        by: str | None = None,
    ) -> Forgotten:
        """Forget an event, or an entry, for good: its text is gone from log, documents, index and files.

        It can't be undone, and nothing brings it back: no rebuild, import or restored backup. What
        it had replaced stays replaced. Numbers, times and links stay, and a receipt is recorded.

        Args:
            event: id of an event: it goes with every entry that came from it.
            entry: number of an entry: its whole line goes, with every event that says it; of a long
                event only this part.
            external_id: your id of an event, as it was given to `add` or `import`.
            dry_run: only say what would go; nothing is changed.
            by: who asks for it; `log` tells it.

        Returns:
            The receipt. `left` names files that still hold a piece of it: they are not ours, and
            are yours to look at.

        Raises:
            InputError: not exactly one of event, entry, external_id was given.
            NotFoundError: there is no such thing here; `ForgottenError` when it was forgotten.
            BusyError: another process reads for too long; what is left to do is done by the next
                call, or the next start.
        """
        if sum(given is not None for given in (event, entry, external_id)) != 1:
            raise InputError("name one of event, entry and external_id to be forgotten")
        if entry is not None and type(entry) is not int:
            raise InputError(f"entry is the number of an entry, not {entry!r}")
        if not isinstance(event or "", str) or not isinstance(external_id or "", str):
            raise InputError("event and external_id are texts")
        with self._using(), self._home.locked():
            forgetter = Forgetter(self._home, by)
            if dry_run:
                return forgetter.preview(self._chosen(event, entry, external_id))
            done = forgetter.finish()  # or its note of what is left to do would be written over
            try:
                chosen = self._chosen(event, entry, external_id)
            except ForgottenError:
                if done is None or not self._covers(done, event, entry, external_id):
                    raise
                return done  # the call before was stopped half-way, and this one ended it
            return forgetter.run(chosen)

    def _covers(
        self, done: Forgotten, event: str | None, entry: int | None, external_id: str | None
    ) -> bool:
        """Say whether a forgetting took what is asked for."""
        log = self._home.log
        found = log.find("external_id", external_id) if external_id is not None else []
        records = [record for at in found if (record := log.record(at)) is not None]
        names = {event, *(record.record_id for record in records)}
        return entry in done.seqs or bool(names & set(done.events))

    def _chosen(self, event: str | None, entry: int | None, external_id: str | None) -> Chosen:
        log = self._home.log
        if entry is not None:
            return by_line(set(self._entry(entry).seqs), log)
        if event is not None:
            return by_event(event, log, self._reach.allows)
        return by_external_id(str(external_id), log, self._reach.allows)
