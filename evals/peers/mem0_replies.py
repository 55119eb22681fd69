"""Ideal replies in the form that mem0 asks for, and vectors of texts, made from what it sends.

mem0 2.2 asks once for each `add`: which new memories do these messages tell, given those that are
near them? It asks for no decision to replace or to delete one.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from evals.peers.replies import Replies, compact
from memoranda.text.tokens import count

EMBED = "embed"
"""The step of the calls for vectors."""
NEAR = "linked_memory_ids"
"""The field that tells which known memories a new one is on: only this question has it."""
_KNOWN = re.compile(r"^## Existing Memories\n(\[.*\])$", re.MULTILINE)
_NEW = re.compile(r"^## New Messages\n(.*?)^## Observation Date$", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r"^(?:user|assistant|system): ", re.MULTILINE)
GRAM = 3
"""Characters of a piece of text that a vector counts."""


class Mem0Replies(Replies):
    """Tells every new fact word for word, and to which known memories on its state it is linked.

    A fact that a known memory shown tells in the same words is left out, as the question asks.
    Calls for vectors are counted as the step `EMBED`: they are no calls of a language model.
    """

    def embed(self, texts: Sequence[str], size: int) -> tuple[list[list[float]], int]:
        """Give vectors, and the tokens of all texts."""
        tokens = sum(count(text) for text in texts)
        self._add(EMBED, tokens, 0)
        return [vector(text, size) for text in texts], tokens

    def _answer(self, system: str, user: str) -> tuple[str, str]:
        known, new = _KNOWN.search(user), _NEW.search(user)
        if NEAR not in system or known is None or new is None:
            raise ValueError(f"mem0 asks what no ideal reply is known for: {user[:200]!r}")
        on: dict[tuple[str, str], list[str]] = {}
        held: set[str] = set()
        for memory in json.loads(known[1]):
            held.add(memory["text"])
            on.setdefault(self._gold.state(memory["text"]), []).append(memory["id"])
        made: list[dict[str, Any]] = []
        for text in dict.fromkeys(self._tell(_ROLE.sub("", new[1]))):
            if text not in held:
                near = on.get(self._gold.state(text), [])
                told = {"id": str(len(made)), "text": text, "attributed_to": "user"}
                made.append({**told, NEAR: near} if near else told)
        return "extract", compact({"memory": made})


def vector(text: str, size: int) -> list[float]:
    """Count a text's pieces of `GRAM` characters, each at a place its checksum names, of length 1.

    Equal texts get equal vectors, texts with many pieces in common near ones.
    """
    plain = f" {' '.join(text.casefold().split())} "
    pieces = Counter(plain[at : at + GRAM] for at in range(max(1, len(plain) - GRAM + 1)))
    found = [0.0] * size
    for piece, times in pieces.items():
        found[zlib.crc32(piece.encode("utf-8")) % size] += times
    length = math.hypot(*found)
    return [round(number / length, 6) if number else 0.0 for number in found]
