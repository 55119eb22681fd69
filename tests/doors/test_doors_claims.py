"""What the library promises holds through each of its doors: library, command line, MCP, REST."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from doors import Door, House, Refused, lines

PHONE = "My phone number is 555-{}."


@pytest.fixture
def door(house: House) -> Door:
    return house.door()


def only(*names: str) -> pytest.MarkDecorator:
    """Run a claim behind some doors only: the others have no word for it."""
    return pytest.mark.parametrize("house", names, indirect=True)


ALL_BUT_MCP = ("library", "cli", "rest")


def placed(door: Door) -> str:
    """Three matters in documents; the id of the plan that placed them."""
    for text in (PHONE.format(1), "Anna lives in Leiden.", "小林的茶馆在河边。"):
        door.do("add", content=text)
    return str(door.do("consolidate")[0]["plan_id"])


def test_what_is_added_is_found_at_once_and_by_its_number(door: Door) -> None:
    added = door.do("add", content="小林的茶馆在河边。", speaker="小林", time="2026-03-01")
    assert added["seqs"] == [1]
    assert lines(door.do("search", query="茶馆")) == ["小林的茶馆在河边。"]
    entry = door.do("get", ref=1)
    assert entry["text"] == "小林的茶馆在河边。"
    assert entry["speaker"] == "小林"
    assert entry["time"].startswith("2026-03-01")
    event = door.do("get", ref=added["event_ids"][0])
    assert event.get("content", event.get("text")) == "小林的茶馆在河边。"


def test_every_letter_comes_back_as_it_went_in(door: Door) -> None:
    text = "--- \u201cq\u201d <b>&amp;</b> {x} 'y' 100% \\n C:\\path 🫖 e\u0301 — → 漢字 -x"
    door.do("add", content=text)
    assert door.do("get", ref=1)["text"] == text
    assert text in lines(door.do("search", query="漢字"))


def test_the_same_id_again_adds_nothing_and_says_so(door: Door) -> None:
    first = door.do("add", content="The ferry leaves at nine.", id="f/1")
    again = door.do("add", content="The ferry leaves at nine.", id="f/1")
    assert again["known"] == first["event_ids"] == again["event_ids"]
    with pytest.raises(Refused, match="with another text") as refused:
        door.do("add", content="The ferry leaves at ten.", id="f/1")
    assert refused.value.kind == "input"
    assert lines(door.do("search", query="ferry")) == ["The ferry leaves at nine."]


def test_a_correction_stands_above_what_it_replaces(door: Door) -> None:
    placed(door)
    added = door.do("correct", seq=1, text=PHONE.format(2))
    assert added["seqs"] == [4]
    assert lines(door.do("search", query="phone number"))[:2] == [PHONE.format(2), PHONE.format(1)]
    assert door.do("get", ref=1)["superseded_by"] == 4
    assert "superseded" in [change["kind"] for change in door.do("history", ref=1)]


def test_what_is_placed_stands_in_documents_and_no_more_in_current(door: Door) -> None:
    placed(door)
    documents = door.do("documents")
    assert documents
    assert door.do("current") == []
    texts = [door.do("document", ref=item["document_id"])["markdown"] for item in documents]
    assert sum("小林的茶馆在河边。" in text for text in texts) == 1
    title = documents[0]["title"]
    assert door.do("document", ref=title)["header"]["title"] == title
    shown = door.do("read_lines", document=documents[0]["document_id"], first=1, last=2)
    assert shown["lines"][0] == "---"
    assert [shown["first"], shown["last"]] == [1, 2]


def test_an_answer_quotes_what_stands_there_or_says_that_it_does_not_know(door: Door) -> None:
    placed(door)
    answer = door.do("ask", question="What is the phone number?")
    assert answer["known"]
    assert answer["claims"][0]["quote"] == PHONE.format(1)
    assert not door.do("ask", question="Who painted the lighthouse?")["known"]


def test_a_context_is_fenced_and_empty_when_there_is_nothing(door: Door) -> None:
    placed(door)
    assert PHONE.format(1) in door.do("context", query="phone number")
    assert door.do("context", query="lighthouse keeper zebra") == ""


def test_a_pattern_finds_lines_and_a_subject_its_facts(door: Door) -> None:
    placed(door)
    found = door.do("grep", pattern="茶馆")
    assert [match["entry"]["text"] for match in found["matches"]] == ["小林的茶馆在河边。"]
    assert found["total"] == 1
    assert [fact["value"] for fact in door.do("facts", subject="Anna")["facts"]] == ["Leiden"]


def test_what_is_forgotten_is_gone_and_does_not_come_back(door: Door) -> None:
    placed(door)
    preview = door.do("forget", entry=3, dry_run=True)
    assert preview["seqs"] == [3]
    assert lines(door.do("search", query="茶馆"))
    done = door.do("forget", entry=3)
    assert done["seqs"] == [3]
    assert lines(door.do("search", query="茶馆")) == []
    with pytest.raises(Refused, match="was forgotten") as refused:
        door.do("get", ref=3)
    assert refused.value.kind == "missing"
    with pytest.raises(Refused, match="was forgotten"):
        door.do("forget", entry=3)


def test_a_plan_waits_until_it_is_approved(house: House) -> None:
    door = house.door(mode="review")
    door.do("add", content=PHONE.format(1))
    with_plan(door)
    (plan,) = door.do("plans", state="pending")
    assert door.do("documents") == []
    shown = door.do("plan", plan_id=plan["plan_id"])
    assert PHONE.format(1) in next(iter(shown["after"].values()))
    assert door.do("approve", plan_id=plan["plan_id"])["state"] == "approved"
    assert len(door.do("documents")) == 1
    with pytest.raises(Refused):
        door.do("approve", plan_id=plan["plan_id"])


def test_a_rejected_plan_is_not_applied_and_its_lines_are_kept(house: House) -> None:
    door = house.door(mode="review")
    door.do("add", content=PHONE.format(1))
    with_plan(door)
    (plan,) = door.do("plans", state="pending")
    assert door.do("reject", plan_id=plan["plan_id"])["state"] == "rejected"
    assert plan["plan_id"] not in [item["plan_id"] for item in door.do("plans", state="pending")]
    assert lines(door.do("search", query="phone")) == [PHONE.format(1)]


def with_plan(door: Door) -> None:
    """Make the plan; at a terminal that it waits is an exit code of its own."""
    try:
        door.do("consolidate")
    except Refused as refused:
        if (door.name, refused.kind) != ("cli", "other"):
            raise


REFUSED: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("get", {"ref": 99}, "missing"),
    ("document", {"ref": "Garden Plan C"}, "missing"),
    ("correct", {"seq": 99, "text": "x"}, "missing"),
    ("history", {"ref": "nobody"}, "missing"),
    ("plan", {"plan_id": "p0"}, "missing"),
    ("approve", {"plan_id": "p0"}, "missing"),
    ("forget", {"entry": 99}, "missing"),
    ("read_lines", {"document": "Garden Plan C", "first": 1, "last": 2}, "missing"),
    ("search", {"query": "x", "since": "yesterday-ish"}, "input"),
    ("search", {"query": "x", "speaker": "Nobody At All"}, "missing"),
    ("ask", {"question": "x", "budget": 0}, "input"),
    ("add", {"content": "x", "time": "soon"}, "input"),
    ("add", {"content": " "}, "input"),
    ("add", {"content": "x", "source": "gossip"}, "input"),
    ("grep", {"pattern": ""}, "input"),
)


def test_what_can_not_be_is_refused_alike_and_changes_nothing(door: Door) -> None:
    door.do("add", content=PHONE.format(1))
    for what, given, kind in REFUSED:
        with pytest.raises(Refused) as refused:
            door.do(what, **given)
        assert refused.value.kind == kind, (what, given)
        assert "Traceback" not in refused.value.text
    assert [item["text"] for item in door.do("current")] == [PHONE.format(1)]


def test_no_query_is_a_syntax_error(door: Door) -> None:
    door.do("add", content="I don't like C++ at 3 GB/s (a:b)")
    for query in (
        "don't",
        "GB/s",
        'a:b "x"',
        "C++",
        "AND",
        "NEAR",
        "(",
        "*",
        "^",
        "",
        "长" * 5_000,
    ):
        assert isinstance(lines(door.do("search", query=query)), list), query


def test_one_user_never_sees_what_is_another_s(house: House) -> None:
    mine, theirs = house.door("ann"), house.door("bob")
    mine.do("add", content="Anna keeps a heron in the mill.", id="x")
    theirs.do("add", content="Bob keeps bees.")
    assert lines(theirs.do("search", query="heron mill Anna bees")) == ["Bob keeps bees."]
    assert not theirs.do("ask", question="Who keeps a heron?")["claims"] or all(
        "heron" not in claim["quote"] for claim in theirs.do("ask", question="heron?")["claims"]
    )
    for name, given in (("get", {"ref": 2}), ("get", {"ref": "x"}), ("forget", {"entry": 2})):
        with pytest.raises(Refused) as refused:
            theirs.do(name, **given)
        assert refused.value.kind == "missing"
    assert lines(mine.do("search", query="heron")) == ["Anna keeps a heron in the mill."]


# --- words that agents have not ------------------------------------------------------------------


@only(*ALL_BUT_MCP)
def test_a_retracted_line_is_kept_and_not_shown(door: Door) -> None:
    placed(door)
    door.do("retract", seq=1, reason="wrong")
    assert PHONE.format(1) not in lines(door.do("search", query="phone number"))
    assert door.do("get", ref=1)["retracted"]
    with pytest.raises(Refused) as refused:
        door.do("retract", seq=1)
    assert refused.value.kind == "input"


@only(*ALL_BUT_MCP)
def test_an_undone_plan_is_out_of_force_and_an_undone_undo_brings_it_back(door: Door) -> None:
    plan = placed(door)
    documents = door.do("documents")
    done = door.do("undo", plan_id=plan)
    assert done["undone"] == plan
    assert door.do("documents") == []
    assert len(door.do("current")) == 3
    door.do("undo", plan_id=done["undo_id"])
    titles = [item["title"] for item in documents]
    assert [item["title"] for item in door.do("documents")] == titles


@only(*ALL_BUT_MCP)
def test_an_import_takes_what_it_can_and_names_the_other_lines(door: Door) -> None:
    rows = [
        {"content": "The mill has a new miller.", "id": "1"},
        {"content": "山上有座庙。", "id": "2"},
    ]
    given = [*(json.dumps(row) for row in rows), "not json", '{"content": ""}']
    done = door.do("import_lines", lines=given)
    assert [done["added"], done["known"]] == [2, 0]
    assert [number for number, _ in done["malformed"]] == [3, 4]
    again = door.do("import_lines", lines=given)
    assert [again["added"], again["known"]] == [0, 2]
    assert lines(door.do("search", query="庙"))[0] == "山上有座庙。"


@only(*ALL_BUT_MCP)
def test_an_archive_makes_the_same_memory_elsewhere(house: House, tmp_path: Path) -> None:
    door, other = house.door(), house.door()
    placed(door)
    done = door.do("export", target=str(tmp_path / "all.zip"))
    assert done["bytes"] == (tmp_path / "all.zip").stat().st_size
    assert done["path"] == str(tmp_path / "all.zip")
    taken = other.do("import_archive", source=str(tmp_path / "all.zip"))
    assert taken["added"] == done["records"]
    assert other.do("documents") == door.do("documents")
    assert other.do("import_archive", source=str(tmp_path / "all.zip"))["added"] == 0
    with pytest.raises(Refused) as refused:
        door.do("export", target=str(tmp_path / "all.zip"))
    assert refused.value.kind == "input"


@only(*ALL_BUT_MCP)
def test_the_log_tells_every_record_in_order_and_a_check_finds_all_sound(door: Door) -> None:
    placed(door)
    records = door.do("log")
    assert [record["position"] for record in records] == list(range(1, len(records) + 1))
    assert {"event", "extraction", "plan"} <= {record["kind"] for record in records}
    assert door.do("log", after=2, limit=2) == records[2:4]
    assert door.do("check")["ok"]
    assert door.do("rebuild")["entries"] == 3
    assert door.do("status")["position"] == len(records)
    assert door.do("lint") == []


@only(*ALL_BUT_MCP)
def test_a_citation_leads_to_the_lines_and_blame_to_who_said_them(door: Door) -> None:
    placed(door)
    claim = door.do("ask", question="What is the phone number?")["claims"][0]
    place = door.do("resolve", citation=claim["citation"])
    place = place[0] if isinstance(place, list) else place
    assert place["entries"][0]["text"] == PHONE.format(1)
    told = door.do("blame", document=claim["document_id"])
    assert claim["event_ids"][0] in [name for line in told["lines"] for name in line["event_ids"]]
    assert door.do("diff", document=claim["document_id"])["before"] == ""
