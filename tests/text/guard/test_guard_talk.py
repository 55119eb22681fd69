"""More wordings by hand, as people talk to an assistant: each pair is its own claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoranda.text.guard import Said, check

SAID = "2026-03-04"  # a Wednesday
LINES = (Path(__file__).parent / "talk.txt").read_text("utf-8").splitlines()
PAIRS = [(line[0] == "=", *line[2:].split(" | ", 1)) for line in LINES]


@pytest.mark.parametrize(("kept", "typed", "source"), PAIRS)
def test_it_says_what_was_said_or_is_refused(kept: bool, typed: str, source: str) -> None:  # noqa: FBT001
    assert check(typed, [Said(source, time=SAID)], context=["Ben"]).ok == kept


def test_there_are_many_of_both_and_in_both_languages() -> None:
    assert sum(line[0] == "=" for line in LINES) > 60
    assert sum(line[0] == "!" for line in LINES) > 90
    assert sum(not line.isascii() for line in LINES) > 60


def test_a_recommendation_stays_with_who_made_it() -> None:
    said = [Said("我建议您每天喝两升水。", source="assistant")]
    assert check("助手建议用户每天喝两升水。", said).ok
    assert not check("用户建议每天喝两升水。", said).ok
