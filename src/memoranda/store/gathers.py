"""What a plan does with entries of CURRENT before they are placed: joins, words, keys, leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.store.texts import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """Let an entry stand in the line of the entry that it repeats."""

    seq: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Let adjacent entries stand in one line, in words that a guard has compared with theirs."""

    seqs: tuple[int, ...]
    """The exact set, ascending; the first is the line's name."""
    text: Text
    tokens: int
    """Of the text: a replay counts them still when the text itself was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reword:
    """Make a new entry of what some entries of CURRENT say, in words that a guard has compared.

    It cites the events of all of them. Who asks for an entry that was reworded is led to the first
    entry that was made of it.
    """

    seqs: tuple[int, ...]
    """Whose events it cites, ascending."""
    text: Text
    tokens: int
    """Of the text: a replay counts them still when the text itself was forgotten."""
    keys: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Give an entry, which stays as it is, keys of the state that it tells."""

    seq: int
    keys: tuple[Text, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOut:
    """Keep an entry out of all documents: it stays in the log, where it is found."""

    seq: int
    reason: str
    """A word of a closed list; it holds nothing of the entry."""


Gathers = Duplicate | Join | Reword | Key | LeaveOut
"""What is about entries of CURRENT, before they are placed."""


def to_json(operation: Gathers) -> dict[str, Any]:
    """Give an operation as a plan record holds it."""
    match operation:
        case Duplicate():
            return {"op": "duplicate", "seq": operation.seq, "of": operation.of}
        case Join(seqs=seqs, text=text, tokens=tokens):
            return {"op": "join", "seqs": list(seqs), "text": text.to_json(), "tokens": tokens}
        case Reword(seqs=seqs, text=text, tokens=tokens, keys=keys):
            told = {"op": "reword", "seqs": list(seqs), "text": text.to_json(), "tokens": tokens}
            return {**told, "keys": [key.to_json() for key in keys]}
        case Key(seq=seq, keys=keys):
            return {"op": "key", "seq": seq, "keys": [key.to_json() for key in keys]}
        case LeaveOut(seq=seq, reason=reason):
            return {"op": "leave_out", "seq": seq, "why": reason}


def from_json(data: Mapping[str, Any]) -> Gathers:
    """Read an operation of a plan record.

    Raises:
        ValueError: there is no such operation.
    """
    match data["op"]:
        case "duplicate":
            return Duplicate(seq=data["seq"], of=data["of"])
        case "join":
            text = Text.from_json(data["text"])
            return Join(seqs=tuple(data["seqs"]), text=text, tokens=data["tokens"])
        case "reword":
            return Reword(
                seqs=tuple(data["seqs"]),
                text=Text.from_json(data["text"]),
                tokens=data["tokens"],
                keys=_keys(data),
            )
        case "key":
            return Key(seq=data["seq"], keys=_keys(data))
        case "leave_out":
            return LeaveOut(seq=data["seq"], reason=data["why"])
        case other:
            raise ValueError(f"unknown operation {other!r}")


def _keys(data: Mapping[str, Any]) -> tuple[Text, ...]:
    return tuple(Text.from_json(key) for key in data["keys"])
