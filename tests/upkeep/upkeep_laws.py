"""What must hold of a scope after any run of maintenance by any model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from memoranda import Memory
from memoranda.errors import PlanError
from memoranda.llm.model import Model, Reply, Request
from memoranda.store.operations import Join, LeaveOut, Plan, Reword, Text
from memoranda.store.saying import AUTHORITY
from memoranda.text.guard import Said
from memoranda.values import LOG, SENSITIVITIES
from memoranda.write.apply import Applier
from memoranda.write.guarded import fits
from scene import everywhere, home, rows

COLUMNS = [
    "seq",
    "position",
    "line",
    "text",
    "time",
    "recorded",
    "moment",
    "source",
    "speaker",
    "session",
    "project",
    "sensitivity",
    "tokens",
    "same",
    "document_id",
    "block",
    "superseded_by",
    "final",
    "retracted",
    "erased",
    "looked",
    "place",
]


class Heard:
    """Passes requests on, and keeps what was asked and what came back."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name
        self.requests: list[Request] = []
        self.replies: list[str] = []

    def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        reply = self.model.ask(request)
        self.replies.append(reply.text)
        return reply

    def typed(self, text: str) -> bool:
        """Say whether a text is a whole value of a reply."""
        return any(f'"{text}"' in reply for reply in self.replies)

    def questions(self) -> int:
        """How many questions were asked; a repair is none."""
        return sum(1 for request in self.requests if len(request.messages) == 2)


class WatchedApplier(Applier):
    """An applier that sees to it that a plan that is not applied changes no byte."""

    watched: Memory
    turned_down = 0

    def apply(self, plan: Plan, *, approved: bool = False) -> Any:
        before = documents(self.watched)
        try:
            return super().apply(plan, approved=approved)
        except PlanError:
            assert documents(self.watched) == before, "a refused plan changed a document"
            self.turned_down += 1
            raise


def watch(memory: Memory, kind: type[WatchedApplier] = WatchedApplier) -> WatchedApplier:
    """Put a watched applier into a handle."""
    inner = home(memory)
    made = kind(inner.log, inner.fold, inner.view, (), inner.settings.trust)
    made.watched = memory
    memory._consolidator.applier = made
    return made


def documents(memory: Memory) -> dict[str, str]:
    """The Markdown of every document as the views print it."""
    view = home(memory).view
    view.forget_prints()
    return {name: view.printed(name).text for name in view.ids()}


def entries(memory: Memory) -> dict[int, dict[str, Any]]:
    """Every entry, as it lies in its table."""
    return {row[0]: dict(zip(COLUMNS, row, strict=True)) for row in rows(memory)["entry"]}


def plans(memory: Memory) -> list[Plan]:
    """Every plan of the log that took effect, oldest first."""
    return [
        Plan.from_json(record.record_id, record.body)
        for record in home(memory).log.records(kind="plan")
        if record.body is not None
    ]


# --- the laws ---------------------------------------------------------------------------------


def laws(memory: Memory, told: Mapping[str, str], heard: Heard) -> None:
    """Check every law of a run.

    Args:
        memory: after the run.
        told: id -> content of every event that was acknowledged.
        heard: what was asked and answered.
    """
    _events_are_there(memory, told)
    _each_in_one_place(memory)
    _trust_never_rises(memory)
    _wordings_pass(memory, heard)
    before = memory.state()
    assert memory.rebuild().state == before
    assert memory.check().flaws == ()


def _events_are_there(memory: Memory, told: Mapping[str, str]) -> None:
    log = home(memory).log
    for event_id, content in told.items():
        record = log.by_id(event_id)
        assert record is not None
        assert record.body is not None
        assert record.body["content"] == content
    cited = {row[2] for row in rows(memory)["entry_event"]}
    assert told.keys() <= cited, "an event has no entry"


def _events_of(memory: Memory) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for seq, event, *_ in rows(memory)["entry_event"]:
        found.setdefault(seq, set()).add(event)
    return found


def _each_in_one_place(memory: Memory) -> None:
    """Each entry stands in a document, in CURRENT, in the log, or in the line of another one."""
    found, events = entries(memory), _events_of(memory)
    shown = Counter(everywhere(memory))
    assert all(times == 1 for times in shown.values()), "an entry stands in two places"
    reasons = {
        op.seq: op.reason for p in plans(memory) for op in p.operations if isinstance(op, LeaveOut)
    }
    for seq, entry in found.items():
        line = entry["line"]
        if entry["erased"] is not None or line == 0:  # or what worded it is undone
            assert shown[seq] == 0
            continue
        if line < 0:
            heir = found[-line]
            assert heir["erased"] is not None or events[-line] >= events[seq]
            assert shown[seq] == 0
        elif found[line]["document_id"] == LOG:
            assert reasons[line] in {"greeting", "filler", "repeat", "noise"}
            assert shown[seq] == 0
        elif found[line]["line"] < 0:
            assert events[-found[line]["line"]] >= events[seq]
        else:
            assert found[line]["line"] == line
            assert shown[seq] == 1, f"entry {seq} is lost"


def _trust_never_rises(memory: Memory) -> None:
    db = home(memory).log.connection
    bodies = {row: home(memory).log.record(row).body for row in _all_events(db)}
    for seq, own in _events_of(memory).items():
        entry = entries_of(memory, seq)
        said = [bodies[event] for event in own if bodies.get(event) is not None]
        for event in said:
            assert AUTHORITY[entry["source"]] <= AUTHORITY[event["source"]]
            weight = SENSITIVITIES.index
            assert weight(entry["sensitivity"]) >= weight(event["sensitivity"])
            assert entry["project"] == event["project"]


def _all_events(db: Any) -> list[int]:
    return [row[0] for row in db.execute("SELECT position FROM record WHERE kind = 'event'")]


def entries_of(memory: Memory, seq: int) -> dict[str, Any]:
    row = (
        home(memory)
        .log.connection.execute(
            "SELECT source, sensitivity, project FROM entry WHERE seq = ?", (seq,)
        )
        .fetchone()
    )
    return {"source": row[0], "sensitivity": row[1], "project": row[2]}


# --- wordings ---------------------------------------------------------------------------------


def _wordings_pass(memory: Memory, heard: Heard) -> None:
    """Whatever a model typed, and a plan holds, passes the guard against what it was made from."""
    found = entries(memory)
    own = {row[0]: row[1] for row in rows(memory)["joined"]}
    for plan in plans(memory):
        for operation in plan.operations:
            for kind, text in _typed(operation):
                if any(found[seq]["erased"] for seq in text.made_from if seq in found):
                    continue  # what it was made from is gone, and so is it
                said = [_said(found[seq], own) for seq in text.made_from if seq in found]
                if kind in {"fact", "merged"} or heard.typed(text.text):
                    assert _fit(text.text, said, kind), (kind, text, said)


def _said(entry: Mapping[str, Any], own: Mapping[int, str]) -> Said:
    text = own.get(entry["seq"], entry["text"])
    return Said(text, entry["source"], entry["speaker"], entry["time"])


def _fit(typed: str, said: list[Said], kind: Any) -> bool:
    """Say whether a wording passes; the words of its bound, which stand in its sources, are no others."""
    if fits(typed, said, kind=kind) or typed in {one.text for one in said}:
        return True
    bare = re.sub(r"\s*[(（]([^()（）]*)[)）]", "", typed)
    return any(bare.strip(". 。") in one.text for one in said) or fits(bare, said, kind=kind)


def _typed(operation: Any) -> Iterator[tuple[str, Text]]:
    match operation:
        case Reword(text=text):
            yield "fact", text
        case Join(text=text):
            yield "merged", text
        case _:
            for name in ("title", "summary"):
                text = getattr(operation, name, None)
                if text is not None:
                    yield name, text
            for block in getattr(operation, "blocks", ()):
                yield from (("title", heading) for heading in block.headings)
