"""Whatever was done: the way the events came in does not matter, nor how often."""

from __future__ import annotations

import tempfile
from pathlib import Path

from histories import events, sizes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import NewEvent, Settings
from scene import Place, everything, fast, lines_of

QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = st.lists(events, min_size=1, max_size=25)


def named(told: list[NewEvent]) -> list[NewEvent]:
    from dataclasses import replace  # noqa: PLC0415

    return [replace(event, external_id=f"n{number}") for number, event in enumerate(told)]


@QUICK
@given(told=many, size=sizes, cut=st.integers(1, 7))
def test_one_import_and_the_same_events_in_any_portions_give_the_same_library(
    told: list[NewEvent], size: Settings, cut: int
) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        states = []
        for user in ("all", "each", "some"):
            memory = place.open(user=user)
            if user == "all":
                memory.import_lines(lines_of(named(told)))
            else:
                step = 1 if user == "each" else cut
                for start in range(0, len(told), step):
                    memory.add_many(named(told)[start : start + step])
            states.append(memory.state())
            memory.consolidate()
            states.append(memory.state())
        assert states[0] == states[2] == states[4]
        assert states[1] == states[3] == states[5]
        place.close()


@QUICK
@given(told=many, size=sizes, again=st.integers(0, 25))
def test_importing_twice_or_in_part_changes_nothing(
    told: list[NewEvent], size: Settings, again: int
) -> None:
    with tempfile.TemporaryDirectory(dir=fast()) as folder:
        place = Place(Path(folder).resolve() / "root", size)
        memory = place.open()
        lines = lines_of(named(told))
        first = memory.import_lines(lines)
        before = everything(memory)
        second = memory.import_lines(lines[:again] + lines)
        assert (second.added, second.malformed) == (0, ())
        assert second.position == first.position
        assert everything(memory) == before
        place.close()
