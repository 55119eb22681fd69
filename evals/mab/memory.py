"""Our memory as the benchmark uses one: told in chunks, then asked many times without being changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evals.mab.protocol import question_in
from memoranda import Answer, Memory, NewEvent, Settings
from memoranda.answers import ReaderName
from memoranda.llm.model import Model
from memoranda.values import Found

_FACT = re.compile(r"(?:^|(?<=\s))(\d{1,6})\.\s+(?=\S)")
_LABEL = re.compile(r"\s*label:\s*(-?\d+)\s*")
_OPEN = re.compile(r"(?:^|\s)\d{1,6}\.\s*$")
_WRAPPED = re.compile(r"^Document \d+:\s*", re.MULTILINE)
SETTINGS = Settings(auto=False, model_seconds=600.0)


class BenchMemory:
    """One memory for one context.

    Args:
        folder: where it is kept; an existing one is opened, and need not be told again.
        source: the name of the set, which says how its chunks are cut.
        model: who answers; None leaves it to search alone.
        reader: how the model reads.
    """

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        model: str | Model | None = None,
        reader: ReaderName = "hybrid",
    ) -> None:
        self._folder = folder
        self._source = source
        self._reader: ReaderName = reader if model is not None else "lexical"
        self._memory = Memory.open(folder, settings=SETTINGS, model=model or "rules")
        self._events = self._memory.status().events
        self._told = self._events
        self._left = ""
        """The end of a chunk that belongs to what the next one begins with."""

    def memorize(self, chunk: str) -> int:
        """Remember a chunk; give how many events it made."""
        events = list(self._cut(f"{self._left} {chunk}".strip() if self._left else chunk))
        if events:
            self._memory.add_many(events)
            self._events += len(events)
        return len(events)

    def finish(self) -> None:
        """Place all; nothing is lost if this is left out, as CURRENT is read too."""
        if self._left.strip():
            self._memory.add_many([self._event(self._left.strip())])
            self._left = ""
        with Memory.open(self._folder, settings=SETTINGS, model="rules") as keeper:
            keeper.consolidate()

    def answer(self, query: str) -> Answer:
        """Answer a question as the benchmark puts it."""
        return self._memory.ask(question_in(query), reader=self._reader)

    def search(self, query: str, budget: int = 2000) -> Found:
        """Search only."""
        return self._memory.search(question_in(query), budget=budget)

    def close(self) -> None:
        """Close; the folder stays."""
        self._memory.close()

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    # --- chunks -------------------------------------------------------------------------------

    def _cut(self, text: str) -> Iterator[NewEvent]:
        self._left = ""
        if self._source.startswith("factconsolidation"):
            yield from self._facts(text)
        elif self._source.startswith("icl_"):
            yield from self._examples(text)
        else:
            for part in re.split(r"\n\s*\n|(?=^Document \d+:)", text, flags=re.MULTILINE):
                if part.strip():
                    yield self._event(_WRAPPED.sub("", part.strip()))

    def _facts(self, text: str) -> Iterator[NewEvent]:
        """Cut at serial numbers; one that ends a chunk waits for its fact."""
        if found := _OPEN.search(text):
            self._left, text = found[0].strip(), text[: found.start()]
        marks = list(_FACT.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        for mark, end in zip(marks, ends, strict=True):
            fact = " ".join(text[mark.end() : end].split())
            if fact:
                yield self._event(fact, external_id=mark[1])

    def _examples(self, text: str) -> Iterator[NewEvent]:
        """Cut after labels; a sentence whose label is yet to come waits for it."""
        start = 0
        for mark in _LABEL.finditer(text):
            said = text[start : mark.start()].strip()
            start = mark.end()
            if said:
                self._told += (
                    1  # each example is a session of its own: neighbours are not its context
                )
                yield self._event(
                    said, metadata={"label": int(mark[1])}, session=f"example {self._told}"
                )
        self._left = text[start:].strip()

    def _event(self, text: str, **more: Any) -> NewEvent:  # noqa: ANN401 - fields of an event
        return NewEvent(content=text, source="external", **more)

    def label_of(self, found: Found) -> str:
        """Let the examples that came back vote for their labels; "" without any."""
        votes: dict[str, float] = {}
        for item in found.evidence:
            for entry in item.entries:
                event = self._memory.get(entry.event_ids[0])
                label = getattr(event, "metadata", {}).get("label")
                if label is not None:
                    share = item.score / len(item.entries)
                    votes[str(label)] = votes.get(str(label), 0.0) + share
        return max(votes, key=lambda label: (votes[label], label), default="")
