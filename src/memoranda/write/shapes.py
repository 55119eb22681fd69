"""Splits and merges as a model proposes them, made into a plan on the state as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Merge, Operation, Part, Plan, Split, Text, number_of
from memoranda.write import reshape
from memoranda.write.by_model import LargeBlock, Merging, Small, Splitting
from memoranda.write.propose import Proposer
from memoranda.write.splits import over
from memoranda.write.titles import same_title

LIKE = 4
"""A small document is shown with so many of its nearest."""
SHOWN = 24
"""So many small documents and their nearest are shown in one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Large:
    """A document that is to be split."""

    document_id: str
    version: int
    title: str
    blocks: tuple[LargeBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Few:
    """Small documents with their nearest, and what the rules would merge of them."""

    documents: tuple[Small, ...]
    versions: dict[str, int]
    rules: tuple[reshape.Merge, ...]


def large(home: Home) -> tuple[Large, ...]:
    """Give the documents of the newest epoch that are over the limit and have several blocks."""
    touched = home.view.of_epoch(home.view.counter("epoch"))
    found = []
    for document_id, tokens in touched.items():
        info = home.view.document(document_id)
        rows = [row for row in home.view.blocks(document_id) if row.seqs]
        if info is None or tokens <= home.settings.split_tokens or len(rows) < 2:
            continue
        lines = home.view.entries(seq for row in rows for seq in row.seqs)
        places = home.view.places(seq for row in rows for seq in row.seqs)
        blocks = []
        for row in rows:
            held = [seq for seq in row.seqs if places[seq].holds]
            blocks.append(
                LargeBlock(
                    block_id=row.block_id,
                    headings=row.headings,
                    entries=tuple(lines[seq] for seq in held),
                    tokens=sum(places[seq].tokens for seq in held),
                )
            )
        found.append(
            Large(
                document_id=document_id,
                version=info.version,
                title=info.title,
                blocks=tuple(blocks),
            )
        )
    return tuple(found)


def few(home: Home) -> Few | None:
    """Give the small documents of the newest epoch with their nearest; None if there are not two."""

    def work(index: FtsIndex) -> Few | None:
        view, settings = home.view, home.settings
        touched = view.of_epoch(view.counter("epoch"))
        small = {name: tokens for name, tokens in touched.items() if tokens < settings.merge_tokens}
        infos = {name: info for name in small if (info := view.document(name)) is not None}
        names: dict[str, None] = {}
        for name, info in infos.items():
            near = index.postings.nearest(index.postings.counts(name), info.project, LIKE + 1)
            names |= dict.fromkeys([name, *(other for other, _ in near)])
        chosen = sorted(list(names)[:SHOWN], key=number_of)
        documents = []
        versions = {}
        for name in chosen:
            found = view.document(name)
            if found is None:
                continue
            versions[name] = found.version
            documents.append(
                Small(
                    document_id=name,
                    project=found.project,
                    title=view.title_text(name),
                    summary=view.summary_text(name),
                    tokens=found.token_count,
                )
            )
        rules = reshape.merges(
            {name: info.project for name, info in infos.items()},
            index.postings,
            view.tokens_of,
            limit=settings.split_tokens,
            below=settings.merge_tokens,
        )
        if len(documents) < 2 or not infos:
            return None
        return Few(documents=tuple(documents), versions=versions, rules=rules)

    return home.reading(work)


class Shaper(Proposer):
    """Proposes the splits and merges that a model named; rules name what it did not."""

    def __init__(self, home: Home, index: FtsIndex, *, plan_id: str, by: str) -> None:
        super().__init__(home, index)
        self._plan_id, self._by = plan_id, by

    def split(self, large: Large, made: Splitting) -> Plan:
        """Plan a split."""
        info = self._view.document(large.document_id)
        project = info.project if info else None
        rows = {row.block_id: row for row in self._view.blocks(large.document_id)}
        parts = []
        for new in made.parts:
            entries = self._entries([rows[block] for block in new.blocks if block in rows])
            title = self._free(new.title) or self._title(entries, project)
            summary = new.summary or self._summary(entries, title, project)
            parts.append(
                Part(
                    document_id=self._new_id(),
                    title=title,
                    summary=summary,
                    blocks=tuple(new.blocks),
                )
            )
        moved = {block for part in parts for block in part.blocks}
        rest = self._entries([row for block, row in rows.items() if block not in moved])
        summary = self._summary(rest, self._kept_title(large.document_id), project)
        tokens = sum(block.tokens for block in large.blocks)
        operation = Split(
            document_id=large.document_id,
            title=None,
            summary=summary,
            parts=tuple(parts),
            reason=f"{over(tokens, self._home.settings)}; parted as {self._by} said",
        )
        return self._shaped([operation], {large.document_id: large.version})

    def merge(self, few: Few, made: Merging) -> Plan:
        """Plan merges."""
        operations: list[Operation] = []
        for union in made.unions:
            keep, *absorbs = union.documents
            rows = [row for name in union.documents for row in self._view.blocks(name)]
            entries = self._entries(rows)
            for name in union.documents:
                self._taken.discard(same_title(self._kept_title(name).text))
            title = self._free(union.title)
            old = self._kept_title(keep)
            summary = union.summary or self._summary(entries, title or old, entries[0].project)
            self._taken.add(same_title((title or old).text))
            operations.append(
                Merge(
                    document_id=keep,
                    absorbs=tuple(absorbs),
                    title=title,
                    summary=summary,
                    reason=f"{self._by} said that they are on one matter",
                )
            )
        named = [name for union in made.unions for name in union.documents]
        return self._shaped(operations, {name: few.versions[name] for name in named})

    def _free(self, title: Text | None) -> Text | None:
        """Give a title that no document has, and take it."""
        if title is None or same_title(title.text) in self._taken:
            return None
        self._taken.add(same_title(title.text))
        return title

    def _shaped(self, operations: Sequence[Operation], versions: dict[str, int]) -> Plan:
        epoch = self._view.counter("epoch")
        return self._plan("reshape", epoch, operations, versions, window=())
