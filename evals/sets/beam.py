"""BEAM, the part that is here: long chats with questions of ten kinds, gold messages, and rubrics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from evals.forms import Context, Question, read_json
from memoranda import NewEvent

_MARK = re.compile(r"\s*->->\s*[\d,. ]*\s*$")
_GOLD = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def load(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the chats of about 140,000 tokens."""
    return _chats(sorted((data / "beam").glob("beam_128k_dev*")), limit)


def large(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the chats of about 500,000 and a million tokens."""
    folder = data / "beam"
    return _chats(
        [*sorted(folder.glob("beam_500k_dev*")), *sorted(folder.glob("beam_1m_dev*"))], limit
    )


def _chats(files: list[Path], limit: int | None) -> Iterator[Context]:
    given = 0
    for file in files:
        for item in read_json(file):
            if limit is not None and given >= limit:
                return
            given += 1
            yield _context(f"{file.name.partition('_dev')[0]} {item['id']}", item)


def _context(name: str, item: dict[str, Any]) -> Context:
    return Context(
        name=name,
        events=tuple(_events(item["chat"])),
        questions=tuple(
            Question(
                name=f"{name} {kind} {number}",
                kind=kind,
                text=one["question"],
                answers=tuple(str(one[key]) for key in _GOLD if one.get(key))[:1],
                gold=frozenset(map(str, _flat(one.get("source_chat_ids") or []))),
                judge="rubric",
                counts=kind != "abstention",
            )
            for kind, asked in item["probing_questions"].items()
            for number, one in enumerate(asked)
        ),
    )


def _flat(value: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON
    """Give the ids, which stand in lists, or in lists by what they are for."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _events(chat: list[Any]) -> Iterator[NewEvent]:
    time: str | None = None
    batches = [part for batch in chat for part in _batches(batch)]
    for number, batch in enumerate(batches):
        for at, turn in enumerate(turn for turns in batch["turns"] for turn in turns):
            time = _time(turn.get("time_anchor")) or time
            text = _MARK.sub("", turn["content"]).strip()
            if text:
                yield NewEvent(
                    content=text,
                    source="assistant" if turn["role"] == "assistant" else "user",
                    time=time,
                    session=f"batch {number}",
                    external_id=str(turn.get("id", f"{number}:{at}")),
                )


def _batches(batch: Any) -> list[Any]:  # noqa: ANN401 - JSON
    """Give the batches of a chat, which in the largest stand one level deeper."""
    if "turns" in batch:
        return [batch]
    return [inner for plan in batch.values() if isinstance(plan, list) for inner in plan]


def _time(anchor: str | None) -> str | None:
    try:
        return datetime.strptime(f"{anchor} +0000", "%B-%d-%Y %z").date().isoformat()
    except ValueError:
        return None
