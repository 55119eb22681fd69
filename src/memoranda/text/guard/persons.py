"""Whether what a typed text says of a person is said of the same person in its sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard.clauses import Clause, Token
from memoranda.text.guard.home import Home
from memoranda.text.guard.match import Pool
from memoranda.text.guard.verdict import Loss

_MANY = 40
"""A sentence of more clauses than that is none."""


def strangers(
    typed: Sequence[Clause], said: Sequence[Clause], found: Sequence[Home]
) -> Iterator[Loss]:
    """Find speakers whom the clauses do not speak of, and names in the place of an `I` or a `he`."""
    everyone = {key for clause in said for key in _keys(clause)}
    words = Pool(token for clause in said for token in clause.tokens)
    for clause, home in zip(typed, found, strict=True):
        near = {key for at in home.all for key in _near(said, at)} or everyone
        for token in clause.of("speaker"):
            if token.key.removeprefix("we ") not in near:
                yield Loss("speaker", token.shown, added=True)
        yield from _renamed(clause, [said[at] for at in home.clauses] or said, words)
    yield from _others(typed, said)


def _keys(clause: Clause) -> set[str]:
    found: set[str] = set()
    for token in clause.of("speaker"):
        plain = token.key.removeprefix("we ")
        found.add(plain)
        if not plain.endswith("'s"):
            found.add(plain + "'s")
        elif not token.loose:
            found.add(plain.removesuffix("'s"))
        if token.key.startswith("we "):
            found.add(plain)
    return found


def _near(said: Sequence[Clause], at: int) -> set[str]:
    """Give the persons of the sentence of a clause; one that begins with a verb has its author."""
    return {key for clause in _sentence(said, at) for key in _keys(clause)}


def _sentence(said: Sequence[Clause], at: int) -> list[Clause]:
    found = [said[at]]
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(said) and said[place].sentence == said[at].sentence:
            if abs(place - at) > _MANY:
                break
            found.append(said[place])
            place += step
    return found


def _renamed(clause: Clause, homes: Sequence[Clause], words: Pool) -> Iterator[Loss]:
    """Find names of the context that stand where the sources have no pronoun to stand for."""
    foreign = [t for t in clause.of("name") if not words.holds(t)]
    if not foreign:
        return
    kept = {t.key.removesuffix("'s") for t in clause.of("speaker")}
    spoken = {t.key.removesuffix("'s").removeprefix("we ") for h in homes for t in h.of("speaker")}
    here = Pool(clause.telling)
    whole = all(here.holds(token) for home in homes for token in home.telling)
    if spoken - kept or not whole or _anaphors(clause) + len(foreign) > sum(map(_anaphors, homes)):
        for token in foreign:
            yield Loss("name", token.shown, added=True)


def _anaphors(clause: Clause) -> int:
    return sum(token.key in en.ANAPHORS for token in clause.of("person", "opener"))


def _others(typed: Sequence[Clause], said: Sequence[Clause]) -> Iterator[Loss]:
    """Find a `he` for a `she`, where nobody else is spoken of."""
    heard = {t.key for clause in said for t in clause.of("person")}
    for clause in typed:
        for token in clause.of("person"):
            if heard and _gender(token) not in {en.PERSONS.get(key, key) for key in heard}:
                yield Loss("speaker", token.shown, added=True)


def _gender(token: Token) -> str:
    return en.PERSONS.get(token.key, token.key)
