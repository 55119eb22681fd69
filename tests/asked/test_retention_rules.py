"""What has outlived its time is retracted or forgotten, at the next consolidation, and it is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli_command import Command
from memoranda.config import load_settings
from memoranda.errors import InputError
from memoranda.lifetimes import lifetime, rules
from scene import BY_HAND, Place

DAY = 24 * 3600.0
HOTEL = "The hotel is called Sol."


def kept(retention: str) -> Any:
    return replace(BY_HAND, retention=retention)


@pytest.mark.parametrize(
    "text", ["30d", "12h", "8w", "6mo", "1y", "1y forget", "30d retract", "2027-01-31",
             "2027-01-31T12:00:00Z forget"],
)  # fmt: skip
def test_a_lifetime_is_a_span_or_a_time(text: str) -> None:
    assert lifetime(text).action == ("forget" if text.endswith("forget") else "retract")


@pytest.mark.parametrize(
    "text", ["", "soon", "30", "d", "forget", "2027-01-31T12:00", "-3d", 30, None]
)
def test_anything_else_is_refused(text: Any) -> None:
    with pytest.raises(InputError, match="retention"):
        lifetime(text)


@pytest.mark.parametrize("text", ["tool", "teapot=3d", "tool=3d, tool=4d", "kind:=3d", "tool=soon"])
def test_a_rule_that_can_t_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        rules(text)
    with pytest.raises(InputError, match="retention"):
        kept(text)


def test_an_events_own_retention_is_retracted_when_it_is_over(place: Place) -> None:
    memory = place.open()
    memory.add(HOTEL, metadata={"retention": "5d"})
    memory.consolidate()
    assert memory.status().next_expiry == "2026-06-06T09:00:00Z"
    place.clock.tick(4 * DAY)
    memory.consolidate()
    assert memory.last_expiry is None
    place.clock.tick(1 * DAY)
    memory.consolidate()
    assert memory.last_expiry is not None
    assert memory.last_expiry.retracted == (1,)
    assert memory.search("hotel Sol").evidence == ()
    assert memory.get(1).retracted  # type: ignore[union-attr]
    status = memory.status()
    assert status.next_expiry is None
    assert status.last_expiry == {
        "at": memory.last_expiry.at,
        "retracted": 1,
        "events": 0,
        "forgotten": 0,
    }


def test_a_rule_forgets_where_it_says_so(place: Place) -> None:
    memory = place.open(settings=kept("tool=10d forget"))
    memory.add(HOTEL, source="tool")
    memory.add("I like tea.")
    place.clock.tick(10 * DAY)
    found = memory.expire()
    assert (len(found.events), found.forgotten) == (1, (1,))
    assert [entry.text for entry in memory.current()] == ["I like tea."]
    assert memory.expire().is_empty
    assert next(iter(memory.log(kind="forget"))).actor == "retention"


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("external=1d", {"source": "external"}),
        ("private=1d", {"sensitivity": "private"}),
        ("kind:note=1d", {"metadata": {"kind": "note"}}),
        ("all=1d", {}),
    ],
)
def test_rules_go_by_source_sensitivity_and_kind(place: Place, rule: str, given: Any) -> None:
    memory = place.open(settings=kept(rule))
    memory.add(HOTEL, **given)
    if rule != "all=1d":
        memory.add("I like tea.")
    place.clock.tick(DAY)
    assert memory.expire(dry_run=True).retracted == (1,)


def test_its_own_word_counts_before_the_rules(place: Place) -> None:
    memory = place.open(settings=kept("all=1d"))
    memory.add(HOTEL, metadata={"retention": "9d"})
    place.clock.tick(2 * DAY)
    assert memory.expire().is_empty


def test_a_span_counts_from_when_it_was_said(place: Place) -> None:
    memory = place.open(settings=kept("all=10d"))
    memory.add(HOTEL, time="2026-05-20")
    memory.add("I like tea.")
    assert memory.expire().retracted == (1,)


def test_a_dry_run_changes_nothing(place: Place) -> None:
    memory = place.open(settings=kept("all=1d forget"))
    memory.add(HOTEL)
    place.clock.tick(DAY)
    before = memory.status().position
    assert memory.expire(dry_run=True).forgotten == (1,)
    assert memory.status().position == before


def test_a_line_of_several_sources_is_retracted_with_the_last_of_them(place: Place) -> None:
    memory = place.open(settings=kept("tool=1d"))
    memory.add(HOTEL, source="tool")
    memory.add(HOTEL, source="tool", time="2026-06-03")
    memory.consolidate()
    line = memory.get(1)
    assert line.seqs == (1, 2)  # type: ignore[union-attr]
    place.clock.tick(DAY)
    assert memory.expire().retracted == ()
    place.clock.tick(3 * DAY)
    assert memory.expire().retracted == (1,)


def test_forgetting_takes_one_source_and_leaves_the_line_to_the_other(place: Place) -> None:
    memory = place.open(settings=kept("tool=1d forget"))
    memory.add(HOTEL, source="tool")
    memory.add(HOTEL)
    memory.consolidate()
    place.clock.tick(DAY)
    assert memory.expire().events
    assert [e.text for item in memory.search("hotel").evidence for e in item.entries] == [HOTEL]


def test_what_it_had_replaced_holds_again_when_it_is_over(place: Place) -> None:
    memory = place.open()
    seq = memory.add("I am in Graz.").seqs[0]
    memory.correct(seq, "I am in Lisbon.")
    again = memory.add("The kiln is warm.", metadata={"retention": "1d"}).seqs[0]
    place.clock.tick(DAY)
    assert memory.expire().retracted == (again,)


def test_a_retention_that_can_t_be_read_stores_nothing(place: Place) -> None:
    memory = place.open()
    with pytest.raises(InputError, match="retention"):
        memory.add(HOTEL, metadata={"retention": "soon"})
    assert memory.status().events == 0


def test_a_file_says_it_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "memoranda.toml").write_text(
        '[settings]\nauto = false\n[retention]\ntool = "90d"\nprivate = "1y forget"\n',
        encoding="utf-8",
    )
    found = load_settings({}, tmp_path, {}, folder=tmp_path / "none")
    assert found.retention == "tool=90d, private=1y forget"


@pytest.mark.parametrize("table", ["tool = 90", 'teapot = "3d"', 'tool = "soon"'])
def test_a_table_that_can_t_be_read_names_the_file(tmp_path: Path, table: str) -> None:
    (tmp_path / "memoranda.toml").write_text(f"[retention]\n{table}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"memoranda\.toml"):
        load_settings({}, tmp_path, {}, folder=tmp_path / "none")


def test_the_command_says_what_goes_and_what_is_next(root: Path) -> None:
    memoranda = Command(root)
    memoranda.ok("add", HOTEL, "--meta", "retention=2020-01-01")
    memoranda.ok("add", "I like tea.", "--meta", "retention=2999-01-01")
    said = memoranda.ok("expire", "--dry-run")
    assert "would be retracted 1 entry (1)" in said
    assert "next due 2999-01-01" in said
    done = memoranda("consolidate")
    assert "expired: retracted 1 entry (1)" in done.stderr
    assert "next due 2999" in memoranda.ok("status")
