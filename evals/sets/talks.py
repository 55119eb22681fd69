"""LoCoMo and RealMem: conversations over many sessions, with gold turns or gold sessions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evals import locomo as raw_locomo
from evals import realmem as raw_realmem
from evals.forms import Context, Question, read_json

KINDS = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single", 5: "adversarial"}


def locomo(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the conversations; questions of category 5, which have no answer, don't count."""
    path = next(iter(sorted((data / "locomo").glob("locomo_dev*"))))
    answers = {item["sample_id"]: item["qa"] for item in read_json(path)}
    for talk in raw_locomo.conversations(data, limit):
        told = {one["question"]: str(one.get("answer", "")) for one in answers[talk.name]}
        yield Context(
            name=talk.name,
            events=talk.events,
            questions=tuple(
                Question(
                    name=f"{talk.name} {number}",
                    kind=KINDS[question.category],
                    text=question.text,
                    answers=(told[question.text],) if told.get(question.text) else (),
                    gold=question.evidence,
                    judge="f1",
                    counts=question.category != 5,
                )
                for number, question in enumerate(talk.questions)
            ),
        )


def realmem(data: Path, limit: int | None) -> Iterator[Context]:
    """Give the personas; gold are the sessions that a reply draws on."""
    for persona in raw_realmem.personas(data, limit):
        yield Context(
            name=persona.name,
            events=persona.events,
            questions=tuple(
                Question(
                    name=f"{persona.name} {number}",
                    kind="query",
                    text=query.text,
                    gold=query.sessions,
                    by_session=True,
                    judge="none",
                )
                for number, query in enumerate(persona.queries)
            ),
            details={"projects": persona.projects},
        )
