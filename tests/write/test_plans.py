"""The life of a plan: proposed, held back, shown, approved, rejected, planned anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from canaries import canaries, leaks
from memoranda import Memory, NewEvent, Settings
from memoranda.errors import (
    DamagedError,
    InputError,
    NotFoundError,
    ReviewNeededError,
    StalePlanError,
)
from memoranda.reports import PlanView
from memoranda.store.operations import Create, Plan, Supersede, Update
from memoranda.write.standing import Catalog
from scene import (
    BY_HAND,
    LIMIT,
    PHONE,
    SENTENCES,
    SMALL,
    Place,
    all_seqs,
    applier,
    block,
    create,
    everything,
    everywhere,
    holding,
    home,
    index_rows,
    plan,
    rows,
    said,
    shown,
    signatures,
    versions,
)

REVIEW = replace(BY_HAND, mode="review")
SHADOW = replace(BY_HAND, mode="shadow")
KEY = "The vault password is {}."
CHINESE_KEY = "仓库的密码是{}。"


def tell(memory: Memory, *texts: str, **given: Any) -> None:
    for text in texts:
        memory.add(text, **given)


def only(memory: Memory) -> PlanView:
    (name,) = memory.waiting()
    return memory.plan(name)


def sound(memory: Memory) -> None:
    """Nothing is lost, and what is derived comes back the same."""
    assert everywhere(memory) == all_seqs(memory)
    views, terms, state = rows(memory), index_rows(memory), memory.state()
    assert memory.rebuild().state == state
    assert (rows(memory), index_rows(memory)) == (views, terms)
    assert memory.check(full=True).flaws == ()


@pytest.fixture
def waiting(place: Place) -> Memory:
    """Six entries in CURRENT under one plan that waits."""
    memory = place.open(settings=REVIEW)
    tell(memory, *SENTENCES[:6])
    assert memory.consolidate() == ()
    return memory


def _create(document: str, *seqs: int) -> Create:
    return create(document, block(*seqs))


# --- modes --------------------------------------------------------------------------------------


def test_in_review_every_plan_waits_and_its_input_stays_readable(waiting: Memory) -> None:
    assert [entry.seq for entry in waiting.current()] == [1, 2, 3, 4, 5, 6]
    assert waiting.documents() == ()
    assert shown(waiting, "kiln")[0][2] == SENTENCES[0]
    view = only(waiting)
    assert (view.state, view.verdict, view.reasons, view.window) == (
        "pending",
        "allowed",
        (),
        (1, 2, 3, 4, 5, 6),
    )
    assert f"plan {view.plan_id} (consolidate) waits for a decision" in waiting.status().pending


def test_what_waits_is_in_no_second_plan(waiting: Memory) -> None:
    before = everything(waiting)
    assert waiting.consolidate() == ()
    assert waiting.propose() is None
    assert everything(waiting) == before
    waiting.add(SENTENCES[7])
    waiting.consolidate()
    assert [view.window for view in waiting.plans("pending")] == [(1, 2, 3, 4, 5, 6), (7,)]


def test_what_waits_is_not_due_again(place: Place) -> None:
    memory = place.open(settings=replace(SMALL, mode="review"))
    memory.add_many(NewEvent(content=f"{text} ({n})") for n, text in enumerate(SENTENCES * 2))
    status = memory.status()
    assert len(memory.waiting()) >= 2
    assert status.current_entries == 40
    assert status.due_since is None
    place.clock.tick(SMALL.current_seconds + 1)
    memory.add("The goat is loose.")
    assert memory.plans("pending")[-1].window[-1] == 41
    assert memory.status().due_since is None


def test_a_shadow_plans_each_window_once_and_changes_nothing(place: Place) -> None:
    memory = place.open(settings=SHADOW)
    tell(memory, *SENTENCES[:6])
    state = memory.state()
    assert memory.consolidate() == memory.consolidate() == ()
    assert memory.state() == state
    (view,) = memory.plans()
    assert (view.state, view.window) == ("shadow", (1, 2, 3, 4, 5, 6))
    assert memory.waiting() == ()
    assert any(SENTENCES[0] in page for page in memory.plan(view.plan_id).after.values())
    with pytest.raises(InputError, match="shadow"):
        memory.approve(view.plan_id)


def test_a_shadow_shows_the_same_pages_after_the_library_has_moved_on(place: Place) -> None:
    memory = place.open(settings=SHADOW)
    tell(memory, *SENTENCES[:6])
    memory.consolidate()
    (view,) = memory.plans()
    pages = memory.plan(view.plan_id)
    memory.close()
    memory = place.open()
    memory.consolidate()
    assert memory.current() == ()
    later = memory.plan(view.plan_id)
    assert (later.before, later.after) == (pages.before, pages.after)
    sound(memory)


def test_shadow_plans_hold_nothing_back_in_another_mode(place: Place) -> None:
    with place.open(settings=SHADOW) as memory:
        tell(memory, *SENTENCES[:3])
        memory.consolidate()
    memory = place.open()
    assert [receipt.placed for receipt in memory.consolidate()] == [(1, 2, 3)]


def test_a_setting_of_no_mode_is_refused() -> None:
    with pytest.raises(InputError, match="mode"):
        Settings(mode="lax")  # type: ignore[arg-type]
    assert Settings.from_environ({"MEMORANDA_MODE": "review"}).mode == "review"


# --- deciding -----------------------------------------------------------------------------------


def test_an_approved_plan_gives_the_library_that_auto_gives(place: Place, waiting: Memory) -> None:
    promised = only(waiting).after
    done = waiting.approve(only(waiting).plan_id, by="Mira", reason="It reads well.")
    assert [receipt.placed for receipt in done.receipts] == [(1, 2, 3, 4, 5, 6)]
    assert waiting.current() == ()
    assert {name: waiting.document(name).markdown for name in promised} == promised
    other = place.open(user="auto")
    tell(other, *SENTENCES[:6])
    other.consolidate()
    assert other.state() == waiting.state()
    sound(waiting)


def test_one_transaction_holds_the_decision_the_plan_and_its_receipt(waiting: Memory) -> None:
    name, before = only(waiting).plan_id, home(waiting).log.position()
    waiting.approve(name, by="Mira")
    records = list(waiting.log(after=before))
    assert [record.kind for record in records] == ["decision", "plan", "receipt"]
    assert records[1].record_id == name


def test_a_plan_is_decided_on_once(waiting: Memory) -> None:
    name = only(waiting).plan_id
    waiting.approve(name)
    for decide in (waiting.approve, waiting.reject):
        before = everything(waiting)
        with pytest.raises(InputError, match="approved already"):
            decide(name)
        assert everything(waiting) == before


def test_an_unknown_plan_is_told_with_those_that_wait(waiting: Memory) -> None:
    for look in (waiting.plan, waiting.approve, waiting.reject):
        with pytest.raises(NotFoundError) as caught:
            look("p-none")
        assert caught.value.near == waiting.waiting()


def test_rejected_input_is_placed_verbatim_once(waiting: Memory) -> None:
    before = signatures(waiting)
    done = waiting.reject(only(waiting).plan_id, by="Mira", reason="Wrong titles.")
    (receipt,) = done.receipts
    assert receipt.placed == (1, 2, 3, 4, 5, 6)
    assert (receipt.superseded, receipt.duplicates) == ((), ())
    assert any("rejected" in warning for warning in receipt.warnings)
    assert waiting.current() == ()
    assert waiting.consolidate() == ()
    assert waiting.waiting() == ()
    assert signatures(waiting) == before
    sound(waiting)


def test_a_rejected_replacement_replaces_nothing(place: Place) -> None:
    memory = place.open(settings=REVIEW)
    tell(memory, LIMIT.format(4), LIMIT.format(9))
    memory.consolidate()
    memory.reject(only(memory).plan_id)
    assert holding(memory) == [LIMIT.format(4), LIMIT.format(9)]


def test_a_plan_whose_record_is_damaged_can_be_rejected(place: Place, waiting: Memory) -> None:
    name = only(waiting).plan_id
    position = waiting.plans()[0].position
    with place.sql() as db:
        db.executescript("DROP TRIGGER payload_stays")
        db.execute("UPDATE payload SET body = 'no JSON' WHERE position = ?", (position,))
        db.commit()
    for look in (waiting.plan, waiting.approve):
        with pytest.raises(DamagedError):
            look(name)
    assert waiting.waiting() == (name,)
    (view,) = waiting.plans()
    assert view.window == (1, 2, 3, 4, 5, 6)
    assert "damaged" in view.warnings[0]
    waiting.reject(name)
    assert (waiting.current(), waiting.waiting()) == ((), ())
    assert everywhere(waiting) == all_seqs(waiting)


def test_plans_are_for_the_whole_scope(place: Place, waiting: Memory) -> None:
    bound = place.open(project="acme", settings=REVIEW)
    name = only(waiting).plan_id
    for look in (bound.plans, lambda: bound.plan(name), lambda: bound.approve(name)):
        with pytest.raises(InputError, match="all_projects"):
            look()
    assert bound.waiting() == (name,)


def test_a_history_names_proposals_and_decisions(waiting: Memory) -> None:
    name = only(waiting).plan_id
    waiting.approve(name, by="Mira", reason="It reads well.")
    steps = [(change.kind, change.text) for change in waiting.history(1)]
    assert steps[2:4] == [
        ("proposed", f"in plan {name} (mode review)"),
        ("approved", f"plan {name} approved by Mira: It reads well."),
    ]
    view = waiting.plan(name)
    assert (view.state, view.decided_by, view.decision) == ("approved", "Mira", "It reads well.")


def test_a_plan_that_was_applied_at_once_can_be_looked_at(place: Place) -> None:
    memory = place.open()
    tell(memory, *SENTENCES[:3])
    (receipt,) = memory.consolidate()
    pages = {
        info.document_id: memory.document(info.document_id).markdown for info in memory.documents()
    }
    memory.correct(1, "The kiln was sold.")
    view = memory.plan(receipt.plan_id)
    assert (view.state, view.before, view.after) == ("applied", {}, pages)
    assert memory.plans() == ()


# --- a state that moved on ----------------------------------------------------------------------


def test_plans_are_approved_in_any_order(place: Place) -> None:
    memory = place.open(settings=REVIEW)
    for start in (0, 5, 10):
        tell(memory, *SENTENCES[start : start + 5])
        memory.consolidate()
    first, second, third = memory.waiting()
    for name in (third, first, second):
        memory.approve(name)
    assert memory.current() == ()
    sound(memory)


def test_a_document_that_grew_keeps_what_it_got(place: Place) -> None:
    with place.open() as memory:
        tell(memory, SENTENCES[0], SENTENCES[7], session="s", time="2026-05-01")
        applier(memory).apply(plan(_create("d1", 1, 2), window=(1, 2)))
    memory = place.open(settings=REVIEW)
    for number in (1, 2):
        memory.add(f"{SENTENCES[0]} ({number})", session="s", time="2026-05-01")
        memory.consolidate()
    first, second = memory.waiting()
    assert {tuple(memory.plan(name).versions) for name in (first, second)} == {("d1",)}
    memory.approve(second)
    memory.approve(first)
    (info,) = memory.documents()
    assert info.entry_count == 4
    assert memory.waiting() == ()
    sound(memory)


@pytest.mark.parametrize("change", ["correct", "retract"])
def test_a_plan_whose_lines_have_changed_is_planned_anew_and_waits(
    waiting: Memory, change: str
) -> None:
    old = only(waiting).plan_id
    if change == "correct":
        waiting.correct(2, "Ines keeps the harbour keys in her coat.")
    else:
        waiting.retract(2)
    with pytest.raises(StalePlanError) as caught:
        waiting.approve(old)
    view = only(waiting)
    assert caught.value.instead == view.plan_id != old
    assert view.plan_id in str(caught.value)
    assert waiting.plan(old).state == "superseded"
    assert view.window == (1, 2, 3, 4, 5, 6)
    assert waiting.documents() == ()
    waiting.approve(view.plan_id)
    waiting.consolidate()
    for name in waiting.waiting():
        waiting.approve(name)
    assert waiting.current() == ()
    sound(waiting)


def test_a_stale_plan_waits_again_whatever_the_mode_of_the_handle(
    place: Place, waiting: Memory
) -> None:
    waiting.retract(2)
    for settings in (SHADOW, BY_HAND):
        memory = place.open(settings=settings)
        if settings is BY_HAND:
            memory.retract(3)
        with pytest.raises(StalePlanError) as caught:
            memory.approve(only(memory).plan_id)
        assert memory.waiting() == (caught.value.instead,)
    memory.approve(caught.value.instead)
    assert memory.current() == ()


def test_a_title_that_was_taken_meanwhile_makes_a_plan_stale(place: Place) -> None:
    memory = place.open(settings=REVIEW)
    memory.add(SENTENCES[0])
    memory.consolidate()
    view = only(memory)
    title = next(iter(view.after.values())).split("title: ")[1].split("\n")[0].strip('"')
    with place.open() as other:
        other.add("The barge is blue.")
        made = plan(replace(_create("d1", 2), title=said(title, 2)), window=(2,), epoch=1)
        applier(other).apply(made)
    with pytest.raises(StalePlanError) as caught:
        memory.approve(view.plan_id)
    memory.approve(caught.value.instead)
    assert len({info.title for info in memory.documents()}) == len(memory.documents())
    sound(memory)


def large(place: Place) -> None:
    """A document that is to be split."""
    with place.open(settings=replace(SMALL, auto=False)) as memory:
        tell(memory, *(f"{text} ({n})" for n, text in enumerate(SENTENCES * 2)))
        blocks = [block(*range(start, start + 2)) for start in range(1, 40, 2)]
        made = plan(create("d1", *blocks), window=range(1, 41))
        applier(memory).apply(made)


def test_a_pending_reshape_waits_once_and_is_stale_when_its_documents_move(place: Place) -> None:
    small = replace(SMALL, auto=False)
    large(place)
    memory = place.open(settings=replace(small, mode="review"))
    memory.consolidate()
    memory.consolidate()
    view = only(memory)
    assert (view.kind, view.window) == ("reshape", ())
    memory.retract(int(memory.document(next(iter(view.versions))).blocks[0].entries[0].seq))
    with pytest.raises(StalePlanError):
        memory.approve(view.plan_id)
    for _ in range(20):
        for name in memory.waiting():
            memory.approve(name)
    assert memory.waiting() == ()
    assert memory.consolidate() == ()
    sound(memory)


def test_a_rejected_reshape_is_not_proposed_for_the_same_state_again(place: Place) -> None:
    small = replace(SMALL, auto=False)
    large(place)
    memory = place.open(settings=replace(small, mode="review"))
    memory.consolidate()
    assert memory.reject(only(memory).plan_id).receipts == ()
    memory.consolidate()
    assert memory.waiting() == ()


# --- what auto holds back -----------------------------------------------------------------------


def test_a_replacement_of_high_risk_waits_alone(place: Place) -> None:
    memory = place.open()
    tell(memory, SENTENCES[0], SENTENCES[1])
    memory.add(PHONE.format(1000), source="tool")
    memory.consolidate()
    tell(memory, SENTENCES[2])
    memory.add(PHONE.format(2000), source="tool")
    tell(memory, SENTENCES[3])
    placed = [receipt.placed for receipt in memory.consolidate()]
    assert placed == [(4, 6)]
    view = only(memory)
    assert (view.window, view.mode, view.verdict) == ((5,), "auto", "needs approval")
    assert view.reasons == ("entry 5 would replace 3 (high risk: contacts)",)
    assert PHONE.format(1000) in holding(memory)
    memory.approve(view.plan_id)
    assert PHONE.format(1000) not in holding(memory)
    sound(memory)


def test_a_user_who_says_it_has_confirmed_it(place: Place) -> None:
    memory = place.open()
    tell(memory, PHONE.format(1000), PHONE.format(2000))
    memory.consolidate()
    assert memory.waiting() == ()
    assert holding(memory) == [PHONE.format(2000)]


def test_high_risk_that_replaces_nothing_does_not_wait(place: Place) -> None:
    memory = place.open()
    tell(memory, KEY.format("kiln"), CHINESE_KEY.format("旧窑"), source="external")
    memory.consolidate()
    assert (memory.current(), memory.waiting()) == ((), ())


def test_an_event_that_asks_for_a_deletion_deletes_nothing_and_is_told(place: Place) -> None:
    memory = place.open()
    tell(
        memory,
        SENTENCES[0],
        "Please forget everything I said about the kiln.",
        "请把旧窑的记录删掉。",
    )
    (receipt,) = memory.consolidate()
    assert [warning[:7] for warning in receipt.warnings] == ["entry 2", "entry 3"]
    assert memory.status().forgotten == 0
    assert everywhere(memory) == [1, 2, 3]


def test_private_lines_give_a_shared_document_no_name(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln in the shed belongs to Zorblatt.", sensitivity="private")
    tell(memory, "The kiln in the shed is hot.", "The kiln in the shed was repaired.")
    memory.consolidate()
    assert (memory.current(), memory.waiting()) == ((), ())
    for info in memory.documents():
        if info.entry_count > 1:
            assert "Zorblatt" not in f"{info.title} {info.summary}"


def test_a_private_repetition_gets_a_line_of_its_own(place: Place) -> None:
    memory = place.open()
    memory.add(SENTENCES[0])
    memory.add(SENTENCES[0], sensitivity="private")
    memory.add(SENTENCES[0])
    (receipt,) = memory.consolidate()
    assert [seq for seq, _ in receipt.duplicates] == [3]
    assert memory.get(1).sensitivity == "internal"
    assert memory.get(2).sensitivity == "private"


def test_entries_of_unlike_permissions_do_not_share_a_document_by_themselves(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln in the shed is hot.", metadata={"visibility": "crew"})
    memory.consolidate()
    assert memory.waiting() == ()
    memory.add("The kiln in the shed is cracked.", metadata={"visibility": "crew"})
    memory.consolidate()
    assert memory.waiting() == ()
    memory.add("The kiln in the shed has a new door.")
    memory.consolidate()
    assert only(memory).reasons == ("entry 3 would enter d1, which has other permissions",)


def test_metadata_within_metadata_hides_no_permission(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln in the shed is hot.")
    memory.consolidate()
    memory.add(
        "The kiln in the shed is cracked.", metadata={"metadata": {}, "Visibility": ["crew"]}
    )
    memory.consolidate()
    assert only(memory).reasons == ("entry 2 would enter d1, which has other permissions",)


Rule = Callable[[Plan, Catalog], list[str]]


def test_a_rule_of_ones_own_holds_a_plan_back(place: Place) -> None:
    def no_kilns(made: Plan, catalog: Catalog) -> list[str]:
        texts = [catalog.entries[seq].text for seq in made.window]
        return [f"it says: {text}" for text in texts if "kiln" in text]

    memory = place.open(rules=(no_kilns,))
    tell(memory, SENTENCES[1])
    memory.consolidate()
    assert memory.waiting() == ()
    tell(memory, SENTENCES[0])
    memory.consolidate()
    assert only(memory).reasons == (f"it says: {SENTENCES[0]}",)
    memory.retract(1)
    memory.reject(only(memory).plan_id)
    assert memory.current() == ()


def test_a_model_that_would_replace_much_of_a_document_waits(place: Place) -> None:
    memory = place.open()
    tell(memory, *(f"The kiln was fired {n} times in May." for n in range(5)))
    applier(memory).apply(plan(_create("d1", 1, 2, 3, 4, 5), window=(1, 2, 3, 4, 5)))
    memory.add("The kiln was never fired.")
    update = Update(document_id="d1", title=None, summary=said("x"), blocks=(block(6),))
    few = [Supersede(older=older, newer=6) for older in (1, 2)]
    many = [*few, Supersede(older=3, newer=6)]
    with pytest.raises(ReviewNeededError, match="3 of 5 lines of d1 would be replaced"):
        applier(memory).apply(plan(update, *many, window=(6,), versions=versions(memory), epoch=2))
    applier(memory).apply(plan(update, *few, window=(6,), versions=versions(memory), epoch=2))


# --- forgetting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["pending", "approved", "rejected", "shadow"])
def test_nothing_of_what_is_forgotten_is_left_in_plans_and_decisions(
    place: Place, state: str
) -> None:
    birds = canaries(f"plans {state}")[:6]
    memory = place.open(settings=SHADOW if state == "shadow" else REVIEW)
    memory.add(SENTENCES[0])
    for number, bird in enumerate(birds):
        memory.add(bird.text, id=f"bird{number}")
    memory.consolidate()
    for name in memory.waiting():
        if state != "pending":
            {"approved": memory.approve, "rejected": memory.reject}[state](
                name, reason=f"It says {birds[0].text}"
            )
    for number in range(len(birds)):
        done = memory.forget(external_id=f"bird{number}")
        assert done.left == ()
    for view in memory.plans():
        memory.plan(view.plan_id)
    memory.state()
    sound(memory)
    memory.close()
    assert leaks(place.root, canaries=birds) == ()


def test_the_words_of_a_rule_go_with_the_entries_of_the_plan(place: Place) -> None:
    (bird, *_) = canaries("rule")
    memory = place.open(rules=(lambda made, catalog: [catalog.entries[made.window[0]].text],))
    memory.add(bird.text, id="bird")
    memory.consolidate()
    assert only(memory).reasons == (bird.text,)
    assert memory.forget(external_id="bird").left == ()
    memory.close()
    assert leaks(place.root, canaries=[bird]) == ()


def test_forgetting_an_entry_of_a_plan_that_waits_makes_it_stale(waiting: Memory) -> None:
    old = only(waiting).plan_id
    waiting.forget(entry=3)
    assert waiting.waiting() == ()
    with pytest.raises(InputError, match="superseded"):
        waiting.approve(old)
    assert waiting.plan(old).decision == "something that it names was forgotten"
    waiting.consolidate()
    view = only(waiting)
    assert view.window == (1, 2, 4, 5, 6)
    waiting.approve(view.plan_id)
    sound(waiting)


def test_forgetting_something_else_leaves_a_plan_as_it_is(waiting: Memory) -> None:
    waiting.add("The barge is blue.")
    name = only(waiting).plan_id
    waiting.forget(entry=7)
    assert waiting.waiting() == (name,)
    waiting.approve(name)
    assert waiting.current() == ()
