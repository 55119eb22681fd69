"""Evidence recall beside other memories, without a model: the same turns, questions and budget for all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evals import stats
from evals.forms import Question, Row, data_hash
from evals.peers.systems import Chunk, Chunks, Fts5, Ours, Outside, System
from evals.running import Options, Run, bound
from evals.sets import SETS, contexts
from memoranda.text.tokens import count

OF = ("locomo", "realmem", "longmemeval")
BUDGET = 2000
TURN = 6
"""Tokens that a turn costs besides its text."""
MISSES = 8
"""So many hits in a row that don't fit end the packing."""
INSIDE: dict[str, Callable[[], System]] = {"ours": Ours, "fts5": Fts5, "chunks": Chunks}


def systems(options: Options) -> dict[str, Callable[[], System]]:
    """Give the systems: those inside, and peers whose interpreters `--peer NAME=PYTHON,...` names."""
    found = dict(INSIDE)
    for item in filter(None, str(dict(options.more).get("peer", "")).split(",")):
        name, _, python = item.partition("=")
        if name not in PEERS:
            raise SystemExit(f"--peer takes {', '.join(PEERS)}, each as NAME=PYTHON; not {item!r}")
        found[name] = PEERS[name](python)
    return found


PEERS: dict[str, Callable[[str], Callable[[], System]]] = {
    "bm25s": lambda python: lambda: Outside("bm25s, raw turns", python, "bm25s_peer.py"),
    "basic-memory": lambda python: (
        lambda: Outside("Basic Memory, keyword", python, "basic_memory_peer.py")
    ),
    "mem0": lambda python: lambda: Outside("mem0, MiniLM", python, "mem0_peer.py"),
}


def run(options: Options) -> Row:
    """Give every system the turns of each context, ask every question, and pack 2,000 tokens."""
    files = [path for name in OF for path in SETS[name].found(options.data)]
    run = Run("peers", options, data_hash(files, options.data))
    units = [
        f"{name}|{context.name}|{system}"
        for name in OF
        for context in contexts(name, options.data, options.limit)
        for system in systems(options)
    ]
    run.go(units, _work)
    return run.result(_figures(run.rows))


def _work(options: Options, unit: str, known: frozenset[str]) -> Iterator[Row]:
    name, wanted, chosen = unit.split("|")
    context = next(c for c in contexts(name, options.data) if c.name == wanted)
    asked = [q for q in context.questions if q.gold and q.counts and q.name not in known]
    if not asked:
        return
    turns = [chunk_of(event) for event in context.events]
    system = systems(options)[chosen]()
    try:
        for chunk in turns:
            system.memorize(chunk)
        for question in asked:
            begun = time.monotonic()
            ranked = system.search(question.query, BUDGET)
            seconds = time.monotonic() - begun
            yield {
                "name": question.name, "set": name, "system": system.name, "kind": question.kind,
                **_shares(ranked, turns, question, packs=system.packs),
                "seconds": round(seconds, 4),
            }  # fmt: skip
    finally:
        system.close()


def chunk_of(event: Any) -> Chunk:  # noqa: ANN401 - a NewEvent
    """Make the chunk of an event."""
    return Chunk(
        name=event.external_id,
        text=event.content,
        speaker=event.speaker or "",
        date=str(event.time or "")[:10],
        session=event.session or "",
        source=event.source,
    )


def _shares(
    ranked: Sequence[str], turns: Sequence[Chunk], question: Question, *, packs: bool
) -> Row:
    """Give the share of gold in the budget: of the hits alone, and with the turns beside each."""
    if packs:
        alone = beside = list(ranked)
    else:
        alone, beside = packed(ranked, turns, 0), packed(ranked, turns, 1)
    session = {chunk.name: chunk.session for chunk in turns}

    def share(names: Sequence[str]) -> float:
        found = {session[name] for name in names} if question.by_session else set(names)
        return round(len(question.gold & found) / len(question.gold), 4)

    return {"alone": share(alone), "beside": share(beside), "hits": len(ranked)}


def packed(ranked: Sequence[str], turns: Sequence[Chunk], near: int) -> list[str]:
    """Fill the budget with hits, best first, each with so many turns before and after it."""
    at = {chunk.name: number for number, chunk in enumerate(turns)}
    left, missed = BUDGET, 0
    taken: dict[str, None] = {}
    for name in ranked:
        around = range(max(0, at[name] - near), min(len(turns), at[name] + near + 1))
        wanted = [turns[n] for n in sorted(around, key=lambda n: (n != at[name], n))]
        for chunk in wanted:
            price = count(chunk.said) + TURN
            if chunk.name in taken:
                continue
            if price > left:
                missed += 1
                continue
            missed = 0
            left -= price
            taken[chunk.name] = None
        if missed >= MISSES:
            break
    return list(taken)


def _figures(rows: list[Row]) -> Row:
    table: list[Row] = []
    best: dict[tuple[str, str], float] = {}
    for name in OF:
        for system in dict.fromkeys(row["system"] for row in rows):
            own = [row for row in rows if (row["set"], row["system"]) == (name, system)]
            if not own:
                continue
            line: Row = {"set": name, "system": system, "n": len(own)}
            for way in ("alone", "beside"):
                values = [row[way] for row in own]
                low, high = stats.interval(values)
                line[way] = {"value": stats.mean(values), "low": low, "high": high, "n": len(own)}
                best[name, system] = max(best.get((name, system), 0.0), stats.mean(values) or 0.0)
            seconds = sorted(row["seconds"] for row in own)
            line["ms"] = round(1000 * seconds[len(seconds) // 2], 1)
            line["nothing found"] = sum(not row["hits"] for row in own)
            table.append(line)
    return {"tables": {"gold evidence at 2,000 tokens": table}, "bounds": list(_bounds(best))}


def _bounds(best: dict[tuple[str, str], float]) -> Iterator[Row]:
    """Ask to be ahead of each peer, at its better packing."""
    for (name, system), value in best.items():
        if system != Ours.name:
            lead = best[name, Ours.name] - value
            yield bound(f"{name}: ahead of {system}", lead, ">", 0)
