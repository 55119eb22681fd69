"""The heeding part of a memory: what users asked to be forgotten, waiting, granted or declined."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from memoranda.errors import BusyError, InputError, NotAllowedError, NotFoundError
from memoranda.memory.upkeeping import Upkeeping
from memoranda.reports import Forgotten, Request
from memoranda.store import requests
from memoranda.store.requests import Asked
from memoranda.write.asked import Heeder
from memoranda.write.choose import by_line
from memoranda.write.forget import Forgetter

RequestState = Literal["waiting", "done", "rejected", "gone"]


class Heeding(Upkeeping):
    """Keeps requests to forget, and carries them out."""

    def asked(self, state: RequestState | None = None) -> tuple[Request, ...]:
        """Give what users asked to be forgotten, oldest first (R229).

        Args:
            state: `waiting`, `done`, `rejected`, or `gone` (its sentence was forgotten by itself);
                None gives all.
        """
        self._may("asked")
        with self._using():
            return tuple(self._request(item) for item in requests.requests(self._home.log, state))

    def grant(
        self, request_id: str, *, entries: Sequence[int] | None = None, by: str | None = None
    ) -> Forgotten:
        """Forget what a request names, for good, and the request's own sentence with it; see `forget`.

        Args:
            request_id: the request.
            entries: the entries to forget; needed where it is not clear what is named. None takes
                what the request names.
            by: who decides; `log` tells it.

        Raises:
            NotFoundError: there is no such request, or no such entry.
            InputError: it does not wait, or it is not clear what is meant and no entries are given.
            BusyError: as `forget`.
        """
        self._may("grant")
        with self._using(), self._home.locked():
            item = self._waiting_request(request_id)
            if entries is None and item.found != "clear":
                raise InputError(
                    f"request {request_id} does not name clearly what it means: give the entries "
                    "to forget, or decline it"
                )
            seqs = item.targets if entries is None else tuple(entries)
            for seq in seqs if entries is not None else ():
                self._entry(seq)
            return self._forgotten_for(item, seqs, by)

    def decline(self, request_id: str, *, by: str | None = None) -> Request:
        """Refuse a request: nothing is forgotten, and what was kept back meanwhile shows again.

        Raises:
            NotFoundError: there is no such request.
            InputError: it does not wait.
        """
        self._may("decline")
        with self._using():
            item = self._waiting_request(request_id)
            Heeder(self._home).answer(item, "rejected", by)
            return self._request(self._find(request_id))

    # --- as it comes --------------------------------------------------------------------------

    def _heed(self) -> None:
        """Look for what new requests name; run what is clear, if the setting says so."""
        heard = Heeder(self._home).heed()
        if self._home.settings.asked_to_forget != "run":
            return
        for item in heard:
            if item.found == "clear":
                self._run(item)

    def _run(self, item: Asked) -> None:
        with suppress(NotAllowedError), self._home.try_locked() as held:
            self._may("grant")
            if not held:
                return  # it waits, and status says so
            try:
                self._forgotten_for(item, item.targets, "the user")
            except BusyError:
                return  # begun: the next start finishes it

    def _forgotten_for(self, item: Asked, seqs: Sequence[int], by: str | None) -> Forgotten:
        """Forget the lines of some entries and the sentence that asked for it; then say so."""
        home = self._home
        forgetter = Forgetter(home, by)
        forgetter.finish()  # or its note of what is left to do would be written over
        lines = requests.lines_of((*seqs, item.seq), home.log)
        own = {seq for entry in home.view.entries(lines).values() for seq in entry.seqs}
        if not own:
            raise NotFoundError("entry", item.seq)
        done = forgetter.run(by_line(own, home.log))  # a kill before the answer leaves it `gone`
        Heeder(home).answer(item, "done", by, done.forget_id)
        return done

    # --- looking ------------------------------------------------------------------------------

    def _asked_since(self, position: int) -> tuple[str, ...]:
        """Name the requests that came after a position."""
        found = requests.requests(self._home.log)
        return tuple(item.request_id for item in found if item.position > position)

    def _find(self, request_id: str) -> Asked:
        known = requests.requests(self._home.log)
        for item in known:
            if item.request_id == request_id:
                return item
        waiting = tuple(item.request_id for item in known if item.state == "waiting")
        raise NotFoundError("request", request_id, waiting)

    def _waiting_request(self, request_id: str) -> Asked:
        item = self._find(request_id)
        if item.state != "waiting":
            raise InputError(f"request {request_id} does not wait: it is {item.state}")
        return item

    def _request(self, item: Asked) -> Request:
        view = self._home.view
        lines = requests.lines_of(item.targets, self._home.log) if item.state == "waiting" else ()
        entries = view.entries(sorted(lines))
        said = view.entries([item.seq]).get(item.seq) if item.state != "done" else None
        event = self._home.log.record(item.event)
        return Request(
            request_id=item.request_id,
            position=item.position,
            recorded=item.recorded,
            state=item.state,
            found=item.found,
            text=said.text if said is not None else "",
            event_id=event.record_id if event is not None else "",
            seq=item.seq,
            entries=tuple(view.located(entries[line]) for line in sorted(entries)),
            by=item.by,
            decided=item.answered or None,
            decided_by=item.answered_by,
        )
