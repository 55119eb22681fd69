"""What is said of a relative doesn't replace what is said of the speaker, nor the reverse."""

from __future__ import annotations

import pytest

from memoranda.text.frames import Statement, replaces

TWO = [
    ("我姐姐对花生过敏。", "我对海鲜过敏，不对花生过敏。"),
    ("我姐姐喜欢吃辣。", "我不喜欢吃辣。"),
    ("我妈妈不喜欢猫。", "我喜欢猫。"),
    ("我女儿喜欢画画。", "我儿子不喜欢画画。"),
    ("我姐姐讨厌香菜。", "我喜欢香菜。"),
    ("我们家孩子喜欢芒果。", "我不喜欢芒果。"),
    ("我的同事喜欢加班。", "我讨厌加班。"),
]
ONE = [
    ("我喜欢吃辣。", "我不喜欢吃辣了。"),
    ("我儿子喜欢画画。", "我儿子不喜欢画画了。"),
    ("我妈喜欢猫。", "我妈妈现在不喜欢猫了。"),
    ("我讨厌香菜。", "我现在喜欢香菜了。"),
]


def said(text: str) -> Statement:
    return Statement(text=text, speaker="林晓")


@pytest.mark.parametrize(("first", "second"), TWO)
def test_two_people_are_two_matters(first: str, second: str) -> None:
    assert not replaces(said(first), said(second))
    assert not replaces(said(second), said(first))


@pytest.mark.parametrize(("older", "newer"), ONE)
def test_one_person_who_changes_is_one(older: str, newer: str) -> None:
    assert replaces(said(older), said(newer))
