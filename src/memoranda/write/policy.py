"""Policy: pure judgement of a plan before it may take effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.store.operations import Create, Duplicate, Merge, Plan, Supersede, Update
from memoranda.store.view import Place

AUTHORITY = {"user": 3, "tool": 2, "external": 1, "assistant": 0}
"""Whose word stands above whose (R231, R243)."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The plan may be applied."""


@dataclass(frozen=True, slots=True)
class NeedsApproval:
    """A person must say yes first."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The plan may never be applied."""

    reasons: tuple[str, ...]


Verdict = Allowed | NeedsApproval | Refused


def judge(
    plan: Plan, *, places: Mapping[int, Place], projects: Mapping[str, str | None]
) -> Verdict:
    """Judge a plan (R224-R231).

    Args:
        plan: the plan, conservation already checked.
        places: where each entry that the plan names stands now.
        projects: document id -> project, of every document that the plan names.
    """
    crossing: list[str] = []
    wrong: list[str] = []
    for operation in plan.operations:
        match operation:
            case Create(project=project, blocks=blocks, document_id=name):
                crossing += _foreign(name, project, blocks, places)
            case Update(document_id=name, blocks=blocks):
                crossing += _foreign(name, projects[name], blocks, places)
            case Merge(document_id=heir, absorbs=absorbs):
                crossing += [
                    f"{name} and {heir} belong to different projects"
                    for name in absorbs
                    if projects[name] != projects[heir]
                ]
            case Supersede(older=older, newer=newer):
                crossing += _weaker(places[older], places[newer])
            case Duplicate(seq=seq, of=of):
                wrong += _unlike(places[seq], places[of])
            case _:
                pass
    if wrong:
        return Refused(tuple(wrong))
    return NeedsApproval(tuple(crossing)) if crossing else Allowed()


def _foreign(
    name: str, project: str | None, blocks: tuple[object, ...], places: Mapping[int, Place]
) -> list[str]:
    seqs = [seq for block in blocks for seq in getattr(block, "seqs", ())]
    return [
        f"entry {seq} of project {places[seq].project!r} would enter {name} of project {project!r}"
        for seq in seqs
        if places[seq].project != project
    ]


def _weaker(older: Place, newer: Place) -> list[str]:
    reasons = []
    if older.project != newer.project:
        reasons.append(f"entry {newer.seq} would replace {older.seq} of another project")
    if AUTHORITY[newer.source] < AUTHORITY[older.source]:
        reasons.append(
            f"entry {newer.seq} ({newer.source}) would replace {older.seq} ({older.source})"
        )
    return reasons


def _unlike(seq: Place, of: Place) -> list[str]:
    if (seq.project, seq.source) == (of.project, of.source):
        return []
    return [f"entry {seq.seq} can't repeat {of.seq}: another project or source"]
