"""Frames: whether a newer statement replaces an older one, by rules, in English and Chinese."""

from __future__ import annotations

from memoranda.text.frames.reading import newest_first, one_value_apart, reading_frame
from memoranda.text.frames.state import keys
from memoranda.text.frames.statement import Hit, Ranked, Statement
from memoranda.text.frames.supersede import replaces, search_terms

__all__ = [
    "Hit",
    "Ranked",
    "Statement",
    "keys",
    "newest_first",
    "one_value_apart",
    "reading_frame",
    "replaces",
    "search_terms",
]
