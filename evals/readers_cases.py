"""The fixed questions of the suite `readers`: facts that were revised, and talks, each with its gold."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.locomo import conversations
from memoranda import NewEvent

WANTED = {"single-hop": 25, "multi-hop": 40, "talk": 20}
SEED = 20
FILES = ("dev_6k_seed1", "dev_6k_seed2", "dev_6k_seed3", "dev_6k_seed4_versions4")
_FACT = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What is remembered: as events for a memory, as lines for plain text."""

    name: str
    events: tuple[NewEvent, ...]
    lines: tuple[str, ...]
    rule: str
    """How a reader of the plain lines tells new from old; "" if nothing is said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question; gold answers; the numbers of the lines that hold the answer."""

    name: str
    kind: str
    context: Context
    question: str
    answers: tuple[str, ...]
    gold: tuple[int, ...]


def cases(data: Path) -> list[Case]:
    """Give the fixed list: 25 single-hop, 40 multi-hop, 20 of talks, mixed so that any beginning is fair."""
    pools: dict[str, list[Case]] = {kind: [] for kind in WANTED}
    for case in (*_facts(data), *_talks(data)):
        pools[case.kind].append(case)
    chosen: list[tuple[float, str, Case]] = []
    for kind, number in WANTED.items():
        chance = random.Random(f"{SEED} {kind}")  # noqa: S311 - the same draw each time, on purpose
        drawn = chance.sample(pools[kind], min(number, len(pools[kind])))
        chosen += [((at + 0.5) / len(drawn), case.name, case) for at, case in enumerate(drawn)]
    return [case for _, _, case in sorted(chosen, key=lambda item: item[:2])]


def _facts(data: Path) -> Iterator[Case]:
    for file in FILES:
        text = (data / "factconsolidation" / f"{file}.json").read_text(encoding="utf-8")
        for record in json.loads(text):
            source = record["metadata"]["source"]
            facts = _FACT.findall(record["context"])
            context = Context(
                name=f"facts {record['metadata']['generator']['seed']}",
                events=tuple(
                    NewEvent(content=fact, source="external", external_id=number)
                    for number, fact in facts
                ),
                lines=tuple(f"{number}. {fact}" for number, fact in facts),
                rule="Of two facts that contradict each other the one with the larger number holds.",
            )
            kind = "multi-hop" if "_mh_" in source else "single-hop"
            rows = zip(record["questions"], record["answers"], strict=True)
            for number, (question, answers) in enumerate(rows):
                yield Case(
                    name=f"{source} {number}",
                    kind=kind,
                    context=context,
                    question=question,
                    answers=tuple(answers),
                    gold=tuple(record["metadata"]["gold_serials"][number]),
                )


def _talks(data: Path) -> Iterator[Case]:
    with gzip.open(data / "locomo" / "locomo_dev.json.gz", "rt", encoding="utf-8") as stream:
        raw: list[dict[str, Any]] = json.load(stream)
    for talk, item in zip(conversations(data), raw, strict=True):
        turns = {event.external_id: number for number, event in enumerate(talk.events)}
        context = Context(
            name=talk.name,
            events=talk.events,
            lines=tuple(f"{str(e.time)[:10]} {e.speaker}: {e.content}" for e in talk.events),
            rule="",
        )
        told = {one["question"]: str(one.get("answer", "")) for one in item["qa"]}
        for number, question in enumerate(talk.questions):
            if question.category != 5 and told.get(question.text):
                gold = (turns[turn] for turn in sorted(question.evidence) if turn in turns)
                yield Case(
                    name=f"{talk.name} {number}",
                    kind="talk",
                    context=context,
                    question=question.text,
                    answers=(told[question.text],),
                    gold=tuple(gold),
                )
