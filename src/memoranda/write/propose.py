"""Plans by rules: where each segment goes, what it is called, what is split and merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import (
    Create,
    Join,
    NewBlock,
    Operation,
    Plan,
    PlanKind,
    Supersede,
    Text,
    Update,
    number_of,
)
from memoranda.store.view import BlockRow
from memoranda.values import Entry
from memoranda.write.draft import Draft, heading_of
from memoranda.write.intake import BY
from memoranda.write.phrases import Rarity
from memoranda.write.route import Route, route
from memoranda.write.summarize import summarize
from memoranda.write.titles import same_title
from memoranda.write.titles import title as choose_title

Segment = tuple[Entry, ...]


class Proposer:
    """Proposes plans on the state it sees. Call it under the scope's lock, with the index caught up."""

    def __init__(self, home: Home, index: FtsIndex) -> None:
        self._home = home
        self._view = home.view
        self._index = index
        self._last = home.view.counter("document")
        self._replaced: set[int] = set()
        self._outdated_now: frozenset[str] = frozenset()
        self._by = BY
        self._plan_id: str | None = None
        self._joins: tuple[Join, ...] = ()
        self._made: dict[tuple[str, int], str] = {}

    @cached_property
    def _taken(self) -> set[str]:
        """The titles in use, in the form in which titles are compared."""
        return {same_title(title) for title in self._view.titles().values()}

    # --- consolidate --------------------------------------------------------------------------

    def consolidation(self, draft: Draft) -> Plan:
        """Plan where a rewritten window goes (R119-R124)."""
        targets = self._targets(draft)
        self._replaced = {link.older for link in draft.supersedes}
        self._outdated_now = frozenset(self._outdated(draft))
        for document_id in self._outdated_now:
            targets.setdefault(document_id, [])
        operations: list[Operation] = [*self._joins, *draft.duplicates]
        versions: dict[str, int] = {}
        for document_id in sorted(targets, key=number_of):
            info = self._view.document(document_id)
            if info is None:
                operations.append(self._create(document_id, targets[document_id]))
            else:
                versions[document_id] = info.version
                operations.append(self._update(document_id, info.token_count, targets[document_id]))
        operations += draft.supersedes
        return self._plan(
            "consolidate",
            self._view.counter("epoch") + 1,
            operations,
            versions,
            window=draft.window,
        )

    def _targets(self, draft: Draft) -> dict[str, list[Segment]]:
        """Route the segments, and name the documents that are to be made.

        A segment that replaces something goes where that stands: topic and revision are one step
        (R122, R124).
        """
        segments, routes = draft.segments, self.routes(draft.segments)
        targets: dict[str, list[Segment]] = {}
        where: dict[int, str] = {}
        for segment, chosen in zip(segments, routes, strict=True):
            older = self._of_replaced(segment, draft, where)
            document_id = self._destination(segment, older, chosen)
            targets.setdefault(document_id, []).append(segment)
            where.update(dict.fromkeys((entry.seq for entry in segment), document_id))
        return targets

    def routes(self, segments: Sequence[Segment]) -> tuple[Route, ...]:
        """Route segments by rules (R119-R121)."""
        sessions = {(s[0].project, s[0].session) for s in segments if s[0].session is not None}
        places = self._view.places(entry.seq for segment in segments for entry in segment)
        return route(
            segments,
            self._index.postings,
            last=self._view.last_documents(sessions),
            sizes=[sum(places[entry.seq].tokens for entry in segment) for segment in segments],
            room=self._room,
        )

    def _destination(
        self,
        segment: Segment,  # noqa: ARG002 - for who proposes otherwise
        older: str | None,
        chosen: Route,
    ) -> str:
        """Say where a segment goes: to what it replaces, else where it was routed."""
        return older or chosen.document_id or self._made_as("by rules", chosen.new or 0)

    def _made_as(self, by: str, number: int) -> str:
        """Give the id of a document that is to be made, by who asks for it and its number there."""
        if (by, number) not in self._made:
            self._made[by, number] = self._new_id()
        return self._made[by, number]

    def _room(self, document_id: str) -> int:
        """Say how many tokens a document can take before it is a candidate for a split."""
        info = self._view.document(document_id)
        return self._home.settings.split_tokens - (info.token_count if info else 0)

    def _of_replaced(self, segment: Segment, draft: Draft, where: Mapping[int, str]) -> str | None:
        """Give the document of what a segment replaces: in this plan, or standing."""
        seqs = {entry.seq for entry in segment}
        older = [seq for entry in segment for seq in entry.supersedes]
        older += [link.older for link in draft.supersedes if link.newer in seqs]
        places = self._view.places(older)
        for seq in older:
            found = where.get(seq) or places[seq].topic
            if found is not None:
                return found
        return None

    def _outdated(self, draft: Draft) -> set[str]:
        """Name the documents whose summary may name what the draft replaces."""
        places = self._view.places(link.older for link in draft.supersedes)
        return {place.topic for place in places.values() if place.topic is not None}

    def _holding(self, entries: Sequence[Entry]) -> list[Entry]:
        """Leave out what was replaced, retracted or is replaced by this plan, if any is left.

        Private entries are left out too where there are others: a catalog shows names to all.
        """
        held = [
            entry
            for entry in entries
            if entry.superseded_by is None
            and not entry.retracted
            and entry.seq not in self._replaced
        ]
        found = held or list(entries)
        return [entry for entry in found if entry.sensitivity != "private"] or found

    def refreshing(self, document_ids: Sequence[str]) -> Plan | None:
        """Plan to summarise documents anew, after something in them was retracted."""
        infos = [self._view.document(document_id) for document_id in document_ids]
        known = [info for info in infos if info is not None]
        if not known:
            return None
        operations = [self._update(info.document_id, info.token_count, []) for info in known]
        versions = {info.document_id: info.version for info in known}
        return self._plan("reshape", self._view.counter("epoch"), operations, versions, window=())

    def replacing(self, link: Supersede, *, by: str) -> Plan:
        """Plan one replacement by itself, among lines that are placed or in CURRENT."""
        self._replaced, self._by = {link.older}, by
        place = self._view.places([link.older]).get(link.older)
        info = self._view.document(place.topic) if place and place.topic else None
        operations: list[Operation] = [link]
        if info is not None:
            operations.append(self._update(info.document_id, info.token_count, []))
        versions = {} if info is None else {info.document_id: info.version}
        return self._plan("reshape", self._view.counter("epoch"), operations, versions, window=())

    def _create(self, document_id: str, segments: Sequence[Segment]) -> Create:
        entries = self._holding([entry for segment in segments for entry in segment])
        title, summary = self._first_name(document_id, entries)
        return Create(
            document_id=document_id,
            project=entries[0].project,
            title=title,
            summary=summary,
            blocks=self._blocks(segments),
        )

    def _first_name(
        self,
        document_id: str,  # noqa: ARG002 - for who proposes otherwise
        entries: Sequence[Entry],
    ) -> tuple[Text, Text]:
        """Give title and summary of a document that is to be made."""
        title = self._title(entries, entries[0].project)
        return title, self._summary(entries, title, entries[0].project)

    def _blocks(self, segments: Sequence[Segment]) -> tuple[NewBlock, ...]:
        return tuple(
            NewBlock(headings=self._path(segment), seqs=tuple(entry.seq for entry in segment))
            for segment in segments
        )

    def _path(self, segment: Segment) -> tuple[Text, ...]:
        """Give the heading path of a block."""
        return (heading_of(segment),)

    def _update(self, document_id: str, tokens: int, segments: Sequence[Segment]) -> Update:
        new = [entry for segment in segments for entry in segment]
        places = self._view.places(entry.seq for entry in new)
        grown = tokens + sum(place.tokens for place in places.values())
        entries = self._holding([*self._entries(self._view.blocks(document_id)), *new])
        title, summary = self._name(document_id, entries, grown, entries[0].project)
        return Update(
            document_id=document_id, title=title, summary=summary, blocks=self._blocks(segments)
        )

    # --- names --------------------------------------------------------------------------------

    def _name(
        self, document_id: str, entries: Sequence[Entry], grown: int, project: str | None
    ) -> tuple[Text | None, Text]:
        """Choose a title again when the document has doubled since; make the summary anew."""
        old = self._kept_title(document_id)
        title = None
        if grown >= 2 * max(1, self._view.titled_tokens(document_id)):
            self._taken.discard(same_title(old.text))
            title = self._title(entries, project)
        return title, self._summary(entries, title or old, project)

    def _kept_title(self, document_id: str) -> Text:
        info = self._view.document(document_id)
        return Text(text=info.title if info else "", made_from=())

    def _title(self, entries: Sequence[Entry], project: str | None) -> Text:
        made = choose_title(entries, self._rarity(project), taken=self._taken)
        self._taken.add(same_title(made.text))
        return Text(text=made.text, made_from=self._sources(made.seqs, entries))

    def _summary(self, entries: Sequence[Entry], title: Text, project: str | None) -> Text:
        made = summarize(entries, self._rarity(project), title=title.text)
        return Text(text=made.text, made_from=self._sources(made.seqs, entries))

    def _sources(self, seqs: Sequence[int], entries: Sequence[Entry]) -> tuple[int, ...]:
        """Name what a text was made of: of a joined line every entry that stands in it."""
        found = set(seqs)
        for entry in entries:
            if entry.seq in found and len(entry.seqs) > 1:
                found |= self._view.otherwise(entry.seqs, entry.text)
        return tuple(sorted(found))

    def _rarity(self, project: str | None) -> Rarity:
        def rarity(terms: Iterable[str]) -> Mapping[str, float]:
            return self._index.postings.rarity(terms, project)

        return rarity

    def renamed(self, document_id: str, *, title: bool) -> tuple[Text | None, Text]:
        """Summarise a document anew as it stands, and with `title` name it anew too."""
        entries = self._entries(self._view.blocks(document_id))
        old = self._kept_title(document_id)
        project = entries[0].project
        new = None
        if title:
            self._taken.discard(same_title(old.text))
            new = self._title(entries, project)
        return new, self._summary(entries, new or old, project)

    def summary_with(self, document_id: str, new: Sequence[int]) -> Text:
        """Summarise a document as it stands, with entries that are to join it."""
        lines = self._view.entries(new)
        standing = self._entries(self._view.blocks(document_id))
        entries = self._holding([*standing, *(lines[seq] for seq in new if seq in lines)])
        old = self._kept_title(document_id)
        return self._summary(entries, old, entries[0].project)

    # --- plan ---------------------------------------------------------------------------------

    def _entries(self, rows: Sequence[BlockRow]) -> list[Entry]:
        """Give the lines of blocks that hold now, in reading order."""
        lines = self._view.entries(seq for row in rows for seq in row.seqs)
        return self._holding([lines[seq] for row in rows for seq in row.seqs if seq in lines])

    def _new_id(self) -> str:
        self._last += 1
        return f"d{self._last}"

    def _plan(
        self,
        kind: PlanKind,
        epoch: int,
        operations: Sequence[Operation],
        versions: Mapping[str, int],
        *,
        window: tuple[int, ...],
    ) -> Plan:
        lines = self._view.entries(window).values()
        return Plan(
            plan_id=self._plan_id or self._home.log.new_id("plan"),
            kind=kind,
            epoch=epoch,
            window=window,
            input_event_ids=tuple(dict.fromkeys(i for line in lines for i in line.event_ids)),
            versions=versions,
            operations=tuple(operations),
            warnings=(),
            by=self._by,
        )


def consolidation(draft: Draft, home: Home, index: FtsIndex) -> Plan:
    """Plan where a rewritten window goes."""
    return Proposer(home, index).consolidation(draft)
