"""With a real model, the same for all: our readers beside plain BM25 chunks and the whole context."""

from __future__ import annotations

import json
import os
import re
import string
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

from evals import bm25
from evals.readers_cases import Case, Context, cases
from evals.readers_figures import table
from evals.running import file_part, read_rows
from memoranda import Answer, Memory, Settings
from memoranda.answers import ReaderName
from memoranda.errors import MemorandaError, ModelError
from memoranda.llm.choose import choose
from memoranda.llm.model import Message, Model, Request
from memoranda.text.tokens import count

METHODS = ("agentic", "hybrid", "chunks", "full")
BUDGET = 2000
CHUNK = 256
"""Tokens of a chunk; as many of the best come in as the budget holds."""
FULL = 7000
"""Tokens of a context that is given whole; a longer one is left out of `full`."""
SECONDS = 3600.0
SETTINGS = Settings(auto=False, model_seconds=SECONDS)
_RULES = (
    "Answer the question from the lines below, in as few words as will do, with nothing around them. "
    "If they do not tell, say: not known."
)
Row = dict[str, Any]


def run(
    data: Path,
    *,
    model: str | Model,
    limit: int | None = None,
    out: Path = Path("eval-out"),
    jobs: int = 1,
) -> dict[str, Any]:
    """Ask the fixed questions with each method; go on where an earlier run stopped.

    Each answer is one line of JSON in `readers-MODEL.jsonl` in the folder of the results. Delete a
    line, or the file, to have it asked again.

    Args:
        data: folder of the data sets.
        model: as `Memory.open` takes it, or a model.
        limit: the first so many questions of the fixed list.
        out: folder of the results.
        jobs: how many questions at a time; a server that answers several at once is used better.
    """
    asked: Model | None = choose(model, os.environ) if isinstance(model, str) else model
    if asked is None:
        raise SystemExit("the suite readers needs a model")
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"readers-{file_part(asked.name)}.jsonl"
    rows = {(row["case"], row["method"]): row for row in read_rows(file)}
    wanted = cases(data)[:limit]
    by_context: dict[str, list[Case]] = {}
    for case in wanted:
        by_context.setdefault(case.context.name, []).append(case)
    for group in by_context.values():
        missing = [(m, c) for m in METHODS for c in group if (c.name, m) not in rows]
        if missing:
            _ask_all(missing, asked, file, rows, jobs=jobs)
    chosen = [rows[case.name, method] for case in wanted for method in METHODS]
    return {**table(chosen, METHODS), "model": asked.name, "file": str(file)}


def _ask_all(
    missing: Iterable[tuple[str, Case]],
    model: Model,
    file: Path,
    rows: dict[tuple[str, str], Row],
    *,
    jobs: int = 1,
) -> None:
    """Ask within one context; the memory of it is made once, by rules."""
    pairs = list(missing)
    context = pairs[0][1].context
    turn = Lock()
    free: SimpleQueue[Memory] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(folder, settings=SETTINGS) as memory:
            memory.add_many(context.events)
            memory.consolidate()

        def one(pair: tuple[str, Case]) -> None:
            method, case = pair
            memory = free.get()  # a handle learns how its model is asked: one for each worker
            begun = time.monotonic()
            row = _scored(_asked(method, case, memory, model), case, method, begun)
            free.put(memory)
            with turn, file.open("a", encoding="utf-8") as stream:
                rows[case.name, method] = row
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{case.name} {method}: {'right' if row['right'] else 'wrong'}", flush=True)

        with ExitStack() as stack:
            for _ in range(jobs):
                handle = Memory.open(folder, settings=SETTINGS, model=model)
                free.put(stack.enter_context(handle))
            list(stack.enter_context(ThreadPoolExecutor(jobs)).map(one, pairs))


def _asked(method: str, case: Case, memory: Memory, model: Model) -> Row:
    match method:
        case "agentic" | "hybrid":
            return _by_reader(method, case, memory)
        case "chunks":
            return _by_lines(chunks(case.context, case.question), case, model)
        case _:
            whole = range(len(case.context.lines))
            if sum(count(line) + 1 for line in case.context.lines) > FULL:
                return {"said": "", "skipped": "the context is longer than the model reads at once"}
            return _by_lines(whole, case, model)


def _by_reader(reader: ReaderName, case: Case, memory: Memory) -> Row:
    answer = memory.ask(case.question, reader=reader, budget=BUDGET)
    entries = [entry for item in answer.evidence for entry in item.entries]
    held = {name for entry in entries for name in entry.external_ids}
    gold = {case.context.events[number].external_id for number in case.gold}
    quotes = [claim.quote for claim in answer.claims if claim.superseded_by is None]
    trace = answer.trace
    return {
        "said": answer.text or next(iter(quotes if answer.known else ()), ""),
        "by": "text" if answer.text else "quote" if answer.known else "nothing",
        "hit": gold <= held,
        "tokens": trace.retrieval.tokens + trace.answering.tokens if trace else 0,
        "calls": trace.retrieval.calls + trace.answering.calls if trace else 0,
        "stop": trace.stop if trace else "",
        "fallback": trace.fallback if trace else "",
        "hops": [hop.value for hop in answer.hops],
        "citations": len(answer.claims),
        "citations_good": sum(_stands(memory, answer)),
    }


def _stands(memory: Memory, answer: Answer) -> Iterable[bool]:
    """Say of each claim whether its citation resolves, its events exist and its quote stands there."""
    for claim in answer.claims:
        try:
            entries = memory.resolve(claim.citation).entries
            events = [memory.get(name) for name in claim.event_ids]
        except MemorandaError:
            yield False
            continue
        yield bool(events) and any(claim.quote in entry.text for entry in entries)


def chunks(context: Context, question: str) -> list[int]:
    """Give the numbers of the lines in the best chunks by BM25, in their order in the context."""
    cut: list[list[int]] = [[]]
    size = 0
    for number, line in enumerate(context.lines):
        if size + count(line) > CHUNK and cut[-1]:
            cut.append([])
            size = 0
        cut[-1].append(number)
        size += count(line) + 1
    texts = ["\n".join(context.lines[number] for number in part) for part in cut]
    left, chosen = BUDGET, []
    for at in bm25.rank(question, texts):
        left -= count(texts[at])
        if left < 0:
            break
        chosen.append(at)
    return [number for at in sorted(chosen) for number in cut[at]]


def _by_lines(numbers: Iterable[int], case: Case, model: Model) -> Row:
    """Ask about plain lines; the question comes last, so that equal beginnings are read once."""
    given = list(numbers)
    lines = "\n".join(case.context.lines[number] for number in given)
    request = Request(
        messages=(
            Message(role="system", content=f"{_RULES} {case.context.rule}".strip()),
            Message(role="user", content=f"{lines}\n\nQuestion: {case.question}\nAnswer:"),
        ),
        max_tokens=64,
        timeout=SECONDS,
    )
    try:
        reply = model.ask(request)
    except ModelError as error:
        return {"said": "", "fallback": type(error).__name__, "hit": set(case.gold) <= set(given)}
    return {
        "said": reply.text.strip(),
        "by": "text",
        "hit": set(case.gold) <= set(given),
        "tokens": reply.usage.input_tokens + reply.usage.output_tokens,
        "calls": reply.calls,
    }


def _scored(found: Row, case: Case, method: str, begun: float) -> Row:
    said = normal(found["said"])
    right = any(normal(answer) in said for answer in case.answers)
    return {
        "case": case.name,
        "kind": case.kind,
        "method": method,
        "right": right and "skipped" not in found,
        **found,
        "seconds": round(time.monotonic() - begun, 2),
    }


def normal(text: str) -> str:
    """Normalise as the benchmark does: lower case, no ASCII punctuation, no articles, single blanks."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())
