"""The schemes side by side: the same questions, model and budget for all (R273, R274; paper tables 2, 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evals.answering import METHODS, answers, figures, model_of, pick
from evals.forms import Context, Row, data_hash
from evals.running import Options, Run
from evals.sets import SETS, contexts

OF = ("factconsolidation", "locomo")
"""Sets that the fixed questions are drawn from."""
NUMBER = 40
SMALL = 8000
"""Tokens of the largest context of facts that is asked: it can be given whole."""


def drawn(options: Options) -> list[Context]:
    """Give the fixed questions: half on revised facts, half on talks, the same for a seed."""
    number = options.limit or NUMBER
    each = [number - number // 2, number // 2]
    found: list[Context] = []
    for name, part in zip(OF, each, strict=True):
        given = [c for c in contexts(name, options.data) if name == "locomo" or "6k" in c.name]
        found += pick(given, part, options.seed)
    return found


def run(options: Options) -> Row:
    """Answer the fixed questions by every scheme; what a stopped run left is gone on with."""
    model_of(options.model)  # or nothing is begun
    picked = drawn(options)
    files = [path for name in OF for path in SETS[name].found(options.data)]
    run = Run("schemes", replace(options, jobs=1), data_hash(files, options.data))
    run.go([context.name for context in picked], _work)
    wanted = {question.name for context in picked for question in context.questions}
    run.rows = [row for row in run.rows if row["question"] in wanted]
    return run.result(figures(run.rows))


def _work(options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
    model = model_of(options.model)
    judge = model_of(options.judge) if options.judge else model
    context = next(item for item in drawn(options) if item.name == unit)
    yield from answers(context, METHODS, model, judge, options, known)
