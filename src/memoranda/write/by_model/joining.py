"""Joins what several calls planned for the blocks of a window, in order, into one routing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memoranda.store.operations import Text
from memoranda.text.guard import Said
from memoranda.values import Entry
from memoranda.write.by_model.asking import Report
from memoranda.write.by_model.links import links_of
from memoranda.write.by_model.places import Block, Choice, NewDocument, Planned, Routing
from memoranda.write.by_model.wording import near_titles, summary_of, title_of
from memoranda.write.guarded import said_by
from memoranda.write.route import Route

Group = tuple[str | None, int | str | None]
"""Project, and the rules' number of a new document or the name of one that was not offered."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A new document as a reply named it; "" where it did not."""

    project: str | None
    title: str = ""
    summary: str = ""


class Joiner:
    """Makes one routing of what the calls planned."""

    def __init__(self, blocks: Sequence[Block], taken: Collection[str]) -> None:
        self._blocks = blocks
        self._taken = taken
        self._targets: dict[int, Route] = {}
        self._opened: list[_Opened] = []
        self._groups: dict[Group, int] = {}
        self._summaries: dict[str, set[str]] = {}
        self._reworded = 0

    def join(self, planned: Sequence[Planned]) -> Routing:
        """Place all blocks, name what is new, take the summaries of what grew."""
        for choice in (choice for plan in planned for choice in plan.choices):
            for number in choice.blocks:
                self._targets[number] = self._chosen(self._blocks[number], choice)
        for number, block in enumerate(self._blocks):
            if number not in self._targets:
                self._targets[number] = self._of_rules(block)
        everything = {e.seq: e for block in self._blocks for e in (*block.older, *block.entries)}
        links = links_of((pair for plan in planned for pair in plan.pairs), everything)
        summaries = self._refreshed({link.older for link in links})
        new = tuple(self._named(number) for number in range(len(self._opened)))
        report = Report(reworded=self._reworded).plus(*(plan.report for plan in planned))
        return Routing(
            targets=tuple(self._targets[number] for number in range(len(self._blocks))),
            new=new,
            summaries=summaries,
            possible=links,
            report=report,
        )

    # --- places -------------------------------------------------------------------------------

    def _chosen(self, block: Block, choice: Choice) -> Route:
        project = block.entries[0].project
        own = {c.document_id: c for c in block.candidates if c.project == project}
        known = choice.document_id
        if known is None and choice.title:
            known = next((i for i, c in own.items() if near_titles(c.title, choice.title)), None)
        if known is not None and known in own:
            if choice.summary:
                self._summaries.setdefault(known, set()).add(choice.summary)
            return Route(known, None, 0.0)
        if choice.title and self._was_asked(block, choice):
            return Route(None, self._new(project, choice), 0.0)
        if choice.title:
            return self._of_rules(block)
        return self._group((project, known or choice.missing))

    @staticmethod
    def _was_asked(block: Block, choice: Choice) -> bool:
        """Say whether a new title was weighed against what the rules chose for a block."""
        known = block.by_rules.document_id
        return known is None or known in choice.shown

    def _new(self, project: str | None, choice: Choice) -> int:
        """Give the number of the new document of a title, named before or now."""
        for number, made in enumerate(self._opened):
            if made.project == project and made.title and near_titles(made.title, choice.title):
                if choice.summary != made.summary:  # neither tells the whole: the rules will
                    self._opened[number] = replace(made, summary="")
                return number
        self._opened.append(_Opened(project, choice.title, choice.summary))
        return len(self._opened) - 1

    def _of_rules(self, block: Block) -> Route:
        if block.by_rules.document_id is not None:
            return block.by_rules
        return self._group((block.entries[0].project, block.by_rules.new))

    def _group(self, group: Group) -> Route:
        if group not in self._groups:
            self._groups[group] = len(self._opened)
            self._opened.append(_Opened(group[0]))
        return Route(None, self._groups[group], 0.0)

    # --- wordings -----------------------------------------------------------------------------

    def _members(self, target: Route) -> list[Entry]:
        return [
            entry
            for number, block in enumerate(self._blocks)
            if _same_place(self._targets[number], target)
            for entry in block.entries
        ]

    def _named(self, number: int) -> NewDocument:
        made = self._opened[number]
        entries = self._members(Route(None, number, 0.0))
        said, seqs = said_by(entries), _seqs(entries)
        title = title_of(made.title, said, seqs, taken=self._taken) if made.title else None
        summary = summary_of(made.summary, said, seqs) if made.summary else None
        self._reworded += bool(made.title and not title) + bool(made.summary and not summary)
        return NewDocument(project=made.project, title=title, summary=summary)

    def _refreshed(self, replaced: Collection[int]) -> dict[str, Text]:
        """Take the summaries of documents of which nothing is replaced: those the rules make anew."""
        documents = {c.document_id: c for b in self._blocks for c in b.candidates}
        outdated = {e.document_id for b in self._blocks for e in b.older if e.seq in replaced}
        found = {}
        for document_id, typed in sorted(self._summaries.items()):
            if len(typed) > 1 or document_id in outdated:
                continue
            known = documents[document_id]
            entries = self._members(Route(document_id, None, 0.0))
            said = (*said_by(entries), Said(known.summary.text))
            seqs = [*known.summary.made_from, *_seqs(entries)]
            made = summary_of(next(iter(typed)), said, seqs)
            self._reworded += made is None
            if made is not None:
                found[document_id] = made
        return found


def _same_place(one: Route, other: Route) -> bool:
    return (one.document_id, one.new) == (other.document_id, other.new)


def _seqs(entries: Sequence[Entry]) -> list[int]:
    return [seq for entry in entries for seq in entry.seqs]
