"""Hand edits come in: what people wrote into the files becomes events, and one plan that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda.edits import Edits, HeldEdit
from memoranda.errors import FormatError, InputError
from memoranda.store.handwritten import Hand, read_body, read_hand
from memoranda.store.headers import Typed
from memoranda.store.layouts import Layout
from memoranda.store.projection import Foreign
from memoranda.values import CURRENT, Receipt
from memoranda.write.differing import Differ, Wish, too_much
from memoranda.write.enacting import Enacting
from memoranda.write.holding import Holding
from memoranda.write.intake import Intake

if TYPE_CHECKING:
    from memoranda.store.home import Home


UNREADABLE = "it can't be read as a document"
"""What the log is told of a file that can't be read: nothing of what stands in it."""


class HeldError(Exception):
    """An edit is not taken in by itself; caught before it leaves the engine."""


class Adopter:
    """Takes hand edits into one scope. Call it under the scope's lock.

    All edits of one look are one plan of kind `edit`, in one transaction with their events: `undo`
    takes them back together.
    """

    def __init__(self, home: Home, intake: Intake, *, project: str | None = None) -> None:
        """Take the scope.

        Args:
            home: the scope.
            intake: takes the new words in.
            project: of documents that are made of new files.
        """
        self._home = home
        self._log = home.log
        self._enacting = Enacting(home, intake, project)
        self._holding = Holding(home)

    def run(self, found: Sequence[Foreign], *, new: bool = False) -> Edits:
        """Take in what can be, let the rest wait, and leave what is no document.

        Args:
            found: files that are not as they were left.
            new: take files of names that are not ours in too, as new documents.
        """
        known = [item for item in found if item.document_id is not None]
        strange = [item for item in found if item.document_id is None]
        with self._log.transaction():
            edits = self._taken(known, strange if new else [])
            for item in [*known, *(strange if new else [])]:
                self._home.projection.release(item)
        left = () if new else tuple((item.file, "it is no document of ours") for item in strange)
        return replace(edits, left=left)

    def clear_away(self, found: Sequence[Foreign]) -> None:
        """Take away files of names that are not ours, once what they say is taken in."""
        names = {
            row[0] for row in self._log.connection.execute("SELECT file FROM projection").fetchall()
        }
        for item in found:
            if item.file not in names:
                self._home.projection.discard(item)

    def preview(self, found: Sequence[Foreign], *, new: bool = False) -> Edits:
        """Show what `run` would do; nothing is kept."""
        view = self._home.view
        before = {name: view.printed(name).text for name in view.ids()}
        view.forget_prints()
        try:
            with self._log.trial():
                self._holding.dry = True
                edits = self.run(found, new=new)
                after = {name: view.printed(name).text for name in view.ids()}
        finally:
            self._holding.dry = False
            view.forget_prints()
        changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
        return replace(
            edits,
            adopted=None if edits.adopted is None else replace(edits.adopted, plan_id=""),
            before={name: before[name] for name in sorted(changed & before.keys())},
            after={name: after[name] for name in sorted(changed & after.keys())},
            dry_run=True,
        )

    def approve(self, plan_id: str) -> Receipt:
        """Take in an edit that waits, as a person said it is meant. Inside the decision's transaction.

        Raises:
            InputError: its copy is gone, or can't be read.
        """
        held = self._holding.find(plan_id)
        name = held.copy or held.document_id
        hand = Hand(header=Typed(), title=None, sections=(), headless=True)
        if held.data is not None:
            try:
                hand = read_body(held.data, f"conflicts/{name}")
            except FormatError as error:
                raise InputError(f"{error}; mend the copy and approve again, or reject") from error
        wish = Differ(self._home).wish(name, held.document_id, hand, held.base)
        Differ(self._home).remove(wish, frozenset())
        return self._enacting.apply([wish], plan_id)[1]

    # --- wishes ---------------------------------------------------------------------------------

    def _taken(self, known: Sequence[Foreign], strange: Sequence[Foreign]) -> Edits:
        wishes: list[Wish] = []
        held: list[HeldEdit] = []
        differ = Differ(self._home)
        of: dict[int, Foreign] = {}
        for item in known:
            try:
                wish = self._wish(item, differ)
            except (HeldError, FormatError) as error:
                told = str(error) if isinstance(error, HeldError) else UNREADABLE
                waits = self._hold(item, told, None)
                held.append(replace(waits, reason=str(error)) if waits.plan_id else waits)
                continue
            of[id(wish)] = item
            wishes.append(wish)
        shown = {seq for wish in wishes for seq in wish.shown}
        ready: list[Wish] = []
        for wish in wishes:
            differ.remove(wish, shown - wish.shown)
            if too_much(wish):
                lost = f"{len(wish.removed)} of its {len(wish.base.lines)} lines are gone"
                held.append(self._hold(of[id(wish)], lost, wish))
            else:
                ready.append(wish)
        ready += [self._fresh(item, differ) for item in strange if item.data]
        try:
            adopted = self._enacting.apply(ready, "")[0] if ready else None
        except InputError:  # words that can't be stored: each file is kept as a copy
            held += [self._hold(item, UNREADABLE, None) for item in of.values()]
            adopted = None
        return Edits(adopted=adopted, held=tuple(item for item in held if item.plan_id))

    def _wish(self, item: Foreign, differ: Differ) -> Wish:
        document_id = item.document_id or ""
        if item.data is None:
            hand = Hand(header=Typed(), title=None, sections=())
            return differ.wish(
                item.file, document_id, hand, self._home.projection.layouts.last(document_id)
            )
        hand = read_hand(item.data, item.file)
        if hand.headless:
            raise HeldError("its front matter is gone")
        changes = self._home.projection.layouts.changes(document_id)
        if document_id != CURRENT and (hand.header.changes or 0) > changes:
            raise HeldError("it was printed from a later state than the log knows")
        if hand.header.id != document_id:
            raise HeldError(f"its id was changed, from {document_id}")
        self._is_of_today(hand)
        return differ.wish(item.file, document_id, hand, None)

    def _is_of_today(self, hand: Hand) -> None:
        """Let a file wait that shows lines which the log will only have: it was put back since."""
        last = self._home.view.counter("seq")
        signed = [max(item.seqs) for item in hand.items if item.seqs]
        later = sum(seq > last for seq in signed)
        if later > max(1, len(signed) // 5):
            raise HeldError("it shows lines that the log does not know")

    def _fresh(self, item: Foreign, differ: Differ) -> Wish:
        """Read a file of a name that is not ours, to make a document of it."""
        hand = read_body(item.data or b"", item.file)
        nothing = Layout(blocks=(), marks={})
        wish = differ.wish(item.file, "", hand, nothing)
        first = next((part.headings[0] for part in wish.parts if part.headings), "")
        wish.title = hand.title or hand.header.title or first or Path(item.file).stem
        return wish

    def _hold(self, item: Foreign, reason: str, wish: Wish | None) -> HeldEdit:
        base = wish.base if wish is not None else None
        removed = wish.removed if wish is not None else []
        return self._holding.hold(item, reason, base, removed)
