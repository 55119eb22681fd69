"""Peers of the suite `tokens`: the same facts and the same talk, and one table with ours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evals.ideal import Line, Spent
from evals.ideal_facts import FactGold
from evals.ideal_talk import TalkGold
from evals.locomo import Conversation
from evals.peers.run import Held, run
from evals.tokens_figures import cost, each_step
from memoranda.text.tokens import count

Row = dict[str, Any]
OURS = "memoranda"
PARTS = ("writing", "extract")


class TalkFacts:
    """A conversation as lines with speaker and day, and the facts that each line tells."""

    def __init__(self, conversation: Conversation, gold: TalkGold) -> None:
        """Take a conversation, and what is known of it."""
        self._gold = gold
        self._from: dict[str, Line] = {}
        self._told: dict[str, list[str]] = {}
        self.turns: dict[str, list[str]] = {}
        """Turn -> the facts that are observed of it; turns that tell none are left out."""
        for event in conversation.events:
            about = f"{event.time} user {event.speaker}"
            line = Line(name=event.external_id or "", about=about, text=event.content)
            facts = [told.fact for told in gold.facts([line])]
            content = " ".join(event.content.split())
            said = f"{event.speaker} ({(event.time or '')[:10]}): {content}"
            self._told.setdefault(said, []).extend(facts)
            self._from.update((fact, line) for fact in facts)
            if facts:
                self.turns[line.name] = facts

    @property
    def texts(self) -> list[str]:
        """The lines, in order."""
        return list(self._told)

    def tell(self, text: str) -> list[str]:
        """Give the facts that the lines of a text tell."""
        return [fact for line in text.splitlines() for fact in self._told.get(line.strip(), ())]

    def state(self, text: str) -> tuple[str, str]:
        """Take every fact as a state of its own: no gold says that a later one replaces it."""
        return "", text

    def topic(self, line: Line) -> str:
        """Give the topic of the session in which a fact was told."""
        return self._gold.topic(self._from.get(line.text, line))

    def topic_of(self, title: str, summary: str) -> str | None:
        """Give the topic of a document."""
        return self._gold.topic_of(title, summary)

    def summary(self, topic: str, lines: Sequence[Line], known: str) -> str:
        """Give the most telling words of the topic that most lines are on."""
        topics = [self.topic(line) for line in lines]
        return self._gold.summary(max(topics, key=topics.count, default=topic), lines, known)


# --- one run ----------------------------------------------------------------------------------


def of_facts(name: str, python: str, of: str, gold: FactGold) -> Row:
    """Let a peer keep a context of facts once."""
    texts = [fact.text for fact in gold.all]
    done = run(name, python, texts=texts, gold=gold)
    size = sum(count(text) for text in texts)
    return {**_row(name, of, done, size), **standing(gold, done.lines)}


def of_talk(name: str, python: str, of: str, facts: TalkFacts, heard: int) -> Row:
    """Let a peer keep a conversation once; `heard` are the tokens of its turns."""
    done = run(name, python, texts=facts.texts, gold=facts, tell=facts.tell)
    lines = set(done.lines)
    whole = [turn for turn, told in facts.turns.items() if lines.issuperset(told)]
    row = {**_row(name, of, done, heard), "event_tokens": heard}
    return {**row, "told": len(whole) / max(1, len(facts.turns))}


def standing(gold: FactGold, lines: Iterable[str]) -> dict[str, float]:
    """Say which share of the newest facts stands word for word, and how many replaced ones do."""
    held = set(lines)
    kept = [fact for fact in gold.newest.values() if fact.text in held]
    newest = {fact.text for fact in gold.newest.values()}
    stale = [fact for fact in gold.updates if fact.text in held - newest]
    return {
        "kept": len(kept) / len(gold.newest),
        "stale": len(stale),
        "updates": len(gold.updates),
    }


def _row(name: str, of: str, done: Held, size: int) -> Row:
    others = tuple(step for step in done.steps if step != "extract")
    return {
        "set": of,
        "peer": name,
        "version": done.version,
        "memory_tokens": size,
        "seconds": done.seconds,
        "documents": done.documents,
        "errors": done.errors,
        "writing": cost(done.steps, size, others),
        "extract": cost(done.steps, size, ("extract",)),
        "embedding": _embedding(done.embedding),
        "steps": each_step(done.steps),
    }


def _embedding(spent: Spent) -> dict[str, int]:
    return {"calls": spent.calls, "tokens_in": spent.tokens_in}


# --- side by side -----------------------------------------------------------------------------


def beside(rows: Iterable[Row], *, size: str = "memory_tokens") -> list[Row]:
    """Give the means of all runs, a row for each set and system; ours have no field `peer`.

    Args:
        rows: of one set after another, ours and peers' mixed.
        size: the field with the tokens that the figures per 1,000 are of.
    """
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["set"], row.get("peer", OURS)), []).append(row)
    order = list(dict.fromkeys(name for name, _ in groups))
    return [
        _mean(name, system, runs, size)
        for (name, system), runs in sorted(
            groups.items(), key=lambda group: order.index(group[0][0])
        )
    ]


def _mean(name: str, system: str, runs: Sequence[Row], size: str) -> Row:
    def mean(figure: str) -> float:
        return sum(float(row[part][figure]) for row in runs for part in PARTS) / len(runs)

    first = runs[0]
    tokens_in, tokens_out = mean("tokens_in"), mean("tokens_out")
    return {
        "set": name,
        "system": f"{system} {first['version']}" if "version" in first else system,
        "runs": len(runs),
        "calls": round(mean("calls"), 1),
        "tokens_in": round(tokens_in),
        "tokens_out": round(tokens_out),
        "in_per_1000": round(1000 * tokens_in / max(1, first[size])),
        "out_per_1000": round(1000 * tokens_out / max(1, first[size])),
        "embedding_calls": max(row.get("embedding", {}).get("calls", 0) for row in runs),
        "seconds": round(sum(row["seconds"] for row in runs) / len(runs), 1),
        **_worst(runs),
    }


def _worst(runs: Sequence[Row]) -> Row:
    """Give what is held after the worst of some runs: of facts, or of talk."""
    if "told" in runs[0]:
        return {"told_kept": round(min(float(row["told"]) for row in runs), 3)}
    newest = min(float(row["holding" if "holding" in row else "kept"]) for row in runs)
    return {
        "newest_kept": round(newest, 3),
        "stale_as_current": max(stale(row) for row in runs),
        "replaced": runs[0]["updates"],
    }


def stale(row: Row) -> int:
    """Say how many replaced facts stand as if they held: of ours, those that bear no mark."""
    whole: int = row["updates"]
    return int(row["stale"]) if "stale" in row else round(whole * (1 - row["marked"]))
