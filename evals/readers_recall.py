"""What a reader may lose by a bad model: evidence recall of scripted policies beside the lexical reader."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from evals.locomo import Conversation, Question, conversations
from evals.readers_cast import Policy, policies
from memoranda import Answer, Memory
from memoranda.answers import ReaderName
from memoranda.read.readers.desk import Limits

BUDGET = 2000
EVERY = 5
"""Each fifth question of categories 1 to 4 is asked: a policy reads with many searches."""
SLACK = 0.0
UNNAMED = ("random documents", "one-word searches", "empty reads", "right documents, no lines")
"""Policies that name no line: their evidence may lack nothing that the lexical reader gives."""


def run(data: Path, *, limit: int | None = None) -> dict[str, Any]:
    """Ask questions of LoCoMo with each policy; gold turns in the evidence at 2,000 tokens.

    Args:
        data: folder of the data sets.
        limit: how many conversations.
    """
    shares: dict[str, list[float]] = defaultdict(list)
    lost: dict[str, int] = defaultdict(int)
    for conversation in conversations(data, limit):
        with tempfile.TemporaryDirectory() as folder:
            with Memory.open(folder) as memory:
                memory.add_many(conversation.events)
                memory.consolidate()
            _ask_all(folder, conversation, shares, lost)
        print(f"{conversation.name}: {len(shares['lexical'])} questions so far", flush=True)
    base = shares["lexical"]
    rows = [_row(name, own, base, lost[name]) for name, own in shares.items()]
    for row in rows:
        print("  ".join(f"{name} {value}" for name, value in row.items()))
    bounds = [_bound(row) for row in rows if row["policy"].partition(": ")[2] in UNNAMED]
    return {"rows": rows, "bounds": bounds, "questions": len(base), "budget": BUDGET}


def _ask_all(
    folder: str, talk: Conversation, shares: dict[str, list[float]], lost: dict[str, int]
) -> None:
    texts = {event.external_id: event.content for event in talk.events}
    words = sorted({word for text in texts.values() for word in text.split() if word.isalpha()})
    wanted = [question for question in talk.questions if question.category != 5][::EVERY]
    floors: dict[str, Answer] = {}
    with Memory.open(folder) as memory:
        titles = {
            name: info.title
            for info in memory.documents()
            for block in memory.document(info.document_id).blocks
            for entry in block.entries
            for name in entry.external_ids
        }
        for question in wanted:
            floors[question.text] = memory.ask(question.text, budget=BUDGET)
            shares["lexical"].append(_share(question, floors[question.text]))
    for reader, casts in policies(words).items():
        for name, policy in casts.items():
            key = f"{reader}: {name}"
            with Memory.open(folder, model=policy) as memory:
                for question in wanted:
                    gold = sorted(question.evidence)
                    policy.about(
                        [texts[turn] for turn in gold if turn in texts],
                        [titles[turn] for turn in gold if turn in titles],
                    )
                    answer = _ask(memory, question, reader, policy)
                    shares[key].append(_share(question, answer))
                    lost[key] += bool(_ids(floors[question.text]) - _ids(answer))


def _ask(memory: Memory, question: Question, reader: str, _: Policy) -> Answer:
    chosen: ReaderName = "hybrid" if reader == "hybrid" else "agentic"
    return memory.ask(question.text, reader=chosen, limits=Limits(budget=BUDGET), calling="typed")


def _ids(answer: Answer) -> set[str]:
    return {
        name for item in answer.evidence for entry in item.entries for name in entry.external_ids
    }


def _share(question: Question, answer: Answer) -> float:
    return len(question.evidence & _ids(answer)) / len(question.evidence)


def _row(name: str, own: list[float], base: list[float], lost: int) -> dict[str, Any]:
    pairs = list(zip(own, base, strict=True))
    return {
        "policy": name,
        "recall": round(sum(own) / len(own), 4),
        "to_lexical": round(sum(one - other for one, other in pairs) / len(pairs), 4),
        "better": sum(one > other for one, other in pairs),
        "worse": sum(one < other for one, other in pairs),
        "lost_a_line": lost,
    }


def _bound(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "figure": row["policy"],
        "value": row["to_lexical"],
        "bound": f">= {-SLACK}, no line of the lexical reader lost",
        "met": row["to_lexical"] >= -SLACK and row["lost_a_line"] == 0,
    }
