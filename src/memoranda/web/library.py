"""The library: every document with its size and how much it is about one matter, sorted as asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memoranda.values import DocumentInfo
from memoranda.web.visit import Page, Visit

_MOST: Final = 200
"""Documents on one page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A document of the list, with what the linter says of it."""

    info: DocumentInfo
    untidy: tuple[str, ...] = ()
    """Kinds: near-duplicate, oversize, empty, impure, conflict."""

    @property
    def tokens_each(self) -> float:
        """Tokens for each line."""
        return self.info.token_count / max(1, self.info.entry_count)


SORTS: Final[Mapping[str, tuple[Callable[[Shelf], Any], bool]]] = {
    "title": (lambda shelf: shelf.info.title.casefold(), False),
    "tokens": (lambda shelf: shelf.info.token_count, True),
    "entries": (lambda shelf: shelf.info.entry_count, True),
    "updated": (lambda shelf: shelf.info.updated_time, True),
    "changes": (lambda shelf: shelf.info.update_count, True),
    "made": (lambda shelf: int(shelf.info.document_id[1:] or 0), False),
}
"""Name -> what to sort by, and whether the largest comes first."""


def library(visit: Visit) -> Page:
    """Show the catalog."""
    sort = visit.asked("sort", "updated")
    key, falling = SORTS.get(sort, SORTS["updated"])
    words, project, only = visit.asked("q"), visit.asked("project"), visit.asked("only")
    every = _shelves(visit)
    found = [shelf for shelf in every if _fits(shelf, words, project, only)]
    found.sort(key=key, reverse=falling)
    return Page(
        template="library.html",
        values={
            "shelves": found[:_MOST],
            "total": len(every),
            "fitting": len(found),
            "largest": max((shelf.info.token_count for shelf in found), default=1) or 1,
            "tokens": sum(shelf.info.token_count for shelf in found),
            "entries": sum(shelf.info.entry_count for shelf in found),
            "projects": sorted({s.info.project for s in every if s.info.project}),
            "sorts": tuple(SORTS),
            "asked": {"q": words, "sort": sort, "project": project, "only": only},
            "status": visit.memory.status(),
        },
    )


def _shelves(visit: Visit) -> list[Shelf]:
    kinds: dict[str, list[str]] = {}
    for item in visit.memory.lint():
        for document_id in item.documents:
            kinds.setdefault(document_id, []).append(item.kind)
    return [
        Shelf(info=info, untidy=tuple(dict.fromkeys(kinds.get(info.document_id, ()))))
        for info in visit.memory.documents()
    ]


def _fits(shelf: Shelf, words: str, project: str, only: str) -> bool:
    info = shelf.info
    text = f"{info.title}\n{info.summary}\n{info.document_id}".casefold()
    return (
        all(word in text for word in words.casefold().split())
        and (not project or info.project == project)
        and (only != "untidy" or bool(shelf.untidy))
    )
