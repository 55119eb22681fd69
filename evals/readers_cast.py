"""Scripted readers for evaluations: good ones, idle ones, and ones that choose by chance."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoranda.llm.model import Reply, Request, Usage

ROUNDS = 3
_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_SHOWN = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]{4,}")

Turn = Callable[["Policy", "Seen"], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one request shows: its data, each under its name, and the numbered lines of all turns."""

    data: Mapping[str, str]
    lines: Mapping[int, str]
    round: int

    def named(self, place: str) -> dict[str, str]:
        """Give what stands in a place: name -> the rest of its line."""
        lines = [line for line in self.data.get(place, "").splitlines() if line[:1] != "#"]
        return {name: rest for name, _, rest in (line.partition(" ") for line in lines) if name}


@dataclass(slots=True)
class Policy:
    """A model that reads by a policy and never answers; told a question's gold before it is asked."""

    name: str
    select: Turn
    tools: Turn
    lines: Turn
    chance: random.Random
    gold: Sequence[str] = ()
    """Texts of the lines that hold the answer."""
    titles: Sequence[str] = ()
    """Titles of the documents where they stand."""
    words: Sequence[str] = ()
    """Words of the memory, for searches by chance."""
    _round: int = field(default=0)

    def about(self, gold: Sequence[str], titles: Sequence[str]) -> None:
        """Begin a question."""
        self.gold, self.titles, self._round = gold, titles, 0

    def ask(self, request: Request) -> Reply:
        """Reply in the form that is asked for."""
        text = "\n".join(turn.content for turn in request.messages)
        data = {name: body for name, _, body in _FENCED.findall(text)}
        seen = Seen(data, {int(n): line for n, line in _SHOWN.findall(text)}, self._round)
        said = self._said(
            set((request.schema or {}).get("properties", {})), bool(request.tools), seen
        )
        return Reply(text=json.dumps(said, ensure_ascii=False), parsed=said, usage=Usage())

    def _said(self, fields: set[str], native: bool, seen: Seen) -> Mapping[str, Any]:  # noqa: FBT001
        if native or "calls" in fields:
            self._round += 1
            return self.tools(self, seen)
        if "documents" in fields:
            return self.select(self, seen)
        if "hops" in fields:
            return {"hops": [seen.data.get("question", "?").strip()[:290]]}
        if "value" in fields:
            return {"line": None, "value": ""}
        if "because" in fields:
            return {"because": [], "answer": ""}
        return self.lines(self, seen)


# --- documents, lines and calls, rightly, by chance, or not at all -----------------------------------


def right_documents(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Name the documents where the answer stands."""
    shown = seen.named("catalog")
    return {
        "documents": [n for n, rest in shown.items() if rest.split(":")[0] in policy.titles][:20]
    }


def any_documents(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Name one to three documents by chance."""
    names = sorted(seen.named("catalog"))
    return {"documents": policy.chance.sample(names, min(len(names), policy.chance.randint(1, 3)))}


def right_lines(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Name the lines that hold the answer, of those that are shown."""
    shown = seen.named("lines")
    return {"lines": [n for n, rest in shown.items() if _holds(rest, policy.gold)][:8]}


def any_lines(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Name five lines by chance."""
    names = sorted(seen.named("lines"))
    return {"lines": policy.chance.sample(names, min(5, len(names)))}


def no_lines(_: Policy, __: Seen) -> Mapping[str, Any]:
    """Name nothing."""
    return {"lines": []}


def good_search(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Search for the question and for its words by twos, then name the lines that answer."""
    if seen.round == 0:
        question = seen.data.get("question", "")
        words = _WORD.findall(question)
        pairs = [" ".join(words[at : at + 2]) for at in range(0, len(words) - 1, 2)]
        return _calls([question, *pairs][:4])
    lines = [number for number, line in seen.lines.items() if _holds(line, policy.gold)]
    return _end(lines)


def one_word(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Search for single words of the question, then of the memory; name nothing."""
    if seen.round >= ROUNDS:
        return _end([])
    words = _WORD.findall(seen.data.get("question", "")) if seen.round == 0 else policy.words
    return _calls([policy.chance.choice(list(words) or ["thing"]) for _ in range(2)])


def empty_reads(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Read where nothing is, and where chance leads; name nothing."""
    if seen.round >= ROUNDS:
        return _end([])
    at = policy.chance.randint(1, 400)
    calls = [
        {"tool": "grep", "arguments": {"pattern": "zzqxv"}},
        {
            "tool": "read_lines",
            "arguments": {"document": f"d{at % 9}", "first": at, "last": at + 9},
        },
    ]
    return {"calls": calls, "lines": [], "done": False}


def wrong_names(policy: Policy, seen: Seen) -> Mapping[str, Any]:
    """Search by single words, and name five of the lines that were shown, by chance."""
    if seen.round < ROUNDS:
        return one_word(policy, seen)
    shown = sorted(seen.lines)
    return _end(policy.chance.sample(shown, min(5, len(shown))))


def policies(words: Sequence[str]) -> dict[str, dict[str, Policy]]:
    """Give the policies of each reader."""

    def made(name: str, select: Turn, tools: Turn, lines: Turn) -> Policy:
        return Policy(name, select, tools, lines, random.Random(name), words=words)  # noqa: S311

    idle = no_lines
    return {
        "hybrid": {
            "random documents": made("h1", any_documents, one_word, idle),
            "random documents, random lines": made("h2", any_documents, one_word, any_lines),
            "right documents, no lines": made("h3", right_documents, one_word, idle),
            "right documents, right lines": made("h4", right_documents, one_word, right_lines),
        },
        "agentic": {
            "one-word searches": made("a1", any_documents, one_word, idle),
            "empty reads": made("a2", any_documents, empty_reads, idle),
            "one-word searches, random lines": made("a3", any_documents, wrong_names, any_lines),
            "good searches, right lines": made("a4", right_documents, good_search, right_lines),
        },
    }


def _calls(queries: Sequence[str]) -> Mapping[str, Any]:
    calls = [{"tool": "search", "arguments": {"query": query}} for query in queries if query]
    return {"calls": calls, "lines": [], "done": False}


def _end(lines: Sequence[int]) -> Mapping[str, Any]:
    return {"calls": [], "lines": list(lines)[:20], "done": True}


def _holds(line: str, gold: Sequence[str]) -> bool:
    return any(text[:60] in line for text in gold)
