"""Whether names and numbers keep their places: who does it and to whom, which comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard.clauses import FIXED, Clause, Token
from memoranda.text.guard.home import Home
from memoranda.text.guard.verdict import Loss

_SUBJECT_FORMS = frozenset({"I", "i", "we", "We"})
_TIMES = frozenset(
    """
    morning afternoon evening night day week weekend month year summer winter spring autumn time
    """.split()  # noqa: SIM905 - words read better in a row
)
_HAN_TIMES = ("早上", "晚上", "上午", "下午", "中午", "周末", "早晨", "夜里", "天", "年", "月")
_TURNERS = frozenset("让给向对被把叫帮")
"""Words behind which the object stands."""
_NAMED = frozenset({"name", "speaker"})


def misplaced(
    typed: Sequence[Clause], said: Sequence[Clause], found: Sequence[Home]
) -> Iterator[Loss]:
    """Find names that became the subject, and equal kinds that changed places, inside one clause."""
    for clause, home in zip(typed, found, strict=True):
        for at in home.clauses:
            yield from _turned(clause, said[at])
            yield from _swapped(clause, said[at])
            yield from _compared(clause, said[at])
        if len(home.clauses) == 1:
            yield from _usurped(clause, said[home.clauses[0]])


def _person(token: Token) -> str:
    return token.key.removesuffix("'s").removeprefix("we ")


def _subjects(clause: Clause, *, fronted: bool = False) -> list[Token]:
    """Give the names before the first content word, but not those after a preposition.

    `fronted`: where the clause begins with a place or time, the first name behind it, too.
    """
    found: list[Token] = []
    before = ""
    skipping = fronted and _first(clause) in en.PREPOSITIONS
    for token in clause.tokens:
        if _ends_subject(token, found) and not skipping:
            break
        if token.kind in _NAMED and before not in en.PREPOSITIONS:
            found.append(token)
            skipping = False
        if token.kind != "name":
            before = token.key if token.kind in {"function", "modality"} else ""
    return found


def _ends_subject(token: Token, found: Sequence[Token]) -> bool:
    """Tell whether names behind a token are no longer the subject."""
    if token.kind == "word":
        return not _times(token)
    return bool(found) and (token.kind in {"hedge", "negation"} or token.key in _TURNERS)


def _first(clause: Clause) -> str:
    return next((token.key for token in clause.tokens if token.kind != "filler"), "")


def _times(token: Token) -> bool:
    return token.key in _TIMES or token.key.startswith(_HAN_TIMES)


def _turned(clause: Clause, home: Clause) -> Iterator[Loss]:
    firsts = {_person(token) for token in (*_subjects(home, fronted=True), *home.inherited)}
    firsts |= {_person(token) for token in home.of("speaker") if token.shown in _SUBJECT_FORMS}
    later = {_person(t) for t in home.of("name", "speaker")} - firsts
    for token in _subjects(clause):
        if _person(token) in later:
            yield Loss("speaker" if token.kind == "speaker" else "name", token.shown, added=True)


def _usurped(clause: Clause, home: Clause) -> Iterator[Loss]:
    """Find a subject that is none of those whom the one home of the clause speaks of."""
    theirs = {_person(token) for token in (*home.of("name", "speaker"), *home.inherited)}
    mine = [token for token in _subjects(clause) if token.kind == "speaker"]
    taken = {_person(token) for token in _subjects(home)}
    if mine and taken and not theirs.intersection(map(_person, _subjects(clause))):
        yield Loss("speaker", mine[0].shown, added=True)


def _compared(clause: Clause, home: Clause) -> Iterator[Loss]:
    """Find what stands behind `than` and stood before it."""
    mine, theirs = _than(clause), _than(home)
    if mine is None or theirs is None:
        return
    behind = {t.key for t in home.telling if t.start > theirs}
    before = {t.key for t in home.telling if t.start < theirs} - behind
    for token in clause.telling:
        if token.start > mine and token.key in before:
            yield Loss("place", token.shown, added=True)


def _than(clause: Clause) -> int | None:
    return next((token.start for token in clause.tokens if token.key == "than"), None)


def _swapped(clause: Clause, home: Clause) -> Iterator[Loss]:
    """Find two of a kind whose order was turned round."""
    for kind in sorted(FIXED - {"link"}):
        mine = list(dict.fromkeys(token.key for token in clause.of(kind)))
        theirs = list(dict.fromkeys(token.key for token in home.of(kind)))
        common = [key for key in mine if key in theirs]
        if common != [key for key in theirs if key in common]:
            words = " ".join(token.shown for token in clause.of(kind))
            yield Loss(kind, words, added=True)  # type: ignore[arg-type]
