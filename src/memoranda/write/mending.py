"""What names a document after entries that have left it by an undo, made anew by rules."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from memoranda.store.erasure import ERASED, Reheaded, Renamed
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.log import Log
from memoranda.store.operations import Create, Merge, Operation, Plan, Split, Text, Update
from memoranda.write.draft import heading_of
from memoranda.write.propose import Proposer
from memoranda.write.titles import same_title

TITLE, SUMMARY = "title", "summary"
Named = Mapping[str, frozenset[str]]
"""Document -> which of its texts, title and summary, later records gave it."""


def named_since(log: Log, since: int, out: Container[int]) -> Named:
    """Say which documents were named or summarised after a position, by what is in force.

    What was said of them before fits the state before, and comes back with it. A document that a plan
    made which is out of force, and that lives on, bears the name which that gave it.

    Args:
        log: the log.
        since: the first record that is in force no more, or again.
        out: the positions of the records that are out of force then.
    """
    found: dict[str, set[str]] = {}
    for kind in ("plan", "forget", "undo"):
        for record in log.records(after=since - 1, kind=kind):
            body = record.body or {}
            gone = record.position in out
            if kind == "plan":
                made_only = gone or record.position == since
                for operation in Plan.from_json(record.record_id, body).operations:
                    for name, part in _given(operation, made_only=made_only):
                        found.setdefault(name, set()).add(part)
            for item in body["documents"] if kind != "plan" and body and not gone else ():
                parts = {SUMMARY} if item["title"] is None else {SUMMARY, TITLE}
                found.setdefault(item["document"], set()).update(parts)
    return {name: frozenset(parts) for name, parts in found.items()}


def _given(operation: Operation, *, made_only: bool) -> Iterator[tuple[str, str]]:
    """Give the texts that an operation gives, or only those of the documents that it makes.

    What a person typed into a file is none of them: it stays as it is.
    """
    match operation:
        case Create(document_id=name):
            yield from ((name, TITLE), (name, SUMMARY))
        case Split(parts=parts):
            for part in parts:
                yield from ((part.document_id, TITLE), (part.document_id, SUMMARY))
        case _:
            pass
    if isinstance(operation, Update | Split | Merge) and not made_only:
        yield operation.document_id, SUMMARY
        if operation.title is not None:
            yield operation.document_id, TITLE


class Mending:
    """Looks at documents that an undo changed, in the state after it."""

    def __init__(self, home: Home, index: FtsIndex, moved: set[int], named: Named) -> None:
        """Take the state.

        Args:
            home: the scope, in the trial of an undo.
            index: for names, as the library stands.
            moved: the entries that stand elsewhere since.
            named: which texts were given later.
        """
        self._home = home
        self._view = home.view
        self._moved = moved
        self._named = named
        self._proposer = Proposer(home, index)

    def documents(self, names: Sequence[str]) -> Iterator[Renamed]:
        """Give the names and summaries that don't fit their documents any more."""
        bearers: dict[str, int] = {}
        for known in self._view.titles().values():
            bearers[same_title(known)] = bearers.get(same_title(known), 0) + 1
        for name in names:
            form = same_title(self._view.title_text(name).text)
            doubled = bearers[form] > 1
            misnamed = doubled or self._is_misnamed(name)
            if misnamed or self._is_missummed(name):
                bearers[form] -= doubled
                new, told = self._proposer.renamed(name, title=misnamed)
                yield Renamed(document_id=name, title=new, summary=told)

    def _is_misnamed(self, name: str) -> bool:
        """Say whether all that a title was made of has left."""
        title = self._view.title_text(name)
        left = self._left(title, name)
        return title.text == ERASED or (
            TITLE in self._named.get(name, ()) and bool(left) and left == set(title.made_from)
        )

    def _is_missummed(self, name: str) -> bool:
        """Say whether any of what a summary was made of has left."""
        summary = self._view.summary_text(name)
        later = SUMMARY in self._named.get(name, ())
        return summary.text == ERASED or (later and bool(self._left(summary, name)))

    def _left(self, text: Text, name: str) -> set[int]:
        rows = self._home.log.connection.execute(
            "SELECT seq FROM entry WHERE document_id = ?", (name,)
        )
        return self._moved & set(text.made_from) - {row[0] for row in rows}

    def blocks(self, names: Sequence[str]) -> Iterator[Reheaded]:
        """Give the headings anew of which something was forgotten while they were out of force."""
        for name in names:
            for row in self._view.blocks(name):
                if ERASED in row.headings and row.seqs:
                    entries = self._view.entries(row.seqs)
                    heading = heading_of([entries[seq] for seq in row.seqs])
                    yield Reheaded(block=row.block_id, headings=(heading,))
