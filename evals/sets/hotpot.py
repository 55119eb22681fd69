"""Fifty questions of HotpotQA over 500 paragraphs: a small stand-in for RULER's two-hop questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evals.forms import Context, Question, read_json
from memoranda import NewEvent


def load(data: Path, limit: int | None) -> Iterator[Context]:  # noqa: ARG001 - it has one context
    """Give the one context; its questions name no evidence, so the answer in the text is what counts."""
    folder = data / "hotpot50"
    corpus = read_json(min(folder.glob("corpus*")))
    asked = read_json(min(folder.glob("questions_dev*")))
    yield Context(
        name="hotpot50",
        events=tuple(
            NewEvent(
                content=text, source="external", session=f"p{number}", external_id=f"p{number}"
            )
            for number, text in enumerate(corpus)
        ),
        questions=tuple(
            Question(
                name=f"hotpot {number}",
                kind="yes-no" if item["answer"].lower() in {"yes", "no"} else "two hops",
                text=item["question"],
                answers=(item["answer"],),
                counts=item["answer"].lower() not in {"yes", "no"},
            )
            for number, item in enumerate(asked)
        ),
    )
