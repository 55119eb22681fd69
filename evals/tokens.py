"""What maintenance by a model costs in tokens when the model answers rightly, beside peers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evals import locomo, tokens_peers
from evals.facts import _FACT, _records
from evals.ideal import Ideal
from evals.ideal_facts import FactGold, Sentences
from evals.ideal_talk import TalkGold, observations
from evals.peers.run import named
from evals.tokens_figures import (
    SETTINGS,
    WRITING,
    cost,
    each_step,
    entries,
    fact_persona,
    facts_kept,
    keep,
    opened,
    quality,
    talk_kept,
    talk_persona,
    tokens_of,
    trouble,
)
from evals.tokens_flush import flush
from evals.tokens_peers import TalkFacts, beside
from evals.topics import BOUNDS
from memoranda.text.tokens import count

SIZES = ("6k", "32k")
RUNS = 3
"""Of each context; tokens differ a little, as names of one call do."""
TALKS = 2
LIBRARIES = (10, 10_000)
MOST = {"facts": 300, "talk": 150, "extract": 400}
"""Tokens of replies for 1,000 tokens of memory; for extraction, of events."""
MARKED = 0.98
RATIO = 1.2
PEER_BOUNDS = {"infini-memory": (("writing",), 10), "mem0": (("writing", "extract"), 1)}
"""Peer -> the parts of the cost that are compared, and how much dearer its tokens out shall be."""

Row = dict[str, Any]


def run(data: Path, *, limit: int | None = None, peer: str | None = None) -> Row:
    """Keep two contexts of facts and two conversations, and flush into libraries of two sizes.

    Args:
        data: folder of the data sets.
        limit: how many contexts and conversations.
        peer: interpreters of peers as `NAME=PYTHON,...`, a plain PYTHON is one that has
            `infini-memory`; None runs ours alone. They keep the contexts of facts as often as ours
            does, and each conversation once.

    Raises:
        SystemExit: a peer of an unknown name.
    """
    peers = named(peer or "")
    ours: list[Row] = []
    theirs: list[Row] = []
    for name, gold, questions in contexts(data, limit):
        for _ in range(RUNS):
            ours.append(of_facts(name, gold, questions))
            _print("ours", ours[-1])
            for system, python in peers.items():
                theirs.append(tokens_peers.of_facts(system, python, name, gold))
                _print(system, theirs[-1])
    talks, theirs_of_talk = _kept_talks(data, min(TALKS, limit or TALKS), peers)
    flushes = [flush(documents) for documents in LIBRARIES]
    bounds = [
        *_fact_bounds(ours),
        *_talk_bounds(talks),
        _longest([*ours, *talks]),
        *_flush_bounds(flushes),
        *_peer_bounds(ours, theirs),
    ]
    return {
        "facts": ours,
        "peer": theirs,
        "talk": talks,
        "peer_talk": theirs_of_talk,
        "flush": flushes,
        "tables": {
            "facts, side by side": beside([*ours, *theirs]),
            "talk, side by side": beside([*talks, *theirs_of_talk], size="event_tokens"),
        },
        "bounds": bounds,
    }


def _kept_talks(data: Path, number: int, peers: Mapping[str, str]) -> tuple[list[Row], list[Row]]:
    """Let ours and each peer keep some conversations: our rows, and theirs."""
    ours: list[Row] = []
    theirs: list[Row] = []
    for item, gold in _talks(data, number):
        facts = TalkFacts(item, gold)
        ours.append(of_talk(item, gold, facts))
        _print("ours", ours[-1])
        for system, python in peers.items():
            heard = ours[-1]["event_tokens"]
            theirs.append(tokens_peers.of_talk(system, python, item.name, facts, heard))
            _print(system, theirs[-1])
    return ours, theirs


def contexts(data: Path, limit: int | None) -> Iterator[tuple[str, FactGold, list[str]]]:
    """Give the published contexts of facts: name, what is known of them, questions."""
    sentences = Sentences.published(data)
    for name, record in _records(data, len(SIZES)):
        if limit is None or name.endswith(SIZES[:limit]):
            texts = _FACT.findall(record["context"])
            yield name.rpartition(":")[2], FactGold(sentences, texts), record["questions"]


def _talks(data: Path, number: int) -> Iterator[tuple[locomo.Conversation, TalkGold]]:
    observed = observations(data)
    for item in locomo.conversations(data, number):
        yield item, TalkGold(item, observed[item.name])


# --- one run ----------------------------------------------------------------------------------


def of_facts(name: str, gold: FactGold, questions: list[str]) -> Row:
    """Keep a context of facts once."""
    ideal = Ideal(gold)
    persona = fact_persona(name, gold, questions)
    size = sum(count(fact.text) for fact in gold.all)
    with tempfile.TemporaryDirectory() as folder, opened(ideal, folder) as memory:
        done = keep(memory, persona.events)
        kept = facts_kept(gold, entries(memory))
        topics = quality(memory, persona)
        state = trouble(memory)
    return {
        "set": name,
        "memory_tokens": size,
        "seconds": round(done.seconds, 1),
        "waited": dict(done.waited),
        **kept,
        "writing": cost(ideal.spent, size, WRITING),
        "extract": cost(ideal.spent, size, ("extract",)),
        "steps": each_step(ideal.spent),
        "quality": topics,
        "trouble": state,
    }


def of_talk(conversation: locomo.Conversation, gold: TalkGold, facts: TalkFacts) -> Row:
    """Keep a conversation once."""
    ideal = Ideal(gold)
    heard = sum(count(event.content) for event in conversation.events)
    with tempfile.TemporaryDirectory() as folder, opened(ideal, folder) as memory:
        done = keep(memory, conversation.events)
        lines = entries(memory)
        kept = talk_kept(conversation, gold, lines)
        cited = {name for entry in lines for name in entry.external_ids}
        topics = quality(memory, talk_persona(conversation, gold))
        state = trouble(memory)
    size = tokens_of(lines)
    return {
        "set": conversation.name,
        "event_tokens": heard,
        "memory_tokens": size,
        "seconds": round(done.seconds, 1),
        "waited": dict(done.waited),
        **kept,
        "told": len(cited & facts.turns.keys()) / max(1, len(facts.turns)),
        "writing": cost(ideal.spent, size, WRITING),
        "extract": cost(ideal.spent, heard, ("extract",)),
        "steps": each_step(ideal.spent),
        "quality": topics,
        "trouble": state,
    }


# --- bounds -----------------------------------------------------------------------------------


def _bound(figure: str, value: float, sign: str, bound: float) -> Row:
    met = value >= bound if sign == ">=" else value <= bound
    return {"figure": figure, "value": round(value, 4), "bound": f"{sign} {bound}", "met": met}


def _fact_bounds(rows: list[Row]) -> Iterator[Row]:
    """Judge each context by its worst run."""
    for name in dict.fromkeys(row["set"] for row in rows):
        own = [row for row in rows if row["set"] == name]
        most = max(row["writing"]["out_per_1000"] for row in own)
        yield _bound(f"{name}: tokens out for 1,000", most, "<=", MOST["facts"])
        yield _bound(f"{name}: facts kept", min(row["kept"] for row in own), ">=", 1)
        yield _bound(f"{name}: newest that hold", min(row["holding"] for row in own), ">=", 1)
        yield _bound(f"{name}: updates marked", min(row["marked"] for row in own), ">=", MARKED)
        yield from _quality_bounds(name, own)


def _quality_bounds(name: str, rows: list[Row]) -> Iterator[Row]:
    for figure, (bound, sign) in BOUNDS.items():
        worst = min if sign == ">=" else max
        value = worst(row["quality"][figure] for row in rows)
        yield _bound(f"{name}: topics, {figure}", value, sign, bound)


def _talk_bounds(rows: list[Row]) -> Iterator[Row]:
    for row in rows:
        name = row["set"]
        out = row["writing"]["out_per_1000"]
        yield _bound(f"{name}: tokens out for 1,000", out, "<=", MOST["talk"])
        out = row["extract"]["out_per_1000"]
        yield _bound(f"{name}: extract, out for 1,000 heard", out, "<=", MOST["extract"])
        yield _bound(f"{name}: turns kept", row["kept"], ">=", 1)


def _longest(rows: list[Row]) -> Row:
    """Judge the longest reply: a model is cut at the setting `reply_tokens`."""
    longest = max(step["longest"] for row in rows for step in row["steps"].values())
    return _bound("tokens of the longest reply", longest, "<=", SETTINGS.reply_tokens)


def _flush_bounds(rows: list[Row]) -> Iterator[Row]:
    few, many = rows[0], rows[-1]
    figure = f"tokens in of a flush, {many['documents']} documents to {few['documents']}"
    yield _bound(figure, many["tokens_in"] / few["tokens_in"], "<=", RATIO)


def _peer_bounds(ours: list[Row], theirs: list[Row]) -> Iterator[Row]:
    """Judge the dearest of our runs by the cheapest of a peer's.

    `infini-memory` is compared without extraction; mem0 does nothing but extract.
    """
    for name, system in dict.fromkeys((row["set"], row["peer"]) for row in theirs):
        parts, bound = PEER_BOUNDS[system]
        own = [row for row in theirs if (row["set"], row["peer"]) == (name, system)]
        least = min(_out(row, parts) for row in own)
        most = max(_out(row, parts) for row in ours if row["set"] == name)
        yield _bound(f"{name}: tokens out, {system} to ours", least / most, ">=", bound)


def _out(row: Row, parts: tuple[str, ...]) -> int:
    return sum(int(row[part]["tokens_out"]) for part in parts)


# --- progress ---------------------------------------------------------------------------------


def _print(whose: str, row: Row) -> None:
    """Print a run as it ends."""
    writing, extract = row["writing"], row["extract"]
    shares = [
        f"{name} {row[name]:.3f}" for name in ("kept", "holding", "marked", "told") if name in row
    ]
    print(
        f"{row['set']:28} {whose:13}  {writing['out_per_1000']:7} out for 1,000"
        f"  ({extract['out_per_1000']} to extract)  {writing['calls'] + extract['calls']:3} calls  "
        f"{writing['tokens_in'] + extract['tokens_in']:7} in  "
        f"{writing['tokens_out'] + extract['tokens_out']:7} out  {row['seconds']:6} s  "
        f"{'  '.join(shares)}",
        flush=True,
    )
