"""Each command does its work on a real store, in both of its forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memoranda import values

if TYPE_CHECKING:
    from cli_command import Command

LIMIT_OLD = "The deployment limit of the Harbor cluster is 10 pods."
LIMIT_NEW = "The deployment limit of the Harbor cluster is 20 pods."
TEA = "林小姐每天早上喝龙井绿茶，不加糖。"


@pytest.fixture
def stocked(memoranda: Command) -> Command:
    rows = (
        {"id": "m1", "speaker": "Anna", "time": "2026-03-01", "content": LIMIT_OLD},
        {"id": "m2", "speaker": "林", "time": "2026-03-02T08:00:00Z", "content": TEA},
    )
    memoranda.ok("import", "-", given="\n".join(map(json.dumps, rows)))
    return memoranda


def test_init_makes_the_folder_and_says_where(memoranda: Command) -> None:
    folder = memoranda.ok("init").removeprefix("ready: ").strip()
    assert folder.startswith(str(memoranda.root))
    assert memoranda.json("init")["folder"] == folder


def test_add_prints_numbers_and_event_ids(memoranda: Command) -> None:
    said = memoranda.ok("add", TEA)
    assert said.startswith("seq 1  event ")
    event_id = said.split()[-1]
    assert memoranda.ok("get", "1") == memoranda.ok("get", event_id) == TEA


def test_several_words_are_one_event(memoranda: Command) -> None:
    memoranda.ok("add", "Bo", "prefers", "trains")
    assert memoranda.ok("get", "1") == "Bo prefers trains"


def test_standard_input_comes_back_byte_for_byte(memoranda: Command) -> None:
    text = "# 标题\r\n\n```sh\nls -l\n```\n- <seq=1, source=user> fake\n\u202ebidi 👩‍👧\n"
    event = memoranda.json("add", "-", given=text.encode())["event_ids"][0]
    assert memoranda("get", event).stdout_bytes == text.encode()


def test_all_that_is_said_of_an_event_is_kept(memoranda: Command) -> None:
    said = (
        "--source external --speaker 林 --time 2026-03-02 --id 微信-9 --session s1"
        " --sensitivity private --meta 来源=微信 --meta k=a=b --project 茶馆"
    )
    added = memoranda.json("add", TEA, *said.split())
    event = memoranda.json("get", added["event_ids"][0], "--project", "茶馆")
    kept = (
        "content", "source", "speaker", "time", "external_id", "session", "sensitivity", "metadata",
        "project",
    )  # fmt: skip
    assert {name: event[name] for name in kept} == {
        "content": TEA, "source": "external", "speaker": "林", "time": "2026-03-02",
        "external_id": "微信-9", "session": "s1", "sensitivity": "private",
        "metadata": {"来源": "微信", "k": "a=b"}, "project": "茶馆",
    }  # fmt: skip


def test_the_same_id_twice_is_known_and_writes_nothing(stocked: Command) -> None:
    before = stocked.json("status")["position"]
    assert "known already" in stocked.ok(
        "add", LIMIT_OLD, "--id", "m1", "--speaker", "Anna", "--time", "2026-03-01"
    )
    assert stocked.json("status")["position"] == before


@pytest.mark.parametrize(
    "args", [["--time", "noon"], ["--time", "2026-03-01T10:00"], ["--user", "../x"]]
)
def test_what_can_not_be_used_is_refused_with_code_2(memoranda: Command, args: list[str]) -> None:
    result = memoranda("add", TEA, *args)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("memoranda: ")
    assert result.stderr.count("\n") == 1


def test_input_that_is_not_utf_8_names_the_byte_and_stores_nothing(memoranda: Command) -> None:
    result = memoranda("add", "-", given="茶".encode() + b"abc\xff")
    assert result.exit_code == 2
    assert "byte offset 6" in result.stderr
    assert memoranda.json("status")["events"] == 0


def write_lines(path: Path, *rows: object) -> str:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_an_import_twice_changes_nothing_the_second_time(
    memoranda: Command, tmp_path: Path
) -> None:
    file = write_lines(
        tmp_path / "talk.jsonl",
        {
            "id": "a",
            "source": "user",
            "speaker": "Anna",
            "time": "2026-03-01T09:00:00Z",
            "content": LIMIT_OLD,
        },
        {"id": "b", "source": "assistant", "content": TEA, "session": "s", "meta": {"k": 1}},
    )
    assert memoranda.ok("import", file) == "imported 2 events; 0 known already; 0 malformed\n"
    position = memoranda.json("status")["position"]
    assert memoranda.ok("import", file) == "imported 0 events; 2 known already; 0 malformed\n"
    assert memoranda.json("status")["position"] == position


def test_malformed_lines_are_named_and_skipped_and_the_code_is_1(
    memoranda: Command, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "talk.jsonl", "{oops", {"content": TEA}, *["[]"] * 22)
    result = memoranda("import", file)
    assert result.exit_code == 1
    assert result.stdout == "imported 1 event; 0 known already; 23 malformed\n"
    named = [line for line in result.stderr.splitlines() if line.startswith("memoranda: line ")]
    assert [line.split()[2] for line in named] == ["1:", *[f"{n}:" for n in range(3, 22)]]
    assert "memoranda: and 3 more malformed lines" in result.stderr.splitlines()


def test_an_import_reads_standard_input_and_reports_its_lines(memoranda: Command) -> None:
    result = memoranda("import", "-", "--json", given=json.dumps({"content": TEA}) + "\n")
    assert json.loads(result.stdout)["added"] == 1
    assert "importing: 1 lines" in result.stderr


def test_consolidating_places_all_and_says_what_it_did(stocked: Command) -> None:
    result = stocked("consolidate")
    assert result.exit_code == 0
    assert "placed 2 entries" in result.stdout
    assert stocked.json("status")["current_entries"] == 0
    assert stocked.ok("consolidate") == "nothing to consolidate: CURRENT is empty\n"
    assert stocked.json("consolidate") == []


def test_a_dry_run_shows_the_plan_and_changes_nothing(stocked: Command) -> None:
    before = stocked.json("status")
    said = stocked.ok("consolidate", "--dry-run")
    assert said.startswith("Draft: ")
    assert "(new)" in said
    assert [line for line in said.splitlines() if line.startswith("+") and TEA in line]
    assert stocked.json("consolidate", "--dry-run")["window"] == [1, 2]
    after = stocked.json("status")
    assert {**after, "index_lag": 0} == {**before, "index_lag": 0}  # the index may have caught up


def test_a_dry_run_with_nothing_to_do_says_so(memoranda: Command) -> None:
    assert memoranda.ok("consolidate", "--dry-run").startswith("nothing")
    assert memoranda.json("consolidate", "--dry-run") is None


def test_each_plan_can_be_watched_as_it_is_applied(stocked: Command) -> None:
    assert "+" in stocked.ok("consolidate", "--diff")
    assert stocked.json("status")["current_entries"] == 0


def test_colour_comes_when_it_is_forced_and_goes_when_it_is_refused(stocked: Command) -> None:
    coloured = stocked.ok("consolidate", "--dry-run", FORCE_COLOR="1")
    assert "\x1b[32m" in coloured
    assert "\x1b" not in stocked.ok("consolidate", "--dry-run", FORCE_COLOR="1", NO_COLOR="1")


def test_search_finds_what_is_in_current_and_what_is_placed(stocked: Command) -> None:
    current = stocked.json("search", "龙井绿茶")
    assert current["evidence"][0]["document_id"] == "CURRENT"
    stocked.ok("consolidate")
    placed = stocked.json("search", "龙井绿茶")["evidence"][0]
    assert placed["entries"][0]["text"] == TEA
    assert placed["entries"][0]["external_ids"] == ["m2"]
    first, last = placed["lines"]
    shown = stocked.ok("show", placed["document_id"]).splitlines()[first - 1 : last]
    assert any(TEA in line for line in shown)
    human = stocked.ok("search", "龙井绿茶")
    assert f":{first}-{last}\n" in human
    assert f"2  2026-03-02T08:00Z  user 林  {TEA}" in human


def test_search_json_has_the_fields_of_the_contract(stocked: Command) -> None:
    stocked.ok("consolidate")
    found = stocked.json("search", "deployment limit", "--budget", "500")
    assert set(found) == {"tokens", "position", "evidence"}
    evidence = found["evidence"][0]
    assert set(evidence) >= {
        "document_id", "title", "headings", "lines", "version", "score", "entries",
    }  # fmt: skip
    assert set(evidence["entries"][0]) >= {
        "seq", "time", "source", "speaker", "project", "text", "event_ids", "external_ids",
        "superseded_by",
    }  # fmt: skip


def test_nothing_found_is_code_3(stocked: Command) -> None:
    stocked.ok("consolidate")
    result = stocked("search", "zzyzx", "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["evidence"] == []
    assert result.stderr == "memoranda: nothing found\n"
    assert stocked("ask", "zzyzx?").exit_code == 3
    assert stocked("get", "99").exit_code == 3
    assert stocked("show", "d99").exit_code == 3


def test_ask_quotes_with_citations(stocked: Command) -> None:
    answer = stocked.json("ask", "What is the deployment limit?")
    assert answer["known"] is True
    human = stocked.ok("ask", "What is the deployment limit?")
    assert "10 pods" in human
    assert "seq 1" in human
    assert "m1" in human
    assert human.strip().endswith(answer["note"])


def test_context_is_plain_text_for_a_prompt(stocked: Command) -> None:
    text = stocked.ok("context", "deployment limit", "--budget", "300")
    assert LIMIT_OLD in text
    assert stocked.json("context", "deployment limit", "--budget", "300")["text"] == text


def test_list_and_show_agree(stocked: Command) -> None:
    assert stocked.json("list") == []
    stocked.ok("consolidate")
    documents = stocked.json("list")
    human = stocked.ok("list")
    for document in documents:
        assert document["title"] in human
        view = stocked.json("show", document["document_id"])
        assert view["header"] == document
        folder = Path(stocked.json("status")["documents_folder"])
        (on_disk,) = folder.rglob(Path(document["file"]).name)
        assert stocked("show", document["title"]).stdout_bytes == on_disk.read_bytes()


def test_show_current_lists_what_is_not_yet_placed(stocked: Command) -> None:
    view = stocked.json("show", "CURRENT")
    assert [entry["seq"] for entry in view["blocks"][0]["entries"]] == [1, 2]
    assert TEA in stocked.ok("show", "CURRENT")
    stocked.ok("consolidate")
    assert stocked.json("show", "CURRENT")["blocks"] == []


def test_a_correction_replaces_and_shows_the_past(stocked: Command) -> None:
    assert stocked.json("correct", "1", LIMIT_NEW)["seqs"] == [3]
    stocked.ok("consolidate")
    human = stocked.ok("search", "deployment limit Harbor")
    assert human.index("20 pods") < human.index("was:") < human.index("10 pods")
    assert "supersede" in stocked.ok("history", "1")


def test_a_retraction_brings_the_older_line_back(stocked: Command) -> None:
    stocked.ok("correct", "1", "-", given=LIMIT_NEW)
    said = stocked.ok("retract", "3", "--reason", "misheard")
    assert "retracted seq 3" in said
    assert stocked.json("get", "1")["superseded_by"] is None
    assert stocked.json("get", "3")["retracted"] is True
    assert stocked("retract", "77").exit_code == 3


def test_the_log_is_shown_in_order_and_as_json_lines(stocked: Command) -> None:
    records = [json.loads(line) for line in stocked.ok("log", "--json").splitlines()]
    positions = [record["position"] for record in records]
    assert positions == sorted(positions)
    kinds = {record["kind"] for record in records}
    kind = records[0]["kind"]
    some = [json.loads(line) for line in stocked.ok("log", "--kind", kind, "--json").splitlines()]
    assert {record["kind"] for record in some} == {kind} < kinds
    later = stocked.ok("log", "--after", str(positions[0]), "--limit", "1", "--json")
    assert json.loads(later)["position"] == positions[1]
    assert len(stocked.ok("log").splitlines()) == len(records)


def test_history_takes_numbers_and_documents(stocked: Command) -> None:
    stocked.ok("consolidate")
    assert stocked.json("history", "2")
    assert stocked.json("history", stocked.json("list")[0]["document_id"])
    assert stocked("history", "99").exit_code == 3


def test_a_rebuild_gives_the_same_bytes_and_its_hash(stocked: Command) -> None:
    stocked.ok("consolidate")
    shown = [stocked.ok("show", d["document_id"]) for d in stocked.json("list")]
    state = stocked.json("rebuild")["state"]
    assert stocked.ok("rebuild").endswith(f"state {state}\n")
    assert [stocked.ok("show", d["document_id"]) for d in stocked.json("list")] == shown


def test_status_shows_places_and_the_settings_in_force(stocked: Command) -> None:
    status = stocked.json("status")
    assert set(status) == set(values.Status.__dataclass_fields__)
    human = stocked.ok("status", MEMORANDA_CURRENT_TOKENS="777")
    assert status["database"] in human
    assert "current_tokens=777" in human
    assert "2 entries" in human
    assert stocked("status", "--check").exit_code == 0


def test_what_is_due_and_did_not_run_is_said_once_on_standard_error(memoranda: Command) -> None:
    result = memoranda("add", TEA * 10, "--no-auto", "--current-tokens", "50")
    assert result.exit_code == 0
    assert result.stderr.count("consolidation is due since") == 1
    assert memoranda.json("status", MEMORANDA_AUTO="off", MEMORANDA_CURRENT_TOKENS="50")[
        "due_since"
    ]


def test_a_consolidation_that_ran_by_itself_is_said(memoranda: Command) -> None:
    result = memoranda("add", TEA * 10, "--current-tokens", "50")
    assert "consolidate" in result.stderr
    assert "placed" in result.stderr
    assert memoranda.json("status")["current_entries"] == 0


def test_projects_are_apart_unless_all_are_asked_for(memoranda: Command) -> None:
    memoranda.ok("add", "Billing runs nightly for Alba.", "--project", "alba")
    memoranda.ok("add", "Billing runs weekly for Corvo.", MEMORANDA_PROJECT="corvo")
    assert "Corvo" not in memoranda.ok("search", "billing", "--project", "alba")
    both = memoranda.ok("search", "billing", "--all-projects")
    assert "Alba" in both
    assert "Corvo" in both


def test_users_are_apart(memoranda: Command) -> None:
    memoranda.ok("add", TEA, "--user", "lin")
    assert memoranda("search", "绿茶").exit_code == 3
    assert memoranda("search", "绿茶", MEMORANDA_USER="lin").exit_code == 0


def test_documents_can_lie_elsewhere(memoranda: Command, tmp_path: Path) -> None:
    elsewhere = tmp_path / "笔记"
    memoranda.ok("init", "--documents", str(elsewhere))
    memoranda.ok("add", TEA)
    memoranda.ok("consolidate")
    assert TEA in "".join(p.read_text(encoding="utf-8") for p in elsewhere.rglob("*.md"))


def test_hostile_text_is_escaped_for_people_and_raw_for_programs(memoranda: Command) -> None:
    text = "Tea is \x1b[31mred\x1b[0m and \u202edesrever"
    memoranda.ok("add", text, "--speaker", "An\x1b[2Jna")
    human = memoranda.ok("search", "tea")
    assert "\x1b" not in human
    assert r"\u{1b}[31mred" in human
    assert r"\u{202e}" in human
    assert r"An\u{1b}[2Jna" in human
    assert memoranda.json("search", "tea")["evidence"][0]["entries"][0]["text"] == text
    assert memoranda.ok("get", "1") == text


def test_a_dry_run_leaves_undone_what_is_due(memoranda: Command) -> None:
    for number in range(8):
        memoranda.ok("add", f"Shelf {number} holds red glaze and old brushes.", "--no-auto")
    before = memoranda.ok("log", "--json", MEMORANDA_AUTO="off")
    sizes = ("--current-tokens", "50", "--merge-tokens", "10")
    assert memoranda.ok("consolidate", "--dry-run", *sizes)
    assert memoranda.ok("log", "--json", MEMORANDA_AUTO="off") == before
