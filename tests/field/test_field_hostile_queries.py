"""Field cases: any string may be searched for, and what is written literally is found literally."""

from __future__ import annotations

import random
import unicodedata
from itertools import product

import pytest
from processes import run

from cli_command import Command
from memoranda import Memory, NewEvent
from memoranda.read.ranking import rank
from memoranda.read.reach import Reach
from scene import Place, home

LITERAL = {
    "don't": "We don't moor at the old quay.",
    "pre-edit": "The pre-edit of the chart is kept in the drawer.",
    "GB/s": "The new cable carries 40 GB/s to the light house.",
    "a:b": "The valve key a:b opens the lower sluice.",
    '"x"': 'The buoy marked "x" lies west of the rocks.',
    "C++": "The tide tables were computed with C++ last year.",
}
OPERATORS = (
    "AND", "OR", "NOT", "NEAR", "(", ")", "*", "^", '"', "'", "''", '""', "-", ":", "+", "{", "}",
    "NEAR(", "NEAR/2", "a AND", "AND OR NOT", "terms:", "terms : x", "project : y", "unit MATCH",
    "\\", "%", "_", ";--", "a*b", "^a", "\0", "\ufffd", "\u202e", "😀", "x\ny", "\ud800",
)  # fmt: skip
LONG = ("lighthouse " * 1000)[:10_000]


@pytest.fixture
def charts(memory: Memory) -> Memory:
    for text in (*LITERAL.values(), "The ferry is late today.", "Fog and wind, or rain."):
        memory.add(text)
    memory.consolidate()
    return memory


@pytest.mark.parametrize("query", LITERAL)
def test_a_literal_text_is_found_where_it_stands(
    charts: Memory, memoranda: Command, query: str
) -> None:  # fc-020
    wanted = LITERAL[query]
    first = charts.search(query).evidence[0].entries
    assert wanted in [entry.text for entry in first]
    assert wanted in [claim.quote for claim in charts.ask(query).claims]
    assert wanted in charts.context(query)
    for command in ("search", "ask", "context"):
        assert wanted in memoranda.ok(command, "--", query)


@pytest.mark.parametrize("query", [*OPERATORS, LONG, "(" * 10_000], ids=lambda query: query[:12])
def test_no_query_is_an_error_on_any_surface(
    charts: Memory, memoranda: Command, query: str
) -> None:  # fc-020
    charts.search(query)
    charts.context(query)
    assert charts.ask(query).known in {True, False}
    if "\0" in query or "\ud800" in query:
        return  # no argument of a process can hold them
    for command in ("search", "ask", "context"):
        assert memoranda(command, "--", query).exit_code in {0, 3}


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u200b"])
def test_an_empty_query_finds_nothing(
    charts: Memory, memoranda: Command, query: str
) -> None:  # fc-020
    assert charts.search(query).evidence == ()
    assert not charts.ask(query).known
    assert charts.context(query) == ""
    assert memoranda("search", "--", query).exit_code == 3
    assert memoranda("ask", "--", query).exit_code == 3
    assert memoranda.ok("context", "--", query) == ""


def test_hostile_queries_pass_through_a_real_process(
    charts: Memory, place: Place
) -> None:  # fc-020
    done = run(place.root, "search", "--json", "--", f"NEAR( {LONG}")
    assert (done.returncode, b"Traceback" in done.stderr) in {(0, False), (3, False)}
    assert LITERAL["don't"].encode() in run(place.root, "search", "don't").stdout


# --- words inside sentences without blanks ----------------------------------------------------

WHO = {
    "zh": "渔夫|木匠|老师|邮差|厨师|园丁",
    "ja": "漁師は|大工は|先生は|郵便屋は|料理人は|庭師は",
    "ko": "어부는 |목수는 |선생님은 |우체부는 |요리사는 |정원사는 ",
    "th": "ชาวประมง|ช่างไม้|คุณครู|บุรุษไปรษณีย์|พ่อครัว|คนสวน",
}
WHERE = {
    "zh": "清晨在河边|午后在集市|傍晚在山坡|雨天在仓库|周末在庙前|冬天在渡口",
    "ja": "早朝に川辺で|昼すぎに市場で|夕方に丘の上で|雨の日に倉庫で|週末に神社で|冬に渡し場で",
    "ko": "이른 아침 강가에서 |오후에 시장에서 |저녁에 언덕에서 |비 오는 날 창고에서 |주말에 산에서 |봄에 ",
    "th": "ตอนเช้าที่ริมแม่น้ำ|ตอนบ่ายที่ตลาด|ตอนเย็นบนเนินเขา|วันฝนตกในโกดัง|วันหยุดหน้าวัด|ฤดูหนาวที่ท่าเรือ",
}
WHAT = {
    "zh": "修补旧渔网。|清点新木桶。|晾晒红辣椒。|喂养小山羊。|挑选绿茶叶。|搬运石板车。",
    "ja": "古い網をつくろう。|新しい箱を数える。|赤唐辛子を干す。|子やぎを飼う。|緑茶の葉を選ぶ。|石を運ぶ。",
    "ko": "낡은 그물을 고친다.|새 상자를 센다.|고추를 말린다.|염소를 먹인다.|녹차 잎을 고른다.|돌을 옮긴다.",
    "th": "ซ่อมแหเก่า|นับลังใหม่|ตากพริกแดง|เลี้ยงลูกแพะ|เลือกใบชาเขียว|ขนแผ่นหิน",
}
SENTENCES = [
    "".join(parts)
    for language in WHO
    for parts in list(product(*(part[language].split("|") for part in (WHO, WHERE, WHAT))))[:200]
]


def plain(text: str) -> str:
    """The form in which texts are compared: a Thai sara am, say, is two characters."""
    return unicodedata.normalize("NFKC", text)


def words() -> list[str]:
    """200 stretches of 2, 3 and 4 characters from inside the sentences, the same in every run."""
    chosen = random.Random(800)  # noqa: S311 - a fixed choice, no secret
    found: list[str] = []
    while len(found) < 200:
        sentence = chosen.choice(SENTENCES).rstrip(".。")
        start = chosen.randrange(len(sentence) - 4)
        word = sentence[start : start + 2 + len(found) % 3]
        if word.strip() == word and " " not in word:
            found.append(word)
    return found


@pytest.fixture
def shelved(memory: Memory) -> Memory:
    """The sentences in documents."""
    memory.add_many([NewEvent(content=sentence) for sentence in SENTENCES])
    memory.consolidate()
    assert len(set(SENTENCES)) == memory.status().entries == 800
    assert memory.status().superseded == 0
    return memory


def test_the_hits_of_a_word_inside_sentences_are_those_of_a_substring_search(
    shelved: Memory,
) -> None:  # fc-021
    view, reach = home(shelved).view, Reach(project=None, all_projects=True)
    for word in words():
        holding = {n for n, text in enumerate(SENTENCES, start=1) if plain(word) in plain(text)}
        ranked = home(shelved).with_index(lambda index, word=word: rank(word, view, index, reach))
        assert ranked.literal == holding, word
        assert {seq for seq, _ in ranked.lines[: len(holding)]} == holding, word


def test_a_search_shows_every_sentence_that_holds_the_word_and_shows_it_first(
    shelved: Memory, memoranda: Command
) -> None:  # fc-021
    for word in words()[::20]:
        holding = {text for text in SENTENCES if plain(word) in plain(text)}
        found = shelved.search(word, budget=3000)
        shown = [entry.text for item in found.evidence for entry in item.entries]
        assert set(shown[: len(holding)]) == holding, word
        assert shelved.ask(word).claims[0].quote in holding
    printed = memoranda.ok("search", "绿茶", "--budget", "3000")
    assert all(text in printed for text in SENTENCES if "绿茶" in text)
