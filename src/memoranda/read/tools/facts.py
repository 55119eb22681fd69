"""The current state of a subject: by key, decided in code; else the newest of what was said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memoranda.errors import InputError
from memoranda.read.lexical import Source
from memoranda.read.ranking import rank, shown
from memoranda.read.tools.keys import Key, all_keys, holds, names, near, parse
from memoranda.read.tools.places import Located, located
from memoranda.read.tools.results import Fact, Facts
from memoranda.store.index import unit_text
from memoranda.store.saying import AUTHORITY
from memoranda.store.statements import statement
from memoranda.store.view import Place
from memoranda.text.analyse import fold
from memoranda.text.frames import reading_frame, replaces
from memoranda.text.frames.parse import parse as parsed
from memoranda.text.frames.state import frames
from memoranda.text.same import same_form
from memoranda.values import CURRENT, Entry

LOOKED_AT = 100
"""The best lines by words that are looked at."""
PAST = 10
"""Earlier lines that are given of one fact."""


def facts(subject: str, source: Source, *, attribute: str | None = None, limit: int) -> Facts:
    """Give what holds now of a subject, one fact a key; without any, what its own words find.

    Which line of a key is current is decided here and not by a model: what was replaced is left,
    then the word of the stronger source (user, tool, external, assistant), then the newest.

    Args:
        subject: a thing, a person, a speaker; in any form of its words.
        source: the memory at one position.
        attribute: what of it; None gives all that is known.
        limit: at most so many facts.

    Raises:
        InputError: the subject is empty.
    """
    if not subject.strip():
        raise InputError("facts need a subject: a person, a thing, a name")
    known = all_keys(source)
    found = [*_by_key(subject, attribute, known, source)]
    if not found:
        found += _by_words(subject, attribute, source)
    note = ""
    close: tuple[str, ...] = ()
    if not found:
        close = near(subject, known)
        note = _nothing(subject, attribute, close, len(known))
    elif len(found) > limit:
        note = f"{len(found) - limit} more facts; name an attribute"
    return Facts(
        subject=subject,
        attribute=attribute,
        facts=tuple(found[:limit]),
        total=len(found),
        near=close,
        note=note,
        position=source.log.position(),
    )


def _by_key(
    subject: str, attribute: str | None, known: Mapping[str, list[int]], source: Source
) -> list[Fact]:
    """Give the facts whose key names the subject, and the attribute if there is one.

    Keys that differ only in who said it are of one state, unless they speak of the speaker.
    """
    words = names(subject)
    asked = names(attribute) if attribute else ()
    states: dict[tuple[str, ...], list[Key]] = {}
    for key in map(parse, known):
        if holds(words, key.text):
            states.setdefault(key.state, []).append(key)
    lines = _Lines.of([known[key.name] for keys in states.values() for key in keys], source)
    found: list[tuple[tuple[int, int], str, Fact]] = []
    for keys in states.values():
        by = {entry.seq: key for key in keys for entry in lines.of_key(known[key.name])}
        entries = [lines.now.entries[seq] for seq in sorted(by)]
        told = fold(" ".join(entry.text for entry in entries))
        if entries and holds(asked, f"{keys[0].text} {told}"):
            fact = _fact(by, entries, lines)
            close = _closeness(keys[0], words, asked)
            found.append((close, lines.at[fact.entry.seq].moment, fact))
    found.sort(key=lambda item: (item[1], item[2].entry.seq), reverse=True)
    return _once(fact for _, _, fact in sorted(found, key=lambda item: item[0]))


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines that hold now for keys, and what they replaced."""

    held: Mapping[int, int | None]
    now: Located
    past: Mapping[int, list[int]]
    older: Located
    at: Mapping[int, Place]

    @classmethod
    def of(cls, seqs: Iterable[Iterable[int]], source: Source) -> _Lines:
        """Read the lines of keys."""
        held = _holding({seq for some in seqs for seq in some}, source)
        now = located((seq for seq in held.values() if seq is not None), source)
        past = source.view.chains(now.entries)
        older = located((seq for chain in past.values() for seq in chain), source)
        at = source.view.places([*now.entries, *older.entries])
        return cls(held, now, past, older, at)

    def of_key(self, seqs: Iterable[int]) -> list[Entry]:
        """Give what holds now in place of some lines."""
        found = {now for seq in seqs if (now := self.held.get(seq)) is not None}
        return [self.now.entries[seq] for seq in sorted(found) if seq in self.now.entries]

    def before(self, entry: Entry) -> list[Entry]:
        """Give what a line replaced, newest first."""
        chain = self.past.get(entry.seq, ())
        return [self.older.entries[seq] for seq in chain if seq in self.older.entries]


def _holding(seqs: Iterable[int], source: Source) -> dict[int, int | None]:
    """Give, for each line, what holds now in its place: what replaced it, or itself.

    As a search does: nothing where the reach ends before what holds now; itself, marked as outdated,
    where only filters keep that back.
    """
    places = source.view.places(seqs)
    finals = source.view.places(at.final for at in places.values() if at.final is not None)
    return {
        seq: shown(at, at if at.final is None else finals[at.final], source.reach)
        for seq, at in places.items()
    }


def _fact(by: Mapping[int, Key], entries: Sequence[Entry], lines: _Lines) -> Fact:
    """Choose among the lines of one state; `by` gives the key of each."""

    def when(entry: Entry) -> tuple[str, int]:
        return (lines.at[entry.seq].moment, entry.seq)

    def strength(entry: Entry) -> tuple[bool, int, tuple[str, int]]:
        return (entry.superseded_by is None, AUTHORITY[entry.source], when(entry))

    lead, *others = sorted(entries, key=strength, reverse=True)
    key = by[lead.seq]
    competing = [
        other for other in others if _competes(other, lead, key, later=when(other) > when(lead))
    ]
    gone = [other for other in others if other not in competing]
    earlier = {entry.seq: entry for line in entries for entry in lines.before(line)}
    earlier |= {entry.seq: entry for entry in gone}
    return Fact(
        key=key.name,
        subject=key.subject or key.owner,
        attribute=key.attribute,
        value=_value(key, lead),
        since=lead.time or lead.recorded,
        source=lead.source,
        entry=lead,
        title=lines.now.title(lead.document_id),
        version=lines.now.version(lead.document_id),
        competing=tuple(competing),
        earlier=tuple(sorted(earlier.values(), key=when, reverse=True)[:PAST]),
    )


def _competes(other: Entry, lead: Entry, key: Key, *, later: bool) -> bool:
    """Say whether a line of a key holds beside the one that leads: neither replaces the other."""
    if other.superseded_by is not None or same_form(other.text) == (same_form(lead.text) or ""):
        return False
    if later:  # by a weaker source
        return True
    if key.is_stated and lead.source != "assistant":
        return False
    return not replaces(statement(other), statement(lead))


def _value(key: Key, entry: Entry) -> str:
    """Give what the frame that made a key took as the value; else the whole line."""
    if not key.is_stated:
        for frame in frames(parsed(statement(entry))):
            if frame.attribute == key.attribute and frame.subject.endswith(key.subject):
                return frame.value
    return entry.text


def _closeness(key: Key, words: Sequence[str], asked: Sequence[str]) -> tuple[int, int]:
    """Put keys first whose subject is what was asked for, and those with the attribute in the key."""
    own = holds(words, fold(key.subject or key.owner))
    return (-int(own) - int(bool(asked) and holds(asked, key.text)), len(key.subject))


def _once(found: Iterable[Fact]) -> list[Fact]:
    """Keep one fact of each leading line: several keys may come from one sentence."""
    kept: dict[int, Fact] = {}
    for fact in found:
        kept.setdefault(fact.entry.seq, fact)
    return list(kept.values())


def _by_words(subject: str, attribute: str | None, source: Source) -> Iterator[Fact]:
    """Give lines that hold the words asked for, the newest of each state first."""
    words, asked = names(subject), names(attribute) if attribute else ()
    ranked = rank(f"{subject} {attribute or ''}".strip(), source.view, source.index, source.reach)
    best = [seq for seq, _ in ranked.lines[:LOOKED_AT]]
    place = located(best, source)
    chains = source.view.chains(best)
    older = located({seq for chain in chains.values() for seq in chain}, source)
    marks = {
        seq: newer for seq, newer in ranked.possibly_replaced.items() if newer in place.entries
    }
    for seq in best:
        entry = place.entries.get(seq)
        if entry is None or seq in marks:
            continue
        if not holds((*words, *asked), fold(unit_text(entry.text, entry.speaker))):
            continue
        was = [place.entries[old] for old, newer in marks.items() if newer == seq]
        was += [older.entries[old] for old in chains.get(seq, ()) if old in older.entries]
        yield Fact(
            key=None,
            subject=subject,
            attribute=reading_frame(entry.text) or attribute or "",
            value=entry.text,
            since=entry.time or entry.recorded,
            source=entry.source,
            entry=entry,
            title=place.title(entry.document_id or CURRENT),
            version=place.version(entry.document_id),
            earlier=tuple(was[:PAST]),
        )


def _nothing(subject: str, attribute: str | None, close: Sequence[str], known: int) -> str:
    what = f" with the attribute {attribute!r}" if attribute else ""
    names_ = f"; subjects with near names: {', '.join(close)}" if close else ""
    return (
        f"nothing is known of {subject!r}{what}; {known} keys were looked at{names_}. "
        "Try without the attribute, another name, or search"
    )
