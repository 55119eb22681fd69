"""Lines as the tools show them: whole, with where they stand and in which version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from memoranda.read.lexical import Source
from memoranda.read.reach import Reach
from memoranda.read.tools.titles import hidden_titles
from memoranda.store.spots import Spots, spots, titles
from memoranda.values import CURRENT, Entry

WIDTH = 240
"""Characters of a snippet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Lines by their first seq, and what is known of the documents where they stand."""

    entries: Mapping[int, Entry]
    titles: Mapping[str, str]
    spots: Mapping[str, Spots]
    blocks: Mapping[int, int | None]
    position: int

    def title(self, document_id: str | None) -> str:
        """Give a document's title; `CURRENT` and `LOG` are their own."""
        return self.titles.get(document_id or CURRENT, document_id or CURRENT)

    def version(self, document_id: str | None) -> int:
        """Give a document's version; of CURRENT and the log it is the log position."""
        own = self.spots.get(document_id or "")
        return self.position if own is None else own.version


def located(seqs: Iterable[int], source: Source) -> Located:
    """Read those of some lines that may be read, by their first seqs."""
    found = {
        seq: entry for seq, entry in source.view.entries(seqs).items() if readable(entry, source)
    }
    names = {entry.document_id for entry in found.values() if entry.document_id}
    known = spots(source.log.connection, names, found)
    found = {
        seq: replace(entry, superseded_by=None) if _not_yet(entry, source.reach) else entry
        for seq, entry in found.items()
    }
    hidden = hidden_titles(source)
    entries = {
        seq: replace(entry, lines=known[entry.document_id].ranges.get(seq))
        if entry.document_id in known
        else entry
        for seq, entry in found.items()
    }
    return Located(
        entries=entries,
        titles={
            name: title
            for name, title in titles(source.log.connection, names).items()
            if name not in hidden
        },
        spots=known,
        blocks={seq: at.block for seq, at in source.view.places(found).items()},
        position=source.log.position(),
    )


def _not_yet(entry: Entry, reach: Reach) -> bool:
    """Say whether what replaced a line counts as not said yet."""
    return entry.superseded_by is not None and reach.holds(entry.superseded_by)


def readable(entry: Entry, source: Source) -> bool:
    """Say whether a line may be read: its project is in reach, and it fits the filters."""
    return in_reach(entry.seq, entry.project, source.reach)


def in_reach(line: int, project: str | None, reach: Reach) -> bool:
    """Say whether a line may be read, by its first seq and its project."""
    return reach.allows(project) and reach.admits(line)


def snippet(text: str, at: tuple[int, int] | None, *, width: int = WIDTH) -> str:
    """Cut a text around a place in it; "…" marks where it was cut."""
    if len(text) <= width:
        return text
    start, end = at or (0, 0)
    left = max(0, min(start - (width - min(end - start, width)) // 2, len(text) - width))
    right = left + width
    return ("…" if left else "") + text[left:right] + ("…" if right < len(text) else "")
