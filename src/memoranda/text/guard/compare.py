"""What a typed text lost of its sources and added to them, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoranda.text.guard import lexicon_en as en
from memoranda.text.guard.bearing import Bearing, bearings, unmatched
from memoranda.text.guard.clauses import FIXED, Clause, Token
from memoranda.text.guard.home import Home, homes
from memoranda.text.guard.match import Pool
from memoranda.text.guard.moments import relative
from memoranda.text.guard.order import misplaced
from memoranda.text.guard.persons import strangers
from memoranda.text.guard.verdict import Kind, Loss

_REPORT = re.compile(rf"(?:{en.REPORTS})|说|表示|提到|告诉", re.IGNORECASE)
_OWN_RIGHT = frozenset({"word", "filler", "person", *FIXED})
_TURNS = frozenset(
    {"but", "although", "though", "whereas", "但", "但是", "可是", "不过", "虽然", "尽管"}
)
_CLAIMS = frozenset(
    {"is", "are", "has", "have", "does", "do", "是", "有", "在", "了", "will", "can"}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A typed text, what it was made from, and the names shown beside, as clauses."""

    typed: tuple[Clause, ...]
    sources: tuple[tuple[Clause, ...], ...]
    context: Pool
    words: str
    """What was typed, folded."""
    heard: str
    """What was said, folded."""

    @property
    def said(self) -> tuple[Clause, ...]:
        """All clauses of the sources."""
        return tuple(clause for source in self.sources for clause in source)


def compare(reading: Reading, kind: Kind) -> tuple[tuple[Loss, ...], tuple[Loss, ...]]:
    """Give what was lost and what was added, each once, in reading order."""
    found = homes(reading.typed, reading.said)
    added = [*_own(reading), *strangers(reading.typed, reading.said, found)]
    if kind in {"title", "summary"}:
        return tuple(dict.fromkeys(_dropped_claims(reading, found, kind))), tuple(
            dict.fromkeys(added)
        )
    required = _required(reading, found, kind)
    said = tuple(reading.said[at] for at in required)
    added += [
        *_scattered(reading, found),
        *_more(reading, found),
        *misplaced(reading.typed, reading.said, found),
    ]
    lost = [*_gone(reading, said), *_less(reading, said), *_bare(reading, found)]
    lost += _left_out(reading, found) if kind == "merged" else _unturned(reading, found, required)
    return tuple(dict.fromkeys(lost)), tuple(dict.fromkeys(added))


def _own(reading: Reading) -> Iterator[Loss]:
    """Find what the typed text has of its own."""
    pool = Pool(token for clause in reading.said for token in clause.tokens)
    phrases = {
        token.shown.casefold()
        for clause in reading.said
        for token in clause.tokens
        if token.kind == "date"
    }
    for clause in reading.typed:
        before = ""
        for token in clause.tokens:
            reported = before == "speaker" and _REPORT.fullmatch(token.shown)
            before = token.kind
            if token.kind not in _OWN_RIGHT or reported:
                continue
            if relative(token) and token.shown.casefold() not in phrases:
                yield Loss("date", token.shown, added=True)
            elif not pool.holds(token) and not _allowed(token, reading):
                yield Loss(token.kind if token.kind in FIXED else "word", token.shown, added=True)  # type: ignore[arg-type]


def _allowed(token: Token, reading: Reading) -> bool:
    """Tell whether a name may come from the context, or stands in the sources in another form."""
    if token.kind == "number" and token.loose:
        return bool(re.search(r"\ban?\b|\bone\b|一", reading.heard))
    if token.kind == "name" or (token.kind == "word" and not token.key.isascii()):
        if reading.context.holds(token):
            return True
        return token.kind == "name" and _written(token.key, reading.heard)
    if token.kind == "filler":
        return token.key in {
            "so",
            "then",
            "also",
            "也",
            "还",
            "就",
            "并且",
            "而",
            "而且",
            "同时",
            "but",
            "但",
        }
    return token.kind == "person"


def _written(key: str, text: str) -> bool:
    edge = r"\b" if key.isascii() else ""
    return bool(re.search(edge + re.escape(key) + edge, text))


def _required(reading: Reading, found: Sequence[Home], kind: Kind) -> list[int]:
    """List the clauses whose telling things must survive: of a fact the sentences it draws on."""
    numbered = _sentences(reading)
    drawn = {numbered[at] for home in found for at in home.clauses}
    if kind == "merged" or not drawn:
        return list(range(len(numbered)))
    bare = _bare_sentences(reading)
    for number in sorted(set(numbered.values()), key=lambda pair: pair):
        source, sentence = number
        if number in bare and (source, sentence - 1) in drawn:
            drawn.add(number)
    return [at for at, number in numbered.items() if number in drawn]


def _sentences(reading: Reading) -> dict[int, tuple[int, int]]:
    places = [
        (source, clause.sentence) for source, held in enumerate(reading.sources) for clause in held
    ]
    return dict(enumerate(places))


def _bare_sentences(reading: Reading) -> set[tuple[int, int]]:
    """Find sentences that only bear on the one before: `Maybe not.`, `还没确定。`."""
    numbered = _sentences(reading)
    held: dict[tuple[int, int], list[Token]] = {}
    for at, clause in enumerate(reading.said):
        held.setdefault(numbered[at], []).extend(clause.tokens)
    return {
        place
        for place, tokens in held.items()
        if sum(token.telling for token in tokens) <= 1
        and any(token.kind in {"negation", "hedge"} for token in tokens)
    }


def _gone(reading: Reading, said: Sequence[Clause]) -> Iterator[Loss]:
    """Find the numbers, dates, names and links that did not survive."""
    pool = Pool(token for clause in reading.typed for token in clause.tokens)
    people = {
        token.key.removesuffix("'s") for clause in reading.typed for token in clause.of("speaker")
    }
    for clause in said:
        for token in clause.tokens:
            if (
                token.kind == "speaker"
                and not token.loose
                and token.key.removesuffix("'s") not in people
            ):
                yield Loss("speaker", token.shown)
            if token.kind not in FIXED or token.loose or pool.holds(token):
                continue
            if token.kind in {"name", "link"} and _written(token.key.casefold(), reading.words):
                continue
            yield Loss(token.kind, token.shown)  # type: ignore[arg-type]


def _less(reading: Reading, said: Sequence[Clause]) -> Iterator[Loss]:
    """Find the denials, doubts and quantities that did not survive beside their words."""
    wanted = [bearing for bearing in bearings(said) if not bearing.token.loose]
    for bearing in unmatched(wanted, bearings(reading.typed)):
        yield Loss(bearing.token.kind, str(bearing))  # type: ignore[arg-type]


def _more(reading: Reading, found: Sequence[Home]) -> Iterator[Loss]:
    """Find the denials, doubts and quantities that stand beside words they did not bear on."""
    held, typed = bearings(reading.said), bearings(reading.typed)
    for at, home in enumerate(found):
        near = [other for other in held if not home.clauses or other.clause in home.reach]
        for bearing in unmatched([b for b in typed if b.clause == at], near):
            yield Loss(bearing.token.kind, str(bearing), added=True)  # type: ignore[arg-type]


def _bare(reading: Reading, found: Sequence[Home]) -> Iterator[Loss]:
    """Find claims made without the denial, doubt or quantity that their clause has in the sources."""
    held, typed = bearings(reading.said), bearings(reading.typed)
    for at, home in enumerate(found):
        here = Pool(reading.typed[at].telling)
        own = [
            b
            for b in typed
            if b.clause == at or (b.clause == at - 1 and reading.typed[at].inherited)
        ]
        for bearing in held:
            if bearing.clause not in home.clauses or bearing.token.loose:
                continue
            near = bearing.near
            if near and all(map(here.holds, near)) and not _has(own, bearing):
                yield Loss(bearing.token.kind, str(bearing))  # type: ignore[arg-type]


def _has(own: Sequence[Bearing], wanted: Bearing) -> bool:
    return any(b.token.kind == wanted.token.kind and b.token.key == wanted.token.key for b in own)


def _scattered(reading: Reading, found: Sequence[Home]) -> Iterator[Loss]:
    """Find clauses that join parts of several statements without being the whole of them."""
    for clause, home in zip(reading.typed, found, strict=True):
        if home.scattered:
            yield Loss("place", " ".join(token.shown for token in clause.telling), added=True)


def _left_out(reading: Reading, found: Sequence[Home]) -> Iterator[Loss]:
    """Find the sentences of which a merged line says nothing."""
    numbered = _sentences(reading)
    drawn = {numbered[at] for home in found for at in home.all}
    told: dict[tuple[int, int], list[str]] = {}
    for at, clause in enumerate(reading.said):
        if clause.of("word"):
            told.setdefault(numbered[at], []).extend(token.shown for token in clause.telling)
    for place, words in told.items():
        if place not in drawn:
            yield Loss("word", " ".join(words))


def _unturned(reading: Reading, found: Sequence[Home], required: Sequence[int]) -> Iterator[Loss]:
    """Find what a `but` or `although` added to a statement and the typed text left out."""
    drawn = {at for home in found for at in home.all}
    for at in required:
        clause = reading.said[at]
        if clause.joint in _TURNS and clause.of("word") and at not in drawn:
            yield Loss("word", " ".join(token.shown for token in clause.telling))


def _dropped_claims(reading: Reading, found: Sequence[Home], kind: Kind) -> Iterator[Loss]:
    """Find what a title or summary claims although its source denies or doubts it."""
    typed = bearings(reading.typed)
    held = bearings(reading.said)
    for at, home in enumerate(found):
        clause = reading.typed[at]
        claim = any(
            token.key in _CLAIMS or token.kind in {"speaker", "person"} for token in clause.tokens
        )
        if not claim and kind == "title":
            continue
        here = Pool(clause.telling)
        own = [bearing for bearing in typed if bearing.clause == at]
        for bearing in held:
            if bearing.clause not in home.clauses or bearing.token.kind not in {
                "negation",
                "hedge",
            }:
                continue
            told = sum(map(here.holds, reading.said[bearing.clause].telling))
            near = any(map(here.holds, bearing.near))
            if near and (claim or told > 1) and not _has(own, bearing):
                yield Loss(bearing.token.kind, str(bearing))
