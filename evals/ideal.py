"""An ideal model: it reads what a step shows, and answers rightly from what a data set tells."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from memoranda.llm.doubles import ScriptedModel
from memoranda.llm.model import Request
from memoranda.llm.told import prompt_tokens
from memoranda.text.tokens import count

STEPS = {
    "facts": "extract",
    "join": "rewrite",
    "go": "route",
    "parts": "split",
    "merge": "merge",
    "docs": "summarize",
}
"""A field that only one step's reply has -> the step."""
FULL = 4000
"""Tokens of a part that a split makes."""
_FENCED = re.compile(r"<<<DATA (\S+) (\S+)\n(.*?)\nDATA \1 \2>>>", re.DOTALL)
_LINE = re.compile(
    r"^(?: {2})?(?P<name>[a-z]{3,6}|-)(?P<about>(?: [^\n]*?)?): (?P<text>.*(?:\n {4,}.*)*)",
    re.MULTILINE,
)
_DOCUMENT = re.compile(
    r'^(?P<name>[a-z]{3,6}) "(?P<title>.*?)"(?: \((?P<note>[^)\n]*)\))?(?:: (?P<summary>.*))?$',
    re.MULTILINE,
)
_BLOCK = re.compile(r"^block ([a-z]{3,6})$", re.MULTILINE)
_TOKENS = re.compile(r"^([a-z]{3,6}) \((\d+) tokens\)", re.MULTILINE)


# --- what a request shows ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An event, an entry or a key under its name in one call; `-` where it has none."""

    name: str
    about: str
    """Time, source and speaker, as they are shown."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A document under its name in one call."""

    name: str
    title: str
    summary: str = ""
    lines: tuple[Line, ...] = ()
    retitle: bool = False


class Shown:
    """The fenced data of one request."""

    def __init__(self, request: Request) -> None:
        said = request.messages[-1].content
        self.data = {name: text for name, _, text in _FENCED.findall(said)}
        fields = (request.schema or {}).get("properties", {})
        self.step = next(step for field, step in STEPS.items() if field in fields)

    def lines(self, place: str) -> tuple[Line, ...]:
        """Give the lines of one place of the prompt."""
        return _lines(self.data.get(place, ""))

    def blocks(self) -> list[tuple[str, tuple[Line, ...]]]:
        """Give the blocks of a routing: name and entries."""
        parts = _BLOCK.split(self.data["blocks"])[1:]
        return [(parts[at], _lines(parts[at + 1])) for at in range(0, len(parts), 2)]

    def pages(self) -> list[Page]:
        """Give the documents: offered, to be merged, or to be summarised with their entries."""
        text = self.data["documents"]
        starts = [*_DOCUMENT.finditer(text)]
        ends = [*(found.start() for found in starts), len(text)][1:]
        return [
            Page(
                name=found["name"],
                title=found["title"],
                summary=found["summary"] or "",
                lines=_lines(text[found.end() : end]),
                retitle="title is wanted" in (found["note"] or ""),
            )
            for found, end in zip(starts, ends, strict=True)
        ]


def _lines(text: str) -> tuple[Line, ...]:
    return tuple(
        Line(
            name=found["name"],
            about=found["about"].strip(),
            text=re.sub(r"\n {4}", "\n", found["text"]),
        )
        for found in _LINE.finditer(text)
    )


# --- what it knows ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A fact that events tell."""

    of: tuple[str, ...]
    """Names of the events."""
    fact: str
    key: tuple[str, str] | None = None
    """Subject and attribute, of a state with one value."""
    when: str = ""


class Gold(Protocol):
    """What a data set tells of its texts: all that an ideal model knows."""

    def facts(self, events: Sequence[Line]) -> Iterable[Told]:
        """Give the facts that events tell."""
        ...

    def idle(self, events: Sequence[Line]) -> Iterable[str]:
        """Name the events that are greetings."""
        ...

    def topic(self, line: Line) -> str:
        """Say which topic an entry is on."""
        ...

    def heading(self, line: Line) -> str:
        """Say under which heading an entry belongs; "" leaves it where it stands."""
        ...

    def topic_of(self, title: str, summary: str) -> str | None:
        """Say which topic a document is on; None if it can't be told."""
        ...

    def title(self, topic: str, lines: Sequence[Line]) -> str:
        """Name a document, in words of its lines."""
        ...

    def summary(self, topic: str, lines: Sequence[Line], known: str) -> str:
        """Sum a document up, in words of its lines and of the summary known."""
        ...


# --- what it says -----------------------------------------------------------------------------


@dataclass(slots=True)
class Spent:
    """What the calls of one step cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    longest: int = 0
    """Tokens of the longest reply."""
    seconds: float = 0.0
    """Of the model's own work."""


class Ideal:
    """Answers each step of maintenance as somebody would who knows the data set.

    It is a function of a request, for `ScriptedModel`; it knows of a call only what the call shows,
    and of the data set what `gold` tells. Tokens are counted by the product's own counter.

    Attributes:
        spent: step -> what its calls cost.
    """

    def __init__(self, gold: Gold) -> None:
        self._gold = gold
        self._lock = threading.Lock()
        self.spent: dict[str, Spent] = {}

    def model(self) -> ScriptedModel:
        """Give the model."""
        return ScriptedModel(self, name="ideal")

    def __call__(self, request: Request) -> str:
        """Answer one request, and count it."""
        started = time.perf_counter()
        shown = Shown(request)
        reply = {name: value for name, value in self._answer(shown).items() if value}
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        seconds = time.perf_counter() - started
        with self._lock:
            spent = self.spent.setdefault(shown.step, Spent())
            spent.calls += 1
            spent.tokens_in += prompt_tokens(request)
            spent.tokens_out += count(text)
            spent.longest = max(spent.longest, count(text))
            spent.seconds += seconds
        return text

    def _answer(self, shown: Shown) -> Mapping[str, Any]:
        match shown.step:
            case "extract":
                return self._extract(shown)
            case "rewrite":
                return self._rewrite(shown)
            case "route":
                return self._route(shown)
            case "split":
                return self._split(shown)
            case "merge":
                return self._merge(shown)
            case _:
                return self._summarize(shown)

    def _extract(self, shown: Shown) -> dict[str, Any]:
        events = shown.lines("events")
        order = [event.name for event in events]
        says = {event.name: event.text for event in events}
        offered = {line.text: line.name for line in shown.lines("keys")}
        facts = []
        for told in self._gold.facts(events):
            fact = {"of": listed(told.of, order)}
            if len(told.of) > 1 or told.fact != says[told.of[0]]:
                fact["fact"] = told.fact
            if told.key is not None:
                subject, attribute = told.key
                whole = f"- / {subject} / {attribute}".casefold()
                fact["key"] = offered.get(whole, f"{subject} / {attribute}")
            if told.when:
                fact["when"] = told.when
            facts.append(fact)
        idle = listed(self._gold.idle(events), order)
        return {"facts": facts, "skip": [{"of": idle, "why": "greeting"}] if idle else []}

    def _rewrite(self, shown: Shown) -> dict[str, Any]:
        entries = shown.lines("entries")
        groups: dict[str, list[str]] = {}
        for line in entries:
            groups.setdefault(self._gold.heading(line), []).append(line.name)
        groups.pop("", None)
        order = [line.name for line in entries]
        return {"blocks": [{"under": h, "of": listed(of, order)} for h, of in groups.items()]}

    def _route(self, shown: Shown) -> dict[str, Any]:
        blocks = shown.blocks()
        order = [name for name, _ in blocks]
        known: dict[str, Page] = {}
        for page in shown.pages():
            topic = self._gold.topic_of(page.title, page.summary)
            if topic is not None:
                known.setdefault(topic, page)
        of: dict[str, list[str]] = {}
        lines: dict[str, list[Line]] = {}
        for name, held in blocks:
            topic = self._most(held)
            of.setdefault(topic, []).append(name)
            lines.setdefault(topic, []).extend(held)
        go = []
        for topic, names in of.items():
            old = known.get(topic)
            to = old.name if old else self._gold.title(topic, lines[topic])
            said = self._gold.summary(topic, lines[topic], old.summary if old else "")
            go.append({"blocks": listed(names, order), "to": to, "sum": said})
        return {"go": go}

    def _split(self, shown: Shown) -> dict[str, Any]:
        sizes = [(name, int(size)) for name, size in _TOKENS.findall(shown.data["blocks"])]
        says = {
            line.name: [replace(line, text=text) for text in line.text.split(" | ")]
            for line in shown.lines("blocks")
        }
        order = [name for name, _ in sizes]
        parts: list[list[str]] = [[]]
        held = 0
        for name, size in sizes:
            if parts[-1] and held + size > FULL:
                parts.append([])
                held = 0
            parts[-1].append(name)
            held += size
        found = []
        for part in parts[1:]:
            lines = [line for name in part for line in says.get(name, ())]
            topic = self._most(lines)
            title = self._gold.title(topic, lines)
            said = self._gold.summary(topic, lines, "")
            found.append({"title": title, "of": listed(part, order), "sum": said})
        return {"parts": found}

    def _merge(self, shown: Shown) -> dict[str, Any]:
        pages = shown.pages()
        groups: dict[str, list[str]] = {}
        for page in pages:
            topic = self._gold.topic_of(page.title, page.summary)
            if topic is not None:
                groups.setdefault(topic, []).append(page.name)
        order = [page.name for page in pages]
        return {"merge": [{"of": listed(g[:4], order)} for g in groups.values() if len(g) > 1]}

    def _summarize(self, shown: Shown) -> dict[str, Any]:
        docs = []
        for page in shown.pages():
            topic = self._most(page.lines)
            told = {"of": page.name, "sum": self._gold.summary(topic, page.lines, "")}
            if page.retitle:
                told["title"] = self._gold.title(topic, page.lines)
            docs.append(told)
        return {"docs": docs}

    def _most(self, lines: Sequence[Line]) -> str:
        """Give the topic of most of the lines."""
        topics = [self._gold.topic(line) for line in lines]
        return max(dict.fromkeys(topics), key=topics.count) if topics else ""


def listed(names: Iterable[str], order: Sequence[str]) -> str:
    """Write names in the order shown; three or more in a row as `first-last`."""
    place = {name: at for at, name in enumerate(order)}
    runs: list[list[int]] = []
    for at in sorted({place[name] for name in names}):
        if runs and at == runs[-1][-1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    parts = []
    for run in runs:
        whole = f"{order[run[0]]}-{order[run[-1]]}"
        parts.append(whole if len(run) > 2 else " ".join(order[at] for at in run))
    return " ".join(parts)
