"""Which entries of a window replace which older ones: by rules, decided in code (design section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from memoranda.store.index import FtsIndex
from memoranda.store.operations import Supersede
from memoranda.store.query import phrase
from memoranda.store.saying import AUTHORITY
from memoranda.store.statements import statement
from memoranda.store.view import View
from memoranda.text.analyse import terms
from memoranda.text.frames import keys, one_value_apart, reading_frame, replaces, search_terms
from memoranda.values import Entry

STATED = "key: "
"""How a key begins that an extraction gave: `key: project / subject / attribute`, of one value."""
LOOKED_AT = 200
"""The newest matching entries that a correction without a key looks through."""
CANDIDATES = 20


Moment = tuple[str, int]
"""The order of statements: event time, else record time, then seq."""


def supersessions(
    entries: Sequence[Entry], view: View, index: FtsIndex, *, by_key: bool = True
) -> tuple[Supersede, ...]:
    """Find what the entries of a window replace, and what replaces them.

    Only entries of the window and those before it are looked at, so that what was added later can't
    change a plan. Order is by event time, else record time, then seq: arrival does not matter.

    A statement is linked to all older versions that hold, to those that only a still newer one
    replaced (so that they do not come back when that one is retracted), and to the next newer one.

    Args:
        entries: the lines of the window, oldest first.
        view: the state.
        index: caught up with the log.
        by_key: let statements of one stated key replace each other even where code can't see for
            itself that they tell of one state (`is_sure`).
    """
    links = _Links(view, by_key=by_key)
    for entry in entries:
        if not entry.retracted:
            _link(entry, links, view, index, last=entries[-1].seq)
    return tuple(links.found)


def _link(entry: Entry, links: _Links, view: View, index: FtsIndex, *, last: int) -> None:
    """Link an entry to what it replaces, and to what replaces it."""
    stated = stated_keys(view, [entry.seq]).get(entry.seq, frozenset())
    candidates = _candidates(entry, stated, view, index, last=last)
    if not candidates:
        return
    same = {seq for seq, found in stated_keys(view, candidates).items() if found & stated}
    moments = links.look([entry.seq, *candidates])
    lines = view.entries(candidates)
    older = [seq for seq in candidates if moments[seq] < moments[entry.seq]]
    for seq in sorted(older, key=lambda item: moments[item]):
        if links.open_to(seq, moments[entry.seq]) and _replaces(
            lines[seq], entry, stated=seq in same, trusted=links.by_key
        ):
            links.add(seq, entry.seq, moments[entry.seq])
    newer = sorted(set(candidates) - set(older), key=lambda item: moments[item])
    for seq in newer:
        if links.open_to(entry.seq, moments[seq]) and _replaces(
            entry, lines[seq], stated=seq in same, trusted=links.by_key
        ):
            links.add(entry.seq, seq, moments[seq])


class _Links:
    """The links of a plan, on top of those that stand."""

    def __init__(self, view: View, *, by_key: bool) -> None:
        self.by_key = by_key
        self.found: list[Supersede] = []
        self._view = view
        self._next: dict[int, Moment] = {}
        self._standing: dict[int, Moment] = {}
        self._reached: dict[int, set[int]] = {}

    def look(self, seqs: Sequence[int]) -> dict[int, Moment]:
        """Give the moments of entries, and see what replaced them before."""
        places = self._view.places(seqs)
        by = {seq: place.superseded_by for seq, place in places.items() if place.superseded_by}
        successors = self._view.places(by.values())
        self._standing |= {seq: (successors[newer].moment, newer) for seq, newer in by.items()}
        return {seq: (place.moment, seq) for seq, place in places.items()}

    def open_to(self, older: int, newer: Moment) -> bool:
        """Say whether a link from an entry to a newer one would tell something.

        It does if the entry holds now, or if what replaced it was said later than the newer one.
        """
        if newer[1] not in self._reached:
            self._reached[newer[1]] = self._view.reached(newer[1])
        if older in self._reached[newer[1]]:
            return False  # a correction already says the reverse, and it stands
        successor = self._next.get(older) or self._standing.get(older)
        return successor is None or newer < successor

    def add(self, older: int, newer: int, moment: Moment) -> None:
        """Add a link."""
        self.found.append(Supersede(older=older, newer=newer))
        self._next[older] = min(self._next.get(older, moment), moment)


def _replaces(older: Entry, newer: Entry, *, stated: bool, trusted: bool) -> bool:
    """Say whether the newer of two statements replaces the older.

    Of one stated key it does, unless the word of its source stands below; else the frames decide.
    """
    if stated and trusted and newer.source != "assistant":
        return AUTHORITY[newer.source] >= AUTHORITY[older.source]
    if stated:
        return is_sure(older, newer, stated=True)
    return replaces(statement(older), statement(newer))


def is_sure(older: Entry, newer: Entry, *, stated: bool) -> bool:
    """Say whether code can see for itself that the newer of two statements replaces the older.

    Their frames say so, or they have one stated key (`stated`) and are of one weaker frame, or one
    text but for one value: what a model says beyond that is on its word alone (law 8).
    """
    if newer.source == "assistant" or AUTHORITY[newer.source] < AUTHORITY[older.source]:
        return False
    if replaces(statement(older), statement(newer)):
        return True
    if not stated:
        return False
    frame = reading_frame(newer.text)
    one = frame is not None and frame == reading_frame(older.text)
    return one or one_value_apart(older.text, newer.text)


def sure(link: Supersede, view: View) -> bool:
    """Say whether code can see for itself that a link between two lines is right (`is_sure`)."""
    ends = (link.older, link.newer)
    lines, keys = view.entries(ends), stated_keys(view, ends)
    none: frozenset[str] = frozenset()
    stated = bool(keys.get(link.older, none) & keys.get(link.newer, none))
    return set(ends) <= lines.keys() and is_sure(
        lines[link.older], lines[link.newer], stated=stated
    )


def stated_keys(view: View, seqs: Sequence[int]) -> dict[int, frozenset[str]]:
    """Give the stated keys of entries that have one."""
    found = {
        seq: frozenset(key for key in keys if key.startswith(STATED))
        for seq, keys in view.keys_of(seqs).items()
    }
    return {seq: keys for seq, keys in found.items() if keys}


def _candidates(
    entry: Entry, stated: frozenset[str], view: View, index: FtsIndex, *, last: int
) -> list[int]:
    """Give the lines that may be versions of the same state, oldest first."""
    said = statement(entry)
    around = (view.places([entry.seq])[entry.seq].moment, entry.seq)
    wanted = (*keys(said), *sorted(stated))
    found = set(view.with_keys(wanted, project=entry.project, around=around, last=last))
    words = search_terms(said)
    if words:
        found |= set(_by_words(entry, words, view, index))
    found.discard(entry.seq)
    return sorted(found)


def _by_words(entry: Entry, words: Sequence[str], view: View, index: FtsIndex) -> list[int]:
    """Give the earlier lines that share most words with a correction, at most `CANDIDATES`."""
    wanted = {term for word in words for term in terms(word)}
    query = " OR ".join(phrase([term]) for term in sorted(wanted))
    hits = index.before(query, entry.seq, limit=LOOKED_AT, project=entry.project)
    shared = index.sharing(wanted, hits)
    scored = []
    for seq, (text, speaker, source) in view.said_by(hits).items():
        near = entry.project is not None or speaker == entry.speaker or source == "assistant"
        if near:
            named = bool(wanted & _terms(speaker or ""))  # what is shared may be the name only
            scored.append((-len(wanted & _terms(text)) if named else -shared[seq], -seq))
    return [-seq for _, seq in sorted(scored)[:CANDIDATES]]


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))
