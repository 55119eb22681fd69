"""What an edit does to one document, in operations: which lines stand where, under which headings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from memoranda.store.edits import Arranged
from memoranda.store.home import Home
from memoranda.store.layouts import Layout, Shown
from memoranda.store.operations import Arrange, Text
from memoranda.text.analyse import terms
from memoranda.values import CURRENT
from memoranda.write.differing import Part, Wish

FIRST = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What is done to lines in the same plan."""

    replaced: Mapping[int, int]
    """Old line -> the new one in its place."""
    gone: frozenset[int]
    """Lines that are removed, or go to another document."""


class Citing:
    """Finds the entries that a typed text shares a word with: when these are forgotten, it goes too."""

    def __init__(self, home: Home) -> None:
        self._view = home.view
        self._words: dict[int, tuple[tuple[int, ...], frozenset[str]]] = {}

    def text(self, text: str, lines: Iterable[int]) -> Text:
        """Give a typed text with what it may tell of."""
        wanted = set(lines)
        missing = wanted - self._words.keys()
        for line, entry in self._view.entries(missing).items():
            self._words[line] = (entry.seqs, frozenset(terms(entry.text)))
        own = frozenset(terms(text))
        found = [self._words[line] for line in sorted(wanted) if line in self._words]
        seqs = sorted({seq for members, words in found if words & own for seq in members})
        return Text(text=text, made_from=tuple(seqs))


class Arranging:
    """Makes the operation for one document."""

    def __init__(self, home: Home, citing: Citing, changes: Changes) -> None:
        self._layouts = home.projection.layouts
        self._today = home.log.now()[:10]
        self._citing = citing
        self._changes = changes

    def operation(self, wish: Wish, document_id: str, next_block: int) -> Arrange | None:
        """Give the operation; None if the document stays as it is.

        Args:
            wish: what a person wants; its new lines are in the log.
            document_id: the document; another than the wish's if that was merged into it.
            next_block: the id that the first new block gets.
        """
        now = self._layouts.now(document_id)
        same = wish.document_id in {document_id, ""}
        parts = [part for part in wish.parts if _seqs(part)]
        mapped = self._mapped(parts, now) if same else {}
        lines = {seq for part in parts for seq in _seqs(part)}
        blocks: list[Arranged] = []
        ids: list[int] = []
        new = next_block
        for at, part in enumerate(parts):
            shown = mapped.get(at)
            block = self._old(part, shown, wish.base, lines) if shown else self._new(part)
            ids.append(shown.block if shown else new)
            new += shown is None
            if block is not None:
                blocks.append(block)
        order = self._order(ids, now, wish.base if same else now)
        title, summary, extra = self._head(wish, now, lines) if same else (None, None, None)
        if not (blocks or order or title or summary or extra):
            return None
        return Arrange(
            document_id=document_id,
            title=title,
            summary=summary,
            extra=extra,
            blocks=tuple(blocks),
            order=order,
        )

    # --- which block is which -------------------------------------------------------------------

    def _mapped(self, parts: Sequence[Part], now: Layout) -> dict[int, Shown]:
        """Say which block each part of the file is: the one that most of its lines stand in."""
        home = {head: block for block in now.blocks for head in block.heads}
        at = {block.block: number for number, block in enumerate(now.blocks)}
        votes: dict[tuple[int, int], int] = {}
        for number, part in enumerate(parts):
            for slot in part.slots:
                if slot.head is not None and slot.put and slot.head in home:
                    pair = (at[home[slot.head].block], number)
                    votes[pair] = votes.get(pair, 0) + 1
        found: dict[int, Shown] = {}
        taken: set[int] = set()
        for block, number in sorted(votes, key=lambda pair: (-votes[pair], pair)):
            if number not in found and block not in taken:
                found[number] = now.blocks[block]
                taken.add(block)
        named = {block.headings: number for number, block in reversed([*enumerate(now.blocks)])}
        for number, part in enumerate(parts):
            place = named.get(part.headings, -1)
            if number not in found and place >= 0 and place not in taken:
                found[number] = now.blocks[place]
                taken.add(place)
        return found

    # --- lines ----------------------------------------------------------------------------------

    def _old(
        self, part: Part, shown: Shown, base: Layout, lines: Collection[int]
    ) -> Arranged | None:
        """Give a block that stands, if it changes."""
        wanted = _seqs(part)
        replaced, gone = self._changes.replaced, self._changes.gone
        before = [replaced.get(head, head) for head in shown.heads if head not in gone]
        stay = [seq for seq in before if seq in wanted or seq not in lines]
        after = self._merged(stay, wanted, base)
        headings = self._headings(part, shown, base, after)
        if after == before and not headings:
            return None
        return Arranged(
            block=shown.block, headings=headings, seqs=tuple(after) if after != before else ()
        )

    def _merged(self, stay: Sequence[int], wanted: Sequence[int], base: Layout) -> list[int]:
        """Bring the order that a person wants into the lines that stand, others' new ones included."""
        known = [head for block in base.blocks for head in block.heads]
        at = {self._changes.replaced.get(head, head): number for number, head in enumerate(known)}
        return _brought(stay, wanted, at)

    def _headings(
        self, part: Part, shown: Shown, base: Layout, lines: Sequence[int]
    ) -> tuple[Text, ...]:
        """Give a heading path that a person typed anew; () if it is the print's, or today's."""
        if not part.headings or part.headings == shown.headings:
            return ()
        printed = next((block.mark for block in base.blocks if block.block == shown.block), "")
        if self._layouts.mark("\n".join(part.headings)) == printed:
            return ()
        return tuple(self._citing.text(text, lines) for text in part.headings)

    def _new(self, part: Part) -> Arranged:
        lines = _seqs(part)
        headings = part.headings or (self._today,)
        texts = tuple(self._citing.text(text, lines) for text in headings)
        return Arranged(block=0, headings=texts, seqs=tuple(lines))

    # --- blocks and header ----------------------------------------------------------------------

    def _order(self, ids: Sequence[int], now: Layout, base: Layout) -> tuple[int, ...]:
        """Give the order of the blocks, if a person changed it or put new ones between them."""
        there = [block.block for block in now.blocks]
        known = {block.block: number for number, block in enumerate(base.blocks)}
        result = _brought(there, ids, known)
        return tuple(result) if result != there else ()

    def _head(
        self, wish: Wish, now: Layout, lines: Iterable[int]
    ) -> tuple[Text | None, Text | None, Text | None]:
        if wish.document_id == CURRENT:
            return None, None, None
        cited = {*now.lines, *lines}
        return (
            None if wish.title is None else self._citing.text(wish.title, cited),
            None if wish.summary is None else self._citing.text(wish.summary, cited),
            None if wish.extra is None else self._citing.text(wish.extra, cited),
        )


def _seqs(part: Part) -> list[int]:
    """Give the lines of a part that are to stand in the document, in order."""
    return [seq for slot in part.slots if slot.put for seq in slot.seqs]


def _brought(there: Sequence[int], wanted: Sequence[int], at: Mapping[int, int]) -> list[int]:
    """Bring a wanted order into what stands; what is new comes behind what it was put behind.

    Args:
        there: what stands, in order.
        wanted: the order that is wanted, new things among it.
        at: where each stood in the print that was edited: there may be no other order in it.
    """
    inside = [item for item in wanted if item in there]
    places = [at[item] for item in inside if item in at]
    result = list(there)
    if places != sorted(places):
        fresh = iter(inside)
        result = [next(fresh) if item in inside else item for item in there]
    before: int | None = None
    for item in wanted:
        if item not in result:
            result.insert(FIRST if before is None else result.index(before) + 1, item)
        before = item
    return result
