"""With a model: questions of any set answered, judged, with what it took and why an answer is wrong."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from evals import bm25, stats
from evals.forms import Context, Question, Row, data_hash
from evals.judges import by_model, score
from evals.retrieval import ids
from evals.running import Options, Run
from evals.sets import SETS, contexts
from memoranda import Memory, Settings
from memoranda.errors import ModelError
from memoranda.llm.choose import choose
from memoranda.llm.model import Message, Model, Request
from memoranda.text.tokens import count
from memoranda.values import Found

METHODS: Final = (
    "full", "chunks", "lexical", "hybrid", "agentic", "summary", "hybrid-no-structure"
)  # fmt: skip
"""The schemes of R273: the whole context; raw chunks + BM25; topic documents read in four ways; and the
hybrid reader over a library that is never split or merged (R152)."""
CHUNK = 256
"""Tokens of a raw chunk."""
FULL = 7000
"""Tokens of a context that is given whole."""
SECONDS = 600.0
ANSWER = 64
_RULES = (
    "Answer the question from the lines below, in as few words as will do, with nothing around them. "
    "If they do not tell, say: not known."
)


def run(name: str, options: Options) -> Row:
    """Answer the questions of a set; `limit` counts questions, drawn evenly over contexts and seeded."""
    chosen = SETS[name]
    picked = pick(list(contexts(name, options.data)), options.limit, options.seed)
    run = Run(f"{name}-by-model", options, data_hash(chosen.found(options.data), options.data))
    method = options.reader or "hybrid"
    run.go([context.name for context in picked], _Answers(name, (method,)))
    wanted = {(q.name, method) for context in picked for q in context.questions}
    run.rows = [row for row in run.rows if (row["question"], row["method"]) in wanted]
    return run.result(figures(run.rows))


def pick(given: Sequence[Context], number: int | None, seed: int) -> list[Context]:
    """Draw so many questions, the same for a seed, as evenly over contexts and kinds as can be."""
    import hashlib  # noqa: PLC0415

    if number is None:
        return list(given)
    drawn: list[tuple[int, str, str, Question]] = []
    for context in given:
        groups: dict[str, list[tuple[str, Question]]] = {}
        for question in context.questions:
            key = hashlib.sha256(f"{seed}\0{question.name}".encode()).hexdigest()
            groups.setdefault(question.kind, []).append((key, question))
        for own in groups.values():
            own.sort(key=lambda item: item[0])
            drawn += [(turn, key, context.name, q) for turn, (key, q) in enumerate(own)]
    drawn.sort(key=lambda item: item[:2])
    names = {(context, question.name) for _, _, context, question in drawn[:number]}
    picked = [
        replace(c, questions=tuple(q for q in c.questions if (c.name, q.name) in names))
        for c in given
    ]
    return [context for context in picked if context.questions]


class _Answers:
    """Picklable: answers the questions of one context by each method."""

    def __init__(self, name: str, methods: Sequence[str]) -> None:
        self.name = name
        self.methods = tuple(methods)

    def __call__(self, options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
        model = model_of(options.model)
        judge = model_of(options.judge) if options.judge else model
        picked = pick(list(contexts(self.name, options.data)), options.limit, options.seed)
        context = next(item for item in picked if item.name == unit)
        yield from answers(context, self.methods, model, judge, options, known)


def model_of(spec: str | None) -> Model:
    """Make the model that a text names.

    Raises:
        SystemExit: it names none.
    """
    made = choose(spec, os.environ) if spec else None
    if made is None:
        raise SystemExit(
            "this suite needs a model: MODEL=openai:NAME, anthropic:NAME or command:..."
        )
    return made


def answers(
    context: Context,
    methods: Sequence[str],
    model: Model,
    judge: Model,
    options: Options,
    known: frozenset[str] = frozenset(),
) -> Iterator[Row]:
    """Ask each question of a context by each method; a library is made once for each shape, by rules."""
    for structure, own in _by_structure(methods):
        missing = [
            (method, question)
            for question in context.questions
            for method in own
            if f"{question.name} {method}" not in known
        ]
        if not missing:
            continue
        settings = Settings(auto=False, model_seconds=SECONDS, structure=structure)
        with tempfile.TemporaryDirectory() as folder:
            with Memory.open(folder, settings=settings) as memory:
                memory.add_many(context.events)
                memory.consolidate()
            with Memory.open(folder, settings=settings, model=model) as memory:
                for method, question in missing:
                    begun = time.monotonic()
                    found = _asked(method, question, context, memory, model, options)
                    row = _row(found, method, question, judge)
                    row["seconds"] = round(time.monotonic() - begun, 2)
                    yield row


def _by_structure(methods: Sequence[str]) -> list[tuple[Any, list[str]]]:
    off = [method for method in methods if method.endswith("no-structure")]
    on = [method for method in methods if method not in off]
    return [(name, own) for name, own in (("on", on), ("off", off)) if own]


def _asked(
    method: str,
    question: Question,
    context: Context,
    memory: Memory,
    model: Model,
    options: Options,
) -> Row:
    match method:
        case "full":
            lines = lines_of(context)
            if sum(count(line) + 1 for line in lines) > FULL:
                return {"said": "", "skipped": "the context is longer than is given whole"}
            return _by_lines(range(len(lines)), lines, question, context, model)
        case "chunks":
            lines = lines_of(context)
            best = chunks(lines, question.query, options.budget)
            return _by_lines(best, lines, question, context, model)
        case "lexical":
            found = memory.search(question.query, budget=options.budget)
            return _by_evidence(found, question, context, model, memory, options)
        case _:
            return _by_reader(method.partition("-")[0], question, memory, options)


def lines_of(context: Context) -> list[str]:
    """Give a context as lines: date, speaker, text; labelled examples with their labels."""
    labels = context.details.get("labels", {})
    found = []
    for number, event in enumerate(context.events):
        head = " ".join(filter(None, (str(event.time or "")[:10], event.speaker or "")))
        label = f" label: {labels[event.external_id]}" if event.external_id in labels else ""
        begin = f"{head}: " if head else f"{number}. "
        found.append(begin + event.content.replace("\n", " ") + label)
    return found


def chunks(lines: Sequence[str], question: str, budget: int) -> list[int]:
    """Give the numbers of the lines in the best raw chunks by BM25, in their order in the context."""
    cut: list[list[int]] = [[]]
    size = 0
    for number, line in enumerate(lines):
        if size + count(line) > CHUNK and cut[-1]:
            cut.append([])
            size = 0
        cut[-1].append(number)
        size += count(line) + 1
    texts = ["\n".join(lines[number] for number in part) for part in cut]
    left, chosen = budget, []
    for at in bm25.rank(question, texts):
        left -= count(texts[at])
        if left < 0:
            break
        chosen.append(at)
    return [number for at in sorted(chosen) for number in cut[at]]


def _by_lines(
    numbers: Sequence[int], lines: Sequence[str], question: Question, context: Context, model: Model
) -> Row:
    events = [context.events[number] for number in numbers]
    names = {event.session if question.by_session else event.external_id for event in events}
    row = _reply("\n".join(lines[number] for number in numbers), question, context, model)
    return {**row, "hit": question.gold <= names if question.gold else None}


def _by_evidence(
    found: Found,
    question: Question,
    context: Context,
    model: Model,
    memory: Memory,
    options: Options,
) -> Row:
    text = memory.context(question.query, options.budget)
    row = _reply(text, question, context, model)
    return {**row, "hit": question.gold <= ids(question, found) if question.gold else None}


def _reply(text: str, question: Question, context: Context, model: Model) -> Row:
    """Ask about plain lines; the question comes last, so that equal beginnings are read once."""
    request = Request(
        messages=(
            Message(role="system", content=f"{_RULES} {context.rule}".strip()),
            Message(role="user", content=f"{text}\n\nQuestion: {question.text}\nAnswer:"),
        ),
        max_tokens=ANSWER,
        timeout=SECONDS,
    )
    try:
        reply = model.ask(request)
    except ModelError as error:
        return {"said": "", "failed": type(error).__name__}
    used = reply.usage.input_tokens + reply.usage.output_tokens
    return {"said": reply.text.strip(), "tokens": used, "calls": reply.calls}


def _by_reader(reader: Any, question: Question, memory: Memory, options: Options) -> Row:  # noqa: ANN401
    answer = memory.ask(question.text, reader=reader, budget=options.budget)
    quotes = [claim.quote for claim in answer.claims if claim.superseded_by is None]
    found = Found(tokens=answer.tokens, position=answer.position, evidence=answer.evidence)
    trace = answer.trace
    said = answer.text or next(iter(quotes if answer.known else ()), "")
    return {
        "said": said,
        "hit": question.gold <= ids(question, found) if question.gold else None,
        "tokens": trace.retrieval.tokens + trace.answering.tokens if trace else 0,
        "calls": trace.retrieval.calls + trace.answering.calls if trace else 0,
        "stop": trace.stop if trace else "",
        "fallback": trace.fallback if trace else "",
        "citations": len(answer.claims),
    }


def _row(found: Row, method: str, question: Question, judge: Model) -> Row:
    judged = score(question, found["said"])
    if judged["right"] is None and question.answers and "skipped" not in found:
        told = by_model(judge, question.text, question.answers[0], found["said"], timeout=SECONDS)
        judged |= {"right": told.right, "judge": told.reason or told.failed}
    row: Row = {
        "name": f"{question.name} {method}",
        "question": question.name,
        "kind": question.kind,
        "counts": question.counts,
        "method": method,
        **found,
        **judged,
        "retrieval_hit": found.get("hit"),
        "answer_hit": judged["right"],
    }
    row["error"] = error_of(row, question)
    return row


def error_of(row: Row, question: Question) -> str:
    """Name what went wrong; "" where the answer is right."""
    if row.get("skipped"):
        return "skipped"
    if row["right"]:
        return ""
    if row.get("failed") or row.get("stop") == "failed":
        return "call failed"
    stale = [
        answer for answer in question.avoid if answer and answer.lower() in row["said"].lower()
    ]
    if stale:
        return "stale"
    if row["refused"]:
        return "refused with the evidence" if row.get("hit") else "refused without it"
    return "misread" if row.get("hit") else "not retrieved" if row.get("hit") is False else "wrong"


def figures(rows: Sequence[Row]) -> Row:
    """Give accuracy with intervals, refusals, latency, tokens, evidence coverage and error types (R274)."""
    table: list[Row] = []
    for method in dict.fromkeys(row["method"] for row in rows):
        for kind in (*dict.fromkeys(row["kind"] for row in rows), "all"):
            own = [
                row
                for row in rows
                if row["method"] == method
                and kind in {row["kind"], "all"}
                and not row.get("skipped")
            ]
            if own:
                table.append({"method": method, "kind": kind, **_figure(own)})
    errors = [
        {"method": method, **_errors([row for row in rows if row["method"] == method])}
        for method in dict.fromkeys(row["method"] for row in rows)
    ]
    return {
        "tables": {"by method and kind": table, "errors": errors, "differences": differences(rows)},
        "bounds": [],
    }


def _figure(own: Sequence[Row]) -> Row:
    right = [float(bool(row["right"])) for row in own]
    hits = [float(row["hit"]) for row in own if row.get("hit") is not None]
    low, high = stats.interval(right)
    seconds = sorted(row["seconds"] for row in own)
    return {
        "n": len(own),
        "accuracy": {"value": stats.mean(right), "low": low, "high": high, "n": len(own)},
        "evidence": stats.mean(hits),
        "refused": round(sum(row["refused"] for row in own) / len(own), 3),
        "tokens": round(sum(row.get("tokens", 0) for row in own) / len(own)),
        "calls": round(sum(row.get("calls", 0) for row in own) / len(own), 2),
        "seconds": seconds[len(seconds) // 2],
        "p95": seconds[int(len(seconds) * 0.95)],
    }


def _errors(own: Sequence[Row]) -> Row:
    found: dict[str, int] = {}
    for row in own:
        if row["error"]:
            found[row["error"]] = found.get(row["error"], 0) + 1
    return dict(sorted(found.items()))


def differences(rows: Sequence[Row]) -> list[Row]:
    """Give each method's difference to raw chunks, in pairs on the same questions, with its interval."""
    right = {(row["question"], row["method"]): float(bool(row["right"])) for row in rows}
    found = []
    for method in dict.fromkeys(row["method"] for row in rows):
        both = [q for q, m in right if m == method and (q, "chunks") in right]
        if method != "chunks" and both:
            step, low, high = stats.difference(
                [right[q, method] for q in both], [right[q, "chunks"] for q in both]
            )
            found.append({"method": method, "to": "chunks", "n": len(both), "difference": step,
                          "low": low, "high": high})  # fmt: skip
    return found
