"""Policy: pure judgement of a plan before it may take effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat

from memoranda.store.operations import (
    Classify,
    Create,
    Duplicate,
    Merge,
    NewBlock,
    Plan,
    Supersede,
    Update,
)
from memoranda.store.saying import AUTHORITY
from memoranda.store.view import Place
from memoranda.write.risks import Risk, Trust, risks, window_side
from memoranda.write.standing import NOTHING, Catalog

Rule = Callable[[Plan, Catalog], Sequence[str]]
"""A rule of one's own: gives the reasons why a plan must wait; none lets it pass."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The plan may be applied."""


@dataclass(frozen=True, slots=True)
class NeedsApproval:
    """A person must say yes first."""

    reasons: tuple[str, ...]
    seqs: frozenset[int] = field(default=frozenset(), compare=False)
    """The entries to hold back so that the rest may pass; empty when it is the plan as a whole."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The plan may never be applied."""

    reasons: tuple[str, ...]


Verdict = Allowed | NeedsApproval | Refused


def judge(
    plan: Plan,
    *,
    places: Mapping[int, Place],
    projects: Mapping[str, str | None],
    catalog: Catalog = NOTHING,
    rules: Sequence[Rule] = (),
    trust: Trust = "rules",
) -> Verdict:
    """Judge a plan (R224-R231, R271, R272).

    Args:
        plan: the plan, conservation already checked.
        places: where each entry that the plan names stands now.
        projects: document id -> project, of every document that the plan names.
        catalog: the texts, documents and permissions that the plan names.
        rules: rules of one's own, asked after ours.
        trust: with `rules`, what only a model says replaces what waits.
    """
    wrong = [
        fault
        for operation in plan.operations
        if isinstance(operation, Duplicate)
        for fault in _unlike(places[operation.seq], places[operation.of])
    ]
    if wrong:
        return Refused(tuple(wrong))
    found = [*_crossing(plan, places, projects), *risks(plan, catalog, trust=trust)]
    found += [(text, frozenset()) for text in _lowering(plan)]
    found += [(text, frozenset()) for rule in rules for text in rule(plan, catalog)]
    if not found:
        return Allowed()
    parts = [seqs for _, seqs in found]
    held = frozenset[int]().union(*parts) if all(parts) else frozenset[int]()
    return NeedsApproval(tuple(dict.fromkeys(text for text, _ in found)), held)


def _lowering(plan: Plan) -> Iterator[str]:
    """What more readers would see is for a person to decide (R240)."""
    for operation in plan.operations:
        if isinstance(operation, Classify) and operation.lowers:
            yield (
                f"it would let more readers see {len(operation.events)} events: "
                f"{operation.sensitivity} in place of {operation.was}"
            )


def _crossing(
    plan: Plan, places: Mapping[int, Place], projects: Mapping[str, str | None]
) -> Iterator[Risk]:
    """Find what would cross from one project to another, or from a weak voice to a strong one."""
    for operation in plan.operations:
        match operation:
            case Create(document_id=name, project=project, blocks=blocks):
                yield from _foreign(name, project, blocks, places)
            case Update(document_id=name, blocks=blocks):
                yield from _foreign(name, projects[name], blocks, places)
            case Merge(document_id=heir, absorbs=absorbs):
                others = [name for name in absorbs if projects[name] != projects[heir]]
                for name in others:
                    yield f"{name} and {heir} belong to different projects", frozenset()
            case Supersede(older=older, newer=newer):
                texts = _weaker(places[older], places[newer])
                yield from zip(texts, repeat(window_side(operation, plan)), strict=False)
            case _:
                pass


def _foreign(
    name: str, project: str | None, blocks: Sequence[NewBlock], places: Mapping[int, Place]
) -> Iterator[Risk]:
    for block in blocks:
        for seq in block.seqs:
            own = places[seq].project
            if own != project:
                text = f"entry {seq} of project {own!r} would enter {name} of project {project!r}"
                yield text, frozenset({seq})


def _weaker(older: Place, newer: Place) -> Iterator[str]:
    if older.project != newer.project:
        yield f"entry {newer.seq} would replace {older.seq} of another project"
    if AUTHORITY[newer.source] < AUTHORITY[older.source]:
        yield f"entry {newer.seq} ({newer.source}) would replace {older.seq} ({older.source})"


def _unlike(seq: Place, of: Place) -> list[str]:
    if (seq.project, seq.source) == (of.project, of.source):
        return []
    return [f"entry {seq.seq} can't repeat {of.seq}: another project or source"]
