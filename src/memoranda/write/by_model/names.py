"""Names of one call for what it shows: three letters that most models write as one or two tokens."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import count, islice, product
from typing import Generic, TypeVar

from memoranda.errors import ReplyError
from memoranda.llm.replies import shown

K = TypeVar("K")

_OUTER = "bcdfghjklmnpqrstvwxyz"
_INNER = "aeiou"
_EXAMPLES = frozenset({"dup", "fox", "gat", "kit", "vim", "zel"})
"""Stand in the prompts, and are given to nothing."""
_WORDS = _EXAMPLES | {"not", "nor", "yes", "sum", "new", "her", "his", "him", "god", "sex", "fag"}
"""Words that a reply, or anybody, might take for something else."""
_PARTS = re.compile(r"[\s,;]+")
_FORM = re.compile(r"[a-z]{3,6}")


class Pool:
    """The names of one call, each given once, in an order that hangs on its nonce.

    A name that was remembered from another call, or that somebody wrote into the data, is most
    likely unknown here, and if not it names something by chance (2,205 names have three letters).
    """

    def __init__(self, nonce: str) -> None:
        """Take the nonce of the call, as the prompt's fences have it."""
        self._names = _all_names(nonce)

    def table(self, keys: Iterable[K]) -> Table[K]:
        """Name some keys, each once, in their order."""
        found = list(dict.fromkeys(keys))
        return Table(found, islice(self._names, len(found)))


def _all_names(nonce: str) -> Iterator[str]:
    for size in count(3):
        letters = [_OUTER if place % 2 == 0 else _INNER for place in range(size)]
        names = {"".join(name) for name in product(*letters)} - _WORDS
        yield from sorted(
            names, key=lambda name: hashlib.sha256(f"{nonce} {name}".encode()).digest()
        )


class Table(Generic[K]):
    """Names for things of one kind."""

    def __init__(self, keys: list[K], names: Iterable[str]) -> None:
        self._names = list(names)
        self._keys = dict(zip(self._names, keys, strict=True))
        self._of = {key: name for name, key in self._keys.items()}
        self._place = {name: place for place, name in enumerate(self._names)}

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, in order."""
        return tuple(self._names)

    def __contains__(self, name: object) -> bool:
        """Say whether a name is offered."""
        return name in self._keys

    def of(self, key: K) -> str:
        """Give the name of a key; KeyError if it has none."""
        return self._of[key]

    def key(self, name: str) -> K:
        """Give what a name stands for.

        Raises:
            ReplyError: no such name is offered; nothing near it is guessed.
        """
        if name not in self._keys:
            raise ReplyError("unknown_alias", f"{shown(name)} is not offered here")
        return self._keys[name]

    def run(self, first: str, last: str) -> list[str]:
        """Give the names from one to another, both included; none if they are not in this order."""
        if first not in self._place or last not in self._place:
            return []
        return self._names[self._place[first] : self._place[last] + 1]


def looks_like_a_name(text: str) -> bool:
    """Say whether a text has the form of a name."""
    return bool(_FORM.fullmatch(text.strip()))


def named(text: str, *tables: Table[K], least: int = 1, most: int | None = None) -> tuple[K, ...]:
    """Give what a list of names stands for, in its order, each once.

    Args:
        text: names between blanks or commas; `dup-gat` stands for all from dup to gat as shown.
        tables: what may be named here.
        least: so many must be named.
        most: no more may be named.

    Raises:
        ReplyError: a name is not offered (`unknown_alias`), or there are too few or too many.
    """
    found: dict[K, None] = {}
    unknown: list[str] = []
    for part in _PARTS.split(text.strip()):
        run = _run(part, tables)
        found.update(dict.fromkeys(table.key(name) for table, name in run))
        if not run:
            unknown.append(part)
    if unknown:
        are = "is" if len(unknown) == 1 else "are"
        raise ReplyError("unknown_alias", f"{shown(', '.join(unknown))} {are} not offered here")
    if len(found) < least or (most is not None and len(found) > most):
        limit = f"{least} or more" if most is None else f"{least} to {most}"
        raise ReplyError("shape", f"{shown(text)} must name {limit} of what is offered")
    return tuple(found)


def _run(part: str, tables: tuple[Table[K], ...]) -> list[tuple[Table[K], str]]:
    """Give the names of one part, each with its table; none if it is not offered."""
    first, dash, last = part.partition("-")
    table = next((table for table in tables if first in table), None)
    names = table.run(first, last) if table and dash else [first] if not dash else []
    return [] if table is None else [(table, name) for name in names]
