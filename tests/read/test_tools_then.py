"""The tools at an earlier time: what they gave then, and what was said to hold then."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memory
from memoranda.errors import InputError, MemorandaError, NotFoundError
from memoranda.memory.earlier import Earlier
from memoranda.read.tools import Tool
from reader_histories import LONG, lived
from readers_scene import Cast, call, quoting, step
from scene import CHINESE_PHONE, LIMIT, PHONE, SMALL, Place

PROBES: tuple[tuple[str, tuple[Any, ...], dict[str, Any]], ...] = (
    ("grep", ("5",), {}),
    ("grep", ("电话",), {"document": "CURRENT"}),
    ("grep", ("limit",), {"document": "d1", "ignore_case": True}),
    ("facts", ("phone",), {}),
    ("facts", ("我", "电话"), {}),
    ("facts", ("deployment", "limit"), {}),
    ("read_lines", ("CURRENT",), {}),
    ("read_lines", ("d1",), {}),
    ("read_lines", ("d2", 2, 9), {}),
    ("timeline", (3,), {}),
    ("timeline", ("deployment / limit",), {}),
    ("events", ("phone 电话",), {}),
    ("events", ("",), {"until": "2026-01-20", "limit": 50}),
    ("events", ("老李",), {"document": "CURRENT"}),
    ("list_documents", (), {}),
    ("list_documents", (), {"query": "limit 电话 kiln"}),
)
"""Every tool, in both languages."""
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search", {"query": "phone number 电话"}),
    ("grep_doc", {"document": "d1", "pattern": "."}),
    ("list_docs", {}),
    ("history", {"ref": "2"}),
    ("facts", {"subject": "deployment"}),
)
"""Tools as a model calls them."""


def told(memory: Memory, probe: int, **when: Any) -> object:
    """What a tool gives, whole; what is wrong with the call is given too."""
    name, words, options = PROBES[probe % len(PROBES)]
    try:
        return getattr(memory, name)(*words, **options, **when).to_dict()
    except MemorandaError as error:
        return str(error)


def called(memory: Memory, number: int, **when: Any) -> object:
    """What a tool gives a model, to the letter: the text with its fence."""
    name, arguments = CALLS[number % len(CALLS)]
    return memory.toolbox(**when).call(name, arguments).to_dict()


@pytest.mark.parametrize("seed", range(100 if LONG else 6))
def test_every_tool_gives_at_a_time_what_it_gave_then(root: Path, seed: int) -> None:
    place = Place(root, SMALL)
    then: list[tuple[str, int, int, object, object]] = []

    def look(memory: Memory, number: int) -> None:
        if number % (1 if LONG else 3) == 0:
            for probe in (number, number + 5, number + 10):
                found = told(memory, probe), called(memory, probe)
                at = memory.list_documents().position
                then.append((place.clock().isoformat(), at, probe, *found))

    memory = lived(place, seed, 40, look, forgets=False)
    for when, position, probe, found, given in then:
        assert told(memory, probe, known_at=when) == found, (when, PROBES[probe % len(PROBES)])
        assert told(memory, probe, known_at=position) == found
        assert called(memory, probe, known_at=when) == given, (when, CALLS[probe % len(CALLS)])
    place.close()


@pytest.mark.parametrize("seed", range(100 if LONG else 4))
def test_no_time_shows_a_word_that_was_forgotten(root: Path, seed: int) -> None:
    place = Place(root, SMALL)
    memory = lived(place, seed, 30, lambda *_: None, forgets=False)
    moments = [record.recorded for record in memory.log()]
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    known = [
        entry for entry in memory.grep(r"\d{4}", limit=500).matches if not entry.entry.retracted
    ]
    gone = chance.sample(known, 3)
    texts = {match.entry.text for match in known} - {match.entry.text for match in gone}
    words = [text[a:b] for m in gone for text in [m.entry.text] for a, b in m.spans]
    words = [word for word in words if not any(word in text for text in texts)]
    assert words
    for match in gone:
        if match.entry.seq in {m.entry.seq for m in memory.grep(".", limit=500).matches}:
            memory.forget(entry=match.entry.seq)
    left = memory.grep(".", limit=500).matches
    words = [word for word in words if not any(word in match.entry.text for match in left)]
    for when in (moments[-1], chance.choice(moments)):
        found = [told(memory, probe, known_at=when) for probe in range(len(PROBES))]
        found += [called(memory, number, known_at=when) for number in range(len(CALLS))]
        text = json.dumps(found, ensure_ascii=False)
        assert [word for word in words if word in text] == []
    place.close()


OWNERS = ("Osei", "Mira", "Ylva", "Anselm", "Berit")
PLACES = ("Windmill Nine", "the North Quay")
KEEPERS = ("老李", "小王", "阿明")


@pytest.mark.parametrize("seed", range(100 if LONG else 6))
def test_facts_are_those_that_were_made_to_hold_then(root: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same each time, on purpose
    place = Place(root, SMALL)
    memory = place.open()
    said = [
        (f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}", where, f"The owner of {where} is {who}.")
        for where in PLACES
        for day, who in zip(chance.sample(range(300), 5), 2 * OWNERS, strict=False)
    ]
    said += [
        (f"2026-{day // 28 + 1:02}-{day % 28 + 1:02}", "电话", CHINESE_PHONE.format(1000 + day))
        for day in chance.sample(range(300), 5)
    ]
    chance.shuffle(said)  # what is heard late was true before
    for number, (day, _, text) in enumerate(said):
        memory.add(text, time=day, source="external")
        place.clock.tick(60)
        if chance.random() < 0.3 or (number == len(said) - 1 and chance.random() < 0.5):
            memory.consolidate()
    days = sorted({day for day, _, _ in said})
    for when in ("2025-12-31", *chance.sample(days, 5), "2027-01-01"):
        for what in (*PLACES, "电话"):
            before = sorted(item for item in said if item[1] == what and item[0] <= when)
            found = memory.facts(what, true_at=when)
            held = [fact.entry.text for fact in found.facts]
            assert held == [before[-1][2]] if before else held == [], (when, what)
            assert all(fact.entry.superseded_by is None for fact in found.facts)
            now = json.dumps(found.to_dict(), ensure_ascii=False)
            later = {item[2] for item in said if item[0] > when} - {item[2] for item in before}
            assert [text for text in later if text in now] == []
    place.close()


def test_a_fact_at_both_times_is_of_what_was_known_then(place: Place) -> None:
    memory = place.open()
    memory.add(LIMIT.format(30), time="2026-01-01")
    place.clock.tick(10 * 86_400)
    memory.add(LIMIT.format(45), time="2026-02-01")
    memory.consolidate()

    def limit(**when: Any) -> list[str]:
        return [fact.entry.text for fact in memory.facts("deployment limit", **when).facts]

    assert limit() == limit(true_at="2026-03") == [LIMIT.format(45)]
    assert limit(known_at="2026-06-05") == [LIMIT.format(30)]
    assert limit(known_at="2026-06-05", true_at="2026-03") == [LIMIT.format(30)]
    assert limit(true_at="2026-01") == [LIMIT.format(30)]
    assert limit(true_at="2025") == []


@pytest.fixture
def moved(place: Place) -> Memory:
    """Three numbers, told a day after another; documents are made on the last day only."""
    memory = place.open()
    for number in (1111, 2222, 3333):
        memory.add(PHONE.format(number))
        memory.add(f"阿明的房间号是{number}。")
        place.clock.tick(86_400)
    memory.consolidate()
    return memory


ROUNDS = (
    call("grep", pattern="555"),
    call("facts", subject="phone"),
    call("read_lines", document="CURRENT"),
    call("read_lines", document="d1"),
    call("list_docs"),
    call("events", query="房间号"),
    call("history", ref="2"),
)


def seen_by(model: Cast) -> str:
    return "\n".join(turn.content for request in model.requests for turn in request.messages)


@pytest.mark.parametrize("tool", ROUNDS, ids=lambda made: str(made["tool"]))
def test_a_model_that_reads_the_past_learns_of_nothing_later(
    place: Place, moved: Memory, tool: Any
) -> None:
    model = Cast(tools=[step(tool), step(done=True)], answer=quoting("555-2222"))
    memory = place.open(model=model)
    memory.ask("What is my phone number?", reader="agentic", known_at="2026-06-02")
    assert "2222" in seen_by(model)
    assert "3333" not in seen_by(model)
    assert "3333" in json.dumps(moved.events("").to_dict())


def test_a_model_that_asks_what_was_true_then_has_no_tool_that_tells_of_now(place: Place) -> None:
    with place.open() as memory:
        for month, number in ((1, 1111), (2, 2222)):
            memory.add(PHONE.format(number), time=f"2026-0{month}-01")
        memory.consolidate()
        box = memory.toolbox(true_at="2026-01")
        assert [spec.name for spec in box.specs()] == ["search", "grep", "grep_doc", "facts"]
        assert "there is no tool" in str(box.call("read_lines", {"document": "d1"}).error)
        found = box.call("facts", {"subject": "phone"})
        assert "1111" in found.text
        assert "2222" not in found.text


def test_a_tool_of_your_own_looks_at_the_same_past(moved: Memory) -> None:
    tool = Tool(
        name="lines",
        description="All lines.",
        parameters={"type": "object", "properties": {}},
        function=lambda look, _: [match.entry.text for match in look.grep("5").matches],
    )
    assert "3333" in moved.toolbox(extra=[tool]).call("lines", {}).text
    then = moved.toolbox(extra=[tool], known_at="2026-06-02").call("lines", {}).text
    assert "2222" in then
    assert "3333" not in then
    now_and_then = moved.toolbox(extra=[tool], true_at="2026-06-02", known_at="2026-06-02")
    assert now_and_then.specs()[-1].name == "lines"


def test_a_past_is_made_once_and_made_again_when_something_is_forgotten(
    moved: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    make = Earlier._made

    def counted(self: Earlier, position: int) -> Any:
        made.append(position)
        return make(self, position)

    monkeypatch.setattr(Earlier, "_made", counted)
    box = moved.toolbox(known_at="2026-06-02")
    for _ in range(3):
        assert "2222" in moved.grep("555", known_at="2026-06-02").matches[1].entry.text
        assert "2222" in box.call("grep", {"pattern": "555"}).text
        moved.ask("What is my phone number?", known_at="2026-06-02")
        moved.add("The kiln is cold.")
    assert len(made) == 1
    moved.forget(entry=3)
    assert "2222" not in box.call("grep", {"pattern": "555"}).text
    assert "555-2222" not in json.dumps(moved.events("", known_at="2026-06-02").to_dict())
    moved.grep("555", known_at="2026-06-01")
    assert len(made) == 3


def test_what_is_forgotten_stays_in_no_past_that_is_kept(moved: Memory) -> None:
    moved.grep("555", known_at="2026-06-02")
    assert moved._kept is not None
    moved.forget(entry=3)
    assert moved._kept is None


def test_a_limited_handle_has_the_past_that_it_saw(place: Place) -> None:
    owner = place.open()
    for number in range(20):
        owner.add(f"The vault code {number} of the Falcon is {number * 37}.", sensitivity="private")
        owner.add(f"Kiln {number} reaches {1000 + number} degrees.", sensitivity="public")
        place.clock.tick(60)
    owner.add("牙医是沃格尔医生。", sensitivity="private")
    owner.consolidate()
    limited = place.open(clearance="public")
    probes: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("list_documents", ()),
        ("read_lines", ("d1",)),
        ("grep", (".",)),
        ("facts", ("kiln",)),
        ("events", ("",)),
        ("search", ("kiln degrees falcon",)),
    )
    live = {name: getattr(limited, name)(*words).to_dict() for name, words in probes}
    when = place.clock().isoformat()
    place.clock.tick(60)
    owner.add("Kiln 99 reaches 2000 degrees.", sensitivity="public")
    owner.consolidate()
    for name, words in probes:
        then = getattr(limited, name)(*words, known_at=when).to_dict()
        assert then == live[name], name
        assert "alcon" not in json.dumps(then).replace("falcon", "")
    owner.mark(2, "private")
    assert "Kiln 0 reaches" not in json.dumps(limited.grep("Kiln", known_at=when).to_dict())


def test_what_waits_to_be_forgotten_is_kept_back_at_earlier_times_too(place: Place) -> None:
    memory = place.open()
    memory.add(PHONE.format(1111))
    memory.add(PHONE.format(1111), speaker="Bo")  # joined to the first later
    when = place.clock().isoformat()
    place.clock.tick(60)
    memory.consolidate()
    assert memory.grep("1111", known_at=when).total
    memory.add("Please forget my phone number.")
    (request,) = memory.asked()
    assert (request.state, request.found) == ("waiting", "clear")
    held_back = {seq for entry in request.entries for seq in entry.seqs}
    shown = memory.grep("1111", known_at=when).matches
    assert held_back.isdisjoint(seq for match in shown for seq in match.entry.seqs)
    assert held_back


def test_a_time_or_a_position_that_is_none_is_refused(moved: Memory) -> None:
    for wrong in ("yesterday-ish", -1, 10_000, True, "@-1", "@10000", "@"):
        with pytest.raises(InputError):
            moved.grep("5", known_at=wrong)
    with pytest.raises(InputError):
        moved.facts("phone", true_at="32 May")
    with pytest.raises(NotFoundError):
        moved.read_lines("d1", known_at="2026-06-01")
    assert moved.grep("5", known_at=0).total == moved.grep("5", known_at="@0").total == 0
    assert moved.read_lines("CURRENT", known_at="2020").entries == ()
