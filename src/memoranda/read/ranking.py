"""Which lines answer a question best: BM25, helped by the neighbours in the block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log

from memoranda.store.index import FtsIndex
from memoranda.store.query import Query, phrase, understand
from memoranda.store.statements import statement
from memoranda.store.view import Place, View
from memoranda.text.analyse import content_counts
from memoranda.text.frames import Hit, newest_first, replaces
from memoranda.values import Entry

ANY = 400
"""How many hits with any of the words are looked at."""
MOST = 25_600
"""The end of looking further down when most hits are outdated."""
EVERY = 100
"""How many hits with every word are looked at; they come first."""
WHOLE = 0.5
"""What a line gets on top that holds every word of a question."""
FEW = 4
"""A query of so few terms is taken at its word: lines that hold them all come before all others."""
CONTEXT = (0.5, 0.3, 0.2, 0.1)
"""How much of a neighbour's score a line gets, from the nearest outwards."""
FEEDBACK = 0.2
"""How much of its score by feedback a line gets."""
BEST = 5
"""So many of the best lines give their words."""
WORDS = 10
"""So many words are taken from them."""
REORDERED = 50
"""How many of the best lines are looked at for newer versions of the same state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Lines and uncited events, best first."""

    lines: tuple[tuple[int, float], ...]
    """Pairs (first seq of the line, score); the best score is about 1 to 3."""
    events: tuple[tuple[int, float], ...]
    """Pairs (position of an event that no entry cites, score)."""
    possibly_replaced: Mapping[int, int]
    """Line -> a newer line that may replace it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What a handle may read: one project and what has none, or everything in the scope."""

    project: str | None
    all_projects: bool

    @property
    def projects(self) -> tuple[str | None, ...] | None:
        """The projects that may be read; None for all."""
        return None if self.all_projects else (None, self.project)

    def allows(self, project: str | None) -> bool:
        """Say whether an entry of a project may be read."""
        return self.all_projects or project is None or project == self.project


def rank(question: str, view: View, index: FtsIndex, reach: Reach) -> Ranked:
    """Rank what matches a question; superseded lines lend their score to what holds now."""
    query = understand(question)
    limit = ANY
    while True:
        scores, whole = _scores(query, index, reach, limit)
        lines = _lines(scores, view, reach)
        if len(lines) * 2 >= ANY or len(scores) < limit or limit >= MOST:
            break
        limit *= 4  # most hits were outdated or retracted: look further down
    smooth = _smoothed(lines, view, reach)
    if FEEDBACK:
        more = _feedback(query, smooth, view, index, reach)
        for seq, score in more.items():
            lines[seq] = lines.get(seq, 0.0) + FEEDBACK * score
        smooth = _smoothed(lines, view, reach)
    first = _lines(dict.fromkeys(whole, 1.0), view, reach) if len(query.terms) <= FEW else {}
    ordered = sorted(smooth.items(), key=lambda item: (item[0] not in first, -item[1], -item[0]))
    lines_ranked, marks = _newest(question, ordered, view)
    return Ranked(
        lines=tuple(lines_ranked),
        events=_events(scores, view, reach),
        possibly_replaced=marks,
    )


def _scores(
    query: Query, index: FtsIndex, reach: Reach, limit: int
) -> tuple[dict[int, float], list[int]]:
    """Score units by BM25, between 0 and 1, and more for those that hold every word; name those."""
    hits = index.search(query.any, limit=limit, projects=reach.projects)
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    scores = {hit.unit: hit.score / best for hit in hits}
    whole = index.search(query.every, limit=limit * EVERY // ANY, projects=reach.projects)
    for hit in whole:
        scores[hit.unit] = scores.get(hit.unit, 0.5) + WHOLE
    return scores, [hit.unit for hit in whole]


def _lines(scores: Mapping[int, float], view: View, reach: Reach) -> dict[int, float]:
    """Lift hits to the lines that hold now."""
    hits = view.places(unit for unit in scores if unit > 0)
    heads = view.places(place.line for place in hits.values())
    found: dict[int, float] = {}
    for seq, place in hits.items():
        head = heads[place.line]
        now = head.final if head.final is not None else head.seq
        if not head.retracted and reach.allows(head.project):
            found[now] = max(found.get(now, 0.0), scores[seq])
    hidden = {
        seq
        for seq, place in view.places(found).items()
        if place.retracted or not reach.allows(place.project)
    }
    return {seq: score for seq, score in found.items() if seq not in hidden}


def _smoothed(lines: Mapping[int, float], view: View, reach: Reach) -> dict[int, float]:
    """Add to each line a part of the scores of its neighbours in the same document.

    Neighbours are the lines said just before and after it: adjacent turns explain each other.
    Nothing is taken in from CURRENT, which is no document, nor from beyond the reach.
    """
    found = dict(lines)
    steps = [step for far in range(1, len(CONTEXT) + 1) for step in (-far, far)]
    near = view.places({seq + step for seq in lines for step in (0, *steps)})
    for seq, place in near.items():
        if place.document_id is None or place.line != seq or place.final is not None:
            continue
        if place.retracted or not reach.allows(place.project):
            continue
        extra = sum(
            CONTEXT[abs(step) - 1] * lines.get(seq + step, 0.0)
            for step in steps
            if seq + step in near and near[seq + step].document_id == place.document_id
        )
        if extra:
            found[seq] = lines.get(seq, 0.0) + extra
    return found


def _feedback(
    query: Query,
    smooth: Mapping[int, float],
    view: View,
    index: FtsIndex,
    reach: Reach,
) -> dict[int, float]:
    """Score lines by the telling words of the best lines so far (pseudo relevance feedback)."""
    best = sorted(smooth.items(), key=lambda item: (-item[1], -item[0]))[:BEST]
    said = view.said_by(seq for seq, _ in best)
    weights: dict[str, float] = {}
    for seq, score in best:
        if seq in said:
            found = content_counts([said[seq][0]])
            for term, count in found.items():
                weights[term] = weights.get(term, 0.0) + score * count / sum(found.values())
    fresh = {term: weight for term, weight in weights.items() if term not in query.terms}
    known = index.frequencies(sorted(fresh))
    size = index.size()
    ranked = sorted(
        fresh, key=lambda term: (-fresh[term] * log(1 + size / known.get(term, size)), term)
    )[:WORDS]
    hits = index.search(
        " OR ".join(phrase([term]) for term in ranked), limit=ANY, projects=reach.projects
    )
    top = max((hit.score for hit in hits), default=0.0) or 1.0
    return _lines({hit.unit: hit.score / top for hit in hits}, view, reach)


def _newest(
    question: str, ordered: Sequence[tuple[int, float]], view: View
) -> tuple[list[tuple[int, float]], dict[int, int]]:
    """Put the newest version of a state first, and mark the versions before it."""
    head, tail = ordered[:REORDERED], ordered[REORDERED:]
    entries = view.entries(seq for seq, _ in head)
    places = view.places(seq for seq, _ in head)
    hits = [
        Hit(
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
