"""Consolidation: due by size or age, window by window, resumable, the same however it is fed."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from memoranda import Memory, Proposal, Settings
from memoranda.errors import PlanError
from memoranda.text.tokens import count
from scene import (
    SENTENCES,
    SMALL,
    START,
    Place,
    all_seqs,
    everything,
    everywhere,
    home,
    lines_of,
    signatures,
    told,
    versions,
)

TALK = [f"{text} ({number})" for number, text in enumerate(SENTENCES * 3)]


def test_nothing_is_due_in_an_empty_scope(memory: Memory) -> None:
    assert memory.consolidate() == ()
    assert memory.propose() is None
    assert memory.status().due_since is None


def test_an_empty_consolidation_writes_no_record(memory: Memory) -> None:
    memory.add("The kiln is hot.")
    memory.consolidate()
    before = everything(memory)
    assert memory.consolidate() == ()
    assert everything(memory) == before


def test_consolidating_by_hand_empties_current(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    assert len(memory.current()) == len(TALK)
    memory.consolidate()
    assert memory.current() == ()
    assert everywhere(memory) == all_seqs(memory) == list(range(1, len(TALK) + 1))


def test_every_event_is_cited(small: Place) -> None:
    memory = small.open()
    added = memory.add_many(told(TALK, session="s"))
    memory.consolidate()
    cited = {
        event
        for info in memory.documents()
        for block in memory.document(info.document_id).blocks
        for entry in block.entries
        for event in entry.event_ids
    }
    assert cited == set(added.event_ids)


def test_consolidating_changes_no_signature(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    for number, text in enumerate(TALK):
        memory.add(
            text,
            source=("user", "assistant", "tool", "external")[number % 4],
            speaker=("Mira", "Olek", None)[number % 3],
            time=f"2026-05-{number % 28 + 1:02}T{number % 24:02}:30Z",
            sensitivity=("public", "internal", "private")[number % 3],
            session=f"s{number // 5}",
        )
    before = signatures(memory)
    memory.consolidate()
    assert signatures(memory) == before


def test_windows_take_the_oldest_first_and_keep_their_size(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    seen: list[Proposal] = []
    memory.consolidate(watch=seen.append)
    windows = [proposal.window for proposal in seen if proposal.kind == "consolidate"]
    assert [seq for window in windows for seq in window] == list(range(1, len(TALK) + 1))
    places = home(memory).view.places(all_seqs(memory))
    for window in windows:
        assert sum(places[seq].tokens for seq in window) <= SMALL.current_tokens
    assert len(windows) > 3


def test_an_entry_above_the_window_gets_one_of_its_own(small: Place) -> None:
    memory = small.open(
        settings=Settings(current_tokens=50, entry_tokens=400, merge_tokens=0, auto=False)
    )
    memory.add("The kiln burns all night long. " * 30)
    memory.add("The goat is loose.")
    seen: list[Proposal] = []
    memory.consolidate(watch=seen.append)
    assert [item.window for item in seen if item.kind == "consolidate"] == [(1,), (2,)]


def test_what_is_watched_is_what_happens(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    seen: list[Proposal] = []
    receipts = memory.consolidate(watch=seen.append)
    assert [item.plan_id for item in seen] == [receipt.plan_id for receipt in receipts]
    last = {name: text for item in seen for name, text in item.after.items()}
    for info in memory.documents():
        assert last[info.document_id] == memory.document(info.document_id).markdown
    for item in seen:
        drafted = [entry.seq for _, segment in item.draft for entry in segment]
        repeated = [seq for seq, _ in item.receipt.duplicates]
        assert sorted(drafted + repeated) == sorted(item.window)
        assert all(len(segment) <= 6 for _, segment in item.draft)


def test_progress_ends_at_all(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    seen: list[tuple[int, int]] = []
    memory.consolidate(progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, len(TALK))
    assert seen[-1] == (len(TALK), len(TALK))
    assert seen == sorted(seen)


def test_proposing_shows_the_next_window_and_changes_nothing(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    before = everything(memory)
    proposal = memory.propose()
    assert everything(memory) == before
    assert proposal is not None
    receipt = memory.consolidate()[0]
    assert receipt.placed == proposal.receipt.placed
    assert receipt.created == proposal.receipt.created


# --- due --------------------------------------------------------------------------------------


def test_size_makes_it_due_and_an_add_consolidates(small: Place) -> None:
    memory = small.open()
    for text in TALK:
        added = memory.add(text, session="s")
        left = home(memory).view.current_tokens()
        if added.receipts:
            break
        assert left < SMALL.current_tokens
    assert added.receipts[0].placed[0] == 1
    assert left < SMALL.current_tokens


def test_age_makes_it_due_at_the_next_add(place: Place) -> None:
    memory = place.open(settings=Settings())
    memory.add("The kiln is hot.")
    place.clock.tick(3599)
    assert memory.add("The goat is loose.").receipts == ()
    place.clock.tick(1)
    added = memory.add("The barge is blue.")
    assert added.receipts[0].placed == (1, 2, 3)
    assert memory.current() == ()


def test_age_makes_it_due_at_open(place: Place) -> None:
    with place.open(settings=Settings()) as memory:
        memory.add("The kiln is hot.")
    place.clock.tick(3601)
    memory = place.open(settings=Settings())
    assert memory.current() == ()
    assert len(memory.documents()) == 1


def test_age_makes_it_due_at_an_import(place: Place) -> None:
    memory = place.open(settings=Settings())
    memory.add("The kiln is hot.")
    place.clock.tick(3601)
    assert memory.import_lines([b'{"content": "The goat is loose."}']).receipts
    assert memory.current() == ()


def test_without_auto_it_is_only_marked_as_due(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is hot.")
    assert memory.status().due_since is None
    place.clock.tick(7200)
    added = memory.add("The goat is loose.")
    due = START.replace(hour=START.hour + 1).isoformat().replace("+00:00", "Z")
    assert (added.receipts, added.due_since) == ((), due)
    assert memory.status().due_since == due
    assert memory.status().pending
    assert memory.status().oldest_unplaced == "2026-06-01T09:00:00.000000Z"
    with place.open() as again:
        assert len(again.current()) == 2
    memory.consolidate()
    assert memory.status().due_since is None
    assert memory.status().pending == ()


def test_without_auto_size_only_marks(place: Place) -> None:
    memory = place.open(settings=replace(SMALL, auto=False))
    added = memory.add_many(told(TALK))
    assert added.receipts == ()
    assert added.due_since is not None
    assert len(memory.current()) == len(TALK)


@pytest.mark.parametrize("seconds", [float("inf"), 1e15, 1e9])
def test_an_age_that_never_comes_is_never_due(place: Place, seconds: float) -> None:
    memory = place.open(settings=Settings(current_seconds=seconds))
    memory.add("The kiln is hot.")
    place.clock.tick(10**6)
    assert memory.add("The goat is loose.").receipts == ()
    assert memory.status().due_since is None


def test_age_nought_consolidates_at_once(place: Place) -> None:
    memory = place.open(settings=Settings(current_seconds=0))
    assert memory.add("The kiln is hot.").receipts
    assert memory.current() == ()


def test_a_clock_that_goes_back_does_no_harm(place: Place) -> None:
    memory = place.open(settings=Settings())
    memory.add("The kiln is hot.")
    place.clock.tick(-86400)
    memory.add("The goat is loose.")
    memory.consolidate()
    assert everywhere(memory) == [1, 2]


def test_no_structure_leaves_documents_as_they_are(place: Place) -> None:
    off = replace(SMALL, structure="off", auto=False)
    memory = place.open(settings=off)
    memory.add_many(told(TALK, session="s"))
    kinds = {receipt.kind for receipt in memory.consolidate()}
    assert kinds == {"consolidate"}


# --- the same however it is fed ---------------------------------------------------------------


@pytest.mark.parametrize("tokens", [60, 150, 300, 900])
def test_one_import_and_one_by_one_give_the_same_library(place: Place, tokens: int) -> None:
    settings = Settings(current_tokens=tokens, split_tokens=450, merge_tokens=120, entry_tokens=120)
    events = told(TALK, session="s", time="2026-05-01")
    with place.open(user="all", settings=settings) as memory:
        memory.import_lines(lines_of(events))
        memory.consolidate()
        whole = memory.state()
    with place.open(user="each", settings=settings) as memory:
        for event in events:
            memory.add_many([event])
        memory.consolidate()
        assert memory.state() == whole
    with place.open(user="batch", settings=settings) as memory:
        memory.add_many(events)
        memory.consolidate()
        assert memory.state() == whole


# --- failure ----------------------------------------------------------------------------------


def test_an_add_stands_though_the_consolidation_after_it_fails(library: Place) -> None:
    outside = library.folder / "topics" / max(library.files()).removeprefix("topics/")
    memory = library.open(settings=replace(SMALL, current_seconds=0))
    outside.unlink()
    outside.mkdir()
    added = memory.add("The goat is loose.")
    assert memory.get(added.seqs[0]).text == "The goat is loose."  # type: ignore[union-attr]


def test_a_watcher_may_stop_it_and_nothing_is_lost(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK, session="s"))
    seen: list[Proposal] = []

    def stop(proposal: Proposal) -> None:
        seen.append(proposal)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.consolidate(watch=stop)
    assert everywhere(memory) == all_seqs(memory)
    memory.consolidate()
    stopped = memory.state()
    with small.open(user="other", settings=replace(SMALL, auto=False)) as other:
        other.add_many(told(TALK, session="s"))
        other.consolidate()
        assert other.state() == stopped


def test_a_failure_is_shown_until_a_plan_succeeds(place: Place) -> None:
    memory = place.open()
    memory.add("The kiln is hot.")
    home(memory).log.connection.execute("BEGIN")
    home(memory).log.set_meta("failed", b"plan refused: entries lost [1]")
    home(memory).log.connection.execute("COMMIT")
    assert memory.status().failed == ("plan refused: entries lost [1]",)
    memory.consolidate()
    assert memory.status().failed == ()


# --- many at once -----------------------------------------------------------------------------


def test_two_threads_on_one_handle(small: Place) -> None:
    memory = small.open()
    problems: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for number in range(30):
                memory.add(f"Worker {name} counted barge {number} at the lock.", session=name)
                if number % 10 == 0:
                    memory.consolidate()
                    memory.search("barge")
        except BaseException as error:  # noqa: BLE001 - shown below
            problems.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    memory.consolidate()
    assert everywhere(memory) == all_seqs(memory) == list(range(1, 61))
    before = memory.state()
    assert memory.rebuild().state == before


def test_two_handles_in_two_threads(small: Place) -> None:
    problems: list[BaseException] = []

    def work(name: str, memory: Memory) -> None:
        try:
            for number in range(30):
                memory.add(f"Worker {name} counted barge {number} at the lock.", session=name)
                if number % 10 == 9:
                    memory.consolidate()
                    memory.search("barge")
                if number % 10 == 5:
                    memory.correct(1, f"Corrected by {name}, {number}.")
        except BaseException as error:  # noqa: BLE001 - shown below
            problems.append(error)

    handles = {name: small.open() for name in "ab"}
    threads = [threading.Thread(target=work, args=item) for item in handles.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    memory = handles["a"]
    memory.consolidate()
    assert everywhere(memory) == all_seqs(memory) == list(range(1, 67))
    before = memory.state()
    assert memory.rebuild().state == before
    assert memory.status().conflicts == ()


WORKER = """
import sys
from memoranda import Memory, Settings
small = Settings(current_tokens=300, split_tokens=450, merge_tokens=120, entry_tokens=120)
with Memory.open(sys.argv[1], settings=small) as memory:
    for number in range(60):
        memory.add(f"Worker {sys.argv[2]} counted barge {number} at the lock.", session=sys.argv[2])
        if number % 15 == 14:
            memory.consolidate()
            memory.search("barge")
"""


def test_two_processes_adding_and_consolidating(small: Place) -> None:
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(small.root), name], stderr=subprocess.PIPE
        )
        for name in ("one", "two")
    ]
    assert [worker.communicate()[1].decode() for worker in workers] == ["", ""]
    memory = small.open()
    memory.consolidate()
    assert everywhere(memory) == all_seqs(memory) == list(range(1, 121))
    before, files = memory.state(), small.files()
    assert memory.rebuild().state == before
    assert small.files() == files
    assert memory.status().conflicts == ()
    assert memory.status().failed == ()


def test_a_correction_by_another_between_plan_and_apply_does_not_stop_it(small: Place) -> None:
    memory = small.open(settings=replace(SMALL, auto=False))
    other = small.open(settings=replace(SMALL, auto=False))
    memory.add_many(told(TALK[:20], session="s"))
    memory.consolidate()
    memory.add_many(told([f"Once more: {text}" for text in TALK[:20]], session="s", actor="x")[:0])
    for text in TALK[:10]:
        memory.add(f"Once more: {text}", session="s")
    meddled: list[str] = []

    def meddle(proposal: Proposal) -> None:
        touched = sorted(set(proposal.before) & set(versions(other)))
        if touched and not meddled:
            seq = other.document(touched[0]).blocks[0].entries[0].seq
            meddled.append(touched[0])
            other.correct(seq, "Corrected in between.")

    try:
        memory.consolidate(watch=meddle)
    except PlanError:
        memory.consolidate()
    assert meddled
    assert memory.current() == ()
    assert everywhere(memory) == all_seqs(memory)
    assert memory.status().failed == ()


def test_a_document_counts_the_tokens_of_the_texts_that_hold(small: Place) -> None:
    memory = small.open()
    memory.add_many(told(TALK, session="s"))
    memory.consolidate()
    memory.retract(2)
    for info in memory.documents():
        entries = [
            entry for item in memory.document(info.document_id).blocks for entry in item.entries
        ]
        held = [entry for entry in entries if entry.superseded_by is None and not entry.retracted]
        assert info.token_count == sum(count(entry.text) for entry in held)
