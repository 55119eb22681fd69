"""Plans by rules: which documents of the newest epoch are split, which are merged."""

from __future__ import annotations

from collections.abc import Mapping

from memoranda.settings import Settings
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Merge, Operation, Part, Plan, Split, number_of
from memoranda.store.view import BlockRow
from memoranda.values import Entry
from memoranda.write import reshape
from memoranda.write.propose import Proposer
from memoranda.write.route import block_counts


class Reshaper(Proposer):
    """Proposes splits and merges on the state it sees."""

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
        infos = (self._view.document(name) for name in sorted(named, key=number_of))
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
            Split(
                document_id=document_id,
                title=None,
                summary=summary,
                parts=tuple(made),
                reason=over(sum(block.tokens for block in blocks), self._home.settings),
            ),
        ]

    def _sized(self, row: BlockRow, lines: Mapping[int, Entry]) -> reshape.Block:
        """Give a block as a split sees it: its tokens are those of the lines that hold."""
        places = self._view.places(row.seqs)
        held = [place for place in places.values() if place.holds]
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
                    reason=f"a part is under {settings.merge_tokens:,} tokens; they are "
                    f"{merge.likeness:.2f} alike",
                )
            )
        return operations


def over(tokens: int, settings: Settings) -> str:
    """Say why a document of so many tokens is split."""
    return f"{tokens:,} tokens are over the limit of {settings.split_tokens:,}"


def reshaping(home: Home, index: FtsIndex) -> Plan | None:
    """Plan splits, or else merges; None when nothing is due."""
    return Reshaper(home, index).reshaping()
