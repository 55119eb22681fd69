"""LongMemEval, the part that is here: full haystacks, own mixtures of them, and oracle sessions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

_DATE = re.compile(r"(\d{4})[/-](\d\d)[/-](\d\d)(?: \(\w+\))?[ T](\d\d:\d\d)")


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the mixtures and the full haystacks first, then all oracle sessions as one context."""
    yield from islice(_all(data / "longmemeval"), limit)


def _all(folder: Path) -> Iterator[Context]:
    for path in sorted(folder.glob("sstar_like_dev*")):
        for item in read_json(path):
            sessions = [(one["session_id"], one["date"], one["turns"]) for one in item["sessions"]]
            yield _context(item["context_id"], sessions, item["questions"])
    for path in sorted(folder.glob("full_s_dev*")):
        for item in read_json(path):
            yield _context(f"full {item['question_id']}", _sessions(item), [item])
    for path in sorted(folder.glob("oracle_dev*")):
        items = read_json(path)
        seen: dict[str, tuple[str, str, Any]] = {}
        for item in items:
            seen |= {session[0]: session for session in _sessions(item)}
        merged = sorted(seen.values(), key=lambda session: (time_of(session[1]), session[0]))
        yield _context("oracle sessions", merged, items)


def _sessions(item: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    rows = zip(
        item["haystack_session_ids"], item["haystack_dates"], item["haystack_sessions"], strict=True
    )
    return sorted(rows, key=lambda session: (time_of(session[1]), session[0]))


def time_of(date: str) -> str:
    """Read a date as the files write it."""
    found = _DATE.match(date)
    if found is None:
        raise ValueError(f"no date: {date!r}")
    year, month, day, clock = found.groups()
    return f"{year}-{month}-{day}T{clock}:00Z"


def _context(name: str, sessions: list[tuple[str, str, Any]], questions: list[Any]) -> Context:
    return Context(
        name=name,
        events=tuple(
            NewEvent(
                content=turn["content"],
                source="assistant" if turn["role"] == "assistant" else "user",
                time=time_of(date),
                session=session,
                external_id=f"{session}:{number}",
            )
            for session, date, turns in sessions
            for number, turn in enumerate(turns)
            if turn["content"].strip()
        ),
        questions=tuple(
            Question(
                name=f"{name} {one['question_id']}",
                kind=one["question_type"],
                text=one["question"],
                answers=(str(one["answer"]),),
                gold=frozenset(one["answer_session_ids"]),
                by_session=True,
                judge="rubric",
                counts="_abs" not in one["question_id"],
            )
            for one in questions
        ),
    )
