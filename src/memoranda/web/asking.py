"""Pages that ask: one question with its answer, and the search lab, where readers stand side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from memoranda.answers import READERS, Answer, ReaderName
from memoranda.memory import Memory
from memoranda.settings import RULES
from memoranda.values import Evidence
from memoranda.web.formats import content_terms
from memoranda.web.visit import Page, Visit

BUDGET: Final = 1500
"""Tokens of evidence for each reader, unless told otherwise."""
_DEADLINE: Final = 120.0
"""Seconds for one reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One piece of evidence with why it stands where it does."""

    place: int
    evidence: Evidence
    share: float
    """Its score as a part of the best one's: 0 to 1."""
    matched: tuple[str, ...]
    """Terms of the query that stand in its lines."""
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What one reader made of the question."""

    reader: ReaderName
    answer: Answer
    ranked: tuple[Ranked, ...]


def ask(visit: Visit) -> Page:
    """Show the form, or answer what it asks."""
    question = visit.asked("q")
    reader = _reader(visit.asked("reader"))
    answer = None
    if question and visit.form:
        answer = visit.memory.ask(
            question, reader=reader, budget=visit.number("budget", 2000) or 1, deadline=_DEADLINE
        )
    return Page(
        template="ask.html",
        values={
            **_given(visit, question),
            "answer": answer,
            "spans": spans(answer) if answer else (),
            "reader": reader or "",
            "terms": content_terms(question),
        },
    )


def spans(answer: Answer) -> list[tuple[int, int] | None]:
    """Give where each claim's quote stands in its line, so that an address needs no words."""
    entries = [entry for found in answer.evidence for entry in found.entries]
    found: list[tuple[int, int] | None] = []
    for claim in answer.claims:
        texts = (entry.text for entry in entries if entry.seqs == claim.seqs)
        at = next((text.find(claim.quote) for text in texts), -1)
        found.append(None if at < 0 else (at, at + len(claim.quote)))
    return found


def lab(visit: Visit) -> Page:
    """Show what each reader finds; without a form only the one that needs no model is asked."""
    question = visit.asked("q")
    chosen = [name for name in READERS if name in visit.all("reader")] if visit.form else []
    budget = visit.number("budget", BUDGET) or BUDGET
    columns = []
    if question:
        columns = [column(visit.memory, question, name, budget) for name in chosen or ["lexical"]]
    return Page(
        template="lab.html",
        values={
            **_given(visit, question),
            "columns": columns,
            "chosen": chosen or ["lexical"],
            "budget": budget,
            "terms": content_terms(question),
        },
    )


def column(memory: Memory, question: str, reader: ReaderName, budget: int) -> Column:
    """Ask one reader, and say why what it found stands where it does."""
    answer = memory.ask(question, reader=reader, budget=budget, deadline=_DEADLINE)
    wanted = content_terms(question)
    best = max((found.score for found in answer.evidence), default=0) or 1
    ranked = tuple(
        _ranked(place, found, best, wanted) for place, found in enumerate(answer.evidence, 1)
    )
    return Column(reader=reader, answer=answer, ranked=ranked)


def _ranked(place: int, found: Evidence, best: float, wanted: frozenset[str]) -> Ranked:
    texts = (*(entry.text for entry in found.entries), found.title, *found.headings)
    there = frozenset().union(*(content_terms(text) for text in texts)) & wanted
    return Ranked(
        place=place,
        evidence=found,
        share=max(0.0, min(1.0, found.score / best)),
        matched=tuple(sorted(there)),
        missing=tuple(sorted(wanted - there)),
    )


def _given(visit: Visit, question: str) -> Mapping[str, Any]:
    model = visit.memory.status().model
    return {"q": question, "readers": READERS, "model": model, "by_rules": model == RULES}


def _reader(name: str) -> ReaderName | None:
    return next((reader for reader in READERS if reader == name), None)
