"""Evidence as text for a prompt: fenced, dated, sourced, escaped, ready to be counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memoranda.text.fences import CLOSE, NOTE, OPEN
from memoranda.text.visible import show
from memoranda.values import Entry, Evidence


def line(entry: Entry, *, dated: bool = True) -> str:
    """Render one entry: seq, date, who said it, the text, and what it was replaced by.

    Args:
        entry: the entry.
        dated: False leaves the date out, after a line of the same date.
    """
    who = show(entry.speaker or entry.source)
    if entry.speaker and entry.source != "user":
        who = f"{who} ({entry.source})"
    text = show(entry.text).replace("\n", "\n  ")
    return f"[{entry.seq}] {date(entry) if dated else ''}{who}: {text}{_mark(entry)}"


def date(entry: Entry) -> str:
    """Render the day on which an entry was said, else recorded."""
    return f"{entry.time[:10]} " if entry.time else f"(recorded {entry.recorded[:10]}) "


def _mark(entry: Entry) -> str:
    if entry.superseded_by:
        return f" [outdated, replaced by {entry.superseded_by}]"
    if entry.possibly_replaced_by:
        return f" [possibly replaced by {entry.possibly_replaced_by}]"
    return ""


def head(title: str, document_id: str) -> str:
    """Render the head of the lines of one document."""
    return f"## {show(title)} ({document_id})"


Counter = Callable[[str], int]
"""Counts the tokens of a text, for a budget."""


def cost(entry: Entry, count: Counter, *, dated: bool = True) -> int:
    """Count the tokens that an entry takes in a prompt."""
    return count(line(entry, dated=dated)) + 1


def head_cost(title: str, count: Counter) -> int:
    """Count the tokens that the head of a document takes."""
    return count(head(title, "d99999")) + 1


def fence_cost(count: Counter) -> int:
    """Count the tokens of the fence around a context."""
    return count(context((), "0" * 12))


def context(evidence: Sequence[Evidence], nonce: str) -> str:
    """Render evidence as one fenced text, document by document, the best first.

    Nothing in it can close the fence: the nonce is secret.
    """
    documents: dict[str, list[Evidence]] = {}
    for item in evidence:
        documents.setdefault(item.document_id, []).append(item)
    lines = [OPEN.format(nonce=nonce), NOTE]
    for document_id, items in documents.items():
        lines.append(head(items[0].title, document_id))
        lines += _dated([entry for item in items for entry in item.entries])
        left_out = sum(item.left_out for item in items)
        if left_out:
            lines.append(f"({left_out} replaced versions left out)")
    return "\n".join([*lines, CLOSE.format(nonce=nonce)]) + "\n"


def _dated(entries: Sequence[Entry]) -> list[str]:
    """Render entries, each date once in a row."""
    dates = ["", *(date(entry) for entry in entries)]
    return [line(entry, dated=dates[number] != date(entry)) for number, entry in enumerate(entries)]
