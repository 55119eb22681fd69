"""RealMem as events and gold: personas, sessions, projects, queries."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoranda import NewEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A turn that asks something of memory, and the sessions that hold the answer."""

    text: str
    sessions: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """One user's sessions."""

    name: str
    events: tuple[NewEvent, ...]
    """One event a turn; external id `session:turn`, no project: the engine must find the topics."""
    projects: dict[str, str]
    """Session -> gold project, or `Enhanced` for a distractor."""
    queries: tuple[Query, ...]


def project_of(identifier: str) -> str:
    """Give the gold project: the part of the session identifier before `:S...`, number kept.

    `Financial_Planning_4:S2_01` belongs to `Financial_Planning_4`; the trailing number counts the
    projects of a persona, so two projects of one kind stay two. `Enhanced...` are distractors.
    """
    name = re.split(r":", identifier, maxsplit=1)[0]
    return "Enhanced" if name.startswith("Enhanced") else name


def personas(data: Path, limit: int | None = None) -> Iterator[Persona]:
    """Read the personas, in order of name."""
    files = sorted((data / "realmem").glob("*_dialogues_256k.json.gz"))
    for file in files[:limit]:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            yield _persona(json.load(stream))


def _persona(raw: dict[str, Any]) -> Persona:
    events: list[NewEvent] = []
    projects: dict[str, str] = {}
    queries: list[Query] = []
    for session in raw["dialogues"]:
        name = session["session_uuid"]
        projects[name] = project_of(session["session_identifier"])
        asked: str | None = None
        for number, turn in enumerate(session["dialogue_turns"]):
            if turn.get("is_query"):
                asked = turn["content"]
            gold = turn.get("memory_session_uuids")
            if asked is not None and gold:
                queries.append(Query(text=asked, sessions=frozenset(gold)))
                asked = None
            if turn["content"].strip():
                events.append(_event(session, number, turn))
    return Persona(
        name=raw["_metadata"]["person_name"],
        events=tuple(events),
        projects=projects,
        queries=tuple(queries),
    )


def _event(session: dict[str, Any], number: int, turn: dict[str, Any]) -> NewEvent:
    return NewEvent(
        content=turn["content"],
        source="user" if turn["speaker"] == "User" else "assistant",
        time=session["current_time"][:10],
        session=session["session_uuid"],
        external_id=f"{session['session_uuid']}:{number}",
    )
