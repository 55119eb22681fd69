"""Policy: one test for each branch of the judgement."""

from __future__ import annotations

import pytest

from memoranda.store.operations import Duplicate, Merge, Operation, Part, Split, Supersede, Update
from memoranda.store.view import Place
from memoranda.write.policy import Allowed, NeedsApproval, Refused, Verdict, judge
from scene import block, create, plan, said


def standing(seq: int, *, project: str | None = None, source: str = "user") -> Place:
    return Place(
        seq=seq,
        line=seq,
        document_id=None,
        block=None,
        superseded_by=None,
        final=None,
        retracted=False,
        project=project,
        source=source,
        moment="2026-06-01T09:00:00.000000+00:00",
        tokens=9,
    )


def verdict(*operations: Operation, places: list[Place], **projects: str | None) -> Verdict:
    found = {place.seq: place for place in places}
    return judge(plan(*operations, window=sorted(found)), places=found, projects=projects)


def update(document: str, *seqs: int) -> Update:
    return Update(document_id=document, title=None, summary=said("x"), blocks=(block(*seqs),))


def test_entries_may_enter_a_new_document_of_their_project() -> None:
    made = create("d1", block(1), project="acme")
    assert verdict(made, places=[standing(1, project="acme")]) == Allowed()


def test_entries_may_enter_a_known_document_of_their_project() -> None:
    assert verdict(update("d1", 1), places=[standing(1)], d1=None) == Allowed()


@pytest.mark.parametrize(("own", "other"), [("acme", "zeta"), ("acme", None), (None, "acme")])
def test_an_entry_that_would_enter_a_new_document_of_another_project_waits(
    own: str | None, other: str | None
) -> None:
    made = create("d1", block(1), project=other)
    assert verdict(made, places=[standing(1, project=own)]) == NeedsApproval(
        (f"entry 1 of project {own!r} would enter d1 of project {other!r}",)
    )


def test_an_entry_that_would_enter_a_known_document_of_another_project_waits() -> None:
    places = [standing(1, project="acme"), standing(2, project="zeta")]
    assert verdict(update("d1", 1, 2), places=places, d1="acme") == NeedsApproval(
        ("entry 2 of project 'zeta' would enter d1 of project 'acme'",)
    )


def test_documents_of_one_project_may_be_merged() -> None:
    merge = Merge(document_id="d1", absorbs=("d2",), title=None, summary=said("x"))
    assert verdict(merge, places=[], d1="acme", d2="acme") == Allowed()


def test_a_merge_of_two_projects_waits() -> None:
    merge = Merge(document_id="d1", absorbs=("d2", "d3"), title=None, summary=said("x"))
    assert verdict(merge, places=[], d1="acme", d2="acme", d3=None) == NeedsApproval(
        ("d3 and d1 belong to different projects",)
    )


@pytest.mark.parametrize("sources", [("user", "user"), ("assistant", "user"), ("external", "tool")])
def test_an_equal_or_stronger_voice_may_replace(sources: tuple[str, str]) -> None:
    places = [standing(1, source=sources[0]), standing(2, source=sources[1])]
    assert verdict(Supersede(older=1, newer=2), places=places) == Allowed()


@pytest.mark.parametrize(
    "sources",
    [("user", "assistant"), ("user", "tool"), ("tool", "external"), ("external", "assistant")],
)
def test_a_weaker_voice_does_not_replace_by_itself(sources: tuple[str, str]) -> None:
    places = [standing(1, source=sources[0]), standing(2, source=sources[1])]
    assert verdict(Supersede(older=1, newer=2), places=places) == NeedsApproval(
        (f"entry 2 ({sources[1]}) would replace 1 ({sources[0]})",)
    )


def test_a_replacement_across_projects_waits() -> None:
    places = [standing(1, project="acme"), standing(2, project="zeta")]
    assert verdict(Supersede(older=1, newer=2), places=places) == NeedsApproval(
        ("entry 2 would replace 1 of another project",)
    )


def test_a_repetition_within_project_and_source_is_allowed() -> None:
    places = [standing(1, project="acme"), standing(2, project="acme")]
    assert verdict(Duplicate(seq=2, of=1), places=places) == Allowed()


@pytest.mark.parametrize("other", [{"project": "zeta"}, {"source": "tool"}])
def test_a_repetition_of_another_project_or_source_is_refused(other: dict[str, str]) -> None:
    places = [standing(1), standing(2, **other)]
    assert verdict(Duplicate(seq=2, of=1), places=places) == Refused(
        ("entry 2 can't repeat 1: another project or source",)
    )


def test_a_refusal_weighs_more_than_a_wait() -> None:
    places = [standing(1), standing(2, source="tool"), standing(3, project="acme")]
    made = verdict(create("d1", block(3)), Duplicate(seq=2, of=1), places=places)
    assert isinstance(made, Refused)


def test_a_split_is_allowed() -> None:
    part = Part(document_id="d2", title=said("x"), summary=said("x"), blocks=(1,))
    split = Split(document_id="d1", title=None, summary=said("x"), parts=(part,))
    assert verdict(split, places=[], d1="acme") == Allowed()
