"""What a forget record says, and what is left of a record when something in it was forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from memoranda.store.operations import Text

ERASED = "[erased]"
"""Stands where a text was forgotten."""
HOLE = "█"
"""Stands, as often as it takes, for each character of a part of a text that was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A document's title and summary, made anew from what is left; None leaves the title."""

    document_id: str
    title: Text | None
    summary: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Reheaded:
    """A block's heading path, made anew from what is left."""

    block: int
    headings: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """An entry that was made from several events, made anew from those that are left, by rules."""

    seq: int
    text: Text
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The body of a forget record: numbers, and texts made of what was kept (R232, law 11)."""

    events: tuple[int, ...]
    """Positions of the events of which something was forgotten."""
    seqs: tuple[int, ...]
    """The forgotten entries."""
    records: Mapping[int, str | None]
    """Position of each record that was redacted -> commitment of what is left, in hexadecimal."""
    documents: tuple[Renamed, ...] = ()
    blocks: tuple[Reheaded, ...] = ()
    entries: tuple[Rewritten, ...] = ()
    by: str | None = None
    """Who asked for it."""

    def to_json(self) -> dict[str, Any]:
        """Give the body of the forget record."""
        return {
            "by": self.by,
            "events": list(self.events),
            "seqs": list(self.seqs),
            "records": {str(position): value for position, value in self.records.items()},
            "documents": [
                {
                    "document": item.document_id,
                    "title": item.title and item.title.to_json(),
                    "summary": item.summary.to_json(),
                }
                for item in self.documents
            ],
            "blocks": [
                {"block": item.block, "headings": [text.to_json() for text in item.headings]}
                for item in self.blocks
            ],
            "entries": [
                {"line": item.seq, "text": item.text.to_json(), "tokens": item.tokens}
                for item in self.entries
            ],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Erasure:
        """Read the body of a forget record."""
        return cls(
            by=data.get("by"),
            events=tuple(data["events"]),
            seqs=tuple(data["seqs"]),
            records={int(position): value for position, value in data["records"].items()},
            documents=tuple(
                Renamed(
                    document_id=item["document"],
                    title=Text.from_json(item["title"]) if item["title"] is not None else None,
                    summary=Text.from_json(item["summary"]),
                )
                for item in data["documents"]
            ),
            blocks=tuple(
                Reheaded(
                    block=item["block"],
                    headings=tuple(Text.from_json(text) for text in item["headings"]),
                )
                for item in data["blocks"]
            ),
            entries=tuple(
                Rewritten(
                    seq=item["line"], text=Text.from_json(item["text"]), tokens=item["tokens"]
                )
                for item in data["entries"]
            ),
        )


# --- events -----------------------------------------------------------------------------------

KEPT = ("source", "time", "project", "sensitivity")
"""What a forgotten event keeps: its signature. Everything else of it is payload."""


def erased_tokens(event: Mapping[str, Any], seq: int) -> int | None:
    """Give how many tokens a forgotten entry had; None for one that was not forgotten."""
    found = event.get("erased", {}).get(str(seq))
    return None if found is None else int(found)


def is_forgotten(event: Mapping[str, Any]) -> bool:
    """Say whether an event was forgotten, whole or in part."""
    return "erased" in event


def is_whole(event: Mapping[str, Any]) -> bool:
    """Say whether a forgotten event was forgotten whole."""
    return is_forgotten(event) and not event["content"]


def event_without(
    body: Mapping[str, Any], spans: Mapping[int, tuple[int, int]], tokens: Mapping[int, int]
) -> dict[str, Any]:
    """Give what is left of an event when some of its entries are forgotten and others are not.

    Args:
        body: the event.
        spans: forgotten entry -> its place (start, end) in the content: filled with `HOLE`.
        tokens: forgotten entry -> the tokens it had.
    """
    content = body["content"]
    for start, end in spans.values():
        content = content[:start] + HOLE * (end - start) + content[end:]
    return {**body, "content": content, "erased": _erased(body, tokens)}


def event_gone(body: Mapping[str, Any], tokens: Mapping[int, int]) -> dict[str, Any]:
    """Give what is left of an event that is forgotten whole: its signature."""
    left: dict[str, Any] = dict.fromkeys(body)
    left |= {name: body[name] for name in KEPT}
    return {**left, "content": "", "metadata": {}, "erased": _erased(body, tokens)}


def _erased(body: Mapping[str, Any], tokens: Mapping[int, int]) -> dict[str, int]:
    return {**body.get("erased", {}), **{str(seq): count for seq, count in tokens.items()}}


# --- everything else --------------------------------------------------------------------------

EMPTY: Mapping[str, Any] = {"keys": [], "reason": "", "span": [0, 0], "said": ERASED}
"""What an extracted entry and a retraction lose. Tokens stay: a replay counts them as before."""


_FEW = 64
_NUMBER = re.compile(r"(?<![\w.\"])[0-9]{1,18}(?![\w.\"])")


def mentions(seqs: AbstractSet[int]) -> Callable[[str], bool]:
    """Give a test that any JSON body with one of the numbers in a list, or as `seq`, passes."""
    if len(seqs) > _FEW:
        names = frozenset(map(str, seqs))
        return lambda body: any(found[0] in names for found in _NUMBER.finditer(body))
    numbers = "|".join(str(seq) for seq in sorted(seqs))
    pattern = re.compile(rf"[\[,:](?:{numbers})[\],}}]")
    return lambda body: pattern.search(body) is not None


def body_without(body: Any, seqs: AbstractSet[int]) -> Any:  # noqa: ANN401 - parsed JSON
    """Give a plan, extraction, retraction or forget record without what came from some entries.

    Every text that lists one of them as its source becomes `ERASED`; the keys of an extracted
    entry and the reason of a retraction go. Numbers stay: they say nothing.
    """
    if isinstance(body, list):
        if not any(isinstance(item, dict | list) for item in body):
            return body
        return [body_without(item, seqs) for item in body]
    if not isinstance(body, dict):
        return body
    left = {name: body_without(value, seqs) for name, value in body.items()}
    if "text" in left and set(left.get("from", ())) & seqs:
        left["text"] = ERASED
    if left.get("seq") in seqs:
        left |= {name: empty for name, empty in EMPTY.items() if name in left}
    return left


def wordings_without(
    body: Mapping[str, Any], seqs: AbstractSet[int], made: Sequence[int]
) -> dict[str, Any]:
    """Give a plan of words without the texts of the entries it made that go.

    What other entries say, made of the same events, stays.

    Args:
        body: an applied plan of kind `extract`.
        seqs: what goes.
        made: the entries that it made, in the order of its operations.
    """
    left = body_without({**body, "operations": []}, seqs)
    own = iter(made)
    for operation in body["operations"]:
        if operation["op"] != "reword":
            left["operations"].append(body_without(operation, seqs))
            continue
        goes = next(own, None) in seqs
        gone = frozenset(operation["seqs"]) if goes else frozenset()
        left["operations"].append(body_without(operation, gone))
    return dict(left)
