"""Which lines answer a question best: BM25, helped by the neighbours in the block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from math import log

from memoranda.read.fusion import fused
from memoranda.read.reach import Reach
from memoranda.read.versions import later_first
from memoranda.store.bm25 import Hit
from memoranda.store.index import FtsIndex, unit_text
from memoranda.store.query import LONGEST, Query, understand
from memoranda.store.statements import statement
from memoranda.store.view import Place, View
from memoranda.text.analyse import fold, is_stopword, terms
from memoranda.text.frames import Hit as State
from memoranda.text.frames import newest_first, replaces
from memoranda.values import LOG, Entry

FEWEST = 200
"""How many hits are looked at, at least."""
HIT = 10
"""Tokens of the budget for each hit that is looked at: no line takes less."""
MOST = 25_600
"""The end of looking further down when most hits are outdated."""
WHOLE = 0.5
"""What a line gets on top that holds every word of a question."""
FEW = 4
"""A query of so few terms is taken at its word: lines that hold them all come before all others."""
CONTEXT = (0.5, 0.3, 0.2, 0.1)
"""How much of a neighbour's score a line gets, from the nearest outwards."""
SHORT = 40
"""Tokens of a line that costs nothing extra: a turn of a conversation."""
PRICE = 0.25
"""How much a longer line's score falls with its length; a budget of tokens holds fewer of them."""
SOURCES = 50
"""So many of the best lines lend their neighbours; the others are too weak to."""
ASKED = 2.5
"""How many times as much a line counts that was said by somebody whom the question names."""
PAIRS = 1.0
"""What a line gets on top that holds every pair of adjacent words of the question; a part for some."""
FEEDBACK = 0.2
"""How much of its score by feedback a line gets."""
FURTHER = 100
"""How many hits by feedback are looked at."""
BEST = 5
"""So many of the best lines give their words."""
WORDS = 10
"""So many words are taken from them."""
PIECES = 1000
"""How many hits are looked at for a piece of text as it stands; more if few of them hold it."""
CLOSE = 0.25
"""The least cosine that counts: below it, two texts are as near as any two."""
REORDERED = 50
"""How many of the best lines are looked at for newer versions of the same state."""

_WORD = re.compile(r"\w[\w'-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Lines and uncited events, best first."""

    lines: tuple[tuple[int, float], ...]
    """Pairs (first seq of the line, score); the best score is about 1 to 3."""
    events: tuple[tuple[int, float], ...]
    """Pairs (position of an event that no entry cites, score)."""
    possibly_replaced: Mapping[int, int]
    """Line -> a newer line that may replace it."""
    literal: frozenset[int] = frozenset()
    """Lines that hold a question of Han, Kana, Hangul, Thai ... as it stands; they come first."""
    near: frozenset[int] = frozenset()
    """Lines that are near in meaning, whatever their words."""


def rank(question: str, view: View, index: FtsIndex, reach: Reach, *, budget: int = 0) -> Ranked:
    """Rank what matches a question; superseded lines lend their score to what holds now.

    Args:
        question: any text.
        view: the lines of one scope.
        index: of the same scope, at the same position.
        reach: what may be read.
        budget: tokens that the evidence may take: a large one is served with more hits.
    """
    return _Ranker(question, view, index, reach).ranked(max(FEWEST, budget // HIT))


class _Ranker:
    """Ranks for one question, and looks each place up once."""

    def __init__(self, question: str, view: View, index: FtsIndex, reach: Reach) -> None:
        self._question = question
        self._query = understand(question)
        self._view = view
        self._index = index
        self._reach = reach
        self._known: dict[int, Place] = {}
        self._read: dict[int, tuple[str, str | None, str]] = {}

    def ranked(self, limit: int) -> Ranked:
        """Rank by the question's words, then by these and the words of the best lines so far."""
        hits, scores = self._hits(limit)
        lines = self._lines(scores)
        more = self._feedback(self._said(self._smoothed(lines)))
        for seq, score in more.items():
            lines[seq] = lines.get(seq, 0.0) + FEEDBACK * score
        smooth = self._priced(self._worded(self._said(self._smoothed(lines))))
        first: Mapping[int, float] = {}
        if len(self._query.terms) <= FEW:
            first = self._lines({hit.unit: 1.0 for hit in hits if hit.whole})
        literal = self._literal(hits, limit)
        near = {} if literal or self._query.literal else self._near(limit)
        smooth = fused(smooth, near)
        for seq, score in literal.items():
            smooth.setdefault(seq, score)
        ordered = sorted(
            smooth.items(),
            key=lambda item: (item[0] not in literal, item[0] not in first, -item[1], -item[0]),
        )
        first_of_each, marks = newest(self._question, ordered, self._view)
        first_of_each.sort(key=lambda item: item[0] not in literal)
        return Ranked(
            lines=tuple(first_of_each),
            events=_events(scores, self._view, self._reach),
            possibly_replaced=marks,
            literal=frozenset(literal),
            near=frozenset(near),
        )

    def _hits(self, limit: int) -> tuple[list[Hit], dict[int, float]]:
        """Find units, with scores between 0 and 1, and more for those that hold every word.

        The projects within reach are told to the index only when the others would crowd them out.
        """
        projects: tuple[str | None, ...] | None = None
        wanted = limit
        while True:
            hits = self._index.search(
                self._query, limit=limit, projects=projects, units=self._reach.units
            )
            scores = _normal(hits)
            enough = len(self._lines(scores)) * 2 >= wanted
            if enough or len(hits) < limit or limit >= MOST:
                return hits, {hit.unit: scores[hit.unit] + WHOLE * hit.whole for hit in hits}
            projects = self._reach.projects
            limit *= 4  # most hits were outdated or retracted: look further down

    def _literal(self, found: Sequence[Hit], limit: int) -> dict[int, float]:
        """Find the lines that hold a question as it stands, where its script has no blanks to go by.

        What was found for the question's words is enough if all that holds the piece is among it.
        """
        query = self._query
        asked = Query(terms=query.terms, singles=query.singles, every=query.piece)
        if not query.literal:
            return {}
        if query.piece == query.every and (len(found) < limit or not found[-1].whole):
            return self._lines(self._holding(found))
        limit = max(limit, PIECES)
        while True:
            found = self._index.search(
                asked, limit=limit, projects=self._reach.projects, units=self._reach.units
            )
            held = self._holding(found)
            if len(found) < limit or len(held) * 2 >= limit or limit >= MOST:
                return self._lines(held)
            limit *= 4

    def _holding(self, found: Iterable[Hit]) -> dict[int, float]:
        """Keep the hits whose text holds the question as it stands."""
        scores = _normal([hit for hit in found if hit.whole])
        said = self._view.said_by(scores)
        return {
            unit: score
            for unit, score in scores.items()
            if unit in said and self._query.literal in fold(unit_text(*said[unit][:2]))
        }

    def _near(self, limit: int) -> dict[int, float]:
        """Find lines by meaning, with cosines; none where no vectors are, or none is near enough."""
        if self._index.near is None or not self._query.terms:
            return {}
        while True:
            found = self._index.near(self._question[:LONGEST], limit, self._reach.units)
            close = {unit: cosine for unit, cosine in found if cosine >= CLOSE}
            lines = self._lines(close)
            if len(close) < limit or len(lines) * 2 >= limit or limit >= MOST:
                return lines
            limit *= 4

    def _places(self, seqs: Iterable[int]) -> dict[int, Place]:
        """Say where entries stand."""
        wanted = set(seqs)
        self._known.update(self._view.places(wanted - self._known.keys()))
        return {seq: self._known[seq] for seq in wanted if seq in self._known}

    def _lines(self, scores: Mapping[int, float]) -> dict[int, float]:
        """Lift hits to the lines that hold now."""
        found_at = self._places(unit for unit in scores if unit > 0)
        hits = {seq: place for seq, place in found_at.items() if place.line}
        heads = self._places(place.line for place in hits.values())
        joined = {head.line for head in heads.values()} - heads.keys() - {0}
        lines = heads | (self._places(joined) if joined else {})
        heads = {seq: lines.get(head.line, head) for seq, head in heads.items()}
        finals = self._places(head.final for head in heads.values() if head.final is not None)
        found: dict[int, float] = {}
        for seq, place in hits.items():
            head = heads[place.line]
            now = head if head.final is None else finals[head.final]
            stands = shown(head, now, self._reach)
            if stands is not None:
                found[stands] = max(found.get(stands, 0.0), scores[seq])
        return found

    def _smoothed(self, lines: Mapping[int, float]) -> dict[int, float]:
        """Add to lines a part of the scores of their best neighbours in the same document.

        Neighbours are the lines said just before and after: adjacent turns explain each other.
        A long line takes its room from several short ones: it is lent less. Nothing is taken in from
        CURRENT, which is no document, nor from beyond the reach.
        """
        sources = nlargest(SOURCES, lines, key=lambda seq: (lines[seq], seq))
        steps = [step for far in range(1, len(CONTEXT) + 1) for step in (-far, far)]
        near = self._places(seq + step for seq in sources for step in (0, *steps))
        open_ = {seq for seq, place in near.items() if _may_be_lent(place, self._reach)}
        found = dict(lines)
        for seq in sources:
            name = near[seq].document_id
            for step in steps:
                other = seq + step
                if other in open_ and near[other].document_id == name:
                    share = CONTEXT[abs(step) - 1] * lines[seq] * _part(near[other])
                    found[other] = found.get(other, 0.0) + share
        return found

    def _priced(self, lines: Mapping[int, float]) -> dict[int, float]:
        """Let long lines be worth a little less: what they take of the budget tells as well."""
        places = self._places(lines)
        return {
            seq: score * _part(places[seq]) ** PRICE if seq in places else score
            for seq, score in lines.items()
        }

    def _texts(self, lines: Mapping[int, float]) -> dict[int, tuple[str, str | None, str]]:
        """Give (text, speaker, source) of the best lines."""
        best = nlargest(FEWEST, lines, key=lambda seq: (lines[seq], seq))
        missing = self._view.said_by(seq for seq in best if seq not in self._read)
        self._read |= missing
        return {seq: self._read[seq] for seq in best if seq in self._read}

    def _said(self, lines: Mapping[int, float]) -> dict[int, float]:
        """Lift what was said by somebody whom the question names, in the first person as a rule."""
        wanted = set(self._query.terms)
        by = {seq: speaker for seq, (_, speaker, _) in self._texts(lines).items() if speaker}
        asked = {name for name in set(by.values()) if wanted & set(terms(name))}
        found = dict(lines)
        for seq, name in by.items():
            if name in asked:
                found[seq] *= ASKED
        return found

    def _worded(self, lines: Mapping[int, float]) -> dict[int, float]:
        """Add to a line for the pairs of words that stand in it as they stand in the question.

        So a title or a name of common words alone ("From Me to You") is told from its words.
        """
        asked = _pairs(self._question[:LONGEST])
        found = dict(lines)
        if asked:
            for seq, (text, _, _) in self._texts(lines).items():
                found[seq] += PAIRS * len(asked & _pairs(text)) / len(asked)
        return found

    def _feedback(self, lines: Mapping[int, float]) -> dict[int, float]:
        """Score lines by the telling words of the best lines so far (pseudo relevance feedback)."""
        best = nlargest(BEST, lines, key=lambda seq: (lines[seq], seq))
        said = self._texts({seq: lines[seq] for seq in best})
        weights: dict[str, float] = {}
        for seq in said:
            words = [term for term in terms(said[seq][0]) if not is_stopword(term)]
            for term in words:
                weights[term] = weights.get(term, 0.0) + lines[seq] / len(words)
        fresh = {term: weight for term, weight in weights.items() if term not in self._query.terms}
        known = self._index.frequencies(fresh)
        size = self._index.size()
        ranked = sorted(known, key=lambda term: (-fresh[term] * log(1 + size / known[term]), term))
        hits = self._index.search(
            Query(terms=tuple(ranked[:WORDS])),
            limit=FURTHER,
            projects=None,
            units=self._reach.units,
        )
        return self._lines(_normal(hits))


def _normal(hits: Sequence[Hit]) -> dict[int, float]:
    """Give scores between 0 and 1."""
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    return {hit.unit: hit.score / best for hit in hits}


def _pairs(text: str) -> set[tuple[str, str]]:
    """Give the pairs of words that stand side by side, folded."""
    words = _WORD.findall(text.casefold())
    return set(pairwise(words))


def _part(place: Place) -> float:
    """Give what part of a line's tokens a short one has, at most 1."""
    return min(1.0, SHORT / max(1, place.tokens))


def _may_be_lent(place: Place, reach: Reach) -> bool:
    """Say whether a neighbour's score may bring a line in."""
    stands = place.document_id is not None and place.line == place.seq and place.final is None
    return (
        stands and not place.retracted and reach.allows(place.project) and reach.admits(place.seq)
    )


def shown(head: Place, now: Place, reach: Reach) -> int | None:
    """Name the line that a hit stands for: what holds now, or, where filters keep that back, itself.

    A line that was replaced says so wherever it is shown.
    """
    if head.retracted or not reach.allows(head.project):
        return None
    if not now.line and now.document_id == LOG:
        now = head  # what replaced it may not be seen
    if now.retracted or not now.line or not reach.allows(now.project):
        return None
    return next((place.seq for place in (now, head) if reach.admits(place.seq)), None)


def newest(
    question: str, ordered: Sequence[tuple[int, float]], view: View
) -> tuple[list[tuple[int, float]], dict[int, int]]:
    """Put the newest version of a state first, and mark the versions before it."""
    head, tail = ordered[:REORDERED], ordered[REORDERED:]
    entries = view.entries(seq for seq, _ in head)
    places = view.places(seq for seq, _ in head)
    hits = [
        State(
            seq=seq,
            text=entries[seq].text,
            order=(places[seq].moment, seq),
            score=score,
            project=entries[seq].project,
        )
        for seq, score in head
    ]
    ranked = newest_first(hits, question)
    marks = {item.hit.seq: item.replaced_by for item in ranked if item.replaced_by is not None}
    first = [(item.hit.seq, item.hit.score) for item in ranked]
    _by_keys(first, marks, entries, places, view)
    first = later_first(question, first, entries, places)
    return [*first, *tail], marks


def _by_keys(
    first: list[tuple[int, float]],
    marks: dict[int, int],
    entries: Mapping[int, Entry],
    places: Mapping[int, Place],
    view: View,
) -> None:
    """Let the newest of the lines that share a written key lead, though no plan has linked them.

    Entries of CURRENT are not linked before they are placed; a reader must not wait for that.
    """
    keys = view.keys_of(entries)
    for number in range(len(first)):
        seq = first[number][0]
        for later in range(number + 1, len(first)):
            other = first[later][0]
            if not set(keys.get(seq, ())) & set(keys.get(other, ())):
                continue
            older, newer = sorted((seq, other), key=lambda item: (places[item].moment, item))
            if replaces(statement(entries[older]), statement(entries[newer])):
                marks[older] = newer
                if older == seq:
                    first[number], first[later] = first[later], first[number]
                    seq = newer


def _events(scores: Mapping[int, float], view: View, reach: Reach) -> tuple[tuple[int, float], ...]:
    positions = [-unit for unit in scores if unit < 0]
    free = view.uncited(positions)
    found = [
        (position, scores[-position]) for position, project in free.items() if reach.allows(project)
    ]
    return tuple(sorted(found, key=lambda item: (-item[1], item[0])))
