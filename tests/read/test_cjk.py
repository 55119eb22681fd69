"""Substrings of Chinese, Japanese, Korean and Thai: every sentence with one, ahead of all without it."""

from __future__ import annotations

import random
import tempfile
import unicodedata
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from memoranda import Memory, NewEvent
from scene import Place, fast

CHINESE = (
    ("老李", "米拉", "船长", "伊内斯", "药店的小王", "土地局的人", "合唱团"),
    ("在旧窑旁边", "从九号码头", "用自行车链条", "为了北岛的渡轮", "关上老收音机", "趁着退潮"),
    (
        "修好了风力水泵",
        "晒了四十袋黑豆",
        "画出海岸地图",
        "刷完锅炉外壳",
        "写了3封长信",
        "找到蓝色铁盒",
    ),
)
JAPANESE = (
    ("漁師の健さん", "図書館の司書", "隣のパン屋", "灯台守", "ピアノの先生", "山田くん"),
    ("古い窯のそばで", "雨の朝に", "9番ホームから", "自転車で", "祭りのあとで", "電話をしながら"),
    (
        "青い缶を見つけた",
        "黒パンを焼いていた",
        "ポンプを直した",
        "地図を描きはじめた",
        "豆の袋を運んだ",
        "手紙を3通書いた",
        "合唱の練習をした",
    ),
)
KOREAN = (
    ("선장님은", "약국 주인은", "피아노 선생님은", "등대지기는", "우리 이웃은", "빵집 아저씨는"),
    ("오래된 가마 옆에서", "비 오는 아침에", "9번 부두에서", "자전거를 타고", "축제가 끝난 뒤에"),
    (
        "파란 깡통을 찾았다",
        "검은 빵을 구웠다",
        "펌프를 고쳤다",
        "해안 지도를 그렸다",
        "편지 3통을 썼다",
        "콩 자루를 날랐다",
        "합창을 연습했다",
    ),
)
THAI = (
    ("ชาวประมง", "ครูสอนดนตรี", "คนเฝ้าประภาคาร", "เพื่อนบ้าน", "ช่างไม้"),
    ("ข้างเตาเก่า", "ในเช้าวันฝนตก", "ที่ท่าเรือ", "หลังงานวัด"),
    ("ซ่อมเครื่องสูบน้ำ", "อบขนมปังดำ", "วาดแผนที่ชายฝั่ง", "พบกล่องสีน้ำเงิน", "เขียนจดหมายยาว"),
)
EACH = 45
"""Tokens that hold a sentence, its date and the head of its document, and more."""


def sentences() -> list[str]:
    """Eight hundred sentences of three languages, and a hundred of Thai besides."""
    chosen = random.Random(2606)  # noqa: S311 - a seed
    found: list[str] = []
    for parts, joint, end, number in (
        (CHINESE, "", "。", 252),
        (JAPANESE, "", "。", 252),
        (KOREAN, " ", ".", 210),
        (THAI, "", "", 100),
    ):
        made = [joint.join(words) + end for words in product(*parts)]
        found += chosen.sample(made, number)
    found += [f"第{number}章讲{number + 40}号船的旧事" for number in range(1, 51)]
    found += [f"型番はＡＢ{number}ｶﾞﾗｽの箱です" for number in range(1, 37)]
    chosen.shuffle(found)
    return found


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def pieces(texts: list[str], number: int) -> list[str]:
    """Substrings of 2 to 4 letters, marks and digits that stand inside sentences."""
    chosen = random.Random(10677)  # noqa: S311 - a seed
    found: dict[str, None] = {}
    while len(found) < number:
        text = plain(chosen.choice(texts))
        size = chosen.randint(2, 4)
        start = chosen.randint(0, len(text) - size)
        piece = text[start : start + size]
        words = all(unicodedata.category(character)[0] in "LMN" for character in piece)
        if words and not piece.isascii():
            found.setdefault(piece)
    return list(found)


TEXTS = sentences()
PIECES = pieces(TEXTS, 200)


@pytest.fixture(scope="module")
def stocked() -> Iterator[Memory]:
    """The first half of the sentences in documents, the second in CURRENT."""
    events = [
        NewEvent(content=text, session=f"s{number // 5}", time="2026-05-01")
        for number, text in enumerate(TEXTS)
    ]
    with (
        tempfile.TemporaryDirectory(dir=fast()) as folder,
        Place(Path(folder).resolve() / "root").open() as memory,
    ):
        memory.add_many(events[: len(events) // 2])
        memory.consolidate()
        memory.add_many(events[len(events) // 2 :])
        yield memory


def found(memory: Memory, piece: str, budget: int = 2000) -> list[str]:
    """The texts of the evidence, in order."""
    evidence = memory.search(piece, budget=budget).evidence
    return [entry.text for item in evidence for entry in item.entries]


def assert_ahead(shown: list[str], piece: str, texts: list[str] = TEXTS) -> None:
    holding = {text for text in texts if plain(piece) in plain(text)}
    assert holding
    assert set(shown[: len(holding)]) == holding


def test_there_are_800_sentences_and_100_of_thai(stocked: Memory) -> None:
    assert len(set(TEXTS)) == len(TEXTS) == 900
    status = stocked.status()
    assert (status.current_entries, status.entries, status.superseded) == (450, 900, 0)


def test_every_sentence_with_a_substring_comes_ahead_of_all_without_it(stocked: Memory) -> None:
    for piece in PIECES:
        holding = sum(plain(piece) in plain(text) for text in TEXTS)
        assert_ahead(found(stocked, piece, budget=200 + EACH * holding), piece)


@pytest.mark.parametrize("piece", ["着退潮", "黒パン", "깡통을", "เตาเก่า", "第7章"])
def test_it_holds_when_all_of_current_comes_with_it(stocked: Memory, piece: str) -> None:
    shown = found(stocked, piece, budget=100_000)
    assert_ahead(shown, piece)
    assert {entry.text for entry in stocked.current()} <= set(shown)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("カタカナのガラス瓶", "ｶﾞﾗｽ"),
        ("ｶﾞﾗｽ瓶を洗った", "ガラス"),
        ("型番はＡＢ１２の箱", "ab12の"),
        ("第13章讲旧船", "3章"),
        ("他买了iPhone手机壳", "one手"),
        ("하늘이 맑다", unicodedata.normalize("NFD", "하늘")),
        (unicodedata.normalize("NFD", "부두에 갔다"), "두에"),
        ("비 오는 아침", "오는 아"),
        ("送り仮名を学ぶ", "り仮名"),
        ("渔\u200b船\u200b回港", "渔船"),
        ("㍿の印", "株式会社"),
        ("每周三开例会。大家都来", "例会。大"),
        ("ปลาทูน้ำเค็ม", "น้ำเค"),
    ],
)
def test_forms_of_one_character_are_one(place: Place, text: str, piece: str) -> None:
    memory = place.open()
    others = ["船が3隻あった章", "章节3", "手one机", "세 번째 오 아침", "例如会议"]
    memory.add_many([NewEvent(content=other, session=other) for other in (*others, text)])
    assert found(memory, piece)[0] == text
    memory.consolidate()
    assert found(memory, piece)[0] == text


def test_what_a_repetition_or_a_speaker_holds_counts_too(place: Place) -> None:
    own = place.open()
    own.add("The goat is loose.", speaker="米拉")
    own.add("米店在码头。")
    assert found(own, "米拉")[0] == "The goat is loose."


def test_a_literal_question_does_not_hide_the_newest_state(place: Place) -> None:
    memory = place.open()
    memory.add("我的电话是5551。", time="2026-01-01")
    memory.consolidate()
    memory.add("我的电话是5552。", time="2026-02-01")
    memory.consolidate()
    assert found(memory, "是5551")[0] == "我的电话是5552。"
