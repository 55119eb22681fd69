"""Hops resolved against the current state: which line answers a step, and what value it gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from memoranda.answers import Hop
from memoranda.read.lexical import Source
from memoranda.read.ranking import rank
from memoranda.read.readers.claims import claim_of
from memoranda.read.readers.desk import Looking
from memoranda.store.statements import statement
from memoranda.text.analyse import fold, is_stopword, terms
from memoranda.text.frames import reading_frame
from memoranda.text.frames.parse import parse
from memoranda.text.frames.state import frames
from memoranda.values import Entry

LOOKED_AT = 40
"""So many of the best lines are looked at for one hop."""
TOLD = 0.5
"""So much of what a hop asks a line must tell by itself, else the rules leave the hop to the model."""
_REFERENCE = re.compile(r"#(\d)")
_WHERE = re.compile(
    r"\b(?:where|city|town|country|place)\b|哪里|哪儿|哪个(?:城|国|地)", re.IGNORECASE
)
_WHO = re.compile(r"\b(?:who|founder|creator|owner|author|maker)\b|谁", re.IGNORECASE)
_ENDS_WHERE = re.compile(r"\b(?:in|at|city|town|country|place) (?:of )?$| in$|在$", re.IGNORECASE)
_ENDS_WHO = re.compile(r"\bby$", re.IGNORECASE)
_EDGES = " \t\n.,;:!\"'。，；：！“”"
_KIN: tuple[frozenset[str], ...] = tuple(
    frozenset(terms(words))
    for words in (
        "spouse wife husband married partner",
        "boss manager supervisor reports lead",
        "child son daughter",
        "parent mother father",
        "job work works profession occupation field",
        "home lives live resides residence",
        "author wrote written writer",
        "headquarters headquarter office based",
        "company employer works employed",
        "language speaks spoken",
        "phone number telephone mobile",
    )
)
"""Words that name one relation."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that holds now and may answer a hop, with the value that it gives by its frame."""

    entry: Entry
    value: str | None
    fit: float
    told: float
    """How much of what the question asks about the names in it the line tells, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Picked:
    """The line that answers a hop, and its value."""

    entry: Entry
    value: str
    how: str


Pick = Callable[[str, Sequence[Candidate]], Picked | None]
"""(question, candidates) -> the one that answers; it may be a model's choice among current lines."""


def resolve(hops: Sequence[str], looking: Looking, pick: Pick) -> tuple[Hop, ...]:
    """Resolve hops in order; the first that can't be resolved is the last that is given.

    A hop that asks for a value of an earlier one (`#1`) looks only at lines that name this value.
    Which of several versions holds is decided here: superseded lines are no candidates, and of lines
    with one frame only the newest is.
    """
    found: list[Hop] = []
    for number, hop in enumerate(hops):
        asked, needed = _filled(hop, found)
        made = _resolved(asked, needed, looking, pick)
        if made.value is None and number and f"#{number}" in hop and found:
            joined = _merged(hop, number, hops[number - 1])
            again, needed = _filled(joined, found[:-1])
            other = _resolved(again, needed, looking, _by_whole_frame)
            if other.value is not None:  # the two steps were one: a line tells both
                found[-1] = other
                found.append(other)
                continue
        found.append(made)
        if made.value is None:
            break
    return tuple(dict.fromkeys(found))


def _resolved(asked: str, needed: tuple[str, ...], looking: Looking, pick: Pick) -> Hop:
    options = looking(lambda source: _candidates(asked, needed, source))
    picked = pick(asked, options) if options else None
    if picked is None:
        return Hop(question=asked, value=None, claim=None)
    return looking(lambda source: _made(asked, picked, source))


def _made(asked: str, picked: Picked, source: Source) -> Hop:
    entry, older = _newest(picked.entry, source)
    value = picked.value
    if entry.seq != picked.entry.seq:  # the model, or the ranking, named an older version
        value = value_in(entry) or value
    claim = claim_of(entry, source.view)
    return Hop(question=asked, value=value, claim=claim, replaced=older, how=picked.how)


def by_frame(_: str, options: Sequence[Candidate]) -> Picked | None:
    """Pick the line whose frame fits the question best, if it fits well enough."""
    return _best(options, TOLD)


def _by_whole_frame(_: str, options: Sequence[Candidate]) -> Picked | None:
    """Pick the line whose frame tells all that the question asks."""
    return _best(options, 1.0)


def _best(options: Sequence[Candidate], told: float) -> Picked | None:
    fitting = [option for option in options if option.value and option.told >= told]
    best = max(fitting, key=lambda option: option.fit, default=None)
    return Picked(best.entry, best.value or "", "frame") if best else None


def value_in(entry: Entry) -> str | None:
    """Give what a line says of its subject, verbatim, if its frame tells."""
    text = " ".join(entry.text.split())
    frame = reading_frame(text)
    if frame is not None and text.casefold().startswith(frame):
        return text[len(frame) :].strip(_EDGES) or None
    for told in frames(parse(statement(entry))):
        at = text.casefold().rfind(told.value.casefold().strip(_EDGES))
        if told.value.strip(_EDGES) and at >= 0:
            return text[at : at + len(told.value)].strip(_EDGES) or None
    return None


def _candidates(asked: str, needed: tuple[str, ...], source: Source) -> list[Candidate]:
    """Give the lines that hold now, name what is needed, and are the newest of their frame."""
    ranked = rank(asked, source.view, source.index, source.reach)
    best = [seq for seq, _ in ranked.lines if seq not in ranked.possibly_replaced][:LOOKED_AT]
    entries = source.view.entries(best)
    found = []
    for seq in best:
        entry = entries[seq]
        value = value_in(entry)
        names = (*needed, *_proper(asked))
        if source.reach.holds(entry.superseded_by) and _names(entry, value, names):
            # without a name to go by, a value that the question holds is what was asked about
            known = not names and value is not None and fold(value) in fold(asked)
            told = _told(entry.text, value)
            found.append(
                Candidate(
                    entry=entry,
                    value=None if known else value,
                    fit=_fit(asked, told),
                    told=_share(asked, told, names),
                )
            )
    return found


def _names(entry: Entry, value: str | None, names: Iterable[str]) -> bool:
    """Say whether a line, its speaker included, names all of these outside the value that it gives."""
    text = fold(f"{entry.speaker or ''} {_told(entry.text, value)}")
    for name in names:
        word = re.escape(fold(name))
        if not re.search(rf"\b{word}\b" if name.isascii() else word, text):
            return False
    return True


def _proper(asked: str) -> list[str]:
    """Give the names of a question: its words with a capital, the first word left out."""
    words = re.findall(r"[^\W\d_][\w-]*", asked)
    return [word for word in words[1:] if word[0].isupper() and len(word) > 1]


def _told(text: str, value: str | None) -> str:
    """Give what a line says before its value."""
    at = text.rfind(value) if value else -1
    return text[:at] if at > 0 else text


def _newest(entry: Entry, source: Source) -> tuple[Entry, tuple[int, ...]]:
    """Give the newest line of an entry's frame, and the seqs of the older versions, newest first."""
    chain = source.view.chains([entry.seq]).get(entry.seq, [])
    frame = reading_frame(entry.text)
    if frame is None:
        return entry, tuple(chain)
    ranked = rank(frame, source.view, source.index, source.reach)
    lines = source.view.entries([entry.seq, *(seq for seq, _ in ranked.lines[:LOOKED_AT])])
    places = source.view.places(lines)
    same = [
        other
        for seq, other in lines.items()
        if source.reach.holds(other.superseded_by)
        and source.reach.admits(other.seq)
        and other.project == entry.project
        and reading_frame(other.text) == frame
        and source.reach.allows(other.project)
    ]
    same.sort(key=lambda other: (places[other.seq].moment, other.seq), reverse=True)
    newest = same[0] if same else entry
    chains = source.view.chains([other.seq for other in same])
    older = [other.seq for other in same[1:]]
    older += [seq for other in same for seq in chains.get(other.seq, ())]
    return newest, tuple(dict.fromkeys(older))


def _filled(hop: str, found: Sequence[Hop]) -> tuple[str, tuple[str, ...]]:
    """Put the values of earlier hops in; give them too."""
    values = [hop.value or "" for hop in found]
    numbers = [int(number) for number in _REFERENCE.findall(hop) if int(number) <= len(values)]

    def value(match: re.Match[str]) -> str:
        number = int(match[1])
        return values[number - 1] if 0 < number <= len(values) else match[0]

    needed = tuple(values[number - 1] for number in numbers if number > 0)
    return _REFERENCE.sub(value, hop), needed


def _merged(hop: str, number: int, before: str) -> str:
    """Put the step before into a step in place of its value."""
    phrase = re.sub(r"^(?:What|Who) is |是什么？$|[?？]$", "", before)
    return hop.replace(f"#{number}", phrase)


def _share(asked: str, told: str, names: Iterable[str]) -> float:
    """Say how much of a question a line tells, its names left out: what is asked about them."""
    named = set(_words(" ".join(names)))
    wanted = [word for word in _words(asked) if word not in named]
    has = _words(told)
    return sum(_is_told(word, has) for word in wanted) / len(wanted) if wanted else 1.0


def _fit(asked: str, told: str) -> float:
    """Weigh how well a line fits a question: what it tells of it, and what else it tells."""
    wanted, has = _words(asked), _words(told)
    if not wanted or not has:
        return 0.0
    hits = sum(_is_told(word, has) for word in wanted) / len(wanted)
    back = sum(_is_told(word, wanted) for word in has) / len(has)
    kinds = ((_WHERE, _ENDS_WHERE), (_WHO, _ENDS_WHO))
    suits = any(asks.search(asked) and ends.search(told.strip()) for asks, ends in kinds)
    return hits + 0.4 * back + 0.2 * suits


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(term for term in terms(text) if not is_stopword(term)))


def _is_told(word: str, among: Iterable[str]) -> bool:
    return any(_akin(word, other) for other in among)


def _akin(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long_ = sorted((one, other), key=len)
    if len(short) >= 3 and short.isascii() and long_.startswith(short):
        return True
    return any(one in kin and other in kin for kin in _KIN)
