"""A reply that runs on without an end costs no more than a few times what was shown."""

from __future__ import annotations

import pytest

from memoranda import NewEvent
from memoranda.llm.doubles import ScriptedModel
from memoranda.text.tokens import count
from memoranda.write.by_model import Maintainer
from memoranda.write.by_model.asking import FIRST, TIMES

NONCE = "0123456789abcdef"
TALK = "米拉说，她的面包房每天早上六点开门，周二休息。"


@pytest.mark.parametrize("events", [1, 40])
def test_the_longest_reply_goes_by_what_was_shown(events: int) -> None:
    model = ScriptedModel(lambda _: {})
    maintainer = Maintainer(model, nonce=lambda: NONCE, entry_tokens=1000)
    maintainer.extract([NewEvent(content=f"{TALK} {number}") for number in range(events)])
    (request,) = model.requests
    shown = sum(count(f"{TALK} {number}") for number in range(events))
    assert FIRST + TIMES * shown <= request.max_tokens <= 4096
    assert request.max_tokens < FIRST + TIMES * (shown + 40 * events) + 100


def test_no_reply_is_longer_than_the_setting_allows() -> None:
    model = ScriptedModel(lambda _: {})
    maintainer = Maintainer(model, nonce=lambda: NONCE, entry_tokens=1000, reply_tokens=450)
    maintainer.extract([NewEvent(content=f"{TALK} {number}") for number in range(40)])
    assert [request.max_tokens for request in model.requests] == [450]
