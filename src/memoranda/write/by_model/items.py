"""What an extraction gives: entries of one event's words, or in words of their own, without seqs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.text.frames import Statement, keys
from memoranda.text.tokens import count
from memoranda.values import NewEvent, Value
from memoranda.write.intake import extract as by_rules
from memoranda.write.supersede import STATED


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Value):
    """One entry to be: `said` in words of its own, or the `span` (start, end) of its one event."""

    events: tuple[int, ...]
    """Numbers of its events in the batch, from 0."""
    said: str | None = None
    span: tuple[int, int] | None = None
    tokens: int = 0
    keys: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Give it as an extraction record holds it; the caller adds `seq`."""
        if self.said is None:
            return {"event": self.events[0], "span": list(self.span or ()), "keys": [*self.keys]}
        return {
            "events": list(self.events),
            "said": self.said,
            "tokens": self.tokens,
            "keys": list(self.keys),
        }


def verbatim(number: int, event: NewEvent, *, limit: int) -> list[Item]:
    """Give the entries of an event by rules: its text, cut where it is longer than the limit."""
    return [
        Item(
            events=(number,),
            span=(entry["span"][0], entry["span"][1]),
            tokens=count(event.content[slice(*entry["span"])]),
            keys=tuple(entry["keys"]),
        )
        for entry in by_rules(event, limit=limit)
    ]


def typed(text: str, numbers: Sequence[int], events: Sequence[NewEvent], key: str | None) -> Item:
    """Give an entry in words of its own; its keys are the model's and those of the rules."""
    cited = [events[number] for number in numbers]
    one = cited[0] if len(cited) == 1 else None
    own = Statement(
        text=text,
        speaker=one.speaker if one else None,
        source=one.source if one else "external",
        project=cited[0].project,
        time=max((event.time for event in cited if event.time), default=None),
    )
    stated = [f"{STATED}{key}"] if key else []
    found = dict.fromkeys(stated + (list(keys(own)) if one else []))
    return Item(events=tuple(sorted(numbers)), said=text, tokens=count(text), keys=tuple(found)[:4])
