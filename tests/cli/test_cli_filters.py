"""The filters as flags of search, ask and context."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cli_command import Command

ROWS = (
    {"id": "m1", "speaker": "Anna", "time": "2026-03-01", "session": "s1", "content": "The kiln is hot."},
    {"id": "m2", "speaker": "林", "time": "2026-03-02T23:30:00Z", "source": "assistant",
     "sensitivity": "private", "content": "The kiln went out on May 3rd, 2025."},
    {"id": "m3", "time": "2026-04-01", "project": "茶馆", "content": "The kiln of the tea house."},
)  # fmt: skip


@pytest.fixture
def stocked(memoranda: Command) -> Command:
    memoranda.ok("import", "-", given="\n".join(map(json.dumps, ROWS)))
    return memoranda


def seqs(found: Any) -> list[int]:
    return sorted(seq for item in found["evidence"] for e in item["entries"] for seq in e["seqs"])


@pytest.mark.parametrize(
    ("flags", "fitting"),
    [
        ("", [1, 2, 3]),
        ("--on 2026-03", [1, 2]),
        ("--on 2026-03-02", [2]),
        ("--on 2025-05-03", [2]),
        ("--since 2026-03-03T01:00+01:00", [3]),
        ("--since 2026-03-02 --until 2026-03-02", [2]),
        ("--source user", [1, 3]),
        ("--source assistant --source tool", [2]),
        ("--sensitivity private --sensitivity public", [2]),
        ("--speaker 林", [2]),
        ("--session s1", [1]),
        ("--in-project 茶馆", [3]),
        ("--in-document CURRENT", [1, 2, 3]),
    ],
)
def test_flags_narrow_a_search(stocked: Command, flags: str, fitting: list[int]) -> None:
    assert seqs(stocked.json("search", "kiln", *flags.split())) == fitting


def test_nothing_that_fits_is_code_3(stocked: Command) -> None:
    assert stocked("search", "kiln", "--on", "2019").exit_code == 3
    assert stocked("ask", "kiln", "--on", "2019").exit_code == 3
    assert stocked.ok("context", "kiln", "--on", "2019") == ""


def test_ask_and_context_take_the_same_flags(stocked: Command) -> None:
    answer = stocked.json("ask", "Is the kiln hot?", "--speaker", "Anna")
    assert [claim["quote"] for claim in answer["claims"]] == ["The kiln is hot."]
    text = stocked.ok("context", "kiln", "--speaker", "Anna", "--on", "2026-03-01")
    assert "hot" in text
    assert "tea house" not in text


def test_a_document_is_named_by_title(stocked: Command) -> None:
    stocked.ok("consolidate")
    documents = stocked.json("list")
    found = [seqs(stocked.json("search", "kiln", "--in-document", d["title"])) for d in documents]
    assert sorted(seq for part in found for seq in part) == [1, 2, 3]


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        ("--on sometime", 2, "on: time 'sometime' can't be used"),
        ("--since 2026-03-01T09:00", 2, "no offset"),
        ("--since 2026-04 --until 2026-03", 2, "ends before it starts"),
        ("--source me", 2, "'me'"),
        ("--sensitivity secret", 2, "'secret'"),
        ("--speaker Ana", 3, "near names: Anna"),
        ("--in-document Kilns", 3, "no document 'Kilns'"),
        ("--in-project 茶馆 --project other", 2, "all_projects"),
        ("--speaker=", 2, "speaker is a name"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_and_a_code(
    stocked: Command, flags: str, code: int, said: str
) -> None:
    result = stocked("search", "kiln", *flags.split())
    assert result.exit_code == code
    assert said in result.stderr
