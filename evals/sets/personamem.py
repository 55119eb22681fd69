"""PersonaMem, 32k: preferences that change, asked as four-way choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

_TURN = re.compile(r"^(?=(?:User|Assistant|\[USER\]|\[ASSISTANT\]|\[SYSTEM\]):?\s)", re.MULTILINE)


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give one context a user; no evidence is named: a model's letter, or the gold option's words, count."""
    folder = data / "personamem"
    documents = read_json(min(folder.glob("personamem_32k_documents*")))
    queries = read_json(min(folder.glob("personamem_32k_queries*")))
    users = list(dict.fromkeys(item["user_id"] for item in documents))
    for number, user in enumerate(users[:limit]):
        yield Context(
            name=f"persona {number + 1}",
            events=tuple(
                event
                for item in documents
                if item["user_id"] == user
                for event in _events(item["id"], item["content"])
            ),
            questions=tuple(
                Question(
                    name=item["id"],
                    kind=item["meta"]["question_type"],
                    text=item["query"],
                    answers=(item["gold_answers"][1],),
                    judge="letter",
                    search=item["meta"]["retrieval_query"],
                )
                for item in queries
                if item["user_id"] == user
            ),
        )


def _events(session: str, content: str) -> Iterator[NewEvent]:
    for number, turn in enumerate(part.strip() for part in _TURN.split(content)):
        if turn:
            said = re.match(r"\[?assistant", turn, re.IGNORECASE)
            yield NewEvent(
                content=turn,
                source="assistant" if said else "user",
                session=session,
                external_id=f"{session}:{number}",
            )
