"""Whether a token stands among others: words by spelling, Chinese runs by the pieces they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memoranda.text.guard.clauses import Token

_WORDY = frozenset({"word", "name", "filler", "person"})


class Pool:
    """Telling tokens that can be asked whether they hold another one."""

    __slots__ = ("_keys", "_runs")

    def __init__(self, tokens: Iterable[Token]) -> None:
        held = tuple(tokens)
        self._keys = {_key(token) for token in held}
        self._runs = tuple(
            token.key for token in held if token.kind in _WORDY and not token.key.isascii()
        )

    def holds(self, token: Token) -> bool:
        """Tell whether a token stands here; of a Chinese run whether its pieces do."""
        if _key(token) in self._keys:
            return True
        if token.kind == "name" and _unspaced(token.key):
            return any(token.key in run for run in self._runs)
        if token.kind in _WORDY and _unspaced(token.key):
            return covered(token.key, self._runs)
        return False


def _key(token: Token) -> tuple[str, str]:
    return ("word" if token.kind in _WORDY else token.kind, token.key)


def _unspaced(key: str) -> bool:
    return any("\u3040" <= char <= "\u9fff" for char in key)


def covered(run: str, runs: Sequence[str]) -> bool:
    """Tell whether a run is made of pieces (two characters or more, and one single) of others."""
    at, singles = 0, 0
    while at < len(run):
        size = 0
        while at + size < len(run) and any(run[at : at + size + 1] in other for other in runs):
            size += 1
        if size == 0:
            return False
        singles += size == 1 and len(run) > 1
        at += size
    return singles <= 1


def meet(one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Tell whether two groups of telling tokens share one; empty groups bear on anything."""
    if not one or not other:
        return True
    return any(_same(left, right) for left in one for right in other)


def _same(left: Token, right: Token) -> bool:
    if _key(left) == _key(right):
        return True
    if not (_unspaced(left.key) and _unspaced(right.key)):
        return False
    short, long = sorted((left.key, right.key), key=len)
    if len(short) == 1:
        return short in long
    return any(short[at : at + 2] in long for at in range(len(short) - 1))
