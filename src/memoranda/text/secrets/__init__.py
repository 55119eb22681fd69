"""Secrets in a text: passwords, keys, tokens, cards; found by rules, replaced by marks."""

from __future__ import annotations

from memoranda.text.secrets.assigned import bearers, named, passwords_of_links
from memoranda.text.secrets.formats import Span, formats, private_keys
from memoranda.text.secrets.runs import cards, runs

__all__ = ["Span", "find", "hidden", "mark"]

_FINDERS = (private_keys, formats, passwords_of_links, bearers, named, cards, runs)
"""The surest first: of spans that overlap, the first found gives the kind."""
_ONLY_LONG = (formats, runs)
"""They find nothing in a text without a long word."""
LONG = 20
"""The shortest such word: characters."""


def find(text: str) -> tuple[Span, ...]:
    """Find the secrets of a text, in order; spans don't overlap.

    One pass a rule: time grows with the length of the text, whatever it holds.
    """
    if len(text) < 4 or text.isspace():
        return ()
    is_long = max(map(len, text.split()), default=0) >= LONG
    taken: list[Span] = []
    for finder in _FINDERS:
        if is_long or finder not in _ONLY_LONG:
            taken += finder(text)
    return tuple(_joined(taken))


def _joined(spans: list[Span]) -> list[Span]:
    """Join spans that overlap; the kind of the first finder stays."""
    joined: list[Span] = []
    ranks: list[int] = []
    for rank, (start, end, kind) in sorted(enumerate(spans), key=lambda item: item[1][:2]):
        if joined and start < joined[-1][1]:
            first, last, other = joined[-1]
            best = kind if rank < ranks[-1] else other
            joined[-1] = (first, max(last, end), best)
            ranks[-1] = min(ranks[-1], rank)
        else:
            joined.append((start, end, kind))
            ranks.append(rank)
    return joined


def mark(kind: str) -> str:
    """Give what stands in the place of a secret: its kind, and nothing of it."""
    return f"[secret: {kind}]"


def hidden(text: str) -> tuple[str, tuple[str, ...]]:
    """Give a text with every secret replaced by a mark, and the kinds of what was replaced."""
    found = find(text)
    if not found:
        return text, ()
    parts: list[str] = []
    at = 0
    for start, end, kind in found:
        parts += [text[at:start], mark(kind)]
        at = end
    return "".join([*parts, text[at:]]), tuple(kind for _, _, kind in found)
