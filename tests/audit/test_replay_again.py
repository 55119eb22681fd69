"""The library made again from the raw events, in the shade: how it differs, and that nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from upkeep_model import honest, talk

from memoranda import Memory
from memoranda.errors import InputError
from memoranda.write.drift import agreement
from scene import PHONE, QUIET, SENTENCES, Place, everything, home


@pytest.fixture
def grown(place: Place) -> Memory:
    memory = place.open(settings=QUIET)
    for number, text in enumerate(SENTENCES):
        memory.add(f"{text} ({number})", session=f"s{number // 4}")
    memory.add(PHONE.format(1000), time="2026-05-01")
    memory.consolidate()
    return memory


def test_the_same_events_give_the_same_library(place: Place) -> None:
    memory = place.open(settings=QUIET)
    for number, text in enumerate(SENTENCES):
        memory.add(f"{text} ({number})", session=f"s{number // 4}")
    memory.consolidate()
    found = memory.remaintain()
    assert (found.by, found.events, found.agreement) == ("rules", len(SENTENCES), 1.0)
    assert found.documents[0] == found.documents[1]
    assert (found.gained, found.lost, found.diff) == ((), (), "")


def test_nothing_here_changes_and_nothing_stays(
    grown: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = everything(grown)
    grown.remaintain()
    assert everything(grown) == before
    assert list(tmp_path.iterdir()) == []


def test_corrections_and_retractions_are_told_too(grown: Memory) -> None:
    grown.correct(21, PHONE.format(2000))
    grown.retract(5)
    grown.consolidate()
    found = grown.remaintain()
    assert (found.gained, found.lost) == ((), ())
    assert found.entries[0] == found.entries[1]


def test_what_was_forgotten_is_not_told(grown: Memory) -> None:
    grown.forget(entry=3)
    assert grown.remaintain().events == len(SENTENCES)


def test_a_plan_by_hand_shows_as_drift(grown: Memory) -> None:
    first = next(item.record_id for item in grown.log() if item.kind == "plan")
    grown.undo(first)
    found = grown.remaintain()
    assert found.agreement < 1
    assert "+++ made again" in found.diff


def test_another_model_may_do_it(place: Place) -> None:
    memory = place.open(settings=QUIET)
    memory.add_many(talk(1))
    memory.consolidate()
    found = memory.remaintain(model=honest())
    assert found.by == "honest"
    assert found.spent.calls > 0
    assert 0 <= found.agreement <= 1
    assert memory.calls() == ()


def test_a_handle_of_one_project_can_not(place: Place) -> None:
    with place.open(project="acme") as bound, pytest.raises(InputError, match="all projects"):
        bound.remaintain()


def test_agreement_counts_the_pairs_that_stand_together() -> None:
    one = {"a": "d1", "b": "d1", "c": "d2", "d": "d2"}
    assert agreement(one, dict.fromkeys(one, "d9") | {"c": "d8", "d": "d8"}) == 1.0
    assert agreement(one, dict.fromkeys(one, "d1")) == pytest.approx(2 / 6)
    assert agreement(one, {}) == 0.0
    assert agreement({}, {}) == 1.0


__all__ = ["home"]
