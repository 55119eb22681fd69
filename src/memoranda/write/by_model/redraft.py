"""A draft by rules that takes changes one by one, each only if it may be; nothing can be lost in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memoranda.store.operations import Duplicate, Join, Text
from memoranda.text.same import same_form
from memoranda.text.tokens import count
from memoranda.values import Entry
from memoranda.write.by_model.links import Pair, links_of
from memoranda.write.by_model.wording import path_of
from memoranda.write.draft import Draft
from memoranda.write.guarded import fits, said_by, same

MOST_IN_BLOCK = 40
"""A block that a model groups holds at most so many entries; a larger one is cut."""


class Redraft:
    """The rules' draft of a window, with what a model changed in it."""

    def __init__(self, entries: Sequence[Entry], draft: Draft, older: Sequence[Entry]) -> None:
        self.reworded = 0
        """Wordings and repetitions that were named and may not be."""
        self._draft = draft
        self._entries = {entry.seq: entry for entry in entries}
        self._older = {entry.seq: entry for entry in older if entry.seq not in self._entries}
        self._at = {entry.seq: place for place, entry in enumerate(entries)}
        self._repeats = {item.seq: item.of for item in draft.duplicates}
        self._joins: dict[int, Join] = {}
        self._groups: list[tuple[str, tuple[int, ...]]] = []
        self._linked = {seq for link in draft.supersedes for seq in (link.older, link.newer)}
        """What replaces something, or is replaced."""
        self._gathered = {seq for item in draft.duplicates for seq in (item.seq, item.of)}
        """What shares a line with something."""

    def leave_alone(self, seqs: Iterable[int]) -> None:
        """Keep entries as lines of their own: they may replace something or be replaced."""
        self._linked.update(seqs)

    def is_line_alone(self, *seqs: int) -> bool:
        """Say whether none of some entries stands in another's line, or has others in its own."""
        return self._gathered.isdisjoint(seqs)

    # --- changes ------------------------------------------------------------------------------

    def repeat(self, pair: Pair) -> None:
        """Let the later of two entries stand in the line of the earlier, if they say the same."""
        known = {**self._older, **self._entries}
        for link in links_of([pair], known):
            of, seq = sorted((link.older, link.newer), key=lambda each: (each in self._at, each))
            if self._may_repeat(seq, of) and _repeats(known[seq], known[of]):
                self._repeats[seq] = of
                self._gathered |= {seq, of}
            else:
                self.reworded += 1

    def _may_repeat(self, seq: int, of: int) -> bool:
        line = self._entries.get(of) or self._older[of]
        standing = of not in self._linked | self._repeats.keys() and of not in self._inside()
        return seq in self._at and self._is_free(seq) and standing and not _in_a_history(line)

    def _inside(self) -> set[int]:
        return {seq for join in self._joins.values() for seq in join.seqs}

    def join(self, seqs: Sequence[int], text: str) -> None:
        """Make entries that follow on each other one line, if its words keep all that they say."""
        ordered = sorted(seqs, key=lambda seq: self._at[seq])
        parts = [self._entries[seq] for seq in ordered]
        words = " ".join(text.split())
        fit = (
            ordered == sorted(ordered)
            and all(self._is_free(seq) for seq in ordered)
            and self._follow(ordered)
            and len({_voice(part) for part in parts}) == 1
            and fits(words, said_by(parts), kind="merged")
        )
        if not fit:
            self.reworded += 1
            return
        made_from = tuple(seq for part in parts for seq in part.seqs)
        self._joins[ordered[0]] = Join(
            seqs=tuple(ordered), text=Text(text=words, made_from=made_from), tokens=count(words)
        )
        self._gathered.update(ordered)

    def group(self, seqs: Sequence[int], heading: str) -> None:
        """Put entries into one block for each of their projects."""
        projects: dict[str | None, list[int]] = {}
        taken = {seq for _, group in self._groups for seq in group}
        for seq in sorted(set(seqs) - taken, key=lambda seq: self._at[seq]):
            projects.setdefault(self._entries[seq].project, []).append(seq)
        for group in projects.values():
            for start in range(0, len(group), MOST_IN_BLOCK):
                self._groups.append((heading, tuple(group[start : start + MOST_IN_BLOCK])))

    def _is_free(self, seq: int) -> bool:
        alone = seq not in self._linked | self._gathered
        return alone and not _in_a_history(self._entries[seq])

    def _follow(self, ordered: Sequence[int]) -> bool:
        """Say whether entries follow on each other: nothing but repetitions stands between."""
        places = [self._at[seq] for seq in ordered]
        between = set(range(places[0], places[-1] + 1)) - set(places)
        seqs = {place: seq for seq, place in self._at.items()}
        return all(seqs[place] in self._repeats for place in between)

    # --- result -------------------------------------------------------------------------------

    def joins(self) -> tuple[Join, ...]:
        """Give the joined lines, in order."""
        return tuple(self._joins[seq] for seq in sorted(self._joins))

    def result(self) -> tuple[Draft, tuple[tuple[Text, ...], ...]]:
        """Give the draft as it is now, and the headings of each of its blocks."""
        inside = {seq for join in self._joins.values() for seq in join.seqs[1:]}
        gone = inside | self._repeats.keys()
        grouped = {seq for _, group in self._groups for seq in group}
        blocks: list[tuple[int, tuple[Entry, ...], tuple[Text, ...]]] = []
        for heading, group in self._groups:
            held = self._lines([seq for seq in group if seq not in gone])
            if held:
                path = path_of(heading, held)
                self.reworded += not path
                blocks.append((held[0].seq, held, path))
        for segment in self._draft.segments:
            left = [e.seq for e in segment if e.seq not in gone and e.seq not in grouped]
            if left:
                blocks.append((left[0], self._lines(left), ()))
        blocks.sort(key=lambda block: self._at[block[0]])
        draft = replace(
            self._draft,
            segments=tuple(held for _, held, _ in blocks),
            duplicates=tuple(Duplicate(seq=seq, of=of) for seq, of in self._repeats.items()),
        )
        return draft, tuple(path for _, _, path in blocks)

    def _lines(self, seqs: Sequence[int]) -> tuple[Entry, ...]:
        return tuple(_joined(self._entries[seq], self._joins) for seq in seqs)


def _joined(entry: Entry, joins: Mapping[int, Join]) -> Entry:
    join = joins.get(entry.seq)
    return replace(entry, text=join.text.text, seqs=join.text.made_from) if join else entry


def _in_a_history(entry: Entry) -> bool:
    return bool(entry.supersedes or entry.retracted or entry.superseded_by is not None)


def _voice(entry: Entry) -> tuple[str | None, ...]:
    return (entry.source, entry.speaker, entry.project, entry.session, entry.sensitivity)


def _repeats(one: Entry, other: Entry) -> bool:
    """Say whether two entries of one voice say the same: equal in form, or for the guard."""
    if (one.source, one.speaker, one.project) != (other.source, other.speaker, other.project):
        return False
    form = same_form(one.text)
    if form is None or one.sensitivity != other.sensitivity:
        return False
    return form == same_form(other.text) or same(one, other)
