"""Entries as the frames see them."""

from __future__ import annotations

from memoranda.text.frames import Statement
from memoranda.values import Entry


def statement(entry: Entry) -> Statement:
    """Give an entry as the frames see it."""
    return Statement(
        text=entry.text,
        speaker=entry.speaker,
        source=entry.source,
        project=entry.project,
        time=entry.time,
    )
