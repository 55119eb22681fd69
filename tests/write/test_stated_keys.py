"""Of one stated key the statement said last is current, in whatever order they came."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import Memory, NewEvent
from scene import QUIET, Place, holding, home, rows

KEY = "key: 茶馆 / 开门 / 时间"
SAID = ("茶馆八点开门。", "茶馆九点开门。", "茶馆七点开门。", "茶馆十点开门。")


def told(memory: Memory, said: list[tuple[str, str, str]], keys: list[str]) -> None:
    """Events with (text, time, source), each with an entry in its own words and a stated key."""
    log, fold = home(memory).log, home(memory).fold
    for (text, time, source), key in zip(said, keys, strict=True):
        event = NewEvent(
            content=f"(…) {len(text)} {time} {key[-4:]}", time=time, source=source, project=None
        )  # type: ignore[arg-type]
        memory.add_many([event])
        with log.transaction():
            seq = fold.counter("seq") + 1
            item: dict[str, Any] = {
                "seq": seq,
                "events": [0],
                "said": text,
                "tokens": 6,
                "keys": [key],
            }
            at = log.position() - 1
            fold.apply(
                log.append("extraction", {"by": "a test", "events": [at], "entries": [item]})
            )


def current(memory: Memory) -> list[str]:
    return [text for text in holding(memory) if not text.startswith("(…)")]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_any_order_of_arrival_gives_the_same_current_state(place: Place, order: tuple[int]) -> None:
    memory = place.open(settings=QUIET)
    said = [(SAID[number], f"2026-05-{number + 1:02}", "user") for number in order]
    for one in said:
        told(memory, [one], [KEY])
        memory.consolidate()
    assert current(memory) == [SAID[3]]


def test_back_and_forth_keeps_three_dated_states(place: Place) -> None:
    memory = place.open(settings=QUIET)
    said = [(SAID[number], f"2026-05-0{day}", "user") for day, number in ((1, 0), (2, 1), (3, 0))]
    for one in said:
        told(memory, [one], [KEY])
        memory.consolidate()
    assert current(memory) == [SAID[0]]
    (newest,) = [seq for seq, _, text in _shown(memory) if text == SAID[0]][:1]
    assert [kind.kind for kind in memory.history(newest)].count("supersedes") >= 1
    assert len([entry for entry in _lines(memory) if entry in SAID]) == 3


def _shown(memory: Memory) -> list[tuple[int, int | None, str]]:
    from scene import shown  # noqa: PLC0415

    return shown(memory, "茶馆 开门")


def _lines(memory: Memory) -> list[str]:
    db = home(memory).log.connection
    return [
        row[0] for row in db.execute("SELECT text FROM entry WHERE line = seq AND erased IS NULL")
    ]


def test_other_keys_and_weaker_sources_replace_nothing(place: Place) -> None:
    memory = place.open(settings=QUIET)
    said = [
        (SAID[0], "2026-05-01", "user"),
        (SAID[1], "2026-05-02", "external"),
        (SAID[2], "2026-05-03", "assistant"),
    ]
    told(memory, said, [KEY] * 3)
    told(memory, [("茶馆在河边。", "2026-05-04", "user")], ["key: 茶馆 / 地点"])
    memory.consolidate()
    assert SAID[0] in current(memory)
    assert "茶馆在河边。" in current(memory)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_chains_over_documents_end_in_the_last_word(tmp_path_factory: Any, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - no secret
    folder: Path = tmp_path_factory.mktemp("keys")
    place = Place(folder / f"r{seed}", QUIET)
    memory = place.open()
    things = {
        f"key: ship {name} / berth": [f"Ship {name} lies at pier {n}." for n in range(1, 5)]
        for name in ("Alma", "Bera", "Cora")
    }
    waiting = [
        (key, text, day) for key, texts in things.items() for day, text in enumerate(texts, 1)
    ]
    rng.shuffle(waiting)
    for key, text, day in waiting:
        told(memory, [(text, f"2026-04-{day:02}", "user")], [key])
        if rng.random() < 0.4:
            memory.consolidate()
    memory.consolidate()
    held = [text for text in holding(memory) if text.startswith("Ship")]
    assert sorted(held) == [f"Ship {name} lies at pier 4." for name in ("Alma", "Bera", "Cora")]
    before = rows(memory)
    memory.rebuild()
    assert rows(memory) == before
    place.close()
