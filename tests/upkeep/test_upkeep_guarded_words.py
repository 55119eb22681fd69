"""Words on which a statement hangs can't be left out by a model: a sham, a fear, a measure, a lack."""

from __future__ import annotations

import pytest

from memoranda.text.guard import Said, check

TURNED = [
    ("我假装生病。", "林晓生病。"),
    ("他装作不知道。", "他不知道。"),
    ("我害怕坐飞机。", "林晓坐飞机。"),
    ("我担心小王辞职。", "小王辞职。"),
    ("医生建议我少吃盐。", "医生建议林晓吃盐。"),
    ("以后少喝酒。", "以后喝酒。"),
    ("医生让我多喝水。", "医生让林晓喝水。"),
    ("离婚协议还差签字。", "离婚协议签字。"),
    ("我勉强同意了。", "林晓同意了。"),
    ("I pretended to be sick.", "林晓 to be sick."),
    ("I pretend that I like jazz.", "林晓 likes jazz."),
    ("I am afraid of flying to Oslo.", "林晓 is flying to Oslo."),
    ("I fear that the pump leaks.", "The pump leaks."),
    ("I worry that Ben will leave.", "Ben will leave."),
]
KEPT = [
    ("我假装生病。", "林晓假装生病。"),
    ("我害怕坐飞机。", "林晓害怕坐飞机。"),
    ("医生建议我少吃盐。", "医生建议林晓少吃盐。"),
    ("医生让我多喝水。", "医生让林晓多喝水。"),
    ("至少吃两片药。", "至少吃两片药。"),
    ("I pretended to be sick.", "林晓 pretended to be sick."),
    ("I am afraid of heights.", "林晓 is afraid of heights."),
]


def said(text: str) -> list[Said]:
    return [Said(text, speaker="林晓", time="2026-03-01")]


@pytest.mark.parametrize(("source", "wording"), TURNED)
def test_a_wording_without_them_is_refused(source: str, wording: str) -> None:
    assert not check(wording, said(source), context=["林晓", "小王", "Ben"]).ok


@pytest.mark.parametrize(("source", "wording"), KEPT)
def test_a_wording_with_them_is_kept(source: str, wording: str) -> None:
    verdict = check(wording, said(source))
    assert verdict.ok, verdict
