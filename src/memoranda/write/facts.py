"""Words anew: what a model makes of entries of CURRENT becomes a plan that rewords, keys and leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoranda.store import requests
from memoranda.store.home import Home
from memoranda.store.operations import Key, LeaveOut, Operation, Plan, Reword, Text
from memoranda.text.tokens import count
from memoranda.values import Entry, NewEvent
from memoranda.write.by_model import Extraction, Item
from memoranda.write.near import keys_near


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Entries of CURRENT that no model was shown yet, and the nearest keys of states."""

    entries: tuple[Entry, ...]
    keys: tuple[str, ...]

    @property
    def seqs(self) -> tuple[int, ...]:
        """The entries, in order."""
        return tuple(entry.seq for entry in self.entries)

    def events(self) -> list[NewEvent]:
        """Give the entries as a model is shown them: one event each, in its own words."""
        return [
            NewEvent(
                content=entry.text,
                source=entry.source,
                speaker=entry.speaker,
                time=entry.time or f"{entry.recorded[:16]}Z",
                session=entry.session,
                project=entry.project,
                sensitivity=entry.sensitivity,
            )
            for entry in self.entries
        ]


def next_batch(home: Home, *, tokens: int, upto: int, undone: bool = True) -> Batch | None:
    """Take the oldest unread entries of CURRENT, up to some tokens; None when all are read.

    Args:
        home: the scope.
        tokens: of the batch; at least one entry is taken.
        upto: entries above this number are left for the next run.
        undone: take too what an undo set free.
    """
    seqs: list[int] = []
    held = 0
    kept = requests.kept_back(home.log)  # what is to be forgotten is shown to no model meanwhile
    shadow = home.settings.mode == "shadow"
    for place in home.view.unread(shadow=shadow, undone=undone, limit=tokens):
        if place.seq in kept:
            continue
        held += place.tokens
        if place.seq > upto or (seqs and held > tokens):
            break
        seqs.append(place.seq)
    if not seqs:
        return None
    lines = home.view.entries(seqs)
    entries = tuple(lines[seq] for seq in seqs)
    return Batch(entries=entries, keys=keys_near(entries, home.view))


def note_wishes(batch: Batch, made: Extraction, home: Home, *, by: str) -> None:
    """Note the requests to forget that a model understood, but those that rules have heard before."""
    if home.settings.asked_to_forget == "ignore" or not made.wishes:
        return
    heard = {item.seq for item in requests.requests(home.log)}
    with home.log.transaction():
        for wish in made.wishes:
            entry = batch.entries[wish.event]
            record = home.log.by_id(entry.event_ids[0]) if entry.event_ids else None
            if record is not None and entry.seq not in heard:
                requests.note(home.log, record.position, entry.seq, "named", by=by, what=wish.what)


def plan_of(batch: Batch, made: Extraction, home: Home, *, plan_id: str, by: str) -> Plan:
    """Plan what was made of a batch; what is in no operation stays as it is.

    An item of one event, in that event's own words, only adds keys. An entry of which a part stays
    word for word is not reworded: it stays whole. What others have placed,
    replaced, retracted or forgotten since the model was shown it is no part of the plan any more.
    """
    window = _unread(batch, home)
    operations: list[Operation] = []
    verbatim = {number for item in made.items if item.said is None for number in item.events}
    for item in made.items:
        own = len(item.events) == 1 and item.said == batch.entries[item.events[0]].text
        if verbatim & set(item.events) and not own:
            continue
        told = _operation(item, batch.entries)
        operations += [op for op in told if set(_about(op)) <= set(window)]
    reworded = {s for op in operations if isinstance(op, Reword) for s in op.seqs}
    keyed = {op.seq: op for op in operations if isinstance(op, Key) and op.seq not in reworded}
    reasons = {batch.entries[item.event].seq: item.reason for item in made.left_out}
    spoken = reworded | keyed.keys()
    out = {seq: reasons[seq] for seq in window if seq in reasons and seq not in spoken}
    operations = [op for op in operations if isinstance(op, Reword)]
    operations += [*keyed.values(), *(LeaveOut(seq=seq, reason=out[seq]) for seq in sorted(out))]
    return Plan(
        plan_id=plan_id,
        kind="extract",
        epoch=home.view.counter("epoch"),
        window=window,
        input_event_ids=tuple(
            dict.fromkeys(i for e in batch.entries if e.seq in window for i in e.event_ids)
        ),
        versions={},
        operations=tuple(operations),
        warnings=_said(len(out)),
        by=by,
    )


def _unread(batch: Batch, home: Home) -> tuple[int, ...]:
    """Give the entries of a batch that are as the model was shown them, and still wait to be read."""
    shadow = home.settings.mode == "shadow"
    unread = {place.seq for place in home.view.unread(shadow=shadow, undone=True)} & set(batch.seqs)
    now = home.view.entries(unread)
    return tuple(entry.seq for entry in batch.entries if now.get(entry.seq) == entry)


def _said(left_out: int) -> tuple[str, ...]:
    return (f"{left_out} entries were left out of all documents",) if left_out else ()


def nothing_of(batch: Batch, home: Home, *, plan_id: str, by: str, warning: str) -> Plan:
    """Plan to keep a batch word for word: a model's proposal can't be used."""
    plan = plan_of(batch, Extraction(items=()), home, plan_id=plan_id, by=by)
    return replace(plan, operations=(), warnings=(warning,))


def without(plan: Plan, seqs: Sequence[int] | frozenset[int]) -> Plan:
    """Give a plan that keeps some entries word for word."""
    held = set(seqs)
    left = [op for op in plan.operations if not held & set(_about(op))]
    warning = f"{len(held)} entries were kept word for word: policy held their wording back"
    return replace(plan, operations=tuple(left), warnings=(*plan.warnings, warning))


def _about(operation: Operation) -> tuple[int, ...]:
    match operation:
        case Reword(seqs=seqs):
            return seqs
        case Key(seq=seq) | LeaveOut(seq=seq):
            return (seq,)
        case _:
            return ()


def _operation(item: Item, entries: Sequence[Entry]) -> list[Operation]:
    """Say what an item does; a verbatim one without keys of its own does nothing."""
    if item.said is None:
        return []
    cited = [entries[number] for number in item.events]
    seqs = tuple(sorted(entry.seq for entry in cited))
    keys = tuple(Text(text=key, made_from=seqs) for key in item.keys)
    if len(cited) == 1 and item.said == cited[0].text:
        return [Key(seq=seqs[0], keys=keys)] if keys else []
    text = Text(text=item.said, made_from=seqs)
    return [Reword(seqs=seqs, text=text, tokens=count(item.said), keys=keys)]
