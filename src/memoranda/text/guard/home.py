"""Which clauses of the sources a typed clause was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.text.guard.bearing import bearings
from memoranda.text.guard.clauses import Clause, Token
from memoranda.text.guard.match import Pool

_CANDIDATES = 16
"""So many clauses that would do as well are looked at."""


@dataclass(frozen=True, slots=True)
class Home:
    """The clauses a typed one was made from; `all` lists the other ones that would do as well."""

    clauses: tuple[int, ...] = ()
    all: tuple[int, ...] = ()
    reach: frozenset[int] = frozenset()
    """The clauses with those whose denials and doubts may reach into them."""
    scattered: bool = False
    """Made of parts of several, without being the whole of them."""


def homes(typed: Sequence[Clause], said: Sequence[Clause]) -> tuple[Home, ...]:
    """Find the home of each typed clause: one clause that holds all of it, else several whole ones."""
    sources = _Sources(said)
    return tuple(
        sources.home(clause, keys) for clause, keys in zip(typed, _bound(typed), strict=True)
    )


def _bound(clauses: Sequence[Clause]) -> list[tuple[str, ...]]:
    """Give the keys of the words that bind, of each clause."""
    found: list[list[str]] = [[] for _ in clauses]
    for bearing in bearings(clauses):
        found[bearing.clause].append(bearing.token.key)
    return [tuple(sorted(keys)) for keys in found]


class _Sources:
    """The clauses of the sources, each as a pool of what it tells."""

    __slots__ = ("_bound", "_heard", "_own", "_said", "_wide")

    def __init__(self, said: Sequence[Clause]) -> None:
        self._said = said
        self._wide = [Pool(clause.wide) for clause in said]
        self._own = [Pool(clause.telling) for clause in said]
        self._heard = Pool(token for clause in said for token in clause.wide)
        self._bound = _bound(said)

    def home(self, clause: Clause, keys: tuple[str, ...]) -> Home:
        """Find the home of one clause, with the keys of the words that bind in it."""
        tokens = [token for token in clause.telling if self._heard.holds(token)]
        if not tokens:
            return Home()
        whole = [at for at, pool in enumerate(self._wide) if all(map(pool.holds, tokens))]
        if whole:
            best = min(whole, key=lambda at: (-self._held(tokens, at), self._bound[at] != keys, at))
            return Home((best,), (best, *whole[:_CANDIDATES]), _reach((best,), self._said))
        found = tuple(_cover(tokens, self._wide))
        here = Pool(clause.wide)
        parts = any(not all(map(here.holds, self._said[at].telling)) for at in found)
        return Home(found, found, _reach(found, self._said), parts)

    def _held(self, tokens: Sequence[Token], at: int) -> int:
        return sum(map(self._own[at].holds, tokens))


def _cover(tokens: Sequence[Token], pools: Sequence[Pool]) -> list[int]:
    """Choose clauses, the one that holds most first, until all tokens are held."""
    left, found = list(tokens), []
    while left:
        best = max(range(len(pools)), key=lambda at: (sum(map(pools[at].holds, left)), -at))
        kept = [token for token in left if not pools[best].holds(token)]
        if len(kept) == len(left):
            break
        found.append(best)
        left = kept
    return sorted(found)


def _reach(found: tuple[int, ...], said: Sequence[Clause]) -> frozenset[int]:
    before = {at - 1 for at in found if said[at].inherited and said[at].joint in {"and", "or"}}
    return frozenset(found) | before
