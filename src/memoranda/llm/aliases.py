"""Short names for what one call shows a model; the names of another call don't resolve."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from memoranda.errors import ReplyError
from memoranda.llm.replies import shown

K = TypeVar("K")

_LETTERS = "bcdfghjkmnpqrstvwxz"  # no vowels: they make no words


class Aliases(Generic[K]):
    """The names of one call, in the order of the keys: `ekq1`, `ekq2` ...

    The first letter tells the kind, the next two come from the call's nonce, so a name that was
    remembered from another call, or written into the data by somebody, is most likely unknown here.
    """

    def __init__(self, kind: str, keys: Iterable[K], *, nonce: str) -> None:
        """Name the keys.

        Args:
            kind: one letter, another one for each table of a call.
            keys: what is named, each once.
            nonce: the call's, as the prompt's fences have it.
        """
        digest = hashlib.sha256(f"{kind} {nonce}".encode()).digest()
        pair = "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:2])
        found = dict.fromkeys(keys)
        self._keys: Mapping[str, K] = {
            f"{kind}{pair}{number}": key for number, key in enumerate(found, start=1)
        }
        self._names = {key: name for name, key in self._keys.items()}

    def __iter__(self) -> Iterator[str]:
        """Give all names, in order."""
        return iter(self._keys)

    def __len__(self) -> int:
        """Count the names."""
        return len(self._keys)

    def __contains__(self, name: object) -> bool:
        """Say whether this call offers a name."""
        return name in self._keys

    def of(self, key: K) -> str:
        """Give the name of a key; KeyError if it has none."""
        return self._names[key]

    def key(self, name: str) -> K:
        """Give what a name stands for.

        Raises:
            ReplyError: this call offers no such name; nothing near it is guessed.
        """
        if name not in self._keys:
            raise ReplyError("unknown_alias", f"{shown(name)} is not offered here")
        return self._keys[name]
