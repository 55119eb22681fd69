"""What the words that deny, doubt, bind and count bear on, and whether they still do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memoranda.text.guard.clauses import BOUND, Clause, Token
from memoranda.text.guard.match import meet

_NEAR = 2
_ANYWHERE = frozenset({"hedge"})
"""A hedge may stand anywhere in its clause; other words bear on what follows."""
_SHARED = frozenset({"and", "or"})


@dataclass(frozen=True, slots=True)
class Bearing:
    """A word that binds, the telling tokens it bears on, and the clause it stands in."""

    token: Token
    focus: tuple[Token, ...]
    near: tuple[Token, ...]
    """The first of them that stand right beside it."""
    clause: int

    def __str__(self) -> str:
        """Name it with what it bears on."""
        beside = " ".join(token.shown for token in self.near)
        return f"{self.token.shown} ... {beside}" if beside else self.token.shown


def bearings(clauses: Sequence[Clause]) -> tuple[Bearing, ...]:
    """Give all words that bind, in order, each with what it bears on."""
    return tuple(found for at in range(len(clauses)) for found in _of(clauses, at))


def _of(clauses: Sequence[Clause], at: int) -> Iterator[Bearing]:
    clause = clauses[at]
    tokens = _without_anymore(clause.tokens)
    for place, token in enumerate(tokens):
        if token.kind not in BOUND:
            continue
        near = _alone(tokens, place) or _after(tokens, place) or _before(tokens, place)
        focus = clause.telling if token.kind in _ANYWHERE else near
        yield Bearing(token, focus + _next(clauses, at, token), near, at)


def _without_anymore(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Read `not ... anymore` as `no longer`."""
    ends = [t for t in tokens if t.kind == "word" and t.key in {"anymore", "longer"}]
    if not ends:
        return tokens
    return tuple(
        Token(t.kind, "no longer", t.shown, t.start, t.end) if t.key == "not" else t
        for t in tokens
        if t not in ends
    )


def _alone(tokens: Sequence[Token], place: int) -> tuple[Token, ...]:
    """Give the person of `only I`."""
    after = tokens[place + 1 : place + 2]
    only = tokens[place].key in {"only", "只"} and after and after[0].kind == "speaker"
    return tuple(after) if only else ()


def _after(tokens: Sequence[Token], place: int) -> tuple[Token, ...]:
    return tuple(token for token in tokens[place + 1 :] if token.telling)[:_NEAR]


def _before(tokens: Sequence[Token], place: int) -> tuple[Token, ...]:
    return tuple(token for token in tokens[:place] if token.telling)[-_NEAR:]


def _next(clauses: Sequence[Clause], at: int, token: Token) -> tuple[Token, ...]:
    """Give what follows after `and` or `or` under the same word (a denial reaches over `or` only)."""
    if at + 1 == len(clauses):
        return ()
    after = clauses[at + 1]
    if token.kind == "quantifier":
        return ()
    reach = {"or"} if token.kind == "negation" else _SHARED
    if after.sentence != clauses[at].sentence or after.joint not in reach or not after.inherited:
        return ()
    return after.telling[:_NEAR]


def unmatched(wanted: Iterable[Bearing], among: Sequence[Bearing]) -> Iterator[Bearing]:
    """Give what has no equal that bears on the same; within one clause each needs one of its own."""
    used: set[tuple[int, int]] = set()
    for one in wanted:
        fits = (
            n
            for n, other in enumerate(among)
            if other.token.kind == one.token.kind
            and other.token.key == one.token.key
            and (one.clause, n) not in used
            and meet(one.focus, other.focus)
        )
        found = next(fits, None)
        if found is None:
            yield one
        else:
            used.add((one.clause, found))
