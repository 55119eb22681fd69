"""The demo keeps what it promises, and its conversation holds what the promises are about."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "demo"
DEMO = FOLDER / "demo.py"
LIMIT = re.compile(r"The rate limit of the ingest API is (\d+) requests per minute\.")


def run(out: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DEMO), "--out", str(out), "--plain", "--fast"]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def events() -> list[dict[str, Any]]:
    lines = (FOLDER / "conversation.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    return run(tmp_path_factory.mktemp("demo") / "out")


def test_the_demo_keeps_every_promise(played: subprocess.CompletedProcess[str]) -> None:
    assert "BROKEN" not in played.stdout
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr
    assert played.stderr == ""


@pytest.mark.parametrize(
    "words",
    [
        "CURRENT 600, split above 900, merge below 200",
        "The draft: ",
        "The plan as a diff of documents",
        "ok: the first quote says '600 requests per minute'",
        "ok: one search brought the whole chain, 10 of 10 values",
        "ok: they come from s03 and s10",
        "ok: the first quote says 'Amara Okoye'",
        "ok: a quote says 'fixed in ingestctl 2.5'",
        "ok: the first quote says '每周三下午四点'",
        "ok: a quote says 'I may like something about the sea charts'",
        "ok: its answer stands on 2 quotes, each resolved",
        "ok: every Markdown file has the same bytes as before",
        "ok: the file imported again changes nothing, 248 events known",
        "names its events, its plan and who planned it",
        "ok: a plan undone: all bytes as before it",
        "ok: the undo undone: all bytes as with the plan",
        "ok: the line edited by hand is what memory says",
        "ok: the edit undone: the file says again what it said",
        "ok: in no file any more, nor after a rebuild",
        "ok: the receipt, verified: nothing of it is left",
        "it was told 'e-999, entry-12' are not offered here",
        "ok: names nobody gave: refused by name, repaired once",
        "ok: one event became two facts, both cite it",
        "ok: a join that loses a 'may': refused, kept verbatim",
        "ok: a greeting is in no document, and still in the log",
        "ok: a replacement on a model's word only waits for a person",
        "would replace 2, on the word of a model only",
        "+  - <seq=2, time=2026-06-02, source=user, speaker=Ines, superseded_by=8>",
        "ok: approved: 90 days, 30 as what it replaced",
        "ok: each call is in the log with its tokens and its price",
        "ok: a rebuild asks no model and gives the same state",
        "no key, no network",
    ],
)
def test_the_demo_shows(words: str, played: subprocess.CompletedProcess[str]) -> None:
    assert words in played.stdout


def test_the_demo_shows_three_flushes_a_split_and_a_merge(
    played: subprocess.CompletedProcess[str],
) -> None:
    counts = {
        what: int(number)
        for number, what in re.findall(
            r"ok: (\d+) (flushes|splits|merges)$", played.stdout, re.MULTILINE
        )
    }
    assert counts["flushes"] >= 3
    assert counts["splits"] >= 1
    assert counts["merges"] >= 1


def test_a_quote_is_cited_down_to_its_event(played: subprocess.CompletedProcess[str]) -> None:
    cited = re.search(r"\S+\.md:\d+-\d+ -> seq \d+ -> \S+ / s18-12$", played.stdout, re.MULTILINE)
    assert cited is not None


def test_plain_output_has_no_colour_codes(played: subprocess.CompletedProcess[str]) -> None:
    assert "\x1b" not in played.stdout


def test_a_folder_that_is_not_of_the_demo_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.md").write_text("my only copy", encoding="utf-8")
    refused = run(tmp_path)
    assert refused.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.md"]
    assert (tmp_path / "thesis.md").read_text(encoding="utf-8") == "my only copy"


def test_each_line_is_an_event_with_its_own_id(events: list[dict[str, Any]]) -> None:
    assert 180 <= len(events) <= 260
    assert len({event["id"] for event in events}) == len(events)
    for event in events:
        assert event["source"] in {"user", "assistant", "tool", "external"}
        assert event["content"].strip() == event["content"] != ""
        assert datetime.fromisoformat(event["time"]).tzinfo is not None


def test_the_events_are_in_the_order_of_their_times(events: list[dict[str, Any]]) -> None:
    times = [datetime.fromisoformat(event["time"]) for event in events]
    assert times == sorted(times)


def test_at_least_three_talks_are_mostly_chinese(events: list[dict[str, Any]]) -> None:
    chinese = Counter(e["session"] for e in events if re.search(r"[\u4e00-\u9fff]", e["content"]))
    total = Counter(event["session"] for event in events)
    assert len(total) >= 15
    assert len([talk for talk in total if chinese[talk] > total[talk] / 2]) >= 3


def test_the_rate_limit_is_set_in_ten_steps_over_several_talks(
    events: list[dict[str, Any]],
) -> None:
    said = [(e, LIMIT.fullmatch(e["content"])) for e in events if e["source"] == "user"]
    steps = [(event["session"], int(match[1])) for event, match in said if match]
    assert [value for _, value in steps] == [200, 120, 150, 300, 250, 400, 350, 500, 450, 600]
    assert len({talk for talk, _ in steps}) >= 4


def test_two_customers_have_a_project_called_billing(events: list[dict[str, Any]]) -> None:
    projects = {event["project"] for event in events if "project" in event}
    assert {"billing-alder", "billing-brightwater"} <= projects
    for mine, other in (("billing-alder", "Brightwater"), ("billing-brightwater", "Alder")):
        assert not [e["id"] for e in events if e.get("project") == mine and other in e["content"]]
