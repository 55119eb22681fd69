"""Whatever came in, by whatever way, in whatever encoding: once it is forgotten, no byte tells of it.

And nothing else is lost, and no old copy brings it back. `MEMORANDA_LONG=1` draws 500 cases.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import Case, drawn, run
from doomed import ENCODINGS
from failing import LONG
from ways import WAYS

CASES = drawn(500 if LONG else 20)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))
def test_nothing_is_left_of_it_nothing_else_is_lost_and_nothing_comes_back(
    case: Case, root: Path
) -> None:
    told = run(case, root)
    assert told.planted, told.steps
    assert told.pieces == [], told.steps
    assert told.lost == [], told.steps


def test_all_ways_and_encodings_are_drawn() -> None:
    assert {case.way for case in drawn(500)} == {*WAYS}
    assert {case.encoding for case in drawn(500)} == {*ENCODINGS}
