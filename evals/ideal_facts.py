"""What FactConsolidation tells of its facts: subject, state, topic, and which of two is the newer."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.ideal import Line, Told
from memoranda.text.tokens import count

LEAST = 1100
"""Tokens of a topic, of facts that hold: a document below 1,000 is a small one for issue A1."""
STATES = {
    "P641": "sport",
    "P413": "position",
    "P286": "head coach",
    "P27": "citizen",
    "P19": "born",
    "P20": "died",
    "P937": "worked",
    "P26": "married",
    "P40": "child",
    "P1412": "speaks",
    "P69": "educated",
    "P106": "field",
    "P108": "employed",
    "P800": "famous",
    "P140": "religion",
    "P30": "continent",
    "P17": "country",
    "P36": "capital",
    "P37": "official language",
    "P35": "head of state",
    "P6": "government",
    "": "office",
    "P495": "created in the country",
    "P112": "founded by",
    "P740": "founded in the city",
    "P159": "headquarters",
    "P169": "chief executive officer",
    "P488": "chairperson",
    "P1037": "director",
    "P127": "owned",
    "P176": "company",
    "P178": "developed",
    "P50": "author",
    "P407": "written",
    "P364": "original language",
    "P175": "performed",
    "P136": "music",
    "P264": "represented",
    "P170": "created by",
    "P449": "broadcaster",
}
"""Relation -> the words that its sentences have for it; neighbours are on near matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One sentence of a context."""

    relation: str
    """A key of `STATES`; "" for an office that somebody holds."""
    subject: str
    value: str
    text: str
    serial: int = 0


class Sentences:
    """Reads sentences and questions by the published forms."""

    def __init__(self, forms: Mapping[str, Mapping[str, str]]) -> None:
        """Take the forms: relation -> `cloze` with `[X]` and `__`, and `question` with `[X]`."""
        self._facts = {name: _pattern(form["cloze"] + ".") for name, form in forms.items()}
        self._asked = {name: _pattern(form["question"]) for name, form in forms.items()}

    @classmethod
    def published(cls, data: Path) -> Sentences:
        """Read the forms of the data set."""
        file = data / "factconsolidation" / "templates.json"
        return cls(json.loads(file.read_text(encoding="utf-8")))

    def read(self, text: str, serial: int = 0) -> Fact:
        """Read a sentence."""
        for relation, pattern in self._facts.items():
            if relation in STATES and (found := pattern.fullmatch(text)):
                subject, value = found["x"], found["y"]
                return Fact(
                    relation=relation, subject=subject, value=value, text=text, serial=serial
                )
        subject, _, value = text.rstrip(".").partition(" is ")
        return Fact(relation="", subject=subject, value=value, text=text, serial=serial)

    def asked(self, question: str) -> tuple[str, str] | None:
        """Say which state of which subject a question asks for; None if it is of another form."""
        for relation, pattern in self._asked.items():
            if relation in STATES and (found := pattern.fullmatch(question)):
                return relation, found["x"]
        return None


def _pattern(form: str) -> re.Pattern[str]:
    parts = re.split(r"(\[X\]|__)", form)
    groups = {"[X]": "(?P<x>.+?)", "__": "(?P<y>.+?)"}
    return re.compile("".join(groups.get(part, re.escape(part)) for part in parts))


class FactGold:
    """Topics and states of one context.

    A topic is one or more neighbouring relations, as few as make `LEAST` tokens of facts that hold:
    as fine as documents can be that are not small.
    """

    def __init__(self, sentences: Sentences, texts: Sequence[str]) -> None:
        self._sentences = sentences
        self.all = [sentences.read(text, serial) for serial, text in enumerate(texts)]
        newest = {(fact.relation, fact.subject): fact for fact in self.all}
        self.newest = newest
        self.updates = [f for f in self.all if newest[f.relation, f.subject].serial != f.serial]
        """Facts that a later one replaces."""
        self._order = list(STATES)
        self._topics = _grouped(newest.values())
        self._said: dict[str, Counter[str]] = {}
        """Word -> in how many facts of each topic it stands."""
        for fact in self.all:
            for word in _words(fact.text):
                self._said.setdefault(word, Counter())[self._topics[fact.relation]] += 1

    def state(self, text: str) -> tuple[str, str]:
        """Give the relation and the subject of a sentence."""
        fact = self._sentences.read(text)
        return fact.relation, fact.subject

    def asked(self, question: str) -> Fact | None:
        """Give the fact that answers a question; None if it is of another form, or asks for none."""
        return self.newest.get(self._sentences.asked(question) or ("", ""))

    def topic_of_relation(self, relation: str) -> str:
        """Give the topic of a relation."""
        return self._topics[relation]

    def facts(self, events: Sequence[Line]) -> Iterator[Told]:
        """Tell each sentence as it is, with its state."""
        for event in events:
            fact = self._sentences.read(event.text)
            key = (fact.subject, STATES[fact.relation])
            yield Told(of=(event.name,), fact=event.text, key=key)

    def idle(self, events: Sequence[Line]) -> tuple[str, ...]:
        """Nothing here is a greeting."""
        del events
        return ()

    def topic(self, line: Line) -> str:
        """Give the topic of a sentence."""
        return self._topics[self._sentences.read(line.text).relation]

    def heading(self, line: Line) -> str:
        """Give the words for the state."""
        relation = self._sentences.read(line.text).relation
        return STATES[relation] if relation else self._sentences.read(line.text).subject

    def topic_of(self, title: str, summary: str) -> str | None:
        """Give the topic in whose facts the words of title and summary stand, each word's vote shared."""
        votes: dict[str, float] = {}
        for word in _words(f"{title} {summary}"):
            topics = self._said.get(word, Counter())
            for topic, times in topics.items():
                votes[topic] = votes.get(topic, 0.0) + times / topics.total()
        return max(votes, key=lambda topic: (votes[topic], topic)) if votes else None

    def title(self, topic: str, lines: Sequence[Line]) -> str:
        """Give the words of the commonest states, at most six."""
        del topic
        found: list[str] = []
        for state in self._states(lines):
            if sum(len(word.split()) for word in (*found, state)) <= 6:
                found.append(state)
        if not found:
            return " ".join(lines[0].text.split()[:4])
        return ", ".join(found[:3]) if len(" ".join(found).split()) > 1 else f"{found[0]} of"

    def summary(self, topic: str, lines: Sequence[Line], known: str) -> str:
        """Give the words of all states that the topic has so far."""
        del topic
        here = set(self._states(lines))
        said = set(re.split("[,;] ", known))
        return ", ".join(state for state in STATES.values() if state in here | said)

    def _states(self, lines: Sequence[Line]) -> list[str]:
        """Give the states of some lines, the commonest first."""
        counts = Counter(self._sentences.read(line.text).relation for line in lines)
        found = sorted(counts, key=lambda name: (-counts[name], self._order.index(name)))
        return [STATES[name] for name in found if name]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _grouped(facts: Iterable[Fact]) -> dict[str, str]:
    """Join neighbouring relations until each topic has `LEAST` tokens; the last may not stay small."""
    tokens: Counter[str] = Counter()
    for fact in facts:
        tokens[fact.relation] += count(fact.text)
    groups: list[list[str]] = [[]]
    for relation in STATES:
        if sum(tokens[name] for name in groups[-1]) >= LEAST:
            groups.append([])
        groups[-1].append(relation)
    if len(groups) > 1 and sum(tokens[name] for name in groups[-1]) < LEAST:
        groups[-2:] = [groups[-2] + groups[-1]]
    return {name: STATES[group[0]] for group in groups for name in group}
