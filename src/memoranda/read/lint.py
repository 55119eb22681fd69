"""What a person may want to tidy up: documents nearly the same, too large, empty, mixed, at odds."""

from __future__ import annotations

from collections.abc import Iterator

from memoranda.inspections import Untidy
from memoranda.read.lexical import Source
from memoranda.read.reach import Reach
from memoranda.read.tools.keys import STATED, all_keys, parse
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import number_of
from memoranda.text.analyse import content_counts, fold
from memoranda.text.tokens import count
from memoranda.values import CURRENT, DocumentInfo

SAME = 0.6
"""Two documents are nearly the same when each is so much as like the other as it is like itself."""
ELSEWHERE = 1.0
"""A block belongs elsewhere when another document is so many times as like it as its own, itself included."""
MIXED = 1 / 3
"""A document is mixed when so many of its blocks, and two at least, belong elsewhere."""
NEAREST = 6


def lint(home: Home, index: FtsIndex, reach: Reach) -> tuple[Untidy, ...]:
    """Look at every document in reach.

    Args:
        home: the scope, in one snapshot or under its lock.
        index: caught up.
        reach: what may be read.
    """
    with home.log.snapshot():
        known = [info for info in home.view.documents() if reach.allows(info.project)]
        look = _Look(home, index, {info.document_id: info for info in known})
        found = [item for info in known for item in look.at(info)]
        source = Source(log=home.log, view=home.view, index=index, reach=reach, count=count)
        return (*found, *_conflicts(source))


class _Look:
    def __init__(self, home: Home, index: FtsIndex, known: dict[str, DocumentInfo]) -> None:
        self._home = home
        self._index = index
        self._known = known

    def at(self, info: DocumentInfo) -> Iterator[Untidy]:
        """Say what of one document may want tidying."""
        yield from self._sizes(info)
        yield from self._twins(info)
        yield from self._mixed(info)

    def _sizes(self, info: DocumentInfo) -> Iterator[Untidy]:
        name, limit = info.document_id, self._home.settings.split_tokens
        if info.token_count == 0:
            yield Untidy(
                kind="empty",
                documents=(name,),
                seqs=(),
                text=f"{name} {info.title!r} has no line that still holds",
                do="nothing need be done; its lines are kept as history",
            )
        if info.token_count > limit:
            yield Untidy(
                kind="oversize",
                documents=(name,),
                seqs=(),
                text=f"{name} {info.title!r} has {info.token_count:,} tokens, the limit is {limit:,}",
                do="memoranda consolidate splits it, unless structure is off or it is one block",
            )

    def _twins(self, info: DocumentInfo) -> Iterator[Untidy]:
        """Name documents that are as like this one as it is like itself, by the words they hold."""
        name = info.document_id
        for other, one in self._likeness(name, info.project).items():
            if other == name or other not in self._known or number_of(other) < number_of(name):
                continue
            two = self._likeness(other, info.project).get(name, 0.0)
            if min(one, two) >= SAME:
                title = self._known[other].title
                yield Untidy(
                    kind="near-duplicate",
                    documents=(name, other),
                    seqs=(),
                    text=f"{name} {info.title!r} and {other} {title!r} are {min(one, two):.2f} alike",
                    do=f"memoranda diff {other}, then let a plan merge them: --merge-tokens N",
                )

    def _likeness(self, name: str, project: str | None) -> dict[str, float]:
        """Give the documents most like one, itself being 1."""
        postings = self._index.postings
        found = dict(postings.nearest(postings.counts(name), project, NEAREST))
        own = found.get(name, 0.0)
        return {other: like / own for other, like in found.items()} if own else {}

    def _mixed(self, info: DocumentInfo) -> Iterator[Untidy]:
        rows = self._home.view.blocks(info.document_id)
        strays: dict[str, list[int]] = {}
        for row in rows if len(rows) > 2 else ():
            texts = self._home.view.said_by(row.seqs)
            counts = content_counts(text for text, _, _ in texts.values())
            found = dict(self._index.postings.nearest(counts, info.project, NEAREST))
            own = found.pop(info.document_id, 0.0)
            best = max(found, key=lambda name: found[name], default="")
            if best in self._known and found[best] > ELSEWHERE * own:
                strays.setdefault(best, []).extend(row.seqs)
        number = sum(1 for row in rows if any(set(row.seqs) <= set(s) for s in strays.values()))
        if number >= 2 and number >= MIXED * len(rows):
            yield Untidy(
                kind="impure",
                documents=(info.document_id, *sorted(strays, key=number_of)),
                seqs=tuple(sorted(seq for seqs in strays.values() for seq in seqs)),
                text=f"{number} of {len(rows)} blocks of {info.document_id} {info.title!r} "
                f"are more like {', '.join(sorted(strays, key=number_of))}",
                do="look at the lines; a smaller --split-tokens parts it",
            )


def conflicts(source: Source) -> int:
    """Count the states that two lines tell differently now (R257)."""
    return sum(1 for _ in _conflicts(source))


def _conflicts(source: Source) -> Iterator[Untidy]:
    """Name keys of one value that two lines hold now in different words."""
    for key, seqs in all_keys(source).items():
        if not key.startswith(STATED):
            continue
        places = source.view.places(seqs)
        held = [seq for seq in seqs if places[seq].holds]
        texts = {fold(text) for text, _, _ in source.view.said_by(held).values()}
        if len(texts) > 1:
            named = [places[seq].document_id or CURRENT for seq in held]
            told = parse(key)
            yield Untidy(
                kind="conflict",
                documents=tuple(dict.fromkeys(named)),
                seqs=tuple(held),
                text=f"{len(held)} lines tell {told.subject} / {told.attribute} now: "
                f"{', '.join(map(str, held))}",
                do="memoranda correct or retract the one that is wrong",
            )
