"""Plans by rules: where each segment goes, what it is called, what is split and merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import (
    Create,
    Merge,
    NewBlock,
    Operation,
    Part,
    Plan,
    PlanKind,
    Split,
    Text,
    Update,
)
from memoranda.store.view import BlockRow
from memoranda.values import Entry
from memoranda.write import reshape
from memoranda.write.draft import Draft, heading_of
from memoranda.write.intake import BY
from memoranda.write.phrases import Rarity
from memoranda.write.route import block_counts, route
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

    @cached_property
    def _taken(self) -> set[str]:
        """The titles in use, in the form in which titles are compared."""
        return {same_title(title) for title in self._view.titles().values()}

    # --- consolidate --------------------------------------------------------------------------

    def consolidation(self, draft: Draft) -> Plan:
        """Plan where a rewritten window goes (R119-R124)."""
        targets = self._targets(draft)
        self._replaced = {link.older for link in draft.supersedes}
        for document_id in self._outdated(draft):
            targets.setdefault(document_id, [])
        operations: list[Operation] = list(draft.duplicates)
        versions: dict[str, int] = {}
        for document_id in sorted(targets, key=_number):
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
        segments = draft.segments
        sessions = {(s[0].project, s[0].session) for s in segments if s[0].session is not None}
        places = self._view.places(entry.seq for segment in segments for entry in segment)
        routes = route(
            segments,
            self._index.postings,
            last=self._view.last_documents(sessions),
            sizes=[sum(places[entry.seq].tokens for entry in segment) for segment in segments],
            room=self._room,
        )
        made: dict[int, str] = {}
        targets: dict[str, list[Segment]] = {}
        where: dict[int, str] = {}
        for segment, chosen in zip(segments, routes, strict=True):
            document_id = self._of_replaced(segment, draft, where) or chosen.document_id
            if document_id is None:
                number = chosen.new or 0
                if number not in made:
                    made[number] = self._new_id()
                document_id = made[number]
            targets.setdefault(document_id, []).append(segment)
            where.update(dict.fromkeys((entry.seq for entry in segment), document_id))
        return targets

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
            found = where.get(seq) or places[seq].document_id
            if found is not None:
                return found
        return None

    def _outdated(self, draft: Draft) -> list[str]:
        """Name the documents whose summary may name what the draft replaces."""
        places = self._view.places(link.older for link in draft.supersedes)
        return sorted({p.document_id for p in places.values() if p.document_id}, key=_number)

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

    def _create(self, document_id: str, segments: Sequence[Segment]) -> Create:
        entries = self._holding([entry for segment in segments for entry in segment])
        title = self._title(entries, entries[0].project)
        return Create(
            document_id=document_id,
            project=entries[0].project,
            title=title,
            summary=self._summary(entries, title, entries[0].project),
            blocks=_blocks(segments),
        )

    def _update(self, document_id: str, tokens: int, segments: Sequence[Segment]) -> Update:
        new = [entry for segment in segments for entry in segment]
        places = self._view.places(entry.seq for entry in new)
        grown = tokens + sum(place.tokens for place in places.values())
        entries = self._holding([*self._entries(self._view.blocks(document_id)), *new])
        title, summary = self._name(document_id, entries, grown, entries[0].project)
        return Update(
            document_id=document_id, title=title, summary=summary, blocks=_blocks(segments)
        )

    # --- reshape ------------------------------------------------------------------------------

    def reshaping(self) -> Plan | None:
        """Plan splits, or else merges, among the documents of the newest epoch; None if none is due.

        It depends on the state alone, and what it proposes brings the state to rest: so it may be
        asked at any time, and after a kill it finishes what was left.
        """
        epoch = self._view.counter("epoch")
        touched = self._view.of_epoch(epoch)
        settings = self._home.settings
        operations: list[Operation] = []
        for document_id, tokens in touched.items():
            if tokens > settings.split_tokens:
                operations += self._split(document_id)
        if not operations:
            operations += self._merges(touched)
        if not operations:
            return None
        named = {
            name
            for operation in operations
            if isinstance(operation, Split | Merge)
            for name in (operation.document_id, *getattr(operation, "absorbs", ()))
        }
        infos = (self._view.document(name) for name in sorted(named, key=_number))
        versions = {info.document_id: info.version for info in infos if info is not None}
        return self._plan("reshape", epoch, operations, versions, window=())

    def _split(self, document_id: str) -> list[Operation]:
        rows = self._view.blocks(document_id)
        lines = self._view.entries(seq for row in rows for seq in row.seqs)
        blocks = [self._sized(row, lines) for row in rows]
        parts = reshape.split(blocks, limit=self._home.settings.split_tokens)
        if len(parts) < 2:
            return []
        info = self._view.document(document_id)
        project = info.project if info else None
        made = []
        for part in parts[1:]:
            entries = self._entries([rows[place] for place in part])
            title = self._title(entries, project)
            made.append(
                Part(
                    document_id=self._new_id(),
                    title=title,
                    summary=self._summary(entries, title, project),
                    blocks=tuple(rows[place].block_id for place in part),
                )
            )
        rest = self._entries([rows[place] for place in parts[0]])
        summary = self._summary(rest, self._kept_title(document_id), project)
        return [
            Split(document_id=document_id, title=None, summary=summary, parts=tuple(made)),
        ]

    def _sized(self, row: BlockRow, lines: Mapping[int, Entry]) -> reshape.Block:
        """Give a block as a split sees it: its tokens are those of the lines that hold."""
        places = self._view.places(row.seqs)
        held = [p for p in places.values() if p.superseded_by is None and not p.retracted]
        return reshape.Block(
            seq=row.seqs[0] if row.seqs else 0,
            tokens=sum(place.tokens for place in held),
            counts=block_counts([lines[seq] for seq in row.seqs]),
        )

    def _merges(self, touched: Mapping[str, int]) -> list[Operation]:
        infos = {name: self._view.document(name) for name in touched}
        settings = self._home.settings
        found = reshape.merges(
            {name: info.project for name, info in infos.items() if info is not None},
            self._index.postings,
            self._view.tokens_of,
            limit=settings.split_tokens,
            below=settings.merge_tokens,
        )
        operations: list[Operation] = []
        for merge in found:
            rows = [*self._view.blocks(merge.keep), *self._view.blocks(merge.absorb)]
            grown = self._view.tokens_of(merge.keep) + self._view.tokens_of(merge.absorb)
            info = self._view.document(merge.keep)
            title, summary = self._name(
                merge.keep, self._entries(rows), grown, info.project if info else None
            )
            operations.append(
                Merge(
                    document_id=merge.keep,
                    absorbs=(merge.absorb,),
                    title=title,
                    summary=summary,
                )
            )
        return operations

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
        return Text(text=made.text, made_from=made.seqs)

    def _summary(self, entries: Sequence[Entry], title: Text, project: str | None) -> Text:
        made = summarize(entries, self._rarity(project), title=title.text)
        return Text(text=made.text, made_from=made.seqs)

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
            plan_id=self._home.log.new_id("plan"),
            kind=kind,
            epoch=epoch,
            window=window,
            input_event_ids=tuple(dict.fromkeys(i for line in lines for i in line.event_ids)),
            versions=versions,
            operations=tuple(operations),
            warnings=(),
            by=BY,
        )


def consolidation(draft: Draft, home: Home, index: FtsIndex) -> Plan:
    """Plan where a rewritten window goes."""
    return Proposer(home, index).consolidation(draft)


def reshaping(home: Home, index: FtsIndex) -> Plan | None:
    """Plan splits, or else merges; None when nothing is due."""
    return Proposer(home, index).reshaping()


def _blocks(segments: Sequence[Segment]) -> tuple[NewBlock, ...]:
    return tuple(
        NewBlock(headings=(heading_of(segment),), seqs=tuple(entry.seq for entry in segment))
        for segment in segments
    )


def _number(document_id: str) -> int:
    return int(document_id.removeprefix("d"))
