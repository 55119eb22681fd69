"""Edits that wait for a person: their bytes are kept as a copy, the file is printed as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memoranda.edits import HeldEdit
from memoranda.errors import InputError, NotFoundError
from memoranda.store import parking
from memoranda.store.layouts import Layout
from memoranda.store.operations import Plan, Text, Withdraw
from memoranda.store.projection import CONFLICTS, Foreign

if TYPE_CHECKING:
    from memoranda.store.home import Home

MODE = "edit"
BY = "hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """An edit that waits."""

    document_id: str
    copy: str
    """The name of the kept copy; "" when the file was taken away."""
    data: bytes | None
    base: Layout | None


class Holding:
    """Keeps and finds edits that wait. Call it under the scope's lock, in a transaction."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._log = home.log
        self.dry = False
        """Write no copy: it is only a preview."""

    def hold(
        self, item: Foreign, reason: str, base: Layout | None, removed: Sequence[int]
    ) -> HeldEdit:
        """Let an edit wait: keep its bytes, and propose what is known of it. The same one is kept once."""
        document_id = item.document_id or ""
        copy = ""
        if item.data is not None and not self.dry:
            copy = self._home.projection.keep_copy(item.file, item.data)
        base = base or self._home.projection.layouts.last(document_id)
        known = self._waiting(document_id, copy)
        if known:
            return HeldEdit(document_id=document_id, plan_id=known, reason=reason, copy=copy)
        plan = self._plan(document_id, removed)
        what = (
            "its file was taken away"
            if item.data is None
            else f"an edit of its file waits: {reason}"
        )
        held = {
            "document": document_id,
            "copy": _digest(copy),
            "base": base.to_json() if base is not None else None,
        }
        self._home.fold.apply(self._log.append("proposal", _body(plan, held, what)))
        return HeldEdit(document_id=document_id, plan_id=plan.plan_id, reason=what, copy=copy)

    def _plan(self, document_id: str, removed: Sequence[int]) -> Plan:
        """Make a plan of what is known of an edit: the lines that it takes out."""
        info = self._home.view.document(document_id)
        return Plan(
            plan_id=self._log.new_id("plan"),
            kind="edit",
            epoch=self._home.view.counter("epoch"),
            window=(),
            input_event_ids=(),
            versions={document_id: info.version} if info is not None else {},
            operations=tuple(Withdraw(seq=seq) for seq in removed),
            warnings=(),
            by=BY,
        )

    def _waiting(self, document_id: str, copy: str) -> str:
        for item in parking.plans(self._log.connection, "pending"):
            record = self._log.record(item.position) if item.kind == "edit" else None
            held = (
                record.body.get("held") if record is not None and record.body is not None else None
            )
            if held and (held["document"], held["copy"]) == (document_id, _digest(copy)):
                return item.plan_id
        return ""

    def find(self, plan_id: str) -> Held:
        """Give an edit that waits.

        Raises:
            NotFoundError: there is no such edit.
            InputError: its copy is gone.
        """
        parked = parking.plan(self._log.connection, plan_id)
        record = None if parked is None else self._log.record(parked.position)
        held = record.body.get("held") if record is not None and record.body is not None else None
        if held is None:
            raise NotFoundError("plan", plan_id)
        copy, data = "", None
        if held["copy"]:
            copy, data = self._copy(held["copy"])
        base = None if held["base"] is None else Layout.from_json(held["base"])
        return Held(document_id=held["document"], copy=copy, data=data, base=base)

    def _copy(self, digest: str) -> tuple[str, bytes]:
        folder = self._home.folder / CONFLICTS
        for item in self._home.files.names(folder):
            if item.name.endswith(f".{digest}.md"):
                return item.name, self._home.files.read(folder / item.name) or b""
        raise InputError("the copy of this edit is gone from conflicts/: reject the plan")


def _body(plan: Plan, held: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Give the body of the record: what waits, why, and what it was made from."""
    return {
        "plan_id": plan.plan_id,
        "plan": plan.to_json(),
        "mode": MODE,
        "verdict": "needs approval",
        "reasons": [Text(text=f"{held['document']}: {what}", made_from=()).to_json()],
        "seen": {},
        "held": held,
    }


def _digest(copy: str) -> str:
    """Give the part of a copy's name that tells it from others, and says nothing of what is in it."""
    return copy.split(".")[-2] if copy.count(".") > 1 else ""
