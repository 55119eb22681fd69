"""Every position of a history replays to what was recorded then; everything derived comes back."""

from __future__ import annotations

import tempfile
from random import Random

from undoing_laws import LONG, Life, printed, random_history, random_sizes, seeds, shown_by, sound

from memoranda import Memory, Settings
from memoranda.store.log import Record
from memoranda.store.replay import at
from scene import fast, home, index_rows, rows


class Recorded(Life):
    """Prints the library after every record, as it is then."""

    def __init__(self, folder: str, random: Random) -> None:
        super().__init__(folder, random_sizes(random))
        self.seen: dict[int, dict[str, str]] = {}
        self.opened()

    def opened(self) -> None:
        memory = self.memory
        fold = home(memory).fold
        inner = fold.apply

        def apply(record: Record) -> None:
            inner(record)
            self.seen[record.position] = printed(memory)

        fold.apply = apply


def last_forget(memory: Memory) -> int:
    row = home(memory).log.connection.execute(
        "SELECT coalesce(max(position), 0) FROM record WHERE kind = 'forget'"
    )
    return int(row.fetchone()[0])


def same_but_for_erased(was: str, now: str) -> bool:
    """The same line by line, but where a text was forgotten since; and as many lines."""
    pairs = zip(was.split("\n"), now.split("\n"), strict=True)
    return all(one == two or "[erased" in two for one, two in pairs)


def test_every_position_replays_to_what_was_recorded_then() -> None:
    exact = aside = 0
    for seed in seeds(4, 100):
        random = Random(3000 + seed)  # noqa: S311 - no secret
        with tempfile.TemporaryDirectory(dir=fast()) as folder:
            life = Recorded(folder, random)
            for step in random_history(random, most=32 if LONG else 20):
                life.do(step)
            forgotten = last_forget(life.memory)
            for position, was in life.seen.items():
                with at(home(life.memory), position) as then:
                    now = shown_by(then.view)
                if position >= forgotten:
                    assert now == was, f"position {position}"
                    exact += 1
                    continue
                assert now.keys() == was.keys()
                assert all(same_but_for_erased(was[name], now[name]) for name in was)
                aside += 1
            life.place.close()
    assert exact >= 50
    assert aside >= 20


def test_everything_derived_comes_back_after_any_history() -> None:
    for seed in seeds(8, 1000):
        random = Random(5000 + seed)  # noqa: S311 - no secret
        with tempfile.TemporaryDirectory(dir=fast()) as folder:
            life = Life(folder, random_sizes(random))
            for step in random_history(random, most=20):
                life.do(step)
            memory = life.memory
            state, files = memory.state(), life.place.files()
            views, terms = rows(memory), index_rows(memory)
            memory.close()
            life.place.drop()
            memory = life.place.open(settings=Settings(auto=False))
            assert memory.rebuild().state == state
            assert life.place.files() == files
            assert rows(memory) == views
            assert index_rows(memory) == terms
            sound(memory)
            life.place.close()
