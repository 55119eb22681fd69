"""Grep: every line that matches and no other, in any script, at any pattern, within a second."""

from __future__ import annotations

import random
import re
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Memory, NewEvent
from memoranda.errors import InputError, NotFoundError
from memoranda.read.tools import pattern as patterns
from scene import CHINESE_PHONE, LIMIT, SENTENCES, Place

HOSTILE = (
    r"(a+)+$", r"(a|a)*b", r"(a|aa)+$", r"(a*)*b", r"(a+)*b", r"([a-z]+)*\d", r"(a|a?)+b",
    r"(.*)(.*)(.*)(.*)(.*)b$", r"(.*a){20}b", r"(.*a){60}b", r"^(a?){50}a{50}b", r"(?:a?){500}a{500}b",
    r"((a{0,10}){0,10}){0,9}b$", r"(?:(?:a{1,30}){1,30})b", r"(a{1,100}){9}b", r"a{1000}b", r"a{1001}b",
    r"(?:[^b]{1,20}a){40}b", r".*?a.{900}b", r"(.|.|.|.){1,200}b", r"\w{0,400}[0-9]", r"(?:a.{0,60}){9}b",
    r"a.{200}a.{200}b$", r"(a|b)*a(a|b){14}c", r"(?:a|b)*a(?:a|b){300}c", r"b.{0,300}b.{0,300}bz",
    r"[ab]*a[ab]{900}z", r"(?i)[^a]{1,1000}b", r"\pL{1,500}b", r"\pL{1,50}b", r"(\pL{1,50}\d){4}b",
    r"(a|\pL){100}b", r"\p{Han}{1,900}\d", r"(?i)(?:.{0,200}b){2}", r"((((((((((a*)*)*)*)*)*)*)*)*)*)*b",
    r"(?s).*.*.*.*=.*", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@)",
    r"(\S+\s*)+:", r"(x+x+)+y", r"(?=a)b", r"(?<!a)b", r"(a)\1", r"(?P>x)", "(" * 300 + ")" * 300, "[" * 900,
    "a?" * 400 + "a" * 200, "|".join(["a+a+b"] * 150), r"\x{10FFFF}{500}b", "\\" * 999,
)  # fmt: skip
LINES = (
    "a" * 100_000,
    "".join(random.Random(7).choices("ab", k=100_000)),  # noqa: S311 - no secret
    "茶" * 100_000,
    "".join(random.Random(8).choices("abcxyz 茶馆開1234=@:", k=100_000)),  # noqa: S311
)


def seqs(memory: Memory, pattern: str, **given: object) -> list[int]:
    found = memory.grep(pattern, **{"limit": 1000, **given})  # type: ignore[arg-type]
    assert found.total == len(found.matches) == sum(found.documents.values())
    return [match.entry.seq for match in found.matches]


@pytest.fixture
def stocked(place: Place) -> Memory:
    memory = place.open()
    memory.add_many(NewEvent(content=text) for text in SENTENCES[:15])
    memory.consolidate()
    memory.add_many(NewEvent(content=text) for text in SENTENCES[15:])
    return memory


def test_there_are_fifty_hostile_patterns() -> None:
    assert len(set(HOSTILE)) == 50


@pytest.mark.parametrize("number", range(50))
def test_a_hostile_pattern_ends_within_a_second_on_a_line_of_100_000_characters(
    number: int,
) -> None:
    for line in LINES:
        start = time.perf_counter()
        patterns.read(HOSTILE[number]).find(line, patterns.SPANS)
        assert time.perf_counter() - start < 1.0


def test_a_regular_expression_finds_what_it_says(stocked: Memory) -> None:
    assert seqs(stocked, r"\d\d:\d\d") == [3]
    assert seqs(stocked, r"^(The|Ines) [a-z]+ ") == [
        n for n, text in enumerate(SENTENCES, 1) if re.match(r"(The|Ines) [a-z]+ ", text)
    ]
    assert seqs(stocked, r"九号码头|星期四") == [13, 19]


def test_an_expression_is_of_lines_and_a_dot_ends_with_them(memory: Memory) -> None:
    memory.add("First the kiln\nthen the boiler")
    assert seqs(memory, "^then") == [1]
    assert seqs(memory, "kiln$") == [1]
    assert seqs(memory, "kiln.then") == []


@pytest.mark.parametrize(
    "pattern", ["(see the map", "a**", r"(\d)\1", "(?=kiln)", "[z-a]", "x{1001}"]
)
def test_what_re2_cannot_read_is_searched_as_it_is_written(memory: Memory, pattern: str) -> None:
    memory.add(f"The note says {pattern} in the margin.")
    memory.add("Nothing of that kind.")
    found = memory.grep(pattern)
    assert found.literal
    assert found.why_literal.startswith("RE2 can't read it")
    assert [match.entry.seq for match in found.matches] == [1]


def test_without_re2_everything_is_literal_and_says_so(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    memory.add("Costs 3.50 a piece.")
    memory.add("Costs 3x50 a piece.")
    found = memory.grep("3.50")
    assert [match.entry.seq for match in found.matches] == [1]
    assert found.why_literal == patterns.MISSING


def test_a_plain_text_is_no_expression_and_needs_no_excuse(memory: Memory) -> None:
    memory.add("茶馆八点开门。")
    found = memory.grep("八点")
    assert (found.literal, found.why_literal, found.total) == (True, "", 1)


def test_case_counts_unless_it_is_to_be_ignored(memory: Memory) -> None:
    memory.add("Skarholm")
    memory.add("skarholm (old)")
    assert seqs(memory, "skar") == [2]
    assert seqs(memory, "skar", ignore_case=True) == [1, 2]
    assert seqs(memory, "SKAR.*OLD", ignore_case=True) == [2]
    assert seqs(memory, "(OLD", ignore_case=True) == [2]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_a_piece_of_any_script_is_found_as_a_substring_is(
    stocked: Memory, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(SENTENCES))
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : start + data.draw(st.integers(1, 6))]
    wanted = [number for number, said in enumerate(SENTENCES, 1) if piece in said]
    assert sorted(seqs(stocked, re.escape(piece))) == wanted


@pytest.mark.parametrize("piece", ["夜间渡轮", "ガレージの鍵", "파란 깡통", "ปลาทู"])
def test_scripts_without_blanks(memory: Memory, piece: str) -> None:
    memory.add(f"x{piece}y")
    memory.add(piece[:-1])
    memory.consolidate()
    assert seqs(memory, piece) == [1]
    match = memory.grep(piece).matches[0]
    assert match.entry.text[slice(*match.spans[0])] == piece


def test_one_document_or_current_alone(stocked: Memory) -> None:
    names = [info.document_id for info in stocked.documents()]
    parts = [seqs(stocked, ".", document=name) for name in [*names, "CURRENT"]]
    assert sorted(seq for part in parts for seq in part) == list(range(1, 21))
    assert parts[-1] == [16, 17, 18, 19, 20]
    with pytest.raises(NotFoundError, match="no document"):
        stocked.grep("x", document="kettles")


def test_lines_stand_where_the_document_prints_them(stocked: Memory) -> None:
    for match in stocked.grep("e").matches:
        if match.document_id == "CURRENT":
            continue
        assert match.entry.lines is not None
        page = stocked.read_lines(match.document_id, *match.entry.lines)
        assert match.entry.text in page.lines[0]
        assert match.version == page.version


def test_the_limit_cuts_what_is_shown_and_not_what_is_counted(stocked: Memory) -> None:
    found = stocked.grep(".", limit=7)
    assert (len(found.matches), found.total, found.searched) == (7, 20, 20)
    assert "13 more of 20" in found.note


def test_outdated_and_retracted_lines_are_marked_and_forgotten_ones_are_not_there(
    memory: Memory,
) -> None:
    for text in (LIMIT.format(3), LIMIT.format(5), "The limit of pods is a rumour.", "pods 4711"):
        memory.add(text)
    memory.consolidate()
    memory.retract(3)
    memory.forget(entry=4)
    found = memory.grep("pods")
    assert {m.entry.seq: (m.entry.superseded_by, m.entry.retracted) for m in found.matches} == {
        1: (2, False),
        2: (None, False),
        3: (None, True),
    }
    assert found.searched == 3
    assert memory.grep("4711").total == 0


def test_a_handle_of_one_project_sees_no_line_and_no_count_of_another(place: Place) -> None:
    whole = place.open()
    for project in ("acme", "茶馆", None):
        whole.add_many([NewEvent(content=CHINESE_PHONE.format(f"555{project}"), project=project)])
    whole.consolidate()
    own = place.open(project="acme")
    found = own.grep("电话")
    assert [match.entry.project for match in found.matches] == ["acme", None]
    assert (found.total, found.searched, sum(found.documents.values())) == (2, 2, 2)
    assert "茶馆" not in str(own.grep("zzzz").to_dict()) + str(found.to_dict())


def test_nothing_found_says_what_was_looked_at_and_what_to_try(stocked: Memory) -> None:
    note = stocked.grep("Skarhalm").note
    assert note.startswith("none of 20 lines")
    assert "ignore case" in note


@pytest.mark.parametrize("pattern", ["", "x" * 1001])
def test_no_pattern_and_one_without_end_are_refused(memory: Memory, pattern: str) -> None:
    with pytest.raises(InputError, match="pattern"):
        memory.grep(pattern)


@pytest.mark.parametrize("limit", [0, -1, True])
def test_a_limit_is_a_number_of_lines(memory: Memory, limit: int) -> None:
    with pytest.raises(InputError, match="limit"):
        memory.grep("x", limit=limit)
