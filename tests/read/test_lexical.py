"""The lexical reader: every language, any question, no model, and it says so."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda import Memory
from memoranda.read.lexical import NO_MODEL, QUOTES, UNKNOWN
from scene import Place, shown

WHO = ("老李", "船长", "窑工", "护士长", "邮差", "米拉", "园丁", "学徒", "裁缝", "渔夫")
WHAT = (
    "把红色的铁盒放在楼梯下面",
    "昨天夜里修好了风力水泵",
    "打算在五月之前卖掉旧货车",
    "从九号码头寄出了三箱苹果",
    "不喜欢在早晨喝浓咖啡",
    "每星期四去药店楼上排练",
    "发现锅炉的压力又下降了",
    "给土地局写了一封长信",
)
CHINESE = tuple(f"{who}{what}。" for who in WHO for what in WHAT)
JAPANESE = tuple(
    f"{who}は{what}。"
    for who in ("船長", "パン屋", "みらさん", "郵便屋")
    for what in ("古い窯を直した", "青い缶をかくした", "りんごを三箱送った")
)
KOREAN = tuple(
    f"{who} {what}."
    for who in ("선장은", "빵집은", "미라는", "우체부는")
    for what in ("낡은 가마를 고쳤다", "파란 통을 숨겼다")
)
OWN = CHINESE + JAPANESE + KOREAN


@pytest.fixture(scope="module")
def asian(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    place = Place(tmp_path_factory.mktemp("asian") / "root")
    memory = place.open()
    for number, text in enumerate(OWN):
        memory.add(text, session=f"s{number // 6}")
    memory.consolidate()
    return memory


def letters(text: str) -> bool:
    return all(character.isalpha() for character in text)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_substring_finds_every_sentence_that_has_it(asian: Memory, size: int) -> None:
    assert len(OWN) >= 100
    parts = {
        text[start : start + size]
        for text in OWN[:: 3 if size > 1 else 1]
        for start in range(len(text) - size + 1)
        if letters(text[start : start + size])
    }
    for part in sorted(parts)[:: 1 if size == 1 else 3]:
        wanted = {text for text in OWN if part in text}
        found = {text for _, _, text in shown(asian, part, budget=30_000)}
        assert wanted <= found, part


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   \n",
        "'",
        "it's the captain's",
        '"船长"',
        "船长 AND NOT 窑工",
        "NEAR(船长, 3)",
        "船*",
        "^船长",
        "((船长",
        "🔥🔥",
        "\u202e\u200b",
        "船" * 10_000,
        "captain " * 2_000,
        "a" * 10_000,
        "船长\0窑工",
        "\ud83d",
    ],
    ids=lambda text: ascii(text)[:30],
)
def test_any_question_is_answered(asian: Memory, question: str) -> None:
    assert asian.search(question).tokens <= 2000
    assert asian.ask(question).question == question
    assert asian.context(question).count("</memory-") <= 1


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(question=st.text(max_size=50) | st.text("船长窑工AND OR\"'()*:^~-", max_size=25))
def test_every_question_is_safe(asian: Memory, question: str) -> None:
    assert asian.search(question, budget=300).tokens <= 300
    assert asian.ask(question, budget=300).question == question


def test_an_answer_quotes_and_cites_and_says_there_is_no_model(asian: Memory) -> None:
    answer = asian.ask("船长把什么放在楼梯下面?")
    assert (answer.known, answer.text, answer.note) == (True, None, NO_MODEL)
    assert 1 <= len(answer.claims) <= QUOTES
    first = answer.claims[0]
    assert first.quote == "船长把红色的铁盒放在楼梯下面。"
    view = asian.document(first.document_id)
    assert first.lines is not None
    stretch = "\n".join(view.markdown.splitlines()[first.lines[0] - 1 : first.lines[1]])
    assert first.quote in stretch
    assert asian.get(first.event_ids[0]).content == first.quote  # type: ignore[union-attr]


def test_not_known_is_an_answer(asian: Memory) -> None:
    answer = asian.ask("zzqx vvk?")
    assert (answer.known, answer.claims, answer.note) == (False, (), UNKNOWN)


def test_not_known_though_current_comes_whole(memory: Memory) -> None:
    memory.add("The goat is loose.")
    assert not memory.ask("Where is the submarine parked?").known


def test_an_answer_tells_what_was_replaced(memory: Memory) -> None:
    memory.add("The zephyrine kiln is in Leeds.")
    memory.correct(1, "The zephyrine kiln is in York.")
    answer = memory.ask("Where is the zephyrine kiln?")
    assert [(claim.seqs, claim.superseded_by) for claim in answer.claims] == [
        ((2,), None),
        ((1,), 2),
    ]
