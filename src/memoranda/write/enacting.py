"""Carrying an edit out: its words become events, its lines one plan, in the caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memoranda.edits import Adopted
from memoranda.store.edits import DONE
from memoranda.store.operations import Create, Operation, Plan, Release, Replace, Text, Withdraw
from memoranda.store.visible import ACCESS, labels_of
from memoranda.values import CURRENT, SENSITIVITIES, NewEvent, Receipt, Sensitivity
from memoranda.write.arranging import Arranging, Changes, Citing
from memoranda.write.differing import Slot, Wish
from memoranda.write.intake import Intake, check
from memoranda.write.propose import Proposer
from memoranda.write.titles import same_title

if TYPE_CHECKING:
    from memoranda.store.home import Home

BY = "hand"
ACTOR = "hand edit"


@dataclass(slots=True)
class _Made:
    """What becomes of wishes while the plan is made."""

    operations: list[Operation] = field(default_factory=list)
    added: list[int] = field(default_factory=list)
    replaced: dict[int, int] = field(default_factory=dict)
    moved: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """Documents whose summary a person typed."""
    made: set[str] = field(default_factory=set)
    """New documents: a summary is made for them."""
    warnings: list[str] = field(default_factory=list)

    @property
    def window(self) -> tuple[int, ...]:
        """Give all new entries."""
        return tuple(sorted({*self.added, *self.replaced.values()}))

    @property
    def nothing(self) -> bool:
        """Say whether nothing is to be recorded."""
        return not self.operations and not self.window


class Enacting:
    """Carries edits out in one scope."""

    def __init__(self, home: Home, intake: Intake, project: str | None) -> None:
        """Take the scope, what takes words in, and the project of new documents."""
        self._home = home
        self._log = home.log
        self._intake = intake
        self._project = project

    def apply(self, wishes: Sequence[Wish], plan_id: str) -> tuple[Adopted | None, Receipt]:
        """Do what people want; give what was done, or None where nothing was to do.

        Args:
            wishes: one a file.
            plan_id: of a plan that waited and is approved; "" makes a new one.
        """
        made = _Made()
        for wish in wishes:
            made.warnings += [f"{_name(wish)}: {warning}" for warning in wish.warnings]
            self._listen(wish, made)
        self._operate(wishes, made)
        position = self._log.position()
        if made.nothing and not plan_id:
            return None, _receipt("", position, made, [], [])
        before = set(self._home.view.ids())
        record = self._log.append("plan", self._plan(made, plan_id).to_json(), plan_id or None)
        self._home.fold.apply(record)
        self._refresh(made)
        now = set(self._home.view.ids())
        changed = [name for name, _, _ in self._home.view.changed(record.position - 1)]
        receipt = _receipt(record.record_id, record.position, made, changed, sorted(before - now))
        receipt = replace(receipt, created=tuple(sorted(now - before)))
        self._home.fold.apply(self._log.append("receipt", receipt.to_dict()))
        adopted = Adopted(
            plan_id=record.record_id,
            position=record.position,
            documents=tuple(self._documents(wishes, changed)),
            added=tuple(made.added),
            corrected=tuple(sorted(made.replaced.items())),
            removed=tuple(made.removed),
            moved=tuple(made.moved),
            warnings=tuple(made.warnings),
        )
        self._log.set_meta(DONE, json.dumps(adopted.to_dict()).encode())
        return adopted, receipt

    def _documents(self, wishes: Sequence[Wish], changed: Sequence[str]) -> list[str]:
        current = [CURRENT for wish in wishes if wish.document_id == CURRENT]
        return list(dict.fromkeys([*changed, *current]))

    def _plan(self, made: _Made, plan_id: str) -> Plan:
        view = self._home.view
        entries = view.entries(made.window).values()
        touched = {getattr(op, "document_id", "") for op in made.operations} & set(view.ids())
        infos = [info for name in sorted(touched) if (info := view.document(name)) is not None]
        return Plan(
            plan_id=plan_id,
            kind="edit",
            epoch=view.counter("epoch"),
            window=made.window,
            input_event_ids=tuple(dict.fromkeys(i for entry in entries for i in entry.event_ids)),
            versions={info.document_id: info.version for info in infos},
            operations=tuple(made.operations),
            warnings=tuple(made.warnings),
            by=BY,
        )

    def _listen(self, wish: Wish, made: _Made) -> None:
        """Take the new words of a file into the log."""
        for part in wish.parts:
            for slot in part.slots:
                slot.seqs = (slot.head,) if slot.head is not None else ()
                if slot.text is not None:
                    self._heard(wish, slot, made)

    def _heard(self, wish: Wish, slot: Slot, made: _Made) -> None:
        event = check(self._event(wish, slot))
        taken = self._intake.take([event])[0]
        if not taken.seqs:
            made.warnings.append(
                f"{_name(wish)}: a text was recalled memory, and is not taken for new"
            )
            return
        slot.seqs = taken.seqs
        made.added += taken.seqs if slot.head is None else taken.seqs[1:]
        if slot.head is not None:
            made.replaced[slot.head] = taken.seqs[0]

    def _event(self, wish: Wish, slot: Slot) -> NewEvent:
        """Give the event of what a person wrote: in the name of the line that it corrects."""
        if slot.head is None:
            info = self._home.view.document(wish.document_id)
            fresh = self._project if wish.document_id == "" else None
            return NewEvent(
                content=slot.text or "",
                project=info.project if info is not None else fresh,
                sensitivity=self._highest(wish.document_id),
                metadata=self._access(sorted(wish.shown)),
                actor=ACTOR,
            )
        entry = self._home.view.entries([slot.head])[slot.head]
        return NewEvent(
            content=slot.text or "",
            speaker=entry.speaker if entry.source == "user" else None,
            time=entry.time,
            session=entry.session,
            project=entry.project,
            sensitivity=entry.sensitivity,
            metadata={"corrects": slot.head, **self._access([slot.head])},
            actor=ACTOR,
        )

    def _access(self, lines: Sequence[int]) -> dict[str, list[str]]:
        """Give the access labels that all of some lines share, as metadata; nothing where one has none."""
        rows = self._log.connection.execute(
            "SELECT DISTINCT body FROM entry "
            "JOIN entry_event USING (seq) JOIN payload ON payload.position = entry_event.event "
            "WHERE line IN (SELECT value FROM json_each(?)) AND json_valid(body)",
            (json.dumps(list(lines)),),
        ).fetchall()
        named = [labels_of(json.loads(row["body"])["metadata"]) for row in rows]
        given = [labels for labels in named if labels is not None]
        if not given or len(given) < len(named):
            return {}
        shared = frozenset.intersection(*given) or given[0]
        return {ACCESS: sorted(shared)}

    def _highest(self, document_id: str) -> Sensitivity:
        rows = self._log.connection.execute(
            "SELECT DISTINCT sensitivity FROM entry WHERE document_id = ?", (document_id,)
        ).fetchall()
        found: list[Sensitivity] = ["internal", *(row[0] for row in rows)]
        return max(found, key=SENSITIVITIES.index)

    def _operate(self, wishes: Sequence[Wish], made: _Made) -> None:
        """Make the operations: corrections first, then what goes, then what stands where."""
        made.operations += [Replace(old=old, new=new) for old, new in made.replaced.items()]
        for wish in wishes:
            made.removed += wish.removed
        made.operations += [Withdraw(seq=seq) for seq in made.removed]
        for wish in wishes:
            made.moved += self._coming(wish)
            if wish.document_id == CURRENT:
                coming = [made.replaced.get(seq, seq) for seq in self._coming(wish)]
                made.operations += [Release(seq=seq) for seq in coming]
        numbers = self._numbered(wishes, made)
        gone = frozenset(made.removed) | frozenset(made.moved)
        changes = Changes(replaced=made.replaced, gone=gone)
        arranging = Arranging(self._home, Citing(self._home), changes)
        block = self._home.view.counter("block") + 1
        for wish, name in zip(wishes, numbers, strict=True):
            operation = (
                None
                if name is None
                else arranging.operation(self._titled(wish, name, made), name, block)
            )
            if operation is not None:
                made.operations.append(operation)
                block += sum(not item.block for item in operation.blocks)
                if operation.summary is not None:
                    made.named.add(operation.document_id)

    def _coming(self, wish: Wish) -> list[int]:
        """Give the lines that a person brought here from elsewhere."""
        heads = [slot.head for slot in wish.slots if slot.head is not None and slot.put]
        places = self._home.view.places(heads)
        return [seq for seq in heads if (places[seq].document_id or CURRENT) != wish.document_id]

    def _numbered(self, wishes: Sequence[Wish], made: _Made) -> list[str | None]:
        """Say in which document each wish is done: a new one, an heir, or none (CURRENT)."""
        found: list[str | None] = []
        number = self._home.view.counter("document")
        citing = Citing(self._home)
        for wish in wishes:
            if wish.document_id == CURRENT:
                found.append(None)
            elif wish.document_id:
                found.append(self._heir(wish.document_id))
            else:
                number += 1
                name = f"d{number}"
                made.made.add(name)
                seqs = [seq for slot in wish.slots for seq in slot.seqs]
                title = citing.text(self._free_title(wish.title or name, name), seqs)
                made.operations.append(
                    Create(
                        document_id=name,
                        project=self._project,
                        title=title,
                        summary=Text(text=title.text, made_from=title.made_from),
                        blocks=(),
                    )
                )
                wish.title = None
                found.append(name)
        return found

    def _heir(self, document_id: str) -> str | None:
        """Give a document, or the one that took it in; None if it is there no more."""
        for _ in range(100):
            if self._home.view.document(document_id) is not None:
                return document_id
            row = self._log.connection.execute(
                "SELECT document.id FROM document, json_each(merged_from) AS absorbed "
                "WHERE absorbed.value = ?",
                (document_id,),
            ).fetchone()
            if row is None:
                return None
            document_id = row[0]
        return None

    def _titled(self, wish: Wish, name: str, made: _Made) -> Wish:
        """Let a title that another document bears be as it was."""
        if wish.title is not None:
            others = {
                other: title for other, title in self._home.view.titles().items() if other != name
            }
            if same_title(wish.title) in {same_title(title) for title in others.values()}:
                made.warnings.append(f"{name}: another document bears that title; it keeps its own")
                wish.title = None
        return wish

    def _free_title(self, title: str, name: str) -> str:
        taken = {same_title(known) for known in self._home.view.titles().values()}
        return title if same_title(title) not in taken else f"{title} ({name})"

    def _refresh(self, made: _Made) -> None:
        """Summarise by rules what told of lines that are corrected, removed or gone."""
        lost = {*made.removed, *made.replaced, *made.moved}
        view = self._home.view
        stale = [
            name
            for name in view.ids()
            if name not in made.named
            and (name in made.made or lost & set(view.summary_text(name).made_from))
        ]
        if stale:
            plan = self._home.reading(lambda index: Proposer(self._home, index).refreshing(stale))
            if plan is not None:
                self._home.fold.apply(self._log.append("plan", plan.to_json(), plan.plan_id))


def _receipt(
    plan_id: str, position: int, made: _Made, changed: Sequence[str], retired: Sequence[str]
) -> Receipt:
    return Receipt(
        plan_id=plan_id,
        kind="edit",
        position=position,
        updated=tuple(changed),
        retired=tuple(retired),
        placed=made.window,
        reworded=tuple((old,) for old in sorted(made.replaced)),
        left_out=tuple(made.removed),
        warnings=tuple(made.warnings),
    )


def _name(wish: Wish) -> str:
    return wish.document_id or "a new file"
