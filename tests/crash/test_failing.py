"""Whatever call fails, at whatever point: nothing acknowledged is lost, and all heals to the same bytes."""

from __future__ import annotations

import re
import sqlite3
import threading
from itertools import product
from pathlib import Path

import pytest
from failing import CALLS, KINDS, LONG, Faulty, Kind, Life, failing, faulty, lived

from memoranda import Memory, Settings, errors
from scene import BY_HAND, QUIET, SENTENCES, Place, all_seqs, everywhere, home, rows, shown

ADVICE = re.compile(r"\b(free|check|try again|open|close|restore|move|run|make|choose)\b")
"""A sentence that says what to do says one of these."""


class Sound:
    """The life without faults, and what every other life must come to."""

    def __init__(self, root: Path) -> None:
        with failing(0, "EIO") as disk, faulty(Faulty()) as fault:
            life = lived(root, disk.mend, anew=False)
        self.calls = disk.calls
        self.commits = fault.commits
        assert life.said == []
        self.state = state_of(root, life)
        assert self.state[0] == ((), ())

    def look(self, root: Path, life: Life, met: object) -> None:
        """Say whether a life came to the same, with all that was acknowledged in it."""
        for error in life.said:
            assert ADVICE.search(str(error)), error
        assert state_of(root, life) == self.state, met
        for path in life.backups:
            with sqlite3.connect(path) as copy:
                assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            copy.close()


def state_of(root: Path, life: Life) -> tuple[object, ...]:
    """What a life leaves, opened once more: files, views, answers, flaws, remains."""
    place = Place(root, QUIET, ids="state-")
    with place.open() as memory:
        for event_id, text in life.added.items():
            assert memory.get(event_id).content == text  # type: ignore[union-attr]
        assert everywhere(memory) == all_seqs(memory)
        memory.state()
        flaws = memory.check(full=True).flaws, memory.status().failed
        views = {
            name: [[v for v in row if not str(v).startswith(("ef-", "xf-"))] for row in found]
            for name, found in rows(memory).items()
        }
        answer = shown(memory, "kiln")
        events = [r.body for r in memory.log(kind="event")]
    left = [path.name for path in place.folder.rglob(".memoranda-*")]
    return flaws, place.files(), place.copies(), left, views, answer, events


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return Sound(tmp_path_factory.mktemp("sound") / "root")


def sample(calls: list[str], kind: Kind) -> list[int]:
    """Which calls fail: all of them, or some spread over the life and all names of calls."""
    if kind == "short":
        return [n for n, name in enumerate(calls, start=1) if name == "write"]
    everywhere_ = range(1, len(calls) + 1)
    if LONG:
        return list(everywhere_)
    first = KINDS.index(kind)  # each kind takes others, all together every name of a call
    chosen = set(everywhere_[first * 13 :: len(calls) // 3])
    for name in CALLS[first % 4 :: 4]:
        places = [n for n in everywhere_ if calls[n - 1] == name]
        chosen.add(places[(first * 7) % len(places)])
    return sorted(chosen)


@pytest.mark.parametrize("kind", KINDS)
def test_any_call_of_the_file_layer_may_fail(sound: Sound, root: Path, kind: Kind) -> None:
    met = 0
    for at in sample(sound.calls, kind):
        anew = (at + KINDS.index(kind)) % 2 == 0
        with failing(at, kind) as disk:
            life = lived(root / str(at), disk.mend, anew=anew)
        sound.look(root / str(at), life, (kind, at, anew, disk.calls[at - 1]))
        met += disk.failed
    assert met >= 4


@pytest.mark.parametrize("how", ["not done", "done all the same"])
def test_any_commit_may_fail(sound: Sound, root: Path, how: str) -> None:
    met, late = 0, how != "not done"
    commits = range(1, sound.commits + 1)
    for at, anew in product(commits, (False, True)):
        if not LONG and (at + 3 * anew + 5 * late) % 9:
            continue
        here = root / f"{at}-{anew}"
        with faulty(Faulty(at=at, late=late)) as fault:
            life = lived(here, fault.mend, anew=anew)
        sound.look(here, life, ("commit", at, anew, late))
        met += fault.failed
    assert met >= 6


PAGES = {"memory.db": range(4, 75), "index.db": range(3, 18)}
"""From what an empty file needs to what the life needs: at each, SQLite finds the disk full."""


@pytest.mark.parametrize("name", PAGES)
def test_the_database_may_be_full_at_any_size(sound: Sound, root: Path, name: str) -> None:
    told = 0
    for pages in PAGES[name] if LONG else PAGES[name][::9]:
        here = root / str(pages)
        with faulty(Faulty(pages=pages, name=name)) as fault:
            life = lived(here, fault.mend, anew=pages % 2 == 0)
        sound.look(here, life, (name, pages))
        told += len(life.said)
        assert all("full" in str(error) and "free some space" in str(error) for error in life.said)
    assert told >= (5 if LONG else 1)


def test_a_database_that_may_only_be_read_is_told(place: Place) -> None:
    with place.open() as memory:
        memory.add(SENTENCES[0], id="a")
        memory.search("kiln")
    with faulty(Faulty(read_only=True)) as fault:
        with pytest.raises(errors.StoreError, match="owner and rights"):
            place.open()
        memory = place.open(heal=False)
        assert memory.get("a").content == SENTENCES[0]  # type: ignore[union-attr]
        for attempt in (
            lambda: memory.add(SENTENCES[1]),
            memory.consolidate,
            lambda: memory.correct(1, "No."),
            lambda: memory.retract(1),
            memory.rebuild,
            memory.backup,
        ):
            with pytest.raises(errors.StoreError, match="owner and rights"):
                attempt()
        with pytest.raises(errors.StoreError, match="owner and rights"):
            memory.search("kiln")
        assert list(place.folder.glob("*.damaged-*")) == []  # it may be sound: it stays
        assert len(list(memory.log(kind="event"))) == 1
        fault.mend()
        memory.add(SENTENCES[1])
        assert memory.status().events == 2
        assert memory.check(full=True).ok


def test_a_database_that_another_holds_for_too_long_is_told(place: Place) -> None:
    quick = Settings(auto=False, busy_seconds=0.05)
    memory = place.open(settings=quick)
    memory.add(SENTENCES[0], id="a")
    assert shown(memory, "kiln") != []
    other = sqlite3.connect(place.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before = home(memory).log.position()
    for attempt in (
        lambda: memory.add(SENTENCES[1]),
        memory.consolidate,
        lambda: memory.correct(1, "No."),
        lambda: memory.retract(1),
        memory.rebuild,
        memory.backup,
    ):
        with pytest.raises(errors.BusyError, match="try again"):
            attempt()
    assert shown(memory, "kiln") != []  # reading waits for nobody
    assert memory.status().events == 1
    other.execute("ROLLBACK")
    other.close()
    assert home(memory).log.position() == before
    memory.add(SENTENCES[1], id="b")
    memory.consolidate()
    memory.backup()
    assert memory.check(full=True).ok
    memory.close()


def test_closing_while_another_consolidates_leaves_the_files_to_the_next(place: Place) -> None:
    """Found by eight processes that add and consolidate: closing waited in vain, and raised."""
    holder = place.open()
    memory = place.open(settings=Settings(auto=False, busy_seconds=0.05))
    memory.add("The gander guards the gate.")
    with home(holder).locked():
        memory.close()
    assert b"gander" not in place.files()["CURRENT.md"]
    holder.close()
    assert b"gander" in place.files()["CURRENT.md"]


def test_an_add_while_another_holds_the_database_waits_and_is_done(place: Place) -> None:
    """Three seconds in the field; a third of one here."""
    memory = place.open()
    memory.add(SENTENCES[0])
    other = sqlite3.connect(place.database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    timer.start()
    for number in range(50):
        memory.add(f"Crate {number} is on the quay.")
    timer.join()
    other.close()
    assert memory.status().events == 51
    assert len(memory.search("crates on the quay").evidence) > 0


def test_a_transaction_that_sqlite_left_open_is_not_taken_for_ours(place: Place) -> None:
    memory = place.open()
    memory.add(SENTENCES[0])
    db = home(memory).log.connection
    db.execute("BEGIN")  # as after a COMMIT that failed and a ROLLBACK that failed
    db.execute("INSERT INTO meta VALUES ('half', x'00')")
    memory.add(SENTENCES[1])
    assert not db.in_transaction
    assert home(memory).log.meta("half") == b""
    with place.open() as other:
        assert other.status().events == 2


def test_a_commit_that_fails_gives_the_database_free(place: Place) -> None:
    with faulty(Faulty()) as fault:
        memory, other = place.open(), place.open(settings=Settings(auto=False, busy_seconds=0))
        fault.at = fault.commits + 1
        with pytest.raises(errors.StoreError):
            memory.add(SENTENCES[0])
        assert other.add(SENTENCES[1]).seqs == (1,)
        assert memory.add(SENTENCES[0]).seqs == (2,)


def test_nothing_is_written_inside_a_snapshot(memory: Memory) -> None:
    log = home(memory).log
    with log.snapshot(), pytest.raises(RuntimeError, match="snapshot"), log.transaction():
        pass
    with log.transaction(), log.snapshot(), log.transaction():
        log.set_meta("a", b"1")
    assert log.meta("a") == b"1"


def test_a_trial_writes_not_a_byte(place: Place) -> None:
    with place.open(settings=BY_HAND) as memory:
        memory.add(SENTENCES[0])
    before = place.database.read_bytes()
    with place.open(heal=False) as memory:
        assert memory.propose() is not None
        assert memory.check(full=True).ok
    assert place.database.read_bytes() == before
