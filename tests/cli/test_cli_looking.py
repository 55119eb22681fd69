"""The commands grep, read, facts, events and documents: what they print, and how they end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli_command import Command

ROWS = (
    {"id": "m1", "speaker": "Anna", "time": "2026-03-01", "content": "The deployment limit is 3 pods."},
    {"id": "m2", "speaker": "Anna", "time": "2026-03-02", "content": "The deployment limit is 5 pods."},
    {"id": "m3", "time": "2026-03-03", "source": "tool", "content": "茶馆的开门时间是八点。"},
    {"id": "m4", "time": "2026-04-01", "project": "茶馆", "content": "The kiln (old) of the tea house."},
)  # fmt: skip


@pytest.fixture
def stocked(memoranda: Command) -> Command:
    memoranda.ok("import", "-", given="\n".join(map(json.dumps, ROWS)))
    memoranda.ok("consolidate")
    memoranda.ok("add", "The kiln waits.\nIt is cold.", "--time", "2026-04-02")
    return memoranda


def test_grep_prints_place_numbers_date_source_and_text(stocked: Command) -> None:
    lines = stocked.ok("grep", "l[a-z]mit").splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("topics/")
    assert "  2  2026-03-02  user Anna  The deployment limit is 5 pods." in lines[0]
    assert lines[1].endswith("The deployment limit is 3 pods.  (outdated, replaced by 2)")
    assert stocked.ok("grep", "cold").startswith(
        "CURRENT  5  2026-04-02  user  The kiln waits.\\nIt"
    )


def test_grep_gives_the_same_as_json(stocked: Command) -> None:
    found = stocked.json("grep", "八点|KILN", "-i", "--limit", "1")
    assert (found["total"], len(found["matches"]), found["literal"]) == (3, 1, False)
    assert stocked.json("grep", "kiln", "--in-document", "CURRENT")["total"] == 1


def test_a_broken_expression_is_searched_literally_and_told_on_stderr(stocked: Command) -> None:
    result = stocked("grep", "kiln (")
    assert result.exit_code == 0
    assert "The kiln (old)" in result.stdout
    assert "searched as it is written: RE2 can't read it" in result.stderr


def test_what_matches_is_painted_on_a_terminal(stocked: Command) -> None:
    assert "\x1b[1m八点\x1b[0m" in stocked.ok("grep", "八点", FORCE_COLOR="1")
    assert "\x1b" not in stocked.ok("grep", "八点", FORCE_COLOR="1", NO_COLOR="1")


def test_read_prints_lines_with_their_numbers(stocked: Command) -> None:
    document = stocked.json("grep", "八点")["matches"][0]
    name, (first, last) = document["document_id"], document["entry"]["lines"]
    assert stocked.ok("read", name, str(first), str(last)) == (
        f"{first:>5}  - <seq=3, time=2026-03-03, source=tool> 茶馆的开门时间是八点。\n"
    )
    whole = stocked.json("read", name)
    assert whole["lines"] == stocked.ok("show", name).splitlines()
    assert "The kiln waits." in stocked.ok("read", "CURRENT")


def test_facts_show_what_holds_and_what_it_replaced(stocked: Command) -> None:
    first, now, was, before = stocked.ok("facts", "deployment", "limit").splitlines()
    assert first.startswith("5 pods  since 2026-03-02  topics/")
    assert first.endswith("  anna: deplo limit / be # pod")
    assert now == "  2  2026-03-02  user Anna  The deployment limit is 5 pods."
    assert was.strip() == "was:"
    assert before == "      1  2026-03-01  user Anna  The deployment limit is 3 pods."
    fact = stocked.json("facts", "茶馆", "--attribute", "开门时间")["facts"][0]
    assert (fact["value"], fact["source"]) == ("8点", "tool")


def test_history_takes_a_key_as_facts_print_it(stocked: Command) -> None:
    told = stocked.ok("history", "anna: deplo limit / be # pod")
    assert "entry 1: replaced by entry 2" in told
    assert told == stocked.ok("history", "--", "- / anna: deplo limit / be # pod")


def test_a_key_that_begins_with_a_dash_is_no_option(stocked: Command) -> None:
    key = stocked.json("facts", "deployment")["facts"][0]["key"]
    assert key.startswith("- / ")
    told = stocked.json("history", key)
    assert told == json.loads(stocked.ok("history", "--json", "--", key))
    assert all(change["text"].startswith(("entry ", "entries ")) for change in told)
    assert stocked("history", "--nonsense").exit_code == 2


def test_history_takes_the_words_of_one_key_and_no_more(stocked: Command) -> None:
    told = stocked.ok("history", "茶馆 / 时间")
    assert "entry 3 extracted by rules" in told
    assert told == stocked.ok("history", "- / 茶馆 / 开门")
    stocked.ok("add", "茶馆的关门时间是十点。")
    result = stocked("history", "茶馆 / 时间")
    assert result.exit_code == 3
    assert result.stderr.count("茶馆") == 3
    assert "关门" in stocked.ok("facts", "茶馆", "关门")
    assert "entry 6" in stocked.ok("history", "茶馆 / 关门")


def test_events_are_printed_word_for_word_and_filtered(stocked: Command) -> None:
    lines = stocked.ok("events", "kiln", "--since", "2026-04-02").splitlines()
    assert lines[0].endswith("2026-04-02  user  entry 5")
    assert lines[1:] == ["  The kiln waits.", "  It is cold."]
    told = stocked.ok("events", "limit", "--speaker", "Anna", "--limit", "1")
    assert told.splitlines()[1] == "  The deployment limit is 5 pods."
    found = stocked.json("events", "limit")
    assert [hit["outdated"] for hit in found["hits"]] == [[], [1]]


def test_documents_come_in_pages_by_name_and_by_project(stocked: Command) -> None:
    known = stocked.json("list")
    page = stocked.json("documents")
    assert [item["document_id"] for item in page["documents"]] == [i["document_id"] for i in known]
    assert stocked.ok("documents") == stocked.ok("list")
    own = stocked.json("documents", "--in-project", "茶馆")["documents"]
    assert [item["project"] for item in own] == ["茶馆"]
    assert stocked.json("documents", own[0]["title"].split()[0])["total"] >= 1


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("grep nowhere", 3, "none of 5 lines"),
        ("facts nobody", 3, "nothing is known of 'nobody'"),
        ("events zeppelin", 3, "none of 5 events"),
        ("documents zeppelin", 3, "near titles"),
        ("documents --page 9", 2, "pages go from 1 to 1"),
        ("read d99", 3, "no document 'd99'"),
        ("read CURRENT 900", 3, "only 11 lines"),
        ("read CURRENT 5 4", 2, "lines go from 1 on"),
        ("grep x --limit 0", 2, "0 is not in the range"),
        ("grep --", 2, "PATTERN"),
        ("events kiln --speaker Ana", 3, "near names: Anna"),
        ("documents --in-project acme --project mill", 2, "all_projects"),
        ("history no/key", 3, "no document"),
    ],
)
def test_the_end_is_a_code_and_a_sentence(
    stocked: Command, line: str, code: int, said: str
) -> None:
    result = stocked(*line.split())
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""


def test_a_bound_project_sees_nothing_of_another(stocked: Command) -> None:
    for command in (("grep", "."), ("events", "house"), ("documents",), ("facts", "kiln")):
        result = stocked(*command, "--project", "acme", "--json")
        assert "tea house" not in result.stdout
        assert '茶馆"' not in result.stdout
