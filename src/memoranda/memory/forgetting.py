"""The forgetting part of a memory: what is forgotten is gone, with a receipt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Unpack

from memoranda.errors import (
    ForgottenError,
    InputError,
    NotFoundError,
    NothingSelectedError,
    PreviewError,
)
from memoranda.memory.handle import Handle
from memoranda.read import catalog
from memoranda.read.evidence import event_entry
from memoranda.reports import Forgotten
from memoranda.selections import LIMIT, Parts, Selected, Selector, Verified
from memoranda.values import CURRENT
from memoranda.write.choose import Chosen, by_line
from memoranda.write.forget import Forgetter
from memoranda.write.selecting import choose
from memoranda.write.verify import receipt_of, receipts, verify

_UNFIT = "the token does not fit: it is of something else, or what it showed has changed since"


class Forgetting(Handle):
    """Forgets events and entries, shows receipts, and looks whether they hold."""

    def forget(
        self,
        selector: Selector | None = None,
        *,
        dry_run: bool = False,
        expect: str | None = None,
        by: str | None = None,
        **parts: Unpack[Parts],
    ) -> Forgotten:
        """Forget for good what fits: its text is gone from log, documents, index and files.

        It can't be undone, and nothing brings it back: no rebuild, import or restored backup. What
        it had replaced stays replaced. Numbers, times and links stay, and a receipt is recorded.

        Args:
            selector: what is to be forgotten; or give its parts by name: `forget(entry=12)`,
                `forget(source="tool", since="2026-01")`. All that are given must fit.
            dry_run: only say what would go; nothing is changed.
            expect: the token of a preview (`dry_run`, or `selected`): exactly what it showed is
                forgotten. What came to fit since stays, and is counted in `since`.
            by: who asks for it; `log` tells it.

        Returns:
            The receipt. `left` names files that still hold a piece of it: they are not ours, and
            are yours to look at.

        Raises:
            InputError: nothing is said, or a part can't be used.
            PreviewError: what was shown has changed; nothing was forgotten.
            NotFoundError: nothing fits; `ForgottenError` when it was forgotten. Nothing was changed.
            BusyError: another process reads for too long; what is left to do is done by the next
                call, or the next start.
            NotAllowedError: the handle is limited.
        """
        self._may("forget")
        wanted = _selector(selector, parts)
        with self._using(), self._home.locked():
            asked = self._digest(wanted)
            if dry_run:
                return self._previewed(wanted, asked)[0]
            done = Forgetter(
                self._home
            ).finish()  # or its note of what is left would be written over
            try:
                chosen = self._chosen(wanted)
            except NotFoundError as error:
                if done is None or not self._covers(done, wanted, asked, error):
                    raise
                return done  # the call before was stopped half-way, and this one ended it
            return self._forgotten(wanted, chosen, expect, by)

    def selected(
        self,
        selector: Selector | None = None,
        *,
        limit: int = LIMIT,
        after: int = 0,
        **parts: Unpack[Parts],
    ) -> Selected:
        """Show what forgetting would take, a page of it, with the token that forgets exactly this.

        Args:
            selector: as for `forget`; or its parts by name.
            limit: lines and events of a page.
            after: how many stand before it.

        Raises:
            InputError, NotFoundError: as `forget`.
        """
        self._may("selected")
        wanted = _selector(selector, parts)
        if limit < 1 or after < 0:
            raise InputError("limit is a number from 1 on, after one from 0 on")
        with self._using(), self._home.locked():
            preview, chosen = self._previewed(wanted, self._digest(wanted))
            rows = self._rows(chosen)
            page = rows[after : after + limit]
            known = self._home.view.entries([row for row in page if row > 0])
            bare = (self._home.log.record(-row) for row in page if row < 0)
            events = (event_entry(record) for record in bare if record is not None)
            return Selected(
                preview=preview,
                entries=(*(known[row] for row in page if row in known), *events),
                after=after,
                more=max(0, len(rows) - after - len(page)),
            )

    def receipts(self) -> tuple[Forgotten, ...]:
        """Give the receipts of all that was forgotten here, newest first."""
        self._may("receipts")
        with self._using():
            return tuple(receipts(self._home.log))

    def verify_forgotten(
        self, receipt: Forgotten | Mapping[str, Any] | str, *, text: str | None = None
    ) -> Verified:
        """Look again whether what a receipt says is gone is gone.

        The text is not needed: every place is asked for the numbers of what was forgotten. With a
        text, every byte below the scope's folders is searched for pieces of it as well.

        Args:
            receipt: a receipt, as it was given or as JSON; or its id, or the forget record's.
            text: what was forgotten, if you still have it; it is not kept.

        Raises:
            NotFoundError: there is no such receipt here.
            InputError: it is no receipt.
        """
        self._may("verify_forgotten")
        with self._using(), self._home.locked():
            if isinstance(receipt, str):
                found = receipt_of(self._home.log, receipt)
            elif isinstance(receipt, Forgotten):
                found = receipt
            else:
                found = _read(receipt)
            return verify(self._home, found, text)

    # --- inside -------------------------------------------------------------------------------

    def _forgotten(
        self, wanted: Selector, chosen: Chosen, expect: str | None, by: str | None
    ) -> Forgotten:
        asked, later = self._digest(wanted), 0
        if expect is not None:
            taken = self._as_shown(wanted, expect)
            later = len({*chosen.events} - {*taken.events}) + len({*chosen.seqs} - {*taken.seqs})
            chosen = taken
        return Forgetter(self._home, by, asked=asked, since=later).run(chosen)

    def _previewed(self, wanted: Selector, asked: str) -> tuple[Forgotten, Chosen]:
        chosen = self._chosen(wanted)
        token = self._token(wanted, chosen, self._home.log.position())
        return Forgetter(self._home, asked=asked).preview(chosen, token), chosen

    def _as_shown(self, wanted: Selector, expect: str) -> Chosen:
        """Choose what a preview showed.

        Raises:
            PreviewError: the token is of something else, or what it showed has changed.
        """
        number = expect.partition("-")[0]
        if not (number.isascii() and number.isdecimal() and len(number) < 19):
            raise PreviewError(_UNFIT)
        try:
            chosen = self._chosen(wanted, upto=int(number))
        except NotFoundError as error:
            raise PreviewError(_UNFIT) from error
        if self._token(wanted, chosen, int(number)) != expect:
            raise PreviewError(_UNFIT)
        return chosen

    def _token(self, wanted: Selector, chosen: Chosen, position: int) -> str:
        told = json.dumps([wanted.to_dict(), position, chosen.to_json()], sort_keys=True)
        return f"{position}-{self._home.log.digest('preview', told).hex()[:32]}"

    def _digest(self, wanted: Selector) -> str:
        told = json.dumps(wanted.to_dict(), sort_keys=True)
        return self._home.log.digest("selector", told).hex()

    def _chosen(self, wanted: Selector, upto: int = 0) -> Chosen:
        log = self._home.log
        if wanted.given() == ("entry",):
            line = self._entry(int(wanted.entry or 0))
            return by_line(set(line.seqs), log)
        document = None if wanted.document is None else self._document(wanted.document)
        if wanted.project is not None and not self._reach.allows(wanted.project):
            raise NothingSelectedError(("project",))
        return choose(wanted, log, self._reach.allows, document_id=document, upto=upto)

    def _document(self, name: str) -> str:
        if name.strip().casefold() == CURRENT.casefold():
            return CURRENT
        return catalog.find(name, self._home.view, self._reach).document_id

    def _rows(self, chosen: Chosen) -> list[int]:
        """Name lines by their first number, and events that no entry cites by their negative position."""
        listed = json.dumps([*chosen.seqs, *chosen.shared])
        db = self._home.log.connection
        lines = db.execute(
            "SELECT DISTINCT line FROM entry WHERE line > 0 AND erased IS NULL "
            "AND seq IN (SELECT value FROM json_each(?)) ORDER BY line",
            (listed,),
        )
        bare = db.execute(
            "SELECT value FROM json_each(?) "
            "WHERE value NOT IN (SELECT event FROM entry_event) ORDER BY value",
            (json.dumps(list(chosen.events)),),
        )
        return [*(row[0] for row in lines), *(-row[0] for row in bare)]

    def _covers(self, done: Forgotten, wanted: Selector, asked: str, error: NotFoundError) -> bool:
        """Say whether a forgetting took what is asked for."""
        if done.selector and done.selector == asked:
            return True
        if not isinstance(error, ForgottenError):
            return False
        log = self._home.log
        same = log.find("external_id", wanted.external_id) if wanted.external_id else []
        records = [record for at in same if (record := log.record(at)) is not None]
        names = {wanted.event, *(record.record_id for record in records)}
        return wanted.entry in done.seqs or bool(names & set(done.events))


def _selector(selector: Selector | None, parts: Parts) -> Selector:
    if selector is not None and parts:
        raise InputError("give a selector, or its parts by name, not both")
    return Selector(**parts) if selector is None else selector


def _read(receipt: Mapping[str, Any]) -> Forgotten:
    try:
        return Forgotten.from_dict(receipt)
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError("this is no receipt: give it as forget gave it, or its id") from error
