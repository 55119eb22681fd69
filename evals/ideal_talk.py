"""What LoCoMo tells of its talk: the facts that its observations state, and what sessions are about."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evals.ideal import Line, Told
from evals.locomo import Conversation
from memoranda.text.analyse import is_greeting, is_stopword, terms
from memoranda.text.tokens import count
from memoranda.text.visible import show

LEAST = 1100
"""Tokens of a topic: sessions near each other are joined until each topic has so many."""
MOST = 2200
"""Tokens above which a topic takes in no more, where another can."""
KEYWORDS = 14
"""So many words sum a document up."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]{3,}")
_WHEN = re.compile(
    r"\b(?:yesterday|tomorrow|(?:last|next|this) (?:week|weekend|month|year|summer|winter|spring|fall"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b",
    re.IGNORECASE,
)

_UNSURE = re.compile(r"dream|hop(?:e|ing)|plan|want|stop|part|month|year|time|lost|.*-")
"""Beginnings of words that say little alone, or that doubt."""

Weights = dict[str, float]


class TalkGold:
    """Facts, greetings and topics of one conversation.

    The topic of a session is told by the words of its observations: the sessions are joined by
    likeness, the smallest first, until each topic has `LEAST` tokens.
    """

    def __init__(self, conversation: Conversation, observations: dict[str, list[str]]) -> None:
        """Take a conversation, and what is observed of its turns: dialogue id -> facts."""
        self._observations = observations
        self._ids = {
            (show(event.content), event.speaker): event.external_id or ""
            for event in conversation.events
        }
        self._sessions = {
            (event.time or "")[:10]: event.session or "" for event in conversation.events
        }
        names = {(event.speaker or "").casefold() for event in conversation.events}
        sizes: Counter[str] = Counter()
        said: dict[str, Counter[str]] = {}
        for event in conversation.events:
            session = event.session or ""
            sizes[session] += count(event.content)
            facts = observations.get(event.external_id or "", [])
            said.setdefault(session, Counter()).update(
                word for fact in facts for word in _words(fact) if word not in names
            )
        self._names = names
        seen = Counter(word for words in said.values() for word in words)
        self._rare = {word: math.log(1 + len(said) / number) for word, number in seen.items()}
        self.topics = self._joined({s: self._weighed(words) for s, words in said.items()}, sizes)
        """Session -> the session that its topic is named after."""
        self._centres: dict[str, Weights] = {}
        for session, topic in self.topics.items():
            centre = self._centres.setdefault(topic, {})
            for word, weight in self._weighed(said[session]).items():
                centre[word] = centre.get(word, 0.0) + weight

    def _weighed(self, words: Counter[str]) -> Weights:
        return {word: n * self._rare.get(word, 0.0) for word, n in words.items()}

    @staticmethod
    def _joined(said: dict[str, Weights], sizes: Counter[str]) -> dict[str, str]:
        """Join sessions to topics."""
        groups = {session: [session] for session in said}
        weights = {session: dict(words) for session, words in said.items()}
        while len(groups) > 1:
            small = min(groups, key=lambda name: (sum(sizes[s] for s in groups[name]), name))
            if sum(sizes[s] for s in groups[small]) >= LEAST:
                break
            others = [name for name in groups if name != small]
            fitting = [n for n in others if sum(sizes[s] for s in groups[n]) < MOST]
            near = max(
                fitting or others, key=lambda name: (_likeness(weights[small], weights[name]), name)
            )
            groups[near] += groups.pop(small)
            for word, weight in weights.pop(small).items():
                weights[near][word] = weights[near].get(word, 0.0) + weight
        return {session: name for name, held in groups.items() for session in held}

    def facts(self, events: Sequence[Line]) -> Iterator[Told]:
        """Give what is observed of the turns."""
        for event in events:
            for fact in self._observations.get(self._id(event), []):
                when = _WHEN.search(fact)
                yield Told(of=(event.name,), fact=fact, when=when[0] if when else "")

    def idle(self, events: Sequence[Line]) -> Iterator[str]:
        """Name the greetings of which nothing is observed."""
        for event in events:
            if is_greeting(event.text) and not self._observations.get(self._id(event)):
                yield event.name

    def _id(self, event: Line) -> str:
        return self._ids.get((event.text, event.about.split(" user ")[-1]), "")

    def topic(self, line: Line) -> str:
        """Give the topic of the session of that day."""
        day = _DAY.search(line.about)
        session = self._sessions.get(day[0] if day else "", "")
        return self.topics.get(session, "")

    def heading(self, line: Line) -> str:
        """Leave segments as they are."""
        del line
        return ""

    def topic_of(self, title: str, summary: str) -> str | None:
        """Give the topic that the words of title and summary are nearest to."""
        words = self._weighed(Counter(_words(f"{title} {summary}")))
        near = {topic: _likeness(words, centre) for topic, centre in self._centres.items()}
        best = max(near, key=lambda topic: (near[topic], topic))
        return best if near[best] > 0 else None

    def title(self, topic: str, lines: Sequence[Line]) -> str:
        """Give the three most telling words of the topic that its lines have."""
        return ", ".join(self._telling(topic, [line.text for line in lines])[:3])

    def summary(self, topic: str, lines: Sequence[Line], known: str) -> str:
        """Give the most telling words of the topic that its lines, or the summary known, have."""
        return "; ".join(self._telling(topic, [known, *(line.text for line in lines)])[:KEYWORDS])

    def _telling(self, topic: str, texts: Sequence[str]) -> list[str]:
        """Give words as the texts write them, the most telling first, one of each stem."""
        centre = self._centres.get(topic, {})
        found: dict[str, tuple[float, str]] = {}
        for word in _WORD.findall(" ".join(texts)):
            stem = _stem(word)
            weight = centre.get(stem, 0.0)
            if stem and stem not in self._names and not _UNSURE.match(word) and word.islower():
                found.setdefault(stem, (weight, word))
        return [word for _, word in sorted(found.values(), key=lambda item: (-item[0], item[1]))]


def _words(text: str) -> list[str]:
    return [stem for word in _WORD.findall(text) if (stem := _stem(word))]


def _stem(word: str) -> str:
    """Give the term of a word; "" if it tells nothing."""
    found = terms(word)
    return found[0] if found and not is_stopword(found[0]) and not is_stopword(word) else ""


def _likeness(one: Weights, other: Weights) -> float:
    dot = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    size = math.hypot(*one.values()) * math.hypot(*other.values()) if one and other else 0.0
    return dot / size if size else 0.0


def observations(data: Path) -> dict[str, dict[str, list[str]]]:
    """Read what the data set observes: conversation -> dialogue id -> facts; a fact stands once."""
    with gzip.open(data / "locomo" / "locomo_dev.json.gz", "rt", encoding="utf-8") as stream:
        raw = json.load(stream)
    return {item["sample_id"]: _observed(item["observation"]) for item in raw}


def _observed(raw: dict[str, Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for session in raw.values():
        for fact, ids in (item for said in session.values() for item in said):
            first = ids if isinstance(ids, str) else ids[0]
            found.setdefault(first, []).append(fact)
    return found
