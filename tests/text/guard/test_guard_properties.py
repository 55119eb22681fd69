"""What holds of the guard for any text."""

from __future__ import annotations

import pytest
from guard_double import Double
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.text.guard import Kind, Said, check

WORDS = st.sampled_from(
    """
    I not don't never 3 three $5 5 km may Anna Ben the user's user and but if all some yesterday May
    2026-03-03 我 不 没有 可能 三 只 公里 用户 张伟 都 昨天 下午三点 。 ， . , ; ? " ' ` / // -- v1.2
    a@b.c ~/x
    ９ ½ half hundred twenty 一百二十 百分之 第 nicht ist は 안 \u200b \ufeff İ ß ﬁ
    """.split()  # noqa: SIM905 - words read better in a row
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(WORDS, max_size=14).map(" ".join),
    st.lists(WORDS, max_size=14).map("".join),
)
KINDS: tuple[Kind, ...] = ("fact", "merged", "title", "summary")


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(KINDS), st.sampled_from([None, "2026-03-04", "no time"]))
def test_a_text_is_kept_by_itself(text: str, kind: Kind, time: str | None) -> None:
    assert check(text, [Said(text, time=time)], kind=kind).ok


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=12).map(" ".join), st.sampled_from(KINDS))
def test_a_text_is_kept_by_itself_when_it_is_read(text: str, kind: Kind) -> None:
    verdict = check(text, [Said(text, time="2026-03-04"), Said(text, time="2026-03-04")], kind=kind)
    assert verdict.ok, str(verdict)


@settings(max_examples=100, deadline=None)
@given(TEXTS.filter(lambda text: any(char.isalnum() for char in text)), st.sampled_from(KINDS))
def test_without_sources_nothing_is_kept(text: str, kind: Kind) -> None:
    assert not check(text, [], kind=kind).ok


@settings(max_examples=60, deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(KINDS))
def test_a_verdict_is_the_same_again_and_is_ok_if_nothing_is_wrong(
    one: str, two: str, kind: Kind
) -> None:
    first = check(one, [Said(two)], context=["Anna"], kind=kind)
    assert first == check(one, [Said(two)], context=["Anna"], kind=kind)
    if one.strip():
        assert first.ok == (not first.lost and not first.added)
    assert str(first)


@pytest.mark.parametrize("kind", ["fact", "merged"])
def test_statements_are_kept_by_themselves_when_they_are_read(kind: Kind) -> None:
    double = Double(7)
    for _ in range(100):
        said = double.faithful().sources[0]
        verdict = check(said.text, [said, said], kind=kind)
        assert verdict.ok, (said.text, str(verdict))


def test_a_long_text_is_read_in_time() -> None:
    text = "I don't eat 3 nuts, and 张伟可能不喜欢两只猫。 " * 40
    assert check(text + "Yes.", [Said(text)]).lost == ()
