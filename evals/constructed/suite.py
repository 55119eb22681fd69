"""The suite `constructed`: is the newest state what is shown, is what was revoked gone, do projects mix?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from evals import stats
from evals.constructed.cases import HALVES, HERE, LANGUAGES, Case, all_cases
from evals.forms import Row, data_hash
from evals.judges import normal
from evals.retrieval import table_of
from evals.running import Options, Run, bound
from memoranda import Entry, Memory, Settings
from memoranda.errors import MemorandaError

REVISION = 0.95
"""What is asked of revision accuracy, by rules."""
NARROW = 500
SETTINGS = Settings(auto=False, secrets="keep")
"""Secrets are kept: some cases tell of door codes and passwords, and what is gone must be forgotten."""
FIGURES = ("revision", "cited", "marked", "recall", "gone", "stays", "own")


def run(options: Options) -> Row:
    """Tell all cases of a language to one memory, consolidate, and ask each question."""
    if options.half not in HALVES:
        raise SystemExit(f"half is {' or '.join(HALVES)}, not {options.half}")
    files = sorted(HERE.glob("*_??.txt"))
    run = Run("constructed", options, data_hash(files, HERE))
    run.go(LANGUAGES, _language)
    cases = [row for row in run.rows if row["kind"] != "library"]
    return run.result(_figures(cases, [row for row in run.rows if row["kind"] == "library"]))


def _language(options: Options, language: str, known: frozenset[str]) -> Iterator[Row]:
    if known:
        return  # one memory holds them all: it is done at once, or not
    cases = list(all_cases(language, options.half))[: options.limit]
    events = sorted(
        (event for case in cases for event in case.events), key=lambda e: (e.time, e.external_id)
    )
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        with Memory.open(folder, settings=SETTINGS) as memory:
            memory.add_many(events)
            memory.consolidate()
            for case in cases:
                _do(case, memory)
            rows += [_asked(case, memory) for case in cases if case.project is None]
            rows.append(_library(language, memory))
        rows += [_in_project(case, folder) for case in cases if case.project is not None]
    for row in rows:
        yield {**row, "lang": language}


def _do(case: Case, memory: Memory) -> None:
    if case.deed:
        name = str(case.events[0].external_id)
        if case.deed == "forget":
            memory.forget(external_id=name)
        else:
            found = memory.search(case.events[0].content, budget=2000)
            seqs = [
                e.seq for item in found.evidence for e in item.entries if name in e.external_ids
            ]
            memory.retract(seqs[0])


def _in_project(case: Case, folder: str) -> Row:
    with Memory.open(folder, project=case.project, settings=SETTINGS) as memory:
        return _asked(case, memory)


def _asked(case: Case, memory: Memory) -> Row:
    question = case.question
    narrow = [
        e for item in memory.search(question.text, budget=NARROW).evidence for e in item.entries
    ]
    wide = [e for item in memory.search(question.text).evidence for e in item.entries]
    row: Row = {"name": case.name, "kind": case.kind, "counts": True}
    if case.deed:
        return {**row, **_revoked(case, memory, wide)}
    now = question.answers[0]
    row["recall"] = any(_says(entry, now) for entry in wide)
    row["retrieval_hit"] = row["recall"]
    if case.project is not None:
        return {**row, "own": not any(_says(entry, question.avoid[0]) for entry in wide)}
    if question.avoid:
        before = question.avoid[0]
        row["revision"] = _newest(narrow, now, before)
        row["cited"] = _cited(case, memory, now, before)
        old = [e for e in wide if case.events[-2].external_id in e.external_ids]
        row["marked"] = all(e.superseded_by or e.possibly_replaced_by for e in old)
    return row


def _newest(entries: Sequence[Entry], now: str, before: str) -> bool:
    """Say whether the first line that tells the state at all tells it as it is now."""
    for entry in entries:
        if _says(entry, now):
            return True
        if _says(entry, before) and not entry.superseded_by:
            return False
    return False


def _cited(case: Case, memory: Memory, now: str, before: str) -> bool:
    """Say whether the lexical answer cites the newest state, and before the old one."""
    for claim in memory.ask(case.question.text, reader="lexical").claims:
        said = normal(claim.quote)
        if normal(now) in said:
            return True
        if normal(before) in said and claim.superseded_by is None:
            return False
    return False


def _revoked(case: Case, memory: Memory, wide: Sequence[Entry]) -> Row:
    gone = case.question.avoid[0]
    shown = any(_says(entry, gone) and not entry.retracted for entry in wide)
    if case.deed == "forget":
        texts = [memory.document(info.document_id).markdown for info in memory.documents()]
        shown = shown or any(_inside(gone, text, case) for text in texts)
        shown = shown or _is_there(memory, str(case.events[0].external_id))
    stays = str(case.events[1].external_id)
    said = memory.search(case.events[1].content).evidence
    kept = any(stays in e.external_ids for item in said for e in item.entries)
    return {"gone": not shown, "stays": kept}


def _inside(gone: str, text: str, case: Case) -> bool:
    """Say whether a document still holds the very sentence."""
    return normal(case.events[0].content) in normal(text) and normal(gone) in normal(text)


def _is_there(memory: Memory, name: str) -> bool:
    try:
        memory.get(name)
    except MemorandaError:
        return False
    return True


def _library(language: str, memory: Memory) -> Row:
    """Measure the library that the cases make together."""
    found = memory.metrics(label="kind")
    row = {metric.name: metric.value for metric in found.metrics}
    row["documents"] = len(memory.documents())
    return {"name": f"library {language}", "kind": "library", **row}


def _says(entry: Entry, value: str) -> bool:
    return normal(value) in normal(entry.text)


def _figures(rows: list[Row], libraries: list[Row]) -> Row:
    bounds = []
    for name, wanted in (("revision", REVISION), ("gone", 1.0), ("own", 1.0)):
        values = [float(row[name]) for row in rows if row.get(name) is not None]
        bounds.append(bound(name, stats.mean(values), ">=", wanted))
    for row in libraries:
        for name, sign, wanted in (
            ("retention", ">=", 1), ("replay", ">=", 1), ("deletion", "<=", 0), ("drift", "<=", 0)
        ):  # fmt: skip
            bounds.append(bound(f"{row['name']}: {name}", row[name], sign, wanted))
    named = [{**row, "kind": f"{row['lang']} {row['kind']}"} for row in rows]
    by_language = [{**row, "kind": row["lang"]} for row in rows]
    return {
        "tables": {
            "by language": table_of(by_language, FIGURES),
            "by language and kind": table_of(named, FIGURES)[:-1],
            "libraries": libraries,
        },
        "bounds": bounds,
        "wrong": sorted(
            row["name"]
            for row in rows
            if any(row.get(name) is False for name in ("revision", "gone", "own"))
        ),
    }
