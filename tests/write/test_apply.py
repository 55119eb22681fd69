"""Applying: whole or not at all, on the versions it saw; a bad plan changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from memoranda import Memory
from memoranda.errors import (
    ConservationError,
    MemorandaError,
    PlanError,
    ReviewNeededError,
    StalePlanError,
)
from memoranda.store.fold import Fold
from memoranda.store.log import Record
from memoranda.store.operations import (
    Duplicate,
    Merge,
    NewBlock,
    Part,
    Plan,
    Split,
    Supersede,
    Update,
)
from memoranda.write.apply import Applier, receipt_of
from memoranda.write.draft import NOTHING
from memoranda.write.plan import repair
from scene import (
    PHONE,
    Place,
    all_seqs,
    applier,
    block,
    create,
    everything,
    everywhere,
    home,
    plan,
    said,
    signatures,
    versions,
)


@pytest.fixture
def desk(place: Place) -> Memory:
    """d1 (1, 2) and d2 (3) of no project, d3 (4) of acme; 5, 6, 7 and, of acme, 8 in CURRENT."""
    memory = place.open()
    texts = ("The kiln is hot.", "The old kiln stands in the red shed.", "The barge is blue.")
    for text in texts:
        memory.add(text)
    place.open(project="acme").add("The bill of acme is due.")
    made = plan(
        create("d1", block(1), block(2)),
        create("d2", block(3), title="Barges"),
        create("d3", block(4), title="Bills", project="acme"),
        window=(1, 2, 3, 4),
    )
    applier(memory).apply(made)
    memory.add("The goat is loose.")
    memory.add("The tin is red.")
    memory.add("The old kiln stands in the red shed.")
    place.open(project="acme").add("The second bill of acme is due.")
    return memory


def update(document: str, *seqs: int) -> Update:
    return Update(document_id=document, title=None, summary=said("x"), blocks=(block(*seqs),))


def part(document: str, *blocks: int) -> Part:
    return Part(document_id=document, title=said("Part"), summary=said("x"), blocks=blocks)


def split(document: str, *parts: Part) -> Split:
    return Split(document_id=document, title=None, summary=said("x"), parts=parts)


def merge(heir: str, *absorbs: str) -> Merge:
    return Merge(document_id=heir, absorbs=absorbs, title=None, summary=said("x"))


Make = Callable[[dict[str, int]], Plan]
WINDOW = (5, 6)
PLACED = create("d4", block(5, 6), title="Goats")
BAD: dict[str, tuple[Make, type[PlanError]]] = {
    "loses": (
        lambda _: plan(create("d4", block(5), title="Goats"), window=WINDOW, epoch=2),
        ConservationError,
    ),
    "doubles": (
        lambda _: plan(create("d4", block(5, 6, 5), title="Goats"), window=WINDOW),
        ConservationError,
    ),
    "places what is placed": (
        lambda _: plan(create("d4", block(5, 6, 1), title="Goats"), window=WINDOW),
        ConservationError,
    ),
    "takes in what is placed": (
        lambda _: plan(create("d4", block(5, 6, 1), title="Goats"), window=(*WINDOW, 1)),
        StalePlanError,
    ),
    "invents": (
        lambda _: plan(create("d4", block(5, 6, 999), title="Goats"), window=(*WINDOW, 999)),
        PlanError,
    ),
    "invents outside": (
        lambda _: plan(create("d4", block(5, 6, 999), title="Goats"), window=WINDOW),
        PlanError,
    ),
    "makes a known document": (
        lambda v: plan(create("d1", block(5, 6)), window=WINDOW, versions=v),
        PlanError,
    ),
    "takes a title": (
        lambda _: plan(create("d4", block(5, 6), title="KILNS"), window=WINDOW),
        PlanError,
    ),
    "leaves out a number": (
        lambda _: plan(create("d9", block(5, 6), title="Goats"), window=WINDOW),
        PlanError,
    ),
    "makes a document of another kind": (
        lambda _: plan(create("../x", block(5, 6), title="Goats"), window=WINDOW),
        PlanError,
    ),
    "updates an unknown document": (
        lambda v: plan(update("d77", 5, 6), window=WINDOW, versions=v),
        PlanError,
    ),
    "updates without a version": (lambda _: plan(update("d1", 5, 6), window=WINDOW), PlanError),
    "updates an old version": (
        lambda v: plan(update("d1", 5, 6), window=WINDOW, versions={**v, "d1": v["d1"] - 1}),
        StalePlanError,
    ),
    "merges and then updates the absorbed": (
        lambda v: plan(merge("d1", "d2"), update("d2", 5, 6), window=WINDOW, versions=v),
        PlanError,
    ),
    "merges an unknown document": (
        lambda v: plan(PLACED, merge("d1", "d77"), window=WINDOW, versions=v),
        PlanError,
    ),
    "merges into itself": (
        lambda v: plan(PLACED, merge("d1", "d1"), window=WINDOW, versions=v),
        PlanError,
    ),
    "merges nothing": (
        lambda v: plan(PLACED, merge("d1"), window=WINDOW, versions=v),
        PlanError,
    ),
    "merges two projects": (
        lambda v: plan(PLACED, merge("d1", "d3"), window=WINDOW, versions=v),
        ReviewNeededError,
    ),
    "moves another document's block": (
        lambda v: plan(PLACED, split("d1", part("d5", 3)), window=WINDOW, versions=v),
        PlanError,
    ),
    "moves a block that is not": (
        lambda v: plan(PLACED, split("d1", part("d5", 99)), window=WINDOW, versions=v),
        PlanError,
    ),
    "moves every block": (
        lambda v: plan(PLACED, split("d1", part("d5", 1, 2)), window=WINDOW, versions=v),
        PlanError,
    ),
    "moves a block twice": (
        lambda v: plan(
            PLACED, split("d1", part("d5", 1), part("d6", 1)), window=WINDOW, versions=v
        ),
        ConservationError,
    ),
    "splits without parts": (
        lambda v: plan(PLACED, split("d1"), window=WINDOW, versions=v),
        PlanError,
    ),
    "supersedes by an unknown entry": (
        lambda _: plan(PLACED, Supersede(older=1, newer=999), window=WINDOW),
        PlanError,
    ),
    "supersedes itself": (
        lambda _: plan(PLACED, Supersede(older=5, newer=5), window=WINDOW),
        PlanError,
    ),
    "supersedes the newer": (
        lambda _: plan(PLACED, Supersede(older=6, newer=5), window=WINDOW),
        PlanError,
    ),
    "supersedes across projects": (
        lambda _: plan(PLACED, Supersede(older=4, newer=5), window=WINDOW),
        ReviewNeededError,
    ),
    "repeats what says something else": (
        lambda _: plan(
            create("d4", block(5), title="Goats"), Duplicate(seq=6, of=5), window=WINDOW
        ),
        PlanError,
    ),
    "repeats an unknown entry": (
        lambda _: plan(
            create("d4", block(5), title="Goats"), Duplicate(seq=6, of=999), window=WINDOW
        ),
        PlanError,
    ),
    "places in another project": (
        lambda v: plan(update("d3", 5, 6), window=WINDOW, versions=v),
        ReviewNeededError,
    ),
    "holds an empty block": (
        lambda _: plan(
            create("d4", block(5, 6), NewBlock(headings=(said("x"),), seqs=()), title="Goats"),
            window=WINDOW,
        ),
        PlanError,
    ),
    "holds no block": (
        lambda _: plan(PLACED, create("d5", title="Empty"), window=WINDOW),
        PlanError,
    ),
    "has a block without heading": (
        lambda _: plan(
            create("d4", NewBlock(headings=(), seqs=WINDOW), title="Goats"), window=WINDOW
        ),
        PlanError,
    ),
    "has a block with six headings": (
        lambda _: plan(
            create("d4", NewBlock(headings=(said("x"),) * 6, seqs=WINDOW), title="Goats"),
            window=WINDOW,
        ),
        PlanError,
    ),
}


@pytest.mark.parametrize(("make", "error"), BAD.values(), ids=BAD)
def test_a_plan_that_breaks_a_law_is_refused_and_changes_nothing(
    desk: Memory, make: Make, error: type[PlanError]
) -> None:
    before = everything(desk)
    made = make(versions(desk))
    with pytest.raises(error):
        applier(desk).apply(made)
    assert everything(desk) == before
    with pytest.raises(MemorandaError):
        applier(desk).propose(made, NOTHING)
    assert everything(desk) == before


@pytest.mark.parametrize("name", ["loses"])
def test_a_plan_that_loses_is_repaired_and_then_applied(desk: Memory, name: str) -> None:
    receipt = applier(desk).apply(repair(BAD[name][0](versions(desk))))
    assert receipt.warnings == (
        "entries [6] were left out by the proposal and were placed verbatim",
    )
    assert [entry.seq for entry in desk.current()] == [7, 8]
    assert everywhere(desk) == all_seqs(desk)


class _Failing(Fold):
    """A fold that does its work and then fails, as on a full disk."""

    def apply(self, record: Record) -> None:
        super().apply(record)
        if record.kind == "receipt":
            raise sqlite3.OperationalError("database or disk is full")


def test_a_plan_that_fails_at_the_very_end_changes_nothing(desk: Memory) -> None:
    log, view = home(desk).log, home(desk).view
    before = everything(desk)
    with pytest.raises(sqlite3.OperationalError, match="full"):
        Applier(log, _Failing(log.connection), view).apply(plan(PLACED, window=WINDOW, epoch=2))
    assert everything(desk) == before


def test_a_plan_is_not_applied_twice(desk: Memory) -> None:
    made = plan(PLACED, window=WINDOW, epoch=2)
    applier(desk).apply(made)
    before = everything(desk)
    with pytest.raises(PlanError):
        applier(desk).apply(made)
    assert everything(desk) == before


@pytest.mark.parametrize("change", ["correct", "retract"])
def test_a_plan_made_before_a_change_is_stale(desk: Memory, change: str) -> None:
    made = plan(update("d1", 5, 6), window=WINDOW, versions=versions(desk), epoch=2)
    if change == "correct":
        desk.correct(1, "The kiln is cold.")
    else:
        desk.retract(1)
    before = everything(desk)
    with pytest.raises(StalePlanError) as caught:
        applier(desk).apply(made)
    assert caught.value.document_id == "d1"
    assert everything(desk) == before


def test_one_transaction_holds_the_plan_its_effect_and_its_receipt(desk: Memory) -> None:
    before = home(desk).log.position()
    made = plan(PLACED, Duplicate(seq=7, of=2), window=(5, 6, 7), epoch=2)
    receipt = applier(desk).apply(made)
    (planned, receipted) = list(desk.log(after=before))
    assert (planned.kind, planned.record_id) == ("plan", made.plan_id)
    assert (receipted.kind, receipted.body) == ("receipt", receipt.to_dict())
    assert receipt.position == planned.position
    assert receipt == receipt_of(made, position=planned.position)
    assert receipt.created == ("d4",)
    assert receipt.placed == (5, 6)
    assert receipt.duplicates == ((7, 2),)


def test_applying_changes_no_signature(desk: Memory) -> None:
    before = signatures(desk)
    made = plan(
        update("d1", 5, 6),
        Duplicate(seq=7, of=2),
        window=(5, 6, 7),
        versions=versions(desk),
        epoch=2,
    )
    applier(desk).apply(made)
    applier(desk).apply(plan(merge("d1", "d2"), versions=versions(desk), epoch=2, kind="reshape"))
    assert signatures(desk) == before
    assert everywhere(desk) == all_seqs(desk)


def test_a_proposal_shows_what_applying_does_and_changes_nothing(desk: Memory) -> None:
    before = everything(desk)
    seen = {"d1": versions(desk)["d1"]}
    made = plan(update("d1", 5, 6), window=WINDOW, versions=seen, epoch=2)
    proposal = applier(desk).propose(made, NOTHING)
    assert everything(desk) == before
    assert proposal.before == {"d1": desk.document("d1").markdown}
    applier(desk).apply(made)
    assert proposal.after == {"d1": desk.document("d1").markdown}


def test_a_proposal_shows_the_documents_that_only_get_a_mark(desk: Memory) -> None:
    made = plan(PLACED, Supersede(older=3, newer=5), window=WINDOW, epoch=2)
    proposal = applier(desk).propose(made, NOTHING)
    assert set(proposal.before) == {"d2"}
    assert set(proposal.after) == {"d2", "d4"}
    assert "superseded_by=5" in proposal.after["d2"]
    assert "superseded_by=5" not in proposal.before["d2"]


def test_a_proposed_merge_names_the_retired_before_and_not_after(desk: Memory) -> None:
    seen = {name: versions(desk)[name] for name in ("d1", "d2")}
    made = plan(merge("d1", "d2"), versions=seen, kind="reshape")
    proposal = applier(desk).propose(made, NOTHING)
    assert (set(proposal.before), set(proposal.after)) == ({"d1", "d2"}, {"d1"})


def test_a_consolidation_after_a_refusal_works(memory: Memory) -> None:
    memory.add(PHONE.format(1111))
    with pytest.raises(PlanError):
        applier(memory).apply(plan(window=(1,)))
    memory.consolidate()
    assert memory.current() == ()
