"""Ideal replies in the forms that `infini-memory` asks for, made from what it sends."""

from __future__ import annotations

import json
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evals.ideal import Line, Spent
from memoranda.text.tokens import count

_ENTRY = re.compile(r"^- <([^>\n]*)> (.*)$", re.MULTILINE)
_SEQ = re.compile(r"seq=(\d+)")
_SENTENCE = re.compile(r"^(?:\d+\. )?(\S.*\.)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """A fact with its signature as the peer has it."""

    signature: str
    text: str

    @property
    def line(self) -> Line:
        """Give it as the gold reads it."""
        return Line(name="-", about="", text=self.text)


class PeerGold(Protocol):
    """What is known of the texts that a peer is given."""

    def state(self, text: str) -> tuple[str, str]:
        """Say which state a fact tells: of two facts on one state, the later holds."""
        ...

    def topic(self, line: Line) -> str:
        """Say which topic a fact is on."""
        ...

    def topic_of(self, title: str, summary: str) -> str | None:
        """Say which topic a document is on; None if it can't be told."""
        ...

    def summary(self, topic: str, lines: Sequence[Line], known: str) -> str:
        """Sum a document up."""
        ...


Tell = Callable[[str], Sequence[str]]
"""A text that a peer shows -> the facts that it tells."""


def sentences(text: str) -> list[str]:
    """Give the lines that are sentences, without their numbers."""
    return _SENTENCE.findall(text)


class Replies(ABC):
    """Answers and counts.

    Attributes:
        spent: step -> what its calls cost, by our own counter.
    """

    def __init__(self, gold: PeerGold, tell: Tell = sentences) -> None:
        """Take what is known of the texts, and how to read facts from them."""
        self._gold = gold
        self._tell = tell
        self._lock = threading.Lock()
        self.spent: dict[str, Spent] = {}

    def answer(self, messages: Sequence[dict[str, str]]) -> tuple[str, int, int]:
        """Give the reply, and the tokens of both."""
        step, text = self._answer(messages[0]["content"], messages[-1]["content"])
        tokens = sum(count(message["content"]) for message in messages), count(text)
        self._add(step, *tokens)
        return text, *tokens

    def _add(self, step: str, tokens_in: int, tokens_out: int) -> None:
        with self._lock:
            spent = self.spent.setdefault(step, Spent())
            spent.calls += 1
            spent.tokens_in += tokens_in
            spent.tokens_out += tokens_out
            spent.longest = max(spent.longest, tokens_out)

    @abstractmethod
    def _answer(self, system: str, user: str) -> tuple[str, str]:
        """Give the step and the reply."""


class PeerReplies(Replies):
    """Answers each question of `infini-memory` rightly: nothing is lost, the newest state holds.

    Where the peer asks that only the newest of contradicting facts is kept, only that is kept.
    """

    def _answer(self, system: str, user: str) -> tuple[str, str]:
        if "@@SEQ@@" in system:
            made = [
                Signed(signature="seq=@@SEQ@@,time=empty", text=text) for text in self._tell(user)
            ]
            return "extract", self._page(made, summary=True)
        if '"new_docs"' in system:
            return "plan", self._plan(json.loads(user))
        if '"groups"' in system:
            return "group", self._groups(json.loads(user))
        if "[MULTIPLE DOCUMENT CONTENT]" in system:
            body = system.rpartition("[MULTIPLE DOCUMENT CONTENT]")[2]
            return "merge", self._page(self._holding(_signed(body)), summary=True)
        if "[CURRENT DOCUMENT CONTENT]" in system:
            body = system.rpartition("[CURRENT DOCUMENT CONTENT]")[2]
            return "rewrite", self._page(self._holding(_signed(body)), summary=False)
        body = system.rpartition("[OLD DOCUMENT]")[2]
        return "document", self._page(self._holding(_signed(body)), summary=True)

    # --- pages --------------------------------------------------------------------------------

    def _holding(self, facts: Sequence[Signed]) -> list[Signed]:
        """Give the facts that hold: of each state the one of the largest seq, else the last."""
        newest: dict[tuple[str, str], tuple[int, int]] = {}
        for at, fact in enumerate(facts):
            state = self._gold.state(fact.text)
            newest[state] = max(newest.get(state, (-1, -1)), (_seq(fact), at))
        kept = {at for _, at in newest.values()}
        return [fact for at, fact in enumerate(facts) if at in kept]

    def _page(self, facts: Sequence[Signed], *, summary: bool) -> str:
        lines = [fact.line for fact in facts]
        head = f"---\nsummary: {self._gold.summary('', lines, '')}\n---\n" if summary else ""
        return head + self._body(facts)

    def _body(self, facts: Iterable[Signed]) -> str:
        topics: dict[str, list[str]] = {}
        for fact in facts:
            said = topics.setdefault(self._gold.topic(fact.line), [])
            said.append(f"- <{fact.signature}> {fact.text}")
        return "\n\n".join(
            "\n".join((f"# {topic.capitalize()}", "", *lines)) for topic, lines in topics.items()
        )

    # --- plans --------------------------------------------------------------------------------

    def _plan(self, asked: dict[str, Any]) -> str:
        known: dict[str, str] = {}
        for document in asked["docs"]:
            topic = self._gold.topic_of("", document["summary"])
            if topic is not None:
                known.setdefault(topic, document["id"])
        topics: dict[str, list[Signed]] = {}
        for fact in _signed(asked["new_content"]):
            topics.setdefault(self._gold.topic(fact.line), []).append(fact)
        updates = [
            {"id": known[topic], "new_content": self._body(facts)}
            for topic, facts in topics.items()
            if topic in known
        ]
        new = [
            {"title": topic.capitalize(), "content": self._body(facts)}
            for topic, facts in topics.items()
            if topic not in known
        ]
        return compact({"updates": updates, "new_docs": new})

    def _groups(self, asked: dict[str, Any]) -> str:
        topics: dict[str, list[str]] = {}
        for document in asked["docs"]:
            topic = self._gold.topic_of("", document["summary"])
            topics.setdefault(topic or document["id"], []).append(document["id"])
        groups = [
            {"doc_ids": ids[:4], "reason": topic} for topic, ids in topics.items() if len(ids) > 1
        ]
        return compact({"groups": groups})


def _signed(text: str) -> list[Signed]:
    return [Signed(signature=sign, text=said) for sign, said in _ENTRY.findall(text)]


def _seq(fact: Signed) -> int:
    found = _SEQ.search(fact.signature)
    return int(found[1]) if found else 0


def compact(value: dict[str, Any]) -> str:
    """Write JSON without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
