"""LoCoMo as events and gold: conversations, turns, questions with evidence."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda import NewEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, its category (1 multi-hop .. 5 adversarial) and the turns that hold the answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation of two people."""

    name: str
    events: tuple[NewEvent, ...]
    questions: tuple[Question, ...]


def conversations(data: Path, limit: int | None = None) -> Iterator[Conversation]:
    """Read the conversations, in file order."""
    with gzip.open(data / "locomo" / "locomo_dev.json.gz", "rt", encoding="utf-8") as stream:
        raw = json.load(stream)
    for item in raw[:limit]:
        yield Conversation(
            name=item["sample_id"],
            events=tuple(_events(item["conversation"])),
            questions=tuple(_questions(item["qa"])),
        )


def _events(raw: dict[str, Any]) -> Iterator[NewEvent]:
    for number in range(1, 100):
        session = f"session_{number}"
        if session not in raw:
            continue
        said = f"{raw[f'{session}_date_time']} +0000"
        time = datetime.strptime(said, "%I:%M %p on %d %B, %Y %z")
        for turn in raw[session]:
            shared = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield NewEvent(
                content=turn["text"] + shared,
                source="user",
                speaker=turn["speaker"],
                time=time.isoformat(),
                session=session,
                external_id=turn["dia_id"],
            )


def _questions(raw: list[dict[str, Any]]) -> Iterator[Question]:
    for item in raw:
        found = re.findall(r"D\d+:\d+", " ".join(item.get("evidence") or []))
        if found:
            yield Question(
                text=item["question"], category=item["category"], evidence=frozenset(found)
            )
