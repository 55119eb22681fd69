"""What an extraction record says of an entry: its words, and whose they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.store.erasure import erased_tokens
from memoranda.text.times import instant
from memoranda.text.tokens import count
from memoranda.values import SENSITIVITIES

AUTHORITY = {"user": 3, "tool": 2, "external": 1, "assistant": 0}
"""Whose word stands above whose (R231, R243)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who said something, when, and for whom: copied from events, never typed (law 5)."""

    time: str | None
    recorded: str
    source: str
    speaker: str | None
    session: str | None
    project: str | None
    sensitivity: str


def moment(time: str | None, recorded: str) -> str:
    """Give the ordering key of an entry: when it was said, else recorded."""
    return instant(time or recorded).isoformat(timespec="microseconds")


def voice_of(events: Sequence[Mapping[str, Any]]) -> Voice:
    """Give the voice of an entry that was made from some events (at least one).

    Said when the last of them was said; by the weakest of their sources; by a speaker, in a session
    and a project only if all name the same; and as sensitive as the most sensitive of them.
    """
    last = max(events, key=lambda event: instant(event["time"] or event["recorded"]))
    return Voice(
        time=last["time"],
        recorded=last["recorded"],
        source=min((event["source"] for event in events), key=lambda name: AUTHORITY[name]),
        speaker=_common(events, "speaker"),
        session=_common(events, "session"),
        project=_common(events, "project"),
        sensitivity=max((event["sensitivity"] for event in events), key=SENSITIVITIES.index),
    )


def _common(events: Sequence[Mapping[str, Any]], name: str) -> str | None:
    found = {event[name] for event in events}
    value: str | None = next(iter(found)) if len(found) == 1 else None
    return value


def said_in(item: Mapping[str, Any], event: Mapping[str, Any]) -> tuple[str, int]:
    """Give the words of an extracted entry and their tokens.

    They are its own (`said`), or a part (`span`) of the content of its event. Of what was forgotten
    the words are gone and the tokens stay.
    """
    if "said" in item:
        return item["said"], item["tokens"]
    erased = erased_tokens(event, item["seq"])
    if erased is not None:
        return "", erased
    start, end = item["span"]
    text = event["content"][start:end]
    return text, count(text)
