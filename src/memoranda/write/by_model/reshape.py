"""Splits of large documents and merges of small ones, by a model that names blocks and documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from memoranda.errors import ReplyError
from memoranda.llm.forms import Form
from memoranda.llm.kinds import Each, Names, Says
from memoranda.llm.kinds import Text as Typed
from memoranda.store.operations import Text
from memoranda.text.guard import Said
from memoranda.values import Entry, Value
from memoranda.write import reshape as by_rules
from memoranda.write.by_model.asking import Asker, Report, line, put
from memoranda.write.by_model.names import Pool, named
from memoranda.write.by_model.wording import summary_of, title_of
from memoranda.write.guarded import said_by

SHOWN = 3
"""So many entries of a block are shown, each by its beginning."""
BEGINNING = 160
"""Characters."""
SOURCES = (2, 4)
"""So many documents become one in a merge."""


# --- split ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeBlock(Value):
    """A block of a document that is to be split."""

    block_id: int
    headings: tuple[str, ...]
    entries: tuple[Entry, ...]
    """Those that hold now."""
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart(Value):
    """What becomes a document of its own; None leaves title or summary to the rules."""

    blocks: tuple[int, ...]
    """Block ids."""
    title: Text | None = None
    summary: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting(Value):
    """The parts that leave a document; what is in none of them stays. Empty: nothing to split."""

    parts: tuple[NewPart, ...]
    report: Report = field(default_factory=Report)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartTold:
    """Blocks that leave."""

    title: Annotated[str, Typed(most=90), Says("Title of 2-6 words")]
    of: Annotated[str, Typed(most=8000), Names("blocks"), Says("Names of blocks")]
    sum: Annotated[str, Typed(most=600, blank=True), Says("Summary")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTold:
    """A whole reply."""

    parts: Annotated[tuple[PartTold, ...], Each(least=1, most=12, per=1)]


SPLIT = Form(SplitTold)


def split(
    asker: Asker,
    blocks: Sequence[LargeBlock],
    *,
    title: str,
    limit: int = by_rules.SPLIT_ABOVE,
    taken: Collection[str] = (),
) -> Splitting:
    """Part a document that is too large; by rules if no usable reply comes.

    A reply can be used if it leaves some blocks where they are, names no block twice, and makes no
    part larger than the limit, where a block alone does not.

    Args:
        asker: whom to ask.
        blocks: of the document, in reading order.
        title: the document's; it keeps it.
        limit: tokens above which a document is split.
        taken: titles in use, as `titles.same_title` gives them.

    Raises:
        BudgetError: a limit is reached.
    """
    rules = by_rules.split(
        [by_rules.Block(seq=_first(b), tokens=b.tokens, counts={}) for b in blocks], limit=limit
    )
    if len(rules) < 2:
        return Splitting(parts=())
    asker = asker.unseen_in(_texts(blocks, title))
    names = Pool(asker.nonce).table(range(len(blocks)))
    shown = "\n".join(_shown(names.of(n), block) for n, block in enumerate(blocks))
    data = {"document": title, "blocks": shown}

    def check(reply: SplitTold) -> None:
        _refuse_bad_parts([named(part.of, names) for part in reply.parts], blocks, limit)

    answer = put(asker, "split", SPLIT, data, names={"blocks": names.names}, check=check)
    if answer.value is None:
        found = tuple(NewPart(blocks=_ids(blocks, part)) for part in rules[1:])
        return Splitting(parts=found, report=answer.report)
    made = [_part(part, blocks, named(part.of, names), taken) for part in answer.value.parts]
    reworded = sum(
        int(part.title is None) + int(bool(told.sum) and part.summary is None)
        for part, told in zip(made, answer.value.parts, strict=True)
    )
    return Splitting(parts=tuple(made), report=answer.report.plus(Report(reworded=reworded)))


def _refuse_bad_parts(
    parts: Sequence[tuple[int, ...]], blocks: Sequence[LargeBlock], limit: int
) -> None:
    everything = [number for part in parts for number in part]
    if len(set(everything)) < len(everything):
        raise ReplyError("repeated", "a block stands in two parts")
    left = set(range(len(blocks))) - set(everything)
    if not left:
        raise ReplyError("shape", "leave the main part of the document where it is")
    for part in (*parts, sorted(left)):
        if len(part) > 1 and sum(blocks[number].tokens for number in part) > limit:
            raise ReplyError(
                "shape", f"a part, or what stays, is over {limit} tokens; part it more"
            )


def _part(
    told: PartTold, blocks: Sequence[LargeBlock], numbers: Sequence[int], taken: Collection[str]
) -> NewPart:
    entries = [entry for number in sorted(numbers) for entry in blocks[number].entries]
    said, seqs = said_by(entries), [seq for entry in entries for seq in entry.seqs]
    return NewPart(
        blocks=_ids(blocks, numbers),
        title=title_of(told.title, said, seqs, taken=taken),
        summary=summary_of(told.sum, said, seqs) if told.sum else None,
    )


def _ids(blocks: Sequence[LargeBlock], numbers: Sequence[int]) -> tuple[int, ...]:
    return tuple(blocks[number].block_id for number in sorted(numbers))


def _first(block: LargeBlock) -> int:
    return block.entries[0].seq if block.entries else 0


def _shown(name: str, block: LargeBlock) -> str:
    says = " | ".join(entry.text[:BEGINNING] for entry in block.entries[:SHOWN])
    return line(name, says, f"({block.tokens} tokens)", " / ".join(block.headings))


def _texts(blocks: Sequence[LargeBlock], title: str) -> list[str]:
    found = [title]
    for block in blocks:
        found += [*block.headings, *(entry.text for entry in block.entries)]
    return found


# --- merge ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Small(Value):
    """A small document that may be merged, or one that is like it."""

    document_id: str
    project: str | None
    title: Text
    """Made from the entries that it names."""
    summary: Text
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Union(Value):
    """Documents that become one: the first, the oldest, keeps its id."""

    documents: tuple[str, ...]
    title: Text | None = None
    summary: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging(Value):
    """What is merged; no document is in two unions."""

    unions: tuple[Union, ...]
    report: Report = field(default_factory=Report)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnionTold:
    """Documents that become one."""

    of: Annotated[
        str, Typed(most=90), Names("documents", *SOURCES), Says("Names of 2 to 4 documents")
    ]
    title: Annotated[str, Typed(most=90, blank=True), Says("Title of 2-6 words")] = ""
    sum: Annotated[str, Typed(most=600, blank=True), Says("Summary")] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTold:
    """A whole reply."""

    merge: Annotated[tuple[UnionTold, ...], Each(most=40, per=1)] = ()


MERGE = Form(MergeTold)


def merge(
    asker: Asker,
    documents: Sequence[Small],
    rules: Sequence[by_rules.Merge],
    *,
    limit: int = by_rules.SPLIT_ABOVE,
    taken: Collection[str] = (),
) -> Merging:
    """Merge small documents on one matter; what `rules` says if no usable reply comes.

    Unions across projects, above the limit, or of a document that is in another are left out.

    Args:
        asker: whom to ask.
        documents: small ones with their likes; oldest first.
        rules: what `write.reshape.merges` proposes.
        limit: tokens that a document may have.
        taken: titles in use, as `titles.same_title` gives them.

    Raises:
        BudgetError: a limit is reached.
    """
    if len(documents) < 2:
        return Merging(unions=())
    known = {document.document_id: document for document in documents}
    asker = asker.unseen_in(f"{d.title.text}\n{d.summary.text}" for d in documents)
    names = Pool(asker.nonce).table(known)
    shown = "\n".join(
        line(names.of(d.document_id), d.summary.text, f'"{d.title.text}"', f"({d.tokens} tokens)")
        for d in documents
    )

    def check(reply: MergeTold) -> None:
        for told in reply.merge:
            named(told.of, names, least=SOURCES[0], most=SOURCES[1])

    offered = {"documents": names.names}
    answer = put(asker, "merge", MERGE, {"documents": shown}, names=offered, check=check)
    if answer.value is None:
        unions = tuple(Union(documents=(one.keep, one.absorb)) for one in rules)
        return Merging(unions=unions, report=answer.report)
    taken_in: set[str] = set()
    found: list[Union] = []
    reworded = 0
    for told in answer.value.merge:
        parts = [known[name] for name in named(told.of, names)]
        if _may_be_one(parts, taken_in, limit):
            union = _union(told, parts, taken)
            reworded += sum(
                bool(typed) and made is None
                for typed, made in ((told.title, union.title), (told.sum, union.summary))
            )
            taken_in.update(union.documents)
            found.append(union)
    return Merging(unions=tuple(found), report=answer.report.plus(Report(reworded=reworded)))


def _may_be_one(parts: Sequence[Small], taken_in: Collection[str], limit: int) -> bool:
    return (
        len({part.project for part in parts}) == 1
        and sum(part.tokens for part in parts) <= by_rules.MERGED * limit
        and not any(part.document_id in taken_in for part in parts)
    )


def _union(told: UnionTold, parts: Sequence[Small], taken: Collection[str]) -> Union:
    parts = sorted(parts, key=lambda part: int(part.document_id.removeprefix("d")))
    texts = [text for part in parts for text in (part.title, part.summary)]
    said = tuple(Said(text.text) for text in texts)
    seqs = [seq for text in texts for seq in text.made_from]
    return Union(
        documents=tuple(part.document_id for part in parts),
        title=title_of(told.title, said, seqs, taken=taken) if told.title else None,
        summary=summary_of(told.sum, said, seqs) if told.sum else None,
    )
