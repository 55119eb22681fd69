"""What a model answered about a window, and the plan that code makes of it on the state as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from memoranda.errors import StalePlanError
from memoranda.store import parking
from memoranda.store.home import Home
from memoranda.store.index import FtsIndex
from memoranda.store.operations import Join, Plan, Supersede, Text
from memoranda.store.view import View
from memoranda.text.analyse import content_counts
from memoranda.values import Entry
from memoranda.write.by_model import Block, NewDocument, Rewriting, Routing, Window
from memoranda.write.by_model.wording import summary_of, title_of
from memoranda.write.consolidate import Consolidator
from memoranda.write.draft import Draft, rewrite
from memoranda.write.guarded import said_by
from memoranda.write.intake import BY
from memoranda.write.near import documents, older_lines
from memoranda.write.plan import repair
from memoranda.write.propose import Proposer, Segment
from memoranda.write.risks import requests
from memoranda.write.route import Route
from memoranda.write.supersede import supersessions, sure
from memoranda.write.titles import same_title

LINKS = 20
"""So many replacements on a model's word alone are proposed after one window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A window as it was when a model was asked about it."""

    window: tuple[int, ...]
    rewriting: Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a model made of a window."""

    asked: Asked
    rewriting: Rewriting
    routing: Routing
    versions: Mapping[str, int] = field(default_factory=dict)
    """Of the documents that were offered, as they were then."""
    plan_id: str
    by: str


def in_order(seqs: Sequence[int], view: View) -> list[Entry]:
    """Give lines as they were said: by their first event."""
    lines = view.entries(seqs)
    return [lines[seq] for seq in view.as_said(seqs)]


def asked_about(window: Sequence[int], home: Home) -> Asked:
    """Collect what is shown of a window for its rewriting."""

    def work(index: FtsIndex) -> Asked:
        view = home.view
        entries = in_order(window, view)
        links = supersessions(sorted(entries, key=lambda entry: entry.seq), view, index)
        return Asked(
            window=tuple(window),
            rewriting=Window(
                entries=tuple(entries),
                draft=rewrite(entries, view, links),
                older=older_lines(entries, view, index),
            ),
        )

    return home.reading(work)


def is_as_asked(asked: Asked, draft: Draft, window: Sequence[int], view: View) -> bool:
    """Say whether entries of a window, and the lines that they repeat, are as a model was shown them.

    Others may have placed, replaced, retracted or forgotten any of them since, or a part of what an
    entry was made from: then its words are others, and what the model typed of it is out of date.
    """
    before = {entry.seq: entry for entry in asked.rewriting.entries}
    repeated = {op.of for op in draft.duplicates if op.seq in window and op.of not in before}
    now = view.entries([*window, *repeated])
    same = all(now.get(seq) == before[seq] for seq in window)
    return same and all(seq in now and _holds(now[seq]) for seq in repeated)


def _holds(entry: Entry) -> bool:
    return entry.superseded_by is None and not entry.retracted


def blocks_of(rewriting: Rewriting, home: Home) -> tuple[tuple[Block, ...], dict[str, int]]:
    """Give the blocks of a rewritten window with what each is offered, and the documents' versions."""

    def work(index: FtsIndex) -> tuple[tuple[Block, ...], dict[str, int]]:
        segments = rewriting.draft.segments
        routes = Proposer(home, index).routes(segments)
        blocks = tuple(
            Block(
                entries=segment,
                by_rules=chosen,
                candidates=documents(segment, _named(chosen), home.view, index),
            )
            for segment, chosen in zip(segments, routes, strict=True)
        )
        names = {c.document_id for block in blocks for c in block.candidates}
        infos = (home.view.document(name) for name in sorted(names))
        return blocks, {info.document_id: info.version for info in infos if info is not None}

    return home.reading(work)


def _named(chosen: Route) -> tuple[str, ...]:
    return (chosen.document_id,) if chosen.document_id is not None else ()


def taken_titles(view: View) -> frozenset[str]:
    """Give the titles in use, in the form in which titles are compared."""
    return frozenset(same_title(title) for title in view.titles().values())


# --- the plan ---------------------------------------------------------------------------------


def plan_of(answers: Answers, window: Sequence[int], home: Home) -> tuple[Draft, Plan]:
    """Plan a window, or a part of it, as a model answered.

    Raises:
        StalePlanError: an entry of the window is not any more as it was when the model was asked,
            or the part would tear a line apart.
    """
    if not is_as_asked(answers.asked, answers.rewriting.draft, window, home.view):
        raise StalePlanError("the window", 0, home.view.counter("position"))
    part = set(window)

    def work(index: FtsIndex) -> tuple[Draft, Plan]:
        lines = home.view.entries(window)
        entries = [lines[seq] for seq in sorted(lines)]
        links = _links(answers, part, home, index)
        if _apart(home):
            links = [op for op in links if sure(op, home.view)]
        draft = _draft(answers, part, links)
        plan = repair(Answered(home, index, answers, part).consolidation(draft))
        return draft, replace(plan, warnings=(*plan.warnings, *requests(entries)))

    return home.reading(work)


def _apart(home: Home) -> bool:
    """Say whether what replaces what on a model's word alone is planned by itself, and waits so."""
    return home.settings.trust == "rules" and home.settings.mode == "auto"


def _links(
    answers: Answers, part: AbstractSet[int], home: Home, index: FtsIndex
) -> list[Supersede]:
    """Give what replaces what in a part of a window: by rules, by keys, and as the model named it."""
    lines = home.view.entries(part)
    told = home.settings.trust == "model" or answers.by != BY  # else nothing would wait
    entries = [lines[seq] for seq in sorted(lines)]
    found = supersessions(entries, home.view, index, by_key=told)
    older = home.view.entries(entry.seq for entry in answers.asked.rewriting.older)
    known = {**older, **lines}
    more = [link for link in answers.rewriting.possible if _may_be(link, known, part)]
    chosen = {(link.older, link.newer): link for link in (*more, *found)}
    return [chosen[ends] for ends in sorted(chosen)]


def doubtful_plans(answers: Answers, home: Home) -> list[Plan]:
    """Plan, each by itself, what would replace what on the model's word alone; the lines are placed."""
    if not _apart(home):
        return []

    def work(index: FtsIndex) -> list[Plan]:
        links = _links(answers, set(answers.asked.window), home, index)
        known = home.view.entries(seq for op in links for seq in (op.older, op.newer))
        doubtful = [
            op
            for op in links
            if {op.older, op.newer} <= known.keys()
            and _holds(known[op.older])
            and _holds(known[op.newer])
            and not sure(op, home.view)
        ]
        return [Proposer(home, index).replacing(op, by=answers.by) for op in doubtful[:LINKS]]

    return home.reading(work)


def _draft(answers: Answers, part: AbstractSet[int], links: Sequence[Supersede]) -> Draft:
    """Cut the rewritten window down to a part, with the links that hold now."""
    draft = answers.rewriting.draft
    ends = {seq for link in links for seq in (link.older, link.newer)}
    gathered = {op.seq for op in draft.duplicates} | {
        seq for join in answers.rewriting.joins for seq in join.seqs
    }
    whole = set(answers.asked.window)
    torn = any(
        part & set(join.seqs) and not set(join.seqs) <= part for join in answers.rewriting.joins
    ) or any(op.seq in part and op.of in whole - part for op in draft.duplicates)
    if torn or ends & gathered & part:
        raise StalePlanError("the window", 0, 0)
    return Draft(
        window=tuple(seq for seq in answers.asked.window if seq in part),
        segments=_parts(draft.segments, part),
        duplicates=tuple(op for op in draft.duplicates if op.seq in part),
        supersedes=tuple(links),
    )


def _parts(segments: Sequence[Segment], part: AbstractSet[int]) -> tuple[Segment, ...]:
    cut = (tuple(entry for entry in segment if entry.seq in part) for segment in segments)
    return tuple(segment for segment in cut if segment)


def _may_be(link: Supersede, lines: Mapping[int, Entry], part: AbstractSet[int]) -> bool:
    """Say whether a link that a model named can be judged at all: it tells of one matter.

    The statements share a telling word. What is on no one's word but the model's waits (`risks`).
    """
    if link.newer not in part or link.older not in lines or link.newer not in lines:
        return False
    older, newer = lines[link.older], lines[link.newer]
    if not _holds(older) or newer.source == "assistant":
        return False
    return bool(content_counts([older.text]).keys() & content_counts([newer.text]).keys())


class Answered(Proposer):
    """Proposes what a model answered, where that can be, and by rules what it left open."""

    def __init__(
        self, home: Home, index: FtsIndex, answers: Answers, part: AbstractSet[int]
    ) -> None:
        super().__init__(home, index)
        draft, routing = answers.rewriting.draft, answers.routing
        self._answers = answers
        self._by = answers.by
        self._plan_id = answers.plan_id if _is_new(answers.plan_id, home) else self._plan_id
        self._joins = _joins(answers.rewriting.joins, part)
        self._targets_of = {
            entry.seq: target
            for segment, target in zip(draft.segments, routing.targets, strict=True)
            for entry in segment
        }
        self._paths = {
            entry.seq: path
            for segment, path in zip(draft.segments, answers.rewriting.headings, strict=True)
            for entry in segment
        }
        self._named: dict[str, NewDocument] = {}

    def _destination(self, segment: Segment, older: str | None, chosen: Route) -> str:
        target = self._targets_of[segment[0].seq]
        if target.document_id is not None:
            info = self._view.document(target.document_id)
            if info is not None and info.project == segment[0].project:
                return target.document_id
        elif target.new is not None:
            made = self._made_as("by model", target.new)
            self._named[made] = self._answers.routing.new[target.new]
            return made
        return super()._destination(segment, older, chosen)

    def _first_name(self, document_id: str, entries: Sequence[Entry]) -> tuple[Text, Text]:
        named = self._named.get(document_id)
        whole = {seq for entry in entries for seq in entry.seqs}
        title = _usable(named.title if named else None, whole)
        if title is None and named is not None and named.title is not None:
            title = title_of(named.title.text, said_by(entries), sorted(whole), taken=self._taken)
        if title is None or same_title(title.text) in self._taken:
            title = self._title(entries, entries[0].project)
        else:
            self._taken.add(same_title(title.text))
        summary = _usable(named.summary if named else None, whole)
        if summary is None and named is not None and named.summary is not None:
            summary = summary_of(named.summary.text, said_by(entries), sorted(whole))
        return title, summary or self._summary(entries, title, entries[0].project)

    def _name(
        self, document_id: str, entries: Sequence[Entry], grown: int, project: str | None
    ) -> tuple[Text | None, Text]:
        title, summary = super()._name(document_id, entries, grown, project)
        info = self._view.document(document_id)
        told = self._answers.routing.summaries.get(document_id)
        same = info is not None and info.version == self._answers.versions.get(document_id)
        outdated = document_id in self._outdated_now
        if (
            told is None
            or not same
            or outdated
            or not _usable(told, {seq for e in entries for seq in e.seqs})
        ):
            return title, summary
        return title, told

    def _path(self, segment: Segment) -> tuple[Text, ...]:
        path = self._paths.get(segment[0].seq, ())
        seqs = {seq for entry in segment for seq in entry.seqs}
        if path and all(set(text.made_from) <= seqs for text in path):
            return path
        return super()._path(segment)


def _is_new(plan_id: str, home: Home) -> bool:
    """Say whether no plan has an id yet: a window that is cut has several plans."""
    known = parking.plan(home.log.connection, plan_id)
    return known is None and home.log.by_id(plan_id) is None


def _usable(text: Text | None, seqs: AbstractSet[int]) -> Text | None:
    """Give a name if it was made of lines that may be named: those that hold and are not private."""
    if text is None or not set(text.made_from) <= seqs:
        return None
    return text


def _joins(joins: Sequence[Join], part: AbstractSet[int]) -> tuple[Join, ...]:
    return tuple(join for join in joins if set(join.seqs) <= part)


@dataclass(frozen=True, slots=True)
class Planned:
    """Plans a window as the model answered; what is refused, or does not hold any more, by rules."""

    answers: Answers
    consolidator: Consolidator
    home: Home
    fell: Callable[[str, str], None]
    """Told of what is left to the rules: step and reason."""

    def __call__(self, window: Sequence[int], plainer: int) -> tuple[Draft, Plan]:
        """Plan entries of the window; the number says how much plainer than at first."""
        if plainer == 0:
            try:
                return plan_of(self.answers, window, self.home)
            except StalePlanError:
                self.fell("rewrite", "changed_meanwhile")
        else:
            self.fell("rewrite", "refused_plan")
        return self.consolidator.planned(window, max(0, plainer - 1))
