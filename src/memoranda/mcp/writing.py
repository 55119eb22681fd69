"""Tools that write: remember, correct, consolidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from memoranda.mcp.arguments import Arguments, Name, Seq, SourceName, Time
from memoranda.mcp.tool import Desk, Result, Tool
from memoranda.values import Added, Receipt, Value

MAX_TEXT: Final = 2_000_000
"""Characters of one call; the library has its own limit besides."""


class Remember(Arguments):
    """What `remember` takes."""

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_TEXT,
            description="What to remember, whole and by itself: names in place of pronouns.",
        ),
    ]
    source: Annotated[
        SourceName,
        Field(
            description="user: the user said it; assistant: your own conclusion; tool: a tool gave "
            "it; external: a document or another person."
        ),
    ]
    speaker: Annotated[Name | None, Field(description="Who said it, by name.")] = None
    time: Annotated[
        Time | None, Field(description="When it was said or observed, if it was not now.")
    ] = None
    id: Annotated[Name | None, Field(description="Your id; the same id again adds nothing.")] = None
    session: Annotated[Name | None, Field(description="The conversation it belongs to.")] = None
    sensitivity: Literal["public", "internal", "private"] | None = None


class Correct(Arguments):
    """What `correct` takes."""

    seq: Seq
    text: Annotated[
        str, Field(min_length=1, max_length=MAX_TEXT, description="How it is, as the user says it.")
    ]
    time: Annotated[Time | None, Field(description="When the user said so.")] = None


class Consolidate(Arguments):
    """What `consolidate` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated(Value):
    """What a consolidation did, and what is left."""

    receipts: tuple[Receipt, ...]
    waiting: tuple[str, ...]
    """Plans that wait for a person."""
    current_entries: int
    """Entries that are still not placed."""
    stopped: str = ""
    """Why a run by a model ended before all was done; "" if it did not."""


def _remember(desk: Desk, given: Remember) -> Result:
    added = desk.memory.add(
        given.text,
        source=given.source,
        speaker=given.speaker,
        time=given.time,
        id=given.id,
        session=given.session,
        sensitivity=given.sensitivity,
        actor=desk.actor,
    )
    return Result(added, f"{_what(added)}{_follows(added)}")


def _what(added: Added) -> str:
    if added.forgotten:
        return "This was forgotten before, and is not stored again."
    if added.known:
        return f"It was in memory already: event {', '.join(added.known)}."
    ids = ", ".join(added.event_ids)
    if added.echoes and not added.seqs:
        return f"This is recalled memory: event {ids} is kept in the log, and not taken for new."
    numbers = ", ".join(map(str, added.seqs)) or "none yet"
    return f"Remembered: event {ids}, entry {numbers}.{_secrets(added)}{_asked(added)}"


def _secrets(added: Added) -> str:
    if not added.secrets:
        return ""
    named = ", ".join(f"{number} {kind}" for kind, number in added.secrets)
    return f" Secrets were not stored, marks stand in their places: {named}."


def _asked(added: Added) -> str:
    if not added.asked:
        return ""
    return (
        " This asks to forget something: it is noted, and a person decides "
        f"(`memoranda asked list`); request {', '.join(added.asked)}."
    )


def _follows(added: Added) -> str:
    placed = f" Consolidated {len(added.receipts)} times." if added.receipts else ""
    due = f" Consolidation is due since {added.due_since}." if added.due_since else ""
    return f"{placed}{due}{_waits(added.waiting)}"


def _waits(waiting: tuple[str, ...]) -> str:
    if not waiting:
        return ""
    return f" Waiting for a person's decision: {', '.join(waiting)}; see plans."


def _correct(desk: Desk, given: Correct) -> Result:
    added = desk.memory.correct(given.seq, given.text, time=given.time)
    numbers = ", ".join(map(str, added.seqs))
    text = f"Corrected: entry {numbers} replaces {given.seq}, which is kept under it."
    return Result(added, f"{text}{_secrets(added)}{_follows(added)}")


def _consolidate(desk: Desk, given: Consolidate) -> Result:  # noqa: ARG001 - all works look alike
    before = desk.memory.last_run
    receipts = desk.memory.consolidate()
    status, run = desk.memory.status(), desk.memory.last_run
    value = Consolidated(
        receipts=receipts,
        waiting=desk.memory.waiting(),
        current_entries=status.current_entries,
        stopped=run.stopped if run is not None and run is not before else "",
    )
    placed = sum(len(receipt.placed) for receipt in receipts)
    documents = sorted(
        {name for receipt in receipts for name in (*receipt.created, *receipt.updated)}
    )
    told = f"Placed {placed} entries in {', '.join(documents) or 'no document'}."
    rest = f" {status.current_entries} entries are not placed." if status.current_entries else ""
    why = f" It was stopped: {value.stopped}." if value.stopped else ""
    return Result(value, f"{told}{rest}{why}{_waits(value.waiting)}")


TOOLS: Final = (
    Tool(
        name="remember",
        title="Remember",
        description=(
            "Store one thing that should be known later: a fact, a preference, a decision, a change "
            "of state. It is on disk when this returns. Say truly who it comes from. "
            "Nothing is overwritten: a newer statement stands above the older one."
        ),
        arguments=Remember,
        output=Added,
        work=_remember,
    ),
    Tool(
        name="correct",
        title="Correct an entry",
        description=(
            "Record the user's correction of an entry. The old wording is kept under the new one. "
            "Use it when the user says that something remembered is wrong or has changed."
        ),
        arguments=Correct,
        output=Added,
        work=_correct,
    ),
    Tool(
        name="consolidate",
        title="Consolidate",
        description=(
            "Place what is new in topic documents now. It happens by itself when it is due, so this is "
            "rarely needed."
        ),
        arguments=Consolidate,
        output=Consolidated,
        work=_consolidate,
        repeats=True,
    ),
)
