"""What a library that a model made holds, and what it cost: the figures of the suite `tokens`."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evals.ideal import Ideal, Line, Spent
from evals.ideal_facts import FactGold
from evals.ideal_talk import TalkGold
from evals.locomo import Conversation
from evals.realmem import Persona, Query
from evals.topics import BOUNDS, measure
from memoranda import Entry, Memory, NewEvent, Settings
from memoranda.errors import StalePlanError
from memoranda.text.tokens import count

WRITING = ("rewrite", "route", "split", "merge", "summarize")
"""The steps that keep the library; extraction is told apart."""
SETTINGS = Settings(auto=False, trust="model")
"""The model makes no mistake: what it says replaces what is taken on its word."""
WINDOW = SETTINGS.current_tokens
ROUNDS = 3
"""How often plans that wait are looked at: one that is stale is planned anew."""


def opened(ideal: Ideal, folder: str) -> Memory:
    """Open a memory that an ideal model maintains."""
    return Memory.open(folder, model=ideal.model(), settings=SETTINGS)


@dataclass(slots=True)
class Keeping:
    """How it went to keep some events."""

    seconds: float = 0.0
    waited: Counter[str] = field(default_factory=Counter)
    """Why plans waited for a person, without their numbers -> how often; all were approved."""


def keep(memory: Memory, events: Iterable[NewEvent]) -> Keeping:
    """Add events and consolidate, a window of CURRENT at a time, as it is due.

    The model makes no mistake, so a person who is asked approves.
    """
    done = Keeping()
    started = time.perf_counter()
    for part in _windows(events):
        memory.add_many(part)
        memory.consolidate()
        for _ in range(ROUNDS):
            for plan in memory.plans("pending"):
                done.waited.update(re.sub(r"\S*\d+", "N", reason) for reason in plan.reasons)
                try:
                    memory.approve(plan.plan_id, by="the evaluation")
                except StalePlanError:
                    continue  # it was planned anew, and is looked at in the next round
    done.seconds = time.perf_counter() - started
    return done


def _windows(events: Iterable[NewEvent]) -> Iterator[list[NewEvent]]:
    part: list[NewEvent] = []
    held = 0
    for event in events:
        tokens = count(event.content)
        if part and held + tokens > WINDOW:
            yield part
            part, held = [], 0
        part.append(event)
        held += tokens
    yield part


def cost(spent: Mapping[str, Spent], memory_tokens: int, steps: Iterable[str]) -> dict[str, Any]:
    """Sum up calls and tokens of some steps, and the output for 1,000 tokens of memory."""
    own = [spent[step] for step in steps if step in spent]
    out = sum(step.tokens_out for step in own)
    return {
        "calls": sum(step.calls for step in own),
        "tokens_in": sum(step.tokens_in for step in own),
        "tokens_out": out,
        "out_per_1000": round(1000 * out / max(1, memory_tokens), 1),
    }


def each_step(spent: Mapping[str, Spent]) -> dict[str, dict[str, int]]:
    """Give calls and tokens step by step."""
    return {
        name: {
            "calls": one.calls,
            "tokens_in": one.tokens_in,
            "tokens_out": one.tokens_out,
            "longest": one.longest,
        }
        for name, one in sorted(spent.items())
    }


def entries(memory: Memory) -> list[Entry]:
    """Give all lines of all documents."""
    return [
        entry
        for info in memory.documents()
        for block in memory.document(info.document_id).blocks
        for entry in block.entries
    ]


def quality(memory: Memory, persona: Persona) -> dict[str, Any]:
    """Measure the topics as issue A1 does, and say which of its bounds are met."""
    infos = memory.documents()
    held: dict[str, Counter[str]] = {}
    for info in infos:
        counts = held.setdefault(info.document_id, Counter())
        for block in memory.document(info.document_id).blocks:
            for entry in block.entries:
                counts.update(name.rsplit(":", 1)[0] for name in entry.external_ids)
    figures = measure(persona, infos, held)
    found = {name: round(float(getattr(figures, name)), 3) for name in BOUNDS}
    met = {
        name: found[name] >= bound if sign == ">=" else found[name] <= bound
        for name, (bound, sign) in BOUNDS.items()
    }
    return {**found, "documents": figures.documents, "met": met}


def trouble(memory: Memory) -> dict[str, Any]:
    """Say what went wrong, as status has it."""
    status = memory.status()
    return {
        "current_tokens": status.current_tokens,
        "failed": list(status.failed),
        "pending": list(status.pending),
        "warnings": list(status.warnings),
    }


# --- facts ------------------------------------------------------------------------------------


def fact_persona(name: str, gold: FactGold, questions: Iterable[str]) -> Persona:
    """Give the facts of a context as events, their topics, and what is asked of them."""
    queries = []
    for question in questions:
        asked = gold.asked(question)
        if asked is not None:
            queries.append(Query(text=question, sessions=frozenset({str(asked.serial)})))
    return Persona(
        name=name,
        events=tuple(
            NewEvent(content=fact.text, source="external", external_id=f"{fact.serial}:0")
            for fact in gold.all
        ),
        projects={str(fact.serial): gold.topic_of_relation(fact.relation) for fact in gold.all},
        queries=tuple(queries),
    )


def facts_kept(gold: FactGold, lines: Iterable[Entry]) -> dict[str, float]:
    """Say how many facts stand in the documents, word for word, and how each of them stands."""
    found: dict[str, list[Entry]] = {}
    for entry in lines:
        for name in entry.external_ids:
            found.setdefault(name, []).append(entry)
    standing = {fact.serial: found.get(f"{fact.serial}:0", []) for fact in gold.all}
    whole = [f for f in gold.all if [e.text for e in standing[f.serial]] == [f.text]]
    replaced = {n for n, es in standing.items() if any(e.superseded_by is not None for e in es)}
    holding = [f for f in gold.newest.values() if standing[f.serial] and f.serial not in replaced]
    marked = [fact for fact in gold.updates if fact.serial in replaced]
    return {
        "kept": len(whole) / len(gold.all),
        "holding": len(holding) / len(gold.newest),
        "updates": len(gold.updates),
        "marked": len(marked) / max(1, len(gold.updates)),
    }


# --- talk -------------------------------------------------------------------------------------


def talk_persona(conversation: Conversation, gold: TalkGold) -> Persona:
    """Give a conversation with the topics of its sessions, and what is asked of it."""
    return Persona(
        name=conversation.name,
        events=conversation.events,
        projects={name.replace("session_", "D"): topic for name, topic in gold.topics.items()},
        queries=tuple(
            Query(text=asked.text, sessions=frozenset(e.split(":")[0] for e in asked.evidence))
            for asked in conversation.questions
        ),
    )


def talk_kept(conversation: Conversation, gold: TalkGold, lines: Iterable[Entry]) -> dict[str, Any]:
    """Say how many turns an entry cites or are greetings, and how many entries are in new words."""
    held = list(lines)
    cited = {name for entry in held for name in entry.external_ids}
    said = {event.external_id: event.content for event in conversation.events}
    typed = [e for e in held if not any(e.text in (said.get(n) or "") for n in e.external_ids)]
    shown = [
        Line(name=event.external_id or "", about=f" user {event.speaker}", text=event.content)
        for event in conversation.events
    ]
    greetings = set(gold.idle(shown))
    return {
        "turns": len(said),
        "kept": len((cited | greetings) & set(said)) / len(said),
        "left_out": len(greetings - cited),
        "entries": len(held),
        "typed": len(typed),
    }


def tokens_of(lines: Iterable[Entry]) -> int:
    """Count the tokens of entries."""
    return sum(count(entry.text) for entry in lines)
